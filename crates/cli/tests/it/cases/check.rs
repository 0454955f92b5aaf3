//! The claims of a case about one run of the program.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::Value;

use super::read::unescaped;

pub(super) struct Seen {
    pub(super) output: Output,
    /// The files before the run.
    pub(super) before: BTreeMap<PathBuf, Vec<u8>>,
    pub(super) folder: PathBuf,
}

pub(super) fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.filter_map(|path| Some((path.clone(), std::fs::read(path).ok()?))).collect()
}

type Labelled = BTreeMap<String, Seen>;

impl Seen {
    pub(super) fn check(
        &self,
        expected: &[(usize, String)],
        chosen: &[String],
        labelled: &Labelled,
    ) -> Result<(), String> {
        let refused = expected.iter().any(|(_, line)| line.starts_with("! "));
        let code = expected.iter().find_map(|(_, line)| line.strip_prefix("code "));
        let code = code.unwrap_or(if refused { "2" } else { "0" });
        let (out, err) = (self.text("out")?, self.text("err")?);
        let wrong = |what: String| format!("{what}\n--- stdout\n{out}\n--- stderr\n{err}");
        let found = self.output.status.code().map_or("a signal".to_owned(), |code| code.to_string());
        if found != code {
            return Err(wrong(format!("exit code {found}, not {code}")));
        }
        if refused && !(out.is_empty() && files(&self.folder) == self.before) {
            return Err(wrong("refused, but it printed or wrote something".to_owned()));
        }
        let whole: Vec<String> = expected
            .iter()
            .filter_map(|(_, line)| line.strip_prefix("= ").or((line == "=").then_some("")))
            .map(|line| text_of(&with(line, chosen)))
            .collect::<Result<_, _>>()?;
        // Cases have no white space at the end of a line, but some tables do, so it is not compared.
        if !whole.is_empty() && out.lines().map(str::trim_end).ne(whole.iter().map(|line| line.trim_end())) {
            return Err(wrong(difference(&whole, &out)));
        }
        for (number, line) in expected {
            let line = with(line, chosen);
            self.claim(&line, labelled)
                .map_err(|error| wrong(format!("line {number}: {line}\n  {error}")))?;
        }
        Ok(())
    }

    fn claim(&self, line: &str, labelled: &Labelled) -> Result<(), String> {
        let (subject, rest) = line.split_once(' ').unwrap_or((line, ""));
        let holds = match subject {
            "=" | "code" => true,
            "!" => self.text("err")?.contains(&text_of(rest)?),
            ">" => self.text("out")?.contains(&text_of(rest)?),
            _ => {
                let (verb, argument) = rest.split_once(' ').unwrap_or((rest, ""));
                if let (Some(file), "absent") = (subject.strip_prefix("file:"), verb) {
                    return if self.folder.join(file).exists() {
                        Err("it is there".to_owned())
                    } else {
                        Ok(())
                    };
                }
                return match subject.split_once('/') {
                    Some((place, pointer)) if !subject.starts_with("file:") => self.of_value(
                        &self.value(place, pointer)?,
                        (place, pointer),
                        verb,
                        argument,
                        labelled,
                    ),
                    _ => self.of_text(&self.text(subject)?, subject, verb, argument, labelled),
                };
            }
        };
        if holds { Ok(()) } else { Err("it does not say so".to_owned()) }
    }

    /// `out`, `err`, `out:2` (the second line) or `file:NAME`.
    fn text(&self, subject: &str) -> Result<String, String> {
        let (kind, place) = subject.split_once(':').unwrap_or((subject, ""));
        let bytes = match kind {
            "out" => &self.output.stdout,
            "err" => &self.output.stderr,
            "file" => {
                let bytes = std::fs::read(self.folder.join(place)).map_err(|error| error.to_string())?;
                return Ok(String::from_utf8_lossy(&bytes).into_owned());
            }
            _ => return Err(format!("unknown subject `{subject}`")),
        };
        let text = String::from_utf8_lossy(bytes).into_owned();
        if place.is_empty() {
            return Ok(text);
        }
        let number: usize = place.parse().map_err(|_| format!("no line `{place}`"))?;
        text.lines().nth(number - 1).map(str::to_owned).ok_or(format!("there is no line {number}"))
    }

    /// A value of the document on standard output, of its line, or of a file; null if there is none.
    fn value(&self, place: &str, pointer: &str) -> Result<Value, String> {
        let text = match place.strip_suffix(':') {
            Some(line) if line.parse::<usize>().is_ok() => self.text(&format!("out:{line}"))?,
            Some(file) => self.text(&format!("file:{file}"))?,
            None => self.text("out")?,
        };
        let document: Value = serde_json::from_str(&text).map_err(|error| format!("no JSON: {error}"))?;
        let pointer = if pointer.is_empty() { String::new() } else { format!("/{}", text_of(pointer)?) };
        Ok(document.pointer(&pointer).cloned().unwrap_or_default())
    }

    fn of_text(
        &self,
        text: &str,
        subject: &str,
        verb: &str,
        argument: &str,
        labelled: &Labelled,
    ) -> Result<(), String> {
        let number = |text: &str| text.parse::<usize>().map_err(|_| format!("no number: {text}"));
        let other = || labelled.get(argument).ok_or(format!("no run is `{argument}`"))?.text(subject);
        let words = text_of(argument)?;
        let holds = match verb {
            "has" => text.contains(&words),
            "lacks" => !text.contains(&words),
            "starts" => text.starts_with(&words),
            "ends" => text.trim_end().ends_with(&words),
            "is" => text.trim_end() == words,
            "each" => text.lines().count() > 0 && text.lines().all(|line| line.contains(&words)),
            "lines" => text.lines().count() == number(argument)?,
            "times" => {
                let (count, words) = argument.split_once(' ').ok_or("times N WORDS")?;
                text.matches(&text_of(words)?).count() == number(count)?
            }
            "order" => {
                let (first, second) = argument.split_once(" => ").ok_or("order WORDS => WORDS")?;
                let at = |words: &str| text_of(words).map(|words| text.find(&words));
                at(first)?.is_some() && at(first)? < at(second)?
            }
            "same" => text == self.text(argument)?,
            "shorter" => text.len() < self.text(argument)?.len(),
            "like" => text == other()?,
            "unlike" => text != other()?,
            _ => return Err(format!("unknown verb `{verb}`")),
        };
        if holds { Ok(()) } else { Err(format!("found: {text}")) }
    }

    fn of_value(
        &self,
        value: &Value,
        (place, pointer): (&str, &str),
        verb: &str,
        argument: &str,
        labelled: &Labelled,
    ) -> Result<(), String> {
        let parsed = || serde_json::from_str::<Value>(argument).map_err(|error| format!("no JSON: {error}"));
        let number = |text: &str| text.parse::<f64>().map_err(|_| format!("no number: {text}"));
        let own = value.as_f64();
        // Of the other run at the same place, or at `LABEL:/PLACE` of its output.
        let other = || {
            let (label, place, at) = match argument.split_once(":/") {
                Some((label, at)) => (label, "", at),
                None => (argument, place, pointer),
            };
            labelled.get(label).ok_or(format!("no run is `{label}`"))?.value(place, at)
        };
        let holds = match verb {
            "is" => same(value, &parsed()?),
            "like" => same(value, &other()?),
            "unlike" => !same(value, &other()?),
            "near" => {
                let (expected, tolerance) = argument.split_once(' ').unwrap_or((argument, "1e-12"));
                let tolerance = number(tolerance)?;
                let expected = number(expected)?;
                own.is_some_and(|own| (own - expected).abs() <= tolerance)
            }
            "above" => own > Some(number(argument)?),
            "below" => own.is_some() && own < Some(number(argument)?),
            "size" => {
                let size = value.as_array().map(Vec::len).or(value.as_object().map(serde_json::Map::len));
                size == Some(argument.parse().map_err(|_| format!("no number: {argument}"))?)
            }
            "has" | "lacks" | "starts" | "ends" => {
                let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                return self.of_text(&text, "", verb, argument, labelled);
            }
            _ => return Err(format!("unknown verb `{verb}`")),
        };
        if holds { Ok(()) } else { Err(format!("found: {value}")) }
    }
}

/// Numbers are compared as such: 1 is 1.0.
fn same(one: &Value, other: &Value) -> bool {
    match (one.as_f64(), other.as_f64()) {
        (Some(one), Some(other)) => one.to_bits() == other.to_bits(),
        _ => one == other,
    }
}

fn text_of(argument: &str) -> Result<String, String> {
    String::from_utf8(unescaped(argument)?).map_err(|error| error.to_string())
}

/// `%1` is what was chosen in the first braces of the command.
fn with(line: &str, chosen: &[String]) -> String {
    let numbered = (1..).zip(chosen);
    numbered.fold(line.to_owned(), |line, (number, choice)| line.replace(&format!("%{number}"), choice))
}

/// The lines that are missing and the lines that are too many.
fn difference(expected: &[String], found: &str) -> String {
    let found: Vec<&str> = found.lines().collect();
    let places = 0..expected.len().max(found.len());
    let pairs = places.map(|at| (expected.get(at).map(String::as_str), found.get(at).copied()));
    let unequal = pairs.filter(|(expected, found)| expected != found);
    let lines = unequal.flat_map(|(expected, found)| {
        [expected.map(|line| format!("- {line}\n")), found.map(|line| format!("+ {line}\n"))]
    });
    lines.flatten().collect()
}
