//! BLEU's dialects from the shell: their catalogue. They are scored by `score --dialect`, an option of BLEU.

use std::io::Write;

use bleuprint::{Dialect, report};
use clap::ArgMatches;
use serde_json::{Value, json};

use crate::Failure;

/// `bleuprint dialects`: what there is, with the program and how near we come.
pub(crate) fn catalogue(matches: &ArgMatches, out: &mut impl Write) -> Result<(), Failure> {
    if matches.get_one::<String>("format").is_some_and(|format| format == "json") {
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
        writeln!(out, "{}", report::pretty(&Value::Array(Dialect::all().iter().map(object).collect())))?;
        return Ok(());
    }
    for dialect in Dialect::all() {
        let program = format!("{} {}", dialect.program, dialect.version);
        writeln!(out, "{:<26} {} [{program}; {}]", dialect.name, dialect.summary, dialect.agreement)?;
    }
    Ok(())
}
