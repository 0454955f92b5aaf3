//! SPICE in the registry.

use std::sync::Arc;

use bleuprint_core::{Case, ConfigError};
use bleuprint_metrics::WordNet;
use bleuprint_registry::{AnyMetric, MetricEntry, MetricOptions, Paper};

use super::options::{CAP, MATCH, SYNONYMS, SYNSETS};
use super::{Spice, SynsetTable};

const PAPERS: &[Paper] = &[Paper::new(
    "anderson-etal-2016-spice",
    "Anderson, Peter and Fernando, Basura and Johnson, Mark and Gould, Stephen",
    "SPICE: Semantic Propositional Image Caption Evaluation",
    2016,
)
.at("European Conference on Computer Vision")
.link("https://arxiv.org/abs/1607.08822")];

pub(crate) const ENTRY: MetricEntry = MetricEntry::new(
    "spice",
    "F of the objects, attributes and relations of captions, over given tuples",
    build,
)
.papers(PAPERS)
.agrees_with("SPICE 1.0 (pycocoevalcap 1.2) over the same tuples and synsets")
.options(&[SYNONYMS.spec, SYNSETS.spec, MATCH.spec, CAP.spec]);

fn build(options: &MetricOptions) -> Result<AnyMetric, ConfigError> {
    let mut spice = Spice::default().with_similarity(MATCH.of(options)?);
    if CAP.of(options)? {
        spice = spice.capped();
    }
    spice = match (SYNONYMS.of(options)?, SYNSETS.of(options)?) {
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
    Ok(AnyMetric::over_tokens(spice).with_tokenizer("tuples").with_case(Case::Mixed))
}
