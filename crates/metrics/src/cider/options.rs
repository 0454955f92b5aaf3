//! Options of CIDEr and CIDEr-D, each declared once for the builder, the registry and the signature.

use bleuprint_registry::{Opt, settings};

use crate::shared::ngrams::MAX_ORDER;

settings! {
    pub(super) struct CiderSettings {
        pub(super) max_order: usize = order("cider-order");
    }
}

settings! {
    pub(super) struct CiderDSettings {
        pub(super) max_order: usize = order("cider-d-order");
        /// The width of the penalty for unlike lengths
        pub(super) sigma: f64 =
            Opt::number("cider-d-sigma", 6.0).magnitude(1e-6, 1e6).counted("sigma", "sigma").unless_default();
    }
}

const fn order(name: &'static str) -> Opt<usize> {
    Opt::integer(name, 4)
        .limits(1, MAX_ORDER as u64)
        .counted("order", "order")
        .unless_default()
        .help("The highest order of n-gram")
}
