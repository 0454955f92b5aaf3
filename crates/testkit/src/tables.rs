//! Test data with expected results other than scores: tokens, stems, alignments, signatures, and known
//! differences from other programs.

use serde::Deserialize;

use crate::golden::json_lines;

/// Files of tokenizer test cases (`data/tokenize/<name>.toml`), each with the name of its tokenizer.
const TOKENIZE: &[(&str, &str)] = &[
    ("none", include_str!("../data/tokenize/none.toml")),
    ("13a", include_str!("../data/tokenize/13a.toml")),
    ("char", include_str!("../data/tokenize/char.toml")),
];
const STEMS: &str = include_str!("../data/stem/porter.tsv");
const ALIGNMENTS: &str = include_str!("../data/wer/alignments.jsonl");
const SIGNATURES: &str = include_str!("../data/signature.toml");
const DIFFERENCES: &str = include_str!("../data/differences.toml");

/// Reads the test cases of every tokenizer: returns each tokenizer's name and its cases.
///
/// # Panics
/// Panics if a file is malformed.
pub fn tokenize() -> Vec<(&'static str, Vec<TokenizeCase>)> {
    TOKENIZE.iter().map(|&(name, text)| (name, load(&format!("tokenize/{name}.toml"), text).cases)).collect()
}

/// Reads words, each with the stem that NLTK's stemmer gives it.
///
/// # Panics
/// Panics if a line is not a word, a tab and a stem.
pub fn stems() -> Vec<(&'static str, &'static str)> {
    STEMS.lines().map(|line| line.split_once('\t').expect("a word, a tab and its stem")).collect()
}

/// Reads test cases of word alignments from `data/wer/alignments.jsonl`. Panics if the file is malformed.
pub fn alignments() -> Vec<AlignmentCase> {
    json_lines(ALIGNMENTS).unwrap_or_else(|error| panic!("crates/testkit/data/wer/alignments.jsonl: {error}"))
}

/// Reads test cases of metric signatures from `data/signature.toml`. Panics if the file is malformed.
pub fn signatures() -> Vec<SignatureCase> {
    load("signature.toml", SIGNATURES).cases
}

/// Reads the known differences from other programs in `data/differences.toml`. Panics if the file is
/// malformed.
pub fn differences() -> Vec<KnownDifference> {
    load("differences.toml", DIFFERENCES).cases
}

/// TOML file of test cases with expected results.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TomlFile<C> {
    /// Program and version that computed the expected results.
    pub source: String,
    /// Test cases in the order of the file; their names are unique.
    #[serde(rename = "case")]
    pub cases: Vec<C>,
}

/// Test case with a name, which the message of a failing test contains.
pub trait NamedCase {
    /// Returns the name of the test case, which is unique within its file.
    fn name(&self) -> &str;
}

/// Test case of a tokenizer: a text and its expected tokens.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TokenizeCase {
    /// Name of the test case, unique within the file.
    pub name: String,
    /// Text to tokenize.
    pub text: String,
    /// Expected tokens of the text.
    pub tokens: Vec<String>,
}

/// Part of a word alignment by jiwer: the kind of edit, and half-open word ranges in the reference (start,
/// end) and in the hypothesis (start, end).
pub type ChunkOfJiwer = (String, usize, usize, usize, usize);

/// Test case of word alignment: texts, and the alignments of their words by jiwer.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AlignmentCase {
    /// Name of the test case, unique within the file.
    pub name: String,
    /// Hypothesis texts, one for each segment.
    pub hypotheses: Vec<String>,
    /// Reference texts, one for each segment.
    pub references: Vec<String>,
    /// Expected alignment of each segment: a list of runs of equal words and of edits.
    pub alignments: Vec<Vec<ChunkOfJiwer>>,
    /// Expected text of the first segment's alignment, as jiwer prints it.
    pub lines: String,
}

/// Test case of a metric's signature, the text that lists its settings.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignatureCase {
    /// Name of the test case, unique within the file.
    pub name: String,
    /// Metric name with options, as a user writes it.
    pub spec: String,
    /// Number of references of each segment; `None` if it varies.
    pub nrefs: Option<u64>,
    /// Expected long signature of sacreBLEU, with sacreBLEU's version.
    pub long: String,
    /// Expected short signature of sacreBLEU, if the source gives one.
    pub short: Option<String>,
}

/// Deliberate difference of bleuprint from another program, with the reason.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownDifference {
    /// Name of this deliberate difference from another program, unique within its TOML file.
    pub name: String,
    /// Name and version of the program from which bleuprint differs.
    pub program: String,
    /// Behaviour of the other program that bleuprint does not reproduce.
    pub theirs: String,
    /// Behaviour of bleuprint, which differs on purpose from the other program.
    pub ours: String,
    /// Reason why bleuprint deliberately differs from the other program.
    pub reason: String,
}

macro_rules! named {
    ($($case:ty),+) => { $(impl NamedCase for $case {
        fn name(&self) -> &str {
            &self.name
        }
    })+ };
}
named!(TokenizeCase, SignatureCase, KnownDifference);

fn load<C: NamedCase + for<'de> Deserialize<'de>>(path: &str, text: &str) -> TomlFile<C> {
    parse(text).unwrap_or_else(|error| panic!("crates/testkit/data/{path}: {error}"))
}

/// Parses a TOML file of test cases; the error message describes the fault.
pub fn parse<C: NamedCase + for<'de> Deserialize<'de>>(text: &str) -> Result<TomlFile<C>, String> {
    let file: TomlFile<C> = toml::from_str(text).map_err(|error| error.to_string())?;
    // Names are sorted, so that equal ones are neighbours.
    let mut names: Vec<&str> = file.cases.iter().map(NamedCase::name).collect();
    names.sort_unstable();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(format!("two cases are named `{}`", pair[0])),
        None => Ok(file),
    }
}
