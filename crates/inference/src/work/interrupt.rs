//! [`interruptible`]: long work that ends early when its caller says so, and [`watched`]: that says how far it is.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bleuprint_core::{InputErrorKind, Result, answer_interrupts};

/// A request to end early; asked from every thread that works.
type Asked = Arc<dyn Fn() -> bool + Send + Sync>;

thread_local! {
    /// The caller of the work that this thread does.
    static CALLER: RefCell<Interrupt> = const { RefCell::new(Interrupt { stop: None, pieces: None }) };
}

/// The progress of a long work: pairs, resamples or sequences. A work of several parts announces them one after the other.
#[derive(Debug, Default)]
pub struct WorkPieces {
    done: AtomicU64,
    of: AtomicU64,
}

impl WorkPieces {
    /// The pieces that are done.
    pub fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// The pieces announced so far; 0 for work that has none.
    pub fn total(&self) -> u64 {
        self.of.load(Ordering::Relaxed)
    }
}

/// The interruption and the count of the work that the current thread does, for its other threads.
#[derive(Clone, Default)]
pub struct Interrupt {
    stop: Option<Asked>,
    pieces: Option<Arc<WorkPieces>>,
}

/// Does work that ends early once `stop` says so: `stop` is asked between pieces of work, from any thread, and within long
/// segments by their kernels. It should answer at once.
///
/// It applies to the calling thread and to those of [`in_threads`](crate::in_threads) within it: to resampling and tests,
/// pools, evaluations, comparisons and reports. The result of interrupted work is the error
/// [`Interrupted`](InputErrorKind::Interrupted); nothing is left half done.
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
    answer_interrupts(|| Interrupt::of_thread().check());
    Interrupt { stop: Some(Arc::new(stop)), ..Interrupt::of_thread() }.during(work)
}

/// Does work whose pieces are counted meanwhile, for another thread to look at: those of pools (pairs or sequences), of
/// resampling (resamples and trials), and of vectors and `explain` (segments). It applies to the same threads as [`interruptible`].
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
    /// That of the current thread.
    pub fn of_thread() -> Self {
        CALLER.with_borrow(Clone::clone)
    }

    /// Ends work that is to end early.
    ///
    /// # Errors
    /// [`Interrupted`](InputErrorKind::Interrupted).
    pub fn check(&self) -> Result<()> {
        match &self.stop {
            Some(stop) if stop() => Err(InputErrorKind::Interrupted.into()),
            _ => Ok(()),
        }
    }

    /// True if somebody looks at the count.
    pub fn is_watched(&self) -> bool {
        self.pieces.is_some()
    }

    /// Announces pieces of work.
    pub fn expect(&self, pieces: usize) {
        if let Some(counted) = &self.pieces {
            counted.of.fetch_add(pieces as u64, Ordering::Relaxed);
        }
    }

    /// Counts pieces that are done.
    pub fn advance(&self, pieces: usize) {
        if let Some(counted) = &self.pieces {
            counted.done.fetch_add(pieces as u64, Ordering::Relaxed);
        }
    }

    /// Sets the caller of a thread that only works for this one.
    #[cfg(feature = "parallel")]
    pub(crate) fn settle(self) {
        CALLER.set(self);
    }

    /// Does work in the current thread for this caller.
    pub(crate) fn during<R>(self, work: impl FnOnce() -> R) -> R {
        /// Puts back what was there, after a panic too.
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
