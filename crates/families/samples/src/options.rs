//! The options of the metrics of samples, each declared once.

use bleuprint_core::ConfigError;
use bleuprint_registry::Opt;

/// The most samples of a prompt.
pub(crate) const MOST_SAMPLES: u32 = 1_000_000;
/// The most samples of a prompt for numbers in whole numbers, and for a row of counts.
pub(crate) const MOST_EXACT: u32 = 10_000;
/// The most values of a prompt: the time grows with their square.
pub(crate) const MOST_VALUES: u32 = 10_000;

bleuprint_core::choice! {
    /// The number of a prompt that is averaged over prompts.
    pub enum Finish {
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

impl Finish {
    /// The heading of the number at `k`.
    pub(crate) fn heading(self, k: u32) -> String {
        match self {
            Finish::Pass => format!("pass@{k}"),
            Finish::PassHat => format!("pass^{k}"),
            Finish::GPass => format!("G-Pass@{k}"),
            Finish::MeanGPass => format!("mG-Pass@{k}"),
            Finish::Avg => "avg@n".to_owned(),
        }
    }
}

bleuprint_core::choice! {
    /// The treatment of samples without a verdict or a value.
    pub enum Missing {
        /// An error.
        Error = "error",
        /// The prompt has fewer samples; a prompt without any is left out and counted.
        Skip = "skip",
        /// A wrong sample.
        Worst = "worst",
    }

    /// The winner among equally frequent answers.
    pub enum Ties {
        /// The answer that came first.
        First = "first",
        /// All of them: the share of the right ones.
        Share = "share",
    }
}

pub(crate) const OF: Opt<Finish> = Opt::choice("of")
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

pub(crate) const MISSING: Opt<Missing> = Opt::choice("missing")
    .counted("missing", "m")
    .unless_default()
    .help("A sample without a verdict: an error, left out, or wrong");

pub(crate) const RIGHT: Opt<Option<f64>> = Opt::optional_number("right", "values are 0 or 1")
    .counted("right", "r")
    .help("The least value of a right sample");

pub(crate) const COUNTED_K: Opt<Option<Vec<f64>>> =
    Opt::numbers("k", "1").counted("k", "k").help("The number of samples drawn; several give a curve");

pub(crate) const BETTER: Opt<&str> =
    Opt::word("better", &["higher", "lower"], "higher").counted("better", "b").help("The good direction");

pub(crate) const SCALE: Opt<Option<String>> = Opt::name("scale", "open")
    .counted("scale", "sc")
    .help("The limits of the values, as in 0..1; any other is an error");

pub(crate) const PRODUCER: Opt<Option<String>> = Opt::name("producer", "none")
    .counted("producer", "p")
    .help("The signature of the program that computed the values");

/// The metric over text that scores samples, for `best` and `worst`.
pub const TEXTS_OF: Opt<Option<String>> = Opt::name("of", "the samples are numbers")
    .counted("of", "of")
    .help("The metric that scores each sample, as in of=chrf; the samples are then texts, with references");

pub(crate) const KEEP: Opt<&str> = Opt::word("keep", &["sums", "values"], "sums")
    .counted("keep", "ke")
    .unless_default()
    .help("The state: exact sums at each k, or the values of all prompts, which serve every k");

pub(crate) const TIES: Opt<Ties> = Opt::choice("ties")
    .counted("ties", "ti")
    .help("Among equally frequent answers: the first one, or a share for each");

/// The numbers of samples drawn, which are in ascending order.
///
/// # Errors
/// [`ConfigError::OutOfRange`] for no number, a fraction, 0, and numbers out of order or above 10,000.
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

/// The numbers as an option holds them.
pub(crate) fn as_option(ks: &[u32]) -> Option<Vec<f64>> {
    Some(ks.iter().map(|k| f64::from(*k)).collect())
}
