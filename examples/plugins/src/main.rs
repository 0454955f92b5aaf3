//! The bleuprint program with metrics of its own: over ids with an option, over text, with a source, with statistics that
//! are a set, of two passes, and over data of their own; with a tokenizer that takes a model, a command and a page. They are
//! a family: one value.
//!
//! ```sh
//! cargo run -- score REF -i SYS -m bleu unigram_f numbers distinct_tokens rare_recall
//! cargo run -- vocabulary SYS
//! cargo run -- list families mine
//! ```

mod by_class;
mod copy_rate;
mod endings;
mod median;
mod ndcg;
mod numbers;
mod pass_at_k;
mod rarity;
mod sketch;
mod unigram_f;
mod vocabulary;

// Over values of your own: for the typed door, absent from a program over text.
#[cfg(test)]
mod boxes;
#[cfg(test)]
mod marks;

use std::process::ExitCode;

use bleuprint::MetricEntry;
use bleuprint::text::{Family, FamilyPage};
use bleuprint_cli::Program;

static METRICS: &[MetricEntry] = &[
    by_class::ENTRY,
    copy_rate::ENTRY,
    median::ENTRY,
    ndcg::ENTRY,
    numbers::ENTRY,
    pass_at_k::ENTRY,
    rarity::ENTRY,
    sketch::ENTRY,
    unigram_f::ENTRY,
];

const PAGES: &[FamilyPage] = &[FamilyPage { name: "mine", text: include_str!("../docs/mine.md") }];

fn family() -> Family {
    let family = Family::new("mine", "Metrics of my own").metrics(METRICS);
    family.tokenizers(&[endings::ENTRY]).pages(PAGES)
}

fn main() -> ExitCode {
    Program::new().with_commands(family(), &[vocabulary::COMMAND]).run()
}
