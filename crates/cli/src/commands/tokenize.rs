//! Implements `bleuprint tokenize`: prints the tokens of each line of text.

use bleuprint::eval::TokenRequest;
use bleuprint::text::Normalizer as _;
use bleuprint::text::read::TextOptions;
use bleuprint::text::{LineReader, TokenBuffer, lowercase};
use bleuprint::{Case, Tokenizer as _};
use bleuprint_requests::warn;

use crate::shared::command::*;
use crate::shared::sources;
use crate::shared::tokens::{self, TokenChoice, text_options};

pub(crate) struct Tokenize {
    tokens: TokenRequest,
    file: String,
    text: TextOptions,
    ids: bool,
}

impl Subcommand for Tokenize {
    const NAME: &'static str = "tokenize";

    fn define(command: Command, _: &Families) -> Command {
        let file = Arg::new("file").value_name("FILE").default_value("-");
        command
            .about("Print the tokens of a text")
            .arg(file.help("The text; `-` is standard input"))
            .args(text_options())
            .args(sources::text())
            .arg(flag("ids").help("Print ids in place of tokens, for tokenizers with a vocabulary"))
    }

    fn request(matches: &ArgMatches, _: &Families) -> Result<Self> {
        Ok(Tokenize {
            tokens: tokens::request(matches)?,
            file: matches.texts("file").concat(),
            text: sources::text_of(matches),
            ids: matches.get_flag("ids"),
        })
    }

    fn run(self, program: &CommandContext<'_>, out: &mut Out) -> Result<()> {
        let tokens = TokenChoice::new(self.tokens, program.tokenizers)?;
        let name = tokens.name();
        let tokenizer = tokens.tokenizer()?;
        if self.ids && !tokenizer.has_ids() {
            fail!("the tokenizer `{name}` has no ids; leave out --ids");
        }
        let mut lines = LineReader::open_text(&self.file, self.text)?.with_line_ends(tokenizer.raw_lines());
        let mut line = String::new();
        let mut lowered = String::new();
        let mut buffer = TokenBuffer::default();
        let mut ids = Vec::new();
        let normalizer = tokens.normalizer()?;
        while lines.next(&mut line)? {
            // The order is that of scoring: normalizers, then case, then the tokenizer.
            if let Some(chain) = &normalizer {
                chain.normalize(&mut line, &mut lowered);
            }
            // A tokenizer with its own case rule, such as a lower-casing model, must see the text unchanged.
            if tokens.case() == Case::Lower && tokenizer.case().is_none() {
                lowercase(&line, &mut lowered);
                std::mem::swap(&mut line, &mut lowered);
            }
            if self.ids {
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
        warn::findings(&lines.location(), lines.findings());
        Ok(())
    }
}
