//! [`Diarization`]: the diarization error rate (DER) and the detection error rate of speech.

use bleuprint_core::{
    Answer, Ask, ConfigError, Identity, InputErrorKind, Metric, Observe, Pairing, PlainScore, Quotient,
    Result, Scale, ScorePart, Segment, SegmentCounts, Stats as _, Wanted, columns,
};

use crate::choices::{DiarizationProgram, MappingSearch, Overlap, ScoredTime};
use crate::file::ScoredFile;
use crate::mapping::mapping;
use crate::ticks::seconds;
use crate::{Regions, Turns};

columns! {
    /// Scored speech times of a diarization, in ticks of half a microsecond. Time with several simultaneous
    /// speakers counts once for each.
    pub struct DiarizationTimes {
        /// Missed speech: time of reference speakers in excess of the hypothesis speakers.
        miss,
        /// False alarm: time of hypothesis speakers in excess of the reference speakers.
        false_alarm,
        /// Confusion: time of reference speakers during which other hypothesis speakers than the mapped ones
        /// speak.
        confusion,
        /// Correct speech: time of reference speakers during which the hypothesis speaker mapped to them
        /// speaks.
        correct
    }
}

impl DiarizationTimes {
    /// Returns the scored speech time of the reference, the denominator of the error rates.
    pub fn total(&self) -> u64 {
        // A file has at most 8e18 ticks, and merging checks each column. The sum saturates only for forged
        // states.
        self.miss.saturating_add(self.confusion).saturating_add(self.correct)
    }

    fn errors(&self) -> f64 {
        (u128::from(self.miss) + u128::from(self.false_alarm) + u128::from(self.confusion)) as f64
    }
}

/// Diarization error rate (DER), or detection error rate of speech without speakers; the [crate
/// documentation](crate) has the definitions.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Diarization {
    choices: ScoredTime,
    detection: bool,
}

impl Diarization {
    /// Creates the diarization error rate (DER) with these choices.
    ///
    /// # Errors
    ///
    /// Returns [`ConfigError::Conflict`] if no scoring program combines the choices in this way.
    ///
    /// ```
    /// use bleuprint_diarization::{ScoredTime, Diarization, DiarizationProgram, Overlap};
    /// let single = ScoredTime::default().overlap(Overlap::Single);
    /// assert!(Diarization::der(single).unwrap_err().to_string().contains("like=spyder"));
    /// assert!(Diarization::der(single.like(DiarizationProgram::Spyder)).is_ok());
    /// ```
    pub fn der(choices: ScoredTime) -> Result<Self, ConfigError> {
        Ok(Diarization { choices: choices.checked()?, detection: false })
    }

    /// Creates the detection error rate, which ignores who speaks, with the conventions of this crate or of
    /// pyannote.metrics.
    ///
    /// # Errors
    /// Returns [`ConfigError::Conflict`] for the conventions of any other program, and if the choices set the
    /// treatment of overlap or the mapping of speakers.
    pub fn detection(choices: ScoredTime) -> Result<Self, ConfigError> {
        choices.require_like("detection", &[DiarizationProgram::None, DiarizationProgram::Pyannote])?;
        if choices.overlap != Overlap::Keep || choices.search != MappingSearch::Best {
            let message = "detection has one speaker: neither overlap nor mapping".to_owned();
            return Err(ConfigError::Conflict(message));
        }
        Ok(Diarization { detection: true, ..Diarization::der(choices)? })
    }

    pub(crate) fn is_detection(&self) -> bool {
        self.detection
    }

    pub(crate) fn name(&self) -> &'static str {
        if self.detection { "detection" } else { "DER" }
    }

    /// Returns the speech times of a recording, and the pairs of reference and hypothesis speakers that are
    /// mapped to each other.
    fn file(&self, segment: Segment<'_, Turns, Turns, Regions>) -> Result<(DiarizationTimes, Pairing)> {
        let mut times = DiarizationTimes::default();
        let pairs = self.pieces(segment, |_, _, piece| {
            times.miss += piece.miss;
            times.false_alarm += piece.false_alarm;
            times.confusion += piece.confusion;
            times.correct += piece.correct;
        })?;
        // In this case spyder counts no false alarms, and dscore skips the file.
        if matches!(self.choices.like, DiarizationProgram::Spyder | DiarizationProgram::Dscore)
            && times.total() == 0
        {
            times = DiarizationTimes::default();
        }
        Ok((times, pairs))
    }

    /// Cuts a recording into stretches of time in which the speakers do not change. Calls `each` with the
    /// start, the length and the speech times of every scored stretch. Returns the pairs of speakers that are
    /// mapped to each other.
    pub(crate) fn pieces(
        &self,
        segment: Segment<'_, Turns, Turns, Regions>,
        mut each: impl FnMut(i64, u64, DiarizationTimes),
    ) -> Result<Pairing> {
        let reference = segment.one_reference(self.name())?;
        if self.choices.like == DiarizationProgram::Spyder && reference.0.is_empty() {
            let metric = self.name().to_owned();
            let reason = "spyder fails without a turn of the reference".into();
            return Err(InputErrorKind::NoScore { metric, reason }.into());
        }
        let file = ScoredFile::from_turns(self.name(), &self.choices, self.detection, segment)?;
        let partners = mapping(&file, self.choices.search);
        file.placed_pieces(|start, length, active| {
            let [reference, hypothesis] = [active.speakers(0), active.speakers(1)];
            let partner = |row: usize| partners[row].map_or(0, |column| active.times(1, column));
            // A speaker who counts twice on one side is right only as often as the partner counts on the
            // other side.
            let right: u64 = active.on[0].iter().map(|&row| active.times(0, row).min(partner(row))).sum();
            let times = DiarizationTimes {
                miss: length * reference.saturating_sub(hypothesis),
                false_alarm: length * hypothesis.saturating_sub(reference),
                confusion: length * (reference.min(hypothesis) - right),
                correct: length * right,
            };
            each(start, length, times);
        });
        Ok(pairing(&file, &partners))
    }

    fn rate(&self, times: &DiarizationTimes) -> Result<f64> {
        match times.total() {
            0 => self.choices.of_nothing(self.name(), times.errors() > 0.0),
            total => Ok(times.errors() / total as f64),
        }
    }
}

/// Returns the names of mapped speakers in pairs, followed by the hypothesis speakers without a partner.
pub(crate) fn pairing(file: &ScoredFile<'_>, partners: &[Option<usize>]) -> Pairing {
    let [references, hypotheses] = &file.speakers;
    let named = |name: Option<&str>| name.map(str::to_owned);
    let mut pairs = Pairing::default();
    for (reference, partner) in references.iter().zip(partners) {
        pairs.push([Some(*reference), partner.map(|partner| hypotheses[partner])].map(named));
    }
    for (column, hypothesis) in hypotheses.iter().enumerate() {
        if !partners.contains(&Some(column)) {
            pairs.push([None, Some(*hypothesis)].map(named));
        }
    }
    pairs
}

impl Metric for Diarization {
    type Stats = DiarizationTimes;
    type Score = PlainScore;
    type Scratch = ();

    fn identity(&self) -> Identity {
        if self.detection {
            return self.choices.with_collar(Identity::new("detection", 1, Scale::ERROR_RATE));
        }
        let identity = Identity::new("der", 1, Scale::ERROR_RATE).named("DER");
        let identity = identity.option(ScoredTime::OPTION.overlap, self.choices.overlap);
        self.choices.with_collar(identity.option(ScoredTime::OPTION.search, self.choices.search))
    }

    fn finalize(&self, times: &DiarizationTimes, _: &SegmentCounts) -> Result<PlainScore> {
        let mut score = PlainScore::new(self.rate(times)?);
        let DiarizationTimes { miss, false_alarm, confusion, .. } = *times;
        let confusion = ("confusion", confusion);
        let parts = [("total", times.total()), ("miss", miss), ("false_alarm", false_alarm), confusion];
        for (name, ticks) in parts.into_iter().take(if self.detection { 3 } else { 4 }) {
            score = score.with(ScorePart::number(name, seconds(ticks), 3));
        }
        Ok(score)
    }

    fn number(&self, times: &DiarizationTimes, _: &SegmentCounts) -> Result<f64> {
        self.rate(times)
    }

    fn quotient(&self) -> Option<Quotient> {
        // A detection has no confusion, so both metrics divide the same times.
        let numerator = &["miss", "false_alarm", "confusion"];
        Some(Quotient { numerator, denominator: &["miss", "confusion", "correct"], factor: 1.0 })
    }
}

impl Observe<Turns, Turns, Regions> for Diarization {
    fn observe(
        &self,
        (): &mut (),
        stats: &mut DiarizationTimes,
        segment: Segment<'_, Turns, Turns, Regions>,
    ) -> Result<()> {
        stats.merge(&self.file(segment)?.0)
    }

    fn ask(
        &self,
        (): &mut (),
        ask: Ask<'_, Turns, Turns, Regions>,
    ) -> Result<Option<Answer<'_, DiarizationTimes>>> {
        let Some(segment) = ask.segment() else { return Ok(None) };
        Ok(match ask.wanted {
            Wanted::Pairing => Some(Answer::Pairing(self.file(segment)?.1)),
            Wanted::Picture => Some(Answer::Picture(self.picture(segment)?)),
            _ => None,
        })
    }
}
