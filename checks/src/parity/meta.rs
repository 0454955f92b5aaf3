//! Agreement with people, against SciPy's correlations and NumPy's counts: random vectors, groups with gaps, and soft pairwise
//! accuracy.

use bleuprint::inference::agreement::{
    Agreement, AgreementLevel, AgreementQuestion, Grouping, JudgedTestSet, MetaRequest, MetricScores,
    PairCounts, Ratings, Statistic, Swap,
};
use bleuprint_testkit::random::Rng;
use serde::Deserialize;
use serde_json::{Value, json};
use xtask::Result;

use super::topic::{AnyPart, ParityTopic, PartSize, SinglePart, TopicNeeds};

const TRIALS: usize = 200;

/// The places of the p-values of Pearson's and Spearman's correlations among the values.
const CORRELATION_P: [usize; 2] = [1, 3];

#[derive(Debug, Deserialize)]
struct MetaAnswer {
    values: Vec<Option<f64>>,
    #[serde(default)]
    counts: Vec<[u64; 5]>,
    #[serde(default)]
    epsilon: Option<f64>,
}

pub(super) const TOPIC: ParityTopic = ParityTopic {
    script: include_str!("meta.py"),
    needs: TopicNeeds::Versions("SciPy ", "scipy"),
    seed: 2_023,
    parts: |_, _| {
        Ok(vec![
            part("vectors", 16_000, vectors),
            part("groups with gaps", 2_000, groups),
            part("soft pairwise accuracy", 2_000, soft),
        ])
    },
};

/// A question, and our answer.
type Case = (Value, Result<MetaAnswer>);

fn part(what: &str, cases: usize, draw: fn(&mut Rng) -> Case) -> Box<dyn AnyPart> {
    let kind = format!("agreement with people, {what}");
    Box::new(SinglePart {
        size: PartSize::whole(cases, 250),
        draw: Box::new(draw),
        question: Box::new(|cases| cases.iter().map(|(question, _)| question.clone()).collect()),
        compare: Box::new(move |report, (question, ours), theirs| {
            let ours = ours.as_ref().map_err(|error| format!("{question}: {error}"))?;
            report.case(&kind, differences(ours, &theirs), || question.to_string());
            Ok(())
        }),
    })
}

/// Values agree to 12 digits, p-values (which follow from differences of such values) to 9; counts and ties are equal.
fn differences(ours: &MetaAnswer, theirs: &MetaAnswer) -> Vec<String> {
    let near = |one: Option<f64>, other: Option<f64>| match (one, other) {
        (Some(one), Some(other)) => (one - other).abs() <= 1e-9 * one.abs().max(1e-3),
        (one, other) => one.is_none() && other.is_none(),
    };
    // The p-value of a perfect correlation of three values is 0, or the root of the correlation's last bit.
    let is_root = |at: usize, one: &Option<f64>, other: &Option<f64>| {
        CORRELATION_P.contains(&at) && one.zip(*other).is_some_and(|(one, other)| (one - other).abs() < 5e-8)
    };
    let unlike = |(at, (ours, theirs)): (usize, (&Option<f64>, &Option<f64>))| {
        (!near(*ours, *theirs) && !is_root(at, ours, theirs))
            .then(|| format!("value {at}: theirs {theirs:?}, ours {ours:?}"))
    };
    let mut lines: Vec<String> =
        ours.values.iter().zip(&theirs.values).enumerate().filter_map(unlike).collect();
    if ours.values.len() != theirs.values.len() {
        lines.push(format!("{} values, ours are {}", theirs.values.len(), ours.values.len()));
    }
    if ours.counts != theirs.counts {
        lines.push(format!("counts: theirs {theirs:?}, ours {ours:?}"));
    }
    if ours.epsilon != theirs.epsilon {
        lines.push(format!("epsilon: theirs {:?}, ours {:?}", theirs.epsilon, ours.epsilon));
    }
    lines
}

/// Returns scores as people or metrics give them: few classes, negative marks, or digits.
fn scores(rng: &mut Rng, count: usize) -> Vec<f64> {
    let kind = rng.below(5);
    let score = |rng: &mut Rng| match kind {
        0 => rng.below(4) as f64,
        1 => -(rng.below(26) as f64),
        2 => rng.below(101) as f64,
        3 => (rng.below(20_001) as f64 - 10_000.0) / 10_000.0,
        _ => rng.below(33) as f64 / 4.0 - 4.0,
    };
    (0..count).map(|_| score(rng)).collect()
}

/// Returns a metric that follows the human scores more or less.
fn followed(rng: &mut Rng, human: &[f64]) -> Vec<f64> {
    let noise = scores(rng, human.len());
    let weight = *rng.pick(&[0.0, 0.25, 1.0]);
    human.iter().zip(noise).map(|(human, noise)| weight * human + noise).collect()
}

fn vectors(rng: &mut Rng) -> Case {
    let count = if rng.chance(50) { rng.between(100, 300) } else { rng.between(2, 50) };
    let human = scores(rng, count);
    let metric = followed(rng, &human);
    let epsilon = *rng.pick(&[0.25, 1.0, 3.0]);
    let counts = |epsilon: f64| {
        let counts = PairCounts::of_with_epsilon(&human, &metric, epsilon);
        let PairCounts { concordant, discordant, ties_human, ties_metric, ties_both } = counts;
        [concordant, discordant, ties_human, ties_metric, ties_both]
    };
    let of = |statistic: Statistic| statistic.value(&human, &metric, 0.0);
    let tested = |statistic: Statistic| of(statistic).and_then(|r| statistic.p_value(r, &human, &metric));
    let values = vec![
        of(Statistic::Pearson),
        tested(Statistic::Pearson),
        of(Statistic::Spearman),
        tested(Statistic::Spearman),
        of(Statistic::TauB),
        tested(Statistic::TauB),
        // SciPy has none where tau-b has none.
        of(Statistic::TauB).and_then(|_| of(Statistic::TauC)),
        of(Statistic::KendallLike(epsilon)),
    ];
    let question = json!({ "kind": "vectors", "human": human, "metric": metric, "epsilon": epsilon });
    let counts = vec![counts(0.0), counts(epsilon)];
    (question, Ok(MetaAnswer { values, counts, epsilon: None }))
}

fn ratings(rows: impl Iterator<Item = Vec<Option<f64>>>) -> Result<Ratings> {
    Ok(Ratings::new(rows.enumerate().map(|(at, row)| (format!("{at:03}"), row)))?)
}

fn groups(rng: &mut Rng) -> Case {
    let systems = rng.between(1, 7);
    let items = rng.between(1, 12);
    let human: Vec<Vec<f64>> = (0..systems).map(|_| scores(rng, items)).collect();
    let metric: Vec<Vec<f64>> = human.iter().map(|row| followed(rng, row)).collect();
    let gaps = *rng.pick(&[0, 100, 400]);
    let rated = |row: &Vec<f64>, rng: &mut Rng| -> Vec<Option<f64>> {
        row.iter().map(|score| (!rng.chance(gaps)).then_some(*score)).collect()
    };
    let human: Vec<Vec<Option<f64>>> = human.iter().map(|row| rated(row, rng)).collect();
    let question = json!({ "kind": "groups", "human": human, "metric": metric });
    let rates = human.iter().flatten().any(Option::is_some);
    let Some(people) = ratings(human.into_iter()).ok().filter(|_| rates) else { return groups(rng) };
    (question, grouped(people, metric))
}

fn grouped(people: Ratings, metric: Vec<Vec<f64>>) -> Result<MetaAnswer> {
    let scored = ratings(metric.into_iter().map(|row| row.into_iter().map(Some).collect()))?;
    let set = JudgedTestSet::new("case", people, vec![MetricScores::new("metric", scored)])?;
    let ask = |name: &str| -> Result<Agreement> {
        let level = AgreementLevel::Segment;
        let grouping = Grouping::System;
        let swap = Swap::Systems;
        let question = AgreementQuestion { statistic: name.parse()?, level, grouping, swap };
        Ok(Agreement::from_sets(&[&set], question, &MetaRequest::default())?)
    };
    let value = |name: &str| -> Result<Option<f64>> { Ok(ask(name)?.metrics[0].value) };
    let calibrated = ask("acc-eq")?.metrics[0].clone();
    let values = vec![value("pearson")?, value("spearman")?, value("tau-b")?, calibrated.value];
    let epsilon = calibrated.epsilon.filter(|_| calibrated.value.is_some());
    Ok(MetaAnswer { values, counts: Vec::new(), epsilon })
}

/// Returns multiples of 1/64, whose sums are exact in `float32`.
fn soft(rng: &mut Rng) -> Case {
    let systems = rng.between(2, 18);
    let items = rng.between(1, 60);
    let table = |rng: &mut Rng| -> Vec<Vec<f64>> {
        let cell = |rng: &mut Rng| (rng.below(513) as f64 - 256.0) / 64.0;
        (0..systems).map(|_| (0..items).map(|_| cell(rng)).collect()).collect()
    };
    let human = table(rng);
    let metric = table(rng);
    let seed = rng.below(10);
    let question =
        json!({ "kind": "soft", "human": human, "metric": metric, "trials": TRIALS, "seed": seed });
    (question, soft_accuracy(human, metric, seed))
}

fn soft_accuracy(human: Vec<Vec<f64>>, metric: Vec<Vec<f64>>, seed: usize) -> Result<MetaAnswer> {
    let whole =
        |rows: Vec<Vec<f64>>| ratings(rows.into_iter().map(|row| row.into_iter().map(Some).collect()));
    let set = JudgedTestSet::new("case", whole(human)?, vec![MetricScores::new("metric", whole(metric)?)])?;
    let soft = AgreementQuestion {
        statistic: "spa".parse()?,
        level: AgreementLevel::System,
        grouping: Grouping::None,
        swap: Swap::Items,
    };
    let request = MetaRequest { trials: TRIALS, seed: seed as u128, ..MetaRequest::default() };
    let value = Agreement::from_sets(&[&set], soft, &request)?.metrics[0].value;
    Ok(MetaAnswer { values: vec![value], counts: Vec::new(), epsilon: None })
}
