//! `bleuprint tokenize`: what a tokenizer makes of a text.

use std::io::Write;

use bleuprint::text::{Lines, TokenBuffer, lowercase};
use bleuprint::{ConfigError, Tokenizer as _};
use clap::ArgMatches;

use crate::{Failure, panel};

pub(crate) fn run(matches: &ArgMatches, out: &mut impl Write) -> Result<(), Failure> {
    let name = panel::tokenizer_name(matches)?;
    let tokenizer = panel::chosen_tokenizer(matches)?;
    let file = matches.get_one::<String>("file").map_or("-", String::as_str);
    let mut lines = Lines::open(file)?;
    let (mut line, mut lowered, mut buffer, mut ids) =
        (String::new(), String::new(), TokenBuffer::default(), Vec::new());
    while lines.next(&mut line)? {
        if matches.get_flag("lowercase") {
            lowercase(&line, &mut lowered);
            std::mem::swap(&mut line, &mut lowered);
        }
        if matches.get_flag("ids") {
            ids.clear();
            let Some(result) = tokenizer.ids(&line, &mut ids) else {
                let message = format!("the tokenizer `{name}` has no ids of its own; leave out --ids");
                return Err(ConfigError::Conflict(message).into());
            };
            result.map_err(|error| error.at(lines.location()))?;
            writeln!(out, "{}", ids.iter().map(u32::to_string).collect::<Vec<_>>().join(" "))?;
        } else {
            let tokens =
                tokenizer.tokenize(&line, &mut buffer).map_err(|error| error.at(lines.location()))?;
            writeln!(out, "{tokens}")?;
        }
    }
    Ok(())
}
