//! Implements `bleuprint dialects`: lists the variants of BLEU in other programs, which `-m
//! bleu:dialect=NAME` reproduces.

use bleuprint::{contract::Choice as _, metrics::Dialect, report};
use serde_json::{Value, json};

use bleuprint_requests::terminal::terminal_width;

use crate::shared::catalogue::write_described;
use crate::shared::command::*;

pub(crate) struct Dialects {
    json: bool,
}

impl Subcommand for Dialects {
    const NAME: &'static str = "dialects";

    fn define(command: Command, _: &Families) -> Command {
        let about = "List the dialects of BLEU: the formulas of other programs over the same counts";
        command.about(about).arg(args::format())
    }

    fn request(matches: &ArgMatches, _: &Families) -> Result<Self> {
        Ok(Dialects { json: matches.is_json() })
    }

    fn run(self, _: &CommandContext<'_>, out: &mut Out) -> Result<()> {
        if self.json {
            let object = |dialect: &Dialect| {
                json!({
                    "name": dialect.name,
                    "aliases": dialect.aliases,
                    "program": dialect.program,
                    "version": dialect.version,
                    "summary": dialect.summary,
                    "differences": dialect.differences,
                    "agreement": dialect.agreement.to_string(),
                    "max": dialect.scale.max,
                    "ref_len": dialect.ref_len.name(),
                    "tokenize": dialect.tokenizer,
                    "case": dialect.case,
                })
            };
            writeln!(
                out,
                "{}",
                report::pretty(&Value::Array(Dialect::all().iter().map(object).collect()), 1)
            )?;
            return Ok(());
        }
        for dialect in Dialect::all() {
            let program = format!("{} {}", dialect.program, dialect.version);
            let about = format!("{} [{program}; {}]", dialect.summary, dialect.agreement);
            // Programs that read the list want a line for each dialect.
            if terminal_width().is_some() {
                write_described(&[(format!("{:<26}", dialect.name), about)], out)?;
            } else {
                writeln!(out, "{:<26} {about}", dialect.name)?;
            }
        }
        Ok(())
    }
}
