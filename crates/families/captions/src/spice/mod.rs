//! SPICE: the F-score of the objects, attributes and relations that a caption shares with its references.
//!
//! ```text
//! tuples of a side: (object)   (object, attribute)   (subject, relation, object)
//! matched = tuples of the hypothesis that match some tuple of the references of the same size
//! P = matched / |hypothesis|       R = matched / |references|       F = 2 · (P · R) / (P + R)
//! SPICE = mean over segments of F
//! ```
//!
//! The input is scene graphs, as tuples such as (girl, young), which another program must parse from the
//! captions. A token of [`Spice`] is one tuple: its texts with U+001F between them. The tokenizer `tuples`
//! makes such tokens from JSON and from the text output of the parser FACTUAL.
//!
//! Each side becomes one graph; all references together are one side. An object of a tuple is merged into a
//! node of the graph: the node with equal words and synsets, else the most similar node. If no node is
//! similar, the object becomes a new node. A merged node has the words and synsets of all its objects. The
//! similarity of two names is 1 if they share a word, else the number of common synsets divided by the number
//! of different synsets of both.
//!
//! An attribute is merged with the first attribute of the same node that shares a word or a synset with it.
//! Relations between the same two nodes are merged likewise. A leading `be` of a relation is dropped.
//!
//! Two names match if they have a word or a synset in common ([`TupleSimilarity::Similar`]). With
//! [`TupleSimilarity::Equal`], only equal names match, and nothing is merged.
//!
//! Synsets come from WordNet's files ([`WordNet`](bleuprint_metrics::WordNet)), from a table of ids
//! ([`SynsetTable`]), or from any implementation of [`Synsets`]. Without a source only equal texts match.
//!
//! | singular case | result |
//! |---|---|
//! | no tuple in the hypothesis, or none in the references | 0 |
//! | several tuples of the hypothesis match the same reference tuple | each counts, so R and F can be above 1; with the option `capped` matches count up to the number of reference tuples |
//! | an empty text, as in `[[""]]` | treated like other texts |
//! | no tuple of a size in the references | the segment is left out of that size's mean; 0 without any segment |
//! | no reference | error |
//!
//! Range 0 to 1, or below 2 in that singular case; higher is better. The order of references can matter,
//! because the first of equally similar nodes is taken. Source: Anderson et al. 2016, SPICE: Semantic
//! Propositional Image Caption Evaluation. Counts and numbers of segments match SPICE 1.0 of pycocoevalcap
//! 1.2 over the same tuples and synsets. The mean over segments is rounded only once here, unlike in the
//! original program. A tuple is compared only with tuples that share a word or a synset with it, so that time
//! is mostly linear.
//!
//! ```
//! use std::sync::Arc;
//! use bleuprint_core::Accumulator;
//! use bleuprint_captions::spice::{Spice, SynsetTable};
//!
//! let table = SynsetTable::new([("girl", vec![10]), ("lady", vec![10]), ("court", vec![20])]);
//! let mut spice = Accumulator::<_, [&str]>::new(Spice::default().with_synsets(Arc::new(table)));
//! spice.push(&["girl", "girl\u{1F}young"], &[&["lady", "lady\u{1F}on\u{1F}court"]]).unwrap();
//! // The girl is found among lady, court and lady on court.
//! assert_eq!(spice.score().unwrap().score.score, 2.0 * (0.5 * (1.0 / 3.0)) / (0.5 + 1.0 / 3.0));
//! ```

mod entry;
mod graph;
mod options;
mod places;
mod stats;
mod synsets;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use bleuprint_core::{
    Identity, Metric, Observe, PlainScore, Result, ScorePart, Segment, SegmentCounts, Stats,
};

pub(crate) use entry::ENTRY;
use graph::Graph;
use options::SpiceSettings;
pub use options::TupleSimilarity;
use stats::SCALE;
pub use stats::SpiceStats;
pub use synsets::{SynsetTable, Synsets};

/// Metric SPICE, which compares the scene graphs of captions, with its source of synonyms; [the module](self)
/// has the definition.
#[derive(Clone, Default)]
pub struct Spice {
    synsets: Option<Arc<dyn Synsets>>,
    similarity: TupleSimilarity,
    capped: bool,
}

impl Spice {
    /// Sets the source of synonym sets (synsets) for words.
    pub fn with_synsets(self, synsets: Arc<dyn Synsets>) -> Self {
        Spice { synsets: Some(synsets), ..self }
    }

    /// Sets the rule that decides when two names in the scene graphs match.
    pub fn with_similarity(self, similarity: TupleSimilarity) -> Self {
        Spice { similarity, ..self }
    }

    pub(crate) fn capped(self) -> Self {
        Spice { capped: true, ..self }
    }

    fn graph<'t, T: AsRef<str> + 't>(&'t self, tokens: impl IntoIterator<Item = &'t T>) -> Graph<'t> {
        let merge = self.similarity == TupleSimilarity::Similar;
        let mut graph = Graph::new(self.synsets.as_deref(), merge);
        tokens.into_iter().for_each(|token| graph.add(token.as_ref()));
        graph
    }
}

impl Metric for Spice {
    type Stats = SpiceStats;
    type Score = PlainScore;
    type Scratch = ();

    fn identity(&self) -> Identity {
        let synonyms = self.synsets.as_deref().map_or("none", Synsets::name);
        let settings = SpiceSettings {
            synonyms: Some(synonyms.to_owned()),
            synsets: None,
            similarity: self.similarity,
            capped: self.capped,
        };
        settings
            .add_to_identity(Identity::new("spice", 1, SCALE))
            .wider_sums()
            .named("SPICE")
            .needing(|needs| needs.reference_order = true)
    }

    fn finalize(&self, stats: &SpiceStats, counts: &SegmentCounts) -> Result<PlainScore> {
        let [f, precision, recall] =
            [&stats.f, &stats.precision, &stats.recall].map(|sum| sum.mean(counts.segments.max(1)));
        let [objects, attributes, relations] =
            [&stats.objects, &stats.attributes, &stats.relations].map(|sum| sum.mean(sum.count().max(1)));
        Ok(PlainScore::new(f)
            .with(ScorePart::number("precision", precision, 4))
            .with(ScorePart::number("recall", recall, 4))
            .with(ScorePart::number("objects", objects, 4))
            .with(ScorePart::number("attributes", attributes, 4))
            .with(ScorePart::number("relations", relations, 4))
            .with_count("matched", stats.matched)
            .with_count("hypothesis", stats.hypothesis)
            .with_count("reference", stats.reference))
    }

    fn check(&self, stats: &SpiceStats, counts: &SegmentCounts) -> Result<()> {
        stats.check_against(counts)
    }
}

impl<T: AsRef<str>> Observe<[T]> for Spice {
    fn observe(&self, _: &mut (), stats: &mut SpiceStats, segment: Segment<'_, [T]>) -> Result<()> {
        let references = segment.references()?;
        let hypothesis = self.graph(segment.hypothesis);
        // The references merge into one graph in their order, which can decide between equally similar nodes.
        let reference = self.graph(references.iter().copied().flatten());
        let hypothesis = hypothesis.tuples();
        let reference = reference.tuples();
        let own = SpiceStats::of_segment(&hypothesis, &reference, self.similarity, self.capped)?;
        stats.merge(&own)
    }
}
