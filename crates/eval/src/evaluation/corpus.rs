//! [`TextCorpus`]: several systems on the same segments, with labels, in memory; and [`Texts`], which know their tokens.

use bleuprint_core::{InputError, Result};
use bleuprint_text::{TokenBuffer, Tokenizer as _};

use super::labels::{LENGTH, Labels};
use crate::store::Fingerprint;
use crate::{SharedTokenizer, SystemsSegment, require_equal};

/// The fingerprints of the references of a segment, and of its source where that is known.
pub type Fingerprints = (Fingerprint, Option<Fingerprint>);

/// One segment of every system.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TextSegment {
    /// One for each system, in their order.
    pub hypotheses: Vec<String>,
    /// The references, possibly none.
    pub references: Vec<String>,
    /// The source, if known.
    pub source: Option<String>,
}

/// Several systems on the same segments.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TextCorpus {
    /// The names of the systems.
    pub systems: Vec<String>,
    /// The segments.
    pub segments: Vec<TextSegment>,
    /// The labels of the segments.
    pub labels: Labels,
}

impl TextCorpus {
    /// The outputs of systems by their names, and reference streams, each with a text for every segment.
    ///
    /// # Errors
    /// [`LengthMismatch`](bleuprint_core::InputErrorKind::LengthMismatch) of an output or a stream and the first output.
    pub fn new<T: AsRef<str>>(
        outputs: impl IntoIterator<Item = (impl Into<String>, impl IntoIterator<Item = T>)>,
        references: impl IntoIterator<Item = impl IntoIterator<Item = T>>,
    ) -> Result<Self> {
        let texts = |texts: &mut dyn Iterator<Item = T>| texts.map(|text| text.as_ref().to_owned()).collect();
        let outputs: Vec<(String, Vec<String>)> =
            outputs.into_iter().map(|(name, output)| (name.into(), texts(&mut output.into_iter()))).collect();
        let streams: Vec<Vec<String>> =
            references.into_iter().map(|stream| texts(&mut stream.into_iter())).collect();
        let (first, length) = outputs.first().map_or(("", 0), |(name, output)| (name.as_str(), output.len()));
        for (name, output) in &outputs {
            require_equal(name, output.len(), first, length)?;
        }
        for (number, stream) in (1..).zip(&streams) {
            require_equal(&format!("reference stream {number}"), stream.len(), first, length)?;
        }
        let segment = |at: usize| TextSegment {
            hypotheses: outputs.iter().map(|(_, output)| output[at].clone()).collect(),
            references: streams.iter().map(|stream| stream[at].clone()).collect(),
            source: None,
        };
        let segments = (0..length).map(segment).collect();
        let systems = outputs.iter().map(|(name, _)| name.clone()).collect();
        Ok(TextCorpus { systems, segments, labels: Labels::none(length) })
    }

    /// Sets the source of every segment.
    ///
    /// # Errors
    /// Another number of texts than segments.
    pub fn set_source(&mut self, source: impl IntoIterator<Item = impl Into<String>>) -> Result<()> {
        let source: Vec<String> = source.into_iter().map(Into::into).collect();
        require_equal("the source", source.len(), "the first system", self.segments.len())?;
        self.segments.iter_mut().zip(source).for_each(|(segment, text)| segment.source = Some(text));
        Ok(())
    }

    /// Adds a label; an empty value is none.
    ///
    /// # Errors
    /// A repeated name, another number of values than segments.
    pub fn add_label(&mut self, name: &str, values: impl IntoIterator<Item = impl AsRef<str>>) -> Result<()> {
        if self.labels.names.iter().any(|known| known == name) {
            return Err(InputError::malformed(format!("the label `{name}` is given twice")));
        }
        let value = |value: &str| (!value.is_empty()).then(|| value.to_owned());
        let values: Vec<Option<String>> = values.into_iter().map(|one| value(one.as_ref())).collect();
        let first = self.systems.first().map_or("the first system", String::as_str);
        require_equal(&format!("the label {name}"), values.len(), first, self.segments.len())?;
        self.labels.names.push(name.to_owned());
        self.labels.values.iter_mut().zip(values).for_each(|(values, value)| values.push(value));
        Ok(())
    }

    /// Adds the length of the first reference in tokens as the label [`LENGTH`], where there is no such label yet.
    ///
    /// # Errors
    /// A text that the tokenizer refuses.
    pub fn add_lengths(&mut self, tokenizer: &SharedTokenizer) -> Result<()> {
        if self.labels.names.iter().any(|name| name == LENGTH) {
            return Ok(());
        }
        self.labels.names.push(LENGTH.to_owned());
        let mut buffer = TokenBuffer::default();
        for (segment, values) in self.segments.iter().zip(&mut self.labels.values) {
            let reference = segment.references.first();
            let tokens = reference.map(|text| tokenizer.tokenize(text, &mut buffer)).transpose()?;
            values.push(tokens.map(|tokens| tokens.len().to_string()));
        }
        Ok(())
    }

    /// Hands the segments to `look`, as metrics observe them.
    pub(super) fn with_segments<R>(&self, look: impl FnOnce(&[SystemsSegment<'_, str>]) -> R) -> R {
        let texts: Vec<[Vec<&str>; 2]> = self
            .segments
            .iter()
            .map(|one| {
                [&one.hypotheses, &one.references].map(|texts| texts.iter().map(String::as_str).collect())
            })
            .collect();
        let segments: Vec<SystemsSegment<'_, str>> = texts
            .iter()
            .zip(&self.segments)
            .map(|([hypotheses, references], segment)| SystemsSegment {
                hypotheses,
                references,
                source: segment.source.as_deref(),
            })
            .collect();
        look(&segments)
    }

    /// The fingerprints of the references and of the source of each segment.
    pub(super) fn fingerprints(&self) -> Vec<Fingerprints> {
        let of = |one: &TextSegment| {
            (Fingerprint::of(&one.references), one.source.as_ref().map(|source| Fingerprint::of([source])))
        };
        self.segments.iter().map(of).collect()
    }
}

/// The texts behind a run, and how they are cut.
pub struct Texts {
    /// The segments.
    pub segments: Vec<TextSegment>,
    /// The tokenizer that was chosen for all metrics.
    pub tokenizer: SharedTokenizer,
}

impl Texts {
    /// Shows the tokens of each segment's hypotheses and references, each token as `written`.
    ///
    /// # Errors
    /// A text that the tokenizer refuses.
    pub fn tokenized(
        &self,
        written: impl Fn(&str) -> String,
        mut show: impl FnMut(&[&[&str]], &[&[&str]]),
    ) -> Result<()> {
        let mut buffer = TokenBuffer::default();
        let mut tokens = |texts: &[String]| -> Result<Vec<Vec<String>>> {
            let tokens = |text: &String| {
                Ok(self.tokenizer.tokenize(text, &mut buffer)?.iter().map(&written).collect())
            };
            texts.iter().map(tokens).collect()
        };
        for segment in &self.segments {
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
