//! `bleuprint._native`: the native part of the Python package. The public part is in `python/bleuprint`.
//!
//! This crate is also a Rust library, with which plug-ins build their own Python extension module: see
//! [`plugin`] and `examples/plugins/python`.

#[path = "values/arrow.rs"]
mod arrow;
#[path = "calls/assigned.rs"]
mod assigned;
#[path = "calls/bleu.rs"]
mod bleu;
#[path = "values/buffer.rs"]
mod buffer;
#[path = "metric/catalogue.rs"]
mod catalogue;
#[path = "values/cells.rs"]
mod cells;
#[path = "values/count.rs"]
mod count;
#[path = "segments/data.rs"]
mod data;
#[path = "metric/engine.rs"]
mod engine;
mod errors;
#[path = "systems/evaluation.rs"]
mod evaluation;
#[path = "systems/files.rs"]
mod files;
#[path = "systems/gate.rs"]
mod gate;
#[path = "systems/given.rs"]
mod given;
#[path = "segments/ids.rs"]
mod ids;
#[path = "calls/jiwer.rs"]
mod jiwer;
#[path = "values/json.rs"]
mod json;
#[path = "metric/laws.rs"]
mod laws;
#[path = "systems/ledger.rs"]
mod ledger;
#[path = "segments/lists.rs"]
mod lists;
#[path = "systems/meta.rs"]
mod meta;
#[path = "metric/mistakes.rs"]
mod mistakes;
#[path = "segments/objects.rs"]
mod objects;
#[path = "metric/observe.rs"]
mod observe;
#[path = "segments/own.rs"]
mod own;
#[path = "values/place.rs"]
mod place;
#[path = "calls/plain.rs"]
mod plain;
mod plugin;
#[path = "calls/pools.rs"]
mod pools;
mod program;
mod python_metric;
#[path = "segments/read.rs"]
mod read;
#[path = "metric/recipe.rs"]
mod recipe;
#[path = "segments/references.rs"]
mod references;
mod registry;
mod run;
#[path = "metric/score.rs"]
mod score;
#[path = "segments/sequences.rs"]
mod sequences;
#[path = "systems/show.rs"]
mod show;
#[path = "metric/source.rs"]
mod source;
#[path = "metric/state.rs"]
mod state;
#[path = "systems/statistics.rs"]
mod statistics;
#[path = "systems/counted_run.rs"]
mod systems;
mod tables;
#[path = "systems/testing.rs"]
mod testing;
#[path = "segments/testset.rs"]
mod testset;
#[path = "systems/unpaired.rs"]
mod unpaired;
#[path = "systems/vectors.rs"]
mod vectors;

pub use plugin::fill;
pub use pyo3;

/// Extension module `bleuprint._native`, the part of the Python package that is written in Rust.
#[pyo3::pymodule]
mod _native {
    #[pymodule_export]
    use crate::assigned::assignments;
    #[pymodule_export]
    use crate::bleu::{BleuFinisher, bleu_sentence, exp, ln};
    #[pymodule_export]
    use crate::catalogue::{PyTokenizer, cite, explain, list_metrics, list_normalizers, list_tokenizers};
    #[pymodule_export]
    use crate::data::SequenceData;
    #[pymodule_export]
    use crate::engine::MetricEngine;
    #[pymodule_export]
    use crate::errors::BleuprintWarning;
    #[pymodule_export]
    use crate::evaluation::PyEvaluation;
    #[pymodule_export]
    use crate::files::{counted, normalize, readers};
    #[pymodule_export]
    use crate::gate::{PyPolicy, PyVerdict, judge, schemas};
    #[pymodule_export]
    use crate::given::given;
    #[pymodule_export]
    use crate::ids::{IdSequences, restore_ids};
    #[pymodule_export]
    use crate::jiwer::{aligned, aligned_lines, error_rates, tokenized};
    #[pymodule_export]
    use crate::laws::check_laws;
    #[pymodule_export]
    use crate::ledger::PyLedger;
    #[pymodule_export]
    use crate::meta::meta;
    #[pymodule_export]
    use crate::mistakes::InputSigns;
    #[pymodule_export]
    use crate::objects::Objects;
    #[pymodule_export]
    use crate::own::OwnForm;
    #[pymodule_export]
    use crate::plain::{observe_plain, reward_plain, score_plain, score_words};
    #[pymodule_export]
    use crate::pools::{mbr, pairwise, rewards, self_scores};
    #[pymodule_export]
    use crate::program::program;
    #[pymodule_export]
    use crate::read::held;
    #[pymodule_export]
    use crate::recipe::PyRecipe;
    #[pymodule_export]
    use crate::registry::{is_used, register};
    #[pymodule_export]
    use crate::score::{PyScore, restore_score};
    #[pymodule_export]
    use crate::sequences::ids;
    #[pymodule_export]
    use crate::show::{forest, frame, html_table};
    #[pymodule_export]
    use crate::state::PyState;
    #[pymodule_export]
    use crate::statistics::{PyStatistics, paired_interval, read_statistics, restore_statistics};
    #[pymodule_export]
    use crate::systems::{PyRun, join};
    #[pymodule_export]
    use crate::tables::{
        BatchGroups, CountTable, GroupStates, Numbered, table_counts, table_decode, table_each, table_encode,
        table_merge, table_score, table_segments, table_state, table_statistics, table_subtract,
    };
    #[pymodule_export]
    use crate::testset::PyTestSet;
    #[pymodule_export]
    use crate::unpaired::compare_unpaired;
    #[pymodule_export]
    use crate::vectors::vectors;
}
