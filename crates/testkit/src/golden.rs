//! Test cases with expected results (golden rows): a metric, texts, and the numbers that a reference program
//! computes for them, as JSON Lines in `crates/testkit/data`.
//!
//! The files are compiled in, so tests need no working directory. Rows are read strictly: an unknown key, a
//! malformed row or a repeated name is an error that gives the file and the line.
//!
//! ```
//! let rows = bleuprint_testkit::golden::rows("papineni");
//! let row = rows.iter().find(|row| row.name == "seven-times-the").expect("a row by this name");
//! assert_eq!(row.expected.parts["counts"], serde_json::json!([2]));
//! ```

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

macro_rules! files {
    ($($name:literal: $path:literal),+ $(,)?) => {
        &[$(($name, $path, include_str!(concat!("../data/", $path)))),+]
    };
}

const FILES: &[(&str, &str, &str)] = files! {
    "papineni": "bleu/papineni.jsonl",
    "sacrebleu": "bleu/sacrebleu.jsonl",
    "smoothing": "bleu/smoothing.jsonl",
    "chrf": "chrf/golden.jsonl",
    "ter": "ter/golden.jsonl",
    "wer": "wer/golden.jsonl",
    "compounds": "wer/compounds.jsonl",
    "rouge": "rouge/golden.jsonl",
    "squad": "squad/golden.jsonl",
    "meteor": "meteor/golden.jsonl",
    "distinct": "distinct/golden.jsonl",
    "nist": "nist/golden.jsonl",
    "cider": "cider/golden.jsonl",
    "sari": "sari/golden.jsonl",
};

/// Returns the names of the files of test cases with expected results, such as `papineni`.
pub fn files() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|(name, ..)| *name)
}

/// Returns the test cases of a file, with their texts.
///
/// # Panics
/// Panics if there is no such file or it is malformed.
pub fn rows(file: &str) -> Vec<GoldenRow> {
    let found = FILES.iter().find(|(name, ..)| *name == file);
    let Some((_, path, text)) = found else {
        panic!("no golden file named `{file}`; there are {}", files().collect::<Vec<_>>().join(", "))
    };
    parse(text).unwrap_or_else(|error| panic!("crates/testkit/data/{path}: {error}"))
}

/// Parses test cases from JSON Lines, one case a line; the error message describes the fault.
pub fn parse(text: &str) -> Result<Vec<GoldenRow>, String> {
    let mut rows: Vec<GoldenRow> = json_lines(text)?;
    let mut names = HashSet::new();
    if let Some(row) = rows.iter().find(|row| !names.insert(&row.name)) {
        return Err(format!("two rows are named `{}`", row.name));
    }
    for at in 0..rows.len() {
        let (earlier, rest) = rows.split_at_mut(at);
        let row = &mut rest[0];
        // Rows name the WordNet folder as `..`, because its path depends on the checkout.
        row.spec = row.spec.replace("wordnet=..", &format!("wordnet={WORDNET}"));
        if let Some(name) = &row.texts {
            // Only earlier rows are searched, so that a row's texts are complete when a later row copies
            // them.
            let like = earlier.iter().find(|row| row.name == *name);
            let like = like.ok_or_else(|| format!("`{}`: no earlier row is named `{name}`", row.name))?;
            (row.hypotheses, row.references) = (like.hypotheses.clone(), like.references.clone());
            row.sources.clone_from(&like.sources);
        }
        if let Some(GoldenFiles { hypotheses, references }) = row.files.take() {
            row.hypotheses = example(&hypotheses);
            let streams: Vec<Vec<String>> = references.iter().map(|name| example(name)).collect();
            let segment = |i: usize| streams.iter().map(|stream| stream[i].clone()).collect();
            row.references = (0..row.hypotheses.len()).map(segment).collect();
        }
    }
    Ok(rows)
}

pub(crate) fn json_lines<T: DeserializeOwned>(text: &str) -> Result<Vec<T>, String> {
    // The line is counted here, because an error of one value knows only its column.
    let lines = text.trim_end_matches('\n').split('\n').enumerate();
    lines
        .map(|(at, line)| serde_json::from_str(line).map_err(|error| format!("line {}: {error}", at + 1)))
        .collect()
}

const WORDNET: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/data/meteor/wordnet");

/// Reads the lines of a text file in `examples/data`.
fn example(name: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/data").join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.strip_suffix('\n').unwrap_or(&text).split('\n').map(str::to_owned).collect()
}

/// Test case: a metric, texts, and the expected numbers (a golden row).
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GoldenRow {
    /// Name of the test case, unique within its file.
    pub name: String,
    /// Purpose of the test case, if its name does not make it clear.
    pub note: Option<String>,
    /// Metric name with options and tokenizer, as a user writes it.
    pub spec: String,
    /// Hypothesis texts, one for each segment.
    #[serde(default)]
    pub hypotheses: Vec<String>,
    /// Reference texts of each segment: one list for each segment.
    #[serde(default)]
    pub references: Vec<Vec<String>>,
    /// Source texts, one for each segment, for metrics that need them.
    #[serde(default)]
    pub sources: Vec<String>,
    /// Name of an earlier test case in the file whose texts this case uses.
    texts: Option<String>,
    files: Option<GoldenFiles>,
    /// BLEU's n-gram counts and lengths, from which a score is computed without texts.
    pub statistics: Option<GoldenStatistics>,
    /// Expected results of the test case; results that are missing here are not compared.
    pub expected: ExpectedResults,
    /// Allowed difference of the corpus results, relative to the expected number if that is above 1. If it is
    /// 0, all bits must be equal.
    #[serde(default)]
    pub tolerance: f64,
    /// Allowed difference of the results of single segments, relative to the expected number if that is above
    /// 1. If it is 0, all bits must be equal.
    #[serde(default)]
    pub sentence_tolerance: f64,
}

/// Names of text files in `examples/data` with the hypotheses and with each list of references.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct GoldenFiles {
    hypotheses: String,
    references: Vec<String>,
}

/// Integers from which BLEU is computed: matches, n-gram counts and lengths.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GoldenStatistics {
    /// Clipped n-gram matches, one number for each order from 1.
    pub counts: Vec<u64>,
    /// Number of n-grams in the hypotheses, one number for each order from 1.
    pub totals: Vec<u64>,
    /// Total length of all hypotheses, in tokens.
    pub sys_len: u64,
    /// Effective reference length in tokens: the sum over segments of the reference length that BLEU's
    /// brevity penalty uses.
    pub ref_len: u64,
}

/// Expected results of a test case.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ExpectedResults {
    /// Expected score of the corpus, the first of its main numbers.
    pub score: Option<f64>,
    /// Expected main numbers of the corpus, such as precision, recall and F1.
    pub headlines: Vec<f64>,
    /// Expected details of the score, such as a brevity penalty, by name.
    pub parts: BTreeMap<String, Value>,
    /// Expected main numbers of each segment, scored alone.
    pub sentences: Vec<Vec<f64>>,
    /// Expected counts of the metric's statistics on the corpus, in the order of the metric's columns.
    pub statistics: Vec<u64>,
    /// Expected signature (the list of the metric's settings) without the metric's name, with the version of
    /// the reference program.
    pub signature: Option<String>,
    /// Expected signature (the list of the metric's settings) in its short form, with abbreviated keys.
    pub short: Option<String>,
    /// Kind of the expected error, if there is no score: `empty-corpus`, `no-references`, `unequal-lengths`,
    /// `order-zero`, or `no-score` for any other reason.
    pub error: Option<String>,
}

/// Results that one interface (command line, Rust, Python) returns for a test case.
#[derive(Debug, Clone, PartialEq)]
pub struct DoorNumbers {
    /// Main numbers of the corpus, such as precision, recall and F1; only the score if the interface shows no
    /// others.
    pub headlines: Vec<f64>,
    /// Details of the score, such as a brevity penalty, by name.
    pub parts: BTreeMap<String, Value>,
    /// Signature of the metric's settings, without the metric's name.
    pub signature: String,
}

impl GoldenRow {
    /// Creates a test case without expected results; `spec` is the metric's name with options.
    pub fn new(name: &str, spec: &str, hypotheses: Vec<String>, references: Vec<Vec<String>>) -> GoldenRow {
        GoldenRow {
            name: name.to_owned(),
            spec: spec.to_owned(),
            hypotheses,
            references,
            ..GoldenRow::default()
        }
    }

    /// Compares the corpus results in `answer` with the expected results. `door` names the tested interface
    /// (command line, Rust, Python) in messages.
    ///
    /// # Panics
    /// Panics if a number differs.
    pub fn check(&self, door: &str, answer: &DoorNumbers) {
        let place = format!("{}, {} through {door}", self.name, self.spec);
        let expected = &self.expected;
        let near = |ours: f64, theirs: f64| close(ours, theirs, self.tolerance);
        if let Some(score) = expected.score {
            assert!(near(answer.headlines[0], score), "{place}: {}, not {score}", answer.headlines[0]);
        }
        // Zipped, because an interface may show the score alone.
        for (ours, theirs) in answer.headlines.iter().zip(&expected.headlines) {
            assert!(near(*ours, *theirs), "{place}: {:?}, not {:?}", answer.headlines, expected.headlines);
        }
        for (key, theirs) in &expected.parts {
            let ours = answer.parts.get(key).unwrap_or_else(|| panic!("{place}: no part {key}"));
            let own = numbers(ours);
            let other = numbers(theirs);
            let equal = own.len() == other.len() && own.iter().zip(&other).all(|(a, b)| near(*a, *b));
            assert!(equal, "{place}: {key} is {ours}, not {theirs}");
        }
        if let Some(signature) = &expected.signature {
            assert_eq!(unversioned(&answer.signature), unversioned(signature), "{place}");
        }
    }

    /// Compares the main numbers of each segment, such as precision and recall, with the expected numbers.
    /// `door` names the tested interface (command line, Rust, Python) in messages.
    ///
    /// # Panics
    /// Panics if a number differs.
    pub fn check_sentences(&self, door: &str, sentences: &[Vec<f64>]) {
        if self.expected.sentences.is_empty() {
            return;
        }
        let place = format!("{}, {} through {door}", self.name, self.spec);
        assert_eq!(sentences.len(), self.expected.sentences.len(), "{place}");
        for (i, (ours, theirs)) in sentences.iter().zip(&self.expected.sentences).enumerate() {
            let near = |(a, b): (&f64, &f64)| close(*a, *b, self.sentence_tolerance);
            let equal = ours.len() == theirs.len() && ours.iter().zip(theirs).all(near);
            assert!(equal, "{place}: segment {i} has {ours:?}, not {theirs:?}");
        }
    }
}

/// Returns `true` if two numbers are equal bit for bit, or if they differ by at most `tolerance`. The
/// difference is relative to `theirs` if that is above 1.
fn close(ours: f64, theirs: f64, tolerance: f64) -> bool {
    // Bits are compared first, so that equal NaN or infinite values pass too.
    ours.to_bits() == theirs.to_bits()
        || (ours - theirs).abs() <= tolerance * theirs.abs().max(1.0) && tolerance > 0.0
}

fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(values) => values.iter().flat_map(numbers).collect(),
        value => value.as_f64().into_iter().collect(),
    }
}

/// Removes the version, the last entry, from a metric signature, because it differs between programs.
pub fn unversioned(signature: &str) -> &str {
    signature.rsplit_once(':').map_or(signature, |(entries, _)| entries)
}
