//! The golden cases of chrF: sacreBLEU's results in `data/chrf/golden.json`, written by `make.py` beside it.
//!
//! ```
//! let cases = bleuprint_testkit::chrf::cases();
//! let case = cases.iter().find(|case| case.name == "a-prefix").expect("a case by this name");
//! assert_eq!(case.expected.statistics[..3], [2, 3, 2]);
//! ```

use std::path::Path;

use serde::Deserialize;

const GOLDEN: &str = include_str!("../data/chrf/golden.json");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Golden {
    #[allow(dead_code, reason = "for readers")]
    source: String,
    case: Vec<Written>,
}

/// A case as written: with texts, or with the names of files of `examples/data`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    name: String,
    #[serde(default)]
    hypotheses: Vec<String>,
    #[serde(default)]
    references: Vec<Vec<Option<String>>>,
    files: Option<Files>,
    options: ChrfOptions,
    expected: ChrfExpected,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Files {
    hypotheses: String,
    references: Vec<String>,
}

/// A corpus and sacreBLEU's results.
#[derive(Debug, Clone)]
pub struct ChrfCase {
    /// Unique.
    pub name: String,
    /// One text per segment.
    pub hypotheses: Vec<String>,
    /// Reference streams; `None` marks a missing reference.
    pub streams: Vec<Vec<Option<String>>>,
    /// The options.
    pub options: ChrfOptions,
    /// The expected results.
    pub expected: ChrfExpected,
}

/// sacreBLEU's options of chrF, with its names and defaults.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ChrfOptions {
    /// The highest order of characters.
    pub char_order: usize,
    /// The highest order of words.
    pub word_order: usize,
    /// The weight of recall.
    pub beta: f64,
    /// Whether texts are lower-cased.
    pub lowercase: bool,
    /// Whether whitespace counts.
    pub whitespace: bool,
    /// Whether all orders count.
    pub eps_smoothing: bool,
}

/// sacreBLEU's results.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChrfExpected {
    /// As in `chrF2++`.
    pub name: String,
    /// Of the corpus.
    pub score: f64,
    /// For each order, the n-grams of the hypotheses and of the references, and the matches.
    pub statistics: Vec<u64>,
    /// Without the name.
    pub signature: String,
    /// The signature with short keys.
    pub short: String,
    /// The score of each segment alone; empty in large corpora.
    #[serde(default)]
    pub sentences: Vec<f64>,
}

impl Default for ChrfOptions {
    fn default() -> Self {
        ChrfOptions {
            char_order: 6,
            word_order: 0,
            beta: 2.0,
            lowercase: false,
            whitespace: false,
            eps_smoothing: false,
        }
    }
}

impl ChrfOptions {
    /// The options by their names in our registry, with their values.
    pub fn named(&self) -> Vec<(&'static str, String)> {
        let yes_or_no = |flag| if flag { "yes" } else { "no" }.to_owned();
        vec![
            ("chrf-char-order", self.char_order.to_string()),
            ("chrf-word-order", self.word_order.to_string()),
            ("chrf-beta", self.beta.to_string()),
            ("chrf-lowercase", yes_or_no(self.lowercase)),
            ("chrf-whitespace", yes_or_no(self.whitespace)),
            ("chrf-eps-smoothing", yes_or_no(self.eps_smoothing)),
        ]
    }
}

impl ChrfCase {
    /// The references of each segment.
    pub fn segments(&self) -> Vec<(&str, Vec<&str>)> {
        let references =
            |i: usize| self.streams.iter().filter_map(|stream| stream[i].as_deref()).collect::<Vec<&str>>();
        self.hypotheses
            .iter()
            .enumerate()
            .map(|(i, hypothesis)| (hypothesis.as_str(), references(i)))
            .collect()
    }
}

/// All cases.
///
/// # Panics
/// If the data is malformed.
pub fn cases() -> Vec<ChrfCase> {
    let golden: Golden =
        serde_json::from_str(GOLDEN).unwrap_or_else(|error| panic!("chrf/golden.json: {error}"));
    golden.case.into_iter().map(read).collect()
}

fn read(written: Written) -> ChrfCase {
    let Written { name, mut hypotheses, references: mut streams, files, options, expected } = written;
    if let Some(files) = files {
        hypotheses = lines(&files.hypotheses);
        let stream = |name: &String| lines(name).into_iter().map(Some).collect();
        streams = files.references.iter().map(stream).collect();
    }
    ChrfCase { name, hypotheses, streams, options, expected }
}

fn lines(name: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/data").join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.strip_suffix('\n').unwrap_or(&text).split('\n').map(str::to_owned).collect()
}
