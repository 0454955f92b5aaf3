//! The options of evaluation, and what they ask for, as data.

use bleuprint::ConfigError;
use bleuprint::eval::Precision;
use bleuprint::eval::resample::Plan;
use clap::{Arg, ArgAction, ArgMatches};

use crate::Failure;

/// Short names of more than one letter, which are sacreBLEU's, and what they stand for.
pub(crate) const SHORT_NAMES: &[(&str, &str)] = &[
    ("-ci", "--confidence"),
    ("-cin", "--confidence-n"),
    ("-par", "--paired-ar"),
    ("-parn", "--paired-ar-n"),
    ("-pbs", "--paired-bs"),
    ("-pbsn", "--paired-bs-n"),
    ("-nc", "--no-color"),
    ("-ol", "--origlang"),
];

const HEADING: &str = "Intervals and tests";

/// The options of intervals and tests.
pub(crate) fn tests() -> Vec<Arg> {
    vec![
        flag("confidence").help("The 95 % interval of every score, by bootstrap [short: -ci]"),
        number("confidence-n").help("Resamples for --confidence [short: -cin] [default: 1000]"),
        flag("paired-bs")
            .conflicts_with("paired-ar")
            .help("Compare every system with the first by paired bootstrap [short: -pbs]"),
        number("paired-bs-n").help("Resamples for --paired-bs [short: -pbsn] [default: 1000]"),
        flag("paired-ar")
            .help("Compare every system with the first by paired approximate randomization [short: -par]"),
        number("paired-ar-n").help("Trials for --paired-ar [short: -parn] [default: 10000]"),
        flag("exact").help(
            "Exact arithmetic instead of sacreBLEU's float32; differs in late digits, and where a sum exceeds 2^24",
        ),
        Arg::new("paired-jobs")
            .short('j')
            .long("paired-jobs")
            .value_name("N")
            .value_parser(clap::value_parser!(u64).range(0..=1024))
            .hide(true)
            .help("As --threads; 0 is all cores"),
    ]
    .into_iter()
    .map(|arg| arg.help_heading(HEADING))
    .collect()
}

/// Labels of segments.
pub(crate) fn label() -> Arg {
    Arg::new("label")
        .long("label")
        .value_name("NAME=FILE")
        .action(ArgAction::Append)
        .help("Labels of the segments, one a line, such as domain=FILE or document=FILE; again for more")
}

/// Options of sacreBLEU that choose or describe its data.
pub(crate) fn of_sacrebleu() -> Vec<Arg> {
    let text = |name: &'static str| Arg::new(name).long(name).value_name("NAME");
    vec![
        text("test-set")
            .short('t')
            .conflicts_with_all(["references", "segments", "stats", "num-refs"])
            .help("A test set of sacreBLEU's folder, with -l; nothing is downloaded"),
        text("encoding").short('e').default_value("utf-8").help("The encoding of files: UTF-8"),
        Arg::new("echo").long("echo").num_args(1..).value_name("FIELD").help("Print fields of a test set"),
        flag("list").help("List the test sets in sacreBLEU's folder"),
        flag("detail").short('d').hide(true),
        text("origlang").hide(true),
        text("subset").hide(true),
        text("download").hide(true),
        flag("citation").alias("cite").hide(true),
    ]
    .into_iter()
    .map(|arg| arg.help_heading("sacreBLEU's test sets"))
    .collect()
}

/// What metrics of two passes learn from: other data than that which is scored.
pub(crate) fn learned() -> [Arg; 2] {
    let file = |name: &'static str| Arg::new(name).long(name).value_name("FILE");
    [
        file("learned").help("Metrics of two passes (cider, nist): weights that --save-learned wrote, not those of these references"),
        file("save-learned")
            .conflicts_with_all(["learned", "confidence", "paired-bs", "paired-ar", "by", "stats"])
            .help("Write what metrics of two passes learn from these references, for --learned"),
    ]
}

/// What to group by.
pub(crate) fn by() -> Arg {
    Arg::new("by").long("by").value_name("LABEL").value_delimiter(',').action(ArgAction::Append).help(
        "Scores of groups of segments, by a label (domain, document, ..) or by `length` of the reference",
    )
}

/// Statistics in files, in place of text.
pub(crate) fn stats_files() -> Arg {
    Arg::new("stats")
        .long("stats")
        .value_name("FILE")
        .num_args(1..)
        .conflicts_with_all(["references", "input", "segments", "num-refs"])
        .help("Files of statistics, one per system, instead of text; see `bleuprint stats`")
}

fn flag(name: &'static str) -> Arg {
    Arg::new(name).long(name).action(ArgAction::SetTrue)
}

fn number(name: &'static str) -> Arg {
    Arg::new(name).long(name).value_name("N").value_parser(clap::value_parser!(u64).range(0..=1_000_000_000))
}

/// Resamples or trials for a test of all pairs of so many systems: those that are asked for, else enough for the smallest
/// p-value there is to stay significant when it is corrected for all pairs, by Holm a product with their number.
pub(crate) fn resamples_of_pairs(
    given: Option<usize>,
    default: usize,
    systems: usize,
    significant: f64,
) -> Result<usize, Failure> {
    let pairs = systems * systems.saturating_sub(1) / 2;
    let least = (pairs as f64 / significant).ceil() as usize;
    let count = given.unwrap_or(default.max(2 * least));
    if count < least {
        return Err(Failure::Message(format!(
            "--resamples {count} cannot show p \u{2264} {significant} among {pairs} pairs of systems; it takes {least} or more"
        )));
    }
    Ok(count)
}

/// The seed of resamples: what is printed, and the number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Seed {
    pub(crate) printed: String,
    pub(crate) value: u128,
}

impl Seed {
    /// `SACREBLEU_SEED`: a whole number, or `none` for another seed in every run.
    pub(crate) fn from_environment() -> Result<Self, ConfigError> {
        let Some(text) = std::env::var_os("SACREBLEU_SEED") else {
            return Ok(Seed { printed: Plan::SEED.to_string(), value: Plan::SEED });
        };
        let text = text.to_string_lossy().trim().to_lowercase();
        if text == "none" {
            use std::hash::{BuildHasher, Hasher};
            // The keys of the standard library's maps are drawn from the system.
            let value = std::hash::RandomState::new().build_hasher().finish();
            return Ok(Seed { printed: text, value: value.into() });
        }
        let limit = "a whole number from 0 to 2^128 - 1, or `none`";
        let value = text.parse().map_err(|_| ConfigError::out_of_range("SACREBLEU_SEED", &text, limit))?;
        Ok(Seed { printed: text, value })
    }
}

/// Which test is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The interval of each system by itself.
    Confidence,
    /// Paired bootstrap against the first.
    Bootstrap,
    /// Paired approximate randomization against the first.
    Randomization,
}

/// A test that is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TestRequest {
    pub(crate) kind: Kind,
    pub(crate) count: usize,
    pub(crate) seed: Seed,
    pub(crate) precision: Precision,
}

impl TestRequest {
    /// What the options ask for, if anything.
    pub(crate) fn from_matches(matches: &ArgMatches) -> Result<Option<Self>, ConfigError> {
        let precision = if matches.get_flag("exact") { Precision::Exact } else { Precision::Sacrebleu };
        let kinds = [
            (Kind::Confidence, "confidence", "confidence-n", Plan::RESAMPLES),
            (Kind::Bootstrap, "paired-bs", "paired-bs-n", Plan::RESAMPLES),
            (Kind::Randomization, "paired-ar", "paired-ar-n", Plan::TRIALS),
        ];
        let asked: Vec<_> = kinds.iter().filter(|(_, flag, ..)| matches.get_flag(flag)).collect();
        for (_, flag, count, _) in kinds {
            if matches.contains_id(count) && !matches.get_flag(flag) {
                return Err(ConfigError::Conflict(format!("--{count} has no effect without --{flag}")));
            }
        }
        let (kind, _, count, default) = match asked[..] {
            [] if precision == Precision::Exact => {
                let message = "--exact has no effect without --confidence, --paired-bs or --paired-ar";
                return Err(ConfigError::Conflict(message.to_owned()));
            }
            [] => return Ok(None),
            [one] => one,
            _ => {
                let message =
                    "--confidence is part of --paired-bs, and --paired-ar has no intervals: give one";
                return Err(ConfigError::Conflict(message.to_owned()));
            }
        };
        let count = matches.get_one::<u64>(count).map_or(0, |&count| count as usize);
        // 0 is the default, as in sacreBLEU.
        let count = if count == 0 { *default } else { count };
        Ok(Some(TestRequest { kind: *kind, count, seed: Seed::from_environment()?, precision }))
    }

    pub(crate) fn plan(&self) -> Plan {
        Plan { seed: self.seed.value, count: self.count }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resamples_follow_the_number_of_pairs() {
        let count = |given, systems| resamples_of_pairs(given, 1000, systems, 0.05);
        assert_eq!(
            (count(None, 2).unwrap(), count(None, 15).unwrap(), count(Some(60), 3).unwrap()),
            (1000, 4200, 60)
        );
        let Err(Failure::Message(message)) = count(Some(59), 3) else { panic!("59 are too few") };
        assert_eq!(
            message,
            "--resamples 59 cannot show p \u{2264} 0.05 among 3 pairs of systems; it takes 60 or more"
        );
    }
}
