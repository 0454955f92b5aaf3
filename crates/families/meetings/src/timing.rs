//! [`TimeConstraint`]: the times of words, from those of their utterances.

use bleuprint_core::{Choice, ConfigError, InputError, Result};

/// The times of utterances.
pub(crate) const LIMIT: &str = "from -1e7 to 1e7 seconds";

pub(crate) fn within_limit(seconds: f64) -> bool {
    seconds.abs() <= 1e7
}

/// The times of the words of an utterance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum WordTiming {
    /// Intervals in proportion to the code points of the words.
    #[default]
    Characters,
    /// The centres of these.
    CharacterPoints,
    /// Intervals of equal length.
    Equal,
    /// The centres of these.
    EqualPoints,
    /// The whole utterance for every word.
    Utterance,
    /// The times of utterances of one word; utterances with more are refused.
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
                    "an utterance has {} words, but `{}` takes the times of utterances for those of single words",
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

/// The words that may be paired: those that overlap in time, after the words of the hypothesis are extended by the collar on
/// both sides.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TimeConstraint {
    pub(crate) collar: f64,
    pub(crate) reference: WordTiming,
    pub(crate) hypothesis: WordTiming,
}

impl TimeConstraint {
    /// A collar in seconds, with the times of words by their characters: intervals in the reference, points in the
    /// hypothesis.
    ///
    /// # Errors
    /// [`ConfigError::OutOfRange`] for a collar below 0 or without limit.
    pub fn new(collar: f64) -> Result<Self, ConfigError> {
        if collar.is_finite() && collar >= 0.0 {
            let (reference, hypothesis) = (WordTiming::Characters, WordTiming::CharacterPoints);
            return Ok(TimeConstraint { collar, reference, hypothesis });
        }
        Err(ConfigError::out_of_range("collar", collar, "finite and at least 0"))
    }

    /// The times of the reference and of the hypothesis, which alone has the collar.
    pub(crate) fn of_sides(self) -> [(WordTiming, f64); 2] {
        [(self.reference, 0.0), (self.hypothesis, self.collar)]
    }

    /// With other times of words, of the reference and of the hypothesis.
    #[must_use]
    pub fn with_timing(self, reference: WordTiming, hypothesis: WordTiming) -> Self {
        TimeConstraint { reference, hypothesis, ..self }
    }
}
