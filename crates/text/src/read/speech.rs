//! [`speech_lines`]: reads STM and CTM files, which are speech transcripts with times.

use std::path::Path;

use bleuprint_core::{InputError, Location, Result, Scale, counted};

use super::{Encoding, LineReader};
use crate::whitespace;

/// A line of a speech transcript: an utterance in the format STM, or a word in the format CTM.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct SpeechLine<'l> {
    /// The name of the recording that the line belongs to.
    pub file: &'l str,
    /// The channel of the recording, such as `A` or `1`.
    pub channel: &'l str,
    /// The speaker of the utterance; `None` in CTM, which has no speakers.
    pub speaker: Option<&'l str>,
    /// Start and end in seconds, or `None` for a CTM line such as `<ALT_BEGIN>`, which marks alternative
    /// transcripts.
    pub times: Option<[f64; 2]>,
    /// The optional label of an STM line, such as `<o,f0,male>`, including its angle brackets.
    pub label: Option<&'l str>,
    /// The words of the transcript line; a CTM line has exactly one.
    pub words: &'l [&'l str],
    /// The recognizer's confidence in a CTM word, from 0 to 1, or `None` if it is absent, `NA` or `-`.
    pub confidence: Option<f64>,
}

/// Upper limit in seconds of the times in a transcript, about a third of a year. The reader of RTTM files has
/// the same limit.
const MOST_SECONDS: f64 = 1e7;

/// The words, in lower case, that mark alternative transcripts in a CTM file. Lines with these words have no
/// times.
const MARKS: [&str; 3] = ["<alt_begin>", "<alt>", "<alt_end>"];

/// Reads an STM or CTM file (a speech transcript with times). Calls `each` with every line and with a
/// function that returns the line's location. The name of the file ends in `.stm` or `.ctm`, optionally
/// followed by the extension of a compression format. Empty lines and lines that begin with `;` are skipped.
///
/// ```
/// use bleuprint_text::read::speech_lines;
/// let folder = bleuprint_testkit::Folder::new();
/// let path = folder.file("a.ctm", ";; a comment\nf 1 0.5 0.25 hello 0.9\n");
/// speech_lines(&path.to_string_lossy(), |line, _| {
///     assert_eq!((line.times, line.words, line.confidence), (Some([0.5, 0.75]), &["hello"][..], Some(0.9)));
///     Ok(())
/// })
/// .unwrap();
/// ```
///
/// # Errors
/// Returns an error if the name has another extension, or if a line has too few or too many fields. Times
/// must be from 0 to 1e7 seconds and must not run backwards; confidences must be from 0 to 1. Also returns
/// the errors of `each`, with file and line, and the errors of [`LineReader`].
pub fn speech_lines(
    path: &str,
    mut each: impl FnMut(SpeechLine<'_>, &dyn Fn() -> Location) -> Result<()>,
) -> Result<()> {
    read(path, &mut each)
}

/// A function that is called with each transcript line and with a function that returns the location of the
/// line.
type Each<'e> = &'e mut dyn FnMut(SpeechLine<'_>, &dyn Fn() -> Location) -> Result<()>;

fn read(path: &str, each: Each<'_>) -> Result<()> {
    let parse: for<'l> fn(&'l [&'l str]) -> Result<SpeechLine<'l>> = match speech_format(path) {
        Some("stm") => stm,
        Some("ctm") => ctm,
        _ => {
            let fault = InputError::malformed("the name of a transcript with times ends in .stm or .ctm");
            return Err(fault.at(Location::file(path)));
        }
    };
    let mut lines = LineReader::open(path, Encoding::Utf8Sig)?;
    while lines.advance()? {
        let fields: Vec<&str> = whitespace::split(lines.line()).collect();
        if fields.first().is_some_and(|first| !first.starts_with(';')) {
            let at = || lines.location();
            parse(&fields).and_then(|line| each(line, &at)).map_err(|error| error.at(at()))?;
        }
    }
    Ok(())
}

/// Returns `stm` or `ctm` if the file name has this extension, in upper or lower case. The extension of a
/// compression format may follow.
fn speech_format(path: &str) -> Option<&'static str> {
    let name = Path::new(path);
    let compressed =
        name.extension().is_some_and(|end| end.eq_ignore_ascii_case("gz") || end.eq_ignore_ascii_case("zst"));
    let name = if compressed { Path::new(name.file_stem()?) } else { name };
    let end = name.extension()?;
    ["stm", "ctm"].into_iter().find(|format| end.eq_ignore_ascii_case(format))
}

fn too_few(given: usize, form: &str) -> InputError {
    InputError::malformed(format!("{}, but a line of {form}", counted(given, "field")))
}

fn number(what: &str, field: &str, unit: &str) -> Result<f64> {
    let number = field.parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| InputError::malformed(format!("the {what} `{field}` is no number{unit}")))
}

fn seconds(what: &str, field: &str) -> Result<f64> {
    let seconds = number(what, field, " of seconds")?;
    if (0.0..=MOST_SECONDS).contains(&seconds) {
        return Ok(seconds);
    }
    Err(InputError::limit(format!("the {what}"), field, "from 0 to 1e7 seconds"))
}

fn stm<'l>(fields: &'l [&'l str]) -> Result<SpeechLine<'l>> {
    let [file, channel, speaker, start, end, words @ ..] = fields else {
        return Err(too_few(fields.len(), "STM has at least 5: file, channel, speaker, start, end, words"));
    };
    let times = [seconds("start", start)?, seconds("end", end)?];
    if times[1] < times[0] {
        let message = format!("the utterance ends at {end} s, before its start at {start} s");
        return Err(InputError::malformed(message));
    }
    let (label, words) = match words {
        // A word in angle brackets right after the times is the optional label of STM.
        [label, words @ ..] if label.starts_with('<') && label.ends_with('>') => (Some(*label), words),
        words => (None, words),
    };
    let speaker = Some(*speaker);
    let times = Some(times);
    Ok(SpeechLine { file, channel, speaker, times, label, words, confidence: None })
}

fn ctm<'l>(fields: &'l [&'l str]) -> Result<SpeechLine<'l>> {
    let [file, channel, start, duration, word, rest @ ..] = fields else {
        let form = "CTM has 5 or 6: file, channel, start, duration, word, confidence";
        return Err(too_few(fields.len(), form));
    };
    if let Some(more) = rest.get(1) {
        let message = format!("`{more}` after the confidence: a line of CTM has 5 or 6 fields");
        return Err(InputError::malformed(message));
    }
    // Recognizers write `NA` or `-` for a confidence that they do not have, as sclite accepts it.
    let given = rest.first().filter(|field| !field.eq_ignore_ascii_case("na") && **field != "-");
    let confidence = given.map(|field| number("confidence", field, "; a line of CTM has one word"));
    let on_scale = |confidence: f64| {
        let error = || InputError::malformed(format!("the confidence {} is not from 0 to 1", rest[0]));
        Scale::UNIT.nearest(confidence).ok_or_else(error)
    };
    let confidence = confidence.transpose()?.map(on_scale).transpose()?;
    let is_mark = MARKS.iter().any(|mark| mark.eq_ignore_ascii_case(word));
    let times = if is_mark {
        None
    } else {
        let from = seconds("start", start)?;
        Some([from, from + seconds("duration", duration)?])
    };
    let words = &fields[4..5];
    Ok(SpeechLine { file, channel, speaker: None, times, label: None, words, confidence })
}

#[cfg(test)]
#[test]
fn a_confidence_may_be_absent() {
    let folder = bleuprint_testkit::Folder::new();
    let path = folder.file("a.ctm", "f 1 0 1 a NA\nf 1 1 1 b -\nf 1 2 1 c\nf 1 3 1 d 0.5\n");
    let mut seen = Vec::new();
    speech_lines(&path.to_string_lossy(), |line, _| {
        seen.push(line.confidence);
        Ok(())
    })
    .unwrap();
    assert_eq!(seen, [None, None, None, Some(0.5)]);
}

#[cfg(test)]
#[test]
fn times_are_finite_and_do_not_run_back() {
    let folder = bleuprint_testkit::Folder::new();
    for (name, line, message) in [
        ("a.ctm", "f 1 1e300 1 a", "the start is 1e300, but must be from 0 to 1e7 seconds"),
        ("a.stm", "f 1 s 0 1e9 a", "the end is 1e9, but must be from 0 to 1e7 seconds"),
        ("a.ctm", "f 1 inf 1 a", "the start `inf` is no number of seconds"),
        ("a.ctm", "f 1 0 -1 a", "the duration is -1, but must be from 0 to 1e7 seconds"),
        ("a.ctm", "f 1 0 1 a 1.5", "the confidence 1.5 is not from 0 to 1"),
        ("a.ctm", "f 1 0 1", "4 fields, but a line of CTM has 5 or 6"),
        ("a.stm", "f 1 s 0 nan a", "the end `nan` is no number of seconds"),
        ("a.stm", "f 1 s 2 1 a", "the utterance ends at 1 s, before its start at 2 s"),
    ] {
        let path = folder.file(name, format!("; a comment\n\n{line}\n"));
        let error = speech_lines(&path.to_string_lossy(), |_, _| Ok(())).unwrap_err().to_string();
        assert!(error.contains(message) && error.contains("line 3"), "{error}");
    }
}
