//! [`read_sgml`]: the alignments of an `.sgml` of sclite, to be counted again.

use bleuprint_core::{InputError, Result, counted};

use crate::transcripts::{Timed, Transcript, read_lines};
use crate::{Aligned, Kind, Optional, Settings};

type AlignedTranscript = (Transcript, Vec<Aligned>);

/// The alignments of a file that `sclite -o sgml` or `bleuprint transcripts --form sgml` wrote, and the choices that it names.
///
/// The reference and the hypothesis of a segment are the words of its alignment: alternatives that were not taken are not in the file.
///
/// ```
/// use bleuprint_sclite::{Kind, read_sgml};
/// let folder = bleuprint_testkit::Folder::new();
/// let text = "<SPEAKER id=\"ann\">\n<PATH id=\"(ann-1)\" word_cnt=\"2\">\nC,\"a\",\"a\":D,\"b\",\n</PATH>\n</SPEAKER>\n";
/// let path = folder.file("a.sgml", text);
/// let (_, all) = read_sgml(&path.to_string_lossy()).unwrap();
/// assert_eq!((&*all[0].0.id, &*all[0].0.reference, all[0].1[1].kind), ("ann-1", "a b", Kind::Deletion));
/// ```
///
/// # Errors
/// Lines that are neither elements nor steps, steps without the words of their kind, and another number of steps than the element
/// says, with file and line.
pub fn read_sgml(path: &str) -> Result<(Settings, Vec<AlignedTranscript>)> {
    let (mut settings, mut all) = (Settings::default(), Vec::new());
    let (mut speaker, mut open) = (String::new(), None);
    read_lines(path, |line, _| {
        match line.split([' ', '>']).next().unwrap_or_default() {
            "<SYSTEM" => {
                settings.fragments = attribute(line, "frag_corr") == Some("TRUE");
                if attribute(line, "opt_del") == Some("TRUE") {
                    settings.optional = Optional::Sclite;
                }
            }
            "<SPEAKER" => speaker = required(line, "id")?.to_owned(),
            "<PATH" => {
                settings.case |= attribute(line, "case_sense") == Some("1");
                open = Some(Path::of(line, &speaker)?);
            }
            "</PATH" => {
                if let Some(path) = open.take() {
                    all.push(path.finished()?);
                }
            }
            "<LABEL" | "<CATEGORY" | "</LABEL" | "</CATEGORY" | "</SPEAKER" | "</SYSTEM" => {}
            _ => open.as_mut().ok_or_else(|| fault("words outside of a <PATH ..>"))?.add(line)?,
        }
        Ok(())
    })?;
    Ok((settings, all))
}

fn fault(message: &str) -> InputError {
    InputError::malformed(message)
}

fn attribute<'l>(line: &'l str, name: &str) -> Option<&'l str> {
    let (_, rest) = line.split_once(&format!(" {name}=\""))?;
    Some(rest.split_once('"')?.0)
}

fn required<'l>(line: &'l str, name: &str) -> Result<&'l str> {
    attribute(line, name).ok_or_else(|| fault(&format!("the element has no `{name}=\"..\"`")))
}

/// A segment that is being read.
struct Path {
    transcript: Transcript,
    steps: Vec<Aligned>,
    words: usize,
}

impl Path {
    fn of(line: &str, speaker: &str) -> Result<Self> {
        let number = |name: &str| {
            required(line, name)?.parse::<f64>().map_err(|error| fault(&format!("`{name}`: {error}")))
        };
        let words =
            required(line, "word_cnt")?.parse().map_err(|error| fault(&format!("`word_cnt`: {error}")))?;
        let file = match attribute(line, "file") {
            Some(file) => Some([file, required(line, "channel")?].map(str::to_owned)),
            None => None,
        };
        let times = if file.is_some() { Some([number("R_T1")?, number("R_T2")?]) } else { None };
        let transcript = Transcript {
            id: required(line, "id")?.trim_matches(['(', ')']).to_owned(),
            speaker: speaker.to_owned(),
            file,
            label: attribute(line, "labels").map(str::to_owned),
            times,
            reference: String::new(),
            hypothesis: Vec::new(),
        };
        Ok(Path { transcript, steps: Vec::new(), words })
    }

    fn add(&mut self, mut line: &str) -> Result<()> {
        while !line.is_empty() {
            let (step, rest) = parts(line).ok_or_else(|| {
                fault(&format!(
                    "no step at `{line}`: steps are as C,\"a\",\"a\":S,\"a\",\"b\":D,\"a\",:I,,\"b\""
                ))
            })?;
            self.push(step)?;
            line = rest;
        }
        Ok(())
    }

    fn push(&mut self, [kind, reference, hypothesis, others]: [&str; 4]) -> Result<()> {
        let given = |word: &str| (!word.is_empty()).then(|| word.to_owned());
        let (reference, hypothesis) = (given(reference), given(hypothesis));
        let kind = match (kind, &reference, &hypothesis) {
            ("C", Some(_), Some(_)) => Kind::Correct,
            ("C", Some(_), None) | ("C", None, Some(_)) => Kind::Skipped,
            ("S", Some(_), Some(_)) => Kind::Substitution,
            ("D", Some(_), None) => Kind::Deletion,
            ("I", None, Some(_)) => Kind::Insertion,
            _ => return Err(fault(&format!("a step of `{kind}` has not the words of its kind"))),
        };
        if let Some(word) = &reference {
            self.transcript.reference.push_str(if self.transcript.reference.is_empty() { "" } else { " " });
            self.transcript.reference.push_str(word);
        }
        let place = hypothesis.is_some().then_some(self.transcript.hypothesis.len());
        if let Some(word) = &hypothesis {
            let mut others = others.split(',').filter(|other| !other.is_empty());
            let times = others.next().and_then(|times| times.split_once('+'));
            let times = times.and_then(|(start, end)| Some([start.parse().ok()?, end.parse().ok()?]));
            let confidence = others.next().and_then(|number| number.parse::<f64>().ok());
            if let Some(wrong) = confidence.filter(|confidence| !(0.0..=1.0).contains(confidence)) {
                return Err(fault(&format!("the confidence {wrong} is not from 0 to 1")));
            }
            self.transcript.hypothesis.push(Timed { word: word.clone(), times, confidence });
        }
        self.steps.push(Aligned { kind, reference, hypothesis, place });
        Ok(())
    }

    fn finished(self) -> Result<(Transcript, Vec<Aligned>)> {
        if self.steps.len() != self.words {
            let (steps, words) = (counted(self.steps.len(), "step"), self.words);
            return Err(fault(&format!(
                "{steps}, but word_cnt=\"{words}\"; a word with a quotation mark and a comma?"
            )));
        }
        Ok((self.transcript, self.steps))
    }
}

/// Kind, words and further fields of the first step of a line, and the steps after it.
fn parts(line: &str) -> Option<([&str; 4], &str)> {
    let (kind, rest) = line.split_once(',')?;
    let (reference, rest) = word(rest, &[','])?;
    let (hypothesis, rest) = word(rest.strip_prefix(',')?, &[',', ':'])?;
    let (others, rest) = rest.split_once(':').unwrap_or((rest, ""));
    Some(([kind, reference, hypothesis, others], rest))
}

/// A word up to a quotation mark that an end follows, since words have marks of their own; or none.
fn word<'l>(text: &'l str, ends: &[char]) -> Option<(&'l str, &'l str)> {
    let Some(inner) = text.strip_prefix('"') else { return Some(("", text)) };
    let closes = |&(at, _): &(usize, &str)| {
        let after = &inner[at + 1..];
        after.is_empty() || after.starts_with(ends)
    };
    let (at, _) = inner.match_indices('"').find(closes)?;
    Some((&inner[..at], &inner[at + 1..]))
}
