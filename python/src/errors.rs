//! Errors of the library as Python exceptions: both kinds are a `ValueError` with the library's own message.

use std::cell::Cell;
use std::collections::VecDeque;
use std::fmt::Display;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

use bleuprint::{ConfigError, InputError, InputErrorKind, Result};
use pyo3::exceptions::{PyException, PyOverflowError, PyTypeError, PyUserWarning, PyValueError};
use pyo3::{PyErr, PyResult, Python};

pub(crate) trait OrRaise<T> {
    fn or_raise(self) -> Result<T, PyErr>;
}

impl<T> OrRaise<T> for Result<T> {
    fn or_raise(self) -> Result<T, PyErr> {
        self.map_err(|error| input(&error))
    }
}

impl<T> OrRaise<T> for Result<T, ConfigError> {
    fn or_raise(self) -> Result<T, PyErr> {
        self.map_err(value)
    }
}

/// Pending exceptions of metrics written in Python, with their text: the library's errors hold text only, and come from
/// any thread. Counted, to identify new ones.
static RAISED: Mutex<KeptError> = Mutex::new(KeptError { raised: VecDeque::new(), count: 0 });

struct KeptError {
    raised: VecDeque<(u64, String, PyErr)>,
    count: u64,
}

/// The number of exceptions kept: the oldest of those hidden by the library are dropped.
const MOST_KEPT: usize = 8;

fn kept() -> MutexGuard<'static, KeptError> {
    RAISED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps an exception of Python code called by the library, and returns an error for it.
pub(crate) fn keep(error: PyErr) -> InputError {
    let text = error.to_string();
    let mut kept = kept();
    kept.count += 1;
    let count = kept.count;
    kept.raised.push_back((count, text.clone(), error));
    let oldest = if kept.raised.len() > MOST_KEPT { kept.raised.pop_front() } else { None };
    // Dropped once the lock is free: the drop may run Python code that reenters.
    drop(kept);
    drop(oldest);
    InputError::malformed(text)
}

/// The same for an exception of `finalize`, if it is a reason why there is no score: a ValueError, or any exception where
/// nothing was observed.
pub(crate) fn keep_reason(metric: String, segments: u64, error: PyErr) -> InputError {
    let is_reason = Python::attach(|py| {
        error.is_instance_of::<PyValueError>(py) || segments == 0 && error.is_instance_of::<PyException>(py)
    });
    let text = error.to_string();
    let kept = keep(error);
    if is_reason { InputError::no_score(metric, text) } else { kept }
}

pub(crate) fn raised() -> u64 {
    kept().count
}

pub(crate) fn raised_since(count: u64) -> Option<PyErr> {
    let mut kept = kept();
    let at = kept.raised.iter().position(|(number, ..)| *number > count)?;
    kept.raised.remove(at).map(|(.., error)| error)
}

/// The exception of an error: the one raised by Python code, if there is one.
pub(crate) fn input(error: &InputError) -> PyErr {
    let (InputErrorKind::Malformed(text) | InputErrorKind::NoScore { reason: text, .. }) = error.kind()
    else {
        return value(error);
    };
    let mut kept = kept();
    let at = kept.raised.iter().rposition(|(_, of, _)| of == text);
    let raised = at.and_then(|at| kept.raised.remove(at));
    drop(kept);
    raised.map_or_else(|| value(error), |(.., error)| error)
}

/// If the error means that an object is not an integer of the wanted kind.
pub(crate) fn is_refusal(error: &PyErr, py: Python<'_>) -> bool {
    error.is_instance_of::<PyTypeError>(py) || error.is_instance_of::<PyOverflowError>(py)
}

pub(crate) fn value(message: impl Display) -> PyErr {
    PyValueError::new_err(message.to_string())
}

pub(crate) fn type_error(message: impl Display) -> PyErr {
    PyTypeError::new_err(message.to_string())
}

/// Shows a warning at the line that called the package.
pub(crate) fn warn(py: Python<'_>, message: &str) -> PyResult<()> {
    let message = std::ffi::CString::new(message).map_err(value)?;
    PyErr::warn(py, &py.get_type::<PyUserWarning>(), &message, 2)
}

/// The place of a new file. A regular file that exists is an error without `overwrite`; devices and pipes are written to.
pub(crate) fn new_file(path: PathBuf, overwrite: bool) -> PyResult<PathBuf> {
    if !overwrite && path.is_file() {
        return Err(value(format!("{} is there already: overwrite=True replaces it", path.display())));
    }
    Ok(path)
}

thread_local! {
    /// True while panics of this thread are caught.
    static EXPECTED: Cell<bool> = const { Cell::new(false) };
}

/// The result of the work, or its panic message, which is kept from standard error.
pub(crate) fn without_panic<R>(work: impl FnOnce() -> R) -> Result<R, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if !EXPECTED.get() {
                hook(info);
            }
        }));
    });
    let before = EXPECTED.replace(true);
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
    EXPECTED.set(before);
    result.map_err(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        text.unwrap_or_else(|| "a panic without words".to_owned())
    })
}
