//! Registers the metrics of speaker diarization, and defines their options.

use bleuprint_core::ConfigError;
use bleuprint_registry::{AnyMetric, MetricEntry, MetricOptions, Paper};

use crate::choices::{COLLAR, LIKE, MAPPING, OVERLAP, TIMES, UEM};
use crate::jer::JER_MAPPING;
use crate::speech::{ALARM_WEIGHT, BETA, MISS_WEIGHT};
use crate::{BCubed, Diarization, Jer, Purity, ScoredTime, SpeechDetection, Turns};

const PYANNOTE: Paper = crate::paper("bredin-2017-pyannote");

const RT: Paper = crate::paper("fiscus-etal-2006-rt");

const DIHARD: Paper = crate::paper("ryant-etal-2019-dihard");

const BAGGA: Paper = crate::paper("bagga-baldwin-1998-bcubed");

/// Turns of one speaker in the first six seconds of a recording, as the example of each metric.
const EXAMPLE: &str = r#"{"hypothesis": [["1", 0, 5]], "reference": [["A", 0, 4]], "source": [[0, 6]]}"#;

pub(crate) const DER: MetricEntry = MetricEntry::new(
    "der",
    "Diarization error rate of turns, with the choices of five programs",
    |options| {
        let choices =
            choices(options)?.overlap(OVERLAP.value_in(options)?).search(MAPPING.value_in(options)?);
        Ok(AnyMetric::for_own::<Turns, _>(Diarization::der(choices)?))
    },
)
.papers(&[RT, PYANNOTE])
.agrees_with("md-eval 22, pyannote.metrics 4.2.0, simpleder 0.0.8, spy-der 0.4.1, dscore e02f949")
.options(&[LIKE.spec, COLLAR.spec, OVERLAP.spec, UEM.spec, MAPPING.spec, TIMES.spec])
.example(EXAMPLE);

pub(crate) const JER: MetricEntry =
    MetricEntry::new("jer", "Jaccard error rate of the turns of speakers", |options| {
        Ok(AnyMetric::for_own::<Turns, _>(Jer::new(choices(options)?, JER_MAPPING.value_in(options)?)?))
    })
    .papers(&[DIHARD])
    .agrees_with("pyannote.metrics 4.2.0, dscore e02f949")
    .options(&[LIKE.spec, COLLAR.spec, UEM.spec, JER_MAPPING.spec, TIMES.spec])
    .example(EXAMPLE);

pub(crate) const DETECTION: MetricEntry =
    MetricEntry::new("detection", "Error rate of speech detection from turns", |options| {
        Ok(AnyMetric::for_own::<Turns, _>(Diarization::detection(choices(options)?)?))
    })
    .papers(&[PYANNOTE])
    .agrees_with("pyannote.metrics 4.2.0")
    .options(&[LIKE.spec, COLLAR.spec, UEM.spec, TIMES.spec])
    .example(EXAMPLE);

pub(crate) const SPEECH_DETECTION: MetricEntry = MetricEntry::new(
    "speech_detection",
    "Accuracy, precision, recall, F and cost of speech detection from turns",
    |options| {
        let weights = [MISS_WEIGHT.value_in(options)?, ALARM_WEIGHT.value_in(options)?];
        let metric = SpeechDetection::new(choices(options)?, BETA.value_in(options)?, weights)?;
        Ok(AnyMetric::for_own::<Turns, _>(metric))
    },
)
.papers(&[PYANNOTE])
.agrees_with("pyannote.metrics 4.2.0")
.options(&[LIKE.spec, COLLAR.spec, UEM.spec, TIMES.spec, BETA.spec, MISS_WEIGHT.spec, ALARM_WEIGHT.spec])
.example(EXAMPLE);

pub(crate) const PURITY: MetricEntry =
    MetricEntry::new("purity", "Purity and coverage of the turns of speakers", |options| {
        Ok(AnyMetric::for_own::<Turns, _>(Purity::new(choices_of_region(options)?)?))
    })
    .papers(&[PYANNOTE])
    .agrees_with("pyannote.metrics 4.2.0")
    .options(&[UEM.spec, LIKE.spec, TIMES.spec])
    .example(EXAMPLE);

pub(crate) const BCUBED: MetricEntry = MetricEntry::new(
    "bcubed",
    "B-cubed precision, recall and F of frames, tau, entropies, information",
    |options| {
        Ok(AnyMetric::for_own::<Turns, _>(BCubed::new(
            ScoredTime::default().uem(UEM.value_in(options)?).times(TIMES.value_in(options)?),
        )?))
    },
)
.papers(&[BAGGA])
.agrees_with("dscore e02f949")
.options(&[UEM.spec, TIMES.spec])
.example(EXAMPLE);

fn choices_of_region(options: &MetricOptions) -> Result<ScoredTime, ConfigError> {
    Ok(ScoredTime::default()
        .like(LIKE.value_in(options)?)
        .uem(UEM.value_in(options)?)
        .times(TIMES.value_in(options)?))
}

fn choices(options: &MetricOptions) -> Result<ScoredTime, ConfigError> {
    choices_of_region(options)?.collar(COLLAR.value_in(options)?)
}
