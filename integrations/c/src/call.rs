//! Runs calls from C: returns a status for each call, keeps the message of the last error, and turns panics
//! into errors.

use std::cell::RefCell;
use std::ffi::{CStr, c_char};
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};

use bleuprint::{ConfigError, InputError};

/// Status that a call returns: success, or the kind of error.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallStatus {
    /// The call succeeded.
    Ok = 0,
    /// The name of a metric, an option or a file that an option names is wrong.
    Config = 1,
    /// The data is invalid, or it has no score under the metric.
    Input = 2,
    /// An argument is invalid: for example a null pointer, text that is not UTF-8, or wrong JSON.
    Argument = 3,
    /// The library has a bug: please report it. The state that the call was changing is unusable.
    Panic = 4,
    /// This build of the library lacks the metric. The message names the build feature that adds the metric.
    Missing = 5,
}

/// Error of a call: its status and its message.
pub(crate) struct CallError {
    pub(crate) status: CallStatus,
    pub(crate) message: String,
}

impl CallError {
    #[cold]
    pub(crate) fn argument(message: impl Display) -> Self {
        CallError { status: CallStatus::Argument, message: message.to_string() }
    }

    #[cold]
    pub(crate) fn config(message: impl Display) -> Self {
        CallError { status: CallStatus::Config, message: message.to_string() }
    }
}

impl From<ConfigError> for CallError {
    fn from(error: ConfigError) -> Self {
        CallError::config(error)
    }
}

impl From<InputError> for CallError {
    fn from(error: InputError) -> Self {
        CallError { status: CallStatus::Input, message: error.to_string() }
    }
}

pub(crate) type CallResult<T = ()> = Result<T, CallError>;

thread_local! {
    /// Message of the last failed call of this thread, with a zero byte at its end.
    static MESSAGE: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Runs the body of a call from C and returns its status. The message of an error is stored for
/// [`bleuprint_last_error`] of this thread. A panic becomes an error.
pub(crate) fn call(run: impl FnOnce() -> CallResult) -> CallStatus {
    let error = match catch_unwind(AssertUnwindSafe(run)) {
        Ok(Ok(())) => return CallStatus::Ok,
        Ok(Err(error)) => error,
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("unknown panic");
            let message = format!("a fault of bleuprint, please report it: {text}");
            CallError { status: CallStatus::Panic, message }
        }
    };
    // C ends a text at a zero byte, so one within a message must not cut it.
    let mut message = error.message.replace('\0', "\\0").into_bytes();
    message.push(0);
    // A thread that ends has no storage any more; its callers get the status alone.
    let _ = MESSAGE.try_with(|kept| *kept.borrow_mut() = message);
    error.status
}

/// Returns the error message of the last call that failed in this thread, as text that ends with a zero byte.
///
/// The text is valid until the next call that fails in this thread. It is empty if no call has failed.
/// Threads: each thread has its own message.
#[unsafe(no_mangle)]
pub extern "C" fn bleuprint_last_error() -> *const c_char {
    let empty = c"".as_ptr();
    let message = MESSAGE.try_with(|kept| {
        let kept = kept.borrow();
        if kept.is_empty() { empty } else { kept.as_ptr().cast() }
    });
    message.unwrap_or(empty)
}

/// Returns the version of the library as text that ends with a zero byte, such as `0.1.0`. The text stays
/// valid until the program ends.
///
/// Threads: any thread at any time.
#[unsafe(no_mangle)]
pub extern "C" fn bleuprint_version() -> *const c_char {
    const VERSION: &CStr =
        match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
            Ok(version) => version,
            Err(_) => c"",
        };
    VERSION.as_ptr()
}
