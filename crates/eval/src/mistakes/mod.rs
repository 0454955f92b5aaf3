//! [`LikelyMistakes`]: finds likely mistakes in hypotheses and references, such as subword pieces, or
//! characters that only the hypotheses contain. The command line and Python print all their warnings about
//! texts from here.

mod characters;
mod data;
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
    /// Examines the texts of a pool: texts that are scored against each other, without references. Rules that
    /// compare hypotheses with references do not apply.
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

/// Bit flag of a text that contains a tab. A text without any of the flags [`TAB`], [`MARK`] and [`WIDE`]
/// needs no closer look.
const TAB: u8 = 1;
const MARK: u8 = 2;
const WIDE: u8 = 4;

/// First byte of the characters `▁` (U+2581) and `⁇` (U+2047) in UTF-8, which occur in the marks of
/// vocabularies.
const MARK_LEAD: u8 = 0xE2;

/// Flags of a text with each byte. Look-ups in a loop over the bytes take a small part of the time of
/// comparisons, which the compiler does not vectorize here.
const FLAGS: [u8; 256] = {
    let mut flags = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        flags[byte] = match byte as u8 {
            b'\t' => TAB,
            b'@' | b'<' | b'[' => MARK,
            MARK_LEAD => MARK | WIDE,
            128.. => WIDE,
            _ => 0,
        };
        byte += 1;
    }
    flags
};

impl TextSide {
    fn look_at(&mut self, text: &str, sampled: bool, characters: bool) {
        self.periods += u64::from(text.ends_with(" ."));
        if !sampled {
            return;
        }
        self.texts += 1;
        // Most texts have none of these bytes and need no more.
        let flags = text.bytes().fold(0, |flags, byte| flags | FLAGS[usize::from(byte)]);
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
