//! [`Broken`]: a law that does not hold, and how it showed.

use alloc::format;
use alloc::string::String;
use core::fmt::Debug;

use crate::{State, Stats};

/// A law that does not hold.
pub(super) struct Broken {
    /// Its name, as ARCHITECTURE.md lists it.
    pub(super) law: &'static str,
    /// What was seen.
    pub(super) shown: String,
}

/// Whether laws hold.
pub(super) type Held<T = ()> = Result<T, Broken>;

/// Returns from the function with a law that is broken, unless the condition holds.
macro_rules! require {
    ($law:expr, $condition:expr, $($shown:tt)+) => {
        if !$condition {
            return Err($crate::laws::broken::Broken { law: $law, shown: alloc::format!($($shown)+) });
        }
    };
}
pub(super) use require;

/// Two values that must be the same.
pub(super) fn same<T: PartialEq + Debug>(law: &'static str, what: &str, left: &T, right: &T) -> Held {
    if left == right {
        return Ok(());
    }
    let (left, right) = (format!("{left:?}"), format!("{right:?}"));
    // What looks alike and differs holds a value that does not equal itself, or is compared by what it does not show.
    require!(law, left != right || !left.contains("NaN"), "{what}: {left} holds NaN, which equals nothing");
    Err(Broken { law, shown: format!("{what}: {left}, but expected {right}") })
}

/// Two states that must be the same in what they hold; whose they are is known.
pub(super) fn same_state<S: Stats + PartialEq + Debug>(
    law: &'static str,
    what: &str,
    left: &State<S>,
    right: &State<S>,
) -> Held {
    same(law, &format!("{what}, counts of segments"), left.counts(), right.counts())?;
    same(law, what, left.stats(), right.stats())
}

/// Two scores, or refusals of one, that must be the same to the bit.
pub(super) fn same_scores<E: PartialEq + Debug>(
    law: &'static str,
    what: &str,
    left: &Result<alloc::vec::Vec<f64>, E>,
    right: &Result<alloc::vec::Vec<f64>, E>,
) -> Held {
    let alike = match (left, right) {
        (Ok(left), Ok(right)) => left.iter().map(|x| x.to_bits()).eq(right.iter().map(|x| x.to_bits())),
        (Err(left), Err(right)) => left == right,
        _ => false,
    };
    require!(law, alike, "{what}: {left:?}, but expected {right:?}");
    Ok(())
}
