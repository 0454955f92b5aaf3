//! The options of SARI, each declared once.

use bleuprint_registry::Opt;

pub(super) const DIALECT: Opt<&str> = Opt::word("sari-dialect", &["hf", "easse"], "hf")
    .counted("dialect", "d")
    .unless_default()
    .help("Whose arithmetic: HF evaluate's mean of segments, or EASSE's sums over the corpus");

pub(super) const DELETION_PRECISION: Opt<bool> = Opt::flag("sari-deletion-precision")
    .finished("deletion", "deletion")
    .words("precision", "")
    .help("EASSE: score deletions by precision instead of F (use_f1_for_deletion=False)");

pub(super) const AVERAGE_FIRST: Opt<bool> = Opt::flag("sari-average-first")
    .finished("average", "average")
    .words("first", "")
    .help("EASSE: average precision and recall over orders before F (use_paper_version=True)");
