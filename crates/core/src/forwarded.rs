//! Metric implementations that forward every call to an inner metric: for pointers (`&M`, `Box<M>`, `Arc<M>`)
//! and for metrics with a label. The inner metric's faster methods are forwarded too.

use crate::prelude::*;
use crate::{Labelled, Metric, Observe, metric_through, observe_through};

/// Implements the metric traits for pointers to metrics by forwarding every method.
macro_rules! pointer {
    ($(<$($lifetime:lifetime,)? $M:ident> $Pointer:ty;)+) => {$(
        impl<$($lifetime,)? $M: Metric + ?Sized> Metric for $Pointer {
            type Stats = $M::Stats;
            type Score = $M::Score;
            type Scratch = $M::Scratch;
            metric_through!(self => **self);
        }

        impl<$($lifetime,)? S: ?Sized, R: ?Sized, C: ?Sized, $M: Observe<S, R, C> + ?Sized> Observe<S, R, C>
            for $Pointer
        {
            observe_through!(S, R, C, self => &**self, scratch => scratch);
        }
    )+};
}

pointer! {
    <'m, M> &'m M;
    <M> Box<M>;
    <M> Arc<M>;
}

impl<S: ?Sized, R: ?Sized, C: ?Sized, M: Observe<S, R, C>> Observe<S, R, C> for Labelled<M> {
    observe_through!(S, R, C, self => self.metric, scratch => scratch);
}
