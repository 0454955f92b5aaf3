//! Agreement of metrics with human ratings of single items (segments): the statistic is computed for each
//! group of scores and averaged.

use bleuprint_core::Result;

use super::answer::{QuestionAnswers, by_value, p_values, permute, rated_items, standardize};
use super::{AgreementQuestion, Agrees, MetaRequest};
use crate::agreement::calibrate::calibrate;
use crate::agreement::counts::PairCounts;
use crate::agreement::grouping::{Cells, Grouping};
use crate::agreement::pairs::PairsTest;
use crate::agreement::statistic::{Parts, Statistic, added, parts_of_groups};
use crate::agreement::swap::{OfCells, OfGroups, Swap, coins_of};
use crate::agreement::test_set::{JudgedTestSet, MetricScores};

/// Metrics' scores of the rated items, with what the statistic needs of them.
struct ItemScores<'s> {
    set: &'s JudgedTestSet,
    question: AgreementQuestion,
    request: &'s MetaRequest,
    cells: Cells,
    /// Scores of the cells: one list for each metric.
    values: Vec<Vec<f64>>,
    /// Largest difference that counts as a tie, for each metric.
    epsilons: Vec<f64>,
    /// Parts of the statistic for each metric and each group of scores; `None` for a group without a value.
    parts: Vec<Vec<Option<Parts>>>,
}

/// Computes how well the metrics' scores of single items agree with the human scores of these items.
pub(super) fn segments(
    set: &JudgedTestSet,
    question: AgreementQuestion,
    request: &MetaRequest,
) -> Result<QuestionAnswers> {
    let scores = ItemScores::new(set, question, request)?;
    let mut metrics: Vec<Agrees> = (0..scores.values.len()).map(|place| scores.agreement(place)).collect();
    let order = by_value(&metrics);
    let p = scores.compared(&mut metrics, &order)?;
    Ok(QuestionAnswers { metrics, order, p, rated_items: rated_items(set) })
}

impl<'s> ItemScores<'s> {
    fn new(set: &'s JudgedTestSet, question: AgreementQuestion, request: &'s MetaRequest) -> Result<Self> {
        let cells = Cells::new(&set.human, question.grouping);
        let of_metric = |metric: &MetricScores| cells.values(&metric.name, &metric.scores);
        let values: Vec<Vec<f64>> = set.metrics.iter().map(of_metric).collect::<Result<_>>()?;
        let epsilon = |(metric, values): (&MetricScores, &Vec<f64>)| {
            epsilon_of(request.epsilon(&metric.name), question.statistic, &cells, values)
        };
        let epsilons: Vec<f64> = set.metrics.iter().zip(&values).map(epsilon).collect::<Result<_>>()?;
        let parts = values
            .iter()
            .zip(&epsilons)
            .map(|(values, epsilon)| {
                parts_of_groups(question.statistic, &cells, values, *epsilon, request.no_value)
            })
            .collect();
        Ok(ItemScores { set, question, request, cells, values, epsilons, parts })
    }

    /// Returns the agreement of the metric at the index `place`, without tests against other metrics.
    fn agreement(&self, place: usize) -> Agrees {
        let AgreementQuestion { statistic, grouping, .. } = self.question;
        let values = &self.values[place];
        let epsilon = self.epsilons[place];
        let used = self.parts[place].iter().flatten();
        let value =
            if used.clone().next().is_some() { statistic.finish(added(used.clone().copied())) } else { None };
        let over = match statistic {
            // The second part of Kendall-like tau is its number of pairs; all other statistics here are means
            // over groups.
            Statistic::KendallLike(_) => used.map(|parts| parts[1] as u64).sum(),
            _ => used.count() as u64,
        };
        let by_pairs = statistic.is_of_decisions() || matches!(statistic, Statistic::TauB | Statistic::TauC);
        let p_value = value
            // The distributions behind these p-values assume one vector and exact ties.
            .filter(|_| grouping == Grouping::None && epsilon == 0.0)
            .and_then(|value| statistic.p_value(value, &self.cells.human, values));
        Agrees {
            epsilon: (statistic == Statistic::AccEq || epsilon != 0.0).then_some(epsilon),
            counts: by_pairs.then(|| self.pair_counts(place)),
            p_value,
            ..Agrees::new(&self.set.metrics[place], value, over)
        }
    }

    /// Counts the pairs of scores of all groups by whether the metric at `place` orders them as people do.
    fn pair_counts(&self, place: usize) -> PairCounts {
        let of_group = |range: core::ops::Range<usize>| {
            let human = &self.cells.human[range.clone()];
            PairCounts::of_with_epsilon(human, &self.values[place][range], self.epsilons[place])
        };
        self.cells.groups().map(of_group).fold(PairCounts::default(), PairCounts::merge)
    }

    /// Returns the p-values of the differences between the metrics, and marks constant metrics as untested.
    fn compared(self, metrics: &mut [Agrees], order: &[usize]) -> Result<Vec<Vec<Option<f64>>>> {
        let AgreementQuestion { statistic, grouping, swap, .. } = self.question;
        let ItemScores { set, request, cells, values, epsilons, parts, .. } = self;
        let whole_groups =
            matches!((grouping, swap), (Grouping::Item, Swap::Items) | (Grouping::System, Swap::Systems));
        // Single decisions need no trials. Whole groups can be recombined from the parts of both metrics,
        // without computing the statistic again; only other swaps have to build hybrids cell by cell.
        if swap == Swap::Pairs {
            return p_values(metrics, order, &|pairs| {
                let test = |&(worse, better): &(usize, usize)| {
                    let groups = cells.groups().map(|range| {
                        (&cells.human[range.clone()], &values[worse][range.clone()], &values[better][range])
                    });
                    PairsTest::from_scores(groups, [epsilons[worse], epsilons[better]]).p
                };
                Ok(pairs.iter().map(test).collect())
            });
        }
        if whole_groups {
            // The standardized values are not needed; the call marks constant metrics as untested.
            standardize(metrics, &values);
            let groups = parts.first().map_or(0, Vec::len);
            let hybrids = OfGroups { statistic, parts };
            return p_values(metrics, order, &|pairs| permute(&hybrids, pairs, groups, request));
        }
        let standard = standardize(metrics, &values);
        let (coins, count) = coins_of(&cells, &set.human, swap);
        let hybrids =
            OfCells { statistic, no_value: request.no_value, cells: &cells, coins, values: standard };
        p_values(metrics, order, &|pairs| permute(&hybrids, pairs, count, request))
    }
}

/// Returns the largest difference of a metric's scores that counts as a tie. Only `acc-eq` calibrates; a given
/// threshold replaces the calibrated one, as for scores whose ties are known.
fn epsilon_of(given: Option<f64>, statistic: Statistic, cells: &Cells, values: &[f64]) -> Result<f64> {
    if given.is_some() || statistic != Statistic::AccEq {
        return Ok(given.unwrap_or(0.0));
    }
    let groups = cells.groups().map(|range| (&cells.human[range.clone()], &values[range]));
    Ok(calibrate(groups)?.map_or(0.0, |best| best.epsilon))
}
