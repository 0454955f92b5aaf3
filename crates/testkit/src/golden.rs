//! Golden cases: worked examples kept as TOML under `crates/testkit/data/`, grouped by meaning.
//!
//! The files are compiled in, so tests need no working directory. A file is read strictly: an unknown key, a malformed
//! case or a repeated name is an error that names the file and the case.
//!
//! ```
//! let file = bleuprint_testkit::golden::bleu("papineni");
//! let case = file.cases.iter().find(|case| case.name == "seven-times-the").expect("a case by this name");
//! assert_eq!(case.expected.counts.as_deref(), Some(&[2][..]));
//! ```

use std::collections::BTreeMap;

use serde::Deserialize;

/// The BLEU case files by name: `data/bleu/<name>.toml`.
const BLEU: &[(&str, &str)] = &[
    ("papineni", include_str!("../data/bleu/papineni.toml")),
    ("sacrebleu", include_str!("../data/bleu/sacrebleu.toml")),
    ("smoothing", include_str!("../data/bleu/smoothing.toml")),
];

/// The tokenizer case files by the tokenizer's name: `data/tokenize/<name>.toml`.
const TOKENIZE: &[(&str, &str)] = &[
    ("none", include_str!("../data/tokenize/none.toml")),
    ("13a", include_str!("../data/tokenize/13a.toml")),
    ("char", include_str!("../data/tokenize/char.toml")),
];

/// Words and their stems: `data/stem/porter.tsv`.
const STEMS: &str = include_str!("../data/stem/porter.tsv");

/// Segment scores of metrics by folder: `data/<folder>/golden.json`.
const SEGMENT_SCORES: &[(&str, &str)] = &[
    ("rouge", include_str!("../data/rouge/golden.json")),
    ("squad", include_str!("../data/squad/golden.json")),
    ("meteor", include_str!("../data/meteor/golden.json")),
];

const SIGNATURE: &str = include_str!("../data/signature.toml");
const DIFFERENCES: &str = include_str!("../data/differences.toml");

/// The cases of `data/bleu/<name>.toml`.
///
/// # Panics
/// If there is no such file or it is malformed.
pub fn bleu(name: &str) -> File<BleuCase> {
    load(&format!("bleu/{name}.toml"), find(BLEU, name))
}

/// Every BLEU file: its name and its cases.
pub fn all_bleu() -> Vec<(&'static str, File<BleuCase>)> {
    BLEU.iter().map(|&(name, _)| (name, bleu(name))).collect()
}

/// The cases of `data/tokenize/<name>.toml`; panics like [`bleu`].
pub fn tokenize(name: &str) -> File<TokenizeCase> {
    load(&format!("tokenize/{name}.toml"), find(TOKENIZE, name))
}

/// Every tokenizer file: the tokenizer's name and its cases.
pub fn all_tokenize() -> Vec<(&'static str, File<TokenizeCase>)> {
    TOKENIZE.iter().map(|&(name, _)| (name, tokenize(name))).collect()
}

/// Words and their stems by NLTK.
///
/// # Panics
/// If a line is not a word, a tab and a stem.
pub fn stems() -> Vec<(&'static str, &'static str)> {
    STEMS.lines().map(|line| line.split_once('\t').expect("a word, a tab and its stem")).collect()
}

/// The cases of `data/<folder>/golden.json`.
///
/// # Panics
/// If there is no such file or it is malformed.
pub fn segment_scores(folder: &str) -> Vec<SegmentScoresCase> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct File {
        source: String,
        cases: Vec<SegmentScoresCase>,
    }
    let text = find(SEGMENT_SCORES, folder);
    let file: File = serde_json::from_str(text).unwrap_or_else(|error| panic!("{folder}: {error}"));
    assert!(!file.source.is_empty(), "{folder}: no source");
    file.cases
}

/// A corpus, and the scores of its segments by metric.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SegmentScoresCase {
    /// The name, unique within the file.
    pub name: String,
    /// The tokenizer, if the metric leaves the choice to the user.
    pub tokenize: Option<String>,
    /// The hypotheses, one per segment.
    pub hypotheses: Vec<String>,
    /// The references of each segment.
    pub references: Vec<Vec<String>>,
    /// By metric, as named by users, and by segment: the headline numbers.
    pub results: BTreeMap<String, Vec<Vec<f64>>>,
}

/// The signatures of `data/signature.toml`; panics like [`bleu`].
pub fn signatures() -> File<SignatureCase> {
    load("signature.toml", SIGNATURE)
}

/// The known differences from other programs of `data/differences.toml`; panics like [`bleu`].
pub fn differences() -> File<Difference> {
    load("differences.toml", DIFFERENCES)
}

/// One data file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct File<C> {
    /// The origin of the values: program and version, or the paper.
    pub source: String,
    /// The cases, in the order of the file; their names are unique in it.
    #[serde(rename = "case")]
    pub cases: Vec<C>,
}

/// The common part of all cases: the name shown by a failing test.
pub trait Named {
    /// The name, unique within its file.
    fn name(&self) -> &str;
}

/// A corpus or its statistics, the options, and the BLEU results.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BleuCase {
    /// The name, unique within the file.
    pub name: String,
    /// The purpose of the case, if the name does not say it.
    pub note: Option<String>,
    /// The hypotheses, one per segment; absent if the statistics are given.
    pub hypotheses: Option<Vec<String>>,
    /// The reference streams (one list per stream, one entry per segment), as sacreBLEU takes them.
    pub references: Option<Vec<Vec<Reference>>>,
    /// Statistics to finalize, instead of a corpus.
    pub statistics: Option<Statistics>,
    /// The options; absent ones are at their defaults.
    #[serde(default)]
    pub options: Options,
    /// The expected results.
    pub expected: Expected,
}

impl BleuCase {
    /// The references of segment `i`, without missing ones; empty if the case gives statistics.
    pub fn segment_references(&self, i: usize) -> Vec<&str> {
        let streams = self.references.as_deref().unwrap_or_default();
        streams.iter().filter_map(|stream| stream.get(i).and_then(Reference::text)).collect()
    }
}

/// An entry of a reference stream: a text, or `false` for a missing reference.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Reference {
    /// A reference; the empty text is a real reference of length 0.
    Text(String),
    /// No reference here; TOML has no null, so the marker is `false`.
    Missing(bool),
}

impl Reference {
    /// The text, or `None` for a missing reference.
    pub fn text(&self) -> Option<&str> {
        match self {
            Reference::Text(text) => Some(text),
            Reference::Missing(_) => None,
        }
    }
}

/// The integers from which a score is finalized.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Statistics {
    /// Clipped matches per order.
    pub counts: Vec<u64>,
    /// N-grams in the hypotheses per order.
    pub totals: Vec<u64>,
    /// Length of the hypotheses.
    pub sys_len: u64,
    /// Effective length of the references.
    pub ref_len: u64,
}

/// BLEU's options in the words of the command line; defaults are those of corpus BLEU.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Options {
    /// `none`, `13a` or `char`; the default is `none`, since most cases test counts.
    pub tokenize: String,
    /// Lower-case before tokenizing.
    pub lowercase: bool,
    /// `none`, `floor`, `add-k` or `exp`.
    pub smooth: String,
    /// The value of `floor` and `add-k`; absent for their default.
    pub smooth_value: Option<f64>,
    /// Leave out orders above the length of the hypothesis.
    pub effective_order: bool,
    /// The highest order.
    pub max_order: usize,
    /// The rule of the reference length: `closest`, `shortest` or `average`.
    pub ref_len: String,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            tokenize: "none".to_owned(),
            lowercase: false,
            smooth: "exp".to_owned(),
            smooth_value: None,
            effective_order: false,
            max_order: 4,
            ref_len: "closest".to_owned(),
        }
    }
}

/// The expected results of a case; absent fields are not compared. Floats are compared by their bits.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Expected {
    /// Clipped matches per order (always the unsmoothed ones).
    pub counts: Option<Vec<u64>>,
    /// N-grams in the hypotheses per order (always the unsmoothed ones).
    pub totals: Option<Vec<u64>>,
    /// Precisions per order in percent, after smoothing.
    pub precisions: Option<Vec<f64>>,
    /// Brevity penalty.
    pub bp: Option<f64>,
    /// Length of the hypotheses.
    pub sys_len: Option<u64>,
    /// Effective length of the references.
    pub ref_len: Option<u64>,
    /// The score, 0 to 100 (plus an ulp).
    pub score: Option<f64>,
    /// Instead of a score, the reason for an error (`empty-corpus`, `no-references`, `unequal-lengths`, `order-zero`).
    pub error: Option<String>,
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

/// A signature, its options and its two forms.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignatureCase {
    /// The name, unique within the file.
    pub name: String,
    /// The metric: `bleu`, `chrf` or `ter`.
    pub metric: String,
    /// Number of references, absent if it varies.
    pub nrefs: Option<u64>,
    /// The options of BLEU; absent for the other metrics.
    pub options: Option<Options>,
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
named!(BleuCase, TokenizeCase, SignatureCase, Difference);

fn find(files: &[(&str, &'static str)], name: &str) -> &'static str {
    match files.iter().find(|(known, _)| *known == name) {
        Some((_, text)) => text,
        None => {
            let known: Vec<&str> = files.iter().map(|(known, _)| *known).collect();
            panic!("no golden file named `{name}`; there are {}", known.join(", "))
        }
    }
}

fn load<C: Named + for<'de> Deserialize<'de>>(path: &str, text: &str) -> File<C> {
    match parse(text) {
        Ok(file) => file,
        Err(error) => panic!("crates/testkit/data/{path}: {error}"),
    }
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
