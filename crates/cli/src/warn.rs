//! What is said on standard error: the error that ends the program, and warnings that change nothing.

use std::io::Write;

use bleuprint::ConfigError;
use bleuprint::text::{ScriptCounts, TOKENIZED_PERIODS_LIMIT, ends_in_tokenized_period, script_advice};
use clap::ArgMatches;

use crate::input::Row;
use crate::panel;

/// How many segments are looked at for the script of the references.
const SAMPLE: u64 = 1000;

/// What was seen on the way that the user should know.
pub(crate) struct Warnings {
    quiet: bool,
    force: bool,
    /// Lines that end in a tokenized period, per system.
    periods: Vec<u64>,
    tokenizer: String,
    script: ScriptCounts,
    segments: u64,
}

impl Warnings {
    pub(crate) fn new(matches: &ArgMatches) -> Result<Self, ConfigError> {
        let (quiet, force) = (matches.get_flag("quiet"), matches.get_flag("force"));
        let tokenizer = panel::tokenizer_name(matches)?;
        Ok(Warnings {
            quiet,
            force,
            periods: Vec::new(),
            tokenizer,
            script: ScriptCounts::default(),
            segments: 0,
        })
    }

    /// Looks at a segment that is scored.
    pub(crate) fn look_at(&mut self, row: &Row) {
        self.periods.resize(row.hypotheses.len(), 0);
        for (periods, hypothesis) in self.periods.iter_mut().zip(&row.hypotheses) {
            *periods += u64::from(ends_in_tokenized_period(hypothesis));
        }
        if self.segments < SAMPLE {
            row.references.iter().for_each(|reference| self.script.add(reference));
        }
        self.segments += 1;
    }

    /// Says what there is to say.
    pub(crate) fn say(&self) {
        if self.quiet {
            return;
        }
        let worst = self.periods.iter().copied().max().unwrap_or(0);
        if worst >= TOKENIZED_PERIODS_LIMIT && !self.force {
            say(&format!(
                "bleuprint: warning: {worst} hypotheses end in a tokenized period (' .'); metrics that tokenize \
                 expect plain text. Use --force if this is what you mean."
            ));
        }
        if let Some(advice) = script_advice(&self.tokenizer, &self.script) {
            say(&format!(
                "bleuprint: warning: {:.0} % of the letters of the references are {}, but the tokenizer `{}` is for \
                 languages with spaces between words; use `--tokenize {}`, or `--tokenize char`.",
                advice.share * 100.0,
                advice.script.name(),
                self.tokenizer,
                advice.suggested
            ));
        }
    }
}

/// Prints the error that ends the program.
pub(crate) fn error(message: &str) {
    say(&format!("bleuprint: error: {message}"));
}

fn say(message: &str) {
    // If standard error is gone there is nobody left to tell.
    let _ = writeln!(std::io::stderr(), "{message}");
}
