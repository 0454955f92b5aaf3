//! `bleuprint list`: the names that can be chosen, a line each.

use std::io::Write;

use bleuprint::Registry;
use bleuprint::text::tokenizers;
use clap::ArgMatches;

use crate::Failure;

pub(crate) fn run(registry: &Registry, matches: &ArgMatches, out: &mut impl Write) -> Result<(), Failure> {
    match matches.get_one::<String>("what").map(String::as_str) {
        Some("tokenizers") => {
            for entry in tokenizers() {
                let lacking = match entry.missing_feature {
                    Some(feature) => format!(" (not in this build, which lacks the feature `{feature}`)"),
                    None => String::new(),
                };
                writeln!(out, "{:<14} {} [{}]{lacking}", entry.name, entry.summary, entry.agrees_with)?;
            }
        }
        _ => {
            for entry in registry.entries() {
                writeln!(
                    out,
                    "{:<14} {} [{}; {}]",
                    entry.name, entry.summary, entry.paper, entry.agrees_with
                )?;
            }
        }
    }
    Ok(())
}
