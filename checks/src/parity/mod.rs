//! `cargo xtask parity`: asks the real sacreBLEU from PyPI, and the programs of the dialects, the questions that
//! we answer, and compares the bits.
//!
//! The promise is sacreBLEU 2.6.0 under CPython 3.11 and NumPy 2. Under CPython 3.12 and later sacreBLEU itself
//! gives other last bits, because `sum` compensates; then our compensated sum is compared instead.
//!
//! Adding a comparison = one file with a function of type [`Run`], and its line in [`COMPARISONS`].

mod chrf;
mod commands;
mod corpus;
mod corpus_metrics;
mod dialects;
mod edits;
mod golden;
mod lowercase;
mod meteor;
mod ours;
mod outcome;
mod perl;
mod python;
mod rouge;
mod sacrebleu;
mod significance;
mod squad;
mod stem;
mod tokenizers;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Instant;

use bleuprint::Summation;
use bleuprint_testkit::golden::Options as BleuOptions;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use xtask::venv::PROMISED;

use self::ours::Ours;
use self::outcome::Report;
use self::python::Oracle;

/// The driver that answers for sacreBLEU.
const DRIVER: &str = include_str!("sacrebleu.py");

/// One comparison: asks, compares, counts; an error is a failure of the machinery, not a difference.
type Run = fn(&mut Comparison) -> Result<(), String>;

const COMPARISONS: &[(&str, Run)] = &[
    ("golden BLEU cases", golden::bleu),
    ("golden tokenizer cases", golden::tokenize),
    ("golden signatures", golden::signatures),
    ("tokenizers on real text, every character and random text", tokenizers::all),
    ("lower case of every character", lowercase::all),
    ("Perl's words", perl::all),
    ("BLEU on random corpora", sacrebleu::random),
    ("BLEU on real data", sacrebleu::real),
    ("chrF on random corpora", chrf::random),
    ("chrF on real data", chrf::real),
    ("dialects on random corpora", dialects::random),
    ("NIST, CIDEr-D and SARI on random corpora", corpus_metrics::random),
    ("TER on random corpora", edits::ter),
    ("error rates on random segments", edits::error_rates),
    ("Porter stems", stem::all),
    ("ROUGE on random texts", rouge::random),
    ("SQuAD's measures on random answers", squad::all),
    ("METEOR on random sentences", meteor::random),
    ("significance on random corpora", significance::random),
    ("significance on real data", significance::real),
    ("command lines", commands::all),
];

/// What a comparison works with.
struct Comparison {
    root: PathBuf,
    /// The interpreter that runs the oracles.
    python: PathBuf,
    /// The folder of the chore, for files that need not outlive it.
    cache: PathBuf,
    oracle: Oracle,
    ours: Ours,
    report: Report,
    /// Whether the oracle runs under the interpreter whose bits are promised.
    promised: bool,
    share: NonZeroUsize,
}

impl Comparison {
    /// The number of random cases, of so many.
    fn cases(&self, all: usize) -> usize {
        all.div_ceil(self.share.get())
    }

    fn ask<T: DeserializeOwned>(&mut self, question: &Value) -> Result<T, String> {
        let answer = self.oracle.ask(question)?;
        serde_json::from_value(answer)
            .map_err(|error| format!("the oracle's answer has another shape: {error}"))
    }
}

/// Runs `cargo xtask parity [--python PATH] [--only WORDS] [--share N]`.
pub(crate) fn run(root: &Path, target: &Path, options: &[&str]) -> Result<(), String> {
    let Options { python, only, share } = parse(options)?;
    let python = python::environment(target, python)?;
    let oracle = Oracle::start(&python, DRIVER)?;
    let about = oracle.about.clone();
    println!(
        "  oracle: sacreBLEU {}, Python {}, NumPy {}",
        about["sacrebleu"], about["python"], about["numpy"]
    );
    let version = oracle.python_version().ok_or("the oracle did not say its version of Python")?;
    let promised = version == PROMISED;
    let summation = if version < (3, 12) { Summation::Plain } else { Summation::Compensated };
    if !promised {
        println!(
            "  note: not Python {}.{}, whose bits are promised; compared with the {} sum of logarithms",
            PROMISED.0,
            PROMISED.1,
            summation.name()
        );
    }
    let share = share.unwrap_or(NonZeroUsize::MIN);
    if share > NonZeroUsize::MIN {
        println!("  one in {share} of the random cases");
    }
    let ours = Ours { summation };
    let report = Report::default();
    let (root, cache) = (root.to_path_buf(), target.join("parity"));
    let mut comparison = Comparison { root, python, cache, oracle, ours, report, promised, share };
    for (name, compare) in COMPARISONS.iter().filter(|(name, _)| name.contains(only)) {
        let start = Instant::now();
        compare(&mut comparison).map_err(|error| format!("{name}: {error}"))?;
        println!("  {name}: {:.1} s", start.elapsed().as_secs_f64());
    }
    comparison.report.print();
    match comparison.report.totals() {
        (0, _) => Err("nothing was compared".to_owned()),
        (compared, 0) => {
            println!("  {compared} cases compared, no difference");
            Ok(())
        }
        (compared, different) => Err(format!("{different} of {compared} cases are different")),
    }
}

/// What the options ask for.
#[derive(Default)]
struct Options<'a> {
    python: Option<&'a str>,
    /// What the names of the comparisons contain.
    only: &'a str,
    /// Of random cases, one in so many; all where nothing is said.
    share: Option<NonZeroUsize>,
}

fn parse<'a>(options: &[&'a str]) -> Result<Options<'a>, String> {
    let mut parsed = Options::default();
    for pair in options.chunks(2) {
        match *pair {
            ["--python", python] => parsed.python = Some(python),
            ["--only", words] => parsed.only = words,
            ["--share", share] => {
                parsed.share =
                    Some(share.parse().map_err(|_| format!("--share {share}: not a number above 0"))?)
            }
            _ => return Err(format!("unknown option or missing value: `{}`", pair.join(" "))),
        }
    }
    Ok(parsed)
}

/// Options as the driver wants them.
fn options_as_json(options: &BleuOptions) -> Value {
    json!({
        "tokenize": options.tokenize,
        "lowercase": options.lowercase,
        "smooth": options.smooth,
        "smooth_value": options.smooth_value,
        "effective_order": options.effective_order,
        "max_order": options.max_order,
    })
}
