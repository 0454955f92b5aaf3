//! Resampling, comparing, merging, single segments by each interface, and building metrics by name.

use bleuprint::eval::ChosenTokens;
use bleuprint::eval::evaluation::{CompareRequest, Evaluation, TextCorpus};
use bleuprint::families::labels::{LabelOptions, Labels};
use bleuprint::inference::{Design, Power, Precision, ResamplePlan, Significance, Test};
use bleuprint::{Accumulator, AnyMetric, Bleu, Observe, Score as _, Segment, State};

use super::Prepared;
use crate::{Result, given};

fn states(seed: u64) -> Result<Vec<State<<Bleu as bleuprint::Metric>::Stats>>> {
    let bleu = Bleu::default();
    let mut scratch = Default::default();
    let mut state = |(hypothesis, reference): &(Vec<u32>, Vec<u32>)| {
        let references = [&reference[..]];
        State::of_segment(&bleu, &mut scratch, Segment::new(&hypothesis[..], &references))
    };
    Ok(given::ids(seed, 400).iter().map(&mut state).collect::<std::result::Result<_, _>>()?)
}

/// The answer is the sum of the p-values and the bounds of the intervals.
pub(super) fn bootstrap() -> Result<Prepared> {
    let systems = [states(20)?, states(21)?];
    Ok(Box::new(move || {
        let bleu = Bleu::default();
        let tests = Significance::new(&bleu, &systems, Precision::Sacrebleu)?;
        let tested = tests.paired(Test::Bootstrap, ResamplePlan::new(300), None)?;
        Ok(tested.iter().filter_map(|system| system.p_value).sum())
    }))
}

/// Texts of two systems, from counting to ranks; the answer is the sum of the scores and the p-value.
pub(super) fn compare() -> Result<Prepared> {
    let pairs = given::sentences(22, 200);
    let first: Vec<String> = pairs.iter().map(|(hypothesis, _)| hypothesis.clone()).collect();
    let second: Vec<String> = pairs.iter().map(|(own, _)| own.replace("en", "er")).collect();
    let references: Vec<String> = pairs.into_iter().map(|(_, reference)| reference).collect();
    Ok(Box::new(move || {
        let evaluation =
            Evaluation::from_parts(&bleuprint::registry(), ["bleu", "chrf"], &ChosenTokens::standard()?)?;
        let corpus = TextCorpus::new([("a", first.clone()), ("b", second.clone())], [references.clone()])?;
        let run = evaluation.run(corpus)?;
        let design = Design {
            test: Some(Test::Bootstrap),
            plan: ResamplePlan::new(200),
            higher_is_better: true,
            power: Power::default(),
        };
        let request = CompareRequest { design, unit: None, by: Vec::new(), most: 10, correction: None };
        let compared = run.compare(&request)?;
        let sums = compared.iter().map(|of_metric| {
            let pairs = of_metric.matrix.pairs.iter().map(|pair| pair.difference + pair.corrected);
            of_metric.matrix.scores.iter().sum::<f64>() + pairs.sum::<f64>()
        });
        Ok(sums.sum())
    }))
}

/// Rows of some 256 counts: 85 declared labels, with three counts each.
pub(super) fn merge() -> Result<Prepared> {
    let names: Vec<String> = (0..85).map(|label| format!("{label:02}")).collect();
    let labels = Labels::new(LabelOptions { labels: Some(names.clone()), ..LabelOptions::default() })?;
    let mut draws = given::Generator::new(23);
    let mut states = Vec::new();
    let mut all = Accumulator::<_, str>::new(labels.clone());
    for _ in 0..500 {
        let gold = draws.below(names.len());
        let predicted = if draws.below(3) == 0 { draws.below(names.len()) } else { gold };
        states.push(all.push(names[predicted].as_str(), &[names[gold].as_str()])?);
    }
    Ok(Box::new(move || {
        let mut total = State::zero(&labels);
        for _ in 0..40 {
            for state in &states {
                total.merge(state)?;
            }
        }
        Ok(total.score(&labels)?.score.value())
    }))
}

/// The segments of single calls.
const SEGMENTS: usize = 1_000;

/// Prepares a state and a score for each segment.
fn one_by_one<M: Observe<[u32]> + 'static>(metric: M) -> Result<Prepared> {
    let pairs = given::ids(24, SEGMENTS);
    Ok(Box::new(move || {
        let (mut scratch, mut sum) = (M::Scratch::default(), 0.0);
        for (hypothesis, reference) in &pairs {
            let references = [&reference[..]];
            let segment = Segment::new(&hypothesis[..], &references);
            sum += State::of_segment(&metric, &mut scratch, segment)?.score(&metric)?.score.value();
        }
        Ok(sum)
    }))
}

pub(super) fn segment_typed() -> Result<Prepared> {
    one_by_one(Bleu::default().sentence())
}

pub(super) fn segment_erased() -> Result<Prepared> {
    one_by_one(AnyMetric::for_ids(Bleu::default().sentence())?)
}

pub(super) fn segment_accumulator() -> Result<Prepared> {
    let pairs = given::ids(24, SEGMENTS);
    Ok(Box::new(move || {
        let mut all = Accumulator::<_, [u32]>::new(Bleu::default().sentence());
        let mut sum = 0.0;
        for (hypothesis, reference) in &pairs {
            let state = all.push(hypothesis, &[reference])?;
            sum += all.score_of(&state)?.score.value();
        }
        Ok(sum)
    }))
}

/// Builds every metric of the registry by its name; the answer is their number.
pub(super) fn build_metrics() -> Result<Prepared> {
    Ok(Box::new(|| {
        let registry = bleuprint::registry();
        let mut built = 0;
        for entry in registry.entries() {
            entry.build(&entry.example_options())?;
            built += 1;
        }
        Ok(f64::from(built))
    }))
}
