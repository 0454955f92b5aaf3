//! Runs work in all threads of the current rayon pool, or in one thread without the feature `parallel`.
//! [`in_threads`] sets the number of threads.

use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use bleuprint_core::ConfigError;

use crate::Interrupt;

#[cfg(feature = "parallel")]
mod imp {
    use std::ops::Range;

    use bleuprint_core::ConfigError;
    pub(super) use rayon::current_num_threads as threads;
    use rayon::{FnContext, join_context};

    use crate::Interrupt;

    pub(super) fn both(one: &mut (dyn FnMut() + Send), other: &mut (dyn FnMut() + Send)) {
        rayon::join(one, other);
    }

    /// Runs `work` on parts of the range `items` in several threads. Ranges are halved as in rayon's
    /// iterators: once for each thread, and again whenever an idle thread steals a part.
    pub(super) fn share_out(items: Range<usize>, splits: usize, work: &(dyn Fn(Range<usize>) + Sync)) {
        if items.len() < 2 || splits == 0 {
            return work(items);
        }
        let middle = items.start + items.len() / 2;
        let half = |items: Range<usize>| {
            move |context: FnContext| {
                // A stolen half means that a thread was idle, so it is worth splitting further.
                let least = if context.migrated() { threads() } else { 0 };
                share_out(items, least.max(splits / 2), work);
            }
        };
        join_context(half(items.start..middle), half(middle..items.end));
    }

    pub(super) fn in_threads(threads: usize, work: &mut (dyn FnMut() + Send)) -> Result<(), ConfigError> {
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
        pool.install(work);
        Ok(())
    }
}

#[cfg(not(feature = "parallel"))]
mod imp {
    use std::ops::Range;

    use bleuprint_core::ConfigError;

    pub(super) fn threads() -> usize {
        1
    }

    pub(super) fn both(one: &mut (dyn FnMut() + Send), other: &mut (dyn FnMut() + Send)) {
        one();
        other();
    }

    pub(super) fn share_out(items: Range<usize>, _: usize, work: &(dyn Fn(Range<usize>) + Sync)) {
        work(items);
    }

    pub(super) fn in_threads(threads: usize, work: &mut (dyn FnMut() + Send)) -> Result<(), ConfigError> {
        match threads {
            1 => {
                work();
                Ok(())
            }
            _ => Err(ConfigError::Conflict(format!("{threads} threads, but the feature `parallel` is off"))),
        }
    }
}

/// Returns the number of threads of the current rayon pool; 1 without the feature `parallel`.
pub fn threads() -> usize {
    imp::threads()
}

/// Runs both functions, in parallel if the thread pool allows it, and returns both results.
pub fn join<A: Send, B: Send>(one: impl FnOnce() -> A + Send, other: impl FnOnce() -> B + Send) -> (A, B) {
    let mut one = Some(one);
    let mut other = Some(other);
    let mut first = None;
    let mut second = None;
    imp::both(&mut || first = one.take().map(|one| one()), &mut || {
        second = other.take().map(|other| other())
    });
    match (first, second) {
        (Some(first), Some(second)) => (first, second),
        _ => unreachable!("both were done"),
    }
}

/// Calls `map` with the index of every item and a mutable reference to it, in all threads of the current
/// pool. Returns the results in the order of the items.
pub fn map_mut<T: Send, R: Send>(items: &mut [T], map: impl Fn(usize, &mut T) -> R + Sync) -> Vec<R> {
    let items: Vec<Mutex<&mut T>> = items.iter_mut().map(Mutex::new).collect();
    map_with(items.len(), || (), |_, index| map(index, &mut alone(&items[index])))
}

/// Calls `map` on every index below `items`, in all threads of the current pool. Results are in the order of
/// the indices. `worker` creates a state that `map` reuses for consecutive indices, such as working memory.
pub fn map_with<W, R: Send>(
    items: usize,
    worker: impl Fn() -> W + Sync + Send,
    map: impl Fn(&mut W, usize) -> R + Sync + Send,
) -> Vec<R> {
    let mut slots = Vec::new();
    slots.resize_with(items, Mutex::default);
    in_all(items, &|range| {
        let mut worker = worker();
        for index in range {
            let done = map(&mut worker, index);
            *alone(&slots[index]) = Some(done);
        }
    });
    let mut all = Vec::with_capacity(items);
    slots.into_iter().for_each(|slot| all.extend(slot.into_inner().ok().flatten()));
    all
}

/// Runs `work` on parts of the range `0..items`, in all threads of the current pool. `work` is a trait
/// object, so that this code is compiled only once; rayon's iterators are compiled for every closure.
fn in_all(items: usize, work: &(dyn Fn(Range<usize>) + Sync)) {
    let caller = Interrupt::of_thread();
    let work = |range| caller.clone().during(|| work(range));
    match imp::threads() {
        1 => work(0..items),
        threads => imp::share_out(0..items, threads, &work),
    }
}

/// Locks a mutex that only one thread uses. It ignores poisoning, because a panic ends all the work anyway.
fn alone<T>(place: &Mutex<T>) -> MutexGuard<'_, T> {
    place.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs `work` in a pool of `threads` threads, or in the current pool for `None`. The number of threads never
/// changes a result.
///
/// # Errors
/// Returns [`ConfigError::Resource`] if the operating system refuses the threads. Returns
/// [`ConfigError::Conflict`] if several threads are requested without the feature `parallel`.
pub fn in_threads<R: Send>(
    threads: Option<usize>,
    work: impl FnOnce() -> R + Send,
) -> Result<R, ConfigError> {
    let Some(threads) = threads else { return Ok(work()) };
    let mut work = Some(work);
    let mut done = None;
    imp::in_threads(threads, &mut || done = work.take().map(|work| work()))?;
    match done {
        Some(done) => Ok(done),
        None => unreachable!("it was done"),
    }
}

#[cfg(all(test, feature = "parallel"))]
mod tests {
    use super::*;

    quickcheck::quickcheck! {
        fn results_are_those_of_one_thread(items: Vec<u32>, threads: u8) -> bool {
            let mut changed = items.clone();
            let mapped = in_threads(Some(usize::from(threads % 5) + 1), || {
                let squares = map_with(items.len(), || 0_u64, |done, index| {
                    *done += 1;
                    (index as u64 * u64::from(items[index]), *done > 0)
                });
                let places = map_mut(&mut changed, |index, item| {
                    *item = item.wrapping_add(1);
                    index
                });
                (squares, places, join(|| 1, || "two"))
            });
            let square = |(index, item): (usize, &u32)| (index as u64 * u64::from(*item), true);
            let squares = items.iter().enumerate().map(square).collect();
            let more: Vec<u32> = items.iter().map(|item| item.wrapping_add(1)).collect();
            mapped == Ok((squares, (0..items.len()).collect(), (1, "two"))) && changed == more
        }
    }
}
