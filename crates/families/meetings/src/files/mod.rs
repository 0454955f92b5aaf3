//! [`Sessions`]: reads files of meeting transcripts as segments, also for the command line.

mod choice;
mod file;
mod overlap;

use std::collections::HashSet;
use std::str::FromStr;
use std::sync::Arc;

use bleuprint_core::{ConfigError, InputError, Location, Result};

use bleuprint_text::read::{Findings, LeftOut, ReadSegment, SegmentReader};
use bleuprint_text::{ReadSegments, ReaderEntry, ReaderOption, SegmentKind};

use crate::Spoken;
use crate::cut::SESSIONS;
use choice::SessionChoice;
use file::{SessionFile, read};
pub use overlap::self_overlap;

pub(crate) static READERS: &[ReaderEntry] = &[ReaderEntry {
    name: "speakers",
    help: "REF and SYS are sessions of speakers: .stm, .ctm or .json (SegLST), folders of them, or NAME=FILE,FILE; for cpwer, tcpwer and orcwer",
    of: "sessions of speakers",
    metrics: "cpwer, tcpwer:collar=5 or orcwer",
    gives: SegmentKind::Parted(SESSIONS),
    value: None,
    has_outputs: false,
    options: &[
        ReaderOption {
            name: MISSING,
            value: Some("MEANING"),
            choices: &MissingSessions::NAMES,
            has_sources: false,
            help: "How to treat a session that one side lacks: error [default], empty (also for a file without sessions) or skip",
        },
        ReaderOption {
            name: UEM,
            value: Some("FILE"),
            choices: &[],
            has_sources: false,
            help: "The scored regions of sessions (UEM): only utterances that touch them are scored, each as a whole",
        },
        ReaderOption {
            name: REGEX,
            value: Some("PATTERN"),
            choices: &[],
            has_sources: false,
            help: "Score only the sessions whose whole name this regular expression matches",
        },
    ],
    open: |files| {
        let missing = files.option(MISSING).map(str::parse::<MissingSessions>).transpose();
        let missing = missing.map_err(|error| InputError::malformed(error.to_string()))?.unwrap_or_default();
        let choice = SessionChoice::new(files.option(REGEX), files.option(UEM))?;
        let sessions = Sessions::open_chosen(files.reference, files.systems, missing, &choice)?;
        Ok(ReadSegments::Texts(Box::new(sessions)))
    },
}];

const MISSING: &str = "missing-sessions";
const UEM: &str = "uem";
const REGEX: &str = "regex";

/// Action for a session (meeting) that is missing in the reference or in the hypothesis.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum MissingSessions {
    /// Option value `error`: the file reader returns an error for a missing session.
    #[default]
    Refuse,
    /// Option value `empty`: a missing session is read as a session without utterances.
    Empty,
    /// Option value `skip`: a missing session is removed from the reference and from all systems.
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

/// Reader of meeting transcripts (sessions) in files, with one segment for each system and session. Sessions
/// are in the order of the reference. Reference and hypothesis are the JSON text that
/// [`parse_session`](crate::parse_session) reads.
///
/// The end of the file name gives the format: `.stm`, `.ctm`, or `.json` for SegLST; `.gz` or `.zst` may
/// follow. All files of a folder are read together, and so are those of `NAME=FILE,FILE`. CTM has no speakers, so each CTM file is one speaker.
///
/// | | fields | session, speaker |
/// |---|---|---|
/// | STM | `file channel speaker start end <label> words ..`; comments begin with `;` | `file`, `speaker` |
/// | CTM | `file channel start duration word confidence`; comments begin with `;;` | `file`, the name of the file |
/// | SegLST | `session_id`, `speaker`, `start_time`, `end_time`, `words` | `session_id`, `speaker` |
///
/// ```no_run
/// use bleuprint_meetings::{MissingSessions, Sessions};
/// use bleuprint_text::read::{ReadSegment, SegmentReader};
/// let mut sessions = Sessions::open("ref.stm", &["hyp.stm"], MissingSessions::Refuse)?;
/// let mut segment = ReadSegment::default();
/// while sessions.next(&mut segment)? {
///     println!("{:?} {:?}", segment.id, segment.hypothesis);
/// }
/// # Ok::<(), bleuprint_core::InputError>(())
/// ```
#[derive(Debug)]
pub struct Sessions {
    reference: SessionFile,
    systems: Vec<SessionFile>,
    /// Names of the sessions (meetings) to read, in order.
    names: Vec<String>,
    at: (usize, usize),
    overlaps: Vec<String>,
    left_out: Vec<LeftOut>,
}

impl Sessions {
    /// Reads the meeting transcripts of the reference and of the systems from files.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read or is malformed, with file and line; if one side lacks a
    /// session, unless `missing` allows it; or if the reference and a system have no session in common.
    pub fn open(
        reference: impl AsRef<str>,
        systems: &[impl AsRef<str>],
        missing: MissingSessions,
    ) -> Result<Self> {
        Sessions::open_chosen(reference, systems, missing, &SessionChoice::default())
    }

    /// Reads meeting transcripts like [`Sessions::open`], without the sessions and utterances that `choice` leaves
    /// out.
    fn open_chosen(
        reference: impl AsRef<str>,
        systems: &[impl AsRef<str>],
        missing: MissingSessions,
        choice: &SessionChoice,
    ) -> Result<Self> {
        let empty = missing == MissingSessions::Empty;
        let mut reference = read(reference.as_ref(), empty)?;
        let systems = systems.iter().map(|path| read(path.as_ref(), empty)).collect::<Result<Vec<_>>>();
        let mut systems = systems?;
        let mut files = vec![&mut reference];
        files.extend(&mut systems);
        let mut left_out = choice.apply(&mut files)?;
        let mut names: Vec<String> = reference.names().map(str::to_owned).collect();
        let mut known: HashSet<String> = names.iter().cloned().collect();
        if missing == MissingSessions::Empty {
            systems.iter().try_for_each(|system| reference.require_one_of(system))?;
        }
        for system in &systems {
            if missing == MissingSessions::Refuse {
                system.require_all_of(&reference)?;
                reference.require_all_of(system)?;
            }
            names.extend(system.names().filter(|name| known.insert((*name).to_owned())).map(str::to_owned));
        }
        let everywhere =
            |name: &String| systems.iter().chain([&reference]).all(|file| file.session(name).is_some());
        let (of, both) = (names.len(), names.iter().filter(|name| everywhere(name)).count());
        let what = match missing {
            MissingSessions::Skip => "sessions are left out, because the reference or a system lacks them",
            _ => "sessions are empty on a side that lacks them",
        };
        let count = of - both;
        let missed =
            (count > 0).then(|| LeftOut { count: count as u64, of: of as u64, what: what.to_owned() });
        left_out.extend(missed);
        if missing == MissingSessions::Skip {
            names.retain(everywhere);
        }
        if names.is_empty() {
            let message = "no session is in both the reference and all systems";
            return Err(InputError::malformed(message).at(Location::file(Arc::clone(&reference.path))));
        }
        let overlaps = systems.iter().chain([&reference]).filter_map(overlap::of_file).collect();
        Ok(Sessions { reference, systems, names, at: (0, 0), overlaps, left_out })
    }
}

impl SegmentReader for Sessions {
    fn next(&mut self, segment: &mut ReadSegment) -> Result<bool> {
        let (system, session) = self.at;
        let (Some(file), Some(name)) = (self.systems.get(system), self.names.get(session)) else {
            return Ok(false);
        };
        let text = |file: &SessionFile| Spoken::text_of(file.session(name).unwrap_or_default());
        *segment = ReadSegment {
            hypothesis: Some(text(file)),
            references: vec![Some(text(&self.reference))],
            id: Some(name.clone()),
            system: Some(file.path.to_string()),
            ..ReadSegment::default()
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
        Findings { notes: self.overlaps.clone(), left_out: self.left_out.clone(), ..Findings::default() }
    }
}
