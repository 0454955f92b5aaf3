//! Evaluates texts with metrics: tokenizes them, computes mergeable statistics of segments in one thread or
//! in many, and scores systems.
//!
//! | You have | You want | See |
//! |---|---|---|
//! | a metric over tokens, and text | a metric over text | [`Tokenized`] |
//! | segments in memory | their merged statistics | [`observe_all`], [`observe_parallel`] |
//! | segments in memory | statistics of each segment | [`observe_systems`] |
//! | segments that do not fit in memory | their merged statistics, in all threads | [`stream_systems`] |
//! | a batch of a training step | a score for each item, in a `&mut [f32]` | [`Rewards`], over buffers of [`Rows`] |
//! | hypotheses and references of one source | the score of every pair | [`pairwise`] |
//! | candidates of one source | the candidate with the best expected score | [`mbr`] |
//! | samples, or the references of a segment | each scored against all others | [`leave_one_out()`] |
//! | names of metrics and tokenizers | metrics and tokenizers that are ready to use | [`Request`] |
//! | metrics chosen at run time, and texts of several systems | scores | [`Panel`] |
//! | the same | scores, groups, tests, files, comparisons | `evaluation` |
//!
//! Statistics are integers and merge exactly, so scores do not depend on the number of threads or on how a
//! corpus is split.
//! Intervals, tests and agreement with human ratings are in `bleuprint-inference`.

mod batches;
mod encoder;
#[cfg(feature = "store")]
pub mod evaluation;
mod fold;
mod matches;
mod memory;
mod mistakes;
mod panel;
mod pools;
mod request;
mod rewards;
#[cfg(feature = "store")]
pub mod store;
mod stream;
mod systems;
mod text_steps;
mod tokenized;

pub use bleuprint_text::read::option_file;
pub use encoder::{Emptied, Encoder, EncoderScratch, EncoderTexts, TokenLists};
pub use fold::observe_all;
#[cfg(feature = "parallel")]
pub use fold::observe_parallel;
pub use matches::{NgramMatches, NgramTable, NgramWin};
pub use mistakes::{
    LikelyMistake, LikelyMistakes, MistakeWording, normalizer_findings, unreached_order, zero_weights,
};
pub use panel::{ChosenTokens, Panel, PanelMetric, PanelScratch, PanelState, PanelStats, SharedTokenizer};
pub use pools::{leave_one_out, mbr, pairwise};
pub use request::{Metrics, Request, TokenRequest};
pub use rewards::{Groups, Rewards, RowId, Rows};
pub use stream::{SegmentBatch, stream_scores, stream_systems};
pub use systems::{SystemsSegment, observe_systems};
pub use tokenized::Tokenized;
