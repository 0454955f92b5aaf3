//! Implements `bleuprint normalize`: prints texts after applying normalizers.

use bleuprint::InputError;
use bleuprint::text::read::TextOptions;
use bleuprint::text::{Chain, LineReader, Normalizer, NormalizerFindings};
use bleuprint_requests::warn;

use crate::shared::command::*;
use crate::shared::{sources, tokens};

pub(crate) struct Normalize {
    chain: String,
    file: String,
    text: TextOptions,
    quiet: bool,
}

impl Subcommand for Normalize {
    const NAME: &'static str = "normalize";

    fn define(command: Command, _: &Families) -> Command {
        let file = Arg::new("file").value_name("FILE").default_value("-");
        command
            .about("Print a text after normalization, line by line")
            .arg(file.help("The text; `-` is standard input"))
            .arg(tokens::norm().required(true))
            .args(sources::text())
            .arg(args::quiet())
    }

    fn request(matches: &ArgMatches, _: &Families) -> Result<Self> {
        Ok(Normalize {
            chain: matches.text("norm").unwrap_or_default(),
            file: matches.texts("file").concat(),
            text: sources::text_of(matches),
            quiet: matches.get_flag("quiet"),
        })
    }

    fn run(self, program: &CommandContext<'_>, out: &mut Out) -> Result<()> {
        let chain = program.tokenizers.normalizers.build(&self.chain)?;
        let findings = NormalizerFindings::default();
        let mut lines = LineReader::open_text(&self.file, self.text)?;
        let mut line = String::new();
        let mut text = String::new();
        let mut spare = String::new();
        while lines.next(&mut line)? {
            text.clone_from(&line);
            rewrite(&chain, &mut text, &mut spare).map_err(|error| error.at(lines.location()))?;
            // Lines that the normalizer empties are counted for a warning at the end.
            findings.look_at(&line, &text, true);
            writeln!(out, "{text}")?;
        }
        if !self.quiet {
            warn::say_normalized([(chain.name(), &findings)]);
        }
        warn::findings(&lines.location(), lines.findings());
        Ok(())
    }
}

/// Normalizes a line of text in place.
///
/// # Errors
/// Returns an error if the result has more than one line, because lines would no longer correspond to
/// segments.
fn rewrite(chain: &Chain, text: &mut String, spare: &mut String) -> Result<(), InputError> {
    chain.normalize(text, spare);
    if text.contains('\n') {
        let message = format!("the normalizer `{}` turns this line into several lines", chain.name());
        return Err(InputError::malformed(message));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use bleuprint::text::{NormalizerEntry, Normalizers};

    struct Cut;

    impl Normalizer for Cut {
        fn name(&self) -> &str {
            "cut"
        }

        fn normalize(&self, text: &mut String, _: &mut String) {
            *text = text.replace('a', "x\ny");
        }
    }

    #[test]
    fn a_line_stays_one_line() {
        let mut normalizers = Normalizers::default();
        normalizers.add(NormalizerEntry::new("cut", "lines are cut", || Ok(Box::new(Cut)))).unwrap();
        let chain = normalizers.build("lower+cut").unwrap();
        assert!(rewrite(&chain, &mut "B".to_owned(), &mut String::new()).is_ok());
        let error = rewrite(&chain, &mut "A b".to_owned(), &mut String::new()).unwrap_err();
        assert_eq!(error.to_string(), "the normalizer `lower+cut` turns this line into several lines");
    }
}
