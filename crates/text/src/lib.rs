//! Text processing for metrics: readers turn files into segments, normalizers rewrite lines, and tokenizers
//! split lines into tokens.
//!
//! ```text
//! bytes --read--> segments --normalize--> segments --tokenize--> tokens
//! ```
//!
//! This crate has no n-grams, metrics or scores. Each tokenizer gives exactly the tokens of the program it is
//! named after, because BLEU scores are comparable only if the tokens agree.
//!
//! ```
//! use bleuprint_text::{TokenBuffer, TokenizerOptions, tokenizer};
//! let thirteen_a = tokenizer("13a", &TokenizerOptions::default())?;
//! let mut buffer = TokenBuffer::default();
//! let tokens = thirteen_a.tokenize("Prices rose by 1,000.50, didn't they?", &mut buffer)?;
//! assert_eq!(tokens.to_string(), "Prices rose by 1,000.50 , didn't they ?");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

/// Implements a trait method of a pointer type: it calls the same method of the value that the pointer refers
/// to.
macro_rules! method {
    (fn $name:ident $(<$a:lifetime>)? (&self $(, $argument:ident: $type:ty)*) -> $result:ty) => {
        fn $name $(<$a>)? (&self $(, $argument: $type)*) -> $result {
            (**self).$name($($argument),*)
        }
    };
}

mod char_table;
mod family;
mod family_tokenizer;
mod lowercase;
mod names;
mod normalize;
pub mod read;
mod reader;
mod script;
pub mod tokenize;
mod unicode;
mod units;
pub mod whitespace;

pub use family::{
    AlignedPair, AlignmentOutput, AlignmentPart, AlignmentReport, CommandAnswer, Families, Family,
    FamilyCommand, FamilyExplanation, FamilyOption, FamilyPage, FamilyRequest, FamilyRun, OptionValues,
    ProgramServices, ReportTexts, RoundedTarget, TextScorer, WordTable, WordTableRow,
};
pub use lowercase::{lowercase, lowercase_ascii};
pub use normalize::{
    Chain, Normalizer, NormalizerEntry, NormalizerFindings, Normalizers, StrippedMarks, is_invisible,
    is_nonspacing,
};
pub use read::{Encoding, FileText, LineReader, Newlines};
pub use reader::{PartedText, ReadSegments, ReaderEntry, ReaderFiles, ReaderOption, SegmentKind};
pub use script::{ScriptAdvice, ScriptCounts, script_advice};
pub use tokenize::{
    Takes, TokenBuffer, TokenSpans, Tokenizer, TokenizerEntry, TokenizerOptions, TokenizerRequest,
    Tokenizers, Tokens, run_in_python, tokenizer, tokenizer_for_pair,
};
pub use units::units;
