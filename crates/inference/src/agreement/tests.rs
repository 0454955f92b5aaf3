//! Tests of agreement with people: recorded outputs of other programs, and small examples.

use bleuprint_core::Result;
use bleuprint_testkit::recorded::{near, number, numbers, rows_of as recorded};
use serde_json::Value;

use super::calibrate::calibrate;
use super::coins::Coins;
use super::grouping::Cells;
use super::pairs::PairsTest;
use super::ranks::wmt_ranks;
use super::swap::{Hybrids, OfCells, as_large, coins_of, standardized};
use super::vectors::{
    fewer_distinct, kendall_like, pearson, pearson_p, spearman, spearman_p, tau_b_p, tau_b_p_normal,
};
use super::williams::williams;
use super::*;

/// Results of a swap test: the difference of both metrics' statistics, the number of trials with at least
/// this difference, and the statistics of both hybrids in every trial. The first hybrid takes the first
/// metric if the coin is 1.
struct Permuted {
    difference: f64,
    count: u64,
    draws: Vec<[f64; 2]>,
}

/// Runs PERM-BOTH (Deutsch et al. 2021): standardizes the scores of two metrics over the rated cells and
/// swaps them by coins.
fn permuted(
    [human, first, second]: [&Ratings; 3],
    (statistic, grouping, swap): (Statistic, Grouping, Swap),
    coins: impl FnOnce(usize) -> Coins,
) -> Permuted {
    let cells = Cells::new(human, grouping);
    let (of_cells, count) = coins_of(&cells, human, swap);
    let coins = coins(count);
    let values =
        [first, second].map(|metric| standardized(&cells.values("metric", metric).unwrap()).unwrap());
    let hybrids =
        OfCells { statistic, no_value: NoValue::Skip, cells: &cells, coins: of_cells, values: values.into() };
    let difference = hybrids.of_metric(1) - hybrids.of_metric(0);
    let draw = |trial: usize| hybrids.draw(coins.row(trial), &[(0, 1)]);
    let draws: Vec<[f64; 2]> = (0..coins.trials).flat_map(draw).collect();
    let count = draws.iter().filter(|[one, other]| as_large(other - one, difference)).count() as u64;
    Permuted { difference, count, draws }
}

#[test]
fn swapped_items_by_example() -> Result<()> {
    let rated = |scores: [f64; 6]| {
        Ratings::new(
            ["a", "b"].into_iter().zip(scores.chunks(3).map(|row| row.iter().copied().map(Some).collect())),
        )
    };
    let human = rated([1.0, 2.0, 3.0, 2.0, 3.0, 5.0])?;
    let first = rated([3.0, 1.0, 2.0, 1.0, 2.0, 0.0])?;
    let second = rated([1.0, 2.0, 3.0, 2.0, 3.0, 4.0])?;
    let test = (Statistic::Pearson, Grouping::None, Swap::Items);
    let found = permuted([&human, &first, &second], test, |count| Coins::fair(4, 1000, count));
    assert!(found.difference > 0.9 && (1 + found.count) as f64 / 1001.0 < 0.3);
    Ok(())
}

fn ratings(value: &Value) -> Ratings {
    let rows = value.as_array().unwrap().iter().enumerate();
    let row = |(at, row): (usize, &Value)| {
        let cells = row.as_array().unwrap().iter().map(|cell| (!cell.is_null()).then(|| number(cell)));
        (format!("{at:03}"), cells.collect())
    };
    Ratings::new(rows.map(row)).unwrap()
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn recorded_statistics_of_vectors_are_those_of_scipy() {
    for (at, row) in recorded("meta-vector").iter().enumerate() {
        let human = numbers(&row["inputs"]["human"]);
        let metric = numbers(&row["inputs"]["metric"]);
        let expected = &row["outputs"];
        let near = |found: Option<f64>, path: &str| {
            near(found, expected.pointer(path).unwrap_or(&Value::Null), 1e-12, &format!("row {at} {path}"));
        };
        let r = pearson(&human, &metric);
        let rho = spearman(&human, &metric);
        near(r, "/pearson/r");
        near(r.map(|r| pearson_p(r, human.len())), "/pearson/p");
        near(rho, "/spearman/r");
        near(rho.and_then(|rho| spearman_p(rho, human.len())), "/spearman/p");
        let counts = PairCounts::from_scores(&human, &metric);
        let seen = serde_json::to_value(counts).unwrap();
        assert_eq!(seen, expected["counts"], "row {at}");
        near(counts.tau_b(), "/tau_b/tau");
        near(counts.tau_b(), "/mtme_b");
        near(tau_b_p(&human, &metric), "/tau_b/p_auto");
        near(tau_b_p_normal(&human, &metric), "/tau_b/p_asymptotic");
        let tau_c = counts.tau_c(human.len(), fewer_distinct(&human, &metric));
        near(tau_c, "/tau_c/tau");
        near(tau_c, "/mtme_c");
        near(counts.tau_23(), "/mtme_23");
        near(counts.accuracy(), "/mtme_acc23");
        for epsilon in [0.25, 1.0] {
            let counts = PairCounts::of_with_epsilon(&human, &metric, epsilon);
            near(counts.tau_b(), &format!("/mtme_b_eps{epsilon:?}"));
            near(counts.tau_23(), &format!("/mtme_23_eps{epsilon:?}"));
            near(counts.accuracy(), &format!("/mtme_acc23_eps{epsilon:?}"));
        }
        for threshold in [0, 1, 25] {
            let (concordant, pairs) = kendall_like(&human, &metric, f64::from(threshold));
            let known = &expected[format!("kendall_like_{threshold}")];
            assert_eq!(
                (known["concordant"].as_u64(), known["pairs"].as_u64()),
                (Some(concordant), Some(pairs))
            );
            near(
                Statistic::KendallLike(f64::from(threshold)).value(&human, &metric, 0.0),
                &format!("/kendall_like_{threshold}/tau"),
            );
        }
        assert_eq!(expected["agreement"]["agree"].as_u64(), Some(counts.concordant + counts.ties_both));
    }
}

fn question(
    statistic: Statistic,
    level: AgreementLevel,
    grouping: Grouping,
    swap: Swap,
) -> AgreementQuestion {
    AgreementQuestion { statistic, level, grouping, swap }
}

fn asked(set: &JudgedTestSet, question: AgreementQuestion) -> Result<Agreement> {
    Agreement::from_sets(&[set], question, &MetaRequest::default())
}

fn soft(human: &Ratings, metric: &Ratings, name: &str) -> Option<f64> {
    let metrics = vec![MetricScores::new("metric", metric.clone())];
    let set = JudgedTestSet::new("set", human.clone(), metrics).unwrap();
    let question = question(name.parse().unwrap(), AgreementLevel::System, Grouping::None, Swap::Items);
    asked(&set, question).unwrap().metrics[0].value
}

fn set(human: &Value, metric: &Value) -> JudgedTestSet {
    JudgedTestSet::new("set", ratings(human), vec![MetricScores::new("metric", ratings(metric))]).unwrap()
}

const GROUPINGS: [(&str, Grouping); 3] =
    [("none", Grouping::None), ("sys", Grouping::System), ("item", Grouping::Item)];

#[test]
#[ignore = "needs the data beside the checkout"]
fn recorded_grouped_statistics_are_those_of_the_toolkit() {
    let statistics = [
        ("pearson", "pearson"),
        ("spearman", "spearman"),
        ("tau_b", "tau-b"),
        ("acc23", "acc-23"),
        ("tau_23", "tau-23"),
        ("kendall_like_25", "kendall-like"),
        ("kendall_like_1", "kendall-like=1"),
        ("calibrated_acc23", "acc-eq"),
    ];
    for (at, row) in recorded("meta-grouped").iter().enumerate() {
        let set = set(&row["inputs"]["human"], &row["inputs"]["metric"]);
        for (label, grouping) in GROUPINGS {
            for (name, ours) in statistics {
                let expected = &row["outputs"][label][name];
                let swap = if ours == "acc-eq" { Swap::Pairs } else { Swap::Items };
                let statistic = ours.parse().unwrap();
                let answer =
                    asked(&set, question(statistic, AgreementLevel::Segment, grouping, swap)).unwrap();
                let metric = &answer.metrics[0];
                let what = format!("row {at} {label} {name}");
                // The toolkit reports 0 if no group has a value.
                let value = metric.value.or((metric.over == 0).then_some(0.0));
                near(value, &expected["value"], 1e-12, &what);
                if let Some(groups) = expected["groups"].as_u64() {
                    assert_eq!(metric.over, groups, "{what}");
                }
                if let Some(epsilon) = expected.get("epsilon_exact") {
                    assert_eq!(metric.epsilon, epsilon.as_f64(), "{what}");
                }
            }
        }
        let question =
            question(Statistic::PairwisePearson, AgreementLevel::Segment, Grouping::Item, Swap::Items);
        let value = asked(&set, question).unwrap().metrics[0].value;
        near(value, &row["outputs"]["pairwise_difference_pearson"]["value"], 1e-12, "differences");
    }
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn recorded_soft_pairwise_accuracy_is_that_of_the_program() {
    for (at, row) in recorded("spa").iter().enumerate() {
        let human = ratings(&row["inputs"]["human"]);
        let metric = ratings(&row["inputs"]["metric"]);
        let value = soft(&human, &metric, "spa");
        near(value, &row["outputs"]["spa"], 1e-12, &format!("row {at}"));
        let reversed = |ratings: &Ratings| {
            let count = ratings.systems().len();
            Ratings::new((0..count).map(|at| (format!("{:03}", count - at), ratings.row(at).to_vec())))
                .unwrap()
        };
        let backwards = soft(&reversed(&human), &reversed(&metric), "spa");
        near(backwards, &row["outputs"]["spa_with_systems_reversed"], 1e-12, &format!("row {at} reversed"));
        let symmetric = |one: &Ratings, other: &Ratings| soft(one, other, "spa-symmetric");
        let forth = symmetric(&human, &metric);
        let back = symmetric(&reversed(&human), &reversed(&metric));
        assert_eq!(forth, back, "row {at}: the order of systems counts");
        if let Some(exact) = row["outputs"].get("spa_exact") {
            assert!((value.unwrap() - number(exact)).abs() < 0.05);
        }
        let set = set(&row["inputs"]["human"], &row["inputs"]["metric"]);
        let ask = |name: &str| {
            let statistic = name.parse().unwrap();
            asked(&set, question(statistic, AgreementLevel::System, Grouping::None, Swap::Items)).unwrap()
        };
        let pairs = &row["outputs"]["pairwise_accuracy"];
        let counts = ask("accuracy").metrics[0].counts.unwrap();
        assert_eq!(pairs["agree"].as_u64(), Some(counts.concordant + counts.ties_both));
        assert_eq!(pairs["pairs"].as_u64(), Some(counts.pairs()));
    }
}

fn coins(value: &Value) -> Vec<bool> {
    value.as_str().unwrap().bytes().map(|coin| coin == b'1').collect()
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn recorded_the_coins_are_numpys() {
    for row in recorded("spa-coins") {
        let count = |name: &str| row["inputs"][name].as_u64().unwrap() as usize;
        let mut random = crate::NumpyRandom::new(count("seed") as u128);
        for expected in row["outputs"]["coins"].as_array().unwrap() {
            let mut drawn = vec![false; count("items")];
            random.fill_rounded(&mut drawn);
            assert_eq!(drawn, coins(expected));
        }
    }
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn recorded_swapped_cells_are_those_of_the_toolkit() {
    let rows = recorded("perm-both");
    let mut ties = 0;
    for (at, row) in rows.iter().enumerate() {
        let matrix = |name: &str| ratings(&row["inputs"][name]);
        let statistic = match row["options"]["statistic"].as_str().unwrap() {
            "acc23" => Statistic::Acc23,
            "mtme_b" | "tau_b" => Statistic::TauB,
            other => other.parse().unwrap(),
        };
        let label = row["options"]["group_by"].as_str().unwrap();
        let grouping = GROUPINGS.iter().find(|(name, _)| *name == label).unwrap().1;
        let rows: Vec<Vec<bool>> = row["inputs"]["coins"].as_array().unwrap().iter().map(coins).collect();
        let human = matrix("human");
        let first = matrix("metric_1");
        let second = matrix("metric_2");
        let found = permuted([&human, &first, &second], (statistic, grouping, Swap::Cells), |count| {
            let mut next = rows.iter();
            Coins::draw(rows.len(), count, |row| row.copy_from_slice(next.next().unwrap()))
        });
        let what = format!("row {at}: {}", row["options"]);
        near(Some(found.difference), &row["outputs"]["delta"], 1e-12, &what);
        for (draw, expected) in found.draws.iter().zip(row["outputs"]["draws_first_5"].as_array().unwrap()) {
            // The toolkit keeps the hybrid that takes the second metric first.
            near(Some(draw[1]), &expected[0], 1e-12, &what);
            near(Some(draw[0]), &expected[1], 1e-12, &what);
        }
        // Differences that only rounding separates are ties here; the toolkit counts some of them.
        let larger =
            found.draws.iter().filter(|[one, other]| other - one > found.difference + 1e-9).count() as u64;
        let known = row["outputs"]["count"].as_u64().unwrap();
        assert!((larger..=found.count).contains(&known), "{what}: {known}, not {larger} to {}", found.count);
        ties += found.count - larger;
    }
    assert!(ties <= 2 * rows.len() as u64, "{ties}");
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn recorded_swapped_decisions_are_those_of_the_toolkit() {
    let views = |human: &Ratings, metrics: [&Ratings; 2], grouping: Grouping| {
        let systems = human.systems().len();
        let items = human.items();
        let mut groups: Vec<[Vec<f64>; 3]> = Vec::new();
        let mut push = |cells: Vec<(usize, usize)>| {
            let rated: Vec<_> = cells.into_iter().filter(|&(s, i)| human.get(s, i).is_some()).collect();
            let of = |ratings: &Ratings| rated.iter().map(|&(s, i)| ratings.get(s, i).unwrap()).collect();
            groups.push([of(human), of(metrics[0]), of(metrics[1])]);
        };
        match grouping {
            Grouping::None => push((0..systems).flat_map(|s| (0..items).map(move |i| (s, i))).collect()),
            Grouping::System => (0..systems).for_each(|s| push((0..items).map(|i| (s, i)).collect())),
            Grouping::Item => (0..items).for_each(|i| push((0..systems).map(|s| (s, i)).collect())),
        }
        groups
    };
    for (at, row) in recorded("perm-pairs").iter().enumerate() {
        let matrix = |name: &str| ratings(&row["inputs"][name]);
        let label = row["options"]["group_by"].as_str().unwrap();
        let grouping = GROUPINGS.iter().find(|(name, _)| *name == label).unwrap().1;
        let human = matrix("human");
        let first = matrix("metric_1");
        let second = matrix("metric_2");
        let groups = views(&human, [&first, &second], grouping);
        let epsilon = |metric: usize| {
            calibrate(groups.iter().map(|group| (&group[0][..], &group[metric][..])))
                .unwrap()
                .unwrap()
                .epsilon
        };
        // Several thresholds can have the same accuracy, and the toolkit's rounding may have chosen another
        // one. The metrics are therefore tested with the toolkit's threshold.
        let accuracy = |metric: usize, epsilon: f64| -> f64 {
            let groups = groups.iter().filter(|group| group[0].len() > 1);
            let values: Vec<f64> = groups
                .map(|group| {
                    PairCounts::of_with_epsilon(&group[0], &group[metric], epsilon).accuracy().unwrap()
                })
                .collect();
            values.iter().sum::<f64>() / values.len() as f64
        };
        let epsilons = [1, 2].map(|metric| {
            let ours = epsilon(metric);
            let theirs = number(&row["outputs"][format!("epsilon_{metric}")]);
            assert!(
                ours <= theirs && (accuracy(metric, ours) - accuracy(metric, theirs)).abs() < 1e-12,
                "row {at}"
            );
            theirs
        });
        let test = PairsTest::from_scores(
            groups.iter().map(|[h, one, other]| (&h[..], &one[..], &other[..])),
            epsilons,
        );
        if let Some(p) = row["outputs"].get("p_all_trials") {
            near(test.p, p, 1e-12, &format!("row {at}"));
            assert_eq!(Some(test.second), row["outputs"]["only_metric_2_right"].as_u64());
            assert_eq!(Some(test.first), row["outputs"]["only_metric_1_right"].as_u64());
        }
    }
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn recorded_williams_ranks_and_pooled_accuracy() {
    for row in recorded("williams") {
        let of = |name: &str| number(&row["inputs"][name]);
        // The toolkit tests the metric with the higher value against the other one.
        let one = of("r_human_1");
        let other = of("r_human_2");
        let p = williams(one.max(other), one.min(other), of("r_1_2"), of("n") as usize);
        near(p, &row["outputs"]["p_one_sided"], 1e-9, "williams");
        let known = number(&row["outputs"]["p_one_sided"]);
        assert!((p.unwrap() / known - 1.0).abs() < 1e-9);
    }
    for row in recorded("ranks") {
        let p = |better: usize, worse: usize| row["inputs"]["p_upper"][better][worse - better - 1].as_f64();
        let count = row["inputs"]["values"].as_array().unwrap().len();
        let ranks: Vec<u64> = wmt_ranks(count, 0.05, p).iter().map(|rank| *rank as u64).collect();
        assert_eq!(serde_json::to_value(ranks).unwrap(), row["outputs"]["ranks"]);
    }
    for row in recorded("pooled-accuracy") {
        let column = |values: &Value| {
            let rows: Vec<Value> = numbers(values).into_iter().map(|value| vec![value].into()).collect();
            Value::from(rows)
        };
        let sets = row["inputs"]["sets"].as_array().unwrap().iter();
        let sets: Vec<JudgedTestSet> =
            sets.map(|one| set(&column(&one["human"]), &column(&one["metric"]))).collect();
        let question = question(Statistic::Accuracy, AgreementLevel::System, Grouping::None, Swap::Cells);
        let sets: Vec<&JudgedTestSet> = sets.iter().collect();
        let answer = Agreement::from_sets(&sets, question, &MetaRequest::default()).unwrap();
        near(answer.metrics[0].value, &row["outputs"]["accuracy"], 1e-12, "pooled");
        assert_eq!(Some(answer.metrics[0].over), row["outputs"]["pairs"].as_u64());
    }
}

/// Returns human scores and two metrics; the second metric is much closer to the human scores.
fn example(systems: usize, items: usize, missing: usize) -> Result<JudgedTestSet> {
    let noise = |seed: usize| {
        let mixed = (seed as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mixed = (mixed ^ mixed >> 31).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        (mixed >> 40) as f64 / (1 << 24) as f64
    };
    let table = |spread: f64, seed: usize, missing: usize| {
        Ratings::new((0..systems).map(|s| {
            let cell = |i: usize| {
                let rated = missing == 0 || !(s * items + i).is_multiple_of(missing);
                rated.then(|| s as f64 * 0.05 + noise(i) + spread * noise(seed + s * items + i))
            };
            (format!("system {s:02}"), (0..items).map(cell).collect())
        }))
    };
    let metrics = vec![
        MetricScores::new("far", table(4.0, 99_999, 0)?),
        MetricScores::new("near", table(0.3, 55_555, 0)?),
    ];
    JudgedTestSet::new("example", table(0.1, 11_111, missing)?, metrics)
}

#[test]
fn a_better_metric_is_found_by_every_swap() -> Result<()> {
    let whole = example(8, 120, 0)?;
    let gaps = example(8, 120, 41)?;
    let ask = |set: &JudgedTestSet, name: &str, level, grouping, swap| {
        let question = question(name.parse().unwrap(), level, grouping, swap);
        Agreement::from_sets(&[set], question, &MetaRequest { trials: 200, ..MetaRequest::default() })
    };
    for set in [&whole, &gaps] {
        let names = "pearson spearman tau-b tau-c acc-23 tau-23 pairwise-pearson kendall-like=0.2";
        for name in names.split(' ') {
            for grouping in [Grouping::None, Grouping::Item, Grouping::System] {
                for swap in [Swap::Items, Swap::Systems, Swap::Cells] {
                    if grouping == Grouping::None && swap != Swap::Items {
                        continue;
                    }
                    let answer = ask(set, name, AgreementLevel::Segment, grouping, swap)?;
                    assert_eq!(answer.metrics[0].name, "near", "{name} {grouping:?}");
                    let p = answer.p[0][0].unwrap();
                    // With eight systems there are few ways to swap them.
                    assert!(
                        p <= if swap == Swap::Systems { 0.2 } else { 0.01 },
                        "{name} {grouping:?} {swap:?}: {p}"
                    );
                }
            }
        }
        for (name, swap) in [("acc-eq", Swap::Items), ("acc-eq", Swap::Pairs), ("acc-23", Swap::Pairs)] {
            let answer = ask(set, name, AgreementLevel::Segment, Grouping::Item, swap)?;
            assert!(answer.p[0][0].unwrap() <= 0.01 && answer.ranks == [1, 2], "{name} {swap:?}");
        }
        for name in ["spa", "spa-symmetric", "accuracy", "pearson"] {
            for swap in [Swap::Items, Swap::Systems, Swap::Cells] {
                let answer = ask(set, name, AgreementLevel::System, Grouping::None, swap)?;
                assert!(answer.p[0][0].is_some_and(|p| p > 0.0 && p <= 1.0), "{name} {swap:?}");
            }
        }
    }
    Ok(())
}

#[test]
fn what_has_no_answer_says_so() {
    let set = example(5, 20, 3).unwrap();
    let ask = |name: &str, level, grouping, swap, request: MetaRequest| {
        let question = question(name.parse().unwrap(), level, grouping, swap);
        Agreement::from_sets(&[&set], question, &request).map_err(|error| error.to_string())
    };
    let plain = MetaRequest::default;
    let segment = AgreementLevel::Segment;
    let system = AgreementLevel::System;
    for (answer, message) in [
        (ask("pearson", segment, Grouping::Item, Swap::Pairs, plain()), "has no decisions to swap"),
        (
            ask("acc-eq", segment, Grouping::Item, Swap::Cells, plain()),
            "has a separate tie threshold for each metric",
        ),
        (
            ask("acc-eq", system, Grouping::Item, Swap::Items, plain()),
            "at the level of systems, use accuracy",
        ),
        (
            ask("spa", system, Grouping::Item, Swap::Items, MetaRequest { williams: true, ..plain() }),
            "Williams' test is for Pearson's correlation of systems",
        ),
        (
            ask("pearson", system, Grouping::None, Swap::Items, MetaRequest { williams: true, ..plain() }),
            "Williams' test needs complete ratings, but some are missing",
        ),
    ] {
        let error = answer.unwrap_err();
        assert!(error.contains(message), "{error}");
    }
    let two = [&set, &set];
    let question = question(Statistic::Pearson, segment, Grouping::Item, Swap::Items);
    let error = Agreement::from_sets(&two, question, &plain()).unwrap_err().to_string();
    assert!(error.contains("only accuracy can be pooled"), "{error}");
}

#[test]
fn constant_metrics_are_not_tested_and_say_why() -> Result<()> {
    let human = Ratings::new([("a", vec![Some(3.0), Some(2.0)]), ("b", vec![Some(1.0), Some(2.0)])])?;
    let constant = Ratings::new([("a", vec![Some(1.0); 2]), ("b", vec![Some(1.0); 2])])?;
    let metrics = vec![MetricScores::new("constant", constant), MetricScores::new("people", human.clone())];
    let set = JudgedTestSet::new("set", human, metrics)?;
    for (name, level) in [
        ("acc-23", AgreementLevel::Segment),
        ("spa", AgreementLevel::System),
        ("pearson", AgreementLevel::Segment),
    ] {
        let statistic = name.parse().unwrap();
        let answer = asked(&set, question(statistic, level, Grouping::None, Swap::Items))?;
        assert_eq!(
            (&*answer.metrics[0].name, answer.metrics[0].value.map(|r| r > 1.0 - 1e-9)),
            ("people", Some(true)),
            "{name}"
        );
        assert_eq!((answer.p[0][0], &answer.ranks[..]), (None, &[1, 1][..]));
        let why = answer.metrics[1].untested.as_deref().unwrap();
        assert!(["its scores are constant", "it has no value"].contains(&why), "{name}: {why}");
    }
    let zero = MetaRequest { no_value: NoValue::Zero, ..MetaRequest::default() };
    let question = question(Statistic::Pearson, AgreementLevel::Segment, Grouping::Item, Swap::Items);
    assert_eq!(Agreement::from_sets(&[&set], question, &zero)?.metrics[1].value, Some(0.0));
    Ok(())
}

#[test]
fn calibrate_calibrate_by_example() {
    // People tie the first pair, whose metric scores differ by 0.25; the second pair is ordered by both.
    let groups = [(&[1.0, 1.0][..], &[0.5, 0.75][..]), (&[0.0, 2.0][..], &[0.0, 0.5][..])];
    let best = calibrate(groups).unwrap().unwrap();
    assert_eq!((best.value, best.epsilon), (1.0, 0.25));
}

#[test]
fn pairs_of_by_example() {
    let test = PairsTest::from_scores(
        [(&[1.0, 2.0, 3.0][..], &[3.0, 2.0, 1.0][..], &[1.0, 2.0, 3.0][..])],
        [0.0, 0.0],
    );
    assert_eq!((test.second, test.first, test.p), (3, 0, Some(0.125)));
}

#[test]
fn ranks_wmt_ranks_by_example() {
    let p = [[0.0, 0.2, 0.01], [0.0, 0.0, 0.3], [0.0; 3]];
    assert_eq!(wmt_ranks(3, 0.05, |better, worse| Some(p[better][worse])), [1, 1, 2]);
}

#[test]
fn williams_williams_by_example() {
    let p = williams(0.9, 0.8, 0.7, 12).unwrap();
    assert!((p - 0.1709373110811048).abs() < 1e-12);
}

#[test]
fn vectors_pearson_by_example() {
    assert_eq!(pearson(&[1.0, 2.0, 3.0], &[1.0, 2.0, 4.0]).map(|r| (r * 1e6).round()), Some(981_981.0));
    assert_eq!(pearson(&[1.0, 1.0], &[1.0, 2.0]), None);
}

#[test]
fn soft_spa_by_example() -> Result<()> {
    let rated = |scores: [[f64; 3]; 2]| {
        Ratings::new(["a", "b"].into_iter().zip(scores.map(|row| row.map(Some).to_vec())))
    };
    let human = rated([[-0.5, -1.5, 3.25], [-0.75, 1.75, 1.5]])?;
    let metric = rated([[-0.171875, 0.1875, 1.203125], [-0.15625, 1.328125, 0.75]])?;
    assert_eq!(soft(&human, &metric, "spa"), Some(0.872));
    Ok(())
}

/// Tests equal systems. By the published rule the order of names would decide, and the value would be 1 or 0.
#[test]
fn soft_accuracy_of_systems_that_are_alike_is_undefined() {
    let rated = |scores: [[f64; 3]; 3]| {
        Ratings::new(["a", "b", "c"].into_iter().zip(scores.map(|row| row.map(Some).to_vec()))).unwrap()
    };
    let alike = rated([[1.0, 2.0, 0.5]; 3]);
    for rising in [[[0.1; 3], [0.2; 3], [0.3; 3]], [[0.3; 3], [0.2; 3], [0.1; 3]]] {
        let rising = rated(rising);
        for statistic in ["spa", "spa-symmetric"] {
            assert_eq!(soft(&alike, &rising, statistic), None);
            assert_eq!(soft(&rising, &alike, statistic), None);
            assert_eq!(soft(&rising, &rising, statistic), Some(1.0));
        }
    }
}
