//! Registry entry of BLEU: the name, options and constructor by which the command line and Python create the
//! metric.

use bleuprint_core::{ConfigError, Observe};
use bleuprint_registry::{AnyMetric, MetricEntry, MetricOptions, Spelling, Storable};

use super::options::BleuSettings;
use super::{Bleu, Dialect};
use crate::EachReference;

// Each dialect fixes these options; setting them too would have no effect.
const DECIDED: [&str; 4] = [
    BleuSettings::OPTION.smoothing.spec.name,
    BleuSettings::OPTION.smooth_value.spec.name,
    BleuSettings::OPTION.ref_len.spec.name,
    BleuSettings::OPTION.effective_order.spec.name,
];

pub(crate) const ENTRY: MetricEntry = MetricEntry::new(
    "bleu",
    "Clipped n-gram precision with a brevity penalty",
    build,
)
.aliases(&["BLEU"])
.spellings(&[
    Spelling::new("BLEU-4", "bleu"),
    Spelling::new("BLEU4", "bleu"),
    Spelling::new("BLEU_4", "bleu"),
    Spelling::ambiguous(
        "spBLEU",
        "choose bleu:tokenize=flores101 for the first model, or bleu:tokenize=flores200 for the second",
    ),
])
.papers(&[crate::paper("papineni-etal-2002-bleu"), crate::paper("post-2018-call")])
.agrees_with("sacreBLEU 2.6.0")
.options(BleuSettings::SPECS)
.example(crate::TEXT_EXAMPLE);

fn build(options: &MetricOptions) -> Result<AnyMetric, ConfigError> {
    let settings = BleuSettings::from_options(options)?;
    let references = settings.references;
    let mut smoothing = settings.smoothing;
    if let Some(value) = settings.smooth_value {
        smoothing = smoothing.with_value(value)?;
    }
    let mut builder = Bleu::builder()
        .smoothing(smoothing)
        // With single references a segment is scored alone, for which sacreBLEU drops orders longer than the
        // hypothesis.
        .effective_order(
            BleuSettings::OPTION
                .effective_order
                .get(options)?
                .unwrap_or(["best", "average"].contains(&references)),
        )
        .ref_len(settings.ref_len)
        .summation(settings.summation);
    if let Some(max_order) = BleuSettings::OPTION.max_order.get(options)? {
        builder = builder.max_order(max_order);
    }
    if let Some(weights) = settings.weights {
        builder = builder.weights(weights);
    }
    let bleu = builder.build()?;
    let Some(name) = settings.dialect else { return over(bleu, references) };
    let dialect = Dialect::by_name(&name)?;
    if let Some(decided) = DECIDED.iter().find(|name| options.given(name).is_some()) {
        let message = format!("the dialect `{}` fixes {decided}; leave {decided} out", dialect.name);
        return Err(ConfigError::Conflict(message));
    }
    if options.given(BleuSettings::OPTION.summation.spec.name).is_some() && !dialect.python_sum {
        let message = format!(
            "summation has no effect on the dialect `{}`, which does not add with Python's `sum`",
            dialect.name
        );
        return Err(ConfigError::Conflict(message));
    }
    let metric = over(bleu.in_dialect(dialect)?, references)?;
    let mut metric = metric.with_default_tokens(dialect.tokenizer, dialect.case.parse()?);
    metric.view.lower_case = dialect.lower_case.parse()?;
    Ok(metric)
}

fn over<M>(metric: M, references: &str) -> Result<AnyMetric, ConfigError>
where
    M: Observe<[u32]> + 'static,
    M::Stats: Storable,
{
    match references {
        "best" => AnyMetric::for_ids(EachReference::best(metric)),
        "average" => AnyMetric::for_ids(EachReference::average(metric)),
        _ => AnyMetric::for_ids(metric),
    }
}
