//! The bleuprint program with three metrics of its own, one for each thing that a metric can look at.
//!
//! ```sh
//! cargo run -- score REF -i SYS -m bleu length_ratio numbers vocabulary
//! ```

mod length_ratio;
mod numbers;
mod vocabulary;

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut registry = bleuprint::registry();
    for entry in [length_ratio::ENTRY, numbers::ENTRY, vocabulary::ENTRY] {
        if let Err(error) = registry.add(entry) {
            return bleuprint_cli::refuse(&error);
        }
    }
    bleuprint_cli::main(registry)
}
