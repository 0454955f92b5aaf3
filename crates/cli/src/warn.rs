//! What is said on standard error: the error that ends the program, and warnings that change nothing.

use std::io::Write;

use bleuprint::text::Text;

/// Tokenized hypotheses are suspected from this many lines on that end in a lone period, as in sacreBLEU.
const SUSPICIOUS_PERIODS: usize = 100;

/// Prints the error that ends the program.
pub(crate) fn error(message: &str) {
    say(&format!("bleuprint: error: {message}"));
}

/// Warns of hypotheses that look tokenized: their scores are not comparable with those of plain text.
pub(crate) fn tokenized_periods(hypotheses: &Text) {
    let periods = hypotheses.iter().filter(|line| line.ends_with(" .")).count();
    if periods >= SUSPICIOUS_PERIODS {
        say(&format!(
            "bleuprint: warning: {}: {periods} lines end in a tokenized period (' .'); metrics that tokenize expect \
             plain text. Use --force if this is what you mean.",
            hypotheses.name()
        ));
    }
}

fn say(message: &str) {
    // If standard error is gone there is nobody left to tell.
    let _ = writeln!(std::io::stderr(), "{message}");
}
