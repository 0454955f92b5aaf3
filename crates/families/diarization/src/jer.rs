//! [`Jer`]: the Jaccard error rate (JER) of speaker diarization.

use core::fmt::Display;

use bleuprint_core::{
    Answer, Ask, ConfigError, ExactSum, Identity, InputError, Linear, Metric, Observe, Pairing, PlainScore,
    Result, Scale, Segment, SegmentCounts, Stats as _, Wanted,
};
use bleuprint_registry::Opt;
use serde::{Deserialize, Serialize};

use crate::choices::{DiarizationProgram, MappingSearch, Overlap, ScoredTime};
use crate::der::pairing;
use crate::file::ScoredFile;
use crate::mapping::mapping;
use crate::{Regions, Turns};

bleuprint_core::choice! {
    /// Rule that maps reference speakers to hypothesis speakers for the Jaccard error rate.
    pub enum JerMapping {
        /// The mapping that maximizes the total time in which mapped speakers speak together, as in
        /// pyannote.metrics.
        Overlap = "overlap",
        /// The mapping that minimizes the sum of the speakers' Jaccard errors, as in dscore.
        Jaccard = "jaccard",
    }
}

pub(crate) const JER_MAPPING: Opt<JerMapping> = Opt::choice("mapping")
    .counted("mapping", "map")
    .help("The mapping of speakers: the largest sum of common time, or the least sum of Jaccard errors");

/// Sum of the Jaccard errors of all reference speakers, and the number of these speakers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct JerSum {
    /// Exact sum of the Jaccard errors of the reference speakers; its `count` is the number of speakers.
    pub errors: ExactSum,
}

impl Linear for JerSum {
    fn columns(&mut self, visit: &mut dyn FnMut(&dyn Display, &mut u64)) {
        Linear::columns(&mut self.errors, &mut |column, count| {
            visit(&format_args!("errors.{column}"), count);
        });
    }
}

/// Jaccard error rate (JER): the mean over reference speakers of 1 minus the Jaccard index of the speaker's
/// time and the mapped speaker's time. The [crate documentation](crate) has the definition.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Jer {
    choices: ScoredTime,
    mapping: JerMapping,
}

impl Jer {
    /// Creates the Jaccard error rate (JER) with these choices and this rule for mapping speakers.
    ///
    /// # Errors
    ///
    /// Returns [`ConfigError::Conflict`] if no scoring program combines the choices in this way.
    ///
    /// ```
    /// use bleuprint_diarization::{ScoredTime, Jer, JerMapping, DiarizationProgram};
    /// let dscore = ScoredTime::default().like(DiarizationProgram::Dscore);
    /// assert!(Jer::new(dscore, JerMapping::Jaccard).is_ok());
    /// assert!(Jer::new(dscore.collar(0.25).unwrap(), JerMapping::Jaccard).is_err());
    /// ```
    pub fn new(choices: ScoredTime, mapping: JerMapping) -> Result<Self, ConfigError> {
        choices.require_like(
            "jer",
            &[DiarizationProgram::None, DiarizationProgram::Pyannote, DiarizationProgram::Dscore],
        )?;
        let conflict = match (choices.like, mapping) {
            (DiarizationProgram::Pyannote, JerMapping::Jaccard) => {
                "pyannote maps by common time: mapping=overlap"
            }
            (DiarizationProgram::Dscore, JerMapping::Overlap) => {
                "dscore maps by Jaccard errors: mapping=jaccard"
            }
            (DiarizationProgram::Dscore, _) if choices.half_width() > 0 => {
                "the JER of dscore has no collar: collar=0"
            }
            _ if choices.overlap != Overlap::Keep || choices.search != MappingSearch::Best => {
                "jer has neither overlap nor a greedy mapping"
            }
            _ => return Ok(Jer { choices: choices.checked()?, mapping }),
        };
        Err(ConfigError::Conflict(conflict.to_owned()))
    }

    /// Returns the Jaccard errors of a recording, and the pairs of reference and hypothesis speakers that are
    /// mapped to each other.
    fn file(&self, segment: Segment<'_, Turns, Turns, Regions>) -> Result<(JerSum, Pairing)> {
        let file = match self.choices.like {
            DiarizationProgram::Dscore => ScoredFile::in_frames("JER", &self.choices, segment)?,
            _ => ScoredFile::from_turns("JER", &self.choices, false, segment)?,
        };
        let mapped = match self.mapping {
            JerMapping::Overlap => mapping(&file, MappingSearch::Best),
            JerMapping::Jaccard => vec![None; file.speakers[0].len()],
        };
        let file = file.counting_once();
        // From here on overlap of a speaker with itself no longer counts, but the mapping above has seen it,
        // as in pyannote.metrics.
        let common = file.common();
        let [of_rows, of_columns] = file.times();
        let error = |row: usize, column: usize| {
            // The union of both speakers: their times together without the common time, which is in both.
            let both = of_rows[row] + of_columns[column] - common[row][column];
            (both - common[row][column]) as f64 / both as f64
        };
        // Speakers who speak outside of the scored region only are left out of the mean.
        let speaking: Vec<usize> = (0..of_rows.len()).filter(|&row| of_rows[row] > 0).collect();
        let partners: Vec<Option<usize>> = match self.mapping {
            JerMapping::Overlap => speaking.iter().map(|&row| mapped[row]).collect(),
            JerMapping::Jaccard => {
                let columns = 0..of_columns.len();
                let costs = |row: &usize| columns.clone().map(|column| error(*row, column)).collect();
                bleuprint_metrics::assign::<f64>(&speaking.iter().map(costs).collect::<Vec<_>>())
            }
        };
        let mut sum = JerSum::default();
        let mut of_rows = mapped;
        for (row, partner) in speaking.into_iter().zip(partners) {
            // Without a partner the error is 1; hypothesis speakers without a partner are not counted.
            let error = partner.map_or(1.0, |column| error(row, column));
            sum.errors.add(ExactSum::nearest(error))?;
            of_rows[row] = partner;
        }
        Ok((sum, pairing(&file, &of_rows)))
    }
}

impl Metric for Jer {
    type Stats = JerSum;
    type Score = PlainScore;
    type Scratch = ();

    fn identity(&self) -> Identity {
        let identity = Identity::new("jer", 1, Scale::lower_is_better(0.0, 1.0)).named("JER");
        self.choices.with_collar(identity.option(JER_MAPPING, self.mapping))
    }

    fn finalize(&self, sum: &JerSum, counts: &SegmentCounts) -> Result<PlainScore> {
        Ok(PlainScore::new(self.number(sum, counts)?).with_count("speakers", sum.errors.count()))
    }

    fn number(&self, sum: &JerSum, _: &SegmentCounts) -> Result<f64> {
        match (sum.errors.count(), self.choices.like) {
            (0, DiarizationProgram::Pyannote) => Ok(1.0),
            (0, _) => {
                Err(InputError::no_score("JER", "no speaker of the reference has time in what is scored"))
            }
            (speakers, _) => Ok(sum.errors.mean(speakers)),
        }
    }

    fn check(&self, sum: &JerSum, counts: &SegmentCounts) -> Result<()> {
        sum.check(counts)?;
        if counts.segments == 0 && sum.errors.count() > 0 {
            return Err(InputError::malformed_state("speakers, but no segment"));
        }
        Scale::UNIT.check_mean(&sum.errors, sum.errors.count())
    }
}

impl Observe<Turns, Turns, Regions> for Jer {
    fn observe(
        &self,
        (): &mut (),
        sum: &mut JerSum,
        segment: Segment<'_, Turns, Turns, Regions>,
    ) -> Result<()> {
        sum.merge(&self.file(segment)?.0)
    }

    fn ask(&self, (): &mut (), ask: Ask<'_, Turns, Turns, Regions>) -> Result<Option<Answer<'_, JerSum>>> {
        match (ask.segment(), ask.wanted) {
            (Some(segment), Wanted::Pairing) => Ok(Some(Answer::Pairing(self.file(segment)?.1))),
            _ => Ok(None),
        }
    }
}
