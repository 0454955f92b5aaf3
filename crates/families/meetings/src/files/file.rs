//! One file of sessions, or a folder of them: STM, CTM and SegLST, each utterance with its line.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use bleuprint_core::{InputError, InputErrorKind, Location, Result};

use bleuprint_text::read::{Fields, SpeechLine, speech_lines};

use crate::Spoken;
use crate::seglst::{Item, require_times_of_all};

/// The sessions of a file, by name, in order of first appearance.
#[derive(Debug, Default)]
pub(super) struct SessionFile {
    pub(super) path: Arc<str>,
    sessions: Vec<Named>,
    by_name: HashMap<String, usize>,
}

#[derive(Debug)]
struct Named {
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

    /// Refuses sessions of another file that this one lacks.
    pub(super) fn require_all_of(&self, other: &SessionFile) -> Result<()> {
        let lacks = |session: &&Named| self.session(&session.name).is_none();
        match other.sessions.iter().find(lacks) {
            None => Ok(()),
            Some(Named { name, first, .. }) => Err(InputError::malformed(format!(
                "`{}` has no session `{name}`; it counts as empty with --missing-sessions empty, and is left out with --missing-sessions skip",
                self.path
            ))
            .at(first.clone())),
        }
    }

    fn push(&mut self, session: &str, spoken: Spoken, at: &dyn Fn() -> Location) {
        let place = match self.by_name.get(session) {
            Some(&place) => place,
            None => {
                let place = self.sessions.len();
                self.by_name.insert(session.to_owned(), place);
                self.sessions.push(Named { name: session.to_owned(), spoken: Vec::new(), first: at() });
                place
            }
        };
        self.sessions[place].spoken.push(spoken);
    }
}

/// Reads a file, or all files of a folder.
///
/// # Errors
/// Those of the formats, with file and line; no session.
pub(super) fn read(path: &str) -> Result<SessionFile> {
    let mut file = SessionFile { path: path.into(), ..SessionFile::default() };
    let at = || Location::file(path);
    if Path::new(path).is_dir() {
        let io = |error: std::io::Error| InputError::from(InputErrorKind::Io(error.to_string())).at(at());
        let mut paths = Vec::new();
        for entry in std::fs::read_dir(path).map_err(io)? {
            paths.push(entry.map_err(io)?.path().to_string_lossy().into_owned());
        }
        paths.sort_unstable();
        paths.iter().try_for_each(|path| read_into(&mut file, path))?;
    } else {
        read_into(&mut file, path)?;
    }
    if file.sessions.is_empty() {
        return Err(InputError::malformed("no session: the file has no utterance").at(at()));
    }
    Ok(file)
}

fn read_into(file: &mut SessionFile, path: &str) -> Result<()> {
    let name = path.to_ascii_lowercase();
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
        let message = match ends(".rttm") {
            true => {
                "RTTM has times and speakers but no words, so no error rate can be counted; give STM, CTM or SegLST"
            }
            false => {
                "the name of a file of sessions ends in .stm, .ctm or .json (SegLST), or .gz or .zst after that"
            }
        };
        Err(InputError::malformed(message).at(Location::file(path)))
    }
}

/// An utterance for each line of STM.
fn read_stm(file: &mut SessionFile, path: &str) -> Result<()> {
    speech_lines(path, |line, at| {
        let spoken = spoken(line, line.speaker.unwrap_or_default())?;
        file.push(line.file, spoken, at);
        Ok(())
    })
}

/// An utterance for each word of CTM, whose speaker is the file.
fn read_ctm(file: &mut SessionFile, path: &str, speaker: &str) -> Result<()> {
    // By session: the channel, and the start of the last word.
    let mut known: HashMap<String, (String, f64)> = HashMap::new();
    speech_lines(path, |line, at| {
        let Some([start, _]) = line.times else { return Err(alternatives(line.words[0])) };
        let last = known.entry(line.file.to_owned()).or_insert_with(|| (line.channel.to_owned(), start));
        if last.0 != line.channel {
            return Err(InputError::malformed(format!(
                "channel `{}` after channel `{}`: CTM has no speakers, so a file is one; give a folder with a file \
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
        let message = "a segment that is to be ignored would count as a word; take it out on both sides";
        return Err(InputError::malformed(message));
    }
    // MeetEval takes a label for words; without a comma it may be one.
    let word = line.label.filter(|label| !label.contains(','));
    let words: Vec<&str> = word.into_iter().chain(line.words.iter().copied()).collect();
    Ok(Spoken { speaker: speaker.to_owned(), times: line.times, words: words.join(" ") })
}

fn alternatives(word: &str) -> InputError {
    InputError::malformed(format!(
        "`{word}`: alternatives are not scored, as they would count as words; write out one of them, or score the files of one \
         speaker with `bleuprint transcripts`"
    ))
}

fn read_seglst(file: &mut SessionFile, path: &str) -> Result<()> {
    let (mut fields, mut items) = (Fields::open(path, None)?, Vec::new());
    while fields.advance()? {
        items.push(Item::of(&*fields.record()?, fields.location())?);
    }
    require_times_of_all(&items)?;
    for Item { session, spoken, at } in items {
        let missing = || InputError::malformed("the utterance has no `session_id`").at(at.clone());
        file.push(&session.ok_or_else(missing)?, spoken, &|| at.clone());
    }
    Ok(())
}
