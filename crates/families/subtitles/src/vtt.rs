//! A reader of subtitles in the format WebVTT. Tags and character references in the text are read by the
//! specification of the format: tags are no part of the text.

use std::mem::take;

use bleuprint_core::{InputError, Result};
use bleuprint_text::whitespace;
use bleuprint_text::whitespace::strip;

use crate::given::{TimeOrder, require_duration};
use crate::{Subtitle, Subtitles};

/// The text at the start of every file in the format WebVTT.
const SIGNATURE: &str = "WEBVTT";

/// Returns `true` if the first line of a file shows the format WebVTT.
pub(crate) fn is_signature(line: &str) -> bool {
    line.strip_prefix(SIGNATURE).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t']))
}

/// A block of a file in the format WebVTT; a blank line ends it.
#[derive(Debug, Default)]
enum VttBlock {
    /// The lines after the signature, which have metadata.
    #[default]
    Header,
    None,
    /// A comment, a style sheet or a region.
    Skipped,
    /// The identifier of a cue, whose times follow.
    Named(String),
    Timed(Subtitle),
}

#[derive(Debug, Default)]
pub(crate) struct VttReader {
    all: Vec<Subtitle>,
    block: VttBlock,
    order: TimeOrder,
}

impl VttReader {
    /// Reads a line after the signature.
    pub(crate) fn line(&mut self, line: &str) -> Result<()> {
        let line = strip(line);
        match (&mut self.block, line) {
            (VttBlock::Header | VttBlock::None | VttBlock::Skipped, "") => self.block = VttBlock::None,
            (VttBlock::Header, metadata) if !metadata.contains("-->") => {}
            (VttBlock::Skipped, _) => {}
            (VttBlock::Named(name), "") => {
                return Err(InputError::malformed(format!("the cue `{name}` has no times")));
            }
            (VttBlock::None, line) if is_skipped(line) => self.block = VttBlock::Skipped,
            (VttBlock::None, line) if !line.contains("-->") => self.block = VttBlock::Named(line.to_owned()),
            // A cue may follow the signature without a blank line.
            (VttBlock::Header | VttBlock::None | VttBlock::Named(_), times) => {
                let (start, end) = read_times(times)?;
                self.order.next(start, end)?;
                self.block = VttBlock::Timed(Subtitle { start, end, text: String::new() });
            }
            (VttBlock::Timed(_), "") => self.close(),
            (VttBlock::Timed(subtitle), words) => {
                // The arrow is not allowed in a text: it shows that a blank line is missing.
                if words.contains("-->") {
                    return Err(InputError::malformed(format!(
                        "the text of a cue contains the times `{words}`: a blank line must end it"
                    )));
                }
                let words = plain(words);
                if !words.is_empty() {
                    if subtitle.text.is_empty() {
                        require_duration(subtitle.start, subtitle.end)?;
                    } else {
                        subtitle.text.push('\n');
                    }
                    subtitle.text.push_str(&words);
                }
            }
        }
        Ok(())
    }

    fn close(&mut self) {
        if let VttBlock::Timed(subtitle) = take(&mut self.block)
            && !subtitle.text.is_empty()
        {
            self.all.push(subtitle);
        }
        self.block = VttBlock::None;
    }

    pub(crate) fn finish(mut self) -> Result<Subtitles> {
        if let VttBlock::Named(name) = &self.block {
            return Err(InputError::malformed(format!("the cue `{name}` has no times")));
        }
        self.close();
        Ok(Subtitles(self.all))
    }
}

/// Returns `true` if a line begins a block without cues.
fn is_skipped(line: &str) -> bool {
    line == "STYLE"
        || line == "REGION"
        || line == "NOTE"
        || line.starts_with("NOTE ")
        || line.starts_with("NOTE\t")
}

/// Reads the times of a cue; settings such as `align:start` may follow them.
fn read_times(line: &str) -> Result<(f64, f64)> {
    let mut fields = whitespace::split(line);
    let times = match (fields.next(), fields.next(), fields.next()) {
        (Some(start), Some("-->"), Some(end)) => seconds(start).zip(seconds(end)),
        _ => None,
    };
    times.ok_or_else(|| {
        let message = format!("the times are `{line}`, but must be like `00:01.000 --> 00:00:02.500`");
        InputError::malformed(message)
    })
}

/// Parses a time such as `01:02.500` or `00:01:02.500` and returns it in seconds.
fn seconds(time: &str) -> Option<f64> {
    let (whole, decimals) = time.split_once('.')?;
    let with_hours = if whole.matches(':').count() == 1 { format!("0:{whole}") } else { whole.to_owned() };
    if decimals.len() == 3 { crate::srt::seconds_of(&with_hours, decimals) } else { None }
}

/// Returns the text of a line: without tags such as `<v Ann>`, `<i>` or `<00:01.000>`, and with the characters
/// that references such as `&amp;` mean.
fn plain(line: &str) -> String {
    let mut text = String::new();
    let mut rest = line;
    while let Some(at) = rest.find(['<', '&']) {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        if rest.starts_with('<') {
            // A tag without its end reaches to the end of the line, as in the specification.
            rest = rest.find('>').map_or("", |end| &rest[end + 1..]);
            continue;
        }
        let meant = rest.find(';').and_then(|end| Some((referred(&rest[1..end])?, &rest[end + 1..])));
        match meant {
            Some((c, after)) => {
                text.push(c);
                rest = after;
            }
            None => {
                text.push('&');
                rest = &rest[1..];
            }
        }
    }
    text.push_str(rest);
    strip(&text).to_owned()
}

/// Returns the character of a reference, such as `amp` or `#39`.
fn referred(name: &str) -> Option<char> {
    let code = |digits: &str, base: u32| u32::from_str_radix(digits, base).ok().and_then(char::from_u32);
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        "nbsp" => Some('\u{a0}'),
        "lrm" => Some('\u{200e}'),
        "rlm" => Some('\u{200f}'),
        _ => match name.strip_prefix('#')? {
            digits if digits.starts_with(['x', 'X']) => code(&digits[1..], 16),
            digits => code(digits, 10),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILM: &str = "WEBVTT - a film\nKind: captions\n\nNOTE\nmade --> by hand\n\nSTYLE\n::cue { color: red }\n\n\
        intro\n00:01.000 --> 00:02.500 align:start\n<v Ann>Tom &amp; <i>Jerry</i>\n<c.loud>&lt;run&gt;\n\n\
        00:00:03.000 --> 01:00:04.000\nR&D &#x41;&#66; &nosuch; <00:03.500>now <b\n";

    #[test]
    fn cues_have_the_text_of_the_specification() {
        let film = Subtitles::from_text(FILM).unwrap();
        let seen: Vec<_> = film.0.iter().map(|one| (one.start, one.end, &*one.text)).collect();
        let expected = [(1.0, 2.5, "Tom & Jerry\n<run>"), (3.0, 3604.0, "R&D AB &nosuch; now")];
        assert_eq!(seen, expected);
        assert!(Subtitles::from_text("WEBVTT").unwrap().0.is_empty());
    }

    #[test]
    fn malformed_cues_name_their_line() {
        for (text, line, message) in [
            ("WEBVTT\n\na\n\n", 4, "the cue `a` has no times"),
            ("WEBVTT\n\na", 3, "the cue `a` has no times"),
            ("WEBVTT\n\n00:01,000 --> 00:02.000\n", 3, "must be like `00:01.000 -->"),
            ("WEBVTT\n\n00:02.000 --> 00:01.000\na\n", 3, "before its start"),
            (
                "WEBVTT\n\n00:01.000 --> 00:02.000\na\n00:02.000 --> 00:03.000\n",
                5,
                "a blank line must end it",
            ),
            ("WEBVTT\n\n00:01.000 --> 00:01.000\na\n", 4, "starts and ends at 1 s"),
        ] {
            let error = Subtitles::from_text(text).unwrap_err();
            assert_eq!(error.location().line, Some(line), "{text}");
            assert!(error.to_string().contains(message), "{error}");
        }
    }
}
