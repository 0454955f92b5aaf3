//! Reads the recorded outputs of BLEU programs, and computes bleuprint's results for the same inputs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use bleuprint_core::{Accumulator, State};
use bleuprint_metrics::bleu::dialect::DialectAgreement;
use bleuprint_metrics::{Bleu, BleuStats, Dialect, Gleu};
use serde::Deserialize;

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Case {
    #[serde(default)]
    pub(crate) name: String,
    #[serde(alias = "hyps")]
    pub(crate) hypotheses: Vec<String>,
    #[serde(alias = "refs")]
    pub(crate) references: Vec<Vec<String>>,
}

impl Case {
    pub(crate) fn named(&self, name: &str) -> Case {
        Case { name: name.to_owned(), ..self.clone() }
    }
}

/// The output of a program or a dialect: numbers (one, or several in a list), or an error.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(from = "Output")]
pub(crate) enum Value {
    Numbers(Vec<f64>),
    Error(String),
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Output {
    Error { error: String },
    One(Hex),
    Several(Vec<Hex>),
}

#[derive(Deserialize)]
struct Hex {
    hex: String,
}

impl From<Output> for Value {
    fn from(output: Output) -> Value {
        match output {
            Output::Error { error } => Value::Error(error),
            Output::One(hex) => Value::Numbers(vec![parse_hex(&hex.hex)]),
            Output::Several(list) => Value::Numbers(list.iter().map(|hex| parse_hex(&hex.hex)).collect()),
        }
    }
}

fn parse_hex(text: &str) -> f64 {
    let (digits, exponent) = text.strip_prefix("0x").and_then(|rest| rest.split_once('p')).unwrap();
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let mantissa = u64::from_str_radix(&format!("{whole}{fraction}"), 16).unwrap() as f64;
    let exponent = exponent.parse::<i32>().unwrap() - 4 * fraction.len() as i32;
    // In two steps: one power alone may be below the normal floats.
    mantissa * 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2)
}

#[derive(Deserialize)]
pub(crate) struct RecordedFile {
    pub(crate) cases: BTreeMap<String, Case>,
    pub(crate) results: BTreeMap<String, BTreeMap<String, Value>>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) dialect: String,
    pub(crate) reads: Reads,
    pub(crate) first_reference: bool,
    pub(crate) ids: bool,
}

impl Row {
    /// Creates the description of a recorded row of scores from the name of a dialect. A row of `coco` has
    /// the scores of all orders; a row whose name ends in `:mean` has means over segments.
    pub(crate) fn of_dialect(name: &str) -> Row {
        let (dialect, reads) = match name.strip_suffix(":mean") {
            Some(dialect) => (dialect, Reads::Mean),
            None if name.starts_with("coco:") => (name, Reads::Orders),
            None if name == "gleu" => (name, Reads::Gleu),
            None => (name, Reads::Score),
        };
        Row { name: name.to_owned(), dialect: dialect.to_owned(), reads, ..Row::default() }
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Reads {
    #[default]
    Score,
    Orders,
    Segments,
    Mean,
    Gleu,
}

pub(crate) fn run(bleu: &Bleu, row: &Row, case: &Case) -> Value {
    let mut case = case.clone();
    if row.first_reference {
        case.references.iter_mut().for_each(|references| references.truncate(1));
    }
    let result = if row.reads == Reads::Gleu { gleu(&case) } else { dialect(bleu, row, &case) };
    match result {
        Ok(numbers) => Value::Numbers(numbers),
        Err(error) => Value::Error(error),
    }
}

fn dialect(bleu: &Bleu, row: &Row, case: &Case) -> Result<Vec<f64>, String> {
    let dialect = Dialect::by_name(&row.dialect).map_err(|error| error.to_string())?;
    let wider = Bleu::builder().max_order(dialect.order_to_observe(bleu.max_order())).build().unwrap();
    let (total, segments) = if row.ids { observe_ids(&wider, case) } else { observe(&wider, case) };
    let numbers = match row.reads {
        Reads::Orders => {
            let of_order = |order| {
                let bleu = Bleu::builder().max_order(order).summation(bleu.summation()).build().unwrap();
                bleu.finalize_with(dialect, &total).map(|s| s.score.value)
            };
            (1..=bleu.max_order()).map(of_order).collect()
        }
        Reads::Mean if segments.is_empty() => return Err("no segments to average".to_owned()),
        Reads::Segments | Reads::Mean => segments
            .iter()
            .map(|segment| bleu.finalize_with(dialect, segment).map(|s| s.score.value))
            .collect::<Result<Vec<f64>, _>>()
            .map(|all| match row.reads {
                Reads::Mean => vec![all.iter().sum::<f64>() / all.len() as f64],
                _ => all,
            }),
        Reads::Score | Reads::Gleu => bleu.finalize_with(dialect, &total).map(|s| vec![s.score.value]),
    };
    numbers.map_err(|error| error.to_string())
}

type Counted = (State<BleuStats>, Vec<State<BleuStats>>);

fn observe(bleu: &Bleu, case: &Case) -> Counted {
    let mut corpus = Accumulator::<_, [&str]>::new(bleu);
    let mut segments = Vec::new();
    for (hypothesis, references) in case.hypotheses.iter().zip(&case.references) {
        let references: Vec<Vec<&str>> = references.iter().map(|reference| words(reference)).collect();
        let references: Vec<&[&str]> = references.iter().map(Vec::as_slice).collect();
        segments.push(corpus.push(&words(hypothesis), &references).unwrap());
    }
    (corpus.total().clone(), segments)
}

/// Counts n-grams over token ids as fairseq does: words are ids, and an empty sequence is the end of the
/// sentence, whose id is 2.
fn observe_ids(bleu: &Bleu, case: &Case) -> Counted {
    let mut vocabulary: BTreeMap<String, i64> = BTreeMap::new();
    let mut ids = |text: &str| -> Vec<i64> {
        let mut id = |word: &str| {
            let next = vocabulary.len() as i64 + 4;
            *vocabulary.entry(word.to_owned()).or_insert(next)
        };
        let ids: Vec<i64> = words(text).into_iter().map(&mut id).collect();
        if ids.is_empty() { vec![2] } else { ids }
    };
    let mut corpus = Accumulator::<_, [i64]>::new(bleu);
    let mut segments = Vec::new();
    for (hypothesis, references) in case.hypotheses.iter().zip(&case.references) {
        let (hypothesis, reference) = (ids(hypothesis), ids(&references[0]));
        segments.push(corpus.push(&hypothesis, &[&reference]).unwrap());
    }
    (corpus.total().clone(), segments)
}

fn gleu(case: &Case) -> Result<Vec<f64>, String> {
    let mut corpus = Accumulator::<_, [&str]>::new(Gleu::default());
    for (hypothesis, references) in case.hypotheses.iter().zip(&case.references) {
        let references: Vec<Vec<&str>> = references.iter().map(|reference| words(reference)).collect();
        let references: Vec<&[&str]> = references.iter().map(Vec::as_slice).collect();
        corpus.push(&words(hypothesis), &references).map_err(|error| error.to_string())?;
    }
    corpus.score().map(|scored| vec![scored.score.score]).map_err(|error| error.to_string())
}

fn words(text: &str) -> Vec<&str> {
    text.split(' ').filter(|word| !word.is_empty()).collect()
}

/// Compares an expected output with bleuprint's, as closely as the dialect's agreement requires. Two errors
/// agree, whatever their messages.
pub(crate) fn agrees(agreement: DialectAgreement, expected: &Value, ours: &Value) -> bool {
    let near = |a: f64, b: f64| match agreement {
        DialectAgreement::Relative(tolerance) => (a - b).abs() <= tolerance * a.abs().max(b.abs()),
        DialectAgreement::Bits | DialectAgreement::Definition => a.to_bits() == b.to_bits(),
    };
    match (expected, ours) {
        (Value::Error(_), Value::Error(_)) => true,
        (Value::Numbers(a), Value::Numbers(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| near(*a, *b))
        }
        _ => false,
    }
}

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub(crate) fn data(name: &str) -> String {
    let path = root().join("crates/testkit/data/dialects").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
