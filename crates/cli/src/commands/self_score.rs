//! `bleuprint self`: samples against each other, or reference streams.

use std::io::Write;

use bleuprint::PartValue;
use bleuprint::eval::{Panel, PanelState, in_threads};
use bleuprint::text::read::check_read_once;
use bleuprint::{
    AnyScore, ExactSum, InputError, InputErrorKind, Registry, ScorePart, Scored, SegmentCounts, ShowPart,
    Stats,
};
use clap::ArgMatches;

use super::input::Portions;
use super::{count, panel};
use crate::Failure;
use crate::input::Streams;
use crate::output::{Labels, write_segment, write_systems};
use crate::progress::Progress;
use crate::request::{OutputRequest, StreamsRequest, output};

pub(crate) fn run(
    registry: &Registry,
    matches: &ArgMatches,
    out: &mut (impl Write + Send),
) -> Result<(), Failure> {
    let files: Vec<String> = matches.get_many::<String>("files").into_iter().flatten().cloned().collect();
    let (samples, each) = (count(matches, "num-samples"), matches.get_flag("each"));
    let output = output(matches, each);
    let threads = count(matches, "threads");
    match &files[..] {
        [file] => {
            let panel = panel(registry, matches, true)?;
            let mut portions = Portions::open(file, samples, panel.raw_lines())?;
            in_threads(threads, || score_samples(&panel, &mut portions, each, &output, out))?
        }
        _ if samples.is_some() || each => {
            let message = "--num-samples and --each are of one file; several are compared line by line";
            Err(Failure::Message(message.to_owned()))
        }
        _ => {
            let panel = panel(registry, matches, false)?;
            in_threads(threads, || score_streams(&panel, files, &output, out))?
        }
    }
}

/// The mean over all samples, for each metric, or the score of every sample.
fn score_samples(
    panel: &Panel,
    portions: &mut Portions,
    each: bool,
    output: &OutputRequest,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let mut means: Vec<Mean> = panel.metrics().map(|_| Mean::default()).collect();
    let (mut number, mut progress) = (0, Progress::beside_output("sources done"));
    while let Some(texts) = portions.next()? {
        progress.add(|| portions.position());
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let located = |error: InputError| portions.located(error, texts.len());
        if texts.len() == 1 {
            return Err(located(InputErrorKind::NoReferences.into()).into());
        }
        for state in panel.leave_one_out(&texts).map_err(located)? {
            number += 1;
            if each {
                let scores = panel.metrics().zip(state.states()).map(|(metric, state)| metric.score(state));
                write_segment(&scores.collect(), number, &Labels::default(), output, out)?;
                continue;
            }
            for (mean, scored) in means.iter_mut().zip(panel.scores(&state).map_err(located)?) {
                mean.add(&scored, texts.len() - 1)?;
            }
        }
    }
    if number == 0 {
        return Err(InputError::new(InputErrorKind::EmptyCorpus).into());
    }
    if each {
        return Ok(());
    }
    let scores = panel.metrics().zip(means).map(|(metric, mean)| mean.finish(metric)).collect();
    write_systems(&[("samples".to_owned(), scores)], output, out)
}

/// The sum of the scores of samples.
#[derive(Default)]
struct Mean {
    sum: ExactSum,
    counts: SegmentCounts,
}

impl Mean {
    fn add(&mut self, scored: &Scored<AnyScore>, references: usize) -> Result<(), InputError> {
        self.sum.add(scored.score.value)?;
        self.counts.merge(&SegmentCounts::of_segment(references))
    }

    /// As the mean of segment scores names itself elsewhere.
    fn finish(self, metric: &dyn bleuprint::AnyMetric) -> Scored<AnyScore> {
        let identity = metric.identity();
        let signature = identity.signature(&self.counts).with("mean", "mean", "segments");
        let value = self.sum.mean(self.counts.segments.max(1));
        let part = ScorePart::new(
            "samples",
            ShowPart::Labelled("samples", 0),
            PartValue::Count(self.counts.segments),
        );
        let score = AnyScore::new(format!("Self-{}", identity.name()), value, metric.scale()).with(part);
        Scored { score, signature }
    }
}

/// The score of every stream as a system, with all others as its references.
fn score_streams(
    panel: &Panel,
    files: Vec<String>,
    output: &OutputRequest,
    out: &mut impl Write,
) -> Result<(), Failure> {
    check_read_once(files.iter().map(String::as_str))?;
    let mut totals: Vec<PanelState> = files.iter().map(|_| panel.zero()).collect();
    let request = StreamsRequest {
        systems: Some(files.clone()),
        num_refs: 1,
        raw_lines: panel.raw_lines(),
        ..StreamsRequest::default()
    };
    let mut streams = Streams::open(&request)?;
    while streams.advance()? {
        let texts = streams.row().hypotheses;
        let located = |error: InputError| error.renumbered(streams.location());
        let states = panel.leave_one_out(&texts).map_err(located)?;
        for (total, state) in totals.iter_mut().zip(&states) {
            panel.merge(total, state)?;
        }
    }
    let systems = files.into_iter().zip(&totals);
    let systems: Vec<_> =
        systems.map(|(file, total)| Ok((file, panel.scores(total)?))).collect::<Result<_, InputError>>()?;
    write_systems(&systems, output, out)
}
