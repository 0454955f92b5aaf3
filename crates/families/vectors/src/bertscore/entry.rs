//! Registry entry of BERTScore, whose first pass counts in how many references each word piece occurs.

use bleuprint_core::ConfigError;
use bleuprint_registry::{AnyMetric, MetricEntry, MetricOptions, Opt, settings};

use super::{BertScore, PieceFrequencies, ReferencePieces};

settings! {
    pub(super) struct BertScoreSettings {
        /// Pieces weigh more where few references have them; two passes, and vectors know their pieces (ids)
        pub(super) idf: bool = Opt::flag("bertscore-idf").counted("idf", "idf").words("yes", "no");
        /// The ids of special pieces such as [CLS]: they weigh 0, and can be matched
        pub(super) specials: Option<Vec<f64>> = Opt::numbers("bertscore-specials", "none").counted("specials", "sp");
        /// P, R and F of unrelated texts, which are rescaled to 0: three numbers
        pub(super) baseline: Option<Vec<f64>> = Opt::numbers("bertscore-baseline", "none").finished("baseline", "bl");
        /// The model and the layer of the vectors, as in roberta-large_L17
        pub(super) producer: Option<String> = Opt::name("bertscore-producer", "none").counted("producer", "p");
    }
}

pub(crate) const ENTRY: MetricEntry = MetricEntry::new(
    "bertscore",
    "Vectors of the user matched by cosine: precision, recall and F; no model runs here",
    build,
)
.papers(&[crate::paper("zhang-etal-2020-bertscore")])
.agrees_with("bert_score 0.3.13 in double precision, without padding, within 1e-12")
.options(BertScoreSettings::SPECS)
.example(r#"{"hypothesis": [[1.0, 0.0], [0.6, 0.8]], "references": [[[1.0, 0.0], [0.0, 1.0]]]}"#);

fn build(options: &MetricOptions) -> Result<AnyMetric, ConfigError> {
    let settings = BertScoreSettings::from_options(options)?;
    let mut bertscore = BertScore::new();
    if let Some(specials) = settings.specials {
        let id = |number: f64| {
            let id = number as i64;
            let limit = "whole numbers, the ids of pieces";
            let refused =
                || ConfigError::out_of_range(BertScoreSettings::OPTION.specials.spec.name, number, limit);
            // An `f64` holds every whole number below 2^53, about 9e15, exactly.
            (id as f64 == number && number.abs() < 9e15).then_some(id).ok_or_else(refused)
        };
        bertscore = bertscore.with_specials(specials.into_iter().map(id).collect::<Result<Vec<_>, _>>()?);
    }
    if let Some(baseline) = settings.baseline {
        let Ok(three) = <[f64; 3]>::try_from(baseline.as_slice()) else {
            let given = format!("{} numbers", baseline.len());
            return Err(ConfigError::out_of_range(
                BertScoreSettings::OPTION.baseline.spec.name,
                given,
                "three: of P, of R and of F",
            ));
        };
        bertscore = bertscore.with_baseline(three)?;
    }
    if let Some(producer) = settings.producer {
        bertscore = bertscore.with_producer(producer)?;
    }
    if !settings.idf {
        return Ok(AnyMetric::for_vectors(bertscore));
    }
    let first = AnyMetric::for_vectors(ReferencePieces);
    let second = move |frequencies: &PieceFrequencies| {
        AnyMetric::for_vectors(bertscore.clone().with_idf(frequencies.clone()))
    };
    let like = second(&PieceFrequencies::default());
    Ok(AnyMetric::two_pass(first, like, move |state| Ok(second(state.stats().typed()?))))
}
