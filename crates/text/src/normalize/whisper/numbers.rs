//! The normalizer `whisper-en-numbers`: number words become digits, as one stage of Whisper's English
//! normalizer.
//!
//! Rule: words are added one after another to a number, which is written at the first word that cannot
//! continue it.
//!
//! - `one oh one` becomes 101, and `nineteen eighty four` becomes 1984.
//! - `two hundred thousand three hundred and four` becomes 200304.
//! - `twenty dollars` becomes $20.
//!
//! Before that, `and a half` after a number word becomes `point five`, letters and digits are separated, and
//! ordinals are joined again. After that, cents join dollars, and the number 1 becomes `one`.
//!
//! Singular cases: every text is accepted, and numbers have no upper limit.

use super::cents;
use super::number_words::{NumberWord, number_word};
use super::value::SpokenValue;
use crate::normalize::classes::is_space;
use crate::normalize::text::{end_of_run, is_boundary, rewrite};
use crate::normalize::{NormalizerEntry, step};
use crate::whitespace;

pub(in crate::normalize) const NUMBERS: NormalizerEntry =
    step!("whisper-en-numbers", "English number words in digits, as a stage of whisper-en", numbers)
        .agrees_with("openai-whisper 20250625 EnglishNumberNormalizer");

pub(super) fn numbers(text: &mut String, spare: &mut String) {
    split_halves(text, spare);
    if text.bytes().any(|byte| byte.is_ascii_digit()) {
        rewrite(text, spare, set_digits_apart);
        rewrite(text, spare, join_ordinals);
    }
    rewrite(text, spare, |text, out| Machine { out, prefix: None, value: None }.run(text));
    cents::rewrite(text, spare);
}

/// Replaces `and a half` after a number word by `point five`.
fn split_halves(text: &mut String, spare: &mut String) {
    if find_half(text, 0).is_none() {
        return;
    }
    rewrite(text, spare, |text, out| {
        // The parts are joined by one space at the end, as in Whisper, even if no space was there.
        let mut parts: Vec<&str> = Vec::new();
        let mut from = 0;
        loop {
            let found = find_half(text, from);
            let piece = &text[from..found.map_or(text.len(), |(start, _)| start)];
            // A part without words is dropped, and the `and a half` after it as well.
            if let Some(last) = whitespace::split(piece).last() {
                parts.push(piece);
                if found.is_some() {
                    let numeric = matches!(
                        number_word(last),
                        Some(
                            NumberWord::Zero
                                | NumberWord::Ones(_, "")
                                | NumberWord::Tens(_, "")
                                | NumberWord::Multiplier(_, "")
                        )
                    );
                    parts.push(if numeric { "point five" } else { "and a half" });
                }
            }
            match found {
                Some((_, end)) => from = end,
                None => break,
            }
        }
        out.push_str(&parts.join(" "));
    });
}

fn find_half(text: &str, from: usize) -> Option<(usize, usize)> {
    // The search is for `half`, the rarest of the three words; the words before it are checked backwards.
    let halves = memchr::memmem::find_iter(&text.as_bytes()[from..], "half").map(|at| from + at);
    halves.filter(|&at| is_boundary(text, at + "half".len())).find_map(|at| {
        let gap = |before: &str| Some(whitespace::rstrip(before).len()).filter(|&end| end < before.len());
        let a = gap(&text[from..at])?;
        let before = text[from..from + a].strip_suffix('a')?;
        let and = gap(before)?;
        let start = from + before[..and].strip_suffix("and")?.len();
        is_boundary(text, start).then_some((start, at + "half".len()))
    })
}

/// Writes a space between a letter from a to z and a digit from 0 to 9, in either order.
fn set_digits_apart(text: &str, out: &mut String) {
    let mut last = 0;
    for (at, pair) in text.as_bytes().windows(2).enumerate() {
        let apart = pair[0].is_ascii_lowercase() && pair[1].is_ascii_digit()
            || pair[0].is_ascii_digit() && pair[1].is_ascii_lowercase();
        if apart {
            out.push_str(&text[last..=at]);
            out.push(' ');
            last = at + 1;
        }
    }
    out.push_str(&text[last..]);
}

/// Deletes the space between a digit from 0 to 9 and the suffix of an ordinal or plural: `1 st` becomes
/// `1st`.
fn join_ordinals(text: &str, out: &mut String) {
    let mut copied = 0;
    let mut from = 0;
    let bytes = text.as_bytes();
    while let Some(at) = bytes[from..].iter().position(u8::is_ascii_digit).map(|at| from + at) {
        from = at + 1;
        let rest = &text[from..];
        let gap = rest.len() - rest.trim_start_matches(is_space).len();
        let start = from + gap;
        // The suffix must be a whole word, so `1 stone` is unchanged.
        if gap > 0 && matches!(&text[start..end_of_run(text, start)], "st" | "nd" | "rd" | "th" | "s") {
            out.push_str(&text[copied..from]);
            (copied, from) = (start, start);
        }
    }
    out.push_str(&text[copied..]);
}

/// Returns the digit if the word is a digit, which `double` or `triple` before it can repeat; otherwise
/// `None`.
fn digit_of(known: Option<NumberWord>) -> Option<u8> {
    match known {
        Some(NumberWord::Zero) => Some(0),
        Some(NumberWord::Ones(number, "")) => Some(number),
        _ => None,
    }
}

/// A word of the text, with its meaning if it is a number word such as `twenty`.
#[derive(Clone, Copy)]
struct SpokenWord<'t> {
    text: &'t str,
    known: Option<NumberWord>,
}

impl<'t> SpokenWord<'t> {
    fn new(text: &'t str) -> Self {
        SpokenWord { text, known: number_word(text) }
    }

    /// Returns `true` if the word is a numeral or a number word, so that it can continue a spoken number.
    fn is_numeric(self) -> bool {
        self.known.is_some() || SpokenValue::of_numeral(self.text).is_some()
    }
}

/// The state of the conversion of a text from number words to digits.
struct Machine<'o> {
    /// The converted text written so far.
    out: &'o mut String,
    /// The sign, such as `$` or `-`, to write before the next number or word.
    prefix: Option<char>,
    /// The number that is being built from the words read so far.
    value: Option<SpokenValue>,
}

impl Machine<'_> {
    fn run(mut self, text: &str) {
        // Each step sees the word before and the word after, since `and`, `point` and `per cent` depend on
        // both.
        let mut words = whitespace::split(text).map(SpokenWord::new);
        let (mut before, mut current, mut next): (Option<SpokenWord<'_>>, _, _) =
            (None, words.next(), words.next());
        while let Some(word) = current {
            let skips = self.take(before, word, next);
            (before, current, next) = (Some(word), next, words.next());
            if skips {
                (before, current, next) = (current, next, words.next());
            }
        }
        self.flush();
    }

    /// Converts one word, given the previous and the next word. Returns `true` if it converted the next word
    /// too.
    fn take(
        &mut self,
        before: Option<SpokenWord<'_>>,
        word: SpokenWord<'_>,
        next: Option<SpokenWord<'_>>,
    ) -> bool {
        if self.take_numeral(word.text) {
            return false;
        }
        let Some(known) = word.known else {
            self.flush();
            self.emit(word.text);
            return false;
        };
        match known {
            NumberWord::Zero => self.append("0"),
            NumberWord::Ones(number, suffix) => self.ones(before, number, suffix),
            NumberWord::Tens(number, suffix) => {
                // After another number, tens are added only if the digits leave room: `one hundred twenty` is
                // 120, `nineteen eighty` is 1980.
                let value = match self.value.take() {
                    None => SpokenValue::whole(number),
                    Some(value) => value.plus_or_then(number),
                };
                self.set(value, suffix);
            }
            NumberWord::Multiplier(zeros, suffix) => self.multiply(zeros, suffix),
            NumberWord::Currency(sign) => match self.value.take() {
                Some(value) => {
                    self.prefix = Some(sign);
                    self.emit(value.as_str());
                }
                None => self.emit(word.text),
            },
            NumberWord::Percent => match self.value.take() {
                Some(value) => self.emit_with(value.as_str(), "%"),
                None => self.emit(word.text),
            },
            NumberWord::Sign(_)
            | NumberWord::Per
            | NumberWord::And
            | NumberWord::Point
            | NumberWord::Repeat(_) => return self.take_connective(before, known, word, next),
        }
        false
    }

    /// Processes a word whose meaning depends on the next word: a sign, `per`, `and`, `point`, `double`. It
    /// is an ordinary word if the next one does not fit. Returns `true` if the next word was processed too.
    fn take_connective(
        &mut self,
        before: Option<SpokenWord<'_>>,
        known: NumberWord,
        word: SpokenWord<'_>,
        next: Option<SpokenWord<'_>>,
    ) -> bool {
        let goes_on = next.is_some_and(SpokenWord::is_numeric);
        let next_known = next.and_then(|next| next.known);
        match known {
            NumberWord::Sign(sign) if goes_on => {
                self.flush();
                self.prefix = Some(sign);
            }
            // `per cent` is two words, so the next word is consumed with this one.
            NumberWord::Per if self.value.is_some() && next.is_some_and(|next| next.text == "cent") => {
                let value = self.value.take();
                self.emit_with(value.as_ref().map_or("", SpokenValue::as_str), "%");
                return true;
            }
            // `and` belongs to a number only after a multiplier, as in `two hundred and four`; the word is
            // then dropped.
            NumberWord::And
                if goes_on
                    && matches!(
                        before.and_then(|before| before.known),
                        Some(NumberWord::Multiplier(_, ""))
                    ) => {}
            // `None` is a number in digits here, because `goes_on` excludes words that are not numbers.
            NumberWord::Point if goes_on => {
                if matches!(
                    next_known,
                    None | Some(NumberWord::Zero | NumberWord::Ones(_, "") | NumberWord::Tens(_, ""))
                ) {
                    self.append(".");
                }
            }
            NumberWord::Repeat(times) => {
                let Some(digit) = digit_of(next_known) else {
                    self.flush();
                    self.emit(word.text);
                    return false;
                };
                self.append(&digit.to_string().repeat(times));
                return true;
            }
            _ => {
                self.flush();
                self.emit(word.text);
            }
        }
        false
    }

    /// Processes a numeral in digits, such as `20` or `$20`: it starts a number, or continues one after
    /// `point`. Returns `false` if the word is not a numeral.
    fn take_numeral(&mut self, word: &str) -> bool {
        let sign = word.chars().next().filter(|sign| ['-', '+', '£', '€', '$', '¢'].contains(sign));
        let Some(value) = SpokenValue::of_numeral(&word[sign.map_or(0, char::len_utf8)..]) else {
            return false;
        };
        match self.value.take() {
            // After `3 point`, the digits continue the number after its period.
            Some(SpokenValue::Text(mut text)) if text.ends_with('.') => {
                text.push_str(word);
                self.value = Some(SpokenValue::Text(text));
                return true;
            }
            before => self.value = before,
        }
        self.flush();
        self.prefix = sign.or(self.prefix);
        self.value = Some(value);
        true
    }

    fn ones(&mut self, before: Option<SpokenWord<'_>>, number: u8, suffix: &str) {
        // The previous word decides between a sum and a sequence of digits: `twenty one` is 21, `one one` is
        // 11.
        let known = before.and_then(|before| before.known);
        let after_ones = matches!(known, Some(NumberWord::Ones(_, "")));
        let after_tens = matches!(known, Some(NumberWord::Tens(_, "")));
        let value = match self.value.take() {
            None => SpokenValue::whole(number),
            Some(value) if value.is_text() || after_ones => match after_tens && number < 10 {
                // `nineteen eighty` is already text, so its last zero is replaced: `nineteen eighty four` is
                // 1984.
                true => value.with_last(number),
                false => value.then(&number.to_string()),
            },
            Some(value) => value.plus_or_then(number),
        };
        self.set(value, suffix);
    }

    fn multiply(&mut self, zeros: usize, suffix: &str) {
        let value = match self.value.take() {
            None => SpokenValue::power(zeros),
            // A decimal fraction such as `2.5` is multiplied only if the product is a whole number; otherwise
            // it is written and a new number starts.
            Some(value) if value.is_text() || value.is_zero() && suffix.is_empty() => {
                value.times_if_whole(zeros).unwrap_or_else(|| {
                    self.emit(value.as_str());
                    SpokenValue::power(zeros)
                })
            }
            Some(value) => value.times_rest(zeros),
        };
        self.set(value, suffix);
    }

    /// Stores `value`, so that the next word can continue the number. A value with a suffix, such as `th`, is
    /// complete and is written to the output.
    fn set(&mut self, value: SpokenValue, suffix: &str) {
        match suffix {
            "" => self.value = Some(value),
            _ => self.emit_with(value.as_str(), suffix),
        }
    }

    /// Appends digits to the number under construction. If that number is 0 or missing, the digits replace
    /// it.
    fn append(&mut self, more: &str) {
        let value = self.value.take().filter(|value| !value.is_zero());
        self.value = Some(value.unwrap_or_else(|| SpokenValue::Text(String::new())).then(more));
    }

    fn flush(&mut self) {
        if let Some(value) = self.value.take() {
            self.emit(value.as_str());
        }
    }

    fn emit(&mut self, text: &str) {
        self.emit_with(text, "");
    }

    fn emit_with(&mut self, text: &str, suffix: &str) {
        if !self.out.is_empty() {
            self.out.push(' ');
        }
        self.out.extend(self.prefix.take());
        self.out.push_str(text);
        self.out.push_str(suffix);
        self.value = None;
    }
}
