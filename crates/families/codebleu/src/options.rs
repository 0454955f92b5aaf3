//! Options of CodeBLEU, each declared once for the builder, the registry and the signature.

use bleuprint_registry::{Opt, settings};

use crate::Language;

bleuprint_core::choice! {
    /// How CodeBLEU counts the data-flow part if its score is 0.
    pub enum FlowZero {
        /// A data-flow score of 0 counts as 1, as in the original program. The score is 0 if the reference
        /// has no data flow or none of it matches.
        One = "one",
        /// A data-flow score of 0 counts as 0, even if the reference has no data flow, as in the paper and in
        /// CodeXGLUE.
        Zero = "zero",
        /// If the references have no data flow, the other three parts of CodeBLEU share the weight of the
        /// data-flow part. Otherwise a data-flow score of 0 counts as 0.
        Drop = "drop",
    }

    /// Unit in which columns of source code lines are counted. CodeBLEU extracts variable names from the text
    /// by line and column.
    pub enum NameColumns {
        /// Columns are byte offsets in a line of source code, as the parser tree-sitter reports them, so that
        /// variable names are extracted correctly.
        Bytes = "bytes",
        /// The parser's byte offsets in a line of source code are used as character offsets, as in the
        /// original program. Variable names after a character outside of ASCII are therefore extracted
        /// wrongly.
        Characters = "characters",
    }
}

settings! {
    /// The options as users give them.
    pub(crate) struct CodeBleuSettings {
        /// The language of the programs; it decides on keywords, comments, grammar and data flow
        pub(crate) language: Option<Language> =
            Opt::optional_choice("codebleu-lang", "required").counted("lang", "l");
        /// The weights of n-grams, n-grams with keywords, syntax and data flow: at least 0, together above 0
        pub(crate) weights: Option<Vec<f64>> =
            Opt::numbers("codebleu-weights", "0.25,0.25,0.25,0.25").finished("weights", "w");
        /// The meaning of a data-flow score of 0: 1 as in the program, 0 as in the paper, or not at all where the references
        /// have no flow
        pub(crate) flow_zero: FlowZero = Opt::choice("codebleu-flow-zero").finished("flow_zero", "fz");
        /// How names are cut out of lines with characters beyond ASCII: right, by bytes, or shifted, as in the program
        pub(crate) columns: NameColumns =
            Opt::choice("codebleu-columns").counted("columns", "col").unless_default();
    }
}
