//! Simulated rates: how often the gate fails or passes wrongly where the true drop is just as large as allowed, the hardest
//! case for both; of a rule with groups, in every group. Corpora are drawn from a population whose true drop is known: the example data, whole documents at a
//! time where documents are drawn.

mod support;

use bleuprint_core::{AnyMetric, AnySegment, Segment};
use bleuprint_eval::resample::{NumpyRandom, Rows};
use bleuprint_eval::rows_of;
use bleuprint_gate::{Evidence, Group, Outcome, judge};
use support::{bleu, policy};

const RUNS: usize = 1000;

/// Segments of a document of the population: neighbours, as in real documents.
const DOCUMENT: usize = 4;

/// The baseline and the new output of the population.
struct Population {
    metric: Box<dyn AnyMetric>,
    baseline: Rows,
    new: Rows,
    drop: f64,
}

fn example(name: &str) -> Vec<String> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/data/");
    let text = std::fs::read_to_string(format!("{path}{name}")).unwrap();
    text.lines().map(str::to_owned).collect()
}

fn population() -> Population {
    let metric = bleu();
    let references = example("en.ref1.txt");
    let mut ids = std::collections::HashMap::new();
    let mut tokens = |text: &str| -> Vec<u32> {
        let id = |word: &str| {
            let next = ids.len() as u32;
            *ids.entry(word.to_owned()).or_insert(next)
        };
        text.split(' ').map(id).collect()
    };
    let mut rows = |name: &str| {
        let state = |(hypothesis, reference): (&String, &String)| {
            let (hypothesis, reference) = (tokens(hypothesis), tokens(reference));
            let references = [&reference[..]];
            let segment = AnySegment::Ids(Segment::new(&hypothesis[..], &references));
            metric.observe_one(&mut metric.scratch(), segment).unwrap()
        };
        let states: Vec<_> = example(name).iter().zip(&references).map(state).collect();
        rows_of(&*metric, &states).unwrap()
    };
    let (baseline, new) = (rows("en.sys-a.txt"), rows("en.sys-b.txt"));
    let linear = metric.linear().unwrap();
    let score = |rows: &Rows| linear.score_row(&rows.total().unwrap()).unwrap();
    let drop = score(&baseline) - score(&new);
    Population { metric, baseline, new, drop }
}

/// Segments cut into parts of equal size: as all come from one population, the true drop of each is the same.
fn parts(segments: usize, count: usize) -> Vec<Group> {
    let size = segments / count;
    let part = |part: usize| Group {
        label: (count > 1).then(|| part.to_string()),
        segments: (part * size..(part + 1) * size).collect(),
    };
    (0..count).map(part).collect()
}

/// The shares of fails and passes over many corpora, each of `units` units of the population.
fn rates(
    population: &Population,
    (units, documents, groups): (usize, bool, usize),
    confidence: f64,
) -> [f64; 2] {
    let unit = if documents { "document" } else { "segment" };
    let test = format!("resamples = 300\nconfidence = {confidence}\nunit = \"{unit}\"");
    // Metric and name of the rule do not matter here; a gain is a drop below 0, which no policy can allow.
    assert!(population.drop > 0.0);
    let policy = policy(&test, &format!("max-drop = {}", population.drop));
    let length = if documents { DOCUMENT } else { 1 };
    let names: Vec<String> = (0..units * length).map(|segment| (segment / length).to_string()).collect();
    let mut random = NumpyRandom::new(20_261_121);
    let mut drawn = vec![0; units];
    let mut counts = [0, 0];
    for _ in 0..RUNS {
        random.fill_indices((population.baseline.len() / length) as u32, &mut drawn);
        let segments: Vec<usize> =
            drawn.iter().flat_map(|&unit| (0..length).map(move |at| unit as usize * length + at)).collect();
        let corpus = |rows: &Rows| {
            let mut corpus = Rows::with_columns(rows.columns());
            segments.iter().for_each(|&segment| corpus.push(rows.row(segment)).unwrap());
            corpus
        };
        let (baseline, new) = (corpus(&population.baseline), corpus(&population.new));
        let evidence = Evidence {
            metric: &*population.metric,
            baseline: Some(&baseline),
            new: &new,
            groups: parts(segments.len(), groups),
            documents: documents.then_some(&names[..]),
        };
        match judge(&policy, &policy.rules[0], &evidence).outcome {
            Outcome::Fail => counts[0] += 1,
            Outcome::Pass => counts[1] += 1,
            _ => {}
        }
    }
    counts.map(|count| f64::from(count) / RUNS as f64)
}

#[test]
fn wrong_fails_and_wrong_passes_are_as_rare_as_stated() {
    let population = population();
    for case in [(100, false, 1), (50, false, 1), (60, true, 1), (15, true, 1), (100, false, 4)] {
        for confidence in [0.8, 0.95] {
            let tail = 1.0 - confidence;
            // Three standard deviations of a share of so many runs.
            let limit = tail + 3.0 * (tail * confidence / RUNS as f64).sqrt();
            let [fails, passes] = rates(&population, case, confidence);
            assert!(fails <= limit && passes <= limit, "{case:?} {confidence}: {fails} {passes}");
        }
    }
}
