//! The bleuprint program with metrics of its own: over ids with an option, over text, with a source, with statistics that
//! are a set, and of two passes; and with a tokenizer that takes a model.
//!
//! ```sh
//! cargo run -- score REF -i SYS -m bleu unigram_f numbers distinct_tokens rare_recall
//! ```

mod by_class;
mod copy_rate;
mod endings;
mod median;
mod numbers;
mod rarity;
mod sketch;
mod unigram_f;

// Over values of your own: for the typed door, absent from a program over text.
#[cfg(test)]
mod boxes;
#[cfg(test)]
mod marks;

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut registry = bleuprint::registry();
    for entry in [
        by_class::ENTRY,
        copy_rate::ENTRY,
        median::ENTRY,
    ndcg::ENTRY,
        numbers::ENTRY,
    pass_at_k::ENTRY,
        rarity::ENTRY,
        sketch::ENTRY,
        unigram_f::ENTRY,
    ] {
        if let Err(error) = registry.add(entry) {
            return bleuprint_cli::refuse(&error);
        }
    }
    let mut tokenizers = bleuprint::Tokenizers::default();
    if let Err(error) = tokenizers.add(endings::ENTRY) {
        return bleuprint_cli::refuse(&error);
    }
    bleuprint_cli::main(registry, tokenizers)
}
