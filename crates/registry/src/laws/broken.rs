//! [`Broken`]: a broken law and its evidence.

use core::fmt::Debug;

use bleuprint_core::{Result, State, Stats};

use crate::prelude::*;

pub(super) struct Broken {
    /// Its name, as ARCHITECTURE.md lists it.
    pub(super) law: &'static str,
    pub(super) shown: String,
}

pub(super) type Held<T = ()> = core::result::Result<T, Broken>;

/// Returns from the function with a broken law, unless the condition holds.
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
    let (left, right) = (format!("{left:?}"), format!("{right:?}"));
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

/// Requires equal counts and statistics; keys are not compared.
pub(super) fn same_states<S: Stats + PartialEq + Debug>(
    law: &'static str,
    what: &str,
    left: &State<S>,
    right: &State<S>,
) -> Held {
    same(law, &format!("{what}, counts of segments"), left.counts(), right.counts())?;
    same(law, what, left.stats(), right.stats())
}

/// Requires equal scores, to the bit, or equal errors.
pub(super) fn same_scores(
    law: &'static str,
    what: &str,
    left: &Result<Vec<f64>>,
    right: &Result<Vec<f64>>,
) -> Held {
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
