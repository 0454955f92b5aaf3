//! Tokenizes the lines of standard input: `tokenize_lines NAME [--lowercase] [--model PATH] [--dictionary PATH]
//! [--tercom FLAGS] [--line-feed TEXT]`, with FLAGS from `n`ormalized, no `p`unct, `a`sian, and TEXT for what
//! stands for a line feed inside a line.
//!
//! Writes the tokens of each line separated by spaces; what other programs are compared with.

use bleuprint_text::tokenize::TercomOptions;
use bleuprint_text::{Lines, TokenBuffer, TokenizerOptions, lowercase, tokenizer};
use std::error::Error;
use std::io::{BufWriter, Write, stdout};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().ok_or("the name of a tokenizer is missing")?;
    let mut options = TokenizerOptions::default();
    let (mut lower, mut line_feed) = (false, None);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
        match argument.as_str() {
            "--lowercase" => lower = true,
            "--line-feed" => line_feed = Some(value()?),
            "--tercom" => {
                let flags = value()?;
                options.tercom = TercomOptions {
                    normalized: flags.contains('n'),
                    no_punct: flags.contains('p'),
                    asian_support: flags.contains('a'),
                };
            }
            "--model" => options.model = Some(value()?.into()),
            "--dictionary" => options.dictionary = Some(value()?.into()),
            _ => return Err(format!("unknown option {argument}").into()),
        }
    }
    let tokenizer = tokenizer(&name, &options)?;
    let mut lines = Lines::open("-")?;
    let mut buffer = TokenBuffer::default();
    let (mut line, mut lowered) = (String::new(), String::new());
    let mut out = BufWriter::new(stdout().lock());
    while lines.next(&mut line)? {
        if let Some(text) = &line_feed {
            line = line.replace(text.as_str(), "\n");
        }
        if lower {
            lowercase(&line, &mut lowered);
            std::mem::swap(&mut line, &mut lowered);
        }
        writeln!(out, "{}", tokenizer.tokenize(&line, &mut buffer)?)?;
    }
    Ok(out.flush()?)
}
