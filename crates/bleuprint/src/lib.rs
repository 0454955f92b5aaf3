//! bleuprint: exact, mergeable metrics for generated text over any hashable token, and the best BLEU there is.
//!
//! This is the package to depend on; it gathers the others under one name.
//!
//! ```
//! use bleuprint::{Accumulator, Bleu};
//!
//! let mut bleu = Accumulator::<_, [u32]>::new(Bleu::default());
//! bleu.push(&[1, 2, 3, 4, 5], &[&[1, 2, 3, 4, 6], &[1, 2, 3, 4]]).unwrap();
//! let scored = bleu.score().unwrap();
//! assert_eq!(scored.score.score, 66.87403049764218);
//! assert!(scored.signature.to_string().starts_with("BLEU|nrefs:2|case:mixed|eff:no|tok:unspecified|smooth:exp|"));
//! ```
//!
//! | part | you have, and want |
//! |---|---|
//! | [`metric`] | a name with options, and a metric over text |
//! | the contract, here at the root | metrics, statistics, scores; [`Accumulator`], [`Tagged`], [`Registry`] |
//! | [`metrics`] | tokens or text, and a score: [`Bleu`], [`Chrf`], [`Ter`], [`Rouge`], [`Meteor`], [`EditRate`], and more |
//! | [`text`] | bytes, and segments or tokens |
//! | [`eval`] | segments, and merged statistics: [`Tokenized`], [`Corpus`], threads |
//! | [`inference`] | counts of segments, and intervals, tests, power, agreement with people |
//! | [`explain`] | a corpus and a number, and the settings that give it |
//! | [`cite`] | a metric, and its papers for a bibliography |
//! | [`recipe`] | a signature, and the metric that prints it |
//! | [`resegment`] | a text that is cut otherwise than its references, and the text cut as they are |
//! | [`report`] | scores, and lines or JSON |
//! | `gate` | new output, a stored baseline and a policy, and a verdict |
//! | [`stem`] | a word, and its stem |
//! | [`ngram`] | token sequences, and clipped n-gram counts |
//!
//! To write a metric of your own, read [`plugins`]; to score a model while it learns, [`training`]; on error
//! rates of speech, [`speech`]; on captions of images, [`captions`]; on data beyond one machine, [`scale`].

mod cite;
pub mod explain;
mod named;
mod one_call;
#[cfg(all(feature = "report", feature = "store"))]
mod page;
pub mod recipe;
pub mod resegment;
#[doc = include_str!("../docs/captions.md")]
pub mod captions {}
#[doc = include_str!("../docs/plugins.md")]
pub mod plugins {}
#[doc = include_str!("../docs/scale.md")]
pub mod scale {}
#[doc = include_str!("../docs/speech.md")]
pub mod speech {}
#[doc = include_str!("../docs/training.md")]
pub mod training {}

pub use cite::{CiteForm, cite};
pub use named::metric;
pub use one_call::{corpus_bleu, sentence_bleu};
#[cfg(all(feature = "report", feature = "store"))]
pub use page::{PageRequest, page_of};

pub use bleuprint_core::*;
pub use bleuprint_eval as eval;
pub use bleuprint_eval::{Corpus, Panel, Rewards, Tokenized};
#[cfg(feature = "gate")]
pub use bleuprint_gate as gate;
pub use bleuprint_inference as inference;
pub use bleuprint_metrics as metrics;
pub use bleuprint_metrics::{
    BertScore, Bleu, BleuBuilder, BleuScore, BleuStats, COCO, Chrf, ChrfBuilder, ChrfStats, Cider,
    CompoundWer, Cosine, CosineReferences, CpWer, Dialect, DialectBleu, DialectError, DialectScore, Distinct,
    DistinctStats, DocumentFrequencies, EditCounts, EditRate, ExactMatch, ExactMatchStats, FMeasure, FScore,
    Given, GivenBuilder, GivenStats, Gleu, GleuStats, Means, Meteor, Missing, Nist, NistStats, OrcCounts,
    OrcWer, OverReferences, PerOrder, PieceFrequencies, RefLen, RefLengths, Repetition, RepetitionStats,
    Rouge, RougeStats, Sari, SariStats, SentenceRouge, Smoothing, SpeakerCounts, Spice, SpiceStats, SquadEm,
    SquadF1, Summation, SynonymTable, Synonyms, SynsetTable, Synsets, Ter, TerScore, TerStats,
    TimeConstraint, WordNet, WordTiming, expand, mean_pool, registry,
};
pub use bleuprint_ngram as ngram;
pub use bleuprint_report as report;
pub use bleuprint_stem as stem;
pub use bleuprint_text as text;
pub use bleuprint_text::{
    Normalizer, NormalizerEntry, Normalizers, Tokenizer, TokenizerEntry, TokenizerOptions, Tokenizers,
    tokenizer,
};

/// The README's examples, compiled and run with the tests of this crate.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
