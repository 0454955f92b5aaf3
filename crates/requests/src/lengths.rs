//! Checks that parallel files have the same number of lines.

use bleuprint::text::read::count_lines;
use bleuprint::text::{Encoding, LineReader};
use bleuprint::{InputError, InputErrorKind};

use crate::request::StreamsRequest;

/// Returns the error for two files with different numbers of lines, with the likely cause.
pub(crate) fn unlike_lengths(
    (left, left_len): (String, u64),
    (right, right_len): (String, u64),
) -> InputError {
    let (longer, from) = if left_len > right_len { (&left, right_len) } else { (&right, left_len) };
    let hint = match left_len {
        0 if left == "<stdin>" => {
            "; without -i, outputs are read from standard input: -i FILE names a file of them"
        }
        _ if is_blank_from(longer, from) => {
            "; the last lines of the longer one are empty: was a line end added?"
        }
        _ => "",
    };
    let kind = InputErrorKind::LengthMismatch { left, left_len, right, right_len };
    if hint.is_empty() { kind.into() } else { InputError::malformed(format!("{kind}{hint}")) }
}

/// Returns `true` if all lines of a file after the first `first` lines are empty.
fn is_blank_from(file: &str, first: u64) -> bool {
    if !std::path::Path::new(file).is_file() {
        return false;
    }
    let Ok(mut lines) = LineReader::open(file, Encoding::Utf8) else { return false };
    while let Ok(true) = lines.advance() {
        if lines.read() > first && !lines.line().is_empty() {
            return false;
        }
    }
    true
}

/// Checks that parallel files have equally many lines, before anything is printed. Standard input and pipes
/// are skipped, because they cannot be read twice.
pub(crate) fn check_lengths(request: &StreamsRequest) -> Result<(), InputError> {
    let mut first: Option<(&str, u64)> = None;
    for file in request.files() {
        let Some(len) = count_lines(file)? else { continue };
        match first {
            Some((left, left_len)) if left_len != len => {
                return Err(unlike_lengths((left.to_owned(), left_len), (file.to_owned(), len)));
            }
            _ => first = first.or(Some((file, len))),
        }
    }
    Ok(())
}
