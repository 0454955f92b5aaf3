//! Words with their endings cut off: a tokenizer whose model is a file of endings, one per line.

use bleuprint::text::{Takes, TokenBuffer, TokenizerEntry, TokenizerRequest, Tokens, whitespace};
use bleuprint::{ConfigError, Result, Tokenizer};

struct Endings {
    /// The longest first.
    endings: Vec<String>,
    /// Tokens of other endings are other tokens, so the name of these holds them all.
    token_space: String,
}

impl Endings {
    /// Stem and ending, or the word.
    fn parts<'w>(&self, word: &'w str) -> impl Iterator<Item = &'w str> {
        let fits = |ending: &&String| word.len() > ending.len() && word.ends_with(*ending);
        let ending = self.endings.iter().find(fits).map_or(0, String::len);
        let (stem, ending) = word.split_at(word.len() - ending);
        [stem, ending].into_iter().filter(|part| !part.is_empty())
    }
}

impl Tokenizer for Endings {
    fn token_space(&self) -> &str {
        &self.token_space
    }

    fn tokenize<'a>(&self, line: &'a str, buffer: &'a mut TokenBuffer) -> Result<Tokens<'a>> {
        buffer.cut(line, |line, spans| {
            spans.push_pieces(line, whitespace::split(line).flat_map(|word| self.parts(word)))
        })
    }
}

fn build(request: &TokenizerRequest<'_>) -> Result<Box<dyn Tokenizer>, ConfigError> {
    let unusable = |reason: String| ConfigError::Resource {
        what: "the list of endings".into(),
        reason,
        hint: "give a file with one ending per line with --tokenizer-model, or write `endings:FILE`".into(),
    };
    let path = request.options.model.as_ref().ok_or_else(|| unusable("no file was given".into()))?;
    let text =
        std::fs::read_to_string(path).map_err(|error| unusable(format!("{}: {error}", path.display())))?;
    let mut endings: Vec<String> = whitespace::split(&text).map(str::to_owned).collect();
    endings.sort_by(|one, other| other.len().cmp(&one.len()).then_with(|| one.cmp(other)));
    endings.dedup();
    let token_space = format!("endings#{}", endings.join(","));
    Ok(Box::new(Endings { endings, token_space }))
}

pub const ENTRY: TokenizerEntry =
    TokenizerEntry::new("endings", "words with their endings cut off, by a list", build)
        .takes(&[Takes::Model, Takes::ModelInName]);
