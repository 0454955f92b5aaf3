//! Comparisons of two systems: differences, their significance, and the segments that make them.

use bleuprint_core::{
    AnyMetric, Direction, InputError, Metric as _, Result, Stats as _, column_names, score_row,
};
use bleuprint_inference::{Design, Matrix, Precision, Rows, Significance, Units, contributions};

use serde_json::{Value, json};

use super::{Run, Texts};
use crate::{NgramMatches, NgramTable, NgramWin};

/// The subject of a comparison, and the lengths of its lists.
#[derive(Debug, Clone)]
pub struct CompareRequest {
    /// The test of pairs; which direction is better follows from each metric.
    pub design: Design,
    /// The label of what is drawn as a whole, where segments depend on each other; each segment by itself where there is none.
    pub unit: Option<String>,
    /// Labels to group by.
    pub by: Vec<String>,
    /// The number of segments and n-grams to list for each system.
    pub most: usize,
}

/// One metric over all systems, and for two of them, where the difference comes from.
pub struct Comparison<'r> {
    /// The metric.
    pub metric: &'r AnyMetric,
    /// The scores, every pair of systems, and their ranks; the scores alone where the metric cannot be tested.
    pub matrix: Matrix,
    /// True if the statistics can be resampled: those of distinct-n, for one, cannot.
    pub tested: bool,
    /// The number of segments left out, as a system has no number there.
    pub left_out: usize,
    /// Of two systems.
    pub details: Option<Details>,
}

/// The origins of the difference of the first two systems, in points of the first minus the second.
pub struct Details {
    /// Segments, by index, with their part of the difference: the largest first.
    pub segments: Vec<(usize, f64)>,
    /// The groups of every label that was asked for.
    pub groups: Vec<GroupDifference>,
    /// The n-grams with the largest differences for the first system, then for the second, where there are texts: those of
    /// the orders that the metric counts, and words where it counts no n-grams.
    pub ngrams: Option<[Vec<NgramWin>; 2]>,
}

/// The scores of a group of segments, and its part of the difference.
pub struct GroupDifference {
    /// The label.
    pub by: String,
    /// Its value.
    pub label: String,
    /// The number of segments with it.
    pub segments: usize,
    /// The score of each system.
    pub scores: [f64; 2],
    /// The group's part of the difference of all segments.
    pub points: f64,
}

impl Comparison<'_> {
    /// As JSON: segments count from 1, systems from 0.
    pub fn to_json(&self) -> Value {
        let mut object = json!({
            "metric": self.metric.identity().name(),
            "key": self.metric.state_key().to_string(),
            "test": self.matrix.test,
            "scores": self.matrix.scores,
            "pairs": self.matrix.pairs,
            "ranks": self.matrix.ranks,
            "tested": self.tested,
            "left_out": self.left_out,
        });
        if !self.matrix.arms.is_empty() {
            object["arms"] = json!(self.matrix.arms);
        }
        let Some(details) = &self.details else { return object };
        let segment = |&(segment, points): &(usize, f64)| json!({"segment": segment + 1, "points": points});
        let group = |GroupDifference { by, label, segments, scores, points }: &GroupDifference| json!({"by": by, "group": label, "segments": segments, "scores": scores, "points": points});
        object["segments"] = details.segments.iter().map(segment).collect();
        object["groups"] = details.groups.iter().map(group).collect();
        if let Some(best) = &details.ngrams {
            let ngram = |ngram: &NgramWin| {
                json!({
                    "tokens": ngram.tokens, "matches": [ngram.first, ngram.second], "references": ngram.references,
                    "frequency": ngram.frequency(), "points": ngram.points,
                })
            };
            object["ngrams"] = best.iter().flatten().map(ngram).collect();
        }
        object
    }
}

impl Run {
    /// Compares all systems under every metric.
    ///
    /// # Errors
    /// [`NotLinear`](bleuprint_core::InputErrorKind::NotLinear) of a metric whose statistics are no row, where there is no
    /// other metric; resamples without a score; a label that is not there.
    pub fn compare(&self, request: &CompareRequest) -> Result<Vec<Comparison<'_>>> {
        let of_metric = |place| self.compare_under(request, place);
        let mut comparisons = (0..self.metrics.len()).map(of_metric).collect::<Result<Vec<_>>>()?;
        if let (Some(texts), 2) = (&self.texts, self.systems.len()) {
            let wins = ngram_wins(texts)?;
            for (place, comparison) in comparisons.iter_mut().enumerate().filter(|(_, one)| one.tested) {
                let best = best_ngrams(comparison, &self.rows(place, 0)?, &wins, request.most)?;
                if let Some(details) = &mut comparison.details {
                    details.ngrams = Some(best);
                }
            }
        }
        Ok(comparisons)
    }

    fn compare_under(&self, request: &CompareRequest, place: usize) -> Result<Comparison<'_>> {
        let metric = &self.metrics[place];
        if !metric.zero().is_row() && self.metrics.len() > 1 {
            let score = |system| Ok(self.merged(place, system, 0..self.len())?.score(metric)?.score.value);
            let scores = (0..self.systems.len()).map(score).collect::<Result<Vec<_>>>()?;
            let matrix = Matrix { test: "none", scores, ..Matrix::default() };
            return Ok(Comparison { metric, matrix, tested: false, left_out: 0, details: None });
        }
        let tests = Significance::new(metric, Precision::Exact)?;
        let (common, rows) = self.common_rows(place)?;
        let systems: Vec<&Rows> = rows.iter().collect();
        let higher_is_better = metric.scale().direction == Direction::HigherIsBetter;
        let units = request.unit.as_ref().map(|unit| self.units(unit, &common)).transpose()?;
        let design = Design { higher_is_better, ..request.design };
        let matrix = tests.compare_all(&systems, units.as_ref(), design)?;
        let details = match &systems[..] {
            [first, second] => Some(details(self, request, metric, &common, first, second)?),
            _ => None,
        };
        Ok(Comparison { metric, matrix, tested: true, left_out: self.len() - common.len(), details })
    }

    fn units(&self, label: &str, segments: &[usize]) -> Result<Units> {
        let labels = self.labels.of(label)?;
        Ok(Units::by(segments.iter().map(|&segment| labels[segment])))
    }
}

fn details(
    run: &Run,
    request: &CompareRequest,
    metric: &AnyMetric,
    common: &[usize],
    first: &Rows,
    second: &Rows,
) -> Result<Details> {
    metric.require_rows("be compared")?;
    let finish = |row: &[u64]| score_row(metric, row).unwrap_or(f64::NAN);
    let points = contributions(first, second, &finish)?;
    let mut segments: Vec<(usize, f64)> = common.iter().copied().zip(points).collect();
    segments.sort_by(|one, other| other.1.abs().total_cmp(&one.1.abs()));
    let mut groups = Vec::new();
    for by in &request.by {
        let mut named = run.labels.grouped(by)?;
        for (_, members) in &mut named {
            // Places among the common segments; a group that has none of them says nothing.
            *members = members.iter().filter_map(|member| common.binary_search(member).ok()).collect();
        }
        named.retain(|(_, members)| !members.is_empty());
        let summed = |rows: &Rows| {
            let mut sums = Rows::with_columns(rows.columns());
            named.iter().try_for_each(|(_, members)| sums.push(&rows.sum_of(members.iter().copied())?))?;
            Ok::<Rows, InputError>(sums)
        };
        let (one, other) = (summed(first)?, summed(second)?);
        let points = contributions(&one, &other, &finish)?;
        for (at, ((label, members), points)) in named.into_iter().zip(points).enumerate() {
            let scores = [finish(one.row(at)), finish(other.row(at))];
            groups.push(GroupDifference { by: by.clone(), label, segments: members.len(), scores, points });
        }
    }
    Ok(Details { segments, groups, ngrams: None })
}

fn ngram_wins(texts: &Texts) -> Result<NgramTable> {
    let mut matches = NgramMatches::new(2);
    texts.tokenized(str::to_owned, |hypotheses, references| {
        if let [first, second] = hypotheses {
            matches.add(&[first, second], references);
        }
    })?;
    Ok(matches.finish())
}

/// The n-grams with the largest differences for the first system, then for the second: in points for metrics that count
/// clipped matches by order; for others words, in matches.
fn best_ngrams(
    comparison: &Comparison<'_>,
    first: &Rows,
    wins: &NgramTable,
    most: usize,
) -> Result<[Vec<NgramWin>; 2]> {
    comparison.metric.require_rows("be compared")?;
    let names = column_names(comparison.metric);
    let total = first.total()?;
    let score = comparison.matrix.scores[0];
    let points = |win: &NgramWin| {
        let wanted = format!("clipped_{}", win.tokens.len());
        let column = names.iter().position(|name| *name == wanted)?;
        let mut row = total.clone();
        row[column] = (row[column] + win.second).checked_sub(win.first)?;
        Some(score - score_row(comparison.metric, &row).ok()?)
    };
    let counted = |order: usize| names.iter().any(|name| *name == format!("clipped_{order}"));
    let most_order = (1..).take_while(|&order| counted(order)).count().max(1);
    let mut all: Vec<NgramWin> = wins
        .differing(0, 1)
        .into_iter()
        .filter(|win| win.tokens.len() <= most_order)
        .map(|win| NgramWin { points: points(&win), ..win })
        .collect();
    all.sort_by(|one, other| {
        let size = |win: &NgramWin| win.points.map_or(0.0, f64::abs);
        size(other).total_cmp(&size(one))
    });
    let (first, second): (Vec<NgramWin>, Vec<NgramWin>) =
        all.into_iter().partition(|win| win.first > win.second);
    Ok([first, second].map(|list| list.into_iter().take(most).collect()))
}
