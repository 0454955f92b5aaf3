//! The registry entries of the latency metrics for simultaneous translation, with their options.

use bleuprint_core::ConfigError;
use bleuprint_registry::{AnyMetric, MetricEntry, MetricOptions, Paper};

use crate::{Delays, Latency, LatencyMeasure};

/// The relation of segments to recordings: each segment has its own recording (short), or all are parts of
/// one recording (long).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Length {
    #[default]
    Short,
    Long,
}

bleuprint_core::choice!(Length: Short "short", Long "long");

/// The unit in which the output and the reference are counted: words or characters. Each unit of the output
/// has a delay.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum LatencyUnit {
    #[default]
    Word,
    Char,
}

bleuprint_core::choice!(LatencyUnit: Word "word", Char "char");

/// The delays that are scored: without (`delays`) or with (`elapsed`) the system's computation time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum SegmentTimes {
    #[default]
    Delays,
    Elapsed,
}

bleuprint_core::choice!(SegmentTimes: Delays "delays", Elapsed "elapsed");

const MA: Paper = crate::paper("ma-etal-2019-stacl");

const PAPI: Paper = crate::paper("papi-etal-2022-generation");

const CHO: Paper = crate::paper("cho-esipova-2016-simultaneous");

const CHERRY: Paper = crate::paper("cherry-foster-2019-thinking");

const POLAK: Paper = crate::paper("polak-etal-2025-better");

/// Two words that are written after 0.8 and 1.6 seconds of a source of 2 seconds, as the example of each metric.
const EXAMPLE: &str =
    r#"{"hypothesis": {"delays": [800, 1600], "source_length": 2000}, "references": ["a b"]}"#;

pub(crate) const AL: MetricEntry = described(
    MetricEntry::new("al", "Average lagging of simultaneous output behind its source", |options| {
        built(LatencyMeasure::Al, options)
    })
    .papers(&[MA]),
)
.example(EXAMPLE);

pub(crate) const LAAL: MetricEntry = described(
    MetricEntry::new(
        "laal",
        "Average lagging without a reward for output longer than the reference",
        |options| built(LatencyMeasure::Laal, options),
    )
    .papers(&[PAPI]),
)
.example(EXAMPLE);

pub(crate) const AP: MetricEntry = described(
    MetricEntry::new(
        "ap",
        "Average proportion of the source that is read before a piece of output",
        |options| built(LatencyMeasure::Ap, options),
    )
    .papers(&[CHO]),
)
.example(EXAMPLE);

pub(crate) const DAL: MetricEntry = described(
    MetricEntry::new("dal", "Differentiable average lagging, in which no piece is for free", |options| {
        built(LatencyMeasure::Dal, options)
    })
    .papers(&[CHERRY]),
)
.example(EXAMPLE);

pub(crate) const YAAL: MetricEntry = described(
    MetricEntry::new("yaal", "Average lagging of the pieces that are written before the end", |options| {
        built(LatencyMeasure::Yaal, options)
    })
    .papers(&[POLAK]),
)
.agrees_with("OmniSTEval 0.1.10")
.example(EXAMPLE);

const fn described(entry: MetricEntry) -> MetricEntry {
    entry.agrees_with("OmniSTEval 0.1.10, SimulEval 1.1.4").options(Latency::SPECS)
}

fn built(measure: LatencyMeasure, options: &MetricOptions) -> Result<AnyMetric, ConfigError> {
    let latency = Latency::from_options(options)?.with_measure(measure);
    Ok(AnyMetric::for_own::<Delays, _>(latency))
}
