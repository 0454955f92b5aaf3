//! The options of NIST, each declared once.

use bleuprint_core::Choice;
use bleuprint_registry::Opt;

use crate::shared::ngrams::MAX_ORDER;

/// Whose arithmetic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Rules {
    /// mteval without its quirks.
    Standard,
    /// mteval-v13a and v14, quirks and all.
    Mteval,
    /// NLTK.
    Nltk,
}

impl Choice for Rules {
    const NAMES: &'static [&'static str] = &["standard", "mteval", "nltk"];
    const ALL: &'static [Self] = &[Rules::Standard, Rules::Mteval, Rules::Nltk];
}

pub(super) const ORDER: Opt<usize> = Opt::integer("nist-order", 5)
    .limits(1, MAX_ORDER as u64)
    .counted("order", "order")
    .unless_default()
    .help("The highest order of n-gram");

pub(super) const RULES: Opt<Rules> = Opt::choice("nist-dialect")
    .counted("dialect", "dialect")
    .unless_default()
    .help("Whose arithmetic: mteval's without its quirks, mteval's (with its tokens), or NLTK's");
