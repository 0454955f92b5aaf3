//! [`interruptible`]: runs long work that the caller can stop early. [`watched`]: runs work whose progress
//! another thread can read.

use std::cell::RefCell;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use bleuprint_core::{InputErrorKind, Result, answer_interrupts};

/// Function that returns `true` if long work should end early. Every working thread calls it.
type Asked = Arc<dyn Fn() -> bool + Send + Sync>;

thread_local! {
    /// Stop function and progress counters of the work that runs in the current thread.
    static CALLER: RefCell<Interrupt> = const { RefCell::new(Interrupt { stop: None, pieces: None }) };
}

/// Progress counters of long work, in pieces such as resamples. Work in several parts announces the pieces of
/// each part when the part begins.
#[derive(Default)]
pub struct WorkPieces {
    done: AtomicU64,
    of: AtomicU64,
    /// Function that is called before the first pieces are announced, until it was called.
    begin: Mutex<Option<Box<BeginWork>>>,
}

type BeginWork = dyn FnOnce(Arc<WorkPieces>) + Send;

impl fmt::Debug for WorkPieces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counters = [("done", &self.done), ("of", &self.of)];
        f.debug_map().entries(counters).finish()
    }
}

impl WorkPieces {
    /// Creates counters that call `begin` once, in a working thread, when the first pieces are announced. Use it
    /// to start a display of the progress, which work without pieces does not need.
    ///
    /// ```
    /// use std::sync::{Arc, mpsc::channel};
    /// use bleuprint_inference::{CountRows, ResamplePlan, WorkPieces, bootstrap, watched};
    ///
    /// let (begun, beginnings) = channel();
    /// let pieces = Arc::new(WorkPieces::starting_with(move |_| drop(begun.send("resamples"))));
    /// watched(pieces.clone(), || assert!(beginnings.try_recv().is_err()));
    /// let rows = CountRows::new(1, vec![1, 2, 3]).unwrap();
    /// watched(pieces, || bootstrap(&[&rows], &|row| row[0] as f64, ResamplePlan::new(1000))).unwrap();
    /// assert_eq!(beginnings.iter().collect::<Vec<_>>(), ["resamples"]);
    /// ```
    pub fn starting_with(begin: impl FnOnce(Arc<WorkPieces>) + Send + 'static) -> Self {
        WorkPieces { begin: Mutex::new(Some(Box::new(begin))), ..WorkPieces::default() }
    }

    /// Returns the number of finished pieces of work.
    pub fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// Returns the number of pieces of work announced so far. It is 0 for work that announces none.
    pub fn total(&self) -> u64 {
        self.of.load(Ordering::Relaxed)
    }
}

/// Stop function and progress counters of the current thread's work, which worker threads receive too.
#[derive(Clone, Default)]
pub struct Interrupt {
    stop: Option<Asked>,
    pieces: Option<Arc<WorkPieces>>,
}

/// Runs `work`, which ends early once the function `stop` returns `true`. Working threads call `stop` between
/// pieces of work, and metrics call it within long segments. `stop` should return quickly.
///
/// `stop` can end work in the calling thread, and in the threads that [`in_threads`](crate::in_threads)
/// starts within `work`. Such work is resampling and tests, pools, evaluations, comparisons and reports.
/// Interrupted work returns the error [`Interrupted`](InputErrorKind::Interrupted); no partial result
/// remains.
///
/// ```
/// use bleuprint_core::InputErrorKind;
/// use bleuprint_inference::{ResamplePlan, CountRows, bootstrap, interruptible};
///
/// let rows = CountRows::new(1, vec![1, 2, 3]).unwrap();
/// let scores = || bootstrap(&[&rows], &|row| row[0] as f64, ResamplePlan::new(1000));
/// let error = interruptible(|| true, scores).unwrap_err();
/// assert_eq!(*error.kind(), InputErrorKind::Interrupted);
/// assert!(interruptible(|| false, scores).is_ok() && scores().is_ok());
/// ```
pub fn interruptible<R>(stop: impl Fn() -> bool + Send + Sync + 'static, work: impl FnOnce() -> R) -> R {
    // Kernels live in crates below this one and cannot see its thread-local caller, so they call this
    // function.
    answer_interrupts(|| Interrupt::of_thread().check());
    Interrupt { stop: Some(Arc::new(stop)), ..Interrupt::of_thread() }.during(work)
}

/// Runs `work` and counts its finished pieces in `pieces`. Another thread can read `pieces` meanwhile, for
/// example to show the progress. A piece is a resample, a trial of a test, a pair of texts, or a segment,
/// depending on the work.
///
/// Work is counted in the same threads in which [`interruptible`] stops it.
///
/// ```
/// use std::sync::Arc;
/// use bleuprint_inference::{WorkPieces, ResamplePlan, CountRows, bootstrap, watched};
///
/// let (rows, pieces) = (CountRows::new(1, vec![1, 2, 3]).unwrap(), Arc::new(WorkPieces::default()));
/// let scores = || bootstrap(&[&rows], &|row| row[0] as f64, ResamplePlan::new(1000));
/// watched(pieces.clone(), scores).unwrap();
/// assert_eq!((pieces.done(), pieces.total()), (1000, 1000));
/// ```
pub fn watched<R>(pieces: Arc<WorkPieces>, work: impl FnOnce() -> R) -> R {
    Interrupt { pieces: Some(pieces), ..Interrupt::of_thread() }.during(work)
}

impl Interrupt {
    /// Returns the stop function and progress counters of the current thread's work.
    pub fn of_thread() -> Self {
        CALLER.with_borrow(Clone::clone)
    }

    /// Checks whether the work should end early, by calling the caller's stop function.
    ///
    /// # Errors
    /// Returns [`Interrupted`](InputErrorKind::Interrupted) if the stop function returns `true`.
    pub fn check(&self) -> Result<()> {
        match &self.stop {
            Some(stop) if stop() => Err(InputErrorKind::Interrupted.into()),
            _ => Ok(()),
        }
    }

    /// Returns `true` if the progress of the work is counted, because the caller of [`watched`] reads it.
    pub fn is_watched(&self) -> bool {
        self.pieces.is_some()
    }

    /// Adds `pieces` to the number of announced pieces of work, the total of a progress display.
    pub fn expect(&self, pieces: usize) {
        if let Some(counted) = &self.pieces {
            let begin = counted.begin.lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some(begin) = begin {
                begin(Arc::clone(counted));
            }
            counted.of.fetch_add(pieces as u64, Ordering::Relaxed);
        }
    }

    /// Adds `pieces` to the number of finished pieces of work.
    pub fn advance(&self, pieces: usize) {
        if let Some(counted) = &self.pieces {
            // Relaxed: the number is only displayed, and no other memory depends on it.
            counted.done.fetch_add(pieces as u64, Ordering::Relaxed);
        }
    }

    /// Installs this stop function and progress in the current thread for good, for a worker thread that
    /// serves only one caller.
    #[cfg(feature = "parallel")]
    pub(crate) fn settle(self) {
        CALLER.set(self);
    }

    /// Runs `work` in the current thread with this stop function and progress, and restores the previous ones
    /// afterwards.
    pub(crate) fn during<R>(self, work: impl FnOnce() -> R) -> R {
        /// Guard that restores the thread's previous stop function and progress, also after a panic.
        struct PreviousHook(Interrupt);
        impl Drop for PreviousHook {
            fn drop(&mut self) {
                CALLER.set(std::mem::take(&mut self.0));
            }
        }
        let _before = PreviousHook(CALLER.replace(self));
        work()
    }
}
