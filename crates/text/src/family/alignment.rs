//! [`AlignmentOutput`]: tables, reports and alignments that a family adds to the command `align`.

use std::error::Error;
use std::fmt::{self, Write};

use bleuprint_core::{Result, Signature};

use crate::{FamilyOption, FamilyRequest};

/// An addition of a family to the command `align`, which shows the words of a system next to the words of the
/// references: a table of words, a report of another program, or another alignment.
#[derive(Clone, Copy)]
#[expect(clippy::exhaustive_structs, reason = "closed: a constant of a family")]
pub struct AlignmentOutput {
    /// The options that this addition needs.
    pub options: &'static [FamilyOption],
    /// The heading above the options in the help; `None` places them among the options of the command.
    pub heading: Option<&'static str>,
    /// `true` if the addition is a table, which the first of its options selects. A file of CSV has only one
    /// table.
    pub is_table: bool,
    /// The report of another program.
    pub report: Option<AlignmentReport>,
    /// The function that prepares the addition; it returns `None` if the user did not select it. The request
    /// also has the program's options `alignment`, `like` and `format`.
    pub open: OpenPart,
}

type OpenPart = fn(&FamilyRequest<'_>) -> Result<Option<Box<dyn AlignmentPart>>, Box<dyn Error>>;

/// A report of another program that the command `align` writes from the texts of all segments.
#[derive(Clone, Copy)]
#[expect(clippy::exhaustive_structs, reason = "closed: a constant of a family")]
pub struct AlignmentReport {
    /// The name of the program, as the value of `--like`.
    pub program: &'static str,
    /// The end of a sentence that describes the report in the help of `--like`. It follows the name.
    pub help: &'static str,
    /// The values of `--format` that select a form of the report. The first value is the default.
    pub forms: &'static [&'static str],
    /// The function that writes the report.
    pub write: WriteReport,
}

type WriteReport = fn(&FamilyRequest<'_>, ReportTexts<'_>, &mut dyn Write) -> Result<(), Box<dyn Error>>;

/// The texts of all segments for an [`AlignmentReport`].
#[derive(Debug, Clone)]
#[expect(clippy::exhaustive_structs, reason = "closed: files and texts are all that is given")]
pub struct ReportTexts<'t> {
    /// The chosen form, one of [`AlignmentReport::forms`].
    pub form: &'t str,
    /// The names of the files with the references and the hypotheses.
    pub files: [&'t str; 2],
    /// Id, reference and hypothesis of each segment, with one space between tokens.
    pub segments: Vec<[String; 3]>,
}

/// A prepared addition to the command `align`. The program calls `align` and `add` for each segment, then
/// `sign` and `tables`.
pub trait AlignmentPart {
    /// Aligns the tokens of a segment in place of the program. `None` leaves the alignment to the program.
    ///
    /// # Errors
    /// Returns an error if the texts of the segment have no such alignment.
    fn align(&self, _hypothesis: &[&str], _references: &[&[&str]]) -> Result<Option<Vec<AlignedPair>>> {
        Ok(None)
    }

    /// Counts the aligned tokens of a segment: the tokens of the chosen reference and of the hypothesis.
    ///
    /// # Errors
    /// Returns an error if the tokens cannot be counted.
    fn add(&mut self, _reference: &[&str], _hypothesis: &[&str]) -> Result<()> {
        Ok(())
    }

    /// Returns the signature with the fields of this addition, if it changes the alignment.
    fn sign(&self, signature: Signature) -> Signature {
        signature
    }

    /// Returns the tables of the counted tokens. A table that can be long has at most `most` rows.
    fn tables(&self, _most: usize) -> Vec<WordTable> {
        Vec::new()
    }
}

/// A step of an alignment: a token of each side, or of one side alone.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "closed: both sides and whether they agree")]
pub struct AlignedPair {
    /// The token of the reference; `None` if the hypothesis token is inserted.
    pub reference: Option<String>,
    /// The token of the hypothesis; `None` if the reference token is deleted.
    pub hypothesis: Option<String>,
    /// `true` if both tokens count as equal.
    pub is_match: bool,
}

/// A table of words with counts and one rate. In JSON it is a list of objects without the rate, or one object
/// if a row has one word and one count.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "closed: a table of words and counts")]
pub struct WordTable {
    /// The title of the table, and its key in JSON.
    pub name: &'static str,
    /// The headings of the words.
    pub words: &'static [&'static str],
    /// The headings of the counts.
    pub counts: &'static [&'static str],
    /// The heading of the rate.
    pub rate: &'static str,
    /// The rows of the table.
    pub rows: Vec<WordTableRow>,
}

/// A row of a [`WordTable`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "closed: a row of words and counts")]
pub struct WordTableRow {
    /// One word for each heading of words.
    pub words: Vec<String>,
    /// One count for each heading of counts.
    pub counts: Vec<u64>,
    /// Numerator and denominator of the rate. A denominator of 0 means that there is no rate.
    pub rate: [u64; 2],
}

impl fmt::Debug for AlignmentOutput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let options: Vec<&str> = self.options.iter().map(|option| option.name).collect();
        f.debug_struct("AlignmentOutput").field("options", &options).finish_non_exhaustive()
    }
}

impl fmt::Debug for AlignmentReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AlignmentReport").field("program", &self.program).finish_non_exhaustive()
    }
}
