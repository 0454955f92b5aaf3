//! `cargo xtask parity`: scores the same inputs with the real sacreBLEU from PyPI, with the programs of the
//! dialects, and with this program, and compares the bits.
//!
//! The promise is sacreBLEU 2.6.0 under CPython 3.11 and NumPy 2. Under CPython 3.12 and later sacreBLEU itself
//! gives other last bits, because `sum` compensates; then our compensated sum is compared instead.
//!
//! Adding a comparison = one file with a [`ParityTopic`], and its line in [`COMPARISONS`].

mod bleu;
mod captions;
mod chrf;
mod code;
mod commands;
mod corpus;
mod corpus_metrics;
mod dialects;
mod diarization;
mod edits;
mod golden;
mod labels;
mod latency;
mod lowercase;
mod mappings;
mod meta;
mod meteor;
mod meteor15;
mod normalizers;
mod oracle;
pub(crate) mod ours;
mod outcome;
mod perl;
mod recognition;
mod rouge;
mod sacrebleu;
mod samples;
mod sclite;
mod significance;
mod similarity;
mod sources;
mod speech;
mod spice;
mod squad;
mod stem;
mod subtitles;
mod tokenizers;
mod topic;
mod vectors;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Instant;

use bleuprint::{contract::Choice as _, metrics::Summation};
use bleuprint_testkit::random::Rng;
use xtask::Result;
use xtask::venv::PROMISED;

use self::oracle::Oracle;
use self::outcome::ParityReport;
use self::topic::ParityTopic;
use crate::pool;

const DRIVER: &str = include_str!("sacrebleu.py");

/// All comparisons, the longest first, so that all workers end at about the same time.
const COMPARISONS: &[(&str, &ParityTopic)] = &[
    ("tokenizers on every character", &tokenizers::CHARACTERS),
    ("tokenizers on real text", &tokenizers::LINES),
    ("tokenizers on random text", &tokenizers::RANDOM),
    ("normalizers on every character and random text", &normalizers::TOPIC),
    ("TER on random corpora", &edits::TER),
    ("NIST, CIDEr-D and SARI on random corpora", &corpus_metrics::TOPIC),
    ("METEOR on random sentences", &meteor::TOPIC),
    ("METEOR 1.5 of random texts", &meteor15::TOPIC),
    ("meta: agreement with people on random scores", &meta::TOPIC),
    ("SQuAD's measures on random answers", &squad::TOPIC),
    ("significance on random corpora", &significance::RANDOM),
    ("significance on real data", &significance::REAL),
    ("BLEU on random corpora", &sacrebleu::RANDOM),
    ("BLEU on real data", &sacrebleu::REAL),
    ("chrF on random corpora", &chrf::RANDOM),
    ("chrF on real data", &chrf::REAL),
    ("error rates on random segments", &edits::RATES),
    ("sessions of several speakers, random", &speech::SESSIONS),
    ("re-segmentation of random documents", &speech::PIECES),
    ("merged compounds on random pairs", &speech::COMPOUNDS),
    ("PTB tokens of random captions", &captions::TOPIC),
    ("CodeBLEU of random programs", &code::TOPIC),
    ("SPICE over random tuples", &spice::TOPIC),
    ("BERTScore and cosine over random vectors", &vectors::TOPIC),
    ("labels, spans and answers, random", &labels::TOPIC),
    ("similarities of random texts", &similarity::TOPIC),
    ("texts against their sources, random", &sources::TOPIC),
    ("ROUGE on random texts", &rouge::TOPIC),
    ("samples per prompt and likelihoods, random", &samples::TOPIC),
    ("words that matter, random", &recognition::TOPIC),
    ("turns of speakers, random", &diarization::TOPIC),
    ("SubER of random films", &subtitles::TOPIC),
    ("latency of random segments", &latency::TOPIC),
    ("references with alternatives and GLM rules, random", &sclite::TOPIC),
    ("command lines", &commands::TOPIC),
    ("dialects on random corpora", &dialects::TOPIC),
    ("Perl's words", &perl::TOPIC),
    ("lower case of every character", &lowercase::TOPIC),
    ("Porter stems", &stem::TOPIC),
    ("golden BLEU cases", &golden::BLEU),
    ("golden tokenizer cases", &golden::TOKENIZE),
    ("golden signatures", &golden::SIGNATURES),
];

struct ParityArguments {
    root: PathBuf,
    target: PathBuf,
    python: PathBuf,
    /// Summation that the interpreter's `sum` uses.
    summation: Summation,
    promised: bool,
    share: NonZeroUsize,
    seed: u64,
}

struct ParityRun<'g> {
    given: &'g ParityArguments,
    report: ParityReport,
}

impl ParityRun<'_> {
    fn cases(&self, all: usize) -> usize {
        all.div_ceil(self.given.share.get())
    }

    /// Returns the slow fixed cases of this run: all cases, or at least one in eight if a share is set. The next seed
    /// selects other cases.
    fn turn<T>(&self, cases: Vec<T>) -> impl Iterator<Item = T> + use<T> {
        turn(cases, self.given.share.get(), self.given.seed)
    }

    /// Returns the generator of random cases. Every comparison has a different seed, and every seed of a run
    /// gives other cases.
    fn rng(&self, seed: u64) -> Rng {
        // The multiplier, 2^64 divided by the golden ratio, spreads small seeds over all bits.
        // The default seed 0 leaves the seed of the comparison unchanged.
        Rng::new(seed ^ self.given.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    fn oracle(&self, driver: &str) -> Result<Oracle> {
        Oracle::start(&self.given.python, driver)
    }

    /// Returns `true` if a program of Debian's sctk is installed. A full run fails without it.
    fn has_sctk(&self, oracle: &Oracle, program: &str) -> Result<bool> {
        let found = oracle.about["programs"][program].is_string();
        // A full run claims all comparisons, so a missing program must not shrink it silently.
        if !found && self.given.share == NonZeroUsize::MIN {
            return Err(format!(
                "{program} is not installed, and all cases were asked for: apt-get install sctk"
            )
            .into());
        }
        if !found {
            println!("  skipped: {program}, because sctk is not installed");
        }
        Ok(found)
    }
}

/// Largest inverse share of the slow fixed cases: at least one case in this number is compared.
const TURNS: usize = 8;

fn turn<T>(cases: Vec<T>, share: usize, seed: u64) -> impl Iterator<Item = T> {
    // `skip` must stay below the number of cases, or a run with few cases would compare nothing.
    let turns = TURNS.min(share).min(cases.len()).max(1);
    cases.into_iter().skip((seed % turns as u64) as usize).step_by(turns)
}

/// Runs `cargo xtask parity [--python PATH] [--only WORDS] [--share N] [--seed S]`.
pub(crate) fn run(root: &Path, target: &Path, options: &[&str]) -> Result {
    let ParityOptions { python, only, share, seed } = parse(options)?;
    let python = oracle::environment(target, python)?;
    let about = Oracle::start(&python, DRIVER)?.about.take();
    println!(
        "  oracle: sacreBLEU {}, Python {}, NumPy {}",
        about["sacrebleu"], about["python"], about["numpy"]
    );
    let version = version(about["python"].as_str().unwrap_or_default());
    let version = version.ok_or("the oracle did not say its version of Python")?;
    // Since CPython 3.12 `sum` over floats compensates rounding, so sacreBLEU itself has other last bits.
    let summation = if version < (3, 12) { Summation::Plain } else { Summation::Compensated };
    if version != PROMISED {
        println!(
            "  note: not Python {}.{}, whose bits are promised; compared with the {} sum of logarithms",
            PROMISED.0,
            PROMISED.1,
            summation.name()
        );
    }
    if share > NonZeroUsize::MIN || seed > 0 {
        println!("  one in {share} of the random cases, of seed {seed}");
    }
    let root = root.to_path_buf();
    let target = target.to_path_buf();
    let promised = version == PROMISED;
    let given = ParityArguments { root, target, python, summation, promised, share, seed };
    let chosen = COMPARISONS.iter().filter(|(name, _)| name.contains(only));
    let workers = (0..pool::size()).map(|_| ParityRun { given: &given, report: ParityReport::default() });
    let workers = pool::run(workers, chosen, |comparison, (name, topic)| {
        let start = Instant::now();
        topic::run(topic, comparison).map_err(|error| format!("{name}: {error}"))?;
        println!("  {name}: {:.1} s", start.elapsed().as_secs_f64());
        Ok(())
    })?;
    let mut report = ParityReport::default();
    workers.into_iter().for_each(|worker| report.merge(worker.report));
    report.print();
    match report.totals() {
        // An `--only` that selects no comparison must not look like a success.
        (0, _) => Err("nothing was compared".into()),
        (compared, 0) => {
            println!("  {compared} cases compared, no difference");
            Ok(())
        }
        (compared, different) => Err(format!("{different} of {compared} cases are different").into()),
    }
}

fn version(text: &str) -> Option<(u32, u32)> {
    let mut parts = text.split('.');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

struct ParityOptions<'a> {
    python: Option<&'a str>,
    only: &'a str,
    /// Inverse share of the random cases: one case in this number is compared; all by default.
    share: NonZeroUsize,
    seed: u64,
}

fn parse<'a>(options: &[&'a str]) -> Result<ParityOptions<'a>> {
    let mut parsed = ParityOptions { python: None, only: "", share: NonZeroUsize::MIN, seed: 0 };
    for pair in options.chunks(2) {
        match *pair {
            ["--python", python] => parsed.python = Some(python),
            ["--only", words] => parsed.only = words,
            ["--share", share] => {
                parsed.share = share.parse().map_err(|_| format!("--share {share}: not a number above 0"))?;
            }
            ["--seed", seed] => {
                parsed.seed = seed.parse().map_err(|_| format!("--seed {seed}: not a whole number"))?;
            }
            _ => return Err(format!("unknown option or missing value: `{}`", pair.join(" ")).into()),
        }
    }
    Ok(parsed)
}

#[cfg(test)]
mod turns {
    use super::turn;

    #[test]
    fn seeds_take_turns_and_leave_nothing_out() {
        let mut seen: Vec<usize> = (0..8).flat_map(|seed| turn((0..30).collect(), 40, seed)).collect();
        seen.sort_unstable();
        assert_eq!(seen, Vec::from_iter(0..30));
    }

    #[test]
    fn all_cases_without_a_share_and_one_at_least_with_one() {
        assert_eq!(turn(vec![1, 2, 3], 1, 7).collect::<Vec<_>>(), [1, 2, 3]);
        assert_eq!((0..8).map(|seed| turn(vec![1, 2, 3], 40, seed).count()).min(), Some(1));
        assert_eq!(turn(Vec::<u8>::new(), 40, 3).count(), 0);
    }
}
