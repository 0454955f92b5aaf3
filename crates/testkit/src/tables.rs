//! Golden data of other shapes than a metric over texts: tokens, stems, alignments, signatures, known differences.

use serde::Deserialize;

use crate::golden::json_lines;

/// The tokenizer cases by the tokenizer's name: `data/tokenize/<name>.toml`.
const TOKENIZE: &[(&str, &str)] = &[
    ("none", include_str!("../data/tokenize/none.toml")),
    ("13a", include_str!("../data/tokenize/13a.toml")),
    ("char", include_str!("../data/tokenize/char.toml")),
];
const STEMS: &str = include_str!("../data/stem/porter.tsv");
const ALIGNMENTS: &str = include_str!("../data/wer/alignments.jsonl");
const SIGNATURES: &str = include_str!("../data/signature.toml");
const DIFFERENCES: &str = include_str!("../data/differences.toml");

/// Every tokenizer file: the tokenizer's name and its cases.
///
/// # Panics
/// If a file is malformed.
pub fn tokenize() -> Vec<(&'static str, Vec<TokenizeCase>)> {
    TOKENIZE.iter().map(|&(name, text)| (name, load(&format!("tokenize/{name}.toml"), text).cases)).collect()
}

/// Words and their stems by NLTK.
///
/// # Panics
/// If a line is not a word, a tab and a stem.
pub fn stems() -> Vec<(&'static str, &'static str)> {
    STEMS.lines().map(|line| line.split_once('\t').expect("a word, a tab and its stem")).collect()
}

/// The alignments of `data/wer/alignments.jsonl`; panics like [`tokenize`].
pub fn alignments() -> Vec<AlignmentCase> {
    json_lines(ALIGNMENTS).unwrap_or_else(|error| panic!("crates/testkit/data/wer/alignments.jsonl: {error}"))
}

/// The signatures of `data/signature.toml`; panics like [`tokenize`].
pub fn signatures() -> Vec<SignatureCase> {
    load("signature.toml", SIGNATURES).cases
}

/// The known differences from other programs of `data/differences.toml`; panics like [`tokenize`].
pub fn differences() -> Vec<Difference> {
    load("differences.toml", DIFFERENCES).cases
}

/// A data file of TOML.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct File<C> {
    /// The origin of the values: program and version.
    pub source: String,
    /// The cases, in the order of the file; their names are unique in it.
    #[serde(rename = "case")]
    pub cases: Vec<C>,
}

/// A case with the name that a failing test shows.
pub trait Named {
    /// The name, unique within its file.
    fn name(&self) -> &str;
}

/// A text and its tokens.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TokenizeCase {
    /// The name, unique within the file.
    pub name: String,
    /// The raw text.
    pub text: String,
    /// Its tokens.
    pub tokens: Vec<String>,
}

/// A kind, and half-open ranges of the reference and of the hypothesis.
pub type ChunkOfJiwer = (String, usize, usize, usize, usize);

/// Texts, and how jiwer aligns their words.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AlignmentCase {
    /// The name, unique within the file.
    pub name: String,
    /// One text per segment.
    pub hypotheses: Vec<String>,
    /// One text per segment.
    pub references: Vec<String>,
    /// The chunks of each segment.
    pub alignments: Vec<Vec<ChunkOfJiwer>>,
    /// The printed alignment of the first segment.
    pub lines: String,
}

/// A signature and its metric.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignatureCase {
    /// The name, unique within the file.
    pub name: String,
    /// The metric as a user names it.
    pub spec: String,
    /// Number of references, absent if it varies.
    pub nrefs: Option<u64>,
    /// sacreBLEU's long form, with its own version token.
    pub long: String,
    /// sacreBLEU's short form, if the source gives one.
    pub short: Option<String>,
}

/// A deliberate difference from another program, with the reason.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Difference {
    /// The name, unique within the file.
    pub name: String,
    /// The other program and its version.
    pub program: String,
    /// Its behaviour.
    pub theirs: String,
    /// Our behaviour.
    pub ours: String,
    /// The reason.
    pub reason: String,
}

macro_rules! named {
    ($($case:ty),+) => { $(impl Named for $case {
        fn name(&self) -> &str {
            &self.name
        }
    })+ };
}
named!(TokenizeCase, SignatureCase, Difference);

fn load<C: Named + for<'de> Deserialize<'de>>(path: &str, text: &str) -> File<C> {
    parse(text).unwrap_or_else(|error| panic!("crates/testkit/data/{path}: {error}"))
}

/// Reads a data file; the message describes the fault.
pub fn parse<C: Named + for<'de> Deserialize<'de>>(text: &str) -> Result<File<C>, String> {
    let file: File<C> = toml::from_str(text).map_err(|error| error.to_string())?;
    let mut names: Vec<&str> = file.cases.iter().map(Named::name).collect();
    names.sort_unstable();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(format!("two cases are named `{}`", pair[0])),
        None => Ok(file),
    }
}
