//! [`read_docs`]: reads the domain and the document of every segment of a test set from a file.

use bleuprint::contract::counted;
use bleuprint::text::{Encoding, LineReader};
use bleuprint::{InputError, Result};

/// Domain and document that one segment belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DocLine {
    pub(crate) domain: String,
    pub(crate) document: String,
}

/// Reads a file with one line `domain document` for each segment.
///
/// # Errors
/// Returns an error for a line that does not have two fields, and the errors of [`LineReader`].
pub(crate) fn read_docs(path: &str) -> Result<Vec<DocLine>> {
    let mut lines = LineReader::open(path, Encoding::Utf8Sig)?;
    let mut line = String::new();
    let mut docs = Vec::new();
    while lines.next(&mut line)? {
        match line.split_whitespace().collect::<Vec<_>>()[..] {
            [domain, document] => {
                docs.push(DocLine { domain: domain.to_owned(), document: document.to_owned() });
            }
            ref fields => {
                let found = counted(fields.len(), "field");
                let message = format!("{found}, but a line is `domain document`: `{line}`");
                return Err(InputError::malformed(message).at(lines.location()));
            }
        }
    }
    Ok(docs)
}
