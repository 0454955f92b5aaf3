//! Registry entry, with options, of the metric `given`, which averages numbers that another program computed
//! for the segments.

use bleuprint_core::{ConfigError, Direction};
use bleuprint_registry::{AnyMetric, MetricEntry, MetricOptions};

use super::GivenOptions;
use super::options::GivenSettings;

pub(crate) const ENTRY: MetricEntry = MetricEntry::new(
    "given",
    "Numbers that other programs computed: their mean, or a quotient of sums",
    build,
)
.papers(&[crate::paper("cochran-1977-sampling")])
.options(GivenSettings::SPECS)
.needed_options(&[("name", "number"), ("scale", "0..1"), ("producer", "example")])
.example(r#"{"number": 0.5}"#);

fn build(options: &MetricOptions) -> Result<AnyMetric, ConfigError> {
    let settings = GivenSettings::from_options(options)?;
    let name = settings.name.unwrap_or_default();
    let given = GivenOptions {
        name: name.clone(),
        over: settings.over.is_some(),
        better: if settings.lower { Direction::LowerIsBetter } else { Direction::HigherIsBetter },
        scale: settings.scale.as_deref().map(scale).transpose()?,
        producer: settings.producer,
        missing: settings.missing,
        map: settings.map,
        spread: settings.spread,
    };
    let given = given.build()?;
    let column = settings.column.unwrap_or(name);
    let columns = given.columns([Some(column), settings.over].into_iter().flatten().collect())?;
    Ok(AnyMetric::for_numbers(given, columns))
}

fn scale(text: &str) -> Result<(f64, f64), ConfigError> {
    let limits =
        text.split_once("..").and_then(|(min, max)| min.trim().parse().ok().zip(max.trim().parse().ok()));
    limits.ok_or_else(|| {
        ConfigError::out_of_range(
            GivenSettings::OPTION.scale.spec.name,
            format!("`{text}`"),
            "MIN..MAX, as in 0..1",
        )
    })
}
