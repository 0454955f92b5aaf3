//! A command: the number of different tokens of a file, by any tokenizer of the program.

use std::collections::BTreeSet;
use std::error::Error;
use std::fmt::Write;

use bleuprint::TokenizerOptions;
use bleuprint::text::{
    CommandAnswer, Encoding, FamilyCommand, FamilyOption, FamilyRequest, LineReader, TokenBuffer,
};

pub const COMMANDS: &[FamilyCommand] = &[FamilyCommand {
    name: "vocabulary",
    about: "Count the different tokens of a file",
    group: "Further commands",
    options: &[
        FamilyOption::positional("file", "FILE", "The file"),
        FamilyOption::value("tokenize", "NAME", "The tokenizer").default("13a"),
    ],
    short_help: &[],
    examples: "",
    run,
}];

fn run(request: &FamilyRequest<'_>, out: &mut dyn Write) -> Result<CommandAnswer, Box<dyn Error>> {
    let name = request.option("tokenize").unwrap_or_default();
    let tokenizer = request.families.tokenizers().build(name, &TokenizerOptions::default())?;
    let mut buffer = TokenBuffer::default();
    let mut different = BTreeSet::new();
    let mut lines = LineReader::open(request.option("file").unwrap_or_default(), Encoding::default())?;
    let mut line = String::new();
    while lines.next(&mut line)? {
        different.extend(tokenizer.tokenize(&line, &mut buffer)?.iter().map(str::to_owned));
    }
    writeln!(out, "{} different tokens", different.len())?;
    Ok(CommandAnswer::Positive)
}
