//! Likely mistakes that metrics themselves find in the data that they observe, such as an option that names an
//! absent label.

use bleuprint_core::Metric as _;
use bleuprint_registry::AnyMetric;

use super::LikelyMistake;

impl LikelyMistake {
    /// Returns the remarks of these metrics about the data that they have observed. Some remarks, such as that a
    /// label is absent, are only true of a whole corpus, so call this function after the last segment.
    pub fn of_data<'m>(metrics: impl IntoIterator<Item = &'m AnyMetric>) -> Vec<Self> {
        let of_metric = |metric: &AnyMetric| {
            let name = metric.identity().name();
            let sentences = metric.view.remarks.sentences().into_iter();
            sentences
                .map(|sentence| LikelyMistake { rule: "data", message: format!("{name}: {sentence}") })
                .collect::<Vec<_>>()
        };
        metrics.into_iter().filter(|metric| metric.view.remarks.is_made()).flat_map(of_metric).collect()
    }
}
