//! Comparisons of two systems: differences, their significance, and the segments that make them.

use bleuprint_core::{AnyMetric, Direction, InputError, Metric as _, Result, column_names, score_row};

use serde_json::{Value, json};

use super::{Run, Texts};
use crate::resample::{Design, Matrix, Rows};
use crate::{
    NgramMatches, NgramTable, NgramWin, Precision, Significance, contribution_of_group, contributions,
};

/// The subject of a comparison, and the lengths of its lists.
pub struct CompareRequest {
    /// How pairs are tested; which direction is better follows from each metric.
    pub design: Design,
    /// Labels to group by.
    pub by: Vec<String>,
    /// How many segments and n-grams to list for each system.
    pub most: usize,
}

/// One metric over all systems, and for two of them, where the difference comes from.
pub struct Comparison<'r> {
    /// The metric.
    pub metric: &'r AnyMetric,
    /// Every pair of systems, and their ranks.
    pub matrix: Matrix,
    /// Of two systems.
    pub details: Option<Details>,
}

/// Where the difference of the first two systems comes from, in points of the first minus the second.
pub struct Details {
    /// Segments, by index, with their part of the difference: the largest first.
    pub segments: Vec<(usize, f64)>,
    /// The groups of every label that was asked for.
    pub groups: Vec<GroupDifference>,
    /// The n-grams with the largest differences for the first system, then for the second, where there are texts.
    pub ngrams: Option<[Vec<NgramDifference>; 2]>,
}

/// The scores of a group of segments, and its part of the difference.
pub struct GroupDifference {
    /// The label.
    pub by: String,
    /// Its value.
    pub label: String,
    /// How many segments have it.
    pub segments: usize,
    /// The score of each system.
    pub scores: [f64; 2],
    /// What the group contributes to the difference of all segments.
    pub points: f64,
}

/// An n-gram that the systems do not match equally often, and the points that the first would lose if it did.
pub struct NgramDifference {
    /// The n-gram, with the matches of both.
    pub ngram: NgramWin,
    /// Under metrics that count clipped matches by order.
    pub points: Option<f64>,
}

impl Comparison<'_> {
    /// As JSON: segments count from 1, systems from 0.
    pub fn to_json(&self) -> Value {
        let mut object = json!({
            "metric": self.metric.identity().name(),
            "key": self.metric.state_key().to_string(),
            "scores": self.matrix.scores,
            "pairs": self.matrix.pairs,
            "ranks": self.matrix.ranks,
        });
        let Some(details) = &self.details else { return object };
        let segment = |&(segment, points): &(usize, f64)| json!({"segment": segment + 1, "points": points});
        let group = |GroupDifference { by, label, segments, scores, points }: &GroupDifference| json!({"by": by, "group": label, "segments": segments, "scores": scores, "points": points});
        object["segments"] = details.segments.iter().map(segment).collect();
        object["groups"] = details.groups.iter().map(group).collect();
        if let Some(best) = &details.ngrams {
            let ngram = |NgramDifference { ngram, points }: &NgramDifference| {
                json!({
                    "tokens": ngram.tokens, "matches": [ngram.first, ngram.second], "references": ngram.references,
                    "frequency": ngram.frequency(), "points": points,
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
    /// [`NotLinear`](bleuprint_core::InputErrorKind::NotLinear) of a metric whose statistics are no row; resamples without
    /// a score; a label that is not there.
    pub fn compare(&self, request: &CompareRequest) -> Result<Vec<Comparison<'_>>> {
        let of_metric = |place| self.compare_under(request, place);
        let mut comparisons = (0..self.metrics.len()).map(of_metric).collect::<Result<Vec<_>>>()?;
        if let (Some(texts), 2) = (&self.texts, self.systems.len()) {
            let wins = ngram_wins(texts)?;
            for (place, comparison) in comparisons.iter_mut().enumerate() {
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
        let tests = Significance::new(metric, Precision::Exact)?;
        let rows = self.all_rows(place)?;
        let systems: Vec<&Rows> = rows.iter().collect();
        let higher_is_better = metric.scale().direction == Direction::HigherIsBetter;
        let matrix = tests.compare_all(&systems, Design { higher_is_better, ..request.design })?;
        let details = match &systems[..] {
            [first, second] => Some(details(self, request, metric, first, second)?),
            _ => None,
        };
        Ok(Comparison { metric, matrix, details })
    }
}

fn details(
    run: &Run,
    request: &CompareRequest,
    metric: &AnyMetric,
    first: &Rows,
    second: &Rows,
) -> Result<Details> {
    metric.require_rows("be compared")?;
    let finish = |row: &[u64]| score_row(metric, row).unwrap_or(f64::NAN);
    let points = contributions(first, second, &finish)?;
    let mut segments: Vec<(usize, f64)> = points.into_iter().enumerate().collect();
    segments.sort_by(|one, other| other.1.abs().total_cmp(&one.1.abs()));
    let mut groups = Vec::new();
    for by in &request.by {
        for (label, members) in run.labels.grouped(by)? {
            let score = |rows: &Rows| Ok::<f64, InputError>(finish(&rows.sum_of(members.iter().copied())?));
            let scores = [score(first)?, score(second)?];
            let points = contribution_of_group(first, second, &members, &finish)?;
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
/// clipped matches by order, else in matches.
fn best_ngrams(
    comparison: &Comparison<'_>,
    first: &Rows,
    wins: &NgramTable,
    most: usize,
) -> Result<[Vec<NgramDifference>; 2]> {
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
    let mut all: Vec<NgramDifference> = wins
        .differing(0, 1)
        .into_iter()
        .map(|ngram| NgramDifference { points: points(&ngram), ngram })
        .collect();
    all.sort_by(|one, other| {
        let size = |win: &NgramDifference| win.points.map_or(0.0, f64::abs);
        size(other).total_cmp(&size(one))
    });
    let (first, second): (Vec<NgramDifference>, Vec<NgramDifference>) =
        all.into_iter().partition(|win| win.ngram.first > win.ngram.second);
    Ok([first, second].map(|list| list.into_iter().take(most).collect()))
}
