//! Early ends of the program.

use std::error::Error;

use bleuprint::{ConfigError, InputError};

/// Why a command ends early.
#[derive(Debug)]
pub enum Failure {
    /// Wrong usage, configuration or data: exit code 2.
    Message(String),
    /// Wrong data: exit code 2.
    Input(InputError),
    /// The reader of our output is gone, which is no error.
    OutputClosed,
    /// The exit code of a verdict; everything was written.
    Verdict(u8),
}

/// The result of a command.
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

/// Errors of the commands of other packages.
impl From<Box<dyn Error>> for Failure {
    fn from(error: Box<dyn Error>) -> Self {
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
