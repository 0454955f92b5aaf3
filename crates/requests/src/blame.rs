//! Finds the file and line of a text that a tokenizer rejected. The reader of parallel files knows only the
//! number of the segment.

use bleuprint::text::LineReader;
use bleuprint::text::TokenBuffer;
use bleuprint::{InputError, Location, Tokenizer};

use crate::request::sources::StreamsRequest;

/// Adds to an error the file and line of the text that a tokenizer rejected, found by reading the files
/// again. If no file contains such a text, the location is standard input. If standard input was not read,
/// the error is returned unchanged.
pub(crate) fn blamed(
    error: InputError,
    streams: &StreamsRequest,
    tokenizers: &[Box<dyn Tokenizer>],
) -> InputError {
    let Some(segment) =
        error.location().segment.filter(|_| error.location().file.is_none() && !tokenizers.is_empty())
    else {
        return error;
    };
    let mut buffer = TokenBuffer::default();
    let mut unread = None;
    for file in streams.files() {
        // A stream cannot be read again, so it is the suspect if no file is at fault.
        if !std::path::Path::new(file).is_file() {
            unread = Some(if file == "-" { "<stdin>" } else { file });
            continue;
        }
        let Some(line) = line(file, segment, streams) else { continue };
        let refused = tokenizers.iter().find_map(|tokenizer| tokenizer.tokenize(&line, &mut buffer).err());
        if let Some(own) = refused {
            return own.at(Location::line(file, segment));
        }
    }
    match unread {
        Some(file) => error.renumbered(Location::line(file, segment)),
        None => error,
    }
}

/// Returns the line with this number, counted from 1, or `None` if the file has no such line.
fn line(file: &str, number: u64, streams: &StreamsRequest) -> Option<String> {
    let mut lines = LineReader::open(file, streams.encoding).ok()?.with_line_ends(streams.raw_lines);
    let mut line = String::new();
    for _ in 0..number {
        if !lines.next(&mut line).ok()? {
            return None;
        }
    }
    Some(line)
}
