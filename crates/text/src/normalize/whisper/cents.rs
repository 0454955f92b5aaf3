//! Last step of writing spoken numbers in digits: `$2 ¢7` becomes `$2.07`, `$0.05` becomes `¢5`, and the
//! number 1 becomes `one`.

use crate::normalize::text::{self, end_of_run, is_boundary};

pub(super) fn rewrite(text: &mut String, spare: &mut String) {
    if text.contains(['€', '£', '$']) {
        // The order is Whisper's: cents join dollars first, and the remaining amounts below one dollar become
        // cents after.
        if text.contains('¢') {
            text::rewrite(text, spare, join_cents);
        }
        text::rewrite(text, spare, extract_cents);
    }
    if text.contains('1') {
        text::replace_runs(text, spare, |run| match run {
            "1" => Some("one"),
            "1s" => Some("ones"),
            _ => None,
        });
    }
}

/// Rewrites `$2 and ¢7` and `$2 ¢7` as `$2.07`.
fn join_cents(text: &str, out: &mut String) {
    let mut rest = text;
    while let Some(at) = rest.find(['€', '£', '$']) {
        let after = at + rest[at..].chars().next().map_or(1, char::len_utf8);
        out.push_str(&rest[..after]);
        rest = &rest[after..];
        if let Some((whole, cents, left)) = whole_and_cents(rest) {
            out.push_str(whole);
            // Whisper formats cents with two digits.
            out.push_str(if cents.len() == 1 { ".0" } else { "." });
            out.push_str(cents);
            rest = left;
        }
    }
    out.push_str(rest);
}

fn whole_and_cents(text: &str) -> Option<(&str, &str, &str)> {
    let after = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let whole = &text[..text.len() - after.len()];
    let after = after.strip_prefix(' ').filter(|_| !whole.is_empty())?;
    let after = after.strip_prefix("and ").unwrap_or(after).strip_prefix('¢')?;
    let (cents, left) = after.split_at(end_of_run(after, 0));
    // The run must end after the digits, so `¢7x` is no amount; three digits are none either.
    let is_cents = (1..=2).contains(&cents.len()) && cents.bytes().all(|byte| byte.is_ascii_digit());
    is_cents.then_some((whole, cents, left))
}

/// Rewrites `$0.05` and `$0.5` as `¢5`. Any character except a line break is accepted in place of the period.
fn extract_cents(text: &str, out: &mut String) {
    let mut rest = text;
    while let Some(at) = rest.find(['€', '£', '$']) {
        let sign = rest[at..].chars().next().map_or(1, char::len_utf8);
        let cents = rest[at + sign..].strip_prefix('0').and_then(|after| {
            // The pattern of Whisper has an unescaped `.`, which matches any character but a line break.
            let mut chars = after.chars();
            chars.next().filter(|&c| c != '\n')?;
            let digits = chars.as_str();
            let count = digits.bytes().take(2).take_while(u8::is_ascii_digit).count();
            let ends = |&count: &usize| is_boundary(digits, count);
            // The longest match that ends at a boundary wins, as in a regular expression that backtracks from
            // two digits to one.
            (1..=count).rev().find(ends).map(|count| digits.split_at(count))
        });
        match cents {
            Some((digits, left)) => {
                out.push_str(&rest[..at]);
                out.push('¢');
                // Whisper converts two digits to an integer, which drops leading zeros; `00` becomes `0`.
                out.push_str(if digits.len() == 2 { digits.trim_start_matches('0') } else { digits });
                if digits == "00" {
                    out.push('0');
                }
                rest = left;
            }
            None => {
                out.push_str(&rest[..at + sign]);
                rest = &rest[at + sign..];
            }
        }
    }
    out.push_str(rest);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cents_join_and_part() {
        for (text, expected) in [
            ("$2 and ¢7", "$2.07"),
            ("$2 ¢70 €1 ¢5", "$2.70 €one.05"),
            ("$2 and ¢700", "$2 and ¢700"),
            ("$0.05", "¢5"),
            ("$0.50 £0.5 €0.00", "¢50 ¢5 ¢0"),
            ("$0.005", "$0.005"),
            ("$0123", "¢23"),
            ("$01", "$01"),
            ("0.1 1s 11", "0.one ones 11"),
        ] {
            let mut text = text.to_owned();
            let mut spare = String::new();
            rewrite(&mut text, &mut spare);
            assert_eq!(text, expected);
        }
    }
}
