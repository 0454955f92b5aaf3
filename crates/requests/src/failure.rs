//! [`Failure`]: why a command ends early, with an exit code.

use std::error::Error;

use bleuprint::{ConfigError, InputError};

/// Reason why a command ends early.
#[derive(Debug)]
pub enum Failure {
    /// Message about wrong usage, a wrong configuration or wrong data. The exit code is 2.
    Message(String),
    /// Error in the input data. The exit code is 2.
    Input(InputError),
    /// Standard output was closed by its reader, such as `head`; this is not an error.
    OutputClosed,
    /// Negative answer with this exit code, such as a failed check, after all output was written.
    Verdict(u8),
}

/// Result of a command; the default error is [`Failure`].
pub type Result<T, E = Failure> = std::result::Result<T, E>;

#[doc(hidden)]
#[macro_export]
macro_rules! fail {
    ($($message:tt)*) => {
        return Err($crate::failure::Failure::Message(format!($($message)*)))
    };
}
pub use fail;

impl Failure {
    pub(crate) fn located(self, place: impl FnOnce(InputError) -> InputError) -> Self {
        match self {
            Failure::Input(error) => Failure::Input(place(error)),
            other => other,
        }
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        Failure::Message(error.to_string())
    }
}

/// Converts an error of any type, such as of a command that another crate defines, to a [`Failure`].
impl From<Box<dyn Error>> for Failure {
    fn from(error: Box<dyn Error>) -> Self {
        // Known errors keep their type, and with it their exit code and location.
        let error = match error.downcast::<InputError>() {
            Ok(error) => return Failure::Input(*error),
            Err(error) => error,
        };
        match error.downcast::<std::io::Error>() {
            Ok(error) => Failure::from(*error),
            Err(error) => Failure::Message(error.to_string()),
        }
    }
}

impl From<InputError> for Failure {
    fn from(error: InputError) -> Self {
        Failure::Input(error)
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::BrokenPipe => Failure::OutputClosed,
            _ => Failure::Message(format!("cannot write the output: {error}")),
        }
    }
}
