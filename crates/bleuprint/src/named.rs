//! [`metric`] and [`metric_in`]: create a text metric from its name, such as `bleu` or `wer`.

use crate::eval::Request;
use crate::families::standard_tokens;
use crate::{ConfigError, Panel, Registry, registry};

/// Creates a text metric from its name and options, for example `chrf:word-order=2` or
/// `wer:tokenize=char,lowercase`.
///
/// Without `tokenize` and `lowercase` the metric uses the tokenizer and case that its definition sets, or
/// else `13a` and mixed case. With `norm` the text is normalized first, for example `wer:norm=whisper-en`.
///
/// The result is a [`Panel`] with one metric over `str`, for accumulators, rewards, pools and evaluations.
///
/// ```
/// use bleuprint::eval::pairwise;
/// use bleuprint::{Accumulator, eval::Rewards};
///
/// let chrf = bleuprint::metric("chrf:word-order=2").unwrap();
/// let mut corpus = Accumulator::<_, str>::new(&chrf);
/// corpus.push("The dog bit the man.", &["The dog had bit the man."]).unwrap();
/// let scored = corpus.score().unwrap();
/// assert_eq!(format!("{:.2}", scored.value()), "70.39");
/// assert!(scored.signature.to_string().starts_with("chrF2++|nrefs:1|case:mixed|eff:yes|nc:6|nw:2"));
///
/// let matrix = pairwise::matrix(&chrf, &["a b", "a c"], &["a b"]).unwrap();
/// let mut rewards = [0.0; 2];
/// let mut step = Rewards::<_, str>::new(&chrf);
/// step.per_group(&["a b", "a c"], 2, &[["a b"]], &mut rewards).unwrap();
/// assert_eq!(rewards, [matrix[0] as f32, matrix[1] as f32]);
/// assert!(bleuprint::metric("chrf:words=2").unwrap_err().to_string().contains("unknown option of chrf `words`"));
/// ```
///
/// The defaults are for corpora; for single segments, `bleu:effective-order` is usual. `nist`, `cider` and
/// `cider_d` learn from all references first: see [`Panel::learned_from`].
///
/// # Errors
/// Returns a [`ConfigError`] if a metric, option or tokenizer is unknown, with the known names. Returns one
/// also if a value is out of range or a file that an option names cannot be read.
pub fn metric(spec: &str) -> Result<Panel, ConfigError> {
    metric_in(&registry(), spec)
}

/// Creates a text metric like [`metric`], but finds its name in the given registry, which may contain your
/// own metrics.
///
/// ```
/// use bleuprint::{AnyMetric, ExactMatch, MetricEntry};
///
/// // The constructor may hold what was loaded: a model, a table.
/// let wanted = std::sync::Arc::new(ExactMatch);
/// let entry = MetricEntry::owned("same", "Whether the texts are equal", move |_| {
///     Ok(AnyMetric::for_text(*wanted))
/// });
/// let mut own = bleuprint::registry();
/// own.add(entry).unwrap();
/// assert!(bleuprint::metric_in(&own, "same").is_ok() && bleuprint::metric_in(&own, "bleu").is_ok());
/// assert!(bleuprint::metric("same").is_err());
/// ```
///
/// # Errors
/// Returns the errors of [`metric`].
pub fn metric_in(registry: &Registry, spec: &str) -> Result<Panel, ConfigError> {
    Request::new(registry, [spec], standard_tokens()?)?.panel(registry)
}
