//! English number words, such as `twenty`, `thousand` and `percent`, with their meaning for the conversion to
//! digits.

use super::spelling::Words;
use std::sync::LazyLock;

/// The meaning of an English word in a spoken number, such as `twenty`, `thousand` or `percent`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NumberWord {
    /// The number words `o`, `oh` and `zero`.
    Zero,
    /// A word for a number from 1 to 19, or `zeroth`. The fields are the number and the suffix after its
    /// digits: `s`, `st`, `nd`, `rd`, `th` or none. For example, `third` has 3 and `rd`.
    Ones(u8, &'static str),
    /// A word for a number from 20 to 90 in steps of 10: the number, and the suffix of its digits, as in
    /// `20th`.
    Tens(u8, &'static str),
    /// A word for a power of ten, such as `thousand`: its number of zeros, and the suffix of its digits, as
    /// in `1000s`.
    Multiplier(usize, &'static str),
    /// A word for a sign, such as `minus`; the sign is written before the number that follows.
    Sign(char),
    /// A word for a currency, such as `dollars`; its sign is written before the number that precedes the
    /// word.
    Currency(char),
    /// The word `percent`, which becomes the sign `%` after a number.
    Percent,
    /// The word `per`, which means a percent sign if `cent` follows.
    Per,
    And,
    /// The words `double` and `triple`, which repeat the next digit.
    Repeat(usize),
    Point,
}

pub(super) fn number_word(word: &str) -> Option<NumberWord> {
    WORDS.get(word).copied()
}

const ONES: &str = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen \
    fifteen sixteen seventeen eighteen nineteen";
/// The tens from 20 to 90 without their endings `y`, `ies` and `ieth`.
const TENS: &str = "twent thirt fort fift sixt sevent eight ninet";
const THOUSANDS: &str = "thousand million billion trillion quadrillion quintillion sextillion septillion \
    octillion nonillion decillion";

static WORDS: LazyLock<Words<NumberWord>> = LazyLock::new(|| {
    use NumberWord::{And, Currency, Multiplier, Ones, Per, Percent, Point, Repeat, Sign, Tens, Zero};
    let mut words = Words::default();
    // The table lives as long as the program, so the words are leaked once.
    let mut add = |word: String, meaning| words.insert(&*word.leak(), meaning);
    for zero in ["o", "oh", "zero"] {
        add(zero.to_owned(), Zero);
    }
    for (number, name) in (1..).zip(ONES.split(' ')) {
        add(name.to_owned(), Ones(number, ""));
        add(if name == "six" { "sixes".to_owned() } else { format!("{name}s") }, Ones(number, "s"));
        let ordinal = match number {
            1..=3 => continue,
            5 => "fifth".to_owned(),
            12 => "twelfth".to_owned(),
            // Whisper's table is built by the same rule, so it has `nineth` and lacks `ninth`.
            _ if name.ends_with('t') => format!("{name}h"),
            _ => format!("{name}th"),
        };
        add(ordinal, Ones(number, "th"));
    }
    for (name, number, suffix) in
        [("zeroth", 0, "th"), ("first", 1, "st"), ("second", 2, "nd"), ("third", 3, "rd")]
    // The irregular ordinals, which the loop above leaves out.
    {
        add(name.to_owned(), Ones(number, suffix));
    }
    for (tens, name) in (2..).zip(TENS.split(' ')) {
        for (ending, suffix) in [("y", ""), ("ies", "s"), ("ieth", "th")] {
            add(format!("{name}{ending}"), Tens(10 * tens, suffix));
        }
    }
    let thousands = THOUSANDS.split(' ').enumerate().map(|(power, name)| (name, 3 * (power + 1)));
    for (name, zeros) in thousands.chain([("hundred", 2)]) {
        for suffix in ["", "s", "th"] {
            add(format!("{name}{suffix}"), Multiplier(zeros, suffix));
        }
    }
    for (names, meaning) in [
        (&["minus", "negative"][..], Sign('-')),
        (&["plus", "positive"], Sign('+')),
        (&["pound", "pounds"], Currency('£')),
        (&["euro", "euros"], Currency('€')),
        (&["dollar", "dollars"], Currency('$')),
        (&["cent", "cents"], Currency('¢')),
        (&["percent"], Percent),
        (&["per"], Per),
        (&["and"], And),
        (&["double"], Repeat(2)),
        (&["triple"], Repeat(3)),
        (&["point"], Point),
    ] {
        for name in names {
            add((*name).to_owned(), meaning);
        }
    }
    words
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinals_are_made_by_rule() {
        use NumberWord::{Multiplier, Ones, Tens};
        for (word, meaning) in [
            ("nineth", Some(Ones(9, "th"))),
            ("ninth", None),
            ("eighth", Some(Ones(8, "th"))),
            ("sixes", Some(Ones(6, "s"))),
            ("sixs", None),
            ("forties", Some(Tens(40, "s"))),
            ("decillionth", Some(Multiplier(33, "th"))),
            ("hundreds", Some(Multiplier(2, "s"))),
            ("threeth", None),
        ] {
            assert_eq!(number_word(word), meaning, "{word}");
        }
    }
}
