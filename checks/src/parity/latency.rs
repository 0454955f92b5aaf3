//! Latency of simultaneous output against OmniSTEval and SimulEval, over random segments.

use std::collections::BTreeMap;

use bleuprint::Accumulator;
use bleuprint::contract::Choice as _;
use bleuprint_latency::{Delays, Latency, LatencyMeasure, Reference};
use bleuprint_testkit::random::Rng;
use serde_json::{Value, json};
use xtask::Result;

use super::outcome::{FloatBits, ParityReport, difference};
use super::topic::{ParityTopic, PartSize, SinglePart, TopicNeeds};

/// Measures by the name of the program.
type Theirs = BTreeMap<String, BTreeMap<String, Option<FloatBits>>>;

pub(super) const TOPIC: ParityTopic = ParityTopic {
    script: include_str!("latency.py"),
    needs: TopicNeeds::Versions("", "programs"),
    seed: 3_605,
    parts: |_, _| {
        Ok(vec![Box::new(SinglePart {
            size: PartSize::whole(10_000, 250),
            draw: Box::new(LatencyCase::random),
            question: Box::new(|cases| cases.iter().map(LatencyCase::question).collect()),
            compare: Box::new(compare),
        })])
    },
};

fn compare(report: &mut ParityReport, case: &LatencyCase, theirs: Theirs) -> Result {
    for (program, measures) in &theirs {
        let mut lines = Vec::new();
        for (name, theirs) in measures {
            lines.extend(difference(name, theirs, &case.ours(name)?));
        }
        report.case(program, lines, || case.question().to_string());
    }
    Ok(())
}

struct LatencyCase {
    segments: Vec<(Delays, String)>,
    long: bool,
    characters: bool,
    aware: bool,
}

impl LatencyCase {
    /// Returns a random case of one, some or many segments. Times are on a grid, so that delays meet the end,
    /// or are decimals.
    fn random(rng: &mut Rng) -> Self {
        let long = rng.below(3) == 0;
        let grid = *rng.pick(&[0.37, 40.0, 320.0, 500.0]);
        let most = *rng.pick(&[1, 1, 4, 30]);
        let segments = (0..rng.between(1, most)).map(|_| segment(rng, long, grid)).collect();
        LatencyCase { segments, long, characters: rng.below(4) == 0, aware: rng.below(4) == 0 }
    }

    fn question(&self) -> Value {
        let segments = self.segments.iter().map(|(given, reference)| {
            json!({
                "delays": given.delays, "elapsed": given.elapsed, "source_length": given.source_length,
                "recording_end": given.recording_end, "reference": reference,
            })
        });
        let unit = if self.characters { "char" } else { "word" };
        json!({ "segments": segments.collect::<Vec<_>>(), "long": self.long, "unit": unit, "aware": self.aware })
    }

    fn ours(&self, name: &str) -> Result<Option<FloatBits>> {
        let metric = Latency::new(LatencyMeasure::by_name("of", &name.to_lowercase())?);
        let metric = if self.long { metric.long() } else { metric };
        let metric = if self.characters { metric.characters() } else { metric };
        let metric = if self.aware { metric.elapsed() } else { metric };
        let mut all = Accumulator::<_, Delays, Reference>::new(metric);
        for (given, reference) in &self.segments {
            all.push(given, &[&Reference::Text(reference.clone())])?;
        }
        Ok(all.score().ok().map(|scored| FloatBits::from_value(scored.value())))
    }
}

/// Sources of length 0 are for the short form, as OmniSTEval ends there in the long one; references without characters end its AL.
fn segment(rng: &mut Rng, long: bool, grid: f64) -> (Delays, String) {
    let mut at = if long && rng.below(4) == 0 { -3.0 } else { 0.0 };
    let delays: Vec<f64> = (0..rng.below(14))
        .map(|_| {
            at += rng.below(4) as f64;
            at * grid
        })
        .collect();
    let elapsed = delays.iter().enumerate().map(|(place, delay)| delay + 17.3 * (place + 1) as f64).collect();
    let source = rng.between(usize::from(long), 20) as f64 * grid;
    let recording_end = (long && rng.below(2) == 0).then(|| rng.below(40) as f64 * grid);
    let words: Vec<&str> = (0..rng.between(1, 12)).map(|_| *rng.pick(&["a", "bc", "漢字", "é"])).collect();
    let given = Delays { delays, elapsed: Some(elapsed), source_length: source, recording_end };
    (given, words.join(*rng.pick(&[" ", " ", "  "])))
}
