//! Implements `bleuprint self`: scores several samples for one source, or reference streams, against each
//! other (as in Self-BLEU).

use bleuprint::eval::LikelyMistakes;
use bleuprint::text::read::check_read_once;
use bleuprint::text::read::{ExpectedLines, TextOptions};
use bleuprint::{
    AnyMetric, AnyScore, InputError, InputErrorKind, Metric as _, Scored, SegmentCounts, State, Stats as _,
    contract::{ExactSum, PartValue, ScorePart, ShowPart},
};
use bleuprint::{
    eval::{Panel, PanelState},
    inference::in_threads,
};
use bleuprint_requests::input::Streams;
use bleuprint_requests::pools::leave_one_out;
use bleuprint_requests::progress::ProgressLine;

use crate::shared::command::*;
use crate::shared::metrics::metrics;
use crate::shared::output::{self, OutputRequest, PrintedLabels, printing, write_segment, write_systems};
use crate::shared::pools::{Pooling, Portions, number, pooling, warn_of_pools};
use crate::shared::sources::{self, StreamsRequest};

pub(crate) struct SelfScore {
    pooling: Pooling,
    files: Vec<String>,
    /// Number of samples for each source, on consecutive lines; `None` if all lines are samples of one
    /// source.
    samples: Option<usize>,
    /// `true` to print the score of every sample instead of their mean.
    each: bool,
    text: TextOptions,
    threads: Option<usize>,
    output: OutputRequest,
}

impl Subcommand for SelfScore {
    const NAME: &'static str = "self";
    const SHORT_HELP: &'static [&'static str] =
        &["metrics", "num-samples", "each", "tokenize", "lowercase", "format"];
    const EXAMPLES: &'static str = "\
        \x20 bleuprint self samples.txt --num-samples 8\n\
        \x20 bleuprint self ref1.txt ref2.txt -m chrf";

    fn define(command: Command, families: &Families) -> Command {
        let command = command
            .about("Score each sample, or each reference stream, against all others: Self-BLEU, the human ceiling")
            .arg(Arg::new("files").value_name("FILE").num_args(1..).default_value("-").help(
                "One file: scores its lines against each other and prints the mean; several files: scores each file against the others, line by line",
            ))
            .arg(number("num-samples").help("With one file, the number of consecutive samples of each source [default: all lines]"))
            .arg(flag("each").help("With one file, print the score of every sample in place of the mean"))
            .arg(metrics().num_args(1..))
            .next_help_heading(args::OUTPUT)
            .arg(output::format())
            .args(printing());
        pooling(command, families.registry())
    }

    fn request(matches: &ArgMatches, families: &Families) -> Result<Self> {
        let each = matches.get_flag("each");
        let output = OutputRequest::new(matches, each);
        // A table needs the widths of all rows, but samples are printed as they are scored.
        if each && output.is_table() {
            fail!(
                "--each writes a line for each sample as it is scored: it takes -f json or text, not a table"
            );
        }
        Ok(SelfScore {
            pooling: Pooling::new(matches, families.registry())?,
            files: matches.texts("files"),
            samples: matches.count("num-samples"),
            each,
            text: sources::text_of(matches),
            threads: matches.count("threads"),
            output,
        })
    }

    fn run(self, program: &CommandContext<'_>, out: &mut Out) -> Result<()> {
        let SelfScore { files, samples, each, output, text, .. } = self;
        if files.len() > 1 && (samples.is_some() || each) {
            fail!("--num-samples and --each need a single file; several files are compared line by line");
        }
        // Samples of one file are single sentences, so the defaults of sentences apply to them.
        let panel = self.pooling.panel(program, files.len() == 1)?;
        let mut mistakes = LikelyMistakes::new(u64::MAX);
        match &files[..] {
            [file] => {
                let mut portions = Portions::open(file, samples, panel.raw_lines(), text)?;
                let mistakes = &mut mistakes;
                in_threads(self.threads, || {
                    score_samples(&panel, &mut portions, each, mistakes, &output, out)
                })??;
            }
            _ => {
                let mistakes = &mut mistakes;
                in_threads(self.threads, || score_streams(&panel, files, text, mistakes, &output, out))??;
            }
        }
        warn_of_pools(&panel, &mistakes);
        Ok(())
    }
}

fn score_samples(
    panel: &Panel,
    portions: &mut Portions,
    each: bool,
    mistakes: &mut LikelyMistakes,
    output: &OutputRequest,
    out: &mut Out,
) -> Result<()> {
    let mut means: Vec<SelfScoreMean> = panel.metrics().map(|_| SelfScoreMean::default()).collect();
    let mut number = 0;
    let mut progress = ProgressLine::beside_output("sources done");
    while let Some(texts) = portions.next()? {
        progress.add(|| portions.position());
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        mistakes.look_at_pool(&texts);
        let located = |error: InputError| portions.located(error, texts.len());
        // A single sample has no other text as its reference.
        if texts.len() == 1 {
            return Err(located(InputErrorKind::NoReferences.into()).into());
        }
        for state in leave_one_out(panel, &texts).map_err(located)? {
            number += 1;
            if each {
                write_segment(
                    &panel.segment_scores(&state)?,
                    number,
                    &PrintedLabels::default(),
                    output,
                    out,
                )?;
                continue;
            }
            for (mean, scored) in means.iter_mut().zip(panel.scores(&state).map_err(located)?) {
                // Every other sample of the source is a reference.
                mean.add(&scored, texts.len() - 1)?;
            }
        }
    }
    // An empty file has no mean.
    if number == 0 {
        return Err(InputError::from(InputErrorKind::EmptyCorpus).into());
    }
    if each {
        return Ok(());
    }
    let scores = panel.metrics().zip(means).map(|(metric, mean)| mean.finish(metric)).collect();
    write_systems(&[("samples".to_owned(), scores)], output, out)
}

#[derive(Default)]
struct SelfScoreMean {
    sum: ExactSum,
    counts: SegmentCounts,
}

impl SelfScoreMean {
    fn add(&mut self, scored: &Scored<AnyScore>, references: usize) -> Result<(), InputError> {
        self.sum.add(scored.score.value)?;
        self.counts.merge(&SegmentCounts::of_segment(references))
    }

    /// Returns the mean score under the name `Self-METRIC`, with the signature of a mean over segments.
    fn finish(self, metric: &AnyMetric) -> Scored<AnyScore> {
        let identity = metric.identity();
        let signature = identity.signature(&self.counts).with("mean", "mean", "segments");
        let value = self.sum.mean(self.counts.segments.max(1));
        let part = ScorePart::new(
            "samples",
            ShowPart::Labelled("samples".into(), 0),
            PartValue::Count(self.counts.segments),
        );
        let mut score = AnyScore::new(format!("Self-{}", identity.name()), value, metric.scale());
        score.parts.push(part);
        Scored { score, signature }
    }
}

fn score_streams(
    panel: &Panel,
    files: Vec<String>,
    text: TextOptions,
    mistakes: &mut LikelyMistakes,
    output: &OutputRequest,
    out: &mut Out,
) -> Result<()> {
    // All files are read in step, which one standard input for two of them would break.
    check_read_once(files.iter().map(String::as_str))?;
    let mut totals: Vec<PanelState> = files.iter().map(|_| State::zero(panel)).collect();
    let request = StreamsRequest {
        systems: Some(files.clone()),
        num_refs: 1,
        raw_lines: panel.raw_lines(),
        encoding: text.encoding,
        plain: text.expected == ExpectedLines::Any,
        ..StreamsRequest::default()
    };
    let mut streams = Streams::open(&request)?;
    while streams.advance()? {
        let texts = streams.row().hypotheses;
        mistakes.look_at_pool(&texts);
        let located = |error: InputError| error.renumbered(streams.location());
        let states = leave_one_out(panel, &texts).map_err(located)?;
        for (total, state) in totals.iter_mut().zip(&states) {
            total.merge(state)?;
        }
    }
    let systems = files.into_iter().zip(&totals);
    let systems: Vec<_> =
        systems.map(|(file, total)| Ok((file, panel.scores(total)?))).collect::<Result<_, InputError>>()?;
    write_systems(&systems, output, out)
}
