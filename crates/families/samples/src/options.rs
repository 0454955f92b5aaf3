//! Options of the metrics of samples, each declared once.

use bleuprint_core::ConfigError;
use bleuprint_registry::Opt;

/// Largest number of samples of a prompt.
pub(crate) const MOST_SAMPLES: u32 = 1_000_000;
/// Largest number of samples of a prompt for metrics in integers, and for a row of counts.
pub(crate) const MOST_EXACT: u32 = 10_000;
/// Largest number of values of a prompt: the time grows with its square.
pub(crate) const MOST_VALUES: u32 = 10_000;

bleuprint_core::choice! {
    /// Number of a prompt that is averaged over prompts.
    pub enum PromptNumber {
        /// pass@k: at least one of k samples is right.
        Pass = "pass",
        /// pass^k: all of k samples are right.
        PassHat = "passhat",
        /// G-Pass@k: at least a share T of k samples is right.
        GPass = "gpass",
        /// mG-Pass@k: G-Pass@k over all T from one half to one.
        MeanGPass = "mgpass",
        /// avg@n: the share of right samples.
        Avg = "avg",
    }
}

impl PromptNumber {
    /// Returns the heading of the number at `k`.
    pub(crate) fn heading(self, k: u32) -> String {
        match self {
            PromptNumber::Pass => format!("pass@{k}"),
            PromptNumber::PassHat => format!("pass^{k}"),
            PromptNumber::GPass => format!("G-Pass@{k}"),
            PromptNumber::MeanGPass => format!("mG-Pass@{k}"),
            PromptNumber::Avg => "avg@n".to_owned(),
        }
    }
}

bleuprint_core::choice! {
    /// Treatment of samples without a verdict or a value.
    pub enum MissingVerdict {
        /// Such a sample is an error.
        Error = "error",
        /// Such a sample is left out; a prompt with only such samples is left out too and counted.
        Skip = "skip",
        /// Such a sample counts as wrong, or as the worst value.
        Worst = "worst",
    }

    /// Rule for equally frequent answers.
    pub enum Ties {
        /// The answer that came first wins.
        First = "first",
        /// All of them win: the number is the share of right ones.
        Share = "share",
    }
}

pub(crate) const OF: Opt<PromptNumber> = Opt::choice("of")
    .finished("of", "of")
    .help("The number of a prompt: pass@k, pass^k, G-Pass@k, mG-Pass@k or avg@n");

pub(crate) const K: Opt<Option<Vec<f64>>> =
    Opt::numbers("k", "1").finished("k", "k").help("The number of samples drawn; several give a curve");

pub(crate) const T: Opt<Option<String>> = Opt::name("t", "none")
    .finished("threshold", "th")
    .help("The share of right samples that G-Pass@k asks for, as in 0.5");

pub(crate) const N: Opt<Option<u64>> = Opt::optional_integer("n", "any")
    .limits(1, MOST_EXACT as u64)
    .counted("n", "n")
    .help("The number of samples of every prompt; the state is then a row of counts");

pub(crate) const MISSING: Opt<MissingVerdict> = Opt::choice("missing")
    .counted("missing", "m")
    .unless_default()
    .help("How to treat a sample without a verdict: as an error, left out, or wrong");

pub(crate) const RIGHT: Opt<Option<f64>> = Opt::optional_number("right", "values are 0 or 1")
    .counted("right", "r")
    .help("The least value of a right sample");

pub(crate) const COUNTED_K: Opt<Option<Vec<f64>>> =
    Opt::numbers("k", "1").counted("k", "k").help("The number of samples drawn; several give a curve");

pub(crate) const BETTER: Opt<&str> = Opt::word("better", &["higher", "lower"], "higher")
    .counted("better", "b")
    .help("Whether higher or lower values are better");

pub(crate) const SCALE: Opt<Option<String>> = Opt::name("scale", "open")
    .counted("scale", "sc")
    .help("The limits of the values, as in 0..1; any other is an error");

pub(crate) const PRODUCER: Opt<Option<String>> = Opt::name("producer", "none")
    .counted("producer", "p")
    .help("The signature of the program that computed the values");

/// Metric over text that scores samples, for `best` and `worst`.
pub const TEXTS_OF: Opt<Option<String>> = Opt::name("of", "the samples are numbers")
    .counted("of", "of")
    .help("The metric that scores each sample, as in of=chrf; the samples are then texts, with references");

pub(crate) const KEEP: Opt<&str> = Opt::word("keep", &["sums", "values"], "sums")
    .counted("keep", "ke")
    .unless_default()
    .help("What the state keeps: exact sums at each k, or the values of all prompts, which serve every k");

pub(crate) const TIES: Opt<Ties> = Opt::choice("ties")
    .counted("ties", "ti")
    .help("Equally frequent answers: the first one wins, or each wins a share");

/// Returns the numbers of samples drawn, in ascending order.
///
/// # Errors
/// Returns [`ConfigError::OutOfRange`] if there is no number, or if one is a fraction, 0, above 10,000 or
/// out of order.
pub(crate) fn ks(given: Option<&[f64]>) -> Result<Vec<u32>, ConfigError> {
    let given = given.unwrap_or(&[1.0]);
    let whole =
        |k: f64| (k.fract() == 0.0 && (1.0..=f64::from(MOST_VALUES)).contains(&k)).then_some(k as u32);
    let ks: Option<Vec<u32>> = given.iter().map(|k| whole(*k)).collect();
    ks.filter(|ks| !ks.is_empty() && ks.is_sorted_by(|one, next| one < next)).ok_or_else(|| {
        let limit = format!("whole numbers from 1 to {MOST_VALUES}, in ascending order");
        ConfigError::out_of_range("k", format!("{given:?}"), &limit)
    })
}

/// Returns the numbers as the value of an option.
pub(crate) fn as_option(ks: &[u32]) -> Option<Vec<f64>> {
    Some(ks.iter().map(|k| f64::from(*k)).collect())
}
