//! Intervals and p-values against the real sacreBLEU's, as bits: random corpora with every option, and three systems
//! of each real language pair.

use std::path::Path;
use std::rc::Rc;

use bleuprint::inference::{CountRows, ResamplePlan};
use bleuprint::{Case, contract::score_row, registry};
use bleuprint::{
    eval::{ChosenTokens, Panel, SystemsSegment, observe_systems},
    inference::{Precision, Significance, Test, Tested, rows_of},
};
use bleuprint_testkit::random::Rng;
use serde::Deserialize;
use serde_json::{Value, json};
use xtask::Result;

use super::ours;
use super::outcome::{FloatBits, ParityReport, differences};
use super::topic::{ParityTopic, PartSize, SinglePart, TopicNeeds, given_part};

const DRIVER: &str = include_str!("significance.py");

/// Resamples and trials of random corpora, and of real ones. sacreBLEU's TER takes a second for 50 segments, so real
/// corpora are cut to this many for it.
const RANDOM_COUNT: usize = 120;
const REAL_COUNT: usize = 1_000;
const TER_SEGMENTS: usize = 100;

/// A metric with options: as we name it, then as sacreBLEU's classes take it.
type Configuration = (&'static str, &'static str, &'static str);

#[rustfmt::skip]
const CONFIGURATIONS: &[Configuration] = &[
    ("bleu", "bleu", r#"{"tokenize": "none"}"#),
    ("bleu:smooth-method=floor,smooth-value=0.3", "bleu",
        r#"{"tokenize": "none", "smooth_method": "floor", "smooth_value": 0.3}"#),
    ("bleu:smooth-method=add-k,smooth-value=1", "bleu",
        r#"{"tokenize": "none", "smooth_method": "add-k", "smooth_value": 1}"#),
    ("bleu:smooth-method=none,effective-order", "bleu",
        r#"{"tokenize": "none", "smooth_method": "none", "effective_order": true}"#),
    ("chrf", "chrf", "{}"),
    ("chrf:chrf-word-order=2,chrf-beta=3", "chrf", r#"{"word_order": 2, "beta": 3}"#),
    ("chrf:chrf-eps-smoothing,chrf-char-order=3", "chrf", r#"{"eps_smoothing": true, "char_order": 3}"#),
    ("ter", "ter", "{}"),
];

#[derive(Debug, Clone, Copy, Deserialize, PartialEq, Eq)]
struct SignificanceAnswer {
    score: FloatBits,
    #[serde(default)]
    p_value: Option<FloatBits>,
    mean: Option<FloatBits>,
    ci: Option<FloatBits>,
}

struct RandomSystems {
    name: String,
    hypotheses: Vec<Vec<String>>,
    streams: Vec<Vec<String>>,
}

/// Answer of sacreBLEU: an interval of the first system, if it has one, and the paired bootstrap and permutation tests.
type Answers = (Option<SignificanceAnswer>, Vec<SignificanceAnswer>, Vec<SignificanceAnswer>);

pub(super) const RANDOM: ParityTopic = ParityTopic {
    script: DRIVER,
    needs: TopicNeeds::Nothing,
    seed: 7,
    parts: |_, _| {
        let configurations = CONFIGURATIONS.len();
        let mut number = 0;
        let draw = move |rng: &mut Rng| {
            let systems = Rc::new(random_systems(rng, number / configurations));
            let configuration = CONFIGURATIONS[number % configurations];
            number += 1;
            let count = RANDOM_COUNT;
            TestedCase { data: "random corpora", systems, configuration, tokenize: "none", count }
        };
        Ok(vec![Box::new(SinglePart {
            size: PartSize::whole(60 * configurations, configurations),
            draw: Box::new(draw),
            question: Box::new(|cases| cases.iter().map(TestedCase::question).collect()),
            compare: Box::new(|report, case, theirs| case.compare(report, theirs)),
        })])
    },
};

/// Three systems of a language pair, if real data is available.
pub(super) const REAL: ParityTopic = ParityTopic {
    script: DRIVER,
    needs: TopicNeeds::Nothing,
    seed: 0,
    parts: |comparison, _| {
        let folder = comparison.given.root.join(super::sacrebleu::REAL_DATA);
        if !folder.is_dir() {
            println!("  skipped: significance on real data, which is not there");
            return Ok(Vec::new());
        }
        let mut cases = Vec::new();
        for pair in comparison.turn(vec!["en-cs", "zh-en", "he-en", "en-zh"]) {
            let all = Rc::new(real_systems(&folder, pair)?);
            let (tokenize, options) = if pair == "en-zh" {
                ("zh", r#"{"tokenize": "zh"}"#)
            } else {
                ("13a", r#"{"tokenize": "13a"}"#)
            };
            for configuration in [("bleu", "bleu", options), ("chrf", "chrf", "{}"), ("ter", "ter", "{}")] {
                let is_slow = configuration.0 == "ter";
                let systems = if is_slow { Rc::new(all.cut(TER_SEGMENTS)) } else { Rc::clone(&all) };
                let count = REAL_COUNT;
                cases.push(TestedCase { data: "WMT23 systems", systems, configuration, tokenize, count });
            }
        }
        let questions = |cases: &[TestedCase]| cases.iter().map(TestedCase::question).collect::<Value>();
        Ok(vec![given_part(cases, 1, questions, |report, case, theirs| case.compare(report, theirs))])
    },
};

struct TestedCase {
    data: &'static str,
    systems: Rc<RandomSystems>,
    configuration: Configuration,
    tokenize: &'static str,
    /// Number of bootstrap resamples, which is also the number of trials of the permutation test.
    count: usize,
}

impl TestedCase {
    fn compare(&self, report: &mut ParityReport, (confidence, bootstrap, randomization): Answers) -> Result {
        let TestedCase { data, systems, .. } = self;
        let (ours, metric, _) = self.configuration;
        let plan = ResamplePlan { seed: 12345, count: self.count };
        let counted = CountedSystems::new(ours, self.tokenize, systems)?;
        let all = &counted.systems;
        let tests = Significance::of_rows(&counted.panel, all, Precision::Sacrebleu)?;
        let describe = || format!("{ours}, {}", systems.name);
        // TER's corpus score then depends on the order in which sacreBLEU adds: see `differences.toml`.
        let inexact = metric == "ter" && !systems.streams.len().is_power_of_two();
        let alike = |theirs: SignificanceAnswer, ours: &SignificanceAnswer| {
            let one = theirs.score.value();
            let other = ours.score.value();
            let near = inexact && (one - other).abs() <= 1e-12 * one.abs();
            SignificanceAnswer { score: if near { ours.score } else { theirs.score }, ..theirs }
        };
        if let Some(theirs) = confidence {
            let interval = tests.confidence(plan)?[0].interval.ok_or("there is no interval")?;
            let ours = SignificanceAnswer {
                score: FloatBits::from_value(score_row(&counted.panel, &all[0].total()?)?),
                p_value: None,
                mean: Some(FloatBits::from_value(interval.mean)),
                ci: Some(FloatBits::from_value(interval.half_width)),
            };
            let differences = differences!(&alike(theirs, &ours), &ours, [score, p_value, mean, ci]);
            report.case(&format!("{metric} intervals of {data}"), differences, describe);
        }
        let both = [("bs", Test::Bootstrap, bootstrap), ("ar", Test::Randomization, randomization)];
        for (name, test, theirs) in both {
            let ours = tests.paired(test, plan, None)?;
            // Differences that equal that of the corpora are counted or not by the rounding of their sums.
            let without_p = inexact && name == "ar";
            let differences = theirs.iter().zip(&ours).enumerate().flat_map(|(system, (theirs, ours))| {
                let ours = answer(ours);
                let theirs = alike(self.meant(*theirs, ours, without_p), &ours);
                let lines = differences!(&theirs, &ours, [score, p_value, mean, ci]);
                lines.into_iter().map(move |line| format!("system {system}, {line}"))
            });
            let aside = if without_p { " with 3 references, p-values aside" } else { "" };
            report.case(&format!("{metric} paired-{name} of {data}{aside}"), differences, describe);
        }
        Ok(())
    }

    fn question(&self) -> Value {
        let (_, metric, options) = self.configuration;
        let options: Value = serde_json::from_str(options).unwrap_or_default();
        json!({
            "metric": metric, "options": options, "references": self.systems.streams, "count": self.count,
            "seed": "12345", "systems": self.systems.hypotheses,
        })
    }

    /// Their answer with our p-value where it is meant to be another: the smallest there is, for systems that nothing
    /// tells apart; or where it is not compared.
    fn meant(
        &self,
        theirs: SignificanceAnswer,
        ours: SignificanceAnswer,
        without_p: bool,
    ) -> SignificanceAnswer {
        let smallest = FloatBits::from_value(1.0 / (self.count + 1) as f64);
        let meant = theirs.p_value == Some(smallest) && ours.p_value == Some(FloatBits::from_value(1.0));
        SignificanceAnswer {
            p_value: if meant || without_p { ours.p_value } else { theirs.p_value },
            ..theirs
        }
    }
}

fn answer(tested: &Tested) -> SignificanceAnswer {
    SignificanceAnswer {
        score: FloatBits::from_value(tested.score),
        p_value: tested.p_value.map(FloatBits::from_value),
        mean: tested.interval.map(|interval| FloatBits::from_value(interval.mean)),
        ci: tested.interval.map(|interval| FloatBits::from_value(interval.half_width)),
    }
}

struct CountedSystems {
    panel: Panel,
    systems: Vec<CountRows>,
}

impl CountedSystems {
    fn new(spec: &str, tokenize: &str, systems: &RandomSystems) -> Result<Self> {
        let chosen = ChosenTokens::new(ours::tokenizer(tokenize)?, Case::Mixed);
        let panel = Panel::new([registry().build(spec)?], &chosen)?;
        let column = |lines: &'_ [Vec<String>], index: usize| -> Vec<String> {
            lines.iter().map(|lines| lines[index].clone()).collect()
        };
        let mut states = Vec::new();
        for index in 0..systems.streams[0].len() {
            let hypotheses = column(&systems.hypotheses, index);
            let references = column(&systems.streams, index);
            let hypotheses = ours::strs(&hypotheses);
            let references = ours::strs(&references);
            let segment = SystemsSegment { hypotheses: &hypotheses, references: &references, source: None };
            states.extend(observe_systems(&panel, &[segment])?);
        }
        let rows = |system: usize| rows_of(&panel, states.iter().map(|segment| &segment[system]));
        let systems = (0..systems.hypotheses.len()).map(rows).collect::<std::result::Result<_, _>>()?;
        Ok(CountedSystems { panel, systems })
    }
}

/// Returns three systems: a random one, a slightly different one, and in every second corpus a copy of the
/// first.
fn random_systems(rng: &mut Rng, number: usize) -> RandomSystems {
    const WORDS: &[&str] = &["a", "b", "c", "dd", "ee", "fff"];
    let line = |rng: &mut Rng| {
        let length = rng.below(9);
        (0..length).map(|_| WORDS[rng.below(WORDS.len())]).collect::<Vec<_>>().join(" ")
    };
    let segments = 2 + rng.below(40);
    let streams = 1 + rng.below(3);
    let streams: Vec<Vec<String>> =
        (0..streams).map(|_| (0..segments).map(|_| line(rng)).collect()).collect();
    let near = |rng: &mut Rng, index: usize| {
        if rng.below(3) == 0 { line(rng) } else { streams[rng.below(streams.len())][index].clone() }
    };
    let first: Vec<String> = (0..segments).map(|index| near(rng, index)).collect();
    let second: Vec<String> = (0..segments).map(|index| near(rng, index)).collect();
    let third =
        if number.is_multiple_of(2) { first.clone() } else { (0..segments).map(|_| line(rng)).collect() };
    RandomSystems { name: format!("random corpus {number}"), hypotheses: vec![first, second, third], streams }
}

fn real_systems(folder: &Path, pair: &str) -> Result<RandomSystems> {
    let entries = std::fs::read_dir(folder)?;
    let mut names: Vec<String> =
        entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort_unstable();
    let read = |part: &str| {
        let of_part = names.iter().filter(|name| name.contains(&format!("{pair}.{part}.")));
        of_part.map(|name| super::sacrebleu::lines(&folder.join(name))).collect::<Result<Vec<_>>>()
    };
    Ok(RandomSystems { name: pair.to_owned(), hypotheses: read("hyp")?, streams: read("ref")? })
}

impl RandomSystems {
    fn cut(&self, segments: usize) -> RandomSystems {
        let cut = |lines: &Vec<Vec<String>>| {
            lines.iter().map(|lines| lines.iter().take(segments).cloned().collect()).collect()
        };
        RandomSystems {
            name: format!("{}, {segments} segments", self.name),
            hypotheses: cut(&self.hypotheses),
            streams: cut(&self.streams),
        }
    }
}
