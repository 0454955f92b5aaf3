//! Agreement of metrics with human ratings of single items (segments): the statistic is computed for each
//! group of scores and averaged.

use bleuprint_core::Result;

use super::answer::{QuestionAnswers, by_value, p_values, permute, rated_items, standardize};
use super::{AgreementQuestion, Agrees, MetaRequest};
use crate::agreement::calibrate::calibrate;
use crate::agreement::counts::PairCounts;
use crate::agreement::grouping::{Cells, Grouping};
use crate::agreement::pairs::PairsTest;
use crate::agreement::statistic::{Statistic, added, parts_of_groups};
use crate::agreement::swap::{OfCells, OfGroups, Swap, coins_of};
use crate::agreement::test_set::JudgedTestSet;

/// Computes how well the metrics' scores of single items agree with the human scores of these items.
pub(super) fn segments(
    set: &JudgedTestSet,
    question: AgreementQuestion,
    request: &MetaRequest,
) -> Result<QuestionAnswers> {
    let AgreementQuestion { statistic, grouping, swap, .. } = question;
    let cells = Cells::new(&set.human, grouping);
    let values: Vec<Vec<f64>> =
        set.metrics.iter().map(|metric| cells.values(&metric.name, &metric.scores)).collect::<Result<_>>()?;
    let views = |values: &'_ Vec<f64>| -> Vec<(Vec<f64>, Vec<f64>)> {
        cells.groups().map(|range| (cells.human[range.clone()].to_vec(), values[range].to_vec())).collect()
    };
    // Only acc-eq calibrates. A given threshold replaces the calibrated one, as for scores whose ties are
    // known.
    let mut epsilons = Vec::with_capacity(values.len());
    for (metric, values) in set.metrics.iter().zip(&values) {
        let given = request.epsilon(&metric.name);
        epsilons.push(match (given, statistic) {
            (None, Statistic::AccEq) => {
                let groups = views(values);
                let best = calibrate(groups.iter().map(|(human, metric)| (&human[..], &metric[..])))?;
                best.map_or(0.0, |best| best.epsilon)
            }
            (given, _) => given.unwrap_or(0.0),
        });
    }
    let parts: Vec<_> = values
        .iter()
        .zip(&epsilons)
        .map(|(values, epsilon)| parts_of_groups(statistic, &cells, values, *epsilon, request.no_value))
        .collect();
    let agrees = |place: usize| {
        let values = &values[place];
        let epsilon = epsilons[place];
        let used = parts[place].iter().flatten();
        let value =
            if used.clone().next().is_some() { statistic.finish(added(used.clone().copied())) } else { None };
        let over = match statistic {
            // The second part of Kendall-like tau is its number of pairs; all other statistics here are means
            // over groups.
            Statistic::KendallLike(_) => used.map(|parts| parts[1] as u64).sum(),
            _ => used.count() as u64,
        };
        let counts = cells
            .groups()
            .map(|range| PairCounts::of_with_epsilon(&cells.human[range.clone()], &values[range], epsilon));
        let by_pairs = statistic.is_of_decisions() || matches!(statistic, Statistic::TauB | Statistic::TauC);
        let p_value = value
            // The distributions behind these p-values assume one vector and exact ties.
            .filter(|_| grouping == Grouping::None && epsilon == 0.0)
            .and_then(|value| statistic.p_value(value, &cells.human, values));
        Agrees {
            epsilon: (statistic == Statistic::AccEq || epsilon != 0.0).then_some(epsilon),
            counts: by_pairs.then(|| counts.fold(PairCounts::default(), PairCounts::merge)),
            p_value,
            ..Agrees::new(&set.metrics[place], value, over)
        }
    };
    let mut metrics: Vec<Agrees> = (0..values.len()).map(agrees).collect();
    let order = by_value(&metrics);
    let whole_groups =
        matches!((grouping, swap), (Grouping::Item, Swap::Items) | (Grouping::System, Swap::Systems));
    // Single decisions need no trials. Whole groups can be recombined from the parts of both metrics, without
    // computing the statistic again; only other swaps have to build hybrids cell by cell.
    let p = if swap == Swap::Pairs {
        p_values(&metrics, &order, &|pairs| {
            let test = |&(worse, better): &(usize, usize)| {
                let groups = cells.groups().map(|range| {
                    (&cells.human[range.clone()], &values[worse][range.clone()], &values[better][range])
                });
                PairsTest::from_scores(groups, [epsilons[worse], epsilons[better]]).p
            };
            Ok(pairs.iter().map(test).collect())
        })?
    } else if whole_groups {
        // The standardized values are not needed; the call marks constant metrics as untested.
        standardize(&mut metrics, &values);
        let groups = parts.first().map_or(0, Vec::len);
        let hybrids = OfGroups { statistic, parts };
        p_values(&metrics, &order, &|pairs| permute(&hybrids, pairs, groups, request))?
    } else {
        let standard = standardize(&mut metrics, &values);
        let (coins, count) = coins_of(&cells, &set.human, swap);
        let hybrids =
            OfCells { statistic, no_value: request.no_value, cells: &cells, coins, values: standard };
        p_values(&metrics, &order, &|pairs| permute(&hybrids, pairs, count, request))?
    };
    Ok(QuestionAnswers { metrics, order, p, rated_items: rated_items(set) })
}
