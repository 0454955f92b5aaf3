//! BLEU's registry entry: its options as data.

use bleuprint_core::{AnyMetric, ConfigError, MetricEntry, MetricOptions, Opt};

use super::{Bleu, Dialect, RefLen, Smoothing, Summation};
use crate::shared::MAX_ORDER_LIMIT;

pub(super) const SMOOTH_METHOD: Opt<Smoothing> = Opt::choice("smooth-method")
    .short("s")
    .finished("smooth", "s")
    .help("What is done with orders without matches");

/// Signatures show it to two decimals; in full only where these do not say it.
pub(super) const SMOOTH_VALUE: Opt<Option<f64>> =
    Opt::optional_number("smooth-value", "0.1 for floor, 1 for add-k")
        .short("sv")
        .finished("sv", "sv")
        .in_brackets_of("smooth")
        .help("The value of the smoothing methods floor and add-k");

pub(super) const MAX_ORDER: Opt<usize> = Opt::integer("max-order", 4)
    .limits(1, MAX_ORDER_LIMIT as u64)
    .counted("order", "order")
    .unless_default()
    .help("The highest order of n-gram");

pub(super) const WEIGHTS: Opt<Option<Vec<f64>>> = Opt::numbers("weights", "uniform")
    .finished("weights", "weights")
    .help("The weight of each order, as in 0.4,0.3,0.2,0.1");

pub(super) const EFFECTIVE_ORDER: Opt<bool> = Opt::flag("effective-order")
    .sentence_default("yes")
    .finished("eff", "e")
    .help("Leave orders longer than the hypothesis out of the mean");

pub(super) const REF_LEN: Opt<RefLen> = Opt::choice("ref-len")
    .finished("len", "len")
    .unless_default()
    .help("Which reference length the brevity penalty compares with");

pub(super) const SUMMATION: Opt<Summation> = Opt::choice("summation")
    .finished("sum", "sum")
    .unless_default()
    .help("How logarithms are added: plain as CPython up to 3.11, compensated as from 3.12 on");

pub(super) const DIALECT: Opt<Option<String>> = Opt::name("dialect", "none: sacreBLEU's BLEU")
    .finished("dialect", "d")
    .help("BLEU as another program finishes it; see `bleuprint dialects`");

/// Options that a dialect decides itself.
const DECIDED: [&str; 4] =
    [SMOOTH_METHOD.spec.name, SMOOTH_VALUE.spec.name, REF_LEN.spec.name, EFFECTIVE_ORDER.spec.name];

pub(crate) const ENTRY: MetricEntry =
    MetricEntry::new("bleu", "Clipped n-gram precision with a brevity penalty", build)
        .aliases(&["BLEU"])
        .paper("Papineni et al. 2002, BLEU: a Method for Automatic Evaluation of Machine Translation")
        .agrees_with("sacreBLEU 2.6.0")
        .options(&[
            SMOOTH_METHOD.spec,
            SMOOTH_VALUE.spec,
            MAX_ORDER.spec,
            WEIGHTS.spec,
            EFFECTIVE_ORDER.spec,
            REF_LEN.spec,
            SUMMATION.spec,
            DIALECT.spec,
        ]);

fn build(options: &MetricOptions) -> Result<AnyMetric, ConfigError> {
    let mut smoothing = SMOOTH_METHOD.of(options)?;
    if let Some(value) = SMOOTH_VALUE.of(options)? {
        smoothing = smoothing.with_value(value)?;
    }
    let mut builder = Bleu::builder()
        .smoothing(smoothing)
        .effective_order(EFFECTIVE_ORDER.of(options)?)
        .ref_len(REF_LEN.of(options)?)
        .summation(SUMMATION.of(options)?);
    if let Some(max_order) = MAX_ORDER.get(options)? {
        builder = builder.max_order(max_order);
    }
    if let Some(weights) = WEIGHTS.of(options)? {
        builder = builder.weights(weights);
    }
    let bleu = builder.build()?;
    let Some(name) = DIALECT.of(options)? else { return AnyMetric::over_ids(bleu) };
    let dialect = Dialect::by_name(&name)?;
    if let Some(decided) = DECIDED.iter().find(|name| options.given(name).is_some()) {
        let message = format!("--{decided} is decided by the dialect `{}`", dialect.name);
        return Err(ConfigError::Conflict(message));
    }
    if options.given(SUMMATION.spec.name).is_some() && !dialect.python_sum {
        let message = format!(
            "--summation has no effect on the dialect `{}`, which does not add with Python's `sum`",
            dialect.name
        );
        return Err(ConfigError::Conflict(message));
    }
    let metric = AnyMetric::over_ids(bleu.in_dialect(dialect)?)?;
    Ok(metric.with_default_tokens(dialect.tokenizer, dialect.case.parse()?))
}
