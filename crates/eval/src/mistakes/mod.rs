//! [`LikelyMistakes`]: finds likely mistakes in hypotheses and references, such as subword pieces, or
//! characters that only the hypotheses contain. The command line and Python print all their warnings about
//! texts from here.

mod bytes;
mod characters;
mod data;
mod found;
mod marks;
mod references;
mod sides;
mod weights;
mod wording;

use bleuprint_text::ScriptCounts;

use bytes::{MARK, TAB, WIDE, byte_kinds};
use characters::CharacterCounts;
use marks::MarkCounts;
use references::{EqualReferences, WordReferences};
use sides::Sides;

use crate::Panel;

pub use found::{normalizer_findings, unreached_order};
pub use weights::zero_weights;
pub use wording::MistakeWording;

/// Number of first segments that are fully examined. In later segments only a few features are counted, such
/// as full stops after a space.
const SAMPLE: u64 = 1000;

/// Number of first segments whose references are all examined for their script. After them, only every eighth
/// segment is examined, up to segment [`SAMPLE`].
const SCRIPT_SAMPLE: u64 = 64;

/// A likely mistake in the input: the rule that found it, and the message for the user.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct LikelyMistake {
    /// Name of the rule that found the mistake, such as `script`. The command line and Python report each
    /// rule only once in a run.
    pub rule: &'static str,
    /// Message for the user: what was found, in which texts, and how to correct it. It has no prefix such as
    /// `warning:`.
    pub message: String,
}

impl LikelyMistake {
    /// Returns `true` if the mistake is text that is already tokenized. Users may intend this, so the option
    /// `--force` turns the warning off.
    pub fn is_forced(&self) -> bool {
        matches!(self.rule, "periods" | "pieces")
    }
}

/// Counts of likely mistakes in the hypotheses of one system, or in all references.
#[derive(Debug, Clone, Default)]
struct TextSide {
    /// Number of fully examined texts, all of them in the first [`SAMPLE`] segments.
    texts: u64,
    /// Number of texts that end in a space and a full stop, among all texts.
    periods: u64,
    /// Three numbers: the texts that contain a tab, the tabs in the first such text, and the tabs in the last
    /// such text.
    tabs: (u64, usize, usize),
    marks: MarkCounts,
    characters: CharacterCounts,
}

/// Examines hypotheses and references for likely mistakes, and returns messages about them.
///
/// ```
/// use bleuprint_eval::{ChosenTokens, LikelyMistakes, MistakeWording, Panel};
///
/// let bleu = bleuprint_metrics::registry().build("bleu").unwrap();
/// let panel = Panel::new([bleu], &ChosenTokens::standard().unwrap()).unwrap();
/// let mut mistakes = LikelyMistakes::new(10);
/// for _ in 0..10 {
///     mistakes.look_at(&["a light@@ house"], &["a lighthouse"]);
/// }
/// let [mistake] = &mistakes.found(Some(&panel), &[], MistakeWording::Program)[..] else { panic!("one") };
/// assert_eq!(mistake.rule, "pieces");
/// assert!(mistake.message.starts_with("10 of 10 hypotheses have subword pieces such as `light@@`"));
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
    /// `true` to count the texts that contain each character, which needs memory.
    characters: bool,
    /// `true` to look for features that make error rates misleading, such as texts without punctuation.
    rates: bool,
}

impl LikelyMistakes {
    /// Creates an examination of about `segments` segments; `u64::MAX` means an unknown number. Rules that
    /// need more segments than this number are turned off to save time.
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

    /// Turns off the rules about error rates. Use it if no metric is an error rate, or if the data is not
    /// text.
    #[must_use]
    pub fn without_rates(self) -> Self {
        LikelyMistakes { rates: false, ..self }
    }

    /// Turns off the rules about error rates if no metric of the panel is an error rate.
    #[must_use]
    pub fn for_metrics_of(self, panel: &Panel) -> Self {
        if found::error_rates(panel).next().is_some() { self } else { self.without_rates() }
    }

    /// Examines the texts of one segment: the hypothesis of each system, and the references.
    pub fn look_at(&mut self, hypotheses: &[impl AsRef<str>], references: &[impl AsRef<str>]) {
        if self.systems.len() < hypotheses.len() {
            self.systems.resize_with(hypotheses.len(), TextSide::default);
        }
        let sampled = self.segments < SAMPLE;
        let characters = self.characters;
        // Later segments are read only for the rules about error rates.
        let needed_kinds = |text: &str| if sampled || self.rates { byte_kinds(text) } else { 0 };
        for (side, hypothesis) in self.systems.iter_mut().zip(hypotheses) {
            let text = hypothesis.as_ref();
            let kinds = needed_kinds(text);
            side.look_at(text, kinds, sampled, characters);
            if self.rates {
                self.sides.look_at_hypothesis(text, kinds);
            }
        }
        for reference in references {
            let text = reference.as_ref();
            let kinds = needed_kinds(text);
            self.references.look_at(text, kinds, sampled, characters);
            if self.rates {
                self.sides.look_at_reference(text, kinds);
            }
        }
        // A sample is enough for the script, and every reference would cost time.
        if self.segments < SCRIPT_SAMPLE || sampled && self.segments.is_multiple_of(8) {
            references.iter().for_each(|reference| self.script.add(reference.as_ref()));
        }
        if sampled {
            self.equal.look_at(self.segments, references);
            self.words.look_at(self.segments, hypotheses, references);
        }
        self.segments += 1;
    }
}

impl LikelyMistakes {
    /// Examines the texts of a pool: texts that are scored against each other, without references. Rules that
    /// compare hypotheses with references do not apply.
    pub fn look_at_pool(&mut self, texts: &[impl AsRef<str>]) {
        for text in texts.iter().map(AsRef::as_ref) {
            let sampled = self.segments < SAMPLE;
            self.references.look_at(text, if sampled { byte_kinds(text) } else { 0 }, sampled, false);
            if sampled {
                self.script.add(text);
            }
            self.segments += 1;
        }
    }
}

impl TextSide {
    /// Updates the counts with one text. `kinds` are the text's [`byte_kinds`].
    fn look_at(&mut self, text: &str, kinds: u8, sampled: bool, characters: bool) {
        self.periods += u64::from(text.ends_with(" ."));
        if !sampled {
            return;
        }
        self.texts += 1;
        // Most texts have none of these bytes and need no more.
        if kinds & TAB != 0 {
            let tabs = text.matches('\t').count();
            let (texts, first, _) = self.tabs;
            self.tabs = (texts + 1, if texts == 0 { tabs } else { first }, tabs);
        }
        if kinds & MARK != 0 {
            self.marks.look_at(text);
        }
        if kinds & WIDE != 0 && characters {
            self.characters.add(text, self.texts as u32);
        }
    }
}

#[cfg(test)]
mod tests;
