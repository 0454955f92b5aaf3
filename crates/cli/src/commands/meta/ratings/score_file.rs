//! [`ScoreFile`]: reads score files of the WMT metrics tasks, which have lines `system score` and no header.

use std::collections::HashMap;
use std::sync::Arc;

use bleuprint::contract::counted;
use bleuprint::text::LineReader;
use bleuprint::{InputError, Location, Result};

use super::score;

/// Kind of item that each score in a file of the WMT metrics tasks belongs to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum ScoreLevel {
    /// Segments: the file has one score for each segment of each system.
    #[default]
    Segment,
    /// Documents: the file has one score for each document of each system.
    Document,
    /// Systems: the file has one score for each system.
    System,
    /// One score for each domain; the domain's name is the first field of a line.
    Domain,
}

impl ScoreLevel {
    /// Returns the kind of items by the file's name, which contains `.seg.score`, `.doc.score`, `.sys.score`
    /// or `.domain.score`; otherwise `None`.
    pub(crate) fn of_name(name: &str) -> Option<Self> {
        let plain = name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst")).unwrap_or(name);
        let (_, level) = plain.strip_suffix(".score")?.rsplit_once('.')?;
        [
            ("seg", ScoreLevel::Segment),
            ("doc", ScoreLevel::Document),
            ("sys", ScoreLevel::System),
            ("domain", ScoreLevel::Domain),
        ]
        .into_iter()
        .find_map(|(known, value)| (known == level).then_some(value))
    }
}

/// Scores of one system, in the order of the test set's items.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct ScoredSystem {
    /// Name of the system, as the score file gives it.
    pub(crate) name: String,
    /// Number of the first line with a score of this system, counted from 1.
    pub(crate) line: u64,
    /// Scores of the system; an entry is `None` if the file has the word `None`.
    pub(crate) scores: Vec<Option<f64>>,
    /// Domain of each score; empty unless the file has one score for each domain.
    pub(crate) domains: Vec<String>,
}

/// Scores that a metric, or people, gave to systems, read from a file.
///
/// A line has the fields `system score`, or `domain system score` at level `domain`, separated by whitespace.
/// Lines of different systems may alternate: the third line of a system is its third item, wherever it is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ScoreFile {
    /// Name of the file, for error messages.
    pub(crate) name: Arc<str>,
    /// Systems of the file, in the order of their first lines.
    pub(crate) systems: Vec<ScoredSystem>,
}

impl ScoreFile {
    /// Reads the scores of all systems from a file.
    ///
    /// # Errors
    /// Returns an error for a blank line, a wrong number of fields, a score that is neither a finite number
    /// nor `None`, and a file without lines. Also returns the errors of [`LineReader`].
    pub(crate) fn read(mut lines: LineReader, level: ScoreLevel) -> Result<Self> {
        let mut file = ScoreFile { name: Arc::clone(lines.name()), systems: Vec::new() };
        let mut line = String::new();
        let mut places = HashMap::new();
        while lines.next(&mut line)? {
            let at = |error: InputError| error.at(lines.location());
            file.add(&line, lines.read(), level, &mut places).map_err(at)?;
        }
        if file.systems.is_empty() {
            Err(InputError::malformed("no scores").at(Location::file(file.name)))
        } else {
            Ok(file)
        }
    }

    fn add(
        &mut self,
        line: &str,
        number: u64,
        level: ScoreLevel,
        places: &mut HashMap<String, usize>,
    ) -> Result<()> {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let (domain, system, text) = match (level, &fields[..]) {
            (ScoreLevel::Domain, [domain, system, text]) => (Some(*domain), *system, *text),
            (ScoreLevel::Segment | ScoreLevel::Document | ScoreLevel::System, [system, text]) => {
                (None, *system, *text)
            }
            (_, []) => return Err(InputError::malformed("a blank line in a file of scores")),
            (level, fields) => {
                let form = if level == ScoreLevel::Domain { "domain system score" } else { "system score" };
                let message = format!("{}, but a line is `{form}`: `{line}`", counted(fields.len(), "field"));
                return Err(InputError::malformed(message));
            }
        };
        let value = score(text)?;
        let place = *places.entry(system.to_owned()).or_insert_with(|| {
            let name = system.to_owned();
            self.systems.push(ScoredSystem { name, line: number, ..ScoredSystem::default() });
            self.systems.len() - 1
        });
        let scored = &mut self.systems[place];
        if let Some(domain) = domain {
            if scored.domains.iter().any(|known| known == domain) {
                let message = format!("domain `{domain}` of system `{system}` comes twice");
                return Err(InputError::malformed(message));
            }
            scored.domains.push(domain.to_owned());
        }
        scored.scores.push(value);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &'static str, level: ScoreLevel) -> Result<ScoreFile> {
        ScoreFile::read(LineReader::new(text.as_bytes(), "f"), level)
    }

    #[test]
    fn faults_are_told_with_line_and_value() {
        for (text, message) in [
            ("A 1\n\nB 2\n", "f: line 2: a blank line in a file of scores"),
            ("A nan\n", "f: line 1: `nan` is neither a finite number nor None"),
            ("A 1e400\n", "f: line 1: `1e400` is neither a finite number nor None"),
            ("A none\n", "f: line 1: `none` is neither a finite number nor None"),
            ("A 1\nA B 1\n", "f: line 2: 3 fields, but a line is `system score`: `A B 1`"),
            ("A\n", "f: line 1: 1 field, but a line is `system score`: `A`"),
            ("", "f: no scores"),
        ] {
            assert_eq!(read(text, ScoreLevel::Segment).unwrap_err().to_string(), message);
        }
        let twice = read("news A 1\nnews A 2\n", ScoreLevel::Domain).unwrap_err();
        assert_eq!(twice.to_string(), "f: line 2: domain `news` of system `A` comes twice");
    }

    #[test]
    fn the_level_is_in_the_name() {
        assert_eq!(ScoreLevel::of_name("en-de.mqm.seg.score"), Some(ScoreLevel::Segment));
        assert_eq!(ScoreLevel::of_name("x.domain.score.gz"), Some(ScoreLevel::Domain));
        assert_eq!(ScoreLevel::of_name("ratings.tsv"), None);
        assert_eq!(ScoreLevel::of_name("x.score"), None);
    }
}
