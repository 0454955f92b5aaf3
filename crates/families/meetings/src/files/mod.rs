//! [`Sessions`]: files of sessions of several speakers, as segments; and their reader for programs.

mod file;
mod overlap;

use std::collections::HashSet;
use std::str::FromStr;
use std::sync::Arc;

use bleuprint_core::{ConfigError, InputError, Location, Result};

use bleuprint_text::read::{Findings, Segment, SegmentReader};
use bleuprint_text::{ReadSegments, ReaderEntry, ReaderOption, SegmentKind};

use crate::Spoken;
use crate::cut::SESSIONS;
use file::{SessionFile, read};
pub use overlap::self_overlap;

pub(crate) static READERS: &[ReaderEntry] = &[ReaderEntry {
    name: "speakers",
    help: "REF and SYS are sessions of speakers: .stm, .ctm or .json (SegLST), or folders of them; for cpwer, tcpwer and orcwer",
    of: "sessions of speakers",
    metrics: "cpwer, tcpwer:collar=5 or orcwer",
    gives: SegmentKind::Parted(SESSIONS),
    value: None,
    options: &[ReaderOption {
        name: MISSING,
        value: Some("MEANING"),
        choices: &MissingSessions::NAMES,
        has_sources: false,
        help: "What a session is that one side lacks: error [default], empty or skip",
    }],
    open: |files| {
        let missing = files.option(MISSING).map(str::parse::<MissingSessions>).transpose();
        let missing = missing.map_err(|error| InputError::malformed(error.to_string()))?.unwrap_or_default();
        Ok(ReadSegments::Texts(Box::new(Sessions::open(files.reference, files.systems, missing)?)))
    },
}];

const MISSING: &str = "missing-sessions";

/// The treatment of a session that one side lacks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum MissingSessions {
    /// `error`: an error.
    #[default]
    Refuse,
    /// `empty`: a session without utterances on that side.
    Empty,
    /// `skip`: left out.
    Skip,
}

impl MissingSessions {
    const NAMES: [&str; 3] = ["error", "empty", "skip"];
}

impl FromStr for MissingSessions {
    type Err = ConfigError;

    fn from_str(name: &str) -> Result<Self, ConfigError> {
        match name {
            "error" => Ok(MissingSessions::Refuse),
            "empty" => Ok(MissingSessions::Empty),
            "skip" => Ok(MissingSessions::Skip),
            _ => Err(ConfigError::unknown_name("meaning of missing sessions", name, Self::NAMES)),
        }
    }
}

/// The sessions of systems next to those of the reference: a segment for each system and session, in the order of the
/// reference, with the text forms that [`parse_session`](crate::parse_session) reads.
///
/// The format follows from the name: `.stm`, `.ctm`, or `.json` for SegLST; each also with `.gz` or `.zst` after it. A
/// folder is all of its files together, as CTM has no speakers and one file is one speaker.
///
/// | | fields | session, speaker |
/// |---|---|---|
/// | STM | `file channel speaker start end <label> words ..`; comments begin with `;` | `file`, `speaker` |
/// | CTM | `file channel start duration word confidence`; comments begin with `;;` | `file`, the name of the file |
/// | SegLST | `session_id`, `speaker`, `start_time`, `end_time`, `words` | these |
///
/// ```no_run
/// use bleuprint_meetings::{MissingSessions, Sessions};
/// use bleuprint_text::read::{Segment, SegmentReader};
/// let mut sessions = Sessions::open("ref.stm", &["hyp.stm"], MissingSessions::Refuse)?;
/// let mut segment = Segment::default();
/// while sessions.next(&mut segment)? {
///     println!("{:?} {:?}", segment.id, segment.hypothesis);
/// }
/// # Ok::<(), bleuprint_core::InputError>(())
/// ```
#[derive(Debug)]
pub struct Sessions {
    reference: SessionFile,
    systems: Vec<SessionFile>,
    /// The sessions that are read, by name.
    names: Vec<String>,
    at: (usize, usize),
    overlaps: Vec<String>,
}

impl Sessions {
    /// Reads the files.
    ///
    /// # Errors
    /// Files that cannot be read, or are malformed, with file and line; a session that one side lacks, unless
    /// `missing` allows it; no session at all.
    pub fn open(
        reference: impl AsRef<str>,
        systems: &[impl AsRef<str>],
        missing: MissingSessions,
    ) -> Result<Self> {
        let reference = read(reference.as_ref())?;
        let systems = systems.iter().map(|path| read(path.as_ref())).collect::<Result<Vec<_>>>()?;
        let mut names: Vec<String> = reference.names().map(str::to_owned).collect();
        let mut known: HashSet<String> = names.iter().cloned().collect();
        for system in &systems {
            if missing == MissingSessions::Refuse {
                system.require_all_of(&reference)?;
                reference.require_all_of(system)?;
            }
            names.extend(system.names().filter(|name| known.insert((*name).to_owned())).map(str::to_owned));
        }
        if missing == MissingSessions::Skip {
            let everywhere =
                |name: &String| systems.iter().chain([&reference]).all(|file| file.session(name).is_some());
            names.retain(everywhere);
        }
        if names.is_empty() {
            let message = "no session that both sides have";
            return Err(InputError::malformed(message).at(Location::file(Arc::clone(&reference.path))));
        }
        let overlaps = systems.iter().chain([&reference]).filter_map(overlap::of_file).collect();
        Ok(Sessions { reference, systems, names, at: (0, 0), overlaps })
    }
}

impl SegmentReader for Sessions {
    fn next(&mut self, segment: &mut Segment) -> Result<bool> {
        let (system, session) = self.at;
        let (Some(file), Some(name)) = (self.systems.get(system), self.names.get(session)) else {
            return Ok(false);
        };
        let text = |file: &SessionFile| Spoken::text_of(file.session(name).unwrap_or_default());
        *segment = Segment {
            hypothesis: Some(text(file)),
            references: vec![Some(text(&self.reference))],
            id: Some(name.clone()),
            system: Some(file.path.to_string()),
            ..Segment::default()
        };
        let last = session + 1 == self.names.len();
        self.at = if last { (system + 1, 0) } else { (system, session + 1) };
        Ok(true)
    }

    fn location(&self) -> Location {
        let file = self.systems.get(self.at.0).or(self.systems.last()).unwrap_or(&self.reference);
        Location::file(Arc::clone(&file.path))
    }

    fn findings(&self) -> Findings {
        Findings { notes: self.overlaps.clone(), ..Findings::default() }
    }
}
