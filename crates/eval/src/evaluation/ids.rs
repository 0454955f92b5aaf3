//! Evaluations of token ids: corpora of ids, and metrics over a named vocabulary.
//!
//! A list of ids is stored as a text: decimal numbers with spaces between, such as `17 4 250`. So
//! fingerprints, files of statistics, groups, tests and reports treat ids like texts.

use std::collections::HashMap;
use std::hash::Hash;

use bleuprint_core::{ConfigError, InputError, Location, Metric as _, Result, TokenSpace};
use bleuprint_registry::{AnyMetric, MetricSpec, Registry};

use super::{Evaluation, TextCorpus};
use crate::panel::id_tokenizer;
use crate::{ChosenTokens, Panel, Request, RowId};

impl Evaluation {
    /// Creates an evaluation of token ids from names of metrics with options. `space` is the token space, a
    /// name for the vocabulary that the ids come from; [`TextCorpus::from_ids`] makes the corpus.
    ///
    /// ```
    /// use bleuprint_core::{Case, TokenSpace};
    /// use bleuprint_eval::{Rows, evaluation::{Evaluation, TextCorpus}};
    ///
    /// let vocabulary = TokenSpace::new("my-model-v3", Case::Mixed).unwrap();
    /// let registry = bleuprint_metrics::registry();
    /// let references = vec![vec![1_u32, 2, 3, 4], vec![5, 6]];
    /// // A tensor of one system, with -100 as padding, and the lists of another.
    /// let padded = Rows::padded(&[1_i64, 2, 3, 4, 5, 6, -100, -100], 4, -100).unwrap();
    /// let outputs = [("a", padded.lists().unwrap()), ("b", vec![vec![1, 2, 3, 9], vec![5, 6]])];
    /// let corpus = TextCorpus::from_ids(outputs, [references]).unwrap();
    /// let run = Evaluation::for_ids(&registry, ["bleu", "wer"], &vocabulary).unwrap().run(corpus).unwrap();
    /// let scores = run.scores().unwrap();
    /// assert_eq!((scores[0][0].score.value.round(), scores[1][1].score.value), (100.0, 1.0 / 6.0));
    /// assert_eq!(scores[0][0].signature.get("tok"), Some("my-model-v3"));
    ///
    /// let error = Evaluation::for_ids(&registry, ["chrf"], &vocabulary).err().unwrap();
    /// assert_eq!(error.to_string(), "chrF2 looks at text, but ids are given");
    /// ```
    ///
    /// # Errors
    /// Returns the [`ConfigError`] of a metric. Returns an error for a metric over data other than tokens,
    /// and for a metric whose options choose a tokenizer, case or normalizer.
    pub fn for_ids(
        registry: &Registry,
        metrics: impl IntoIterator<Item = impl AsRef<str>>,
        space: &TokenSpace,
    ) -> Result<Self, ConfigError> {
        let request = Request::new(registry, metrics, ChosenTokens::standard()?)?;
        request.specs.iter().try_for_each(require_no_text_choice)?;
        let panel = Panel::for_ids(request.metrics(registry)?, space)?.for_id_texts()?;
        Ok(Evaluation::new(request.specs, panel, id_tokenizer()?))
    }
}

fn require_no_text_choice(spec: &MetricSpec) -> Result<(), ConfigError> {
    let choices = [
        ("tokenize", spec.tokenizer.is_some()),
        ("lowercase", spec.lowercase.is_some()),
        ("norm", spec.normalizer.is_some()),
    ];
    match choices.into_iter().find(|(_, given)| *given) {
        Some((choice, _)) => {
            let message = format!("`{choice}` is given for {}, but ids are no text", spec.metric);
            Err(ConfigError::Conflict(message))
        }
        None => Ok(()),
    }
}

impl TextCorpus {
    /// Creates a corpus of token ids from the named outputs of each system and from lists of references. Each
    /// output and each list has the ids of every segment, as `u32`, `i32` or `i64`; buffers with padding are
    /// [`Rows`](crate::Rows).
    ///
    /// # Errors
    /// Returns [`LengthMismatch`](bleuprint_core::InputErrorKind::LengthMismatch) as [`TextCorpus::new`] does,
    /// and an error with the number of the segment for an id below 0 or above 4,294,967,295.
    pub fn from_ids<I: RowId, J: RowId>(
        outputs: impl IntoIterator<Item = (impl Into<String>, impl IntoIterator<Item = impl AsRef<[I]>>)>,
        references: impl IntoIterator<Item = impl IntoIterator<Item = impl AsRef<[J]>>>,
    ) -> Result<Self> {
        let outputs = outputs.into_iter().map(|(name, lists)| {
            let name = name.into();
            let texts = texts_of(lists, &name)?;
            Ok((name, texts))
        });
        let outputs = outputs.collect::<Result<Vec<_>>>()?;
        let references = (1..)
            .zip(references)
            .map(|(number, lists)| texts_of(lists, &format!("reference stream {number}")));
        TextCorpus::new(outputs, references.collect::<Result<Vec<_>>>()?)
    }
}

impl TextCorpus {
    /// Creates a corpus of tokens of any type, such as notes or labels, from the named outputs of each system
    /// and from lists of references. [`Evaluation::for_ids`] evaluates it.
    ///
    /// Tokens become the numbers of their first occurrence in this corpus. Metrics that store tokens would
    /// mistake the numbers of two corpora for each other, so they refuse such a corpus.
    ///
    /// ```
    /// use bleuprint_core::{Case, TokenSpace};
    /// use bleuprint_eval::evaluation::{Evaluation, TextCorpus};
    ///
    /// #[derive(PartialEq, Eq, Hash)]
    /// enum Note { Pitch(u8), Rest }
    /// use Note::{Pitch, Rest};
    ///
    /// let outputs = [("a", [[Pitch(60), Rest]]), ("b", [[Pitch(62), Rest]])];
    /// let notes = TextCorpus::from_tokens(outputs, [[[Pitch(60), Rest]]]).unwrap();
    /// let space = TokenSpace::new("notes", Case::Mixed).unwrap();
    /// let registry = bleuprint_metrics::registry();
    /// let run = Evaluation::for_ids(&registry, ["wer"], &space).unwrap().run(notes.clone()).unwrap();
    /// assert_eq!(run.scores().unwrap()[1][0].score.value, 0.5);
    /// let distinct = Evaluation::for_ids(&registry, ["distinct"], &space).unwrap();
    /// assert!(distinct.run(notes).err().unwrap().to_string().contains("stores tokens"));
    /// ```
    ///
    /// # Errors
    /// Returns [`LengthMismatch`](bleuprint_core::InputErrorKind::LengthMismatch) as [`TextCorpus::new`] does.
    pub fn from_tokens<T: Hash + Eq>(
        outputs: impl IntoIterator<Item = (impl Into<String>, impl IntoIterator<Item = impl AsRef<[T]>>)>,
        references: impl IntoIterator<Item = impl IntoIterator<Item = impl AsRef<[T]>>>,
    ) -> Result<Self> {
        // The tokens must stay alive while the map refers to them.
        let outputs: Vec<(String, Vec<_>)> =
            outputs.into_iter().map(|(name, lists)| (name.into(), lists.into_iter().collect())).collect();
        let references: Vec<Vec<_>> =
            references.into_iter().map(|lists| lists.into_iter().collect()).collect();
        let mut numbers = HashMap::new();
        let mut texts = Vec::with_capacity(outputs.len());
        for (name, lists) in &outputs {
            texts.push((name.clone(), numbered(lists, &mut numbers)));
        }
        let mut streams = Vec::with_capacity(references.len());
        for lists in &references {
            streams.push(numbered(lists, &mut numbers));
        }
        Ok(TextCorpus { numbered: true, ..TextCorpus::new(texts, streams)? })
    }

    /// Checks that no metric stores tokens if the tokens are numbers of this corpus alone.
    pub(super) fn check_numbered<'m>(&self, mut metrics: impl Iterator<Item = &'m AnyMetric>) -> Result<()> {
        match metrics.find(|metric| self.numbered && metric.identity().needs().tokens) {
            Some(metric) => Err(InputError::malformed(format!(
                "{} stores tokens, but the tokens of this corpus are numbers in this corpus alone: give ids of a \
                 vocabulary, by `TextCorpus::from_ids`",
                metric.identity().name()
            ))),
            None => Ok(()),
        }
    }
}

/// Returns the tokens of each segment as numbers, each the number of tokens that came before it in the corpus.
fn numbered<'l, T: Hash + Eq + 'l, L: AsRef<[T]>>(
    lists: &'l [L],
    numbers: &mut HashMap<&'l T, usize>,
) -> Vec<String> {
    let mut number = |token: &'l T| {
        let next = numbers.len();
        numbers.entry(token).or_insert(next).to_string()
    };
    lists.iter().map(|list| list.as_ref().iter().map(&mut number).collect::<Vec<_>>().join(" ")).collect()
}

/// Returns the ids of each segment as decimal numbers. `of` names the system or the references in errors.
fn texts_of<I: RowId>(lists: impl IntoIterator<Item = impl AsRef<[I]>>, of: &str) -> Result<Vec<String>> {
    let mut buffer = Vec::new();
    let text = |(number, list): (u64, _)| {
        buffer.clear();
        let list: &[I] = AsRef::as_ref(&list);
        let ids = I::ids(list, &mut buffer).map_err(|id| {
            let limit = format!("from 0 to {}", u32::MAX);
            InputError::limit(format!("an id of {of}"), id, limit).at(Location::segment(number))
        })?;
        Ok(ids.iter().map(u32::to_string).collect::<Vec<_>>().join(" "))
    };
    (1..).zip(lists).map(text).collect()
}
