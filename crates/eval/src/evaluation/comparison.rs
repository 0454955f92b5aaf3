//! Who is better, by how much, how surely, and where.

use bleuprint::eval::resample::{Design, Matrix, Rows};
use bleuprint::eval::{
    NgramMatches, NgramTable, NgramWin, Precision, Significance, contribution_of_group, contributions,
};
use bleuprint::{AnyMetric, Direction, Metric as _, column_names, score_row};

use crate::evaluation::counted::Counted;
use crate::evaluation::data::Texts;
use crate::shared::failure::{Failure, Result};

/// What to compare, and how much to list.
pub(crate) struct CompareRequest {
    pub(crate) design: Design,
    /// Labels to group by.
    pub(crate) by: Vec<String>,
    /// How many segments and n-grams to list for each system.
    pub(crate) most: usize,
}

/// One metric over all systems, and for two of them, where the difference comes from.
pub(crate) struct Comparison<'c> {
    pub(crate) metric: &'c AnyMetric,
    pub(crate) matrix: Matrix,
    pub(crate) details: Option<Details>,
}

/// Where the difference of the first two systems comes from, in points of the first minus the second.
pub(crate) struct Details {
    pub(crate) segments: Vec<(usize, f64)>,
    pub(crate) groups: Vec<GroupDifference>,
    /// The n-grams with the largest differences for the first system, then for the second, where there are texts.
    pub(crate) ngrams: Option<[Vec<Win>; 2]>,
}

/// The scores of a group of segments, and its part of the difference.
pub(crate) struct GroupDifference {
    pub(crate) by: String,
    pub(crate) label: String,
    pub(crate) segments: usize,
    pub(crate) scores: [f64; 2],
    pub(crate) points: f64,
}

/// An n-gram that the systems do not match equally often, and the points that the first would lose if it did.
pub(crate) struct Win {
    pub(crate) ngram: NgramWin,
    pub(crate) points: Option<f64>,
}

/// Compares all systems under every metric.
pub(crate) fn compare<'c>(
    counted: &'c Counted,
    request: &CompareRequest,
    texts: Option<&Texts>,
) -> Result<Vec<Comparison<'c>>> {
    let of_metric = |place| of_metric(counted, request, place);
    let mut comparisons =
        (0..counted.metrics().len()).map(of_metric).collect::<Result<Vec<Comparison<'_>>, _>>()?;
    if let (Some(texts), 2) = (texts, counted.systems.len()) {
        let wins = ngram_wins(texts)?;
        for (place, comparison) in comparisons.iter_mut().enumerate() {
            let best = best_ngrams(comparison, &counted.rows(place, 0)?, &wins, request.most)?;
            if let Some(details) = &mut comparison.details {
                details.ngrams = Some(best);
            }
        }
    }
    Ok(comparisons)
}

fn of_metric<'c>(counted: &'c Counted, request: &CompareRequest, place: usize) -> Result<Comparison<'c>> {
    let metric = counted.metrics()[place];
    let tests = Significance::new(metric, Precision::Exact)?;
    let rows = counted.all_rows(place)?;
    let systems: Vec<&Rows> = rows.iter().collect();
    let higher_is_better = metric.scale().direction == Direction::HigherIsBetter;
    let matrix = tests.compare_all(&systems, Design { higher_is_better, ..request.design })?;
    let details = match &systems[..] {
        [first, second] => Some(details(counted, request, metric, first, second)?),
        _ => None,
    };
    Ok(Comparison { metric, matrix, details })
}

fn details(
    counted: &Counted,
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
        for (label, members) in counted.labels.grouped(by)? {
            let score = |rows: &Rows| Ok::<f64, Failure>(finish(&rows.sum_of(members.iter().copied())?));
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
) -> Result<[Vec<Win>; 2]> {
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
    let mut all: Vec<Win> =
        wins.differing(0, 1).into_iter().map(|ngram| Win { points: points(&ngram), ngram }).collect();
    all.sort_by(|one, other| {
        let size = |win: &Win| win.points.map_or(0.0, f64::abs);
        size(other).total_cmp(&size(one))
    });
    let (first, second): (Vec<Win>, Vec<Win>) =
        all.into_iter().partition(|win| win.ngram.first > win.ngram.second);
    Ok([first, second].map(|list| list.into_iter().take(most).collect()))
}
