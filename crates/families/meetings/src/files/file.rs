//! Reads meeting transcripts from one file or from all files of a folder, in STM, CTM or SegLST format.
//! Errors name file and line.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use bleuprint_core::{InputError, InputErrorKind, Location, Result};

use bleuprint_text::read::{FieldReader, SpeechLine, SystemFiles, speech_lines};

use crate::Spoken;
use crate::seglst::{SeglstItem, require_times_of_all};

/// Meeting transcripts (sessions) of one file or folder, by name, in order of first appearance.
#[derive(Debug, Default)]
pub(super) struct SessionFile {
    pub(super) path: Arc<str>,
    sessions: Vec<NamedSession>,
    by_name: HashMap<String, usize>,
}

#[derive(Debug)]
struct NamedSession {
    name: String,
    spoken: Vec<Spoken>,
    first: Location,
}

impl SessionFile {
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.sessions.iter().map(|session| &*session.name)
    }

    pub(super) fn session(&self, name: &str) -> Option<&[Spoken]> {
        self.by_name.get(name).map(|&place| &self.sessions[place].spoken[..])
    }

    /// Returns an error if `other` has a session that this file lacks.
    pub(super) fn require_all_of(&self, other: &SessionFile) -> Result<()> {
        let lacks = |session: &&NamedSession| self.session(&session.name).is_none();
        match other.sessions.iter().find(lacks) {
            None => Ok(()),
            Some(NamedSession { name, first, .. }) => Err(InputError::malformed(format!(
                "`{}` has no session `{name}`; it counts as empty with --missing-sessions empty, and is left out with --missing-sessions skip",
                self.path
            ))
            .at(first.clone())),
        }
    }

    /// Rejects a file that has no session in common with this one.
    pub(super) fn require_one_of(&self, other: &SessionFile) -> Result<()> {
        // A side without any session is silent, and has no names to compare.
        let silent = self.sessions.is_empty() || other.sessions.is_empty();
        if silent || other.names().any(|name| self.session(name).is_some()) {
            return Ok(());
        }
        let first = |file: &SessionFile| file.names().next().unwrap_or_default().to_owned();
        let message = format!(
            "it has no session in common with `{}`, as `{}` here and `{}` there; names are compared as they are",
            self.path,
            first(other),
            first(self)
        );
        Err(InputError::malformed(message).at(Location::file(Arc::clone(&other.path))))
    }

    /// Keeps the sessions for which `keep` returns `true`. It gets the name of the session, and its utterances to
    /// change.
    pub(super) fn retain(&mut self, mut keep: impl FnMut(&str, &mut Vec<Spoken>) -> bool) {
        self.sessions.retain_mut(|session| keep(&session.name, &mut session.spoken));
        let places = self.sessions.iter().enumerate().map(|(place, session)| (session.name.clone(), place));
        self.by_name = places.collect();
    }

    fn push(&mut self, session: &str, spoken: Spoken, at: &dyn Fn() -> Location) {
        let place = match self.by_name.get(session) {
            Some(&place) => place,
            None => {
                let place = self.sessions.len();
                self.by_name.insert(session.to_owned(), place);
                self.sessions.push(NamedSession {
                    name: session.to_owned(),
                    spoken: Vec::new(),
                    first: at(),
                });
                place
            }
        };
        self.sessions[place].spoken.push(spoken);
    }
}

/// Reads the meeting transcripts of a file, of all files in a folder, or of the files of `NAME=FILE,FILE`. With
/// `empty`, there may be no session.
///
/// # Errors
/// Returns an error if a file cannot be read or is malformed, with file and line, or if there is no session.
pub(super) fn read(given: &str, empty: bool) -> Result<SessionFile> {
    let SystemFiles { name, paths } = SystemFiles::parse(given);
    let mut file = SessionFile { path: name.into(), ..SessionFile::default() };
    for path in &paths {
        if Path::new(path).is_dir() {
            files_of(path)?.iter().try_for_each(|path| read_into(&mut file, path))?;
        } else {
            read_into(&mut file, path)?;
        }
    }
    if file.sessions.is_empty() && !empty {
        let message =
            "no session: the file has no utterance; with --missing-sessions empty nobody speaks in it";
        return Err(InputError::malformed(message).at(Location::file(given)));
    }
    Ok(file)
}

/// Returns the paths of the files in a folder, sorted.
fn files_of(folder: &str) -> Result<Vec<String>> {
    let io = |error: std::io::Error| {
        InputError::from(InputErrorKind::Io(error.to_string())).at(Location::file(folder))
    };
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(io)? {
        paths.push(entry.map_err(io)?.path().to_string_lossy().into_owned());
    }
    // The order of a folder depends on the file system; sorted names make the order of sessions reproducible.
    paths.sort_unstable();
    Ok(paths)
}

fn read_into(file: &mut SessionFile, path: &str) -> Result<()> {
    let name = path.to_ascii_lowercase();
    // The path is compared in lower case, so `.STM` is accepted too.
    let plain = name.strip_suffix(".gz").or(name.strip_suffix(".zst")).unwrap_or(&name);
    let ends = |end| plain.ends_with(end);
    if ends(".stm") {
        read_stm(file, path)
    } else if ends(".ctm") {
        let plain = Path::new(&path[..plain.len()]);
        let name = plain.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into());
        read_ctm(file, path, &name)
    } else if ends(".json") {
        read_seglst(file, path)
    } else {
        let message = if ends(".rttm") {
            "RTTM has times and speakers but no words, so no error rate can be counted; give STM, CTM or SegLST"
        } else {
            "the name of a file of sessions ends in .stm, .ctm or .json (SegLST), or .gz or .zst after that"
        };
        Err(InputError::malformed(message).at(Location::file(path)))
    }
}

/// Reads an STM file, in which each line is one utterance.
fn read_stm(file: &mut SessionFile, path: &str) -> Result<()> {
    speech_lines(path, |line, at| {
        let spoken = spoken(line, line.speaker.unwrap_or_default())?;
        file.push(line.file, spoken, at);
        Ok(())
    })
}

/// Reads a CTM file, in which each line is one word. Each word becomes an utterance of `speaker`, because CTM
/// has no speaker labels.
fn read_ctm(file: &mut SessionFile, path: &str, speaker: &str) -> Result<()> {
    // For each session: the channel, and the start of the last word in seconds.
    let mut known: HashMap<String, (String, f64)> = HashMap::new();
    speech_lines(path, |line, at| {
        let Some([start, _]) = line.times else { return Err(alternatives(line.words[0])) };
        let last = known.entry(line.file.to_owned()).or_insert_with(|| (line.channel.to_owned(), start));
        if last.0 != line.channel {
            return Err(InputError::malformed(format!(
                "channel `{}` after channel `{}`: CTM has no speakers, so each file is one speaker; give a folder with one file \
                 for each speaker",
                line.channel, last.0
            )));
        }
        if start < last.1 {
            return Err(InputError::malformed(format!(
                "the times run back: the word begins at {start} s, but the word before it at {} s",
                last.1
            )));
        }
        last.1 = start;
        file.push(line.file, spoken(line, speaker)?, at);
        Ok(())
    })
}

fn spoken(line: SpeechLine<'_>, speaker: &str) -> Result<Spoken> {
    if let Some(word) = line.words.iter().find(|word| word.starts_with('{') || word.ends_with('}')) {
        return Err(alternatives(word));
    }
    if line.words.iter().any(|word| word.eq_ignore_ascii_case("ignore_time_segment_in_scoring")) {
        let message = "a segment marked to be ignored would count as a word; remove it on both sides";
        return Err(InputError::malformed(message));
    }
    // STM puts a label such as `<o,f0,male>` before the words, with commas between its parts.
    // MeetEval takes a label for words; without a comma it may be one.
    let word = line.label.filter(|label| !label.contains(','));
    let words: Vec<&str> = word.into_iter().chain(line.words.iter().copied()).collect();
    Ok(Spoken { speaker: speaker.to_owned(), times: line.times, words: words.join(" ") })
}

fn alternatives(word: &str) -> InputError {
    InputError::malformed(format!(
        "`{word}`: alternatives are not supported here, since they would count as words; write out one of them, or score the \
         files of one speaker with `bleuprint transcripts`"
    ))
}

fn read_seglst(file: &mut SessionFile, path: &str) -> Result<()> {
    let mut fields = FieldReader::open(path, None)?;
    let mut items = Vec::new();
    while fields.advance()? {
        items.push(SeglstItem::from_fields(&*fields.record()?, fields.location())?);
    }
    require_times_of_all(&items)?;
    for SeglstItem { session, spoken, at } in items {
        let missing = || InputError::malformed("the utterance has no `session_id`").at(at.clone());
        file.push(&session.ok_or_else(missing)?, spoken, &|| at.clone());
    }
    Ok(())
}
