//! bleuprint: exact, mergeable metrics for generated text over any hashable token.
//!
//! Depend on this package; it re-exports the other packages of the workspace under one name.
//!
//! ```toml
//! [dependencies]
//! bleuprint = "0.1"
//! ```
//!
//! Score token ids:
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
//! Score text with a metric that you choose by name:
//!
//! ```
//! use bleuprint::{Accumulator, metric};
//!
//! let chrf = metric("chrf:word-order=2").unwrap();
//! let mut all = Accumulator::<_, str>::new(&chrf);
//! all.push("The dog bit the man.", &["The dog bit the man."]).unwrap();
//! assert_eq!(all.score().unwrap().value(), 100.0);
//! ```
//!
//! Write a metric of your own, which merges and has intervals and tests:
//!
//! ```
//! use bleuprint::contract::*;
//!
//! let error = Identity::new("mse", 1, Scale::lower_is_better(0.0, f64::INFINITY));
//! let mse = PerSegment::new(error, |segment: Segment<'_, f64>| {
//!     Ok((segment.hypothesis - segment.one_reference("mse")?).powi(2))
//! });
//! let mut all = Accumulator::<_, f64>::new(mse);
//! all.push(&2.0, &[&2.5]).unwrap();
//! assert_eq!(all.score().unwrap().value(), 0.25);
//! ```
//!
//! | feature | default | adds |
//! |---|---|---|
//! | `parallel` | yes | scoring on all cores |
//! | `files`, `report`, `store`, `gate` | yes | files of segments, reports, files of statistics with evaluations, verdicts on new output |
//! | `laws` | no | tests of your own metrics |
//! | `families` | no | metrics of speech, labels, samples, likelihoods, captions and more; each has its own feature too |
//! | `arrow`, `zst` | no | tables of Arrow, compressed files |
//! | `hf`, `jieba`, `ptb` | no | tokenizers |
//! | `code` | no | CodeBLEU, whose grammars are C |
//!
//! A *segment* is an example: a *hypothesis* (the prediction), its *references* (the targets) and perhaps its
//! *source* (the input). Three words sound alike:
//!
//! | word | here |
//! |---|---|
//! | [`Stats`] | the counts that a metric collects |
//! | [`State`] | these counts, with a key that names the metric and the numbers of segments and references |
//! | `Statistics` of Python, a file of statistics (`eval::store`) | the state of each segment |
//!
//! | field words | here |
//! |---|---|
//! | example, sample, item | segment |
//! | prediction, output, candidate | hypothesis |
//! | target, label, gold, ground truth | reference |
//! | input, prompt | source |
//! | run, model, checkpoint | system |
//!
//! | module | from | to |
//! |---|---|---|
//! | [`metric`] | a name with options | a metric over text |
//! | [`contract`] | counts of segments | statistics and scores; its most used names are at the root: [`Accumulator`], [`Tagged`], [`Registry`] |
//! | [`metrics`] | tokens or text | a score: [`Bleu`], [`Chrf`], [`Ter`], [`EditRate`], [`Rouge`](metrics::Rouge), and more |
//! | [`families`](mod@families) | | the families of metrics of this build, each behind a feature |
//! | [`text`] | bytes | segments or tokens |
//! | [`eval`] | segments | merged statistics, in threads: [`Tokenized`], [`Panel`] |
//! | [`inference`] | counts of segments | intervals, tests, power, agreement with human judgements |
//! | [`explain`] | a corpus and a score | the settings that produce the score |
//! | [`cite`] | a metric | its papers for a bibliography |
//! | [`recipe`] | a signature | the metric that prints it |
//! | [`resegment`] | a text cut differently from its references | the text cut like its references |
//! | [`report`] | scores | lines or JSON |
//! | `gate` | new output, a stored baseline and a policy | a verdict |
//! | [`stem`] | a word | its stem |
//! | [`ngram`] | token sequences | clipped n-gram counts |
//!
//! The chapters of [`guide`] explain your own metrics, scores during training, evaluations of several systems,
//! speech, and data beyond one machine.

mod cite;
pub mod contract;
pub mod explain;
pub mod families;
#[cfg(doc)]
pub mod guide;
mod named;
mod one_call;
#[cfg(all(feature = "report", feature = "store"))]
pub mod page;
pub mod recipe;
pub mod resegment;
mod text_scorer;

pub use cite::{CiteForm, cite};
pub use families::{families, registry};
pub use named::{metric, metric_in};
pub use one_call::{corpus_bleu, sentence_bleu};

pub use bleuprint_core::{
    Accumulator, Case, ConfigError, Identity, InputError, InputErrorKind, Location, Metric, Observe,
    PlainScore, Result, Scale, Score, Scored, Segment, SegmentCounts, Signature, State, Stats, Tagged,
    TokenSpace, columns,
};
pub use bleuprint_eval as eval;
pub use bleuprint_eval::{Panel, Tokenized};
#[cfg(feature = "gate")]
pub use bleuprint_gate as gate;
pub use bleuprint_inference as inference;
pub use bleuprint_metrics as metrics;
pub use bleuprint_metrics::{Bleu, Chrf, EditRate, ExactMatch, Ter};
pub use bleuprint_ngram as ngram;
pub use bleuprint_registry::{AnyMetric, AnyScore, MetricEntry, Registry};
pub use bleuprint_report as report;
pub use bleuprint_stem as stem;
pub use bleuprint_text as text;
pub use bleuprint_text::{Tokenizer, TokenizerOptions, Tokenizers, tokenizer};

/// Compiles and runs the examples of the README with the tests of this crate.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
