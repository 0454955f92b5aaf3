//! Registry entry of BERTScore, whose first pass counts in how many references each word piece occurs.

use bleuprint_core::ConfigError;
use bleuprint_registry::{AnyMetric, MetricEntry, MetricOptions, Opt};

use super::{BertScore, PieceFrequencies, ReferencePieces};

pub(super) const IDF: Opt<bool> = Opt::flag("bertscore-idf").counted("idf", "idf").words("yes", "no").help(
    "Pieces weigh more where few references have them; two passes, and vectors know their pieces (ids)",
);

pub(super) const SPECIALS: Opt<Option<Vec<f64>>> = Opt::numbers("bertscore-specials", "none")
    .counted("specials", "sp")
    .help("The ids of special pieces such as [CLS]: they weigh 0, and can be matched");

pub(super) const BASELINE: Opt<Option<Vec<f64>>> = Opt::numbers("bertscore-baseline", "none")
    .finished("baseline", "bl")
    .help("P, R and F of unrelated texts, which are rescaled to 0: three numbers");

pub(super) const PRODUCER: Opt<Option<String>> = Opt::name("bertscore-producer", "none")
    .counted("producer", "p")
    .help("The model and the layer of the vectors, as in roberta-large_L17");

pub(crate) const ENTRY: MetricEntry = MetricEntry::new(
    "bertscore",
    "Vectors of the user matched by cosine: precision, recall and F; no model runs here",
    build,
)
.papers(&[crate::paper("zhang-etal-2020-bertscore")])
.agrees_with("bert_score 0.3.13 in double precision, without padding, within 1e-12")
.options(&[IDF.spec, SPECIALS.spec, BASELINE.spec, PRODUCER.spec]);

fn build(options: &MetricOptions) -> Result<AnyMetric, ConfigError> {
    let mut bertscore = BertScore::new();
    if let Some(specials) = SPECIALS.value_in(options)? {
        let id = |number: f64| {
            let id = number as i64;
            let limit = "whole numbers, the ids of pieces";
            let refused = || ConfigError::out_of_range(SPECIALS.spec.name, number, limit);
            // An `f64` holds every whole number below 2^53, about 9e15, exactly.
            (id as f64 == number && number.abs() < 9e15).then_some(id).ok_or_else(refused)
        };
        bertscore = bertscore.with_specials(specials.into_iter().map(id).collect::<Result<Vec<_>, _>>()?);
    }
    if let Some(baseline) = BASELINE.value_in(options)? {
        let Ok(three) = <[f64; 3]>::try_from(baseline.as_slice()) else {
            let given = format!("{} numbers", baseline.len());
            return Err(ConfigError::out_of_range(BASELINE.spec.name, given, "three: of P, of R and of F"));
        };
        bertscore = bertscore.with_baseline(three)?;
    }
    if let Some(producer) = PRODUCER.value_in(options)? {
        bertscore = bertscore.with_producer(producer)?;
    }
    if !IDF.value_in(options)? {
        return Ok(AnyMetric::for_vectors(bertscore));
    }
    let first = AnyMetric::for_vectors(ReferencePieces);
    let second = move |frequencies: &PieceFrequencies| {
        AnyMetric::for_vectors(bertscore.clone().with_idf(frequencies.clone()))
    };
    let like = second(&PieceFrequencies::default());
    Ok(AnyMetric::two_pass(first, like, move |state| Ok(second(state.stats().typed()?))))
}
