//! SPICE over random tuples and random synsets, against the classes of SPICE 1.0: numbers of tuples equal, and P, R and F to the
//! bit, of all tuples and of each size. Skipped without a Java that runs source files.

use std::sync::Arc;

use bleuprint::Accumulator;
use bleuprint::families::captions::spice::{Spice, SynsetTable, TupleSimilarity};
use bleuprint_testkit::random::Rng;
use serde::Serialize;
use serde_json::{Value, json};
use xtask::Result;

use super::outcome::{FloatBits, difference};
use super::topic::{ParityTopic, PartSize, SinglePart, TopicNeeds};
use crate::pieces;

#[derive(Debug, Serialize)]
struct SpiceCase {
    synsets: serde_json::Map<String, Value>,
    similar: bool,
    hypothesis: Vec<Vec<&'static str>>,
    /// Tuples of all references, in the order of the references.
    reference: Vec<Vec<&'static str>>,
    #[serde(skip)]
    references: usize,
}

/// F, precision and recall of all tuples and of each size; then the numbers of matched, given and reference tuples.
type Answer = ([FloatBits; 3], [FloatBits; 3], [FloatBits; 3], [FloatBits; 3], [u64; 3]);

pub(super) const TOPIC: ParityTopic = ParityTopic {
    script: include_str!("spice.py"),
    needs: TopicNeeds::Program("SPICE"),
    seed: 20_160_729,
    parts: |_, oracle| {
        let started: Option<Vec<Value>> = oracle.ask(&json!({ "driver": include_str!("spice.java") }))?;
        if started.is_none() {
            println!("  skipped: SPICE, because Java runs no source files here (a JDK 17 does)");
            return Ok(Vec::new());
        }
        Ok(vec![Box::new(SinglePart {
            // Starting Java and compiling the driver takes two seconds.
            size: PartSize::exact(100_000, 25_000),
            draw: Box::new(case),
            question: Box::new(|cases| json!({ "cases": cases })),
            compare: Box::new(|report, case, theirs| {
                report.case("SPICE over tuples", differences(&theirs, case)?, || format!("{case:?}"));
                Ok(())
            }),
        })])
    },
};

fn case(rng: &mut Rng) -> SpiceCase {
    let few: Vec<&str> = (0..rng.between(1, 8)).map(|_| *rng.pick(pieces::pieces("spice"))).collect();
    let tuples = |rng: &mut Rng| -> Vec<Vec<&str>> {
        (0..rng.below(12)).map(|_| (0..rng.between(1, 3)).map(|_| *rng.pick(&few)).collect()).collect()
    };
    let ids = |rng: &mut Rng| json!((0..rng.between(1, 4)).map(|_| rng.below(9)).collect::<Vec<_>>());
    let synsets =
        pieces::pieces("spice-synsets").iter().filter(|_| rng.chance(700)).copied().collect::<Vec<_>>();
    SpiceCase {
        synsets: synsets.into_iter().map(|key| (key.to_owned(), ids(rng))).collect(),
        similar: rng.chance(800),
        hypothesis: tuples(rng),
        reference: tuples(rng),
        references: rng.between(1, 3),
    }
}

fn differences(theirs: &Answer, case: &SpiceCase) -> Result<Vec<String>> {
    let ids =
        |ids: &Value| ids.as_array().into_iter().flatten().filter_map(Value::as_u64).collect::<Vec<_>>();
    let table = SynsetTable::new(case.synsets.iter().map(|(key, value)| (key, ids(value))));
    let similarity = if case.similar { TupleSimilarity::Similar } else { TupleSimilarity::Equal };
    let spice = Spice::default().with_synsets(Arc::new(table)).with_similarity(similarity);
    let token = |tuple: &Vec<&str>| tuple.join("\u{1F}");
    let hypothesis: Vec<String> = case.hypothesis.iter().map(token).collect();
    let all: Vec<String> = case.reference.iter().map(token).collect();
    let size = all.len().div_ceil(case.references).max(1);
    let references: Vec<&[String]> = if all.is_empty() { vec![&[]] } else { all.chunks(size).collect() };
    let mut spice = Accumulator::<_, [String]>::new(spice);
    spice.push(&hypothesis, &references)?;
    let stats = spice.total().stats();
    let scores = [&stats.f, &stats.precision, &stats.recall].map(|sum| FloatBits::from_value(sum.mean(1)));
    let counts = [stats.matched, stats.hypothesis, stats.reference];
    let mut found = Vec::from_iter(difference("F, P, R", &theirs.0, &scores));
    found.extend(difference("tuples", &theirs.4, &counts));
    let sizes = [(&theirs.1, &stats.objects), (&theirs.2, &stats.attributes), (&theirs.3, &stats.relations)];
    for (number, (theirs, ours)) in (1..).zip(sizes) {
        // Without reference tuples of a size the program has no number, and its mean leaves the segment out.
        let theirs = (!theirs[0].value().is_nan()).then_some(theirs[0]);
        let ours = (ours.count() > 0).then(|| FloatBits::from_value(ours.mean(1)));
        found.extend(difference(&format!("F of tuples of {number}"), &theirs, &ours));
    }
    Ok(found)
}
