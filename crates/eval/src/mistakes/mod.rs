//! [`LikelyMistakes`]: signs of likely mistakes in the texts that come in, such as subword pieces, or characters
//! that only one side has. The command line and Python take all their warnings about texts from this list.

mod characters;
mod found;
mod marks;
mod references;
mod sides;
mod weights;
mod wording;

use bleuprint_text::ScriptCounts;

use characters::CharacterCounts;
use marks::MarkCounts;
use references::{EqualReferences, WordReferences};
use sides::Sides;

pub use found::{normalizer_findings, unreached_order};
pub use weights::zero_weights;
pub use wording::MistakeWording;

/// Number of segments whose characters, marks and references are examined. Only counts that need every text go
/// on.
const SAMPLE: u64 = 1000;

/// Number of first segments whose references are all examined for their script; from then on one of eight is, up
/// to [`SAMPLE`].
const SCRIPT_SAMPLE: u64 = 64;

/// A likely mistake in the input: the rule that found it, and the message for the user.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct LikelyMistake {
    /// Name of the rule, such as `script`. An interface prints the messages of a rule once a run.
    pub rule: &'static str,
    /// Message with cause, place and remedy, without a prefix such as `warning:`.
    pub message: String,
}

impl LikelyMistake {
    /// Returns `true` for signs of text that is tokenized already, which users may intend.
    pub fn is_forced(&self) -> bool {
        matches!(self.rule, "periods" | "pieces")
    }
}

/// Texts of one side, the hypotheses of a system or all references, with the signs that were found in them.
#[derive(Debug, Clone, Default)]
struct TextSide {
    /// Number of examined texts, at most one sample.
    texts: u64,
    /// Number of all texts that end in a space and a full stop.
    periods: u64,
    /// Number of texts with a tab, and the number of tabs of the first and of the last of them.
    tabs: (u64, usize, usize),
    marks: MarkCounts,
    characters: CharacterCounts,
}

/// Collects signs of likely mistakes in texts, and returns messages about them.
///
/// ```
/// use bleuprint_eval::{ChosenTokens, LikelyMistakes, MistakeWording, Panel};
///
/// let bleu = bleuprint_metrics::registry().build("bleu").unwrap();
/// let panel = Panel::new([bleu], &ChosenTokens::standard().unwrap()).unwrap();
/// let mut mistakes = LikelyMistakes::new(10);
/// for _ in 0..10 {
///     mistakes.look_at(&["ein Haus@@ tier"], &["ein Haustier"]);
/// }
/// let [mistake] = &mistakes.found(Some(&panel), &[], MistakeWording::Program)[..] else { panic!("one") };
/// assert_eq!(mistake.rule, "pieces");
/// assert!(mistake.message.starts_with("10 of 10 hypotheses have subword pieces such as `Haus@@`"));
/// ```
#[derive(Debug, Clone)]
pub struct LikelyMistakes {
    segments: u64,
    systems: Vec<TextSide>,
    references: TextSide,
    script: ScriptCounts,
    sides: Sides,
    equal: EqualReferences,
    words: WordReferences,
    /// `true` to count the characters of both sides, which needs memory.
    characters: bool,
    /// `true` to look for signs that make error rates misleading.
    rates: bool,
}

impl LikelyMistakes {
    /// Creates an empty collection for about `segments` segments. Rules that need more segments than that cost
    /// nothing; `u64::MAX` is for an unknown number.
    pub fn new(segments: u64) -> Self {
        LikelyMistakes {
            segments: 0,
            systems: Vec::new(),
            references: TextSide::default(),
            script: ScriptCounts::default(),
            sides: Sides::default(),
            equal: EqualReferences::default(),
            words: WordReferences::default(),
            characters: segments >= characters::FEW,
            rates: true,
        }
    }

    /// Leaves out the rules about error rates, for metrics without such rates and for data that is not text.
    #[must_use]
    pub fn without_rates(self) -> Self {
        LikelyMistakes { rates: false, ..self }
    }

    /// Examines the texts of one segment: the hypothesis of each system, and the references.
    pub fn look_at(&mut self, hypotheses: &[impl AsRef<str>], references: &[impl AsRef<str>]) {
        if self.systems.len() < hypotheses.len() {
            self.systems.resize_with(hypotheses.len(), TextSide::default);
        }
        let sampled = self.segments < SAMPLE;
        let characters = self.characters;
        for (side, hypothesis) in self.systems.iter_mut().zip(hypotheses) {
            side.look_at(hypothesis.as_ref(), sampled, characters);
        }
        for reference in references {
            self.references.look_at(reference.as_ref(), sampled, characters);
        }
        // A sample is enough for the script, and every reference would cost time.
        if self.segments < SCRIPT_SAMPLE || sampled && self.segments.is_multiple_of(8) {
            references.iter().for_each(|reference| self.script.add(reference.as_ref()));
        }
        if sampled {
            self.equal.look_at(self.segments, references);
            self.words.look_at(self.segments, hypotheses, references);
        }
        if self.rates {
            self.sides.look_at(hypotheses, references);
        }
        self.segments += 1;
    }
}

impl LikelyMistakes {
    /// Examines texts of a pool, which are scored against each other. Rules that compare two sides do not apply.
    pub fn look_at_pool(&mut self, texts: &[impl AsRef<str>]) {
        for text in texts.iter().map(AsRef::as_ref) {
            let sampled = self.segments < SAMPLE;
            self.references.look_at(text, sampled, false);
            if sampled {
                self.script.add(text);
            }
            self.segments += 1;
        }
    }
}

/// Bit flags of the bytes that need a closer look: tabs, first bytes of marks, and bytes beyond ASCII.
const TAB: u8 = 1;
const MARK: u8 = 2;
const WIDE: u8 = 4;

/// First byte of `▁` and `⁇` in UTF-8.
const MARK_LEAD: u8 = 0xE2;

impl TextSide {
    fn look_at(&mut self, text: &str, sampled: bool, characters: bool) {
        self.periods += u64::from(text.ends_with(" ."));
        if !sampled {
            return;
        }
        self.texts += 1;
        // The compiler vectorizes this loop; most texts have none of these bytes and need no more.
        let flags = text.bytes().fold(0, |flags, byte| {
            flags
                | if byte == b'\t' { TAB } else { 0 }
                | if matches!(byte, b'@' | b'<' | b'[' | MARK_LEAD) { MARK } else { 0 }
                | if byte >= 128 { WIDE } else { 0 }
        });
        if flags & TAB != 0 {
            let tabs = text.matches('\t').count();
            let (texts, first, _) = self.tabs;
            self.tabs = (texts + 1, if texts == 0 { tabs } else { first }, tabs);
        }
        if flags & MARK != 0 {
            self.marks.look_at(text);
        }
        if flags & WIDE != 0 && characters {
            self.characters.add(text, self.texts as u32);
        }
    }
}

#[cfg(test)]
mod tests;
