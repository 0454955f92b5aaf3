//! [`BCubed`]: B-cubed precision, recall and F1 of speaker diarization over time frames. It also has dscore's
//! other measures: Goodman and Kruskal's tau, conditional entropies and mutual information.

use std::borrow::Cow;
use std::collections::BTreeMap;

use bleuprint_core::{
    ConfigError, ExactSum, Identity, InputError, Metric, Observe, Result, Scale, Score, ScorePart, Segment,
    SegmentCounts, Stats as _, columns,
};

use bleuprint_metrics::KernelWork;

use crate::choices::{DiarizationProgram, MappingSearch, Overlap, ScoredTime};
use crate::file::ScoredFile;
use crate::{Regions, Turns};

columns! {
    /// Sums over the contingency table of time frames, from which the B-cubed scores and the other measures
    /// are computed. A row is a set of reference speakers who speak at once; a column is such a set of
    /// hypothesis speakers. A cell counts the frames with both sets.
    pub struct FrameSums {
        /// Number of time frames in all recordings.
        frames,
        /// Number of rows of the contingency table: different sets of speakers who speak at once in the
        /// reference.
        rows,
        /// Number of columns of the contingency table: different sets of speakers who speak at once in the
        /// hypothesis.
        columns,
        /// Sum of squares of the row totals of the contingency table. A row is a set of reference speakers, and
        /// its total is the number of frames in which exactly these speakers speak.
        row_squares,
        /// Sum of squares of the column totals of the contingency table. A column is a set of hypothesis
        /// speakers, and its total is the number of frames in which exactly these speakers speak.
        column_squares,
        /// Sum whose quotient by the number of frames is B-cubed precision: `n² / s` over the cells of the
        /// contingency table. A cell has `n` frames, and its column, a set of hypothesis speakers, has `s`
        /// frames.
        precision: ExactSum,
        /// Sum whose quotient by the number of frames is B-cubed recall: `n² / r` over the cells of the
        /// contingency table. A cell has `n` frames, and its row, a set of reference speakers, has `r`
        /// frames.
        recall: ExactSum,
        /// Sum of `n · log2 n` over the cells of the contingency table, for the entropies and the mutual
        /// information. A cell has `n` frames with one set of reference speakers and one set of hypothesis
        /// speakers.
        cell_bits: ExactSum,
        /// Sum of `r · log2 r` over the rows of the contingency table, for the entropies and the mutual
        /// information. A row, a set of reference speakers, has `r` frames.
        row_bits: ExactSum,
        /// Sum of `s · log2 s` over the columns of the contingency table, for the entropies and the mutual
        /// information. A column, a set of hypothesis speakers, has `s` frames.
        column_bits: ExactSum
    }
}

/// B-cubed precision, recall and F of speaker diarization over frames of 10 ms, with dscore's other measures
/// of speaker clusters. The [crate documentation](crate) has the definitions.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct BCubed {
    choices: ScoredTime,
}

impl BCubed {
    /// Creates the metric B-cubed. It uses only the choices about the scored region and the reading of times.
    ///
    /// # Errors
    ///
    /// Returns [`ConfigError::Conflict`] if another choice is not at its default.
    ///
    /// ```
    /// use bleuprint_diarization::{BCubed, ScoredTime};
    /// assert!(BCubed::new(ScoredTime::default().collar(0.25).unwrap()).is_err());
    /// ```
    pub fn new(choices: ScoredTime) -> Result<Self, ConfigError> {
        choices.require_like("bcubed", &[DiarizationProgram::None])?;
        if choices.half_width() > 0
            || choices.overlap != Overlap::Keep
            || choices.search != MappingSearch::Best
        {
            let message = "bcubed has neither collar nor overlap nor mapping".to_owned();
            return Err(ConfigError::Conflict(message));
        }
        Ok(BCubed { choices })
    }
}

/// B-cubed score of a diarization, which compares who speaks in each time frame; see [`BCubed`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct BCubedScore {
    /// Harmonic mean of B-cubed precision and recall.
    pub f1: f64,
    /// B-cubed precision: the share of the frames with the same hypothesis speakers that also have the same
    /// reference speakers, averaged over frames.
    pub precision: f64,
    /// B-cubed recall: the share of the frames with the same reference speakers that also have the same
    /// hypothesis speakers, averaged over frames.
    pub recall: f64,
    /// Goodman and Kruskal's tau of the hypothesis given the reference, and of the reference given the
    /// hypothesis.
    pub tau: [f64; 2],
    /// Conditional entropy in bits of the reference given the hypothesis, and of the hypothesis given the
    /// reference.
    pub entropy: [f64; 2],
    /// Mutual information, in bits, between the speakers of the reference and of the hypothesis.
    pub information: f64,
    /// Mutual information divided by the geometric mean of the two entropies, of the reference and of the
    /// hypothesis.
    pub normalized: f64,
}

impl Score for BCubedScore {
    fn value(&self) -> f64 {
        self.f1
    }
    fn headlines(&self) -> Vec<f64> {
        vec![self.f1, self.precision, self.recall]
    }
    fn parts(&self) -> Vec<ScorePart> {
        let numbers = [
            ("tau_ref_sys", self.tau[0]),
            ("tau_sys_ref", self.tau[1]),
            ("entropy_ref_sys", self.entropy[0]),
            ("entropy_sys_ref", self.entropy[1]),
            ("mi", self.information),
            ("nmi", self.normalized),
        ];
        numbers.map(|(name, number)| ScorePart::number(name, number, 4)).to_vec()
    }
}

/// Work of one speaker in a piece of a recording, in cells of a table: it is copied, sorted and compared.
const WORK_OF_SPEAKER: usize = 16;

/// Returns `n · log2 n`, and 0 if `n` is 0.
fn bits(n: f64) -> f64 {
    if n > 0.0 { n * (bleuprint_math::ln(n) / core::f64::consts::LN_2) } else { 0.0 }
}

impl Metric for BCubed {
    type Stats = FrameSums;
    type Score = BCubedScore;
    type Scratch = ();

    fn identity(&self) -> Identity {
        self.choices.named(Identity::new("bcubed", 1, Scale::UNIT).named("B3-F1"))
    }

    fn finalize(&self, sums: &FrameSums, _: &SegmentCounts) -> Result<BCubedScore> {
        if sums.frames == 0 {
            return Err(InputError::no_score("B3-F1", "no frame of 10 ms is in what is scored"));
        }
        let n = sums.frames as f64;
        let precision = sums.precision.to_f64() / n;
        let recall = sums.recall.to_f64() / n;
        // Rounding keeps the order of both sums of squares, so that a tau of exactly 1 is also computed as 1.
        let tau = |squares: u64, classes: u64, explained: f64| {
            let variation = 1.0 - squares as f64 / n / n;
            if classes == 1 || variation <= 0.0 { 1.0 } else { (variation - (1.0 - explained)) / variation }
        };
        let [cells, rows, columns] =
            [sums.cell_bits, sums.row_bits, sums.column_bits].map(|sum| sum.to_f64());
        // Rounding can make an entropy of 0 slightly negative.
        let [of_rows, of_columns] = [rows, columns].map(|sum| ((bits(n) - sum) / n).max(0.0));
        let information = ((cells + bits(n) - rows - columns) / n).max(0.0);
        let (information, normalized) = match (sums.rows, sums.columns) {
            // dscore defines both values for a single class, for which the quotient would be 0 / 0.
            (1, 1) => (0.0, 1.0),
            (1, _) | (_, 1) => (0.0, 0.0),
            _ => (information, (information / (of_rows * of_columns).sqrt()).min(1.0)),
        };
        Ok(BCubedScore {
            f1: 2.0 * precision * recall / (precision + recall),
            precision,
            recall,
            tau: [
                tau(sums.column_squares, sums.columns, recall),
                tau(sums.row_squares, sums.rows, precision),
            ],
            entropy: [columns, rows].map(|sum| ((sum - cells) / n).max(0.0)),
            information,
            normalized,
        })
    }

    fn headline_names(&self) -> Vec<Cow<'static, str>> {
        ["f1", "precision", "recall"].map(Cow::Borrowed).to_vec()
    }

    fn check(&self, sums: &FrameSums, counts: &SegmentCounts) -> Result<()> {
        sums.check(counts)?;
        let wrong = |message: String| Err(InputError::malformed_state(message));
        for sum in [&sums.precision, &sums.recall, &sums.cell_bits, &sums.row_bits, &sums.column_bits] {
            if sum.count() != counts.segments {
                return wrong(format!("a sum of {} values over {} segments", sum.count(), counts.segments));
            }
            let most = if sums.frames == 0 { 0.0 } else { f64::INFINITY };
            Scale::higher_is_better(0.0, most).check_mean(sum, sum.count())?;
        }
        let n = sums.frames as f64;
        for (name, sum) in [("precision", &sums.precision), ("recall", &sums.recall)] {
            // The factor allows for the rounding of each file's sum; exact states stay well below it.
            if sum.to_f64() > n * (1.0 + 1e-9) || (n > 0.0 && sum.to_f64() <= 0.0) {
                return wrong(format!("{name} of {} in {} frames", sum.to_f64(), sums.frames));
            }
        }
        Ok(())
    }
}

impl Observe<Turns, Turns, Regions> for BCubed {
    fn observe(
        &self,
        (): &mut (),
        stats: &mut FrameSums,
        segment: Segment<'_, Turns, Turns, Regions>,
    ) -> Result<()> {
        let file = ScoredFile::in_frames("bcubed", &self.choices, segment)?;
        let mut cells: BTreeMap<[Vec<usize>; 2], u64> = BTreeMap::new();
        let mut work = KernelWork::default();
        let mut checked = Ok(());
        // The order in which speakers began does not matter to a class: sort them.
        file.pieces(|frames, active| {
            // A recording with many turns and speakers takes seconds. The rest is skipped after an interruption.
            if checked.is_err() {
                return;
            }
            checked =
                work.add(WORK_OF_SPEAKER * (1 + active.on.each_ref().map(Vec::len).iter().sum::<usize>()));
            let class = active.on.each_ref().map(|on| {
                let mut class = on.clone();
                class.sort_unstable();
                class
            });
            // A piece shorter than a frame may contain no frame time.
            if frames > 0 {
                *cells.entry(class).or_default() += frames;
            }
        });
        checked?;
        stats.merge(&sums(&cells)?)
    }
}

fn sums(cells: &BTreeMap<[Vec<usize>; 2], u64>) -> Result<FrameSums> {
    let mut classes: [BTreeMap<&[usize], u64>; 2] = Default::default();
    for (class, frames) in cells {
        for (side, classes) in classes.iter_mut().enumerate() {
            *classes.entry(&class[side]).or_default() += frames;
        }
    }
    let [rows, columns] = &classes;
    let squares = |classes: &BTreeMap<&[usize], u64>| classes.values().map(|n| n * n).sum();
    let in_bits = |classes: &BTreeMap<&[usize], u64>| {
        ExactSum::from_value(classes.values().map(|n| bits(*n as f64)).sum())
    };
    let mut precision = 0.0;
    let mut recall = 0.0;
    let mut cell_bits = 0.0;
    for ([row, column], frames) in cells {
        let n = *frames as f64;
        let whole = |classes: &BTreeMap<&[usize], u64>, class: &[usize]| {
            classes.get(class).copied().unwrap_or(1) as f64
        };
        precision += n * n / whole(columns, column);
        recall += n * n / whole(rows, row);
        cell_bits += bits(n);
    }
    Ok(FrameSums {
        frames: cells.values().sum(),
        rows: rows.len() as u64,
        columns: columns.len() as u64,
        row_squares: squares(rows),
        column_squares: squares(columns),
        precision: ExactSum::from_value(precision)?,
        recall: ExactSum::from_value(recall)?,
        cell_bits: ExactSum::from_value(cell_bits)?,
        row_bits: in_bits(rows)?,
        column_bits: in_bits(columns)?,
    })
}
