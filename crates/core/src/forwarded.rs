//! Metrics for wrappers that change no segment: pointers and labelled metrics. Every speed-up of the inner
//! metric is forwarded.

use crate::prelude::*;
use crate::{Labelled, Metric, Observe, metric_through, observe_through};

/// Implements the metric traits for pointers by forwarding every method.
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
