//! Converts errors of the Rust library to Python exceptions. Errors in the user's input and in files both
//! become a `ValueError` with the library's message.

use std::cell::Cell;
use std::collections::VecDeque;
use std::fmt::Display;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

use bleuprint::{ConfigError, InputError, InputErrorKind, Result};
use pyo3::exceptions::{PyException, PyOverflowError, PyTypeError, PyUserWarning, PyValueError};
use pyo3::{PyErr, PyResult, Python, create_exception};

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

/// Stored exceptions of metrics written in Python. A library error holds only text and comes from any thread,
/// so its exception is found again by the text. `count` numbers the exceptions, so that new ones can be
/// recognized.
static RAISED: Mutex<KeptError> = Mutex::new(KeptError { raised: VecDeque::new(), count: 0 });

struct KeptError {
    raised: VecDeque<(u64, String, PyErr)>,
    count: u64,
}

/// Largest number of stored Python exceptions. The library may drop an error without reporting it, so the
/// oldest exceptions are removed.
const MOST_KEPT: usize = 8;

fn kept() -> MutexGuard<'static, KeptError> {
    RAISED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Stores a Python exception, and returns a library error with the exception's text.
pub(crate) fn keep(error: PyErr) -> InputError {
    let text = error.to_string();
    let mut kept = kept();
    kept.count += 1;
    let count = kept.count;
    kept.raised.push_back((count, text.clone(), error));
    let oldest = if kept.raised.len() > MOST_KEPT { kept.raised.pop_front() } else { None };
    // The exception is dropped after the lock is free: its drop may run Python code that calls back.
    drop(kept);
    drop(oldest);
    InputError::malformed(text)
}

/// Stores an exception that a Python metric's `finalize` raised, and returns a library error. If the
/// exception is a ValueError, or if no segment was observed, the error means "no score".
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

/// Converts a library error to a Python exception. If the error began as an exception in Python code, that
/// exception is returned.
pub(crate) fn input(error: &InputError) -> PyErr {
    raised_in_python(error).unwrap_or_else(|| value(error))
}

/// Returns the exception with which a library error began, if Python code raised one.
pub(crate) fn raised_in_python(error: &InputError) -> Option<PyErr> {
    let (InputErrorKind::Malformed(text) | InputErrorKind::NoScore { reason: text, .. }) = error.kind()
    else {
        return None;
    };
    let mut kept = kept();
    // The newest exception with this text is the most likely cause.
    let at = kept.raised.iter().rposition(|(_, of, _)| of == text);
    at.and_then(|at| kept.raised.remove(at)).map(|(.., error)| error)
}

/// Returns `true` if the Python exception means that an object is not an integer of the required type.
pub(crate) fn is_refusal(error: &PyErr, py: Python<'_>) -> bool {
    error.is_instance_of::<PyTypeError>(py) || error.is_instance_of::<PyOverflowError>(py)
}

pub(crate) fn value(message: impl Display) -> PyErr {
    PyValueError::new_err(message.to_string())
}

pub(crate) fn type_error(message: impl Display) -> PyErr {
    PyTypeError::new_err(message.to_string())
}

create_exception!(
    bleuprint,
    BleuprintWarning,
    PyUserWarning,
    "The class of all warnings of this package, such as likely mistakes in the data."
);

/// Shows a Python warning that points to the user's line that called this package.
pub(crate) fn warn(py: Python<'_>, message: &str) -> PyResult<()> {
    // A message quotes texts of the user, and a C string ends at a NUL.
    let message = std::ffi::CString::new(message.replace('\0', "\u{2400}")).map_err(value)?;
    PyErr::warn(py, &py.get_type::<BleuprintWarning>(), &message, 2)
}

/// Checks the path of an output file and returns it. Without `overwrite`, an existing regular file is an
/// error; devices and pipes are accepted.
pub(crate) fn new_file(path: PathBuf, overwrite: bool) -> PyResult<PathBuf> {
    if !overwrite && path.is_file() {
        return Err(value(format!("{} is there already: overwrite=True replaces it", path.display())));
    }
    Ok(path)
}

thread_local! {
    /// `true` while this thread catches panics, so that their messages are not printed.
    static EXPECTED: Cell<bool> = const { Cell::new(false) };
}

/// Runs `work` and returns its result, or the panic message if it panics. The message is not printed to
/// standard error.
pub(crate) fn without_panic<R>(work: impl FnOnce() -> R) -> Result<R, String> {
    static HOOK: Once = Once::new();
    // The panic hook is global, so it is installed once and asks the thread whether its panics are
    // expected.
    HOOK.call_once(|| {
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if !EXPECTED.get() {
                hook(info);
            }
        }));
    });
    // Calls can nest, so the previous value is restored.
    let before = EXPECTED.replace(true);
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
    EXPECTED.set(before);
    result.map_err(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        text.unwrap_or_else(|| "a panic without words".to_owned())
    })
}
