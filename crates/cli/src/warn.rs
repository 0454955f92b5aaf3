//! What is said on standard error: the error that ends the program, and warnings that change nothing.

use std::io::Write;

use bleuprint::ConfigError;
use clap::ArgMatches;

use crate::input::Row;

/// Tokenized hypotheses are suspected from this many lines on that end in a lone period, as in sacreBLEU.
const SUSPICIOUS_PERIODS: usize = 100;

/// What was seen on the way that the user should know.
pub(crate) struct Warnings {
    quiet: bool,
    force: bool,
    /// Lines that end in a tokenized period, per system.
    periods: Vec<usize>,
}

impl Warnings {
    pub(crate) fn new(matches: &ArgMatches) -> Result<Self, ConfigError> {
        let (quiet, force) = (matches.get_flag("quiet"), matches.get_flag("force"));
        Ok(Warnings { quiet, force, periods: Vec::new() })
    }

    /// Looks at a segment that is scored.
    pub(crate) fn look_at(&mut self, row: &Row) {
        self.periods.resize(row.hypotheses.len(), 0);
        for (periods, hypothesis) in self.periods.iter_mut().zip(&row.hypotheses) {
            *periods += usize::from(hypothesis.ends_with(" ."));
        }
    }

    /// Says what there is to say.
    pub(crate) fn say(&self) {
        if self.quiet || self.force {
            return;
        }
        let worst = self.periods.iter().copied().max().unwrap_or(0);
        if worst >= SUSPICIOUS_PERIODS {
            say(&format!(
                "bleuprint: warning: {worst} hypotheses end in a tokenized period (' .'); metrics that tokenize \
                 expect plain text. Use --force if this is what you mean."
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
