//! A command: the number of different tokens of a file, by any tokenizer of the program.

use std::collections::BTreeSet;
use std::error::Error;
use std::io::Write;

use bleuprint::TokenizerOptions;
use bleuprint::text::{Encoding, Families, LineReader, TokenBuffer};
use bleuprint_cli::FamilyCommand;
use bleuprint_cli::clap::{Arg, ArgMatches, Command};

pub const COMMAND: FamilyCommand = FamilyCommand::new("vocabulary", define, run);

fn define(command: Command, _: &Families) -> Command {
    let tokenizer = Arg::new("tokenize").long("tokenize").default_value("13a");
    command.about("Count the different tokens of a file").arg(Arg::new("file").required(true)).arg(tokenizer)
}

fn run(
    matches: &ArgMatches,
    families: &Families,
    out: &mut (dyn Write + Send),
) -> Result<(), Box<dyn Error>> {
    let text = |name: &str| matches.get_one::<String>(name).map_or("", String::as_str);
    let tokenizer = families.tokenizers().build(text("tokenize"), &TokenizerOptions::default())?;
    let mut buffer = TokenBuffer::default();
    let mut different = BTreeSet::new();
    let mut lines = LineReader::open(text("file"), Encoding::default())?;
    let mut line = String::new();
    while lines.next(&mut line)? {
        different.extend(tokenizer.tokenize(&line, &mut buffer)?.iter().map(str::to_owned));
    }
    Ok(writeln!(out, "{} different tokens", different.len())?)
}
