//! The bleuprint program with fifteen metrics of its own, over ids, tokens, text and data of their own; with a tokenizer that takes
//! a model, a reader of files, a command and a page. They are a family: one value.
//!
//! ```sh
//! cargo run -- score REF -i SYS -m bleu unigram_f distinct_tokens rare_recall
//! cargo run -- vocabulary SYS
//! cargo run -- score QRELS -i RUN --trec -m ndcg
//! cargo run -- list families mine
//! ```

mod endings;
mod metrics;
mod trec;
mod vocabulary;

use std::process::ExitCode;

use bleuprint::text::{Family, FamilyPage};
use bleuprint_cli::Program;

const PAGES: &[FamilyPage] = &[FamilyPage { name: "mine", text: include_str!("../docs/mine.md") }];

fn family() -> Family {
    let family = Family::new("mine", "Metrics of my own").metrics(metrics::METRICS);
    let family = family.tokenizers(&[endings::ENTRY]).readers(trec::READERS);
    family.commands(vocabulary::COMMANDS).pages(PAGES)
}

fn main() -> ExitCode {
    Program::new().with(family()).run()
}
