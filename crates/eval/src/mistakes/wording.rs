//! [`MistakeWording`]: the names of options in messages, as users of an interface write them.

/// Interface whose users read a message, which decides how options are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum MistakeWording {
    /// The command line: `--norm nfc`.
    Program,
    /// Python: `norm="nfc"`.
    Python,
}

impl MistakeWording {
    /// Returns an option of all metrics with its value, such as `--norm nfc`.
    pub(super) fn option(self, name: &str, value: &str) -> String {
        match self {
            MistakeWording::Program => format!("`--{name} {value}`"),
            MistakeWording::Python => format!("`{}=\"{value}\"`", name.replace('-', "_")),
        }
    }

    /// Returns the text for the command line or the text for Python.
    pub(super) fn choose(self, program: &'static str, python: &'static str) -> &'static str {
        match self {
            MistakeWording::Program => program,
            MistakeWording::Python => python,
        }
    }
}
