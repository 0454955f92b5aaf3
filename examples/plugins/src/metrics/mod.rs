//! The metrics, one per file. Program and wheel take the same list.

mod auc;
mod calibration;
mod classes;
mod copy_rate;
mod entities;
mod judge;
mod log_prob;
mod mse;
pub mod ndcg;
mod pass_at_k;
mod perplexity;
mod rarity;
mod sketch;
mod timed_words;
mod unigram_f;

use bleuprint::MetricEntry;

pub static METRICS: &[MetricEntry] = &[
    auc::ENTRY,
    calibration::ENTRY,
    classes::ENTRY,
    copy_rate::ENTRY,
    entities::ENTRY,
    judge::ENTRY,
    log_prob::ENTRY,
    mse::ENTRY,
    ndcg::ENTRY,
    pass_at_k::ENTRY,
    perplexity::ENTRY,
    rarity::ENTRY,
    sketch::ENTRY,
    timed_words::ENTRY,
    unigram_f::ENTRY,
];
