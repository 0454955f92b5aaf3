//! [`SessionChoice`]: the sessions and utterances to score, by a pattern of session names and by the regions of
//! a UEM file.

use std::collections::HashMap;
use std::error::Error;

use bleuprint_core::{InputError, Location, Result, counted};
use bleuprint_text::read::{Encoding, LeftOut, LineReader};
use bleuprint_text::whitespace;
use regex_automata::hybrid::dfa::DFA;
use regex_automata::util::syntax;
use regex_automata::{Anchored, Input};

use super::file::SessionFile;
use crate::Spoken;

/// Choice of sessions and utterances. The default keeps all of them.
#[derive(Debug, Default)]
pub(super) struct SessionChoice {
    names: Option<NamePattern>,
    regions: Option<SessionRegions>,
}

impl SessionChoice {
    /// Creates a choice from a regular expression for whole session names, and from the path of a UEM file.
    ///
    /// # Errors
    /// Returns an error if the expression is invalid, or if the file cannot be read or is malformed.
    pub(super) fn new(pattern: Option<&str>, uem: Option<&str>) -> Result<Self> {
        let names = pattern.map(NamePattern::new).transpose()?;
        let regions = uem.map(SessionRegions::read).transpose()?;
        Ok(SessionChoice { names, regions })
    }

    /// Removes sessions and utterances that are not chosen from the files, of which the first has the references.
    /// Returns the numbers of removed things.
    ///
    /// # Errors
    /// Returns an error if no session of the references has a chosen name or a region, or if an utterance has no
    /// times although there are regions.
    pub(super) fn apply(&self, files: &mut [&mut SessionFile]) -> Result<Vec<LeftOut>> {
        let mut left_out = Vec::new();
        if let Some(names) = &self.names {
            left_out.extend(names.apply(files)?);
        }
        if let Some(regions) = &self.regions {
            left_out.extend(regions.apply(files)?);
        }
        Ok(left_out)
    }
}

/// Regular expression that a session's whole name must match.
#[derive(Debug)]
struct NamePattern {
    given: String,
    automaton: DFA,
}

impl NamePattern {
    fn new(given: &str) -> Result<Self> {
        // The expression is parsed alone first: `a)|(b` would be valid between the parentheses below.
        let pattern = ascii_classes(given).map_err(|reason| invalid(given, &reason))?;
        automaton(&pattern).map_err(|reason| invalid(given, &reason))?;
        let automaton = automaton(&format!("(?:{pattern})\\z")).map_err(|reason| invalid(given, &reason))?;
        Ok(NamePattern { given: given.to_owned(), automaton })
    }

    fn is_match(&self, name: &str) -> Result<bool> {
        let mut cache = self.automaton.create_cache();
        let input = Input::new(name).anchored(Anchored::Yes);
        let found = self.automaton.try_search_fwd(&mut cache, &input);
        found.map(|found| found.is_some()).map_err(|error| invalid(&self.given, &error.to_string()))
    }

    fn apply(&self, files: &mut [&mut SessionFile]) -> Result<Option<LeftOut>> {
        let mut matches: HashMap<String, bool> = HashMap::new();
        for name in files.iter().flat_map(|file| file.names()) {
            matches.insert(name.to_owned(), self.is_match(name)?);
        }
        let Some(reference) = files.first() else { return Ok(None) };
        if !reference.names().any(|name| matches[name]) {
            let message = format!(
                "no session has a name that `{}` matches; it must match a whole name, such as `{}`",
                self.given,
                reference.names().next().unwrap_or_default()
            );
            return Err(InputError::malformed(message).at(Location::file(reference.path.clone())));
        }
        files.iter_mut().for_each(|file| file.retain(|name, _| matches[name]));
        let count = matches.values().filter(|matches| !**matches).count();
        let what = format!("sessions are left out, because `{}` does not match their names", self.given);
        Ok((count > 0).then_some(LeftOut { count: count as u64, of: matches.len() as u64, what }))
    }
}

fn automaton(pattern: &str) -> Result<DFA, String> {
    DFA::builder().syntax(syntax::Config::new()).build(pattern).map_err(|error| {
        // The last cause is that of the parser of expressions.
        let mut cause: &dyn Error = &error;
        while let Some(source) = cause.source() {
            cause = source;
        }
        cause.to_string()
    })
}

fn invalid(given: &str, reason: &str) -> InputError {
    // The message of the parser shows the place in the expression on several lines.
    let reason = reason.lines().last().unwrap_or_default().trim_start_matches("error: ");
    InputError::malformed(format!("the regular expression `{given}` is not valid here: {reason}"))
}

/// Replaces the classes `\d`, `\w` and `\s` by lists of ASCII characters, because the tables of the classes of
/// Unicode are not in this program. Classes such as `\p{Greek}` are refused even where another package brings
/// their tables, so that every build chooses the same sessions.
fn ascii_classes(pattern: &str) -> Result<String, String> {
    let mut written = String::with_capacity(pattern.len());
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            written.push(character);
            continue;
        }
        match characters.next() {
            Some('d') => written.push_str("[0-9]"),
            Some('D') => written.push_str("[^0-9]"),
            Some('w') => written.push_str("[0-9A-Za-z_]"),
            Some('W') => written.push_str("[^0-9A-Za-z_]"),
            Some('p' | 'P') => return Err("classes of Unicode are not available".to_owned()),
            Some('s') => written.push_str("[\\t-\\r ]"),
            Some('S') => written.push_str("[^\\t-\\r ]"),
            other => written.extend(['\\'].into_iter().chain(other)),
        }
    }
    Ok(written)
}

/// Regions of a UEM file, by session. An utterance is scored if it touches a region of its session; it is then
/// scored whole. A session without a region is scored whole, as in MeetEval.
#[derive(Debug)]
struct SessionRegions {
    path: String,
    /// Start and end of each region in nanoseconds.
    by_session: HashMap<String, Vec<[f64; 2]>>,
}

impl SessionRegions {
    fn read(path: &str) -> Result<Self> {
        let mut by_session: HashMap<String, Vec<[f64; 2]>> = HashMap::new();
        let mut lines = LineReader::open(path, Encoding::Utf8Sig)?;
        while lines.advance()? {
            let fields: Vec<&str> = whitespace::split(lines.line()).collect();
            if fields.first().is_none_or(|first| first.starts_with([';', '#'])) {
                continue;
            }
            let (session, region) = region(&fields).map_err(|error| error.at(lines.location()))?;
            by_session.entry(session.to_owned()).or_default().push(region);
        }
        Ok(SessionRegions { path: path.to_owned(), by_session })
    }

    fn apply(&self, files: &mut [&mut SessionFile]) -> Result<Option<LeftOut>> {
        let Some(reference) = files.first() else { return Ok(None) };
        if !reference.names().any(|name| self.by_session.contains_key(name)) {
            let path = &reference.path;
            let message = format!("no session of the UEM is in `{path}`; names are compared as they are");
            return Err(InputError::malformed(message).at(Location::file(&*self.path)));
        }
        let mut of = 0;
        let mut count = 0;
        for file in files.iter_mut() {
            self.require_times(file)?;
            file.retain(|name, spoken| {
                let Some(regions) = self.by_session.get(name) else { return true };
                of += spoken.len();
                let before = spoken.len();
                spoken.retain(|one| is_in(regions, one));
                count += before - spoken.len();
                !spoken.is_empty()
            });
        }
        let what = "utterances are left out, because they are outside of the regions of the UEM".to_owned();
        Ok((count > 0).then_some(LeftOut { count: count as u64, of: of as u64, what }))
    }

    /// Rejects a file with an utterance that has no times, in a session with regions.
    fn require_times(&self, file: &SessionFile) -> Result<()> {
        let untimed = |name: &&str| {
            let spoken = file.session(name).unwrap_or_default();
            self.by_session.contains_key(*name) && spoken.iter().any(|one| one.times.is_none())
        };
        match file.names().find(untimed) {
            None => Ok(()),
            Some(name) => Err(InputError::malformed(format!(
                "the utterances of the session `{name}` have no times, so the regions of `{}` do not apply to them",
                self.path
            ))
            .at(Location::file(file.path.clone()))),
        }
    }
}

fn region<'f>(fields: &[&'f str]) -> Result<(&'f str, [f64; 2])> {
    let [session, _, start, end] = fields else {
        let fields = counted(fields.len(), "field");
        return Err(InputError::malformed(format!("{fields}, but a line of UEM has 4")));
    };
    let time = |what: &str, field: &str| {
        let number = field.parse().ok().filter(|number| crate::timing::within_limit(*number));
        number.ok_or_else(|| {
            let limit = crate::timing::LIMIT;
            InputError::malformed(format!("the {what} of the region is `{field}`, but must be {limit}"))
        })
    };
    let from = time("start", start)?;
    let to = time("end", end)?;
    if to <= from {
        let message = format!("the region goes from {start} to {end}, but must end after its start");
        return Err(InputError::malformed(message));
    }
    Ok((session, [nanoseconds(from), nanoseconds(to)]))
}

fn is_in(regions: &[[f64; 2]], spoken: &Spoken) -> bool {
    let Some([start, end]) = spoken.times else { return true };
    let start = nanoseconds(start);
    let end = nanoseconds(end);
    regions.iter().any(|[from, to]| start <= *to && *from <= end)
}

/// Returns a time in whole nanoseconds: the end of a word in a CTM file is a sum, whose last digit would decide
/// whether the word touches a region.
fn nanoseconds(seconds: f64) -> f64 {
    (1e9 * seconds).round()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_names_match() {
        let matches = |pattern: &str, name: &str| NamePattern::new(pattern).unwrap().is_match(name).unwrap();
        assert!(matches("a", "a") && !matches("a", "ab") && !matches("b", "ab"));
        assert!(matches("a|ab", "ab") && matches(r"s\d+_[\w-]*", "s12_a-b") && !matches(r"\d", "१"));
        assert!(matches(r"..", "äö") && matches("[ä-ö]+", "äö") && matches(r"a\\d", r"a\d"));
        for pattern in ["(", "a)|(b", "*", r"\p{Greek}", "(?=a)", r"(a)\1"] {
            let error = NamePattern::new(pattern).unwrap_err().to_string();
            assert!(error.contains(pattern) && !error.contains("NFA"), "{error}");
        }
    }

    #[test]
    fn an_utterance_that_touches_a_region_stays() {
        let regions = [region(&["a", "1", "0.3", "1"]).unwrap().1];
        let within = |start, end| is_in(&regions, &Spoken { times: Some([start, end]), ..Spoken::default() });
        assert!(within(0.1, 0.1 + 0.2) && within(1.0, 3.0) && within(0.0, 9.0) && within(0.5, 0.5));
        assert!(!within(0.0, 0.29) && !within(1.000001, 2.0));
    }

    #[test]
    fn malformed_regions_are_errors() {
        for fields in
            [&["a", "1", "0"][..], &["a", "1", "2", "1"], &["a", "1", "0", "nan"], &["a", "1", "x", "1"]]
        {
            assert!(region(fields).is_err(), "{fields:?}");
        }
    }
}
