//! A reader of subtitles in the format SRT. Files and strings are read by the same code, so they give the
//! same errors.

use std::mem::take;

use bleuprint_core::{InputError, Location, Result};
use bleuprint_text::whitespace::strip;
use bleuprint_text::{Encoding, LineReader, whitespace};

use crate::given::{TimeOrder, require_duration};
use crate::{Subtitle, Subtitles};

impl Subtitles {
    /// Reads subtitles from a file in the format SRT. Each block is a number, a line of times `00:00:01,000
    /// --> 00:00:02,500`, lines of text, and a blank line. Decimals follow a comma or a point. Subtitles
    /// without text are left out.
    ///
    /// ```no_run
    /// let subtitles = bleuprint_subtitles::Subtitles::open("film.srt").unwrap();
    /// assert_eq!(subtitles.0[0].text, "Good morning.");
    /// ```
    ///
    /// # Errors
    /// Returns an error with the line in these cases:
    ///
    /// - the file cannot be read;
    /// - a block has no number or no times;
    /// - the text of a subtitle contains times, because a blank line is missing;
    /// - times are malformed, not in order, or end before they start;
    /// - a subtitle with text has no duration;
    /// - more than 1000 subtitles are shown at one time.
    pub fn open(path: &str) -> Result<Self> {
        let mut lines = LineReader::open(path, Encoding::Utf8Sig)?;
        let mut reader = SrtReader::default();
        while lines.advance()? {
            reader.line(lines.line()).map_err(|error| error.at(lines.location()))?;
        }
        reader.finish().map_err(|error| error.at(lines.location()))
    }

    /// Reads the subtitles from SRT text, by the rules of [`Subtitles::open`].
    ///
    /// # Errors
    /// Returns the errors of [`Subtitles::open`], except errors of reading a file.
    pub fn from_srt(text: &str) -> Result<Self> {
        let mut reader = SrtReader::default();
        let at = |line: usize| Location { line: Some(line as u64), ..Location::default() };
        let mut count = 0;
        for line in text.trim_start_matches('\u{FEFF}').split('\n') {
            count += 1;
            reader.line(line).map_err(|error| error.at(at(count)))?;
        }
        reader.finish().map_err(|error| error.at(at(count)))
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
