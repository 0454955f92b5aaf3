//! [`Broken`]: the result of a failed property test: the law that the metric breaks, and the evidence.

use core::fmt::Debug;

use bleuprint_core::{Result, State, Stats};

use crate::prelude::*;

pub(super) struct Broken {
    /// Name of the property that the metric violates, as listed in ARCHITECTURE.md.
    pub(super) law: &'static str,
    pub(super) shown: String,
}

pub(super) type Held<T = ()> = core::result::Result<T, Broken>;

/// Returns early with a failed property test, unless the condition is true.
macro_rules! require {
    ($law:expr, $condition:expr, $($shown:tt)+) => {
        if !$condition {
            return Err($crate::laws::broken::Broken { law: $law, shown: format!($($shown)+) });
        }
    };
}
pub(super) use require;

pub(super) fn fine<T>(law: &'static str, what: &str, result: Result<T>) -> Held<T> {
    result.map_err(|error| Broken { law, shown: format!("{what}: refused: {error}") })
}

pub(super) fn same<T: PartialEq + Debug>(law: &'static str, what: &str, left: &T, right: &T) -> Held {
    if left == right {
        return Ok(());
    }
    let left = format!("{left:?}");
    let right = format!("{right:?}");
    // Equal texts but unequal values mean that NaN is inside. The message says so, as the plain one would
    // show two equal values.
    let unequal = left == right && left.contains("NaN");
    require!(law, !unequal, "{what}: {left} holds NaN, which equals nothing");
    Err(Broken { law, shown: format!("{what}: {left}, but expected {right}") })
}

pub(super) fn same_results<T: PartialEq + Debug>(
    law: &'static str,
    what: &str,
    left: &Result<T>,
    right: &Result<T>,
) -> Held {
    match (left, right) {
        (Ok(left), Ok(right)) => same(law, what, left, right),
        (left, right) => {
            require!(law, left == right, "{what}: {}, but expected {}", told(left), told(right));
            Ok(())
        }
    }
}

/// Returns an error unless two metric states have equal counts and statistics. Keys are not compared.
pub(super) fn same_states<S: Stats + PartialEq + Debug>(
    law: &'static str,
    what: &str,
    left: &State<S>,
    right: &State<S>,
) -> Held {
    same(law, &format!("{what}, counts of segments"), left.counts(), right.counts())?;
    same(law, what, left.stats(), right.stats())
}

/// Returns an error unless two scores are equal bit for bit, or are equal errors.
pub(super) fn same_scores(
    law: &'static str,
    what: &str,
    left: &Result<Vec<f64>>,
    right: &Result<Vec<f64>>,
) -> Held {
    // Bits and not values: `==` treats the zeros as equal and NaN as unequal to itself.
    let bits = |scores: &Vec<f64>| scores.iter().map(|score| score.to_bits()).collect::<Vec<u64>>();
    let alike = left.as_ref().map(bits) == right.as_ref().map(bits);
    require!(law, alike, "{what}: {}, but expected {}", told(left), told(right));
    Ok(())
}

fn told<T: Debug>(result: &Result<T>) -> String {
    match result {
        Ok(value) => format!("{value:?}"),
        Err(error) => format!("refused: {error}"),
    }
}
