//! [`NormalizerFindings`]: counts of damage by a normalizer, such as texts that became empty, for warnings to
//! the user.

use super::classes::{is_mark, is_word};
use super::forms::NormalizationForm;
use crate::whitespace;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Limit for a warning: the share of a script's words that lost combining marks in normalization.
const MARKS_LIMIT: f64 = 0.01;

/// The writing systems whose vowels and tones are combining marks, as `(name, first, last)` code points. The
/// last entry matches every other code point.
const SCRIPTS: [(&str, u32, u32); 18] = [
    ("Hebrew", 0x0590, 0x05FF),
    ("Arabic", 0x0600, 0x06FF),
    ("Devanagari", 0x0900, 0x097F),
    ("Bengali", 0x0980, 0x09FF),
    ("Gurmukhi", 0x0A00, 0x0A7F),
    ("Gujarati", 0x0A80, 0x0AFF),
    ("Oriya", 0x0B00, 0x0B7F),
    ("Tamil", 0x0B80, 0x0BFF),
    ("Telugu", 0x0C00, 0x0C7F),
    ("Kannada", 0x0C80, 0x0CFF),
    ("Malayalam", 0x0D00, 0x0D7F),
    ("Sinhala", 0x0D80, 0x0DFF),
    ("Thai", 0x0E00, 0x0E7F),
    ("Lao", 0x0E80, 0x0EFF),
    ("Tibetan", 0x0F00, 0x0FFF),
    ("Myanmar", 0x1000, 0x109F),
    ("Khmer", 0x1780, 0x17FF),
    ("other", 0, 0x10_FFFF),
];

/// Counts of the effects of normalization: texts that became empty, reference words before and after, and
/// words that lost combining marks. Clones share the same counts.
#[derive(Debug, Clone, Default)]
pub struct NormalizerFindings(Arc<FindingCounts>);

#[derive(Debug, Default)]
struct FindingCounts {
    /// Number of texts that contained words before normalization but only whitespace after it.
    emptied: AtomicU64,
    /// Number of words in all references, before and after normalization.
    words: [AtomicU64; 2],
    /// For each script, two counts: all words, and the words that lost combining marks in normalization.
    scripts: [[AtomicU64; 2]; SCRIPTS.len()],
}

/// Counts for one writing system (script): the number of all its words, and the number of its words that lost
/// combining marks in normalization.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct StrippedMarks {
    /// The name of the writing system, such as `Devanagari`, or `other`.
    pub script: &'static str,
    /// The number of words in this writing system that lost combining marks in normalization.
    pub stripped: u64,
    /// The number of all words in this writing system. It includes the words that lost combining marks.
    pub words: u64,
}

impl NormalizerFindings {
    /// Compares a text before and after normalization and adds the result to the counts. Words are counted
    /// only if `is_reference` is `true`.
    ///
    /// ```
    /// use bleuprint_text::{NormalizerFindings, Normalizers};
    /// let basic = Normalizers::default().build("whisper-basic").unwrap();
    /// let findings = NormalizerFindings::default();
    /// let text = "नमस्ते दुनिया";
    /// findings.look_at(text, &basic.apply(text), true);
    /// let [marks] = findings.stripped_marks()[..] else { panic!("one script") };
    /// assert_eq!((marks.script, marks.stripped, marks.words), ("Devanagari", 2, 2));
    /// assert_eq!(findings.words_if_unlike(), Some((2, 5)));
    /// ```
    pub fn look_at(&self, before: &str, after: &str, is_reference: bool) {
        let add = |count: &AtomicU64, number: u64| {
            // The order of additions does not matter, so the weakest ordering is enough for several threads.
            count.fetch_add(number, Ordering::Relaxed);
        };
        if is_reference {
            add(&self.0.words[0], whitespace::count(before));
            add(&self.0.words[1], whitespace::count(after));
        }
        if whitespace::is_blank(after) && before.chars().any(is_word) {
            add(&self.0.emptied, 1);
        }
        if !before.is_ascii() {
            // Both sides are composed first: a letter with its mark may be one code point or two, and a
            // change between them is no loss.
            let before = FindingMarks::from_text(&NormalizationForm::Nfc.apply(before));
            let after = FindingMarks::from_text(&NormalizationForm::Nfc.apply(after));
            for (script, counts) in self.0.scripts.iter().enumerate() {
                if before.words[script] > 0 {
                    // Only totals of the line are compared, since words may have moved or merged. A word with
                    // several marks counts once.
                    let lost = before.marks[script].saturating_sub(after.marks[script]);
                    add(&counts[0], before.words[script]);
                    add(&counts[1], lost.min(before.marked[script]));
                }
            }
        }
    }

    /// Returns the number of texts that contained words before normalization but only whitespace after it.
    pub fn emptied(&self) -> u64 {
        self.0.emptied.load(Ordering::Relaxed)
    }

    /// Returns the numbers of reference words before and after normalization if normalization changed the
    /// number by more than half; otherwise `None`.
    pub fn words_if_unlike(&self) -> Option<(u64, u64)> {
        let [before, after] = [0, 1].map(|at| self.0.words[at].load(Ordering::Relaxed));
        (2 * before.abs_diff(after) > before).then_some((before, after))
    }

    /// Returns the scripts of which more than 1 % of the words lost combining marks in normalization.
    pub fn stripped_marks(&self) -> Vec<StrippedMarks> {
        let of = |(&(script, _, _), counts): (_, &[AtomicU64; 2])| {
            let [words, stripped] = [0, 1].map(|at| counts[at].load(Ordering::Relaxed));
            StrippedMarks { script, stripped, words }
        };
        let all = SCRIPTS.iter().zip(&self.0.scripts).map(of);
        all.filter(|marks| marks.stripped as f64 > MARKS_LIMIT * marks.words as f64).collect()
    }
}

#[derive(Default)]
struct FindingMarks {
    words: [u64; SCRIPTS.len()],
    marked: [u64; SCRIPTS.len()],
    marks: [u64; SCRIPTS.len()],
}

impl FindingMarks {
    fn from_text(text: &str) -> Self {
        let mut counts = FindingMarks::default();
        for word in whitespace::split(text).filter(|word| !word.is_ascii()) {
            let mut seen = 0_u32;
            let mut marked = 0_u32;
            for c in word.chars().filter(|c| !c.is_ascii()) {
                let script = script(c);
                let mark = is_mark(c);
                counts.marks[script] += u64::from(mark);
                seen |= 1 << script;
                marked |= u32::from(mark) << script;
            }
            // A word of mixed scripts counts once for each of its scripts.
            while seen != 0 {
                let script = seen.trailing_zeros() as usize;
                counts.words[script] += 1;
                counts.marked[script] += u64::from(marked >> script & 1);
                seen &= seen - 1;
            }
        }
        counts
    }
}

fn script(c: char) -> usize {
    let code = c as u32;
    // Most text belongs to no listed script; the test of one range avoids the search.
    let range = |&(_, first, last): &(&str, u32, u32)| (first..=last).contains(&code);
    let named = (0x0590..0x1800).contains(&code);
    let found = if named { SCRIPTS.iter().position(range) } else { None };
    found.unwrap_or(SCRIPTS.len() - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::normalize::Normalizers;

    fn found(chain: &str, texts: &[&str]) -> NormalizerFindings {
        let chain = Normalizers::default().build(chain).unwrap();
        let findings = NormalizerFindings::default();
        texts.iter().for_each(|text| findings.look_at(text, &chain.apply(text), true));
        findings
    }

    #[test]
    fn marks_that_are_composed_or_decomposed_are_not_stripped() {
        for chain in ["nfc", "nfd", "nfkc", "lower", "whisper-basic-marks", "punct"] {
            let findings = found(chain, &["e\u{301}té é 日本", "নমো \u{9a8}\u{9c7}\u{9be}", "नमस्ते"]);
            assert_eq!(findings.stripped_marks(), [], "{chain}");
            assert_eq!((findings.emptied(), findings.words_if_unlike()), (0, None), "{chain}");
        }
    }

    #[test]
    fn texts_of_which_nothing_is_left_are_counted() {
        let findings = found("nonwords", &["[all of it]", "...", "some [of it]", ""]);
        assert_eq!(findings.emptied(), 1);
        assert_eq!(findings.words_if_unlike(), Some((7, 2)));
    }
}
