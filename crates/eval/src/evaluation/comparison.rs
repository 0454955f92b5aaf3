//! Compares two or more systems: score differences, their significance, and the segments and n-grams that
//! cause them.

use std::collections::HashMap;

use bleuprint_core::{Direction, Metric as _, Result, column_names, score_row};
use bleuprint_inference::{
    Approach, Correction, Design, PairMatrix, PairTest, Precision, Significance, join, map_with, wilson,
};
use bleuprint_registry::AnyMetric;

use serde_json::{Value, json};

use super::Run;
use crate::matches::differing::DifferingNgram;
use crate::{NgramTable, NgramWin};

/// Settings for comparing systems: the significance test, labels for grouping, and how many segments and
/// n-grams to list.
#[derive(Debug, Clone)]
#[expect(clippy::exhaustive_structs, reason = "closed: a comparison needs all of it")]
pub struct CompareRequest {
    /// Settings of the significance test between systems; each metric decides whether higher is better.
    pub design: Design,
    /// Label, such as a document id: segments with equal values are resampled together, because they depend
    /// on each other. [`SEGMENT`](super::SEGMENT) means single segments; `None` means the unit of the run.
    pub unit: Option<String>,
    /// Names of labels, such as `domain`. Results are given for each group of segments that share a value of
    /// a label.
    pub by: Vec<String>,
    /// Number of segments and n-grams to list for each system: the ones that contribute most to the score
    /// difference.
    pub most: usize,
    /// Correction for multiple testing of the p-values of all groups of a label. `None` computes no tests of
    /// groups.
    pub correction: Option<Correction>,
}

/// Comparison of all systems under one metric. For two systems it includes the segments and n-grams that
/// cause the difference.
#[non_exhaustive]
pub struct Comparison<'r> {
    /// Metric under which the systems are compared.
    pub metric: &'r AnyMetric,
    /// Scores of the systems, tests of every pair, and ranks; only scores if the metric cannot be tested.
    pub matrix: PairMatrix,
    /// `true` if systems were tested under this metric. An unpaired test needs counts, so it excludes metrics
    /// whose statistics are sets.
    pub tested: bool,
    /// Number of segments that were left out of the comparison, because the metric has no value for some
    /// system.
    pub left_out: usize,
    /// Label whose equal values marked segments that were resampled together; `None` for single segments.
    pub unit: Option<String>,
    /// Wilson's 95 % interval of each system's score, if the score is the share of correct segments. `None`
    /// for other scores, and if resamples draw groups of dependent segments.
    pub wilson: Option<Vec<[f64; 2]>>,
    /// Segments, groups and n-grams that cause the score difference, if there are two systems.
    pub details: Option<Details>,
}

/// Segments, groups and n-grams that cause the score difference of two systems, each with its contribution in
/// points of the first system's score minus the second's.
#[non_exhaustive]
pub struct Details {
    /// Index of each segment with its contribution to the score difference, the largest contribution first.
    pub segments: Vec<(usize, f64)>,
    /// Results for groups of segments that share a label value (such as a domain), for every requested label.
    pub groups: Vec<GroupDifference>,
    /// N-grams that the first system matches more often than the second, then the reverse; each list has the
    /// largest differences first. If the metric counts no n-grams, the lists have single words. `None` if
    /// there are no texts.
    pub ngrams: Option<[Vec<NgramWin>; 2]>,
}

/// Scores of two systems on a group of segments with equal label, and the group's contribution to the score
/// difference.
#[non_exhaustive]
pub struct GroupDifference {
    /// Name of the label by which segments are grouped, such as `domain`.
    pub by: String,
    /// Value of the label that all segments of the group share, such as `news`.
    pub label: String,
    /// Number of segments in this group.
    pub segments: usize,
    /// Scores of the two compared systems on the segments of this group.
    pub scores: [f64; 2],
    /// Contribution of this group of segments to the two systems' score difference, in points.
    pub points: f64,
    /// Significance test of the two systems' score difference on this group, if a correction was requested;
    /// its p-value is corrected for all groups of the label.
    pub test: Option<PairTest>,
    /// Wilson's 95 % interval of each system's score on this group, if the score is the share of correct
    /// segments and groups are tested.
    pub wilson: Option<Vec<[f64; 2]>>,
}

impl Comparison<'_> {
    /// Returns the comparison of systems as a JSON object; segments are numbered from 1, systems from 0. The
    /// object has the key `unit` unless single segments were resampled.
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
        if let Some(unit) = &self.unit {
            object["unit"] = json!(unit);
        }
        if !self.matrix.arms.is_empty() {
            object["arms"] = json!(self.matrix.arms);
        }
        if let Some(wilson) = &self.wilson {
            object["wilson"] = json!(wilson);
        }
        let Some(details) = &self.details else { return object };
        let segment = |&(segment, points): &(usize, f64)| json!({"segment": segment + 1, "points": points});
        let group = |group: &GroupDifference| {
            let GroupDifference { by, label, segments, scores, points, test, wilson } = group;
            let mut group =
                json!({"by": by, "group": label, "segments": segments, "scores": scores, "points": points});
            if let Some(test) = test {
                group["test"] = json!(test);
            }
            if let Some(wilson) = wilson {
                group["wilson"] = json!(wilson);
            }
            group
        };
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
    /// Compares all systems of this evaluation under every metric: score differences with significance tests.
    ///
    /// # Errors
    /// Returns an error if resamples have no score, or if there is no label of a requested name.
    pub fn compare(&self, request: &CompareRequest) -> Result<Vec<Comparison<'_>>> {
        // The lists of n-grams ignore weights, so a weighted run has no list.
        let listed = self.systems.len() == 2 && !self.weighted;
        let texts = self.texts.as_ref().filter(|texts| listed && !texts.shown_only);
        let of_metric = |(): &mut (), place| self.compare_under(request, place);
        let compare = || map_with(self.metrics.len(), || (), of_metric).into_iter().collect::<Result<_>>();
        // The n-grams of the texts do not depend on the tests, so both are computed at the same time.
        let (comparisons, wins) =
            join(compare, || texts.map(|texts| texts.ngrams(str::to_owned, 2)).transpose());
        let mut comparisons: Vec<Comparison<'_>> = comparisons?;
        if let Some(wins) = wins? {
            for (place, comparison) in comparisons.iter_mut().enumerate().filter(|(_, one)| one.tested) {
                let best = best_ngrams(comparison, self, place, &wins, request.most)?;
                if let Some(details) = &mut comparison.details {
                    details.ngrams = Some(best);
                }
            }
        }
        Ok(comparisons)
    }

    fn compare_under(&self, request: &CompareRequest, place: usize) -> Result<Comparison<'_>> {
        let metric = &self.metrics[place];
        let higher_is_better = metric.scale().direction == Direction::HigherIsBetter;
        let design = Design { higher_is_better, ..request.design };
        let unit = self.unit_of(request.unit.as_deref());
        let of_two = self.systems.len() == 2;
        let (common, tests) = self.significance(place, Precision::Exact)?;
        let units = self.units(unit, &common)?;
        // Groups use the same kind of test as the whole run.
        let decided = units.as_ref().map(|units| tests.are_decided(units)).transpose()?.unwrap_or(false);
        let matrix = tests.compare_decided(units.as_ref(), decided, design)?;
        let request = &CompareRequest { design, ..request.clone() };
        let details = of_two.then(|| details(self, request, metric, &common, &tests, decided)).transpose()?;
        let is_rate = unit.is_none() && tests.approach() == Approach::Rate;
        let wilson = is_rate.then(|| self.rates(place, &common, &matrix.scores)).flatten();
        let left_out = self.len() - common.len();
        let unit = unit.map(str::to_owned);
        Ok(Comparison { metric, matrix, tested: true, left_out, unit, wilson, details })
    }

    /// Returns Wilson's 95 % interval of each system's score, or `None` unless every score is the share of
    /// correct segments.
    pub(super) fn rates(&self, place: usize, common: &[usize], scores: &[f64]) -> Option<Vec<[f64; 2]>> {
        let of_system = |(system, &score): (usize, &f64)| {
            let metric = &self.metrics[place];
            let of_segment = |&segment: &usize| self.states[system][segment][place].score(metric).ok();
            rate(metric, score, common.iter().map(|segment| Some(of_segment(segment)?.value())))
        };
        scores.iter().enumerate().map(of_system).collect()
    }
}

/// Returns Wilson's 95 % interval of a score that is the share of correct segments: each segment scores 0 or
/// the maximum. Returns `None` for other scores.
fn rate(metric: &AnyMetric, score: f64, each: impl Iterator<Item = Option<f64>>) -> Option<[f64; 2]> {
    let mut successes = 0;
    let mut trials = 0;
    let all = metric.scale().max;
    for one in each {
        let one = one?;
        if one != 0.0 && one != all {
            return None;
        }
        successes += u64::from(one == all);
        trials += 1;
    }
    // The score must be the mean of its segments; weights, or another formula, make it something else.
    let is_mean = (successes as f64 / trials as f64 * all - score).abs() <= 1e-9 * all;
    let [low, high] = wilson(successes, trials, 0.95).ok().filter(|_| is_mean)?;
    Some([low * all, high * all])
}

/// Returns the segments and groups that cause the score difference of the two systems in `two`. `common` are
/// the segments that both systems have.
fn details(
    run: &Run,
    request: &CompareRequest,
    metric: &AnyMetric,
    common: &[usize],
    two: &Significance<'_, AnyMetric>,
    decided: bool,
) -> Result<Details> {
    let mut segments: Vec<(usize, f64)> = common.iter().copied().zip(two.contributions()?).collect();
    segments.sort_by(|one, other| other.1.abs().total_cmp(&one.1.abs()));
    let mut groups = Vec::new();
    for by in &request.by {
        let mut labels = Vec::new();
        let mut places = Vec::new();
        for (label, members) in run.labels.grouped(by)? {
            // Positions among the common segments. A group without a common segment is skipped, as it has no
            // score to compare.
            let members: Vec<usize> =
                members.iter().filter_map(|member| common.binary_search(member).ok()).collect();
            if !members.is_empty() {
                labels.push(label);
                places.push(members);
            }
        }
        if labels.is_empty() {
            continue;
        }
        let grouped = two.grouped(places.iter().map(Vec::as_slice))?;
        let scores = grouped.segment_scores();
        let points = grouped.contributions()?;
        let first = groups.len();
        for (place, (label, points)) in labels.into_iter().zip(points).enumerate() {
            let scores = [scores[0][place], scores[1][place]];
            let segments = places[place].len();
            let by = by.clone();
            let test = None;
            let wilson = None;
            let mut group = GroupDifference { by, label, segments, scores, points, test, wilson };
            if request.correction.is_some() {
                let alone = two.grouped(places[place].iter().map(std::slice::from_ref))?;
                let segments: Vec<usize> = places[place].iter().map(|&member| common[member]).collect();
                test_group(&mut group, run, request, metric, (&alone, &segments, decided))?;
            }
            groups.push(group);
        }
        if let Some(correction) = request.correction {
            correct(&mut groups[first..], correction);
        }
    }
    Ok(Details { segments, groups, ngrams: None })
}

fn test_group(
    group: &mut GroupDifference,
    run: &Run,
    request: &CompareRequest,
    metric: &AnyMetric,
    (two, segments, decided): (&Significance<'_, AnyMetric>, &[usize], bool),
) -> Result<()> {
    let units = run.units(run.unit_of(request.unit.as_deref()), segments)?;
    group.test = two.compare_decided(units.as_ref(), decided, request.design)?.pairs.pop();
    if units.is_none() && two.approach() == Approach::Rate {
        let each = two.segment_scores();
        let of_system =
            |system: usize| rate(metric, group.scores[system], each[system].iter().copied().map(Some));
        group.wilson = (0..2).map(of_system).collect();
    }
    Ok(())
}

/// Corrects the p-values of all groups of one label for multiple testing. Groups without a p-value do not
/// count as tests.
fn correct(groups: &mut [GroupDifference], correction: Correction) {
    let tests = || groups.iter().filter_map(|group| group.test).filter(|test| !test.p_value.is_nan());
    let mut corrected = correction.apply(&tests().map(|test| test.p_value).collect::<Vec<_>>()).into_iter();
    for test in groups.iter_mut().filter_map(|group| group.test.as_mut()) {
        test.corrected = if test.p_value.is_nan() { f64::NAN } else { corrected.next().unwrap_or(f64::NAN) };
    }
}

/// Returns the n-grams that cause most of the score difference. Each list has at most `most` n-grams that one
/// system matches more often than the other. N-grams are ranked by points of score if the metric counts
/// clipped matches by order. Other metrics get words, ranked by matches.
fn best_ngrams(
    comparison: &Comparison<'_>,
    run: &Run,
    place: usize,
    wins: &NgramTable,
    most: usize,
) -> Result<[Vec<NgramWin>; 2]> {
    let names = column_names(comparison.metric);
    let total = if run.is_row(place) { run.rows(place, 0)?.total()? } else { Vec::new() };
    let score = comparison.matrix.scores[0];
    let column = |order: usize| names.iter().position(|name| *name == format!("clipped_{order}"));
    let columns: Vec<usize> = (1..).map_while(column).collect();
    // The points depend on the order and the difference alone, and many n-grams share both.
    let mut known: HashMap<(usize, i128), Option<f64>> = HashMap::new();
    let mut points = |found: &DifferingNgram| {
        let column = *columns.get(wins.order(found.ngram) - 1)?;
        let difference = i128::from(found.second) - i128::from(found.first);
        *known.entry((column, difference)).or_insert_with(|| {
            let mut row = total.clone();
            row[column] = u64::try_from(i128::from(row[column]) + difference).ok()?;
            Some(score - score_row(comparison.metric, &row).ok()?)
        })
    };
    let most_order = columns.len().max(1);
    let mut all: Vec<(DifferingNgram, Option<f64>)> = wins
        .differing(0, 1)
        .into_iter()
        .filter(|found| wins.order(found.ngram) <= most_order)
        .map(|found| (found, points(&found)))
        .collect();
    let size = |points: Option<f64>| points.map_or(0.0, f64::abs);
    all.sort_by(|one, other| size(other.1).total_cmp(&size(one.1)));
    let of_first = |is_first: bool| {
        let own = all.iter().filter(|(found, _)| (found.first > found.second) == is_first);
        own.take(most).map(|&(found, points)| wins.win(found, points)).collect()
    };
    Ok([true, false].map(of_first))
}
