//! A reader of subtitles in the format SRT, and the choice between SRT and WebVTT. Files and texts are read line
//! by line, so that their errors are equal.

use std::mem::take;

use bleuprint_core::{InputError, Location, Result};
use bleuprint_text::read::FileKind;
use bleuprint_text::whitespace::strip;
use bleuprint_text::{Encoding, LineReader, whitespace};

use crate::given::{TimeOrder, require_duration};
use crate::vtt::{VttReader, is_signature};
use crate::{Subtitle, Subtitles};

impl Subtitles {
    /// Reads subtitles from a file in the format SRT or WebVTT; a first line `WEBVTT` shows WebVTT. A block of SRT
    /// is a number, a line of times `00:00:01,000 --> 00:00:02,500`, lines of text, and a blank line. Decimals
    /// follow a comma or a point. Subtitles without text are left out. In WebVTT tags are no part of the text.
    ///
    /// ```no_run
    /// let subtitles = bleuprint_subtitles::Subtitles::open("film.srt").unwrap();
    /// assert_eq!(subtitles.0[0].text, "Good morning.");
    /// ```
    ///
    /// # Errors
    /// Returns an error with the line in these cases:
    ///
    /// - the file cannot be read, or its name ends in `.vtt`, but its first line is not `WEBVTT`;
    /// - a block has no number or no times;
    /// - the text of a subtitle contains times, because a blank line is missing;
    /// - times are malformed, not in order, or end before they start;
    /// - a subtitle with text has no duration;
    /// - more than 1000 subtitles are shown at one time.
    pub fn open(path: &str) -> Result<Self> {
        Self::read(path, false)
    }

    /// Reads subtitles like [`Subtitles::open`]. With `plain`, tags of SRT are no part of the text.
    pub(crate) fn read(path: &str, plain: bool) -> Result<Self> {
        let mut lines = LineReader::open(path, Encoding::Utf8Sig)?;
        let mut reader = SubtitleReader::default();
        while lines.advance()? {
            reader.line(lines.line()).map_err(|error| error.at(lines.location()))?;
        }
        if FileKind::Vtt.is_named(path) && !matches!(reader, SubtitleReader::Vtt(_)) {
            let message = "the first line of WebVTT must be `WEBVTT`; a file of SRT ends in .srt";
            return Err(InputError::malformed(message).at(Location::file(path)));
        }
        let is_srt = matches!(reader, SubtitleReader::Srt(_));
        let mut all = reader.finish().map_err(|error| error.at(lines.location()))?;
        if plain && is_srt {
            all.0.iter_mut().for_each(|one| one.text = without_tags(&one.text));
        }
        Ok(all)
    }

    /// Reads the subtitles from the text of a file, by the rules of [`Subtitles::open`].
    ///
    /// # Errors
    /// Returns the errors of [`Subtitles::open`], except errors of reading a file.
    pub fn from_text(text: &str) -> Result<Self> {
        let mut reader = SubtitleReader::default();
        let at = |line: usize| Location { line: Some(line as u64), ..Location::default() };
        let mut count = 0;
        let text = text.trim_start_matches('\u{FEFF}');
        // A line feed at the end begins no further line.
        for line in text.strip_suffix('\n').unwrap_or(text).split('\n') {
            count += 1;
            reader.line(line).map_err(|error| error.at(at(count)))?;
        }
        reader.finish().map_err(|error| error.at(at(count)))
    }
}

/// Names of the tags that players of SRT know.
const TAGS: [&str; 5] = ["i", "b", "u", "s", "font"];

/// Returns the text without the tags of SRT, such as `<i>` and `{\\an8}`. Other text in angle brackets is kept.
fn without_tags(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['<', '{']) {
        plain.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = rest.find(if rest.starts_with('<') { '>' } else { '}' });
        let inner = end.map(|end| &rest[1..end]);
        let is_tag = |inner: &str| {
            let name = inner.trim_start_matches('/').split([' ', '\t']).next().unwrap_or_default();
            if rest.starts_with('{') {
                inner.starts_with('\\')
            } else {
                TAGS.contains(&&*name.to_ascii_lowercase())
            }
        };
        // Only the bracket is kept of what is no tag, since a tag may follow it.
        let skipped = match (end, inner) {
            (Some(end), Some(inner)) if is_tag(inner) => end + 1,
            _ => {
                plain.push_str(&rest[..1]);
                1
            }
        };
        rest = &rest[skipped..];
    }
    plain.push_str(rest);
    plain
}

/// A reader of subtitles whose format the first line shows.
#[derive(Debug, Default)]
enum SubtitleReader {
    #[default]
    Unknown,
    Srt(SrtReader),
    Vtt(VttReader),
}

impl SubtitleReader {
    fn line(&mut self, line: &str) -> Result<()> {
        match self {
            SubtitleReader::Unknown if is_signature(strip(line)) => {
                *self = SubtitleReader::Vtt(VttReader::default());
                Ok(())
            }
            SubtitleReader::Unknown => {
                let mut reader = SrtReader::default();
                let read = reader.line(line);
                *self = SubtitleReader::Srt(reader);
                read
            }
            SubtitleReader::Srt(reader) => reader.line(line),
            SubtitleReader::Vtt(reader) => reader.line(line),
        }
    }

    fn finish(self) -> Result<Subtitles> {
        match self {
            SubtitleReader::Unknown => Ok(Subtitles::default()),
            SubtitleReader::Srt(reader) => reader.finish(),
            SubtitleReader::Vtt(reader) => reader.finish(),
        }
    }
}

#[derive(Debug, Default)]
enum SrtBlock {
    #[default]
    None,
    Numbered,
    Timed(Subtitle),
}

#[derive(Debug, Default)]
struct SrtReader {
    all: Vec<Subtitle>,
    block: SrtBlock,
    order: TimeOrder,
}

impl SrtReader {
    fn line(&mut self, line: &str) -> Result<()> {
        let line = strip(line);
        match (&mut self.block, line) {
            (SrtBlock::None | SrtBlock::Numbered, "") => {}
            (SrtBlock::None, number) => {
                if !number.bytes().all(|byte| byte.is_ascii_digit()) {
                    let message =
                        format!("the number of a subtitle is `{number}`, but must consist of digits");
                    return Err(InputError::malformed(message));
                }
                self.block = SrtBlock::Numbered;
            }
            (SrtBlock::Numbered, times) => {
                let (start, end) = read_times(times)?;
                self.order.next(start, end)?;
                self.block = SrtBlock::Timed(Subtitle { start, end, text: String::new() });
            }
            (SrtBlock::Timed(_), "") => self.close(),
            (SrtBlock::Timed(subtitle), words) => {
                // A missing blank line would otherwise turn the next subtitle into text, unnoticed.
                if read_times(words).is_ok() {
                    let message = format!(
                        "the text of a subtitle contains the times `{words}`: a blank line must end it, before the next number"
                    );
                    return Err(InputError::malformed(message));
                }
                if subtitle.text.is_empty() {
                    require_duration(subtitle.start, subtitle.end)?;
                } else {
                    subtitle.text.push('\n');
                }
                subtitle.text.push_str(words);
            }
        }
        Ok(())
    }

    fn close(&mut self) {
        if let SrtBlock::Timed(subtitle) = take(&mut self.block)
            && !subtitle.text.is_empty()
        {
            self.all.push(subtitle);
        }
    }

    fn finish(mut self) -> Result<Subtitles> {
        // A file that ends here was cut short; without the error the rate would change unnoticed.
        if let SrtBlock::Numbered = self.block {
            return Err(InputError::malformed("the last subtitle has a number, but no times"));
        }
        self.close();
        Ok(Subtitles(self.all))
    }
}

fn read_times(line: &str) -> Result<(f64, f64)> {
    let fields: Vec<&str> = whitespace::split(line).collect();
    let times = match fields[..] {
        [start, "-->", end] => seconds(start).zip(seconds(end)),
        _ => None,
    };
    times.ok_or_else(|| {
        let message = format!("the times are `{line}`, but must be like `00:00:01,000 --> 00:00:02,500`");
        InputError::malformed(message)
    })
}

/// Parses a time such as `00:00:01,000` and returns it in seconds. It is rounded to whole microseconds, so
/// that equal times are equal numbers.
fn seconds(time: &str) -> Option<f64> {
    let (whole, decimals) = time.split_once([',', '.'])?;
    seconds_of(whole, decimals)
}

/// Returns the seconds of hours, minutes and seconds, such as `00:00:01`, and of the digits after the point.
pub(crate) fn seconds_of(whole: &str, decimals: &str) -> Option<f64> {
    // At most 6 digits each, so the sum of microseconds fits in 64 bits.
    let parts: Vec<u64> = whole.split(':').map(|part| digits(part, 6)).collect::<Option<_>>()?;
    let [hours, minutes @ 0..60, seconds @ 0..60] = parts[..] else { return None };
    let micros = digits(decimals, 6)? * 10_u64.pow(6 - decimals.len() as u32);
    Some((((hours * 60 + minutes) * 60 + seconds) * 1_000_000 + micros) as f64 / 1e6)
}

fn digits(text: &str, most: usize) -> Option<u64> {
    let fits = (1..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    if fits { text.parse().ok() } else { None }
}

#[cfg(test)]
#[test]
fn tags_of_players_are_no_text() {
    for (text, plain) in [
        ("<i>Good</i> <FONT color=\"red\">day</font>", "Good day"),
        ("{\\an8}up {low} <3 <b", "up {low} <3 <b"),
        ("a < b <i> c > d", "a < b  c > d"),
        ("<image> </u>", "<image> "),
    ] {
        assert_eq!(without_tags(text), plain);
    }
}
