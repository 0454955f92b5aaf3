//! Command line of bleuprint as a library, with which you can build a program with additional metrics,
//! tokenizers or commands.
//!
//! To add metrics, pass a family (a group of metrics, tokenizers, file readers and commands). Its metrics then
//! work with every command and option of bleuprint. Options are written after the metric's name, as in `-m
//! my_metric:option=value`:
//!
//! ```no_run
//! use bleuprint::{AnyMetric, MetricEntry, text::Family, text::TokenizerEntry};
//! use bleuprint_cli::Program;
//!
//! static METRICS: &[MetricEntry] =
//!     &[MetricEntry::new("my_metric", "What it measures", |_| AnyMetric::for_ids(bleuprint::metrics::Gleu::default()))];
//! const TOKENIZER: TokenizerEntry =
//!     TokenizerEntry::new("my_tokens", "What they are", |request| request.tokenizers.build("none", request.options));
//!
//! fn family() -> Family {
//!     Family::new("mine", "Measures of my own").metrics(METRICS).tokenizers(&[TOKENIZER])
//! }
//!
//! fn main() -> std::process::ExitCode {
//!     Program::new().with(family()).run()
//! }
//! ```
//!
//! This crate does not name any metric or tokenizer itself: their options come from the families.

mod command_line;
mod counted;

mod commands {
    pub(crate) mod align;
    pub(crate) mod cite;
    pub(crate) mod compare;
    pub(crate) mod completions;
    pub(crate) mod dialects;
    pub(crate) mod explain;
    pub(crate) mod gate;
    pub(crate) mod list;
    pub(crate) mod man;
    pub(crate) mod mbr;
    pub(crate) mod merge;
    pub(crate) mod meta;
    pub(crate) mod normalize;
    pub(crate) mod report;
    pub(crate) mod resegment;
    pub(crate) mod score;
    pub(crate) mod self_score;
    pub(crate) mod show;
    pub(crate) mod stats;
    pub(crate) mod subtract;
    pub(crate) mod tokenize;
    pub(crate) mod track;
    pub(crate) mod verify;
}

mod program;

mod shared {
    pub(crate) mod args;
    pub(crate) mod catalogue;
    pub(crate) mod command;
    pub(crate) mod counting;
    pub(crate) mod event;
    pub(crate) mod explanation;
    pub(crate) mod family;
    pub(crate) mod metrics;
    pub(crate) mod numbers;
    pub(crate) mod output;
    pub(crate) mod places;
    pub(crate) mod pools;
    pub(crate) mod readers;
    pub(crate) mod recipe;
    pub(crate) mod sources;
    pub(crate) mod standard_output;
    pub(crate) mod stored;
    pub(crate) mod tokens;
    pub(crate) mod vectors;
}

pub use counted::counted;
pub use program::Program;

use crate::command_line::{CommandEntry, entry};

/// Commands of the program by the groups of `bleuprint --help`, in its order. Families add further commands.
const COMMANDS: &[CommandEntry] = &[
    entry::<commands::score::ScoreCommand>("Score and compare"),
    entry::<commands::compare::Compare>("Score and compare"),
    entry::<commands::report::ReportCommand>("Score and compare"),
    entry::<commands::align::Align>("Score and compare"),
    entry::<commands::explain::Explain>("Score and compare"),
    entry::<commands::verify::Verify>("Score and compare"),
    entry::<commands::stats::StatsCommand>("Statistics in files"),
    entry::<commands::merge::MergeCommand>("Statistics in files"),
    entry::<commands::subtract::Subtract>("Statistics in files"),
    entry::<commands::show::ShowCommand>("Statistics in files"),
    entry::<commands::gate::Gate>("Checks"),
    entry::<commands::track::Track>("Checks"),
    entry::<commands::meta::Meta>("Checks"),
    entry::<commands::mbr::Mbr>("Several outputs of one input"),
    entry::<commands::self_score::SelfScore>("Several outputs of one input"),
    entry::<commands::tokenize::Tokenize>("Texts and files"),
    entry::<commands::normalize::Normalize>("Texts and files"),
    entry::<commands::resegment::ResegmentCommand>("Texts and files"),
    entry::<commands::list::ListCommand>("Help"),
    entry::<commands::cite::Cite>("Help"),
    entry::<commands::dialects::Dialects>("Help"),
    entry::<commands::completions::Completions>("Help"),
    entry::<commands::man::Man>("Help"),
];
