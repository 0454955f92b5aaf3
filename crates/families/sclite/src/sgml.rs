//! [`read_sgml`]: reads the word alignments in sclite's `.sgml` output, so that they can be scored again.

use bleuprint_core::{InputError, Location, Result, Scale, counted};

use crate::transcripts::{CtmWord, Transcript, read_lines};
use crate::{AlignedStep, Optional, ScliteSettings, StepKind};

type AlignedTranscript = (Transcript, Vec<AlignedStep>);

/// SGML elements that are nested in one another, outermost first.
const ELEMENTS: [&str; 3] = ["SYSTEM", "SPEAKER", "PATH"];

/// Reads the word alignments of an SGML file that `sclite -o sgml` or `bleuprint transcripts --form sgml`
/// wrote. Returns them with the settings that the file names.
///
/// The reference and the hypothesis of a segment are the words of its alignment. Alternatives that were not
/// taken are not in the file.
///
/// ```
/// use bleuprint_sclite::{StepKind, read_sgml};
/// let folder = bleuprint_testkit::Folder::new();
/// let path = "<PATH id=\"(ann-1)\" word_cnt=\"2\">\nC,\"a\",\"a\":D,\"b\",\n</PATH>";
/// let path = folder.file("a.sgml", format!("<SYSTEM>\n<SPEAKER id=\"ann\">\n{path}\n</SPEAKER>\n</SYSTEM>\n"));
/// let (_, all) = read_sgml(&path.to_string_lossy()).unwrap();
/// assert_eq!((&*all[0].0.id, &*all[0].0.reference, all[0].1[1].kind), ("ann-1", "a b", StepKind::Deletion));
/// ```
///
/// # Errors
/// Returns an error with file and line in these cases:
///
/// - a line is neither an element nor steps;
/// - an element has no end, or is in the wrong element;
/// - the file has a second system;
/// - a step lacks a word that its kind requires;
/// - the number of steps or fields differs from the number in the element;
/// - a time or a confidence is malformed.
pub fn read_sgml(path: &str) -> Result<(ScliteSettings, Vec<AlignedTranscript>)> {
    let mut settings = None;
    let mut all = Vec::new();
    let mut speaker = String::new();
    let mut segment = None;
    let mut open = Vec::new();
    read_lines(path, |line, at| {
        let element = line.split([' ', '>']).next().unwrap_or_default();
        nest(&mut open, element, at)?;
        match element {
            "<SYSTEM" => {
                if settings.is_some() {
                    return Err(fault("a second <SYSTEM ..>; a file may have only one"));
                }
                let optional = match attribute(line, "opt_del") {
                    Some("TRUE") => Optional::Sclite,
                    _ => Optional::Word,
                };
                let fragments = attribute(line, "frag_corr") == Some("TRUE");
                settings = Some(ScliteSettings { optional, fragments, ..ScliteSettings::default() });
            }
            "<SPEAKER" => required(line, "id")?.clone_into(&mut speaker),
            "<PATH" => {
                let case = attribute(line, "case_sense") == Some("1");
                settings.iter_mut().for_each(|settings| settings.case |= case);
                segment = Some(SgmlPath::from_line(line, &speaker)?);
            }
            "</PATH" => {
                if let Some(path) = segment.take() {
                    all.push(path.finished()?);
                }
            }
            "<LABEL" | "<CATEGORY" | "</LABEL" | "</CATEGORY" | "</SPEAKER" | "</SYSTEM" => {}
            _ => segment.as_mut().ok_or_else(|| fault("words outside of a <PATH ..>"))?.add(line)?,
        }
        Ok(())
    })?;
    if let Some((at, name)) = open.iter().zip(ELEMENTS).next_back() {
        let message = format!("this <{name} ..> has no </{name}>: the file is cut short");
        return Err(fault(&message).at(at.clone()));
    }
    let settings = settings.ok_or_else(|| fault("the file has no <SYSTEM ..>").at(Location::file(path)))?;
    Ok((settings, all))
}

fn fault(message: &str) -> InputError {
    InputError::malformed(message)
}

/// Updates `open`, the locations of the open elements, for a start or end tag. Returns an error if the tag is
/// not directly inside its parent element.
fn nest(open: &mut Vec<Location>, element: &str, at: &Location) -> Result<()> {
    let end = element.strip_prefix("</");
    let name = end.or(element.strip_prefix('<'));
    let Some(level) = ELEMENTS.iter().position(|known| Some(*known) == name) else { return Ok(()) };
    // An end tag needs its own element open as well, so its depth is one more.
    let depth = level + usize::from(end.is_some());
    let missing = match open.len() {
        few if few < depth => format!("<{} ..>", ELEMENTS[few]),
        many if many > depth => format!("</{}>", ELEMENTS[many - 1]),
        _ => {
            if end.is_some() {
                drop(open.pop())
            } else {
                open.push(at.clone())
            }
            return Ok(());
        }
    };
    Err(fault(&format!("no {missing} before this element")))
}

fn attribute<'l>(line: &'l str, name: &str) -> Option<&'l str> {
    let (_, rest) = line.split_once(&format!(" {name}=\""))?;
    Some(rest.split_once('"')?.0)
}

fn required<'l>(line: &'l str, name: &str) -> Result<&'l str> {
    attribute(line, name).ok_or_else(|| fault(&format!("the element has no `{name}=\"..\"`")))
}

/// Parses a start and end time in seconds. Returns an error unless 0 ≤ start ≤ end ≤ 10,000,000.
fn times(start: &str, end: &str) -> Result<[f64; 2]> {
    let seconds = |text: &str| text.parse().ok().filter(|time: &f64| (0.0..=1e7).contains(time));
    match (seconds(start), seconds(end)) {
        (Some(from), Some(to)) if from <= to => Ok([from, to]),
        _ => Err(fault(&format!(
            "the times `{start}` and `{end}` are not a start from 0 on and an end after it up to 1e7 seconds"
        ))),
    }
}

fn confidence(text: &str) -> Result<f64> {
    let number = text.parse().ok().and_then(|number| Scale::UNIT.nearest(number));
    number.ok_or_else(|| fault(&format!("the confidence `{text}` is not from 0 to 1")))
}

/// Segment (element `PATH`) of sclite's SGML output that is being read.
struct SgmlPath {
    transcript: Transcript,
    steps: Vec<AlignedStep>,
    words: usize,
    /// Names of the additional fields of each hypothesis word, such as times.
    fields: Vec<String>,
}

impl SgmlPath {
    fn from_line(line: &str, speaker: &str) -> Result<Self> {
        let words =
            required(line, "word_cnt")?.parse().map_err(|error| fault(&format!("`word_cnt`: {error}")))?;
        let file = match attribute(line, "file") {
            Some(file) => Some([file, required(line, "channel")?].map(str::to_owned)),
            None => None,
        };
        let times = match file {
            Some(_) => Some(times(required(line, "R_T1")?, required(line, "R_T2")?)?),
            None => None,
        };
        let id = required(line, "id")?;
        let transcript = Transcript {
            id: id.strip_prefix('(').and_then(|id| id.strip_suffix(')')).unwrap_or(id).to_owned(),
            speaker: speaker.to_owned(),
            file,
            label: attribute(line, "labels").map(str::to_owned),
            times,
            reference: String::new(),
            hypothesis: Vec::new(),
        };
        let fields = attribute(line, "word_aux").into_iter().flat_map(|names| names.split(','));
        Ok(SgmlPath { transcript, steps: Vec::new(), words, fields: fields.map(str::to_owned).collect() })
    }

    fn add(&mut self, mut line: &str) -> Result<()> {
        while !line.is_empty() {
            let (step, rest) = parts(line).ok_or_else(|| {
                fault(&format!(
                    "no step at `{line}`; steps have the form C,\"a\",\"a\":S,\"a\",\"b\":D,\"a\",:I,,\"b\""
                ))
            })?;
            self.push(step)?;
            line = rest;
        }
        Ok(())
    }

    fn push(&mut self, [kind, reference, hypothesis, others]: [&str; 4]) -> Result<()> {
        let given = |word: &str| (!word.is_empty()).then(|| word.to_owned());
        let reference = given(reference);
        let hypothesis = given(hypothesis);
        let kind = match (kind, &reference, &hypothesis) {
            ("C", Some(_), Some(_)) => StepKind::Correct,
            // sclite writes an optional word that was left out as correct with one empty side.
            ("C", Some(_), None) | ("C", None, Some(_)) => StepKind::Skipped,
            ("S", Some(_), Some(_)) => StepKind::Substitution,
            ("D", Some(_), None) => StepKind::Deletion,
            ("I", None, Some(_)) => StepKind::Insertion,
            _ => return Err(fault(&format!("a step of kind `{kind}` does not have the words of its kind"))),
        };
        if let Some(word) = &reference {
            self.transcript.reference.push_str(if self.transcript.reference.is_empty() { "" } else { " " });
            self.transcript.reference.push_str(word);
        }
        let place = hypothesis.is_some().then_some(self.transcript.hypothesis.len());
        if let Some(word) = &hypothesis {
            let given: Vec<&str> = others.split(',').skip(1).collect();
            if given.len() != self.fields.len() {
                let given = counted(given.len(), "field");
                let named = self.fields.join(",");
                return Err(fault(&format!(
                    "`{word}` has {given} after its words, but word_aux=\"{named}\""
                )));
            }
            let field = |name: &str| Some(given[self.fields.iter().position(|known| known == name)?]);
            let of_times = |text: &str| {
                let (start, end) = text.split_once('+').unwrap_or((text, ""));
                times(start, end)
            };
            let times = field("h_t1+t2").map(of_times).transpose()?;
            let confidence = field("h_conf").map(confidence).transpose()?;
            self.transcript.hypothesis.push(CtmWord { word: word.clone(), times, confidence });
        }
        self.steps.push(AlignedStep { kind, reference, hypothesis, place });
        Ok(())
    }

    fn finished(self) -> Result<(Transcript, Vec<AlignedStep>)> {
        if self.steps.len() != self.words {
            let steps = counted(self.steps.len(), "step");
            let words = self.words;
            return Err(fault(&format!(
                "{steps}, but word_cnt=\"{words}\"; a word with a quotation mark and a comma?"
            )));
        }
        Ok((self.transcript, self.steps))
    }
}

/// Splits the first alignment step off a line. Returns the step's kind, reference word, hypothesis word and
/// other fields, and the rest of the line.
fn parts(line: &str) -> Option<([&str; 4], &str)> {
    let (kind, rest) = line.split_once(',')?;
    let (reference, rest) = word(rest, &[','])?;
    let (hypothesis, rest) = word(rest.strip_prefix(',')?, &[',', ':'])?;
    let (others, rest) = rest.split_once(':').unwrap_or((rest, ""));
    Some(([kind, reference, hypothesis, others], rest))
}

/// Splits a quoted word off the start of the text, and returns the word and the rest. A quotation mark closes
/// the word only before one of `ends` or at the end of the text, because words may contain quotation marks.
fn word<'l>(text: &'l str, ends: &[char]) -> Option<(&'l str, &'l str)> {
    let Some(inner) = text.strip_prefix('"') else { return Some(("", text)) };
    let closes = |&(at, _): &(usize, &str)| {
        let after = &inner[at + 1..];
        after.is_empty() || after.starts_with(ends)
    };
    let (at, _) = inner.match_indices('"').find(closes)?;
    Some((&inner[..at], &inner[at + 1..]))
}
