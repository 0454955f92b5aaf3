//! The value of a spoken number while its words are read: a whole number of any size, or text such as `3.`.

use crate::normalize::classes::digit;

/// The digits of a spoken number. They are strings, because spoken numbers have no upper limit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum SpokenValue {
    /// A whole number in ASCII digits, without leading zeros.
    Whole(String),
    /// Digits that are not a plain whole number, such as `3.`, `1.5`, or joined digits such as `007`.
    Text(String),
}

impl SpokenValue {
    pub(super) fn whole(number: u8) -> SpokenValue {
        SpokenValue::Whole(number.to_string())
    }

    /// Returns ten to the power of `zeros`.
    pub(super) fn power(zeros: usize) -> SpokenValue {
        SpokenValue::Whole(format!("1{}", "0".repeat(zeros)))
    }

    /// Parses a number of the form `\d+(\.\d+)?`; the result is whole if the fraction is zero. Returns `None`
    /// for any other word.
    pub(super) fn of_numeral(word: &str) -> Option<SpokenValue> {
        let first = word.chars().next()?;
        // Most words start with an ASCII letter and are rejected here.
        if !first.is_ascii_digit() && (first.is_ascii() || digit(first).is_none()) {
            return None;
        }
        let (whole, fraction) = word.split_once('.').unwrap_or((word, "0"));
        let is_number = |digits: &str| !digits.is_empty() && digits.chars().all(|c| digit(c).is_some());
        if !is_number(whole) || !is_number(fraction) {
            return None;
        }
        Some(match shifted(word, 0) {
            Some(number) => SpokenValue::Whole(number),
            None => SpokenValue::Text(word.to_owned()),
        })
    }

    pub(super) fn as_str(&self) -> &str {
        match self {
            SpokenValue::Whole(text) | SpokenValue::Text(text) => text,
        }
    }

    pub(super) fn is_text(&self) -> bool {
        matches!(self, SpokenValue::Text(_))
    }

    pub(super) fn is_zero(&self) -> bool {
        matches!(self, SpokenValue::Whole(number) if number == "0")
    }

    /// Returns the digits of this number followed by the text `more`.
    pub(super) fn then(self, more: &str) -> SpokenValue {
        let (SpokenValue::Whole(mut text) | SpokenValue::Text(mut text)) = self;
        text.push_str(more);
        SpokenValue::Text(text)
    }

    /// Combines this value with the spoken number that follows, of one or two digits. If the value ends in
    /// zeros in place of these digits, the number is added: 100 and 20 give 120. Otherwise the digits are
    /// joined: 19 and 80 give 1980.
    pub(super) fn plus_or_then(self, number: u8) -> SpokenValue {
        let more = number.to_string();
        let digits = if number < 10 { 1 } else { 2 };
        match &self {
            SpokenValue::Whole(zero) if zero == "0" => SpokenValue::Whole(more),
            SpokenValue::Whole(whole) if whole.ends_with(&"00"[..digits]) => {
                // `10` to `19` and the tens have two digits, so they replace two zeros.
                SpokenValue::Whole(format!("{}{more}", &whole[..whole.len() - more.len()]))
            }
            _ => self.then(&more),
        }
    }

    pub(super) fn with_last(self, number: u8) -> SpokenValue {
        let (SpokenValue::Whole(mut text) | SpokenValue::Text(mut text)) = self;
        text.pop();
        text.push_str(&number.to_string());
        SpokenValue::Text(text)
    }

    /// Multiplies this decimal number by ten to the power of `zeros`. Returns `None` if the product is not a
    /// whole number.
    pub(super) fn times_if_whole(&self, zeros: usize) -> Option<SpokenValue> {
        shifted(self.as_str(), zeros).map(SpokenValue::Whole)
    }

    /// Multiplies the last three digits of this whole number by ten to the power of `zeros`, and adds the
    /// thousands unchanged: 2003 times 100 gives 2300.
    pub(super) fn times_rest(&self, zeros: usize) -> SpokenValue {
        let number = self.as_str();
        // Whisper splits the value by `divmod(value, 1000)`: `two thousand three` times a hundred is 2000 +
        // 300.
        let (thousands, rest) = number.split_at(number.len().saturating_sub(3));
        let rest = format!("{rest}{}", "0".repeat(zeros));
        SpokenValue::Whole(sum(&format!("{thousands}000"), &rest))
    }
}

/// Multiplies a decimal number by ten to the power of `zeros`. Returns the product in ASCII digits without
/// leading zeros, or `None` if the product is not a whole number.
fn shifted(text: &str, zeros: usize) -> Option<String> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let mut digits = String::with_capacity(text.len() + zeros);
    for c in whole.chars() {
        digits.push(char::from(b'0' + digit(c)?));
    }
    let mut places = 0;
    for c in fraction.chars() {
        let value = digit(c)?;
        // The first `zeros` digits of the fraction become whole; a later digit other than 0 would be left
        // over.
        if places < zeros {
            digits.push(char::from(b'0' + value));
            places += 1;
        } else if value != 0 {
            return None;
        }
    }
    digits.extend(std::iter::repeat_n('0', zeros - places));
    Some(without_leading_zeros(&digits).to_owned())
}

fn without_leading_zeros(digits: &str) -> &str {
    let significant = digits.trim_start_matches('0');
    if significant.is_empty() { "0" } else { significant }
}

// The numbers have no upper limit, so they are added digit by digit, from the last one on.
fn sum(left: &str, right: &str) -> String {
    let mut left = left.bytes().rev();
    let mut right = right.bytes().rev();
    let mut digits = Vec::new();
    let mut carry = 0;
    loop {
        let l = left.next();
        let r = right.next();
        if l.is_none() && r.is_none() && carry == 0 {
            break;
        }
        let value = |digit: Option<u8>| digit.map_or(0, |digit| digit - b'0');
        let total = value(l) + value(r) + carry;
        digits.push(char::from(b'0' + total % 10));
        carry = total / 10;
    }
    let digits: String = digits.into_iter().rev().collect();
    without_leading_zeros(&digits).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numerals_are_whole_where_they_can_be() {
        let whole = |text: &str| Some(SpokenValue::Whole(text.to_owned()));
        for (word, value) in [
            ("12.0", whole("12")),
            ("007", whole("7")),
            ("१२", whole("12")),
            ("1.50", Some(SpokenValue::Text("1.50".to_owned()))),
            ("1.", None),
            (".5", None),
            ("1.2.3", None),
            ("x1", None),
            ("", None),
        ] {
            assert_eq!(SpokenValue::of_numeral(word), value, "{word}");
        }
    }

    #[test]
    fn arithmetic_agrees_with_that_of_numbers() {
        for number in (0..3000_u64).chain([99_999, 1_234_900, 999_999_999]) {
            let value = SpokenValue::Whole(number.to_string());
            for zeros in [2, 3, 6] {
                let expected = number / 1000 * 1000 + number % 1000 * 10_u64.pow(zeros);
                assert_eq!(value.times_rest(zeros as usize), SpokenValue::Whole(expected.to_string()));
            }
            for small in 0..20_u8 {
                let divides = number % if small < 10 { 10 } else { 100 } == 0;
                let sum = SpokenValue::Whole((number + u64::from(small)).to_string());
                let expected = if divides { sum } else { SpokenValue::Text(format!("{number}{small}")) };
                assert_eq!(value.clone().plus_or_then(small), expected);
            }
        }
    }

    #[test]
    fn fractions_become_whole_or_do_not() {
        for (text, zeros, expected) in [
            ("2.5", 6, Some("2500000")),
            ("2.", 3, Some("2000")),
            (".5", 2, Some("50")),
            (".", 2, None),
            ("1.2.3", 3, None),
            ("1.2345", 3, None),
            ("0", 3, Some("0")),
        ] {
            let expected = expected.map(|whole| SpokenValue::Whole(whole.to_owned()));
            assert_eq!(SpokenValue::Text(text.to_owned()).times_if_whole(zeros), expected, "{text}");
        }
    }
}
