//! [`MistakeWording`]: how messages write options: as on the command line or as in Python.

/// Interface (command line or Python) whose syntax messages use for options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum MistakeWording {
    /// Command-line syntax for options in messages, such as `--norm nfc`.
    Program,
    /// Python syntax for options in messages, such as `norm="nfc"`.
    Python,
}

impl MistakeWording {
    /// Returns an option with its value in the syntax of this interface: `--norm nfc` or `norm="nfc"`, in
    /// backquotes.
    pub(super) fn option(self, name: &str, value: &str) -> String {
        match self {
            MistakeWording::Program => format!("`--{name} {value}`"),
            MistakeWording::Python => format!("`{}=\"{value}\"`", name.replace('-', "_")),
        }
    }

    /// Returns `program` for the command line, or `python` for Python.
    pub(super) fn choose(self, program: &'static str, python: &'static str) -> &'static str {
        match self {
            MistakeWording::Program => program,
            MistakeWording::Python => python,
        }
    }
}
