//! Options of CIDEr and CIDEr-D, each declared once for the builder, the registry and the signature.

use bleuprint_registry::Opt;

use crate::shared::ngrams::MAX_ORDER;

pub(super) const ORDER: Opt<usize> = order("cider-order");
pub(super) const D_ORDER: Opt<usize> = order("cider-d-order");

const fn order(name: &'static str) -> Opt<usize> {
    Opt::integer(name, 4)
        .limits(1, MAX_ORDER as u64)
        .counted("order", "order")
        .unless_default()
        .help("The highest order of n-gram")
}

pub(super) const SIGMA: Opt<f64> = Opt::number("cider-d-sigma", 6.0)
    .magnitude(1e-6, 1e6)
    .counted("sigma", "sigma")
    .unless_default()
    .help("The width of the penalty for unlike lengths");
