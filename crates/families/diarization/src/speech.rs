//! [`SpeechDetection`]: accuracy, precision, recall, F and cost of speech detection.

use std::borrow::Cow;

use bleuprint_core::{
    ConfigError, Identity, InputError, Metric, Observe, Result, Scale, Segment, SegmentCounts, Stats as _,
    columns,
};
use bleuprint_registry::{Opt, settings};

use crate::choices::{DiarizationProgram, ScoredTime};
use crate::file::ScoredFile;
use crate::{Diarization, Regions, Turns};

settings! {
    /// Weights of F and of the cost of a speech detection.
    #[derive(Copy)]
    pub(crate) struct SpeechSettings {
        /// The weight of recall relative to precision in F
        pub(crate) beta: f64 = Opt::number("speech-detection-beta", 1.0)
            .magnitude(1e-6, 1e6)
            .finished("beta", "b")
            .unless_default();
        /// The weight of the miss rate in the cost
        pub(crate) miss: f64 =
            Opt::number("miss-weight", 0.75).limits(0, u64::MAX).finished("miss_weight", "mw").unless_default();
        /// The weight of the false alarm rate in the cost
        pub(crate) alarm: f64 =
            Opt::number("alarm-weight", 0.25).limits(0, u64::MAX).finished("alarm_weight", "aw").unless_default();
    }
}

columns! {
    /// Scored time of a speech detection, in ticks of half a microsecond.
    pub struct SpeechTimes {
        /// Time in which both sides have speech.
        hit,
        /// Time in which only the reference has speech.
        miss,
        /// Time in which only the hypothesis has speech.
        false_alarm,
        /// Time in which no side has speech.
        silence
    }
}

/// Metric with accuracy, precision, recall, F and cost of speech detection; the [crate documentation](crate)
/// has the definitions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpeechDetection {
    choices: ScoredTime,
    weights: SpeechSettings,
}

impl SpeechDetection {
    /// Creates the metric with the conventions of this crate or of pyannote.metrics. `beta` is the weight of
    /// recall in F; the cost is `miss_weight` times the miss rate plus `alarm_weight` times the false alarm rate.
    ///
    /// # Errors
    /// Returns [`ConfigError::Conflict`] for the conventions of any other program, and if the choices set the
    /// treatment of overlap or the mapping of speakers.
    ///
    /// ```
    /// use bleuprint_diarization::{DiarizationProgram, ScoredTime, SpeechDetection};
    /// assert!(SpeechDetection::new(ScoredTime::default(), 1.0, [0.75, 0.25]).is_ok());
    /// let spyder = ScoredTime::default().like(DiarizationProgram::Spyder);
    /// assert!(SpeechDetection::new(spyder, 1.0, [0.75, 0.25]).is_err());
    /// ```
    pub fn new(choices: ScoredTime, beta: f64, [miss, alarm]: [f64; 2]) -> Result<Self, ConfigError> {
        // The two metrics look at the same time.
        Diarization::detection(choices)?;
        let option = SpeechSettings::OPTION;
        let weights = SpeechSettings {
            beta: option.beta.check(beta)?,
            miss: option.miss.check(miss)?,
            alarm: option.alarm.check(alarm)?,
        };
        Ok(SpeechDetection { choices, weights })
    }

    /// Returns `part / whole`, or `nothing` if there is no such time and pyannote.metrics has a number for it.
    fn share(&self, part: u64, whole: u64, nothing: f64, what: &str) -> Result<f64> {
        match whole {
            0 if self.choices.like == DiarizationProgram::Pyannote => Ok(nothing),
            0 => {
                Err(InputError::no_score("speech_detection", format!("there is no {what} in what is scored")))
            }
            _ => Ok(part as f64 / whole as f64),
        }
    }
}

impl Metric for SpeechDetection {
    type Stats = SpeechTimes;
    /// Accuracy, precision, recall, F and cost, in this order.
    type Score = [f64; 5];
    type Scratch = ();

    fn identity(&self) -> Identity {
        let identity = Identity::new("speech_detection", 1, Scale::UNIT);
        self.weights.add_to_identity(self.choices.with_collar(identity))
    }

    fn finalize(&self, times: &SpeechTimes, _: &SegmentCounts) -> Result<[f64; 5]> {
        let &SpeechTimes { hit, miss, false_alarm, silence } = times;
        // A file has at most 8e18 ticks, and merging checks each column. Sums saturate only for forged states.
        let speech = hit.saturating_add(miss);
        let none = silence.saturating_add(false_alarm);
        let right = hit.saturating_add(silence);
        let accuracy = self.share(right, speech.saturating_add(none), 1.0, "time")?;
        let precision = self.share(hit, hit.saturating_add(false_alarm), 1.0, "speech of the hypothesis")?;
        let recall = self.share(hit, speech, 1.0, "speech of the reference")?;
        let square = self.weights.beta * self.weights.beta;
        let denominator = square * precision + recall;
        let f = if denominator > 0.0 { (1.0 + square) * precision * recall / denominator } else { 0.0 };
        let missed = self.share(miss, speech, 0.0, "speech of the reference")?;
        let alarmed = self.share(false_alarm, none, 0.0, "time without speech")?;
        let cost = self.weights.miss * missed + self.weights.alarm * alarmed;
        Ok([accuracy, precision, recall, f, cost])
    }

    fn headline_names(&self) -> Vec<Cow<'static, str>> {
        ["accuracy", "precision", "recall", "f", "cost"].map(Cow::Borrowed).to_vec()
    }
}

impl Observe<Turns, Turns, Regions> for SpeechDetection {
    fn observe(
        &self,
        (): &mut (),
        stats: &mut SpeechTimes,
        segment: Segment<'_, Turns, Turns, Regions>,
    ) -> Result<()> {
        let mut times = SpeechTimes::default();
        let file = ScoredFile::from_turns("speech_detection", &self.choices, true, segment)?;
        file.pieces(|length, active| {
            let column = match [active.speakers(0) > 0, active.speakers(1) > 0] {
                [true, true] => &mut times.hit,
                [true, false] => &mut times.miss,
                [false, true] => &mut times.false_alarm,
                [false, false] => &mut times.silence,
            };
            *column += length;
        });
        stats.merge(&times)
    }
}
