//! Intervals and p-values against the real sacreBLEU's, as bits: random corpora with every option, and three systems
//! of each real language pair.

use std::path::Path;

use bleuprint::eval::resample::{Plan, Rows};
use bleuprint::eval::{
    ChosenTokens, Panel, PanelMetric, Precision, Significance, SystemsSegment, Tested, rows_of,
};
use bleuprint::{Case, TokenizerOptions, registry, tokenizer};
use bleuprint_testkit::random::Rng;
use serde::Deserialize;
use serde_json::{Value, json};

use super::Comparison;
use super::python::Oracle;

const DRIVER: &str = include_str!("significance.py");

/// Random corpora; each with every row of [`CONFIGURATIONS`].
const CORPORA: usize = 60;

/// Resamples and trials of random corpora, and of real ones. sacreBLEU's TER takes a second for 50 segments, so real
/// corpora are cut to this many for it.
const RANDOM_COUNT: usize = 120;
const REAL_COUNT: usize = 1_000;
const TER_SEGMENTS: usize = 100;

/// A metric with options: as we name it, and as sacreBLEU's classes take it.
struct Configuration {
    ours: &'static str,
    metric: &'static str,
    options: fn() -> Value,
}

impl Configuration {
    /// Whether the registry has the metric.
    fn known(&self) -> bool {
        registry().parse(self.ours).is_ok()
    }
}

const CONFIGURATIONS: &[Configuration] = &[
    Configuration { ours: "bleu", metric: "bleu", options: || json!({"tokenize": "none"}) },
    Configuration {
        ours: "bleu:smooth-method=floor,smooth-value=0.3",
        metric: "bleu",
        options: || json!({"tokenize": "none", "smooth_method": "floor", "smooth_value": 0.3}),
    },
    Configuration {
        ours: "bleu:smooth-method=add-k,smooth-value=1",
        metric: "bleu",
        options: || json!({"tokenize": "none", "smooth_method": "add-k", "smooth_value": 1}),
    },
    Configuration {
        ours: "bleu:smooth-method=none,effective-order",
        metric: "bleu",
        options: || json!({"tokenize": "none", "smooth_method": "none", "effective_order": true}),
    },
    Configuration { ours: "chrf", metric: "chrf", options: || json!({}) },
    Configuration {
        ours: "chrf:chrf-word-order=2,chrf-beta=3",
        metric: "chrf",
        options: || json!({"word_order": 2, "beta": 3}),
    },
    Configuration {
        ours: "chrf:chrf-eps-smoothing,chrf-char-order=3",
        metric: "chrf",
        options: || json!({"eps_smoothing": true, "char_order": 3}),
    },
    Configuration { ours: "ter", metric: "ter", options: || json!({}) },
];

/// What sacreBLEU says of one system, as bits.
#[derive(Debug, Clone, Copy, Deserialize, PartialEq, Eq)]
struct Answer {
    score: u64,
    p_value: Option<u64>,
    mean: Option<u64>,
    ci: Option<u64>,
}

/// Several systems on the same segments.
struct Systems {
    name: String,
    hypotheses: Vec<Vec<String>>,
    streams: Vec<Vec<String>>,
}

/// Random corpora.
pub(super) fn random(comparison: &mut Comparison) -> Result<(), String> {
    let mut oracle = Oracle::start(&comparison.python, DRIVER)?;
    let mut rng = Rng::new(7);
    for number in 0..CORPORA {
        let systems = random_systems(&mut rng, number);
        for configuration in CONFIGURATIONS.iter().filter(|one| one.known()) {
            compare(
                comparison,
                &mut oracle,
                configuration,
                &systems,
                "none",
                RANDOM_COUNT,
                "random corpora",
            )?;
        }
    }
    Ok(())
}

/// Three systems of each language pair, where real data is there.
pub(super) fn real(comparison: &mut Comparison) -> Result<(), String> {
    let folder = comparison.root.join(super::sacrebleu::REAL_DATA);
    if !folder.is_dir() {
        println!("  skipped: significance on real data, which is not there");
        return Ok(());
    }
    let mut oracle = Oracle::start(&comparison.python, DRIVER)?;
    for pair in ["en-cs", "zh-en", "he-en", "en-zh"] {
        let systems = real_systems(&folder, pair)?;
        let tokenize = if pair == "en-zh" { "zh" } else { "13a" };
        let bleu = Configuration {
            ours: "bleu",
            metric: "bleu",
            options: if pair == "en-zh" {
                || json!({"tokenize": "zh"})
            } else {
                || json!({"tokenize": "13a"})
            },
        };
        let others = CONFIGURATIONS.iter().filter(|one| ["chrf", "ter"].contains(&one.ours));
        for configuration in std::iter::once(&bleu).chain(others).filter(|one| one.known()) {
            let cut = (configuration.metric == "ter").then(|| systems.cut(TER_SEGMENTS));
            let systems = cut.as_ref().unwrap_or(&systems);
            compare(comparison, &mut oracle, configuration, systems, tokenize, REAL_COUNT, "WMT23 systems")?;
        }
    }
    Ok(())
}

fn compare(
    comparison: &mut Comparison,
    oracle: &mut Oracle,
    configuration: &Configuration,
    systems: &Systems,
    tokenize: &str,
    count: usize,
    data: &str,
) -> Result<(), String> {
    let Configuration { ours, metric, options } = configuration;
    let plan = Plan { seed: 12345, count };
    let rows = Counted::new(ours, tokenize, systems)?;
    let tests = rows.tests()?;
    let all: Vec<&Rows> = rows.systems.iter().collect();
    let shared = json!({
        "metric": metric, "options": options(), "references": systems.streams, "count": count, "seed": "12345",
    });
    let ask = |oracle: &mut Oracle, more: Value| {
        let mut question = shared.clone();
        if let (Some(question), Value::Object(more)) = (question.as_object_mut(), more) {
            question.extend(more);
        }
        oracle.ask(&question)
    };
    let describe = || format!("{ours}, {}", systems.name);
    // TER's corpus score then depends on the order in which sacreBLEU adds: see `differences.toml`.
    let scores = if *metric == "ter" && !systems.streams.len().is_power_of_two() {
        Scores::Within(1e-12)
    } else {
        Scores::Equal
    };

    let question = json!({"question": "confidence", "hypotheses": systems.hypotheses[0]});
    let interval = tests.confidence(all[0], plan).map_err(|error| error.to_string())?;
    let score = tests.score(all[0]).map_err(|error| error.to_string())?;
    let ours = Answer {
        score: score.to_bits(),
        p_value: None,
        mean: Some(interval.mean.to_bits()),
        ci: Some(interval.half_width.to_bits()),
    };
    // CPython's mean refuses lists that mix NumPy's numbers with its own, as chrF's of tiny corpora do.
    match ask(oracle, question) {
        Ok(theirs) => {
            let theirs = serde_json::from_value(theirs).map_err(|error| error.to_string())?;
            comparison.report.case(
                &format!("{metric} intervals of {data}"),
                &differences(&[theirs], &[ours], scores),
                describe,
            );
        }
        Err(error) if error.contains("don't know how to coerce") => {}
        Err(error) => return Err(error),
    }
    for test in ["bs", "ar"] {
        let question = json!({"question": "paired", "test": test, "systems": systems.hypotheses});
        let theirs: Vec<Answer> =
            serde_json::from_value(ask(oracle, question)?).map_err(|error| error.to_string())?;
        let tested = match test {
            "bs" => tests.paired_bootstrap(&all, plan),
            _ => tests.paired_randomization(&all, plan),
        };
        let ours: Vec<Answer> = tested.map_err(|error| error.to_string())?.iter().map(answer).collect();
        // The smallest p there is, for systems that nothing tells apart: the one difference that is meant.
        let smallest = (1.0 / (count + 1) as f64).to_bits();
        let meant = |(theirs, ours): (&Answer, &Answer)| match (theirs.p_value, ours.p_value) {
            (Some(p), Some(one)) if p == smallest && one == 1.0_f64.to_bits() => {
                Answer { p_value: Some(one), ..*theirs }
            }
            _ => *theirs,
        };
        let mut theirs: Vec<Answer> = theirs.iter().zip(&ours).map(meant).collect();
        let mut kind = format!("{metric} paired-{test} of {data}");
        if let (Scores::Within(_), "ar") = (scores, test) {
            // Differences that equal that of the corpora are counted or not by the rounding of their sums.
            theirs.iter_mut().zip(&ours).for_each(|(theirs, ours)| theirs.p_value = ours.p_value);
            kind += " with 3 references, p-values aside";
        }
        comparison.report.case(&kind, &differences(&theirs, &ours, scores), describe);
    }
    Ok(())
}

fn answer(tested: &Tested) -> Answer {
    Answer {
        score: tested.score.to_bits(),
        p_value: tested.p_value.map(f64::to_bits),
        mean: tested.interval.map(|interval| interval.mean.to_bits()),
        ci: tested.interval.map(|interval| interval.half_width.to_bits()),
    }
}

/// How alike the scores of whole corpora must be. All else must be equal in all bits.
#[derive(Clone, Copy)]
enum Scores {
    Equal,
    Within(f64),
}

impl Scores {
    fn alike(self, theirs: u64, ours: u64) -> bool {
        let (their_score, our_score) = (f64::from_bits(theirs), f64::from_bits(ours));
        match self {
            Scores::Equal => theirs == ours,
            Scores::Within(relative) => (their_score - our_score).abs() <= relative * their_score.abs(),
        }
    }
}

fn differences(theirs: &[Answer], ours: &[Answer], scores: Scores) -> Vec<String> {
    let number = |bits: Option<u64>| bits.map(f64::from_bits);
    let mut lines = Vec::new();
    for (system, (theirs, ours)) in theirs.iter().zip(ours).enumerate() {
        let same = Answer { score: ours.score, ..*theirs };
        let theirs = if scores.alike(theirs.score, ours.score) { &same } else { theirs };
        let fields = [
            ("score", Some(theirs.score), Some(ours.score)),
            ("p", theirs.p_value, ours.p_value),
            ("mean", theirs.mean, ours.mean),
            ("ci", theirs.ci, ours.ci),
        ];
        let unlike = fields.iter().filter(|(_, theirs, ours)| theirs != ours);
        lines.extend(unlike.map(|(name, theirs, ours)| {
            format!("system {system}, {name}: sacreBLEU {:?}, ours {:?}", number(*theirs), number(*ours))
        }));
    }
    lines
}

/// The rows of every system under one metric.
struct Counted {
    panel: Panel,
    systems: Vec<Rows>,
}

impl Counted {
    fn new(spec: &str, tokenize: &str, systems: &Systems) -> Result<Self, String> {
        let text = |error: &dyn std::fmt::Display| error.to_string();
        let metric = registry().build(spec).map_err(|error| text(&error))?;
        let chosen = tokenizer(tokenize, &TokenizerOptions::default()).map_err(|error| text(&error))?;
        let chosen = ChosenTokens::new(chosen, Case::Mixed);
        let panel = Panel::new(vec![PanelMetric::new(metric)], &chosen).map_err(|error| text(&error))?;
        let column = |lines: &[Vec<String>], index: usize| -> Vec<String> {
            lines.iter().map(|lines| lines[index].clone()).collect()
        };
        let mut states = Vec::new();
        for index in 0..systems.streams[0].len() {
            let (hypotheses, references) =
                (column(&systems.hypotheses, index), column(&systems.streams, index));
            let hypotheses: Vec<&str> = hypotheses.iter().map(String::as_str).collect();
            let references: Vec<&str> = references.iter().map(String::as_str).collect();
            let segment = SystemsSegment { hypotheses: &hypotheses, references: &references, source: None };
            let observed = segment.observe(&panel, &mut Default::default()).map_err(|error| text(&error))?;
            states.push(observed);
        }
        let rows = |system: usize| {
            rows_of(&panel, states.iter().map(|segment| &segment[system])).map_err(|error| error.to_string())
        };
        let systems = (0..systems.hypotheses.len()).map(rows).collect::<Result<_, _>>()?;
        Ok(Counted { panel, systems })
    }

    fn tests(&self) -> Result<Significance<'_, Panel>, String> {
        Significance::new(&self.panel, Precision::Sacrebleu).map_err(|error| error.to_string())
    }
}

/// Three systems: one at random, one that differs a little, one like the first in every second corpus.
fn random_systems(rng: &mut Rng, number: usize) -> Systems {
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
    Systems { name: format!("random corpus {number}"), hypotheses: vec![first, second, third], streams }
}

fn real_systems(folder: &Path, pair: &str) -> Result<Systems, String> {
    let entries = std::fs::read_dir(folder).map_err(|error| error.to_string())?;
    let mut names: Vec<String> =
        entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort_unstable();
    let read = |part: &str| {
        let of_part = names.iter().filter(|name| name.contains(&format!("{pair}.{part}.")));
        of_part.map(|name| super::sacrebleu::lines(&folder.join(name))).collect::<Result<Vec<_>, _>>()
    };
    Ok(Systems { name: pair.to_owned(), hypotheses: read("hyp")?, streams: read("ref")? })
}

impl Systems {
    fn cut(&self, segments: usize) -> Systems {
        let cut = |lines: &Vec<Vec<String>>| {
            lines.iter().map(|lines| lines.iter().take(segments).cloned().collect()).collect()
        };
        Systems {
            name: format!("{}, {segments} segments", self.name),
            hypotheses: cut(&self.hypotheses),
            streams: cut(&self.streams),
        }
    }
}
