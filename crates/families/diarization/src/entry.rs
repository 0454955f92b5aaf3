//! Registers the metrics of speaker diarization, and defines their options.

use bleuprint_core::ConfigError;
use bleuprint_registry::{AnyMetric, MetricEntry, MetricOptions, OptionSpec, Paper};

use crate::jer::JER_MAPPING;
use crate::speech::SpeechSettings;
use crate::{BCubed, Diarization, Jer, Purity, ScoredTime, SpeechDetection, Turns};

const PYANNOTE: Paper = crate::paper("bredin-2017-pyannote");

const RT: Paper = crate::paper("fiscus-etal-2006-rt");

const DIHARD: Paper = crate::paper("ryant-etal-2019-dihard");

const BAGGA: Paper = crate::paper("bagga-baldwin-1998-bcubed");

/// Turns of one speaker in the first six seconds of a recording, as the example of each metric.
const EXAMPLE: &str = r#"{"hypothesis": [["1", 0, 5]], "reference": [["A", 0, 4]], "source": [[0, 6]]}"#;

// Not every metric has all options of the scored time.
const LIKE: OptionSpec = ScoredTime::OPTION.like.spec;
const COLLAR: OptionSpec = ScoredTime::OPTION.collar.spec;
const UEM: OptionSpec = ScoredTime::OPTION.uem.spec;
const TIMES: OptionSpec = ScoredTime::OPTION.times.spec;

pub(crate) const DER: MetricEntry = MetricEntry::new(
    "der",
    "Diarization error rate of turns, with the choices of five programs",
    |options| {
        let choices = ScoredTime::from_options(options)?;
        let choices = choices.collar(choices.collar)?;
        Ok(AnyMetric::for_own::<Turns, _>(Diarization::der(choices)?))
    },
)
.papers(&[RT, PYANNOTE])
.agrees_with("md-eval 22, pyannote.metrics 4.2.0, simpleder 0.0.8, spy-der 0.4.1, dscore e02f949")
.options(ScoredTime::SPECS)
.example(EXAMPLE);

pub(crate) const JER: MetricEntry =
    MetricEntry::new("jer", "Jaccard error rate of the turns of speakers", |options| {
        Ok(AnyMetric::for_own::<Turns, _>(Jer::new(choices(options)?, JER_MAPPING.value_in(options)?)?))
    })
    .papers(&[DIHARD])
    .agrees_with("pyannote.metrics 4.2.0, dscore e02f949")
    .options(&[LIKE, COLLAR, UEM, JER_MAPPING.spec, TIMES])
    .example(EXAMPLE);

pub(crate) const DETECTION: MetricEntry =
    MetricEntry::new("detection", "Error rate of speech detection from turns", |options| {
        Ok(AnyMetric::for_own::<Turns, _>(Diarization::detection(choices(options)?)?))
    })
    .papers(&[PYANNOTE])
    .agrees_with("pyannote.metrics 4.2.0")
    .options(&[LIKE, COLLAR, UEM, TIMES])
    .example(EXAMPLE);

pub(crate) const SPEECH_DETECTION: MetricEntry = MetricEntry::new(
    "speech_detection",
    "Accuracy, precision, recall, F and cost of speech detection from turns",
    |options| {
        let SpeechSettings { beta, miss, alarm } = SpeechSettings::from_options(options)?;
        let metric = SpeechDetection::new(choices(options)?, beta, [miss, alarm])?;
        Ok(AnyMetric::for_own::<Turns, _>(metric))
    },
)
.papers(&[PYANNOTE])
.agrees_with("pyannote.metrics 4.2.0")
.options(&[
    LIKE,
    COLLAR,
    UEM,
    TIMES,
    SpeechSettings::OPTION.beta.spec,
    SpeechSettings::OPTION.miss.spec,
    SpeechSettings::OPTION.alarm.spec,
])
.example(EXAMPLE);

pub(crate) const PURITY: MetricEntry =
    MetricEntry::new("purity", "Purity and coverage of the turns of speakers", |options| {
        Ok(AnyMetric::for_own::<Turns, _>(Purity::new(choices_of_region(options)?)?))
    })
    .papers(&[PYANNOTE])
    .agrees_with("pyannote.metrics 4.2.0")
    .options(&[UEM, LIKE, TIMES])
    .example(EXAMPLE);

pub(crate) const BCUBED: MetricEntry = MetricEntry::new(
    "bcubed",
    "B-cubed precision, recall and F of frames, tau, entropies, information",
    |options| {
        Ok(AnyMetric::for_own::<Turns, _>(BCubed::new(
            ScoredTime::default()
                .uem(ScoredTime::OPTION.uem.value_in(options)?)
                .times(ScoredTime::OPTION.times.value_in(options)?),
        )?))
    },
)
.papers(&[BAGGA])
.agrees_with("dscore e02f949")
.options(&[UEM, TIMES])
.example(EXAMPLE);

fn choices_of_region(options: &MetricOptions) -> Result<ScoredTime, ConfigError> {
    Ok(ScoredTime::default()
        .like(ScoredTime::OPTION.like.value_in(options)?)
        .uem(ScoredTime::OPTION.uem.value_in(options)?)
        .times(ScoredTime::OPTION.times.value_in(options)?))
}

fn choices(options: &MetricOptions) -> Result<ScoredTime, ConfigError> {
    choices_of_region(options)?.collar(ScoredTime::OPTION.collar.value_in(options)?)
}
