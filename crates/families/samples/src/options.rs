//! Options of the metrics over several samples per prompt, such as pass@k, each declared once.

use bleuprint_core::ConfigError;
use bleuprint_registry::{Opt, settings};

/// Largest number of samples that one prompt may have.
pub(crate) const MOST_SAMPLES: u32 = 1_000_000;
/// Largest number of samples of a prompt for metrics that are computed in integers, and for rows of counts.
pub(crate) const MOST_EXACT: u32 = 10_000;
/// Largest number of scored samples of a prompt: the time of best@k grows with its square.
pub(crate) const MOST_VALUES: u32 = 10_000;

bleuprint_core::choice! {
    /// Quantity that is computed for each prompt from its right and wrong samples, and averaged over prompts.
    pub enum PromptNumber {
        /// pass@k: the probability that at least one of k samples is right.
        Pass = "pass",
        /// pass^k: the probability that all of k samples are right.
        PassHat = "passhat",
        /// G-Pass@k: the probability that at least a share T of k samples is right.
        GPass = "gpass",
        /// mG-Pass@k: the average of G-Pass@k over the shares T from one half to one.
        MeanGPass = "mgpass",
        /// avg@n: the share of right samples among all samples of the prompt.
        Avg = "avg",
    }
}

impl PromptNumber {
    /// Returns the name of the metric at `k` for tables, such as `pass@10`.
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
    /// Treatment of samples that have neither a verdict (right or wrong) nor a score.
    pub enum MissingVerdict {
        /// A sample without a verdict or score is an error.
        Error = "error",
        /// A sample without a verdict or score is left out. A prompt that has no other samples is left out
        /// too, and counted as missing.
        Skip = "skip",
        /// A sample without a verdict counts as wrong, a sample without a score as the worst score.
        Worst = "worst",
    }

    /// Rule of majority voting for answers that are equally frequent.
    pub enum Ties {
        /// The first of the equally frequent answers wins the vote.
        First = "first",
        /// All equally frequent answers win: the prompt's value is the share of right answers among them.
        Share = "share",
    }
}

settings! {
    /// Options of pass@k and its relatives.
    pub(crate) struct SamplesSettings {
        /// The number of a prompt: pass@k, pass^k, G-Pass@k, mG-Pass@k or avg@n
        pub(crate) finish: PromptNumber = Opt::choice("of").finished("of", "of");
        /// The number of samples drawn; several give a curve
        pub(crate) k: Option<Vec<f64>> = Opt::numbers("k", "1").finished("k", "k");
        /// The share of right samples that G-Pass@k asks for, as in 0.5
        pub(crate) threshold: Option<String> = Opt::name("t", "none").finished("threshold", "th");
        /// The number of samples of every prompt; the state is then a row of counts
        pub(crate) n: Option<u64> = Opt::optional_integer("n", "any").limits(1, MOST_EXACT as u64).counted("n", "n");
        /// The least value of a right sample
        pub(crate) right: Option<f64> = Opt::optional_number("right", "values are 0 or 1").counted("right", "r");
        /// How to treat a sample without a verdict: as an error, left out, or wrong
        pub(crate) missing: MissingVerdict = Opt::choice("missing").counted("missing", "m").unless_default();
    }
}

settings! {
    /// Options of best@k and worst@k.
    pub(crate) struct BestSettings {
        /// The number of samples drawn; several give a curve
        pub(crate) k: Option<Vec<f64>> = Opt::numbers("k", "1").counted("k", "k");
        /// Whether higher or lower values are better
        pub(crate) lower: bool = Opt::either("better", &["higher", "lower"]).counted("better", "b");
        /// The limits of the values, as in 0..1; any other is an error
        pub(crate) scale: Option<String> = Opt::name("scale", "open").counted("scale", "sc");
        /// The signature of the program that computed the values
        pub(crate) producer: Option<String> = Opt::name("producer", "none").counted("producer", "p");
        /// How to treat a sample without a verdict: as an error, left out, or wrong
        pub(crate) missing: MissingVerdict = Opt::choice("missing").counted("missing", "m").unless_default();
        /// The content of the state: exact sums at each k, or the values of all prompts, which serve every k
        pub(crate) keeps_values: bool = Opt::either("keep", &["sums", "values"]).counted("keep", "ke").unless_default();
    }
}

settings! {
    /// Options of maj@k.
    pub(crate) struct MajoritySettings {
        /// The number of samples drawn; several give a curve
        pub(crate) k: Option<Vec<f64>> = Opt::numbers("k", "1").counted("k", "k");
        /// Equally frequent answers: the first one wins, or each wins a share
        pub(crate) ties: Ties = Opt::choice("ties").counted("ties", "ti");
        /// An answer that is NaN or an infinity: an error, or the prompt is left out and counted; null is no vote
        pub(crate) skips: bool = Opt::either("missing", &["error", "skip"]).counted("missing", "m").added_later();
    }
}

/// Option of `best` and `worst` that names the text metric which scores each sample.
pub(crate) const TEXTS_OF: Opt<Option<String>> = Opt::name("of", "the samples are numbers")
    .counted("of", "of")
    .help("The metric that scores each sample, as in of=chrf; the samples are then texts, with references");

/// Returns the values of `k` (numbers of samples drawn, as in pass@k) that the user gave, in ascending order;
/// the default is 1.
///
/// # Errors
/// Returns [`ConfigError::OutOfRange`] if the list is empty, or if a value is a fraction, 0, above 10,000 or
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

/// Converts the values of `k` to the type of the option `k`.
pub(crate) fn as_option(ks: &[u32]) -> Option<Vec<f64>> {
    Some(ks.iter().map(|k| f64::from(*k)).collect())
}
