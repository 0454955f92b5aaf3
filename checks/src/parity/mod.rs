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

use self::Comparison::{Other, Topic};
use self::oracle::Oracle;
use self::outcome::ParityReport;
use self::topic::ParityTopic;
use crate::pool;

const DRIVER: &str = include_str!("sacrebleu.py");

enum Comparison {
    /// Data, which the loop of topics compares.
    Topic(&'static ParityTopic),
    /// A function with a loop of its own, whose cases are no list of questions with an answer for each.
    Other(fn(&mut ParityRun<'_>) -> Result),
}

/// All comparisons, the longest first, so that all workers end at about the same time.
const COMPARISONS: &[(&str, Comparison)] = &[
    ("tokenizers on real text, every character and random text", Other(tokenizers::all)),
    ("normalizers on every character and random text", Other(normalizers::all)),
    ("TER on random corpora", Other(edits::ter)),
    ("NIST, CIDEr-D and SARI on random corpora", Other(corpus_metrics::random)),
    ("METEOR on random sentences", Other(meteor::random)),
    ("METEOR 1.5 of random texts", Other(meteor15::random)),
    ("meta: agreement with people on random scores", Other(meta::random)),
    ("SQuAD's measures on random answers", Topic(&squad::TOPIC)),
    ("significance on random corpora", Other(significance::random)),
    ("significance on real data", Other(significance::real)),
    ("BLEU on random corpora", Other(sacrebleu::random)),
    ("BLEU on real data", Other(sacrebleu::real)),
    ("chrF on random corpora", Other(chrf::random)),
    ("chrF on real data", Other(chrf::real)),
    ("error rates on random segments", Other(edits::error_rates)),
    ("sessions of several speakers, random", Other(speech::sessions)),
    ("re-segmentation of random documents", Other(speech::pieces)),
    ("merged compounds on random pairs", Other(speech::compounds)),
    ("PTB tokens of random captions", Topic(&captions::TOPIC)),
    ("CodeBLEU of random programs", Topic(&code::TOPIC)),
    ("SPICE over random tuples", Topic(&spice::TOPIC)),
    ("BERTScore and cosine over random vectors", Topic(&vectors::TOPIC)),
    ("labels, spans and answers, random", Topic(&labels::TOPIC)),
    ("similarities of random texts", Topic(&similarity::TOPIC)),
    ("texts against their sources, random", Topic(&sources::TOPIC)),
    ("ROUGE on random texts", Other(rouge::random)),
    ("samples per prompt and likelihoods, random", Topic(&samples::TOPIC)),
    ("words that matter, random", Topic(&recognition::TOPIC)),
    ("turns of speakers, random", Topic(&diarization::TOPIC)),
    ("SubER of random films", Topic(&subtitles::TOPIC)),
    ("latency of random segments", Topic(&latency::TOPIC)),
    ("references with alternatives and GLM rules, random", Other(sclite::random)),
    ("command lines", Other(commands::all)),
    ("dialects on random corpora", Other(dialects::random)),
    ("Perl's words", Other(perl::all)),
    ("lower case of every character", Topic(&lowercase::TOPIC)),
    ("Porter stems", Topic(&stem::TOPIC)),
    ("golden BLEU cases", Other(golden::bleu)),
    ("golden tokenizer cases", Other(golden::tokenize)),
    ("golden signatures", Other(golden::signatures)),
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

    fn sacrebleu(&self) -> Result<Oracle> {
        self.oracle(DRIVER)
    }

    /// Returns the driver, or `None` if the program that it needs is missing.
    fn oracle_with(&self, driver: &str, program: &str) -> Result<Option<Oracle>> {
        let oracle = self.oracle(driver)?;
        match oracle.about["programs"][program].as_str() {
            Some(version) => println!("  {program} {version}"),
            None => println!("  skipped: {program}, because it is not installed"),
        }
        Ok(oracle.about["programs"][program].is_string().then_some(oracle))
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
    let workers = pool::run(workers, chosen, |comparison, (name, compare)| {
        let start = Instant::now();
        let compared = match compare {
            Topic(data) => topic::run(data, comparison),
            Other(run) => run(comparison),
        };
        compared.map_err(|error| format!("{name}: {error}"))?;
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
