//! The options of CodeBLEU, each declared once.

use bleuprint_registry::Opt;

use crate::Language;

bleuprint_core::choice! {
    /// The value of a data-flow score of 0.
    pub enum FlowZero {
        /// Counts as 1 if the reference has no data flow or none of it matches, as in the original program.
        One = "one",
        /// Counts as 0, as in the paper and in CodeXGLUE.
        Zero = "zero",
        /// Gives the data flow's weight to the other parts if the references have no data flow; otherwise counts
        /// as 0.
        Drop = "drop",
    }

    /// The unit of columns, by which names are cut out of lines.
    pub enum NameColumns {
        /// Byte offsets, as tree-sitter reports them.
        Bytes = "bytes",
        /// Offsets in characters, as in the original program: names after a character outside of ASCII are shifted.
        Characters = "characters",
    }
}

pub(crate) const LANG: Opt<Option<Language>> = Opt::optional_choice("codebleu-lang", "required")
    .counted("lang", "l")
    .help("The language of the programs; it decides on keywords, comments, grammar and data flow");

pub(crate) const WEIGHTS: Opt<Option<Vec<f64>>> =
    Opt::numbers("codebleu-weights", "0.25,0.25,0.25,0.25").finished("weights", "w").help(
        "The weights of n-grams, n-grams with keywords, syntax and data flow: at least 0, together above 0",
    );

pub(crate) const FLOW_ZERO: Opt<FlowZero> = Opt::choice("codebleu-flow-zero").finished("flow_zero", "fz").help(
    "What a data-flow score of 0 counts as: 1 as in the program, 0 as in the paper, or not at all where the references \
     have no flow",
);

pub(crate) const COLUMNS: Opt<NameColumns> =
    Opt::choice("codebleu-columns").counted("columns", "col").unless_default().help(
        "How names are cut out of lines with characters beyond ASCII: right, by bytes, or shifted, as in the program",
    );
