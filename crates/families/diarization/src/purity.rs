//! [`Purity`]: purity and coverage of the speakers of a diarization.

use std::borrow::Cow;

use bleuprint_core::{
    ConfigError, Identity, InputError, Metric, Observe, Result, Scale, Score, Segment, SegmentCounts,
    Stats as _, columns,
};

use crate::choices::{DiarizationProgram, MappingSearch, Overlap, ScoredTime, Uem};
use crate::file::ScoredFile;
use crate::{Regions, Turns};

columns! {
    /// Speech times for the purity and coverage of a diarization, in ticks of half a microsecond.
    pub struct PurityTimes {
        /// Sum over hypothesis speakers of the longest time in which the speaker speaks together with a
        /// single reference speaker.
        pure <= hypothesis,
        /// Speech time of all hypothesis speakers.
        hypothesis,
        /// Sum over reference speakers of the longest time in which the speaker speaks together with a single
        /// hypothesis speaker.
        covered <= reference,
        /// Speech time of all reference speakers.
        reference
    }
}

/// Metric with purity and coverage of a diarization and their harmonic mean; the [crate documentation](crate)
/// has the definitions.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Purity {
    choices: ScoredTime,
}

impl Purity {
    /// Creates the metric purity, which supports neither collar nor the options for overlap and mapping.
    ///
    /// # Errors
    ///
    /// Returns [`ConfigError::Conflict`] if one of these is set, or for a program that does not compute
    /// purity.
    ///
    /// ```
    /// use bleuprint_diarization::{ScoredTime, DiarizationProgram, Purity, Uem};
    /// let pyannote = ScoredTime::default().like(DiarizationProgram::Pyannote);
    /// assert!(Purity::new(pyannote).unwrap_err().to_string().contains("uem=extent"));
    /// assert!(Purity::new(pyannote.uem(Uem::Extent)).is_ok());
    /// ```
    pub fn new(choices: ScoredTime) -> Result<Self, ConfigError> {
        // The other programs do not compute purity.
        choices.require_like("purity", &[DiarizationProgram::None, DiarizationProgram::Pyannote])?;
        let conflict = match choices.like {
            DiarizationProgram::Pyannote if choices.uem == Uem::Given => {
                "the purity of pyannote takes no notice of regions: uem=extent"
            }
            _ if choices.half_width() > 0
                || choices.overlap != Overlap::Keep
                || choices.search != MappingSearch::Best =>
            {
                "purity has neither collar nor overlap nor mapping"
            }
            _ => return Ok(Purity { choices }),
        };
        Err(ConfigError::Conflict(conflict.to_owned()))
    }
}

/// Purity and coverage of a diarization; the score of [`Purity`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct PurityScore {
    /// Purity: the sum over hypothesis speakers of the longest time in common with a single reference
    /// speaker, divided by the speech time of all hypothesis speakers.
    pub purity: f64,
    /// Coverage: the sum over reference speakers of the longest time in common with a single hypothesis
    /// speaker, divided by the speech time of all reference speakers.
    pub coverage: f64,
    /// Harmonic mean of purity and coverage; 0 if both are 0.
    pub f1: f64,
}

impl Score for PurityScore {
    fn value(&self) -> f64 {
        self.purity
    }
    fn headlines(&self) -> Vec<f64> {
        vec![self.purity, self.coverage, self.f1]
    }
}

impl Metric for Purity {
    type Stats = PurityTimes;
    type Score = PurityScore;
    type Scratch = ();

    fn identity(&self) -> Identity {
        let identity =
            Identity::new("purity", 1, Scale::UNIT).option(ScoredTime::OPTION.like, self.choices.like);
        self.choices.named(identity)
    }

    fn finalize(&self, times: &PurityTimes, _: &SegmentCounts) -> Result<PurityScore> {
        let share = |part: u64, whole: u64, side: &str| match whole {
            0 if self.choices.like == DiarizationProgram::Pyannote => Ok(1.0),
            0 => Err(InputError::no_score("purity", format!("the {side} has no time in what is scored"))),
            _ => Ok(part as f64 / whole as f64),
        };
        let purity = share(times.pure, times.hypothesis, "hypothesis")?;
        let coverage = share(times.covered, times.reference, "reference")?;
        let sum = purity + coverage;
        Ok(PurityScore { purity, coverage, f1: if sum > 0.0 { 2.0 * purity * coverage / sum } else { 0.0 } })
    }

    fn headline_names(&self) -> Vec<Cow<'static, str>> {
        ["purity", "coverage", "f1"].map(Cow::Borrowed).to_vec()
    }
}

impl Observe<Turns, Turns, Regions> for Purity {
    fn observe(
        &self,
        (): &mut (),
        stats: &mut PurityTimes,
        segment: Segment<'_, Turns, Turns, Regions>,
    ) -> Result<()> {
        let file = ScoredFile::from_turns("purity", &self.choices, false, segment)?.counting_once();
        let common = file.common();
        let [of_rows, of_columns] = file.times();
        let greatest = |column: usize| common.iter().map(|row| row[column]).max().unwrap_or_default();
        stats.merge(&PurityTimes {
            pure: (0..of_columns.len()).map(greatest).sum(),
            hypothesis: of_columns.iter().sum(),
            covered: common.iter().filter_map(|row| row.iter().max()).sum(),
            reference: of_rows.iter().sum(),
        })
    }
}
