//! The options of TER, each declared once.

use bleuprint_registry::Opt;

pub(super) const CASE_SENSITIVE: Opt<bool> = Opt::flag("ter-case-sensitive").help("Keep capital letters");

pub(super) const ASIAN_SUPPORT: Opt<bool> = Opt::flag("ter-asian-support")
    .counted("asian", "as")
    .help("Let normalization and the deletion of punctuation know East Asian text");

pub(super) const NO_PUNCT: Opt<bool> =
    Opt::flag("ter-no-punct").counted("punct", "pn").words("no", "yes").help("Delete punctuation");

pub(super) const NORMALIZED: Opt<bool> =
    Opt::flag("ter-normalized").counted("norm", "nr").help("Cut punctuation off words");
