//! Work in all threads of the current rayon pool (feature `parallel`; else in one), and [`in_threads`], which sets their
//! number.

use bleuprint_core::ConfigError;

#[cfg(feature = "parallel")]
mod imp {
    use bleuprint_core::ConfigError;
    use rayon::prelude::*;
    pub(super) use rayon::{current_num_threads as threads, join};

    use crate::Interrupt;

    pub(super) fn map_mut<T: Send, R: Send>(
        items: &mut [T],
        map: impl Fn(usize, &mut T) -> R + Sync,
    ) -> Vec<R> {
        items.par_iter_mut().enumerate().map(|(index, item)| map(index, item)).collect()
    }

    pub(super) fn map_with<W, R: Send>(
        items: usize,
        worker: impl Fn() -> W + Sync + Send,
        map: impl Fn(&mut W, usize) -> R + Sync + Send,
    ) -> Vec<R> {
        if threads() == 1 {
            let mut worker = worker();
            return (0..items).map(|index| map(&mut worker, index)).collect();
        }
        let caller = Interrupt::of_thread();
        let map = |worker: &mut W, index: usize| caller.clone().during(|| map(worker, index));
        (0..items).into_par_iter().map_init(worker, map).collect()
    }

    pub(super) fn in_threads<R: Send>(
        threads: usize,
        work: impl FnOnce() -> R + Send,
    ) -> Result<R, ConfigError> {
        let interrupt = Interrupt::of_thread();
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .start_handler(move |_| interrupt.clone().settle())
            .build();
        let pool = pool.map_err(|error| ConfigError::Resource {
            what: format!("a pool of {threads} threads"),
            reason: error.to_string(),
            hint: "ask for fewer threads".to_owned(),
        })?;
        Ok(pool.install(work))
    }
}

#[cfg(not(feature = "parallel"))]
mod imp {
    use bleuprint_core::ConfigError;

    pub(super) fn threads() -> usize {
        1
    }

    pub(super) fn join<A, B>(one: impl FnOnce() -> A, other: impl FnOnce() -> B) -> (A, B) {
        (one(), other())
    }

    pub(super) fn map_mut<T, R>(items: &mut [T], map: impl Fn(usize, &mut T) -> R) -> Vec<R> {
        items.iter_mut().enumerate().map(|(index, item)| map(index, item)).collect()
    }

    pub(super) fn map_with<W, R>(
        items: usize,
        worker: impl Fn() -> W,
        map: impl Fn(&mut W, usize) -> R,
    ) -> Vec<R> {
        let mut worker = worker();
        (0..items).map(|index| map(&mut worker, index)).collect()
    }

    pub(super) fn in_threads<R>(threads: usize, work: impl FnOnce() -> R) -> Result<R, ConfigError> {
        match threads {
            1 => Ok(work()),
            _ => Err(ConfigError::Conflict(format!("{threads} threads, but the feature `parallel` is off"))),
        }
    }
}

/// The number of threads of the current pool.
pub fn threads() -> usize {
    imp::threads()
}

/// Does both at once.
pub fn join<A: Send, B: Send>(one: impl FnOnce() -> A + Send, other: impl FnOnce() -> B + Send) -> (A, B) {
    imp::join(one, other)
}

/// Maps items in order, with their indices, in all threads of the current pool.
pub fn map_mut<T: Send, R: Send>(items: &mut [T], map: impl Fn(usize, &mut T) -> R + Sync) -> Vec<R> {
    imp::map_mut(items, map)
}

/// Maps indices in order, with a worker that each thread keeps, in all threads of the current pool.
pub fn map_with<W, R: Send>(
    items: usize,
    worker: impl Fn() -> W + Sync + Send,
    map: impl Fn(&mut W, usize) -> R + Sync + Send,
) -> Vec<R> {
    imp::map_with(items, worker, map)
}

/// Runs `work` in a pool of this many threads, or in the current one; the number never changes a score.
///
/// # Errors
/// [`ConfigError::Resource`] if the operating system refuses the threads; [`ConfigError::Conflict`] if several are asked
/// for without the feature `parallel`.
pub fn in_threads<R: Send>(
    threads: Option<usize>,
    work: impl FnOnce() -> R + Send,
) -> Result<R, ConfigError> {
    match threads {
        Some(threads) => imp::in_threads(threads, work),
        None => Ok(work()),
    }
}
