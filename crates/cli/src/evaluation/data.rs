//! The data of an evaluation: text that is to be counted, or counts from files.

use bleuprint::eval::{Panel, SharedTokenizer};
use bleuprint::recipe::Recipe;
use bleuprint::text::TokenBuffer;
use bleuprint::{ConfigError, InputError, Registry, Tokenizer as _};

use crate::evaluation::corpus::TextCorpus;
use crate::evaluation::counted::Counted;
use crate::shared::counting::{Counter, Source};
use crate::shared::failure::Result;
use crate::shared::input::{Records, Streams};
use crate::shared::tokens::TokenRequest;
use crate::shared::warn::Warnings;

/// What is wanted of text beyond its segments.
#[derive(Debug, Clone, Default)]
pub(crate) struct Reading {
    /// Labels in files, each `NAME=FILE`.
    pub(crate) labels: Vec<String>,
    /// Whether the length of the first reference in tokens is a label.
    pub(crate) length: bool,
    /// Whether the first system is a baseline, which may come again.
    pub(crate) paired: bool,
}

/// The texts behind counts.
pub(crate) struct Texts {
    pub(crate) corpus: TextCorpus,
    tokens: TokenRequest,
}

impl Texts {
    /// How the texts are cut.
    pub(crate) fn tokenizer(&self) -> Result<SharedTokenizer, ConfigError> {
        self.tokens.tokenizer()
    }

    /// Shows the tokens of each segment's hypotheses and references, each token as `written`.
    pub(crate) fn tokenized(
        &self,
        written: impl Fn(&str) -> String,
        mut show: impl FnMut(&[&[&str]], &[&[&str]]),
    ) -> Result<()> {
        let (tokenizer, mut buffer) = (self.tokenizer()?, TokenBuffer::default());
        let mut tokens = |texts: &[String]| -> Result<Vec<Vec<String>>, InputError> {
            let tokens =
                |text: &String| Ok(tokenizer.tokenize(text, &mut buffer)?.iter().map(&written).collect());
            texts.iter().map(tokens).collect()
        };
        for segment in &self.corpus.segments {
            let lists = [tokens(&segment.hypotheses)?, tokens(&segment.references)?];
            let lists = lists.each_ref().map(|lists| {
                lists.iter().map(|list| list.iter().map(String::as_str).collect()).collect::<Vec<Vec<&str>>>()
            });
            let [hypotheses, references] =
                lists.each_ref().map(|lists| lists.iter().map(Vec::as_slice).collect::<Vec<&[&str]>>());
            show(&hypotheses, &references);
        }
        Ok(())
    }
}

/// Segments of several systems.
pub(crate) enum Data {
    /// Text with what it is to be counted under.
    Text {
        texts: Box<Texts>,
        panel: Panel,
        recipe: Option<Recipe>,
    },
    Counted(Counted),
}

impl Data {
    /// Reads all there is.
    pub(crate) fn open(source: Source, reading: &Reading, registry: &Registry) -> Result<Self> {
        match source {
            Source::Stored(files) => Ok(Data::Counted(Counted::from_files(registry, &files)?)),
            Source::Text(counting) => Data::read(counting.open(registry)?, reading),
        }
    }

    /// Reads all text, and warns of what looks wrong.
    pub(crate) fn read(counter: Counter, reading: &Reading) -> Result<Self> {
        let Counter { panel, recipe, sources, tokens, warnings } = counter;
        let mut corpus = match &sources.records {
            None => TextCorpus::from_streams(Streams::open(&sources.streams)?)?,
            Some(file) => {
                let records = Records::open(file, &tokens.options.ids)?;
                TextCorpus::from_records(file, records, tokens.is_ids())?
            }
        };
        corpus.require_distinct_systems(reading.paired)?;
        reading.labels.iter().try_for_each(|label| corpus.add_label(label))?;
        if reading.length {
            let (tokenizer, mut buffer) = (tokens.tokenizer()?, TokenBuffer::default());
            corpus.add_lengths(|text| Ok(tokenizer.tokenize(text, &mut buffer)?.len()))?;
        }
        let mut warnings = Warnings::new(&warnings);
        for segment in &corpus.segments {
            warnings.look_at(&segment.hypotheses, &segment.references);
        }
        warnings.say();
        Ok(Data::Text { texts: Box::new(Texts { corpus, tokens }), panel, recipe })
    }

    /// The names of the systems.
    pub(crate) fn systems(&self) -> &[String] {
        match self {
            Data::Text { texts, .. } => &texts.corpus.systems,
            Data::Counted(counted) => &counted.systems,
        }
    }

    /// Counts what is not counted yet, in all threads; with the texts, where there are any.
    ///
    /// # Errors
    /// Those of the metrics; scores without the signature that they must have.
    pub(crate) fn counted(self) -> Result<(Counted, Option<Texts>)> {
        match self {
            Data::Counted(counted) => Ok((counted, None)),
            Data::Text { texts, panel, recipe } => {
                let counted = Counted::from_text(panel, &texts.corpus)?;
                if let Some(recipe) = recipe {
                    counted.scores(0)?.iter().try_for_each(|scored| recipe.check(&scored.signature))?;
                }
                Ok((counted, Some(*texts)))
            }
        }
    }
}
