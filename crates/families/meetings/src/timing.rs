//! [`TimeConstraint`]: rule that lets only words that overlap in time be aligned, and [`WordTiming`]: how
//! word times are derived from the times of their utterance.

use bleuprint_core::{Choice, ConfigError, InputError, Result};

/// Allowed range of the times of utterances, for error messages.
pub(crate) const LIMIT: &str = "from -1e7 to 1e7 seconds";

pub(crate) fn within_limit(seconds: f64) -> bool {
    seconds.abs() <= 1e7
}

/// Rule that derives the time of each word of an utterance from the utterance's start and end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum WordTiming {
    /// The utterance's time is divided into intervals, one for each word, proportional to its number of code
    /// points.
    #[default]
    Characters,
    /// Each word has a single point in time: the centre of its share of the utterance's time. The shares are
    /// proportional to the words' numbers of code points.
    CharacterPoints,
    /// The utterance's time is divided into intervals of equal length, one for each word.
    Equal,
    /// Each word has a single point in time: the centre of its share of the utterance's time. The shares of
    /// all words are equal.
    EqualPoints,
    /// Each word has the start and end of the whole utterance.
    Utterance,
    /// Each word has the start and end of its utterance, which must not have more than one word.
    Given,
}

bleuprint_core::choice!(WordTiming:
    Characters "character_based", CharacterPoints "character_based_points", Equal "equidistant_intervals",
    EqualPoints "equidistant_points", Utterance "full_segment", Given "none");

impl WordTiming {
    pub(crate) fn times(
        self,
        [start, end]: [f64; 2],
        words: &[&str],
        times: &mut Vec<[f64; 2]>,
    ) -> Result<()> {
        let centre = |[start, end]: [f64; 2]| [(end + start) / 2.0; 2];
        let from = times.len();
        match self {
            _ if words.is_empty() => {}
            WordTiming::Given if words.len() > 1 => {
                return Err(InputError::malformed(format!(
                    "an utterance has {} words, but `{}` requires utterances of one word, whose times are the word's",
                    words.len(),
                    self.name()
                )));
            }
            WordTiming::Utterance | WordTiming::Given => {
                times.extend(core::iter::repeat_n([start, end], words.len()));
            }
            WordTiming::Characters | WordTiming::CharacterPoints => {
                character_times([start, end], words, times);
                if self == WordTiming::CharacterPoints {
                    times[from..].iter_mut().for_each(|time| *time = centre(*time));
                }
            }
            // This is MeetEval's formula for a single word; the general one below could differ in the last
            // bit.
            WordTiming::EqualPoints if words.len() == 1 => times.push([(start + end) / 2.0; 2]),
            WordTiming::Equal | WordTiming::EqualPoints => {
                let length = (end - start) / words.len() as f64;
                times.extend((0..words.len()).map(|index| match self {
                    WordTiming::Equal => [start + index as f64 * length, start + (index + 1) as f64 * length],
                    _ => [start + index as f64 * length + length / 2.0; 2],
                }));
            }
        }
        Ok(())
    }
}

fn character_times([start, end]: [f64; 2], words: &[&str], times: &mut Vec<[f64; 2]>) {
    let lengths = words.iter().map(|word| word.chars().count());
    let all: usize = lengths.clone().sum();
    // MeetEval gives the whole interval to words without characters.
    if words.len() == 1 || all == 0 {
        times.extend(core::iter::repeat_n([start, end], words.len()));
        return;
    }
    let length = (end - start) / all as f64;
    let mut before = 0;
    for own in lengths {
        times.push([start + length * before as f64, start + length * (before + own) as f64]);
        before += own;
    }
}

/// Rule that only words that overlap in time may be aligned. Before the comparison, the collar extends each
/// hypothesis word at both ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TimeConstraint {
    pub(crate) collar: f64,
    pub(crate) reference: WordTiming,
    pub(crate) hypothesis: WordTiming,
}

impl TimeConstraint {
    /// Creates the rule that words are aligned only if they overlap in time. Before that, the collar, in
    /// seconds, extends each hypothesis word at both ends. By default, an utterance's time is divided among
    /// its words in proportion to their lengths. A reference word has its whole share of the time, and a
    /// hypothesis word only the centre of its share.
    ///
    /// # Errors
    /// Returns [`ConfigError::OutOfRange`] if the collar is negative or not finite.
    pub fn new(collar: f64) -> Result<Self, ConfigError> {
        if collar.is_finite() && collar >= 0.0 {
            let reference = WordTiming::Characters;
            let hypothesis = WordTiming::CharacterPoints;
            return Ok(TimeConstraint { collar, reference, hypothesis });
        }
        Err(ConfigError::out_of_range("collar", collar, "finite and at least 0"))
    }

    /// Returns the word timing and the collar in seconds, first for the reference and then for the
    /// hypothesis. The collar of the reference is 0.
    pub(crate) fn of_sides(self) -> [(WordTiming, f64); 2] {
        [(self.reference, 0.0), (self.hypothesis, self.collar)]
    }

    /// Sets the rules that derive word times in the reference and in the hypothesis.
    #[must_use]
    pub fn with_timing(self, reference: WordTiming, hypothesis: WordTiming) -> Self {
        TimeConstraint { reference, hypothesis, ..self }
    }
}
