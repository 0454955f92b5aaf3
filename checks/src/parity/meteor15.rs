//! METEOR 1.5 of random texts against the jar in pycocoevalcap: over small lists of ours, over its own WordNet and, if all
//! cases are compared, its table of paraphrases. Counts are equal, scores within 1e-15. Skipped without Java.

use std::fs;
use std::rc::Rc;

use bleuprint::contract::{MetricOptions, Registry};
use bleuprint::text::read::option_file;
use bleuprint::{Accumulator, AnyMetric, Score as _, Stats as _};
use bleuprint_testkit::random::Rng;
use serde_json::json;
use xtask::Result;

use super::ParityRun;
use super::outcome::{FloatBits, difference};
use super::topic::{AnyPart, DrawCase, ParityTopic, PartSize, SinglePart, TopicNeeds};
use crate::pieces;

/// Random cases of each setting.
const CASES: usize = 10_000;

/// Largest accepted difference of scores: the last bit of Java's `Math.pow` may differ.
const LIMIT: f64 = 1e-15;

/// Arguments of the program, and our options.
type Setting = (&'static str, &'static str);

const TINY: &[Setting] = &[
    ("-l en -norm", ""),
    ("-l en -lower -x 3", "norm=lower,beam=3"),
    ("-l en -norm -noPunct -ch -x 1", "norm=nopunct,beam=1,chars"),
    ("-l en -norm -t adq", "task=adq"),
];
const OF_THE_PROGRAM: Setting = ("-l en -norm -m", "modules=exact+stem+synonym");
const WITH_TABLE: Setting = ("-l en -norm", "");

type Case = (String, Vec<String>);

pub(super) const TOPIC: ParityTopic = ParityTopic {
    script: include_str!("meteor15.py"),
    needs: TopicNeeds::Program("METEOR 1.5"),
    seed: 20_140_626,
    parts: |comparison, oracle| {
        let tiny: String = oracle.ask(&json!({ "lists": {
            "synonym/english.synsets": list("meteor15-synsets"),
            "synonym/english.exceptions": list("meteor15-exceptions"),
            "data/paraphrase-en.gz": list("meteor15-paraphrases"),
            "words": pieces::pieces("meteor15-function-words").join("\n"),
        }}))?;
        let mut parts = Vec::new();
        for (arguments, options) in TINY {
            let given = format!("data={tiny},function-words={tiny}/words,{options}");
            parts.push(part(arguments, &given, Box::new(small))?);
        }
        let folder = oracle.about["folder"].as_str().unwrap_or_default();
        let real = Rc::new(corpus(comparison)?);
        // The table takes ten seconds and 2 GB in the program.
        let table = (comparison.cases(CASES) == CASES).then_some(WITH_TABLE);
        for (arguments, options) in [OF_THE_PROGRAM].into_iter().chain(table) {
            let real = Rc::clone(&real);
            let draw = move |rng: &mut Rng| changed(&real, rng);
            parts.push(part(arguments, &format!("data={folder},{options}"), Box::new(draw))?);
        }
        Ok(parts)
    },
};

/// Returns the comparison of one setting.
fn part(arguments: &'static str, given: &str, draw: DrawCase<Case>) -> Result<Box<dyn AnyPart>> {
    let mut options = MetricOptions::default();
    options.set_files(option_file);
    for option in given.split(',').filter(|option| !option.is_empty()) {
        let (name, value) = option.split_once('=').unwrap_or((option, "yes"));
        options.set(name, value);
    }
    let metric = Registry::from_entries(bleuprint_captions::ENTRIES)?.get("meteor15")?.build(&options)?;
    let tiny = given.contains("function-words");
    let kind = if tiny { "METEOR 1.5 over our lists" } else { "METEOR 1.5 over its own data" };
    let mut words: Vec<&str> = arguments.split(' ').collect();
    if words.last() == Some(&"-m") {
        words.push("exact stem synonym");
    }
    Ok(Box::new(SinglePart {
        // Starting Java takes a second.
        size: PartSize::exact(CASES, 2_500),
        draw,
        question: Box::new(move |cases| json!({ "arguments": words, "tiny": tiny, "cases": cases })),
        compare: Box::new(move |report, case, (counts, score): (Vec<u64>, FloatBits)| {
            let (ours, own) = observed(&metric, case)?;
            let mut found = Vec::from_iter(difference("counts", &without_chunks_of_perfect(counts), &ours));
            if (score.value() - own).abs() > LIMIT {
                found.extend(difference("score", &score, &FloatBits::from_value(own)));
            }
            report.case(kind, found, || format!("{case:?}, {arguments}"));
            Ok(())
        }),
    }))
}

fn observed(metric: &AnyMetric, (hypothesis, references): &Case) -> Result<(Vec<u64>, f64)> {
    let references: Vec<[&str; 1]> = references.iter().map(|text| [text.as_str()]).collect();
    let references: Vec<&[&str]> = references.iter().map(|tokens| &tokens[..]).collect();
    let mut all = Accumulator::<_, [&str]>::new(metric);
    all.push(&[hypothesis.as_str()], &references)?;
    let mut row = Vec::new();
    all.total().stats().write_row(&mut row)?;
    Ok((row, all.score()?.score.value()))
}

/// Removes the chunk of texts that are matched whole in one chunk, which our counts do not have.
fn without_chunks_of_perfect(mut counts: Vec<u64>) -> Vec<u64> {
    let matched = |side: usize| (4 + side..20).step_by(2).map(|at| counts[at]).sum::<u64>();
    if counts.len() == 23 && [matched(0), matched(1)] == counts[..2] && counts[20] == 1 {
        counts[20] = 0;
    }
    counts
}

/// Returns the lines of a file of the program, from pieces with bars between lines.
fn list(name: &str) -> String {
    pieces::pieces(name).iter().map(|piece| piece.replace('|', "\n") + "\n").collect()
}

fn small(rng: &mut Rng) -> Case {
    let few: Vec<&str> = (0..rng.between(1, 9)).map(|_| *rng.pick(pieces::pieces("meteor15"))).collect();
    let text = |rng: &mut Rng| {
        let glue = if rng.chance(50) { "" } else { " " };
        (0..rng.below(14)).map(|_| *rng.pick(&few)).collect::<Vec<_>>().join(glue)
    };
    (text(rng), (0..rng.between(1, 3)).map(|_| text(rng)).collect())
}

/// Returns segments of the example data, each with its text in several versions.
fn corpus(comparison: &ParityRun<'_>) -> Result<Vec<Vec<String>>> {
    let mut segments: Vec<Vec<String>> = Vec::new();
    for name in ["ref1", "ref2", "sys-a", "sys-b"] {
        let text = fs::read_to_string(comparison.given.root.join(format!("examples/data/en.{name}.txt")))?;
        for (place, line) in text.lines().enumerate() {
            if segments.len() <= place {
                segments.push(Vec::new());
            }
            segments[place].push(line.to_owned());
        }
    }
    Ok(segments)
}

/// Returns a segment in which some words are deleted, moved, or taken from other segments.
fn changed(segments: &[Vec<String>], rng: &mut Rng) -> Case {
    let versions = rng.pick(segments);
    let text = |rng: &mut Rng| {
        let mut words: Vec<&str> = rng.pick(versions).split(' ').collect();
        for _ in 0..rng.below(6) {
            let one = rng.below(words.len());
            let other = rng.below(words.len());
            match rng.below(3) {
                0 => words.swap(one, other),
                1 if words.len() > 1 => drop(words.remove(one)),
                _ => {
                    let others: Vec<&str> = rng.pick(segments)[0].split(' ').collect();
                    words[one] = others[rng.below(others.len())];
                }
            }
        }
        words.join(" ")
    };
    (text(rng), (0..rng.between(1, 3)).map(|_| text(rng)).collect())
}
