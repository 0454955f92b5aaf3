//! `-f otlp`: the scores of segments as evaluations in a log of OpenTelemetry.

use bleuprint::report::distinct_names;
use bleuprint::{AnyMetric, AnyScore, Metric as _, Result as Scoring, Scored};
use bleuprint_track::Time;
use bleuprint_track::otlp::Evaluation;

use crate::shared::command::*;
use crate::shared::output::Labels;

pub(crate) const OTLP: &str = "otlp";

#[derive(Debug, Clone)]
pub(crate) struct EvaluationsRequest {
    stream: Option<String>,
    version: Option<String>,
    time: Time,
    /// Of the metrics.
    names: Vec<String>,
}

pub(crate) fn options() -> [Arg; 3] {
    [
        option("stream", "NAME")
            .help("With -f otlp: the service that answered [default: the system of the record]"),
        option("model-version", "NAME").help("With -f otlp: its version"),
        option("time", "TIME")
            .help("With -f otlp: the time of the evaluations, as in 2026-11-21T10:00:00Z [default: now]"),
    ]
}

impl EvaluationsRequest {
    /// `None` for other forms.
    pub(crate) fn new(matches: &ArgMatches, sentence_level: bool) -> Result<Option<Self>> {
        if matches.text("format").as_deref() != Some(OTLP) {
            return match ["stream", "model-version", "time"].iter().find(|name| matches.contains_id(name)) {
                Some(name) => fail!("--{name} has no effect without -f otlp"),
                None => Ok(None),
            };
        }
        if !sentence_level {
            fail!("-f otlp has an evaluation of each response: it takes --sentence-level");
        }
        if matches.get_flag("score-only") {
            fail!("-f otlp is a log, not a number: it takes no --score-only");
        }
        let time = args::time(matches, "time")?.unwrap_or_else(Time::now);
        let (stream, version) = (matches.text("stream"), matches.text("model-version"));
        Ok(Some(EvaluationsRequest { stream, version, time, names: Vec::new() }))
    }

    /// Sets the names of the metrics; signatures tell variants apart.
    pub(crate) fn of<'m>(self, metrics: impl Iterator<Item = &'m AnyMetric>) -> Self {
        let named = |metric: &AnyMetric| {
            let identity = metric.identity();
            (identity.heading(), identity.signature(&Default::default()).body())
        };
        let signed: Vec<(String, String)> = metrics.map(named).collect();
        let signed: Vec<(&str, &str)> = signed.iter().map(|(name, body)| (&**name, &**body)).collect();
        EvaluationsRequest { names: distinct_names(&signed), ..self }
    }

    pub(crate) fn line(
        &self,
        metric: usize,
        scored: &Scoring<Scored<AnyScore>>,
        number: u64,
        labels: &Labels,
    ) -> Result<String> {
        let label =
            |name: &str| labels.own.iter().find(|(own, _)| *own == name).map(|(_, value)| value.as_str());
        let Some(response) = label("id") else {
            fail!(
                "segment {number} has no id, which names the response of an evaluation: --segments has ids"
            );
        };
        let Some(service) = self.stream.as_deref().or_else(|| label("system")) else {
            fail!(
                "segment {number} has no system, which names the service of an evaluation: give --stream NAME"
            );
        };
        let score = match scored {
            Ok(scored) => Ok((scored.score.value, scored.signature.to_string())),
            Err(error) => Err(error.to_string()),
        };
        let name = self.names.get(metric).map_or("", String::as_str);
        let version = self.version.as_deref();
        Ok(Evaluation { service, version, time: self.time, response, name, score }.line())
    }
}
