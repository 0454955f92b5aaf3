//! Which of several parallel files an error of a segment is in: the reader of the segment no longer knows.

use bleuprint::text::Lines;
use bleuprint::text::TokenBuffer;
use bleuprint::{InputError, Location, Tokenizer};

use crate::request::sources::StreamsRequest;

/// Finds the file and line that a tokenizer refuses by reading the files again. If none is found, standard input is
/// blamed; if that was not read, the error stays.
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

/// From 1.
fn line(file: &str, number: u64, streams: &StreamsRequest) -> Option<String> {
    let mut lines = Lines::open(file, streams.encoding).ok()?.with_line_ends(streams.raw_lines);
    let mut line = String::new();
    for _ in 0..number {
        if !lines.next(&mut line).ok()? {
            return None;
        }
    }
    Some(line)
}
