//! Defines options and inputs that the commands `mbr` and `self` share; both score the texts of a list, such
//! as candidate translations, against each other.

use bleuprint::eval::evaluation::Metrics;
use bleuprint::eval::{LikelyMistakes, MistakeWording, Panel, TokenRequest};
use bleuprint::text::LineReader;
use bleuprint::text::read::TextOptions;
use bleuprint::{InputError, Location, Metric as _, Registry};
use bleuprint_requests::failure::{Result, fail};
use bleuprint_requests::request::MetricChoice;
use bleuprint_requests::warn;
use clap::{Arg, ArgMatches, Command};

use crate::shared::args;
use crate::shared::command::CommandContext;
use crate::shared::metrics::{self, metric_options};
use crate::shared::sources;
use crate::shared::tokens::{self, TokenChoice, text_options};

pub(crate) fn pooling(command: Command, registry: &Registry) -> Command {
    let command = command
        .next_help_heading(None)
        .args([args::threads()])
        .args(sources::text())
        .next_help_heading(args::TOKENS)
        .args(text_options());
    metric_options(command, registry)
}

pub(crate) fn number(name: &'static str) -> Arg {
    args::number(name, 1..=1_000_000_000)
}

pub(crate) struct Pooling {
    metrics: MetricChoice,
    tokens: TokenRequest,
}

impl Pooling {
    pub(crate) fn new(matches: &ArgMatches, registry: &Registry) -> Result<Self> {
        Ok(Pooling { metrics: metrics::choice(matches, registry), tokens: tokens::request(matches)? })
    }

    pub(crate) fn panel(self, program: &CommandContext<'_>, sentence_level: bool) -> Result<Panel> {
        let Metrics { panel, numbers, vectors, own } = self.metrics(program, sentence_level)?;
        match numbers.iter().chain(&vectors).chain(&own).next() {
            None => Ok(panel),
            Some((_, metric)) => {
                fail!("{} reads {}, but the input is text", metric.identity().name(), metric.view)
            }
        }
    }

    /// Builds the metrics that score the texts of a pool (a list of candidate texts) against each other.
    /// Returns an error for text metrics that use no references, and for metrics that need the source.
    pub(crate) fn metrics(self, program: &CommandContext<'_>, sentence_level: bool) -> Result<Metrics> {
        let metrics = MetricChoice { sentence_level, ..self.metrics };
        let registry = program.registry;
        let tokens = TokenChoice::new(self.tokens, program.tokenizers)?;
        let specs = metrics.specs(registry)?;
        let metrics = metrics.metrics(registry, &specs, &tokens)?;
        let panel = &metrics.panel;
        // Every pair would change what the metric learns, so no score of a pair would be final.
        if panel.first_pass().is_some() {
            fail!(
                "a metric of two passes learns from all references first, so it cannot score single pairs of texts"
            );
        }
        for metric in panel.metrics() {
            let identity = metric.identity();
            let lacks = match (!identity.needs().references, identity.needs().source) {
                (true, _) => "uses no references",
                (_, true) => "needs the source",
                _ => continue,
            };
            fail!("{} {lacks}: it cannot score texts against each other", identity.name());
        }
        Ok(metrics)
    }
}

/// Prints warnings about likely mistakes in the texts of pools.
pub(crate) fn warn_of_pools(panel: &Panel, mistakes: &LikelyMistakes) {
    mistakes.found(Some(panel), &[], MistakeWording::Program).iter().for_each(warn::say_mistake);
}

/// Reader that divides the lines of a file into portions. A portion has `size` lines, such as all candidate
/// translations of one source text, or all lines of the file if `size` is `None`.
pub(crate) struct Portions {
    lines: Box<LineReader>,
    size: Option<usize>,
    read: u64,
}

impl Portions {
    pub(crate) fn open(
        file: &str,
        size: Option<usize>,
        raw_lines: bool,
        text: TextOptions,
    ) -> Result<Self, InputError> {
        let lines = Box::new(LineReader::open_text(file, text)?.with_line_ends(raw_lines));
        Ok(Portions { lines, size, read: 0 })
    }

    /// Reads the next portion of lines from the file, such as all candidate translations of one source text.
    /// Returns `None` at the end of the file.
    ///
    /// # Errors
    /// Returns an error if the last portion has too few lines, and the errors of reading.
    pub(crate) fn next(&mut self) -> Result<Option<Vec<String>>, InputError> {
        let mut texts = Vec::new();
        let mut line = String::new();
        while self.size.is_none_or(|size| texts.len() < size) && self.lines.next(&mut line)? {
            texts.push(std::mem::take(&mut line));
        }
        self.read += texts.len() as u64;
        match self.size {
            // Warnings about the file are complete only here, after its last line.
            _ if texts.is_empty() => {
                warn::findings(&self.location(), self.lines.findings());
                Ok(None)
            }
            Some(size) if texts.len() < size => {
                let message =
                    format!("the last source has {} lines, but every source has {size}", texts.len());
                Err(InputError::malformed(message).at(self.location()))
            }
            _ => Ok(Some(texts)),
        }
    }

    pub(crate) fn name(&self) -> &str {
        self.lines.name()
    }

    pub(crate) fn position(&self) -> Option<(u64, u64)> {
        self.lines.position()
    }

    pub(crate) fn location(&self) -> Location {
        self.lines.location()
    }

    /// Replaces the segment number in `error`, which counts within the last `count` lines, by the line number
    /// in the file.
    pub(crate) fn located(&self, error: InputError, count: usize) -> InputError {
        match error.location().segment {
            Some(segment) => {
                let line = self.read - count as u64 + segment;
                error.renumbered(Location::line(self.lines.name().clone(), line))
            }
            None => error.at(self.location()),
        }
    }

    pub(crate) fn next_numbers(&mut self) -> Result<Option<Vec<f64>>, InputError> {
        // `next` advances `read`, and errors count lines from the start of the file.
        let before = self.read;
        let Some(lines) = self.next()? else { return Ok(None) };
        let number = |(index, line): (u64, &String)| {
            line.trim().parse::<f64>().map_err(|_| {
                let message = format!("`{line}` is not a number");
                InputError::malformed(message).at(Location::line(self.lines.name().clone(), index))
            })
        };
        (before + 1..).zip(&lines).map(number).collect::<Result<_, _>>().map(Some)
    }
}
