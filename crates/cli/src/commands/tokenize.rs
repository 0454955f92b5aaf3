//! `bleuprint tokenize`: what a tokenizer makes of a text.

use std::io::Write;

use bleuprint::text::{Lines, TokenBuffer, lowercase};
use bleuprint::{Case, ConfigError, Tokenizer as _};

use crate::Failure;
use crate::request::TokenizeRequest;

pub(crate) fn run(request: &TokenizeRequest, out: &mut impl Write) -> Result<(), Failure> {
    let (name, tokenizer) = (&request.tokens.name, request.tokens.tokenizer()?);
    if request.ids && !tokenizer.has_ids() {
        let message = format!("the tokenizer `{name}` has no ids of its own; leave out --ids");
        return Err(ConfigError::Conflict(message).into());
    }
    let mut lines = Lines::open(&request.file)?.with_line_ends(tokenizer.raw_lines());
    let (mut line, mut lowered, mut buffer, mut ids) =
        (String::new(), String::new(), TokenBuffer::default(), Vec::new());
    while lines.next(&mut line)? {
        if request.tokens.case == Case::Lower && tokenizer.case().is_none() {
            lowercase(&line, &mut lowered);
            std::mem::swap(&mut line, &mut lowered);
        }
        if request.ids {
            ids.clear();
            let result = tokenizer.ids(&line, &mut buffer, &mut ids);
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
