//! [`interruptible`]: long work that ends early when its caller says so.

use std::cell::RefCell;
use std::sync::Arc;

use bleuprint_core::{InputErrorKind, Result};

/// Whether to end early; asked from every thread that works.
type Asked = Arc<dyn Fn() -> bool + Send + Sync>;

thread_local! {
    /// The question of the call that this thread works for.
    static ASKED: RefCell<Option<Asked>> = const { RefCell::new(None) };
}

/// The interruption of the work that the current thread does, for its other threads.
#[derive(Clone, Default)]
pub struct Interrupt(Option<Asked>);

/// Does work that ends early once `stop` says so: `stop` is asked between pieces of work, from any thread, and should
/// answer at once.
///
/// It applies to the calling thread and to those of [`in_threads`](crate::in_threads) within it: to resampling and tests,
/// pools, evaluations, comparisons and reports. The result of interrupted work is the error
/// [`Interrupted`](InputErrorKind::Interrupted); nothing is left half done.
///
/// ```
/// use bleuprint_core::InputErrorKind;
/// use bleuprint_eval::{interruptible, resample::{Arithmetic, Plan, Rows, bootstrap}};
///
/// let rows = Rows::new(1, vec![1, 2, 3]).unwrap();
/// let scores = || bootstrap(&[&rows], Arithmetic::Exact(&|row| row[0] as f64), Plan::of(1000));
/// let error = interruptible(|| true, scores).unwrap_err();
/// assert_eq!(*error.kind(), InputErrorKind::Interrupted);
/// assert!(interruptible(|| false, scores).is_ok() && scores().is_ok());
/// ```
pub fn interruptible<R>(stop: impl Fn() -> bool + Send + Sync + 'static, work: impl FnOnce() -> R) -> R {
    Interrupt(Some(Arc::new(stop))).during(work)
}

impl Interrupt {
    /// That of the current thread.
    pub fn of_thread() -> Self {
        ASKED.with_borrow(|asked| Interrupt(asked.clone()))
    }

    /// Ends work that is to end early.
    ///
    /// # Errors
    /// [`Interrupted`](InputErrorKind::Interrupted).
    pub fn check(&self) -> Result<()> {
        match &self.0 {
            Some(stop) if stop() => Err(InputErrorKind::Interrupted.into()),
            _ => Ok(()),
        }
    }

    /// Does work in the current thread under this interruption.
    pub(crate) fn during<R>(self, work: impl FnOnce() -> R) -> R {
        /// Puts back what was there, after a panic too.
        struct Before(Option<Asked>);
        impl Drop for Before {
            fn drop(&mut self) {
                ASKED.set(self.0.take());
            }
        }
        let _before = Before(ASKED.replace(self.0));
        work()
    }
}
