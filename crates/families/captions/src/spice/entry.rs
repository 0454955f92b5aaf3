//! Registers the metric SPICE, which compares the scene graphs of image captions.

use std::sync::Arc;

use bleuprint_core::{Case, ConfigError};
use bleuprint_metrics::WordNet;
use bleuprint_registry::{AnyMetric, MetricEntry, MetricOptions};

use super::options::SpiceSettings;
use super::{Spice, SynsetTable};

pub(crate) const ENTRY: MetricEntry = MetricEntry::new(
    "spice",
    "F of the objects, attributes and relations of captions, over given tuples",
    build,
)
.papers(&[crate::paper("anderson-etal-2016-spice")])
.agrees_with("SPICE 1.0 (pycocoevalcap 1.2) over the same tuples and synsets")
.options(SpiceSettings::SPECS)
.example(
    r#"{"hypothesis": "[[\"girl\", \"young\"]]", "references": ["[[\"girl\"], [\"girl\", \"young\"]]"]}"#,
);

fn build(options: &MetricOptions) -> Result<AnyMetric, ConfigError> {
    let settings = SpiceSettings::from_options(options)?;
    let mut spice = Spice::default().with_similarity(settings.similarity);
    if settings.capped {
        spice = spice.capped();
    }
    spice = match (settings.synonyms, settings.synsets) {
        (Some(_), Some(_)) => {
            let message = "spice takes one source of synonyms: spice-wordnet or spice-synsets";
            return Err(ConfigError::Conflict(message.to_owned()));
        }
        (Some(folder), None) => {
            let wordnet = WordNet::parse(|name| options.read_file(&format!("{folder}/{name}")))?;
            spice.with_synsets(Arc::new(wordnet))
        }
        (None, Some(file)) => {
            spice.with_synsets(Arc::new(SynsetTable::parse(&file, &options.read_file(&file)?)?))
        }
        (None, None) => spice,
    };
    Ok(AnyMetric::for_tokens(spice).with_tokenizer("tuples").with_case(Case::Mixed))
}
