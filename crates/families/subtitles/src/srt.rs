//! The reader of SRT, a line at a time: files and texts have the same errors.

use std::mem::take;

use bleuprint_core::{InputError, Location, Result};
use bleuprint_text::whitespace::strip;
use bleuprint_text::{Encoding, Lines, whitespace};

use crate::given::Order;
use crate::{Subtitle, Subtitles};

impl Subtitles {
    /// Reads a file of SRT: blocks of a number, a line of times `00:00:01,000 --> 00:00:02,500` and lines of text, each block ended by a
    /// blank line. A comma or a point is before the decimals. Subtitles without text are left out.
    ///
    /// ```no_run
    /// let subtitles = bleuprint_subtitles::Subtitles::open("film.srt").unwrap();
    /// assert_eq!(subtitles.0[0].text, "Good morning.");
    /// ```
    ///
    /// # Errors
    /// Those of reading; a block without number or times, or with times in its text, where a blank line is missing; times that are
    /// malformed, fall, or end before they start; more than 1000 subtitles at one time. Each names the line.
    pub fn open(path: &str) -> Result<Self> {
        let mut lines = Lines::open(path, Encoding::Utf8Sig)?;
        let mut reader = Reader::default();
        while lines.advance()? {
            reader.line(lines.line()).map_err(|error| error.at(lines.location()))?;
        }
        reader.finish().map_err(|error| error.at(lines.location()))
    }

    /// The subtitles of a text of SRT, by the rules of [`Subtitles::open`].
    ///
    /// # Errors
    /// The same.
    pub fn from_srt(text: &str) -> Result<Self> {
        let mut reader = Reader::default();
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
enum Block {
    #[default]
    None,
    Numbered,
    Timed(Subtitle),
}

#[derive(Debug, Default)]
struct Reader {
    all: Vec<Subtitle>,
    block: Block,
    order: Order,
}

impl Reader {
    fn line(&mut self, line: &str) -> Result<()> {
        let line = strip(line);
        match (&mut self.block, line) {
            (Block::None | Block::Numbered, "") => {}
            (Block::None, number) => {
                if !number.bytes().all(|byte| byte.is_ascii_digit()) {
                    let message = format!("the number of a subtitle is `{number}`, but must be of digits");
                    return Err(InputError::malformed(message));
                }
                self.block = Block::Numbered;
            }
            (Block::Numbered, times) => {
                let (start, end) = read_times(times)?;
                self.order.next(start, end)?;
                self.block = Block::Timed(Subtitle { start, end, text: String::new() });
            }
            (Block::Timed(_), "") => self.close(),
            (Block::Timed(subtitle), words) => {
                if read_times(words).is_ok() {
                    let message = format!(
                        "the times `{words}` within the text of a subtitle: a blank line ends it, before the next number"
                    );
                    return Err(InputError::malformed(message));
                }
                if !subtitle.text.is_empty() {
                    subtitle.text.push('\n');
                }
                subtitle.text.push_str(words);
            }
        }
        Ok(())
    }

    fn close(&mut self) {
        if let Block::Timed(subtitle) = take(&mut self.block)
            && !subtitle.text.is_empty()
        {
            self.all.push(subtitle);
        }
    }

    fn finish(mut self) -> Result<Subtitles> {
        if let Block::Numbered = self.block {
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

/// Whole microseconds, so that equal times are equal numbers.
fn seconds(time: &str) -> Option<f64> {
    let (whole, decimals) = time.split_once([',', '.'])?;
    let parts: Vec<u64> = whole.split(':').map(|part| digits(part, 6)).collect::<Option<_>>()?;
    let [hours, minutes @ 0..60, seconds @ 0..60] = parts[..] else { return None };
    let micros = digits(decimals, 6)? * 10_u64.pow(6 - decimals.len() as u32);
    Some((((hours * 60 + minutes) * 60 + seconds) * 1_000_000 + micros) as f64 / 1e6)
}

fn digits(text: &str, most: usize) -> Option<u64> {
    let fits = (1..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    if fits { text.parse().ok() } else { None }
}
