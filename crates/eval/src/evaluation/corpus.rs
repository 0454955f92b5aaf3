//! [`TextCorpus`]: segments of several systems in memory, with hypotheses, references, sources and labels.
//! [`RunTexts`]: the texts and tokenizers of an evaluation.

use bleuprint_core::{InputError, Location, Result};
use bleuprint_inference::{map_with, require_equal, threads};
use bleuprint_text::read::EmptyReferences;
use bleuprint_text::whitespace::strip;
use bleuprint_text::{TokenBuffer, Tokenizer as _};

use super::data::OwnData;
use super::facts::RunFacts;
use super::labels::{LENGTH, RunLabels};
use super::numbers::NumberColumn;
use super::vectors::CorpusVectors;
use crate::store::Fingerprint;
use crate::{Encoder, NgramMatches, NgramTable, SharedTokenizer, SystemsSegment};

/// Fingerprint (hash) of a segment's references, and of its source text if the source is known.
pub(super) type Fingerprints = (Fingerprint, Option<Fingerprint>);

/// One segment of a corpus, with one hypothesis of every system.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct TextSegment {
    /// Hypotheses for this segment: one text for each system, in the order of the systems.
    pub hypotheses: Vec<String>,
    /// Reference texts of this segment; the list may be empty.
    pub references: Vec<String>,
    /// Source text of this segment, such as the text to translate, if known.
    pub source: Option<String>,
}

/// Evaluation data of several systems on the same segments: their texts, numbers that other programs computed
/// from the texts, or both.
#[derive(Debug, Clone, Default, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct TextCorpus {
    /// Names of the compared systems.
    pub systems: Vec<String>,
    /// Segments of the corpus, in order.
    pub segments: Vec<TextSegment>,
    /// Labels of the segments, such as a domain, by which results can be grouped.
    pub labels: RunLabels,
    /// Texts to show beside numbers, one entry for each segment; no metric reads them. The list is empty if
    /// there are none, or if the metrics read the texts of `segments`.
    pub shown: Vec<TextSegment>,
    /// Numbers that other programs computed for each segment, one column for each metric.
    pub numbers: Vec<NumberColumn>,
    /// Embedding vectors of the texts, which the user computed with a model.
    pub vectors: Option<CorpusVectors>,
    /// Data of the segments in structured types, for metrics that do not take plain text.
    pub own: Vec<OwnData>,
    /// Identifier of each segment. Files of statistics identify a segment by it, or by its references if this
    /// list is empty.
    pub ids: Vec<String>,
    /// Weight of each segment: the number of times that it counts in scores. A segment with the weight 0 is left
    /// out. If the list is empty, each segment counts once.
    pub weights: Vec<u64>,
    /// Facts about the segments: the unit of resampling, the names of the labels that identify a segment, and
    /// the data that the readers left out or added.
    pub facts: RunFacts,
    /// `true` if the systems' outputs were split again to align with the reference segments; metric
    /// signatures then say `seg:clean`.
    pub resegmented: bool,
    /// `true` if the texts are numbers of tokens that mean nothing in another corpus, as
    /// [`TextCorpus::from_tokens`] makes them.
    pub numbered: bool,
    /// Treatment of an empty reference text if its segment has other references too: reject, drop or keep it.
    pub empty_references: EmptyReferences,
}

impl TextCorpus {
    /// Creates a corpus from the named outputs of each system and from lists of references. Each output and
    /// each list has one text for every segment.
    ///
    /// # Errors
    /// Returns [`LengthMismatch`](bleuprint_core::InputErrorKind::LengthMismatch) if an output or a list of
    /// references does not have the number of texts of the first output.
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
        Ok(TextCorpus { systems, segments, labels: RunLabels::none(length), ..TextCorpus::default() })
    }

    /// Creates a corpus of `segments` segments without texts. You fill it by [`TextCorpus::add_column`],
    /// [`TextCorpus::set_vectors`] and [`TextCorpus::add_own`].
    ///
    /// ```
    /// use bleuprint_eval::{ChosenTokens, evaluation::{Evaluation, NumberColumn, SystemNumbers, TextCorpus}};
    /// use bleuprint_inference::Precision;
    ///
    /// let mut corpus = TextCorpus::of_numbers(["a", "b"], 3);
    /// let numbers = [[Some(0.5), Some(0.75), None], [Some(0.25), Some(0.5), Some(1.0)]].map(SystemNumbers::new);
    /// corpus.add_column(NumberColumn { name: "comet".to_owned(), systems: numbers.into(), outside: Vec::new() }).unwrap();
    /// let metrics = ["given:name=comet,missing=skip"];
    /// let evaluation = Evaluation::from_parts(&bleuprint_metrics::registry(), metrics, &ChosenTokens::standard().unwrap());
    /// let run = evaluation.unwrap().run(corpus).unwrap();
    /// assert_eq!(run.scores().unwrap()[0][0].score.value, 0.625);
    /// // In comparisons a segment counts for all systems or for none.
    /// let (common, _) = run.significance(0, Precision::Exact).unwrap();
    /// assert_eq!(common, [0, 1]);
    /// ```
    pub fn of_numbers(systems: impl IntoIterator<Item = impl Into<String>>, segments: usize) -> Self {
        TextCorpus {
            systems: systems.into_iter().map(Into::into).collect(),
            segments: vec![TextSegment::default(); segments],
            labels: RunLabels::none(segments),
            ..TextCorpus::default()
        }
    }

    /// Sets the embedding vectors of the references and of all systems' texts, in the order of the systems.
    ///
    /// # Errors
    /// Returns an error if the vectors have another number of systems or segments than the corpus.
    ///
    /// ```
    /// use bleuprint_eval::{ChosenTokens, evaluation::{CorpusVectors, Evaluation, TextCorpus}};
    /// use bleuprint_text::read::{Floats, VectorParts, VectorTable};
    ///
    /// let table = |name, numbers| VectorTable::new(name, Floats::from_numbers(numbers), 2, VectorParts::default()).unwrap();
    /// let system = table("a.npy", vec![3.0, 4.0, 0.0, 1.0]);
    /// let vectors = CorpusVectors::new(vec![system], table("references.npy", vec![4.0, 3.0, 0.0, 2.0])).unwrap();
    /// let mut corpus = TextCorpus::of_numbers(["a"], 2);
    /// corpus.set_vectors(vectors).unwrap();
    /// let registry = bleuprint_registry::Registry::from_entries(bleuprint_vectors::ENTRIES).unwrap();
    /// let metrics = ["cosine:producer=mine"];
    /// let evaluation = Evaluation::from_parts(&registry, metrics, &ChosenTokens::standard().unwrap());
    /// let run = evaluation.unwrap().run(corpus).unwrap();
    /// assert_eq!(run.scores().unwrap()[0][0].score.value, 0.98);
    /// ```
    pub fn set_vectors(&mut self, vectors: CorpusVectors) -> Result<()> {
        let tables = vectors.systems.len();
        let segments = vectors.references.segments();
        require_equal("the systems", self.systems.len(), "the files of vectors", tables)?;
        require_equal("the corpus", self.segments.len(), vectors.references.name(), segments)?;
        self.vectors = Some(vectors);
        Ok(())
    }

    /// Adds a column of numbers that another program computed: one list for each system, in order, with one
    /// number for each segment.
    ///
    /// # Errors
    /// Returns an error if the column's name is taken, if the number of lists is not the number of systems,
    /// or if a list does not have one number for each segment.
    pub fn add_column(&mut self, column: NumberColumn) -> Result<()> {
        let name = &column.name;
        if self.numbers.iter().any(|known| known.name == *name) {
            return Err(InputError::malformed(format!("the column `{name}` of numbers is given twice")));
        }
        let lists = column.systems.len();
        require_equal("the systems", self.systems.len(), &format!("the lists of `{name}`"), lists)?;
        for (numbers, system) in column.systems.iter().zip(&self.systems) {
            let what = format!("`{name}` of {system}");
            require_equal(&what, numbers.values.len(), "the corpus", self.segments.len())?;
        }
        if !column.outside.is_empty() {
            let what = format!("the segments outside of `{name}`");
            require_equal(&what, column.outside.len(), "the corpus", self.segments.len())?;
        }
        self.numbers.push(column);
        Ok(())
    }

    /// Sets the identifier of every segment.
    ///
    /// # Errors
    /// Returns an error if an id is repeated, or if the number of ids is not the number of segments.
    pub fn set_ids(&mut self, ids: impl IntoIterator<Item = impl Into<String>>) -> Result<()> {
        let ids: Vec<String> = ids.into_iter().map(Into::into).collect();
        require_equal("the ids", ids.len(), "the corpus", self.segments.len())?;
        let mut seen = std::collections::HashSet::new();
        if let Some(twice) = ids.iter().find(|id| !seen.insert(id.as_str())) {
            return Err(InputError::malformed(format!("the id `{twice}` is given twice")));
        }
        self.ids = ids;
        Ok(())
    }

    /// Sets the weight of every segment: a segment of weight 3 counts in scores and groups as three equal
    /// segments. A resample draws such a segment as one, with its weight. Metric signatures then say
    /// `weights:integer`. A metric that first learns from the data learns from each segment once, whatever
    /// its weight.
    ///
    /// ```
    /// use bleuprint_eval::{ChosenTokens, evaluation::{Evaluation, TextCorpus}};
    ///
    /// let mut corpus = TextCorpus::new([("a", ["x", "y"])], [["x", "z"]]).unwrap();
    /// corpus.set_weights([3, 1]).unwrap();
    /// let tokens = ChosenTokens::standard().unwrap();
    /// let run = Evaluation::from_parts(&bleuprint_metrics::registry(), ["exact_match"], &tokens).unwrap().run(corpus).unwrap();
    /// let scored = &run.scores().unwrap()[0][0];
    /// assert_eq!((scored.value(), scored.signature.get("weights")), (75.0, Some("integer")));
    /// ```
    ///
    /// # Errors
    /// Returns an error for a weight of 0, with the segment's number (leave the segment out instead), and if
    /// the number of weights is not the number of segments.
    pub fn set_weights(&mut self, weights: impl IntoIterator<Item = u64>) -> Result<()> {
        let weights: Vec<u64> = weights.into_iter().collect();
        check_weights(&weights, self.segments.len())?;
        self.weights = weights;
        Ok(())
    }

    /// Checks that there is one weight for each segment, or no weight, and that not all are 0. The field is public, so a
    /// caller may have set it without checks.
    pub(super) fn check_weights(&self) -> Result<()> {
        if self.weights.is_empty() { Ok(()) } else { check_weights(&self.weights, self.segments.len()) }
    }

    pub(super) fn has_texts(&self) -> bool {
        self.segments.iter().any(|segment| !segment.hypotheses.is_empty())
    }

    /// Rejects, drops or keeps empty reference texts of segments with several references, as
    /// `empty_references` requires. [`Evaluation::run`](super::Evaluation::run) calls this method first.
    ///
    /// # Errors
    /// Returns an error if an empty reference is rejected, with the numbers of the reference and of the
    /// segment.
    pub fn settle_references(&mut self) -> Result<()> {
        for (number, segment) in (1..).zip(&mut self.segments) {
            let settled =
                self.empty_references.settle(&mut segment.references, |text| Some(strip(text).is_empty()));
            settled.map_err(|error| error.at(Location::segment(number)))?;
        }
        Ok(())
    }

    /// Adds a label of segments, such as a domain, with one value for each segment; an empty string means no
    /// value.
    ///
    /// # Errors
    /// Returns an error if the label's name is taken, or if the number of values is not the number of
    /// segments.
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

    /// Adds the label [`LENGTH`] to every segment: the number of tokens of its first reference. A corpus that
    /// already has this label is unchanged.
    ///
    /// # Errors
    /// Returns the errors of the tokenizer.
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

    /// Returns two fingerprints (hashes) of each segment: one of its id, or of its references if there are no
    /// ids, and one of its source text.
    pub(super) fn fingerprints(&self) -> Vec<Fingerprints> {
        // An id replaces the references: two files with the same ids are compared even if their references
        // differ.
        let of = |(place, one): (usize, &TextSegment)| {
            let references = match self.ids.get(place) {
                Some(id) => Fingerprint::from_texts([id]),
                None => Fingerprint::from_texts(&one.references),
            };
            (references, one.source.as_ref().map(|source| Fingerprint::from_texts([source])))
        };
        self.segments.iter().enumerate().map(of).collect()
    }
}

/// Texts of all segments of an evaluation, and the tokenizers of its metrics.
#[derive(Clone)]
pub struct RunTexts {
    /// Segments of the evaluation with their texts, in order.
    pub segments: Vec<TextSegment>,
    /// `true` if no metric reads the texts, such as the answers beside the numbers of a log.
    pub shown_only: bool,
    /// Tokenizer that the user chose for all metrics that do not fix a tokenizer.
    pub tokenizer: SharedTokenizer,
    /// Encoder (normalizer, case and tokenizer) of each metric; `None` if the metric does not look at tokens
    /// of texts.
    pub(super) encoders: Vec<Option<Encoder<SharedTokenizer>>>,
}

impl RunTexts {
    /// Returns the encoder (normalizer, case and tokenizer) of the metric with this index. Returns `None` if
    /// the metric reads whole texts, texts with markup such as dialogue turns, or no text.
    pub fn encoder(&self, metric: usize) -> Option<&Encoder<SharedTokenizer>> {
        self.encoders.get(metric)?.as_ref()
    }

    /// Tokenizes each segment's hypotheses and references and passes the token lists to `show`, after
    /// `written` has formatted each token.
    ///
    /// # Errors
    /// Returns the errors of the tokenizer.
    pub fn tokenized(
        &self,
        written: impl Fn(&str) -> String,
        show: impl FnMut(&[&[&str]], &[&[&str]]),
    ) -> Result<()> {
        self.tokenize_segments(&self.segments, written, show)
    }

    /// Counts the matches of every n-gram of the references for each system, in all threads, after `written` has
    /// formatted each token.
    ///
    /// # Errors
    /// Returns the errors of the tokenizer.
    pub fn ngrams(&self, written: impl Fn(&str) -> String + Sync, systems: usize) -> Result<NgramTable> {
        let parts: Vec<&[TextSegment]> =
            self.segments.chunks(self.segments.len().div_ceil(threads()).max(1)).collect();
        let of_part = |(): &mut (), part: usize| {
            let mut matches = NgramMatches::new(systems);
            let add = |hypotheses: &[&[&str]], references: &[&[&str]]| matches.add(hypotheses, references);
            self.tokenize_segments(parts[part], &written, add).map(|()| matches)
        };
        let mut all = NgramMatches::new(systems);
        for (part, matches) in map_with(parts.len(), || (), of_part).into_iter().enumerate() {
            if part == 0 { all = matches? } else { all.merge(matches?) }
        }
        Ok(all.finish())
    }

    fn tokenize_segments(
        &self,
        segments: &[TextSegment],
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
        for segment in segments {
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

/// Checks that there is one weight for each segment, and that one of them is not 0.
fn check_weights(weights: &[u64], segments: usize) -> Result<()> {
    require_equal("the list of weights", weights.len(), "the corpus", segments)?;
    if weights.iter().all(|weight| *weight == 0) {
        return Err(InputError::malformed("all weights are 0, so that no segment counts"));
    }
    Ok(())
}

/// Rejects two systems with the same name. Names that differ only in whitespace at an end count as the same
/// name.
pub(super) fn require_distinct(systems: &[impl AsRef<str>]) -> Result<()> {
    // Such names would look the same in every table of results.
    let mut seen = std::collections::HashMap::new();
    for name in systems.iter().map(AsRef::as_ref) {
        if let Some(before) = seen.insert(strip(name), name) {
            let message = if before == name {
                format!("{name} is given as a system twice")
            } else {
                format!("the systems `{before}` and `{name}` differ only in whitespace at an end")
            };
            return Err(InputError::malformed(message));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ChosenTokens;
    use crate::evaluation::Evaluation;

    #[test]
    fn empty_references_are_what_they_are_said_to_be() {
        let score = |empty_references| {
            let output = [("a", ["a b c d", "e f g h"])];
            let corpus = TextCorpus::new(output, [["a b c d e f g h", "e f g h"], [" ", "e f g h"]]).unwrap();
            let tokens = ChosenTokens::standard().unwrap();
            let evaluation =
                Evaluation::from_parts(&bleuprint_metrics::registry(), ["bleu"], &tokens).unwrap();
            let run = evaluation.run(TextCorpus { empty_references, ..corpus });
            run.map(|run| run.scores().unwrap()[0][0].score.value)
        };
        let refused = score(EmptyReferences::default()).unwrap_err().to_string();
        assert!(refused.starts_with("segment 1: reference 2 is an empty reference"), "{refused}");
        assert!((score(EmptyReferences::Missing).unwrap() - 100.0 * bleuprint_math::exp(-0.5)).abs() < 1e-9);
        assert!((score(EmptyReferences::Keep).unwrap() - 100.0).abs() < 1e-9);
    }

    #[test]
    fn a_segment_with_the_weight_0_is_left_out() {
        let run = |texts: [&str; 3], weights: &[u64]| {
            let mut corpus = TextCorpus::new([("a", texts)], [["x", "y", "z"]]).unwrap();
            corpus.add_label("part", ["1", "2", "3"]).unwrap();
            corpus.set_weights(weights.iter().copied()).unwrap();
            let tokens = ChosenTokens::standard().unwrap();
            let registry = bleuprint_metrics::registry();
            Evaluation::from_parts(&registry, ["exact_match", "wer"], &tokens).unwrap().run(corpus).unwrap()
        };
        let run = run(["x", "b", "c"], &[2, 0, 1]);
        assert_eq!(run.len(), 2);
        assert!((run.scores().unwrap()[0][0].value() - 200.0 / 3.0).abs() < 1e-9);
        assert_eq!(run.labels.values_of("part").unwrap(), ["1", "3"]);
        assert_eq!(run.texts.as_ref().unwrap().segments[1].references, ["z"]);
    }

    #[test]
    fn weights_are_checked_when_they_are_set_and_when_they_are_used() {
        let refused = |weights: Vec<u64>| {
            let corpus = TextCorpus::new([("a", ["x", "y"])], [["x", "z"]]).unwrap();
            let tokens = ChosenTokens::standard().unwrap();
            let evaluation =
                Evaluation::from_parts(&bleuprint_metrics::registry(), ["exact_match"], &tokens).unwrap();
            let set = corpus.clone().set_weights(weights.clone()).unwrap_err().to_string();
            let run = evaluation.run(TextCorpus { weights, ..corpus });
            assert_eq!(run.map(|_| ()).unwrap_err().to_string(), set);
            set
        };
        assert!(refused(vec![0, 0]).starts_with("all weights are 0"));
        assert!(refused(vec![3]).contains("the list of weights has 1 segment"), "{}", refused(vec![3]));
        assert!(refused(vec![3, 1, 1]).contains("the list of weights has 3 segments"));
    }

    #[test]
    fn systems_have_names_of_their_own() {
        let run = |other: &str| {
            let corpus = TextCorpus::new([("a", ["x"]), (other, ["y"])], [["x"]]).unwrap();
            let tokens = ChosenTokens::standard().unwrap();
            let evaluation =
                Evaluation::from_parts(&bleuprint_metrics::registry(), ["bleu"], &tokens).unwrap();
            evaluation.run(corpus).map(drop).map_err(|error| error.to_string())
        };
        assert_eq!(run("a b"), Ok(()));
        assert_eq!(run("a").unwrap_err(), "a is given as a system twice");
        let error = "the systems `a` and `a ` differ only in whitespace at an end";
        assert_eq!(run("a ").unwrap_err(), error);
    }
}
