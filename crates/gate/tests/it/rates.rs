//! Simulated rates of wrong fails and wrong passes at a true drop exactly as large as allowed, the hardest
//! case for both; for a rule with groups, in every group. Corpora are drawn from a population whose true drop
//! is known: the example data, by whole documents if documents are drawn.

use crate::support::{bleu, policy};
use bleuprint_core::{Segment, score_row};
use bleuprint_gate::{Evidence, JudgedGroup, Outcome, OutputCounts, judge_rule};
use bleuprint_inference::rows_of;
use bleuprint_inference::{CountRows, NumpyRandom};
use bleuprint_registry::AnyMetric;
use bleuprint_testkit::draws;

/// Number of segments of a document: neighbours in the population, as in real documents.
const DOCUMENT: usize = 4;

/// The baseline and the new output of the population.
struct Population {
    metric: AnyMetric,
    baseline: CountRows,
    new: CountRows,
    /// Output that differs from the baseline's but is equally good, which runs of a recipe mix with the new
    /// output.
    good: CountRows,
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
            let segment = Segment::new(&hypothesis[..], &references);
            bleuprint_core::State::of_segment(&metric, &mut Default::default(), segment).unwrap()
        };
        let states: Vec<_> = example(name).iter().zip(&references).map(state).collect();
        rows_of(&metric, &states).unwrap()
    };
    let (baseline, new, good) = (rows("en.sys-a.txt"), rows("en.sys-b.txt"), rows("en.ref2.txt"));
    let score = |rows: &CountRows| score_row(&metric, &rows.total().unwrap()).unwrap();
    let drop = score(&baseline) - score(&new);
    Population { metric, baseline, new, good, drop }
}

/// Splits segments into parts of equal size. All come from one population, so their true drops are equal.
fn parts(segments: usize, count: usize) -> Vec<JudgedGroup> {
    let size = segments / count;
    let part = |part: usize| JudgedGroup {
        label: (count > 1).then(|| part.to_string()),
        segments: (part * size..(part + 1) * size).collect(),
    };
    (0..count).map(part).collect()
}

#[derive(Debug, Clone, Copy)]
struct Case {
    units: usize,
    documents: bool,
    groups: usize,
    method: &'static str,
    /// Runs of the recipe; each segment of a run is the new output of the population with a probability of
    /// the run's own, at most this far from one half, and else as good as the baseline.
    runs: Option<(usize, f64)>,
}

const USUAL: Case = Case { units: 100, documents: false, groups: 1, method: "paired-bootstrap", runs: None };

impl Population {
    /// Returns the expected drop of a run of the recipe: the mean over the probabilities of its mixture.
    fn expected_drop(&self, spread: f64) -> f64 {
        let [baseline, new, good] = [&self.baseline, &self.new, &self.good].map(|rows| rows.total().unwrap());
        let score = |share: u64| {
            let mixed = |(new, good): (&u64, &u64)| share * new + (1000 - share) * good;
            score_row(&self.metric, &new.iter().zip(&good).map(mixed).collect::<Vec<_>>()).unwrap()
        };
        let (low, high) = ((1000.0 * (0.5 - spread)) as u64, (1000.0 * (0.5 + spread)) as u64);
        let mean = (low..=high).map(score).sum::<f64>() / (high - low + 1) as f64;
        score_row(&self.metric, &baseline).unwrap() - mean
    }

    fn runs(
        &self,
        segments: &[usize],
        runs: Option<(usize, f64)>,
        random: &mut NumpyRandom,
    ) -> Vec<CountRows> {
        let Some((count, spread)) = runs else { return vec![corpus(&self.new, segments)] };
        let probability = |draw: u32| f64::from(draw) / f64::from(u32::MAX);
        let run = |_| {
            let mut draws = vec![0; segments.len() + 1];
            random.fill_indices(u32::MAX, &mut draws);
            let share = 0.5 + spread * (2.0 * probability(draws[0]) - 1.0);
            let mut rows = CountRows::with_columns(self.new.columns());
            for (&segment, &draw) in segments.iter().zip(&draws[1..]) {
                let of = if probability(draw) < share { &self.new } else { &self.good };
                rows.push(of.row(segment)).unwrap();
            }
            rows
        };
        (0..count).map(run).collect()
    }
}

fn corpus(rows: &CountRows, segments: &[usize]) -> CountRows {
    let mut corpus = CountRows::with_columns(rows.columns());
    segments.iter().for_each(|&segment| corpus.push(rows.row(segment)).unwrap());
    corpus
}

/// Returns the shares of fails and passes over many corpora, each of `units` units of the population.
fn rates(population: &Population, case: Case, confidence: f64, corpora: usize) -> [f64; 2] {
    let Case { units, documents, groups, method, runs } = case;
    let unit = if documents { "document" } else { "segment" };
    let test =
        format!("method = \"{method}\"\nresamples = 300\nconfidence = {confidence}\nunit = \"{unit}\"");
    // Metric and name of the rule do not matter here; a gain is a drop below 0, which no policy can allow.
    let drop = runs.map_or(population.drop, |(_, spread)| population.expected_drop(spread));
    assert!(drop > 0.0);
    let policy = policy(&test, &format!("max-drop = {drop}"));
    let length = if documents { DOCUMENT } else { 1 };
    let names: Vec<String> = (0..units * length).map(|segment| (segment / length).to_string()).collect();
    let mut random = NumpyRandom::new(20_261_121);
    let mut drawn = vec![0; units];
    let mut counts = [0, 0];
    for _ in 0..corpora {
        random.fill_indices((population.baseline.len() / length) as u32, &mut drawn);
        let segments: Vec<usize> =
            drawn.iter().flat_map(|&unit| (0..length).map(move |at| unit as usize * length + at)).collect();
        let runs: Vec<OutputCounts> =
            population.runs(&segments, runs, &mut random).into_iter().map(OutputCounts::from).collect();
        let baseline = corpus(&population.baseline, &segments).into();
        let evidence = Evidence {
            metric: &population.metric,
            baseline: Some(&baseline),
            runs: &runs,
            groups: parts(segments.len(), groups),
            units: documents.then_some(("document", &names[..])),
        };
        match judge_rule(&policy, &policy.rules[0], &evidence).outcome {
            Outcome::Fail => counts[0] += 1,
            Outcome::Pass => counts[1] += 1,
            _ => {}
        }
    }
    counts.map(|count| f64::from(count) / corpora as f64)
}

/// Asserts that both rates are at most as stated, at two confidences.
fn require(cases: &[Case]) {
    let (population, corpora) = (population(), draws(1000, 100));
    for &case in cases {
        for confidence in [0.8, 0.95] {
            let tail = 1.0 - confidence;
            // Three standard deviations of a share over this number of runs.
            let limit = tail + 3.0 * (tail * confidence / corpora as f64).sqrt();
            let [fails, passes] = rates(&population, case, confidence, corpora);
            assert!(fails <= limit && passes <= limit, "{case:?} {confidence}: {fails} {passes}");
        }
    }
}

#[test]
fn wrong_fails_and_wrong_passes_are_as_rare_as_stated() {
    require(&[
        USUAL,
        Case { units: 50, ..USUAL },
        Case { units: 60, documents: true, ..USUAL },
        Case { units: 15, documents: true, ..USUAL },
        Case { groups: 4, ..USUAL },
    ]);
}

#[test]
fn by_randomization_they_are_too() {
    let usual = Case { method: "paired-randomization", ..USUAL };
    require(&[
        usual,
        Case { units: 50, ..usual },
        Case { units: 60, documents: true, ..usual },
        Case { units: 15, documents: true, ..usual },
        Case { groups: 4, ..usual },
    ]);
}

/// Uses recipes whose runs hardly differ, and recipes whose runs differ more than segments do.
#[test]
fn over_runs_of_a_recipe_they_are_too() {
    require(&[
        Case { runs: Some((3, 0.1)), ..USUAL },
        Case { runs: Some((3, 0.5)), ..USUAL },
        Case { runs: Some((2, 0.5)), ..USUAL },
        Case { runs: Some((5, 0.5)), ..USUAL },
        Case { runs: Some((3, 0.5)), method: "paired-randomization", ..USUAL },
    ]);
}
