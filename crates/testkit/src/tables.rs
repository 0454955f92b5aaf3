//! Golden data that is not a metric over texts: tokens, stems, alignments, signatures, known differences.

use serde::Deserialize;

use crate::golden::json_lines;

/// Tokenizer cases by the tokenizer's name: `data/tokenize/<name>.toml`.
const TOKENIZE: &[(&str, &str)] = &[
    ("none", include_str!("../data/tokenize/none.toml")),
    ("13a", include_str!("../data/tokenize/13a.toml")),
    ("char", include_str!("../data/tokenize/char.toml")),
];
const STEMS: &str = include_str!("../data/stem/porter.tsv");
const ALIGNMENTS: &str = include_str!("../data/wer/alignments.jsonl");
const SIGNATURES: &str = include_str!("../data/signature.toml");
const DIFFERENCES: &str = include_str!("../data/differences.toml");

/// Reads every tokenizer file: the tokenizer's name and its cases.
///
/// # Panics
/// Panics if a file is malformed.
pub fn tokenize() -> Vec<(&'static str, Vec<TokenizeCase>)> {
    TOKENIZE.iter().map(|&(name, text)| (name, load(&format!("tokenize/{name}.toml"), text).cases)).collect()
}

/// Reads words and their stems by NLTK.
///
/// # Panics
/// Panics if a line is not a word, a tab and a stem.
pub fn stems() -> Vec<(&'static str, &'static str)> {
    STEMS.lines().map(|line| line.split_once('\t').expect("a word, a tab and its stem")).collect()
}

/// Reads the alignments in `data/wer/alignments.jsonl`; panics like [`tokenize`].
pub fn alignments() -> Vec<AlignmentCase> {
    json_lines(ALIGNMENTS).unwrap_or_else(|error| panic!("crates/testkit/data/wer/alignments.jsonl: {error}"))
}

/// Reads the signatures in `data/signature.toml`; panics like [`tokenize`].
pub fn signatures() -> Vec<SignatureCase> {
    load("signature.toml", SIGNATURES).cases
}

/// Reads the known differences from other programs in `data/differences.toml`; panics like [`tokenize`].
pub fn differences() -> Vec<KnownDifference> {
    load("differences.toml", DIFFERENCES).cases
}

/// A TOML data file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TomlFile<C> {
    /// Program and version from which the values come.
    pub source: String,
    /// Cases in the order of the file; their names are unique.
    #[serde(rename = "case")]
    pub cases: Vec<C>,
}

/// A case with a name, which a failing test shows.
pub trait NamedCase {
    /// Returns the name, which is unique within its file.
    fn name(&self) -> &str;
}

/// A text and its tokens.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TokenizeCase {
    /// Name, unique within the file.
    pub name: String,
    /// Raw text.
    pub text: String,
    /// Tokens of the text.
    pub tokens: Vec<String>,
}

/// An aligned chunk of jiwer: its kind, and half-open word ranges in the reference (start, end) and in the
/// hypothesis (start, end).
pub type ChunkOfJiwer = (String, usize, usize, usize, usize);

/// Texts, and the alignments of their words by jiwer.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AlignmentCase {
    /// Name, unique within the file.
    pub name: String,
    /// Hypotheses, one text per segment.
    pub hypotheses: Vec<String>,
    /// References, one text per segment.
    pub references: Vec<String>,
    /// Chunks of each segment.
    pub alignments: Vec<Vec<ChunkOfJiwer>>,
    /// Printed alignment of the first segment.
    pub lines: String,
}

/// A signature and its metric.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignatureCase {
    /// Name, unique within the file.
    pub name: String,
    /// Metric as a user names it.
    pub spec: String,
    /// Number of references; `None` if it varies.
    pub nrefs: Option<u64>,
    /// sacreBLEU's long signature, with sacreBLEU's version.
    pub long: String,
    /// sacreBLEU's short signature, if the source gives one.
    pub short: Option<String>,
}

/// A deliberate difference from another program, with the reason.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownDifference {
    /// Name, unique within the file.
    pub name: String,
    /// Other program and its version.
    pub program: String,
    /// Behaviour of the other program.
    pub theirs: String,
    /// Behaviour of bleuprint.
    pub ours: String,
    /// Reason for the difference.
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

/// Parses a data file; the error message describes the fault.
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
