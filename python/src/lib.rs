//! `bleuprint._native`: the native part of the Python package. The public part is in `python/bleuprint`.
//!
//! This crate is also a Rust library, with which plug-ins build their own Python extension module: see
//! [`plugin`] and `examples/plugins/python`.

mod calls;
mod errors;
mod metric;
mod plugin;
mod program;
mod python_metric;
mod registry;
mod run;
mod segments;
mod systems;
mod tables;
mod values;

pub use plugin::fill;
pub use pyo3;

/// Extension module `bleuprint._native`, the part of the Python package that is written in Rust.
#[pyo3::pymodule]
mod _native {
    #[pymodule_export]
    use crate::calls::assigned::assignments;
    #[pymodule_export]
    use crate::calls::bleu::{BleuFinisher, bleu_sentence, exp, ln};
    #[pymodule_export]
    use crate::calls::jiwer::{aligned, aligned_lines, error_rates, tokenized};
    #[pymodule_export]
    use crate::calls::plain::{observe_plain, reward_plain, score_plain, score_words};
    #[pymodule_export]
    use crate::calls::pools::{mbr, pairwise, rewards, self_scores};
    #[pymodule_export]
    use crate::errors::BleuprintWarning;
    #[pymodule_export]
    use crate::metric::catalogue::{
        PyTokenizer, cite, explain, list_metrics, list_normalizers, list_tokenizers,
    };
    #[pymodule_export]
    use crate::metric::engine::MetricEngine;
    #[pymodule_export]
    use crate::metric::laws::check_laws;
    #[pymodule_export]
    use crate::metric::mistakes::InputSigns;
    #[pymodule_export]
    use crate::metric::recipe::PyRecipe;
    #[pymodule_export]
    use crate::metric::score::{PyScore, restore_score};
    #[pymodule_export]
    use crate::metric::state::PyState;
    #[pymodule_export]
    use crate::program::program;
    #[pymodule_export]
    use crate::registry::{is_used, register};
    #[pymodule_export]
    use crate::segments::data::SequenceData;
    #[pymodule_export]
    use crate::segments::ids::{IdSequences, restore_ids};
    #[pymodule_export]
    use crate::segments::objects::Objects;
    #[pymodule_export]
    use crate::segments::own::OwnForm;
    #[pymodule_export]
    use crate::segments::read::held;
    #[pymodule_export]
    use crate::segments::sequences::ids;
    #[pymodule_export]
    use crate::segments::testset::PyTestSet;
    #[pymodule_export]
    use crate::systems::counted_run::{PyRun, join};
    #[pymodule_export]
    use crate::systems::evaluation::PyEvaluation;
    #[pymodule_export]
    use crate::systems::files::{normalize, read_files, read_logs};
    #[pymodule_export]
    use crate::systems::gate::{PyPolicy, PyVerdict, judge, schemas};
    #[pymodule_export]
    use crate::systems::given::given;
    #[pymodule_export]
    use crate::systems::ledger::PyLedger;
    #[pymodule_export]
    use crate::systems::meta::meta;
    #[pymodule_export]
    use crate::systems::show::{forest, frame, html_table};
    #[pymodule_export]
    use crate::systems::statistics::{PyStatistics, paired_interval, read_statistics, restore_statistics};
    #[pymodule_export]
    use crate::systems::unpaired::compare_unpaired;
    #[pymodule_export]
    use crate::systems::vectors::vectors;
    #[pymodule_export]
    use crate::tables::{
        BatchGroups, CountTable, GroupStates, Numbered, table_counts, table_decode, table_each, table_encode,
        table_merge, table_score, table_segments, table_state, table_statistics, table_subtract,
    };
}
