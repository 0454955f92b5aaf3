//! The golden cases of TER and of the error rates: sacreBLEU's results in `data/ter/golden.json`, jiwer's in
//! `data/wer/golden.json`, each written by `make.py` beside it.
//!
//! ```
//! let case = bleuprint_testkit::edits::ter_cases().into_iter().find(|case| case.name == "two-words-change-places");
//! assert_eq!(case.expect("a case by this name").expected.num_edits, 1);
//! let case = bleuprint_testkit::edits::wer_cases().into_iter().find(|case| case.name == "deletion-is-preferred");
//! assert_eq!(case.expect("a case by this name").words.deletions, 2);
//! ```

use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;

const TER: &str = include_str!("../data/ter/golden.json");
const WER: &str = include_str!("../data/wer/golden.json");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Golden<C> {
    #[allow(dead_code, reason = "for readers")]
    source: String,
    case: Vec<C>,
}

/// A corpus and sacreBLEU's results, given as texts or as names of files of `examples/data`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TerCase {
    /// Unique.
    pub name: String,
    /// One text per segment.
    #[serde(default)]
    pub hypotheses: Vec<String>,
    /// Reference streams; `None` marks a missing reference.
    #[serde(default)]
    pub references: Vec<Vec<Option<String>>>,
    files: Option<TerFiles>,
    /// The options.
    pub options: TerOptions,
    /// The expected results.
    pub expected: TerExpected,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct TerFiles {
    hypotheses: String,
    references: Vec<String>,
}

/// sacreBLEU's options of TER, all off by default.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TerOptions {
    /// Whether punctuation is cut off.
    pub normalized: bool,
    /// Whether punctuation is deleted.
    pub no_punct: bool,
    /// Whether both extend to East Asian text.
    pub asian_support: bool,
    /// Whether case is kept.
    pub case_sensitive: bool,
}

/// sacreBLEU's results.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TerExpected {
    /// Of the corpus.
    pub score: f64,
    /// Of the corpus.
    pub num_edits: u64,
    /// Of the corpus.
    pub ref_length: f64,
    /// Without the name.
    pub signature: String,
    /// The signature with short keys.
    pub short: String,
    /// The score of each segment alone; empty in large corpora.
    #[serde(default)]
    pub sentences: Vec<f64>,
}

/// A corpus and jiwer's results.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WerCase {
    /// Unique.
    pub name: String,
    /// One text per segment.
    #[serde(default)]
    pub hypotheses: Vec<String>,
    /// One text per segment.
    #[serde(default)]
    pub references: Vec<String>,
    files: Option<WerFiles>,
    /// Of words.
    pub words: EditMeasures,
    /// Of characters.
    pub characters: EditMeasures,
    /// The chunks of the alignment of the words of each segment: kind, reference from and to, hypothesis from and to.
    pub alignments: Option<Vec<Vec<ChunkOfJiwer>>>,
    /// The printed alignment of the words of the first segment.
    pub lines: Option<String>,
}

/// A kind, and half-open ranges of the reference and of the hypothesis.
pub type ChunkOfJiwer = (String, usize, usize, usize, usize);

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct WerFiles {
    hypotheses: String,
    references: String,
    /// All lines are one segment, joined by spaces.
    joined: bool,
}

/// Rates and counts; rates not defined for characters are absent.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EditMeasures {
    /// Word error rate.
    pub wer: Option<f64>,
    /// Character error rate.
    pub cer: Option<f64>,
    /// Match error rate.
    pub mer: Option<f64>,
    /// Word information lost.
    pub wil: Option<f64>,
    /// Word information preserved.
    pub wip: Option<f64>,
    /// Hits.
    pub hits: u64,
    /// Substitutions.
    pub substitutions: u64,
    /// Deletions.
    pub deletions: u64,
    /// Insertions.
    pub insertions: u64,
}

impl TerOptions {
    /// The options by their names in our registry, with their values.
    pub fn named(&self) -> [(&'static str, &'static str); 4] {
        let word = |flag| if flag { "yes" } else { "no" };
        [
            ("ter-normalized", word(self.normalized)),
            ("ter-no-punct", word(self.no_punct)),
            ("ter-asian-support", word(self.asian_support)),
            ("ter-case-sensitive", word(self.case_sensitive)),
        ]
    }
}

impl TerCase {
    /// Each hypothesis with its references.
    pub fn segments(&self) -> Vec<(&str, Vec<&str>)> {
        let references =
            |i: usize| self.references.iter().filter_map(|stream| stream[i].as_deref()).collect();
        self.hypotheses
            .iter()
            .enumerate()
            .map(|(i, hypothesis)| (hypothesis.as_str(), references(i)))
            .collect()
    }

    /// Whether sacreBLEU's sum of the mean reference lengths, one float after another, is exact: with one segment, or
    /// if every mean is a multiple of a small power of 1/2.
    pub fn has_exact_lengths(&self) -> bool {
        let segments = self.segments();
        segments.len() == 1 || segments.iter().all(|(_, references)| references.len().is_power_of_two())
    }
}

/// All cases of TER.
///
/// # Panics
/// If the data is malformed.
pub fn ter_cases() -> Vec<TerCase> {
    let mut cases: Vec<TerCase> = read("ter", TER);
    for case in &mut cases {
        if let Some(TerFiles { hypotheses, references }) = case.files.take() {
            case.hypotheses = lines(&hypotheses);
            case.references =
                references.iter().map(|name| lines(name).into_iter().map(Some).collect()).collect();
        }
    }
    cases
}

/// All cases of the error rates; panics like [`ter_cases`].
pub fn wer_cases() -> Vec<WerCase> {
    let mut cases: Vec<WerCase> = read("wer", WER);
    for case in &mut cases {
        if let Some(WerFiles { hypotheses, references, joined }) = case.files.take() {
            let join = |lines: Vec<String>| if joined { vec![lines.join(" ")] } else { lines };
            (case.hypotheses, case.references) = (join(lines(&hypotheses)), join(lines(&references)));
        }
    }
    cases
}

fn read<C: DeserializeOwned>(folder: &str, text: &str) -> Vec<C> {
    let golden: Golden<C> =
        serde_json::from_str(text).unwrap_or_else(|error| panic!("{folder}/golden.json: {error}"));
    golden.case
}

fn lines(name: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/data").join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.strip_suffix('\n').unwrap_or(&text).split('\n').map(str::to_owned).collect()
}
