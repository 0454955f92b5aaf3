//! Registry entry, with options, of the metric `given`, which averages numbers that another program computed
//! for the segments.

use bleuprint_core::{ConfigError, Direction};
use bleuprint_registry::{AnyMetric, MetricEntry, MetricOptions};

use super::GivenOptions;
use super::options::{BETTER, COLUMN, MAP, MISSING, NAME, OVER, PRODUCER, SCALE, SPREAD};

pub(crate) const ENTRY: MetricEntry = MetricEntry::new(
    "given",
    "Numbers that other programs computed: their mean, or a quotient of sums",
    build,
)
.papers(&[crate::paper("cochran-1977-sampling")])
.options(&[
    NAME.spec,
    COLUMN.spec,
    OVER.spec,
    BETTER.spec,
    SCALE.spec,
    PRODUCER.spec,
    MISSING.spec,
    MAP.spec,
    SPREAD.spec,
])
.needed_options(&[("name", "number"), ("scale", "0..1"), ("producer", "example")])
.example(r#"{"number": 0.5}"#);

fn build(options: &MetricOptions) -> Result<AnyMetric, ConfigError> {
    let name = NAME.value_in(options)?.unwrap_or_default();
    let over = OVER.value_in(options)?;
    let given = GivenOptions {
        name: name.clone(),
        over: over.is_some(),
        better: match BETTER.value_in(options)? {
            "lower" => Direction::LowerIsBetter,
            _ => Direction::HigherIsBetter,
        },
        scale: SCALE.value_in(options)?.as_deref().map(scale).transpose()?,
        producer: PRODUCER.value_in(options)?,
        missing: MISSING.value_in(options)?,
        map: MAP.value_in(options)?,
        spread: SPREAD.value_in(options)?,
    };
    let given = given.build()?;
    let column = COLUMN.value_in(options)?.unwrap_or(name);
    let columns = given.columns([Some(column), over].into_iter().flatten().collect())?;
    Ok(AnyMetric::for_numbers(given, columns))
}

fn scale(text: &str) -> Result<(f64, f64), ConfigError> {
    let limits =
        text.split_once("..").and_then(|(min, max)| min.trim().parse().ok().zip(max.trim().parse().ok()));
    limits.ok_or_else(|| {
        ConfigError::out_of_range(SCALE.spec.name, format!("`{text}`"), "MIN..MAX, as in 0..1")
    })
}
