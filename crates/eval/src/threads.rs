//! Work in all threads of the current rayon pool (feature `parallel`; else in one), and [`in_threads`], which sets their
//! number.

use bleuprint_core::ConfigError;

#[cfg(feature = "parallel")]
use crate::Interrupt;

#[cfg(feature = "parallel")]
mod imp {
    use rayon::prelude::*;
    pub(crate) use rayon::{current_num_threads as threads, join};

    pub(crate) fn map_mut<T: Send, R: Send>(
        items: &mut [T],
        map: impl Fn(usize, &mut T) -> R + Sync,
    ) -> Vec<R> {
        items.par_iter_mut().enumerate().map(|(index, item)| map(index, item)).collect()
    }

    pub(crate) fn map_with<W, R: Send>(
        items: usize,
        worker: impl Fn() -> W + Sync + Send,
        map: impl Fn(&mut W, usize) -> R + Sync + Send,
    ) -> Vec<R> {
        if threads() == 1 {
            let mut worker = worker();
            return (0..items).map(|index| map(&mut worker, index)).collect();
        }
        (0..items).into_par_iter().map_init(worker, map).collect()
    }
}

#[cfg(not(feature = "parallel"))]
mod imp {
    pub(crate) fn threads() -> usize {
        1
    }

    pub(crate) fn join<A, B>(one: impl FnOnce() -> A, other: impl FnOnce() -> B) -> (A, B) {
        (one(), other())
    }

    pub(crate) fn map_mut<T, R>(items: &mut [T], map: impl Fn(usize, &mut T) -> R) -> Vec<R> {
        items.iter_mut().enumerate().map(|(index, item)| map(index, item)).collect()
    }

    pub(crate) fn map_with<W, R>(
        items: usize,
        worker: impl Fn() -> W,
        map: impl Fn(&mut W, usize) -> R,
    ) -> Vec<R> {
        let mut worker = worker();
        (0..items).map(|index| map(&mut worker, index)).collect()
    }
}

/// The number of threads; both halves at once; `map_with` maps indices with something that each thread keeps.
pub(crate) use imp::{join, map_with, threads};

/// Maps items in order, with their indices, in all threads of the current pool.
pub fn map_mut<T: Send, R: Send>(items: &mut [T], map: impl Fn(usize, &mut T) -> R + Sync) -> Vec<R> {
    imp::map_mut(items, map)
}

/// Runs `work` in a pool of this many threads, or in the current one; the number never changes a score.
///
/// # Errors
/// [`ConfigError::Resource`] when the operating system refuses the threads.
#[cfg(feature = "parallel")]
pub fn in_threads<R: Send>(
    threads: Option<usize>,
    work: impl FnOnce() -> R + Send,
) -> Result<R, ConfigError> {
    let Some(threads) = threads else { return Ok(work()) };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| ConfigError::Resource {
        what: format!("a pool of {threads} threads"),
        reason: error.to_string(),
        hint: "ask for fewer threads".to_owned(),
    })?;
    let interrupt = Interrupt::of_thread();
    Ok(pool.install(|| interrupt.during(work)))
}

/// Runs `work`, in one thread: without the feature `parallel` there are no others.
///
/// # Errors
/// [`ConfigError::Conflict`] when several are asked for.
#[cfg(not(feature = "parallel"))]
pub fn in_threads<R: Send>(
    threads: Option<usize>,
    work: impl FnOnce() -> R + Send,
) -> Result<R, ConfigError> {
    match threads {
        None | Some(1) => Ok(work()),
        Some(threads) => {
            Err(ConfigError::Conflict(format!("{threads} threads, but the feature `parallel` is off")))
        }
    }
}
