//! Scores outputs of the human-rated systems with this program's metrics, for `bleuprint meta`.

use bleuprint::eval::evaluation::{Run, RunLabels};
use bleuprint::inference::agreement::{MetricScores, Ratings};
use bleuprint::inference::in_threads;
use bleuprint::report::headers;
use bleuprint::{
    AnyMetric, InputErrorKind, Location, Metric as _,
    contract::{Direction, score_row},
};
use bleuprint_requests::data::Reading;
use bleuprint_requests::failure::{Failure, Result, fail};

use crate::shared::command::CommandContext;
use crate::shared::counting::CountingRequest;

pub(super) struct OwnTables {
    pub(super) metrics: Vec<MetricScores>,
    pub(super) items: usize,
    pub(super) labels: RunLabels,
}

pub(super) fn score(
    counting: CountingRequest,
    reading: &Reading,
    rated: &[String],
    excluded: &[String],
    program: &CommandContext<'_>,
    threads: Option<usize>,
) -> Result<OwnTables> {
    let data = counting.read(reading, program.families)?;
    in_threads(threads, || {
        let run = data.counted()?;
        let systems = names(run.systems(), rated, excluded)?;
        let scores = run.scores()?;
        let headers = scores.first().map(|scores| headers(scores)).unwrap_or_default();
        let metric = |place: usize| metric(&run, place, &headers[place], &systems);
        let metrics = (0..run.metrics().len()).map(metric).collect::<Result<_>>()?;
        Ok(OwnTables { metrics, items: run.len(), labels: run.labels.clone() })
    })?
}

/// Returns the human-rated system of each output file. It is found by the output's path, its file name, or
/// its file name without extension. The entry is `None` for an excluded system.
fn names(outputs: &[String], rated: &[String], excluded: &[String]) -> Result<Vec<Option<String>>> {
    let name = |output: &String| {
        let file = output.rsplit(['/', '\\']).next().unwrap_or(output);
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        let forms = [output.as_str(), file, stem];
        if forms.iter().any(|form| excluded.iter().any(|name| name == form)) {
            return Ok(None);
        }
        match forms.iter().find(|form| rated.iter().any(|name| name == *form)) {
            Some(found) => Ok(Some((*found).to_owned())),
            None => fail!(
                "the output {output} belongs to no system that people rated: neither `{file}` nor `{stem}` is one of {}",
                rated.join(", ")
            ),
        }
    };
    outputs.iter().map(name).collect()
}

fn metric(run: &Run, place: usize, name: &str, systems: &[Option<String>]) -> Result<MetricScores> {
    let metric: &AnyMetric = &run.metrics()[place];
    // Agreement compares directions, so rates such as TER are negated.
    let sign = if metric.scale().direction == Direction::LowerIsBetter { -1.0 } else { 1.0 };
    let named = || systems.iter().enumerate().filter_map(|(at, name)| Some((at, name.clone()?)));
    let row = |(system, name): (usize, String)| {
        let scores = run.sentence_scores(place, system).into_iter().enumerate();
        let score = |(segment, scored): (usize, bleuprint::Result<bleuprint::Scored<_>>)| match scored {
            Ok(scored) => {
                let scored: bleuprint::Scored<bleuprint::AnyScore> = scored;
                Ok(Some(sign * scored.score.value))
            }
            // A segment without a score matters only if people rated it, and is reported there.
            Err(error) if matches!(error.kind(), InputErrorKind::NoScore { .. }) => Ok(None),
            Err(error) => Err(Failure::from(error.at(Location::segment(segment as u64 + 1)))),
        };
        Ok((name, scores.map(score).collect::<Result<Vec<Option<f64>>>>()?))
    };
    let scores = Ratings::new(named().map(row).collect::<Result<Vec<_>>>()?)?;
    let rows =
        named().map(|(system, name)| Ok((name, run.rows(place, system)?))).collect::<Result<Vec<_>>>()?;
    let finished = metric.clone();
    // The counts allow corpus scores of any set of segments without reading the texts again.
    let mut own = MetricScores::new(name, scores).with_corpus(rows, move |row: &[u64]| {
        score_row(&finished, row).map_or(f64::NAN, |score| sign * score)
    });
    let scored =
        systems.iter().position(Option::is_some).map(|system| run.score_of(place, system, 0..run.len()));
    own.signature = scored.transpose()?.map(|scored| scored.signature.to_string());
    Ok(own)
}
