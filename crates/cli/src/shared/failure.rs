//! What ends the program early.

use bleuprint::{ConfigError, InputError};

/// What ends the program early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The usage, the configuration or the data is wrong: exit code 2.
    Message(String),
    /// The data is wrong: exit code 2.
    Input(InputError),
    /// Nobody reads our output any more: not an error of ours.
    OutputClosed,
    /// A verdict whose exit code this is; everything was written.
    Verdict(u8),
}

/// What a part of the program gives, unless it ends the program.
pub(crate) type Result<T, E = Failure> = std::result::Result<T, E>;

/// Ends the program with a message.
macro_rules! fail {
    ($($message:tt)*) => {
        return Err($crate::shared::failure::Failure::Message(format!($($message)*)))
    };
}
pub(crate) use fail;

impl Failure {
    /// The failure, told at its place in the input where that is known.
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
