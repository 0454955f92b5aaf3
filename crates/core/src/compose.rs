//! Metrics made of metrics: a tuple of metrics is a metric, and so is an `Option` of one.
//!
//! The statistics of a tuple are the tuple of the statistics, and so on for scores; each segment is handed to
//! every member. An absent metric (`None`) observes nothing.

use alloc::string::String;
use alloc::vec::Vec;

use crate::stats::row_length;
use crate::{InputError, Linear, Metric, Observe, Signature, StateKey, Stats};

/// Implements the contract for one size of tuple; `$i` are the indices of its members.
macro_rules! tuple_metric {
    ($($M:ident $i:tt),+) => {
        impl<$($M: Stats),+> Stats for ($($M,)+) {
            fn merge(&mut self, other: &Self) {
                $(self.$i.merge(&other.$i);)+
            }
        }

        impl<$($M: Linear),+> Linear for ($($M,)+) {
            fn columns(&self) -> Vec<String> {
                let mut columns = Vec::new();
                $(columns.extend(self.$i.columns().into_iter().map(|name| alloc::format!("{}.{name}", $i)));)+
                columns
            }

            fn write_row(&self, row: &mut Vec<u64>) {
                $(self.$i.write_row(row);)+
            }

            fn read_row(&mut self, row: &[u64]) -> Result<(), InputError> {
                let (expected, given) = (self.columns().len(), row.len());
                if expected != given {
                    return Err(row_length(expected, given));
                }
                let mut rest = row;
                $({
                    let (own, others) = rest.split_at(self.$i.columns().len());
                    self.$i.read_row(own)?;
                    rest = others;
                })+
                let _ = rest;
                Ok(())
            }
        }

        impl<$($M: Metric),+> Metric for ($($M,)+) {
            type Stats = ($($M::Stats,)+);
            type Score = ($($M::Score,)+);

            fn zero(&self) -> Self::Stats {
                ($(self.$i.zero(),)+)
            }
            fn finalize(&self, stats: &Self::Stats) -> Self::Score {
                ($(self.$i.finalize(&stats.$i),)+)
            }
            fn state_key(&self) -> StateKey {
                StateKey::join([$(self.$i.state_key()),+])
            }
            fn signature(&self) -> Signature {
                Signature::join([$(self.$i.signature()),+])
            }
            fn check(&self, stats: &Self::Stats) -> Result<(), InputError> {
                $(self.$i.check(&stats.$i)?;)+
                Ok(())
            }
        }

        impl<Seq: ?Sized, $($M: Observe<Seq>),+> Observe<Seq> for ($($M,)+) {
            type Scratch = ($($M::Scratch,)+);

            fn observe(
                &self,
                scratch: &mut Self::Scratch,
                stats: &mut Self::Stats,
                hypothesis: &Seq,
                references: &[&Seq],
            ) -> Result<(), InputError> {
                // Into fresh statistics first, so that an error of one member leaves all of them unchanged.
                let mut segment = self.zero();
                $(self.$i.observe(&mut scratch.$i, &mut segment.$i, hypothesis, references)?;)+
                stats.merge(&segment);
                Ok(())
            }
        }
    };
}

tuple_metric!(A 0, B 1);
tuple_metric!(A 0, B 1, C 2);
tuple_metric!(A 0, B 1, C 2, D 3);

impl<S: Stats> Stats for Option<S> {
    fn merge(&mut self, other: &Self) {
        match (self.as_mut(), other) {
            (Some(own), Some(other)) => own.merge(other),
            (None, Some(other)) => *self = Some(other.clone()),
            (_, None) => {}
        }
    }
}

impl<S: Linear> Linear for Option<S> {
    fn columns(&self) -> Vec<String> {
        self.as_ref().map(Linear::columns).unwrap_or_default()
    }

    fn write_row(&self, row: &mut Vec<u64>) {
        if let Some(stats) = self {
            stats.write_row(row);
        }
    }

    fn read_row(&mut self, row: &[u64]) -> Result<(), InputError> {
        match self {
            Some(stats) => stats.read_row(row),
            None if row.is_empty() => Ok(()),
            None => Err(row_length(0, row.len())),
        }
    }
}

impl<M: Metric> Metric for Option<M> {
    type Stats = Option<M::Stats>;
    type Score = Option<M::Score>;

    fn zero(&self) -> Self::Stats {
        self.as_ref().map(Metric::zero)
    }
    fn finalize(&self, stats: &Self::Stats) -> Self::Score {
        Some(self.as_ref()?.finalize(stats.as_ref()?))
    }
    fn state_key(&self) -> StateKey {
        StateKey::join(self.as_ref().map(Metric::state_key))
    }
    fn signature(&self) -> Signature {
        Signature::join(self.as_ref().map(Metric::signature))
    }
    fn check(&self, stats: &Self::Stats) -> Result<(), InputError> {
        match (self, stats) {
            (Some(metric), Some(stats)) => metric.check(stats),
            (None, None) => Ok(()),
            _ => Err(InputError::malformed_state(
                "statistics of a metric that is absent, or none of one present",
            )),
        }
    }
}

impl<S: ?Sized, M: Observe<S>> Observe<S> for Option<M> {
    type Scratch = M::Scratch;

    fn observe(
        &self,
        scratch: &mut Self::Scratch,
        stats: &mut Self::Stats,
        hypothesis: &S,
        references: &[&S],
    ) -> Result<(), InputError> {
        match self {
            Some(metric) => {
                metric.observe(scratch, stats.get_or_insert_with(|| metric.zero()), hypothesis, references)
            }
            None => Ok(()),
        }
    }
}
