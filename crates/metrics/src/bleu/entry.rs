//! BLEU's registry entry: its options as data.

use bleuprint_core::{AnyMetric, ConfigError, MetricEntry, MetricOptions, OptionKind, OptionSpec};

use super::{Bleu, Dialect, RefLen, Smoothing, Summation};

/// The options, with sacreBLEU's names where it has them.
const OPTIONS: &[OptionSpec] = &[
    OptionSpec::new("smooth-method", OptionKind::Choice(Smoothing::NAMES))
        .short("s")
        .default("exp")
        .help("What is done with orders without matches"),
    OptionSpec::new("smooth-value", OptionKind::Number)
        .short("sv")
        .default("0.1 for floor, 1 for add-k")
        .help("The value of the smoothing methods floor and add-k"),
    OptionSpec::new("max-order", OptionKind::Integer).default("4").help("The highest order of n-gram"),
    OptionSpec::new("weights", OptionKind::Numbers)
        .default("uniform")
        .help("The weight of each order, as in 0.4,0.3,0.2,0.1"),
    OptionSpec::new("effective-order", OptionKind::Flag)
        .default("no")
        .sentence_default("yes")
        .help("Leave orders longer than the hypothesis out of the mean"),
    OptionSpec::new("ref-len", OptionKind::Choice(RefLen::NAMES))
        .default("closest")
        .help("Which reference length the brevity penalty compares with"),
    OptionSpec::new("summation", OptionKind::Choice(Summation::NAMES))
        .default("plain")
        .help("How logarithms are added: plain as CPython up to 3.11, compensated as from 3.12 on"),
    OptionSpec::new("dialect", OptionKind::Name)
        .default("none: sacreBLEU's BLEU")
        .help("BLEU as another program finishes it; see `bleuprint dialects`"),
];

/// Options that a dialect decides itself.
const DECIDED: [&str; 4] = ["smooth-method", "smooth-value", "ref-len", "effective-order"];

pub(crate) const ENTRY: MetricEntry =
    MetricEntry::new("bleu", "Clipped n-gram precision with a brevity penalty", build)
        .aliases(&["BLEU"])
        .paper("Papineni et al. 2002, BLEU: a Method for Automatic Evaluation of Machine Translation")
        .agrees_with("sacreBLEU 2.6.0")
        .options(OPTIONS);

fn build(options: &MetricOptions) -> Result<AnyMetric, ConfigError> {
    let value = options.parse("smooth-value", "a number")?;
    let mut builder = Bleu::builder()
        .smoothing(Smoothing::by_name(options.get("smooth-method").unwrap_or("exp"), value)?)
        .effective_order(options.flag("effective-order")?.unwrap_or(false))
        .ref_len(RefLen::by_name(options.get("ref-len").unwrap_or("closest"))?)
        .summation(Summation::by_name(options.get("summation").unwrap_or("plain"))?);
    if let Some(max_order) = options.parse("max-order", "a whole number")? {
        builder = builder.max_order(max_order);
    }
    if let Some(weights) = options.parse_list("weights")? {
        builder = builder.weights(weights);
    }
    let bleu = builder.build()?;
    let Some(name) = options.get("dialect") else { return AnyMetric::over_ids(bleu) };
    let dialect = Dialect::by_name(name)?;
    if let Some(decided) = DECIDED.iter().find(|name| options.given(name).is_some()) {
        let message = format!("--{decided} is decided by the dialect `{}`", dialect.name);
        return Err(ConfigError::Conflict(message));
    }
    if options.given("summation").is_some() && !dialect.python_sum {
        let message = format!(
            "--summation has no effect on the dialect `{}`, which does not add with Python's `sum`",
            dialect.name
        );
        return Err(ConfigError::Conflict(message));
    }
    let metric = AnyMetric::over_ids(bleu.in_dialect(dialect)?)?;
    Ok(metric.with_default_tokens(dialect.tokenizer, dialect.case.parse()?))
}
