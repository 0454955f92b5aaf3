//! [`Evaluation`]: scores several systems on the same segments under several metrics, from texts or from
//! files of statistics.
//!
//! | You have | You want | See |
//! |---|---|---|
//! | metrics, and texts of several systems | statistics of every segment | [`Evaluation::run`] |
//! | numbers of other programs | the same | [`TextCorpus::of_numbers`], [`TextCorpus::add_column`] |
//! | token ids, and names of metrics | the same | [`TextCorpus::from_ids`], [`Evaluation::for_ids`] |
//! | vectors of a model | the same | [`TextCorpus::set_vectors`] |
//! | data in a metric's input form | the same | [`TextCorpus::add_own`] |
//! | files of statistics | the same | [`Run::read`] |
//! | a run | scores of systems, groups and segments | [`Run::scores`], [`Run::by`], [`Run::sentence_scores`] |
//! | | intervals and p-values | [`Run::confidence`], [`Run::significance`] |
//! | | comparison of every pair of systems | [`Run::compare`] |
//! | runs over different segments | comparison of every pair, unpaired | [`compare_unpaired`] |
//! | a run | its units, ids and left-out data | [`Run::facts`], [`Run::by_unit`] |
//! | a run | a file of statistics | [`Run::write`] |
//!
//! ```
//! use bleuprint_eval::{ChosenTokens, evaluation::{Evaluation, TextCorpus}};
//!
//! let tokens = ChosenTokens::standard().unwrap();
//! let evaluation = Evaluation::from_parts(&bleuprint_metrics::registry(), ["bleu", "chrf"], &tokens).unwrap();
//! let outputs = [("a", ["The dog bit the man.", "It was late."]), ("b", ["A dog bit a man.", "It was late."])];
//! let mut corpus = TextCorpus::new(outputs, [["The dog bit the man.", "It was late."]]).unwrap();
//! corpus.add_label("domain", ["news", "chat"]).unwrap();
//! let run = evaluation.run(corpus).unwrap();
//! assert_eq!(run.scores().unwrap()[0][1].score.value, 100.0);
//! let groups = run.by("domain").unwrap();
//! assert_eq!((groups[1].label.as_str(), groups[1].segments.len()), ("chat", 1));
//! assert_eq!(groups[1].scores[1][1].as_ref().unwrap().score.value, 100.0);
//! ```

mod align;
mod comparison;
mod corpus;
mod data;
mod facts;
mod ids;
mod labels;
mod numbers;
mod own;
mod parts;
mod refinished;
mod run;
mod stored;
mod tested;
mod units;
mod unpaired;
mod vectors;
mod weights;

pub use crate::request::Metrics;
pub use comparison::{CompareRequest, Comparison, Details, GroupDifference};
pub use corpus::{RunTexts, TextCorpus, TextSegment};
pub use data::{OwnData, SegmentPart, SystemData, read_own};
pub use facts::{DOCUMENT, ITEM, RunFacts, SEGMENT};
pub(crate) use facts::{ids_of, shown_id};
pub use labels::{LENGTH, RunLabels, grouped};
pub use numbers::{NumberColumn, SystemNumbers};
pub use refinished::{RefinishedMetric, StoredOptions};
pub use run::{Evaluation, GroupScores, Run};
pub use stored::{finisher, metrics_of};
pub use unpaired::{UnpairedRequest, UnpairedSide, compare_unpaired, shared_segments};
pub use vectors::CorpusVectors;
