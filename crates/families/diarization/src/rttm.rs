//! [`recordings`]: reads speaker turns from RTTM files and scored regions from UEM files, also for the
//! command line.

use std::collections::{BTreeMap, HashMap, HashSet};

use bleuprint_core::{Form as _, InputError, Location, Result, counted};
use bleuprint_text::read::{FieldReader, LeftOut, SystemFiles};
use bleuprint_text::{
    Encoding, LineReader, ReadSegments, ReaderEntry, ReaderOption, SegmentKind, whitespace,
};
use serde_json::{Map, Value, json};

use crate::side::{MOST_SPEAKERS, MOST_TURNS};
use crate::ticks::{seconds, ticks};
use crate::{Regions, Turn, Turns};

/// Speaker turns of reference and hypothesis in one recording (a channel of an audio file), with its scored
/// regions.
#[derive(Debug, Clone, Default, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct Recording {
    /// Name of the audio file, followed by a space and the channel unless the channel is 1.
    pub id: String,
    /// Speaker turns of the reference.
    pub reference: Turns,
    /// Speaker turns of the hypothesis.
    pub hypothesis: Turns,
    /// Regions of the recording that are scored; `None` if the user gives no UEM file.
    pub regions: Option<Regions>,
}

/// Reads the speaker turns of a reference and a hypothesis from RTTM files, and scored regions from a UEM
/// file. Returns one recording for each audio channel, in the order of the reference.
///
/// A line of RTTM is `SPEAKER file channel start duration <NA> <NA> speaker <NA> <NA>`, a line of UEM is
/// `file channel start end`. Blank lines and lines that begin with `;` or `#` are skipped. Other types of
/// RTTM lines are skipped, too, except NOSCORE, which is an error: use a UEM instead. Names are compared
/// exactly, channels in lower case. If `empty` is `true`, a recording that is missing on one side has no turn
/// there. If `rounded` is `true`, times with more than six decimal places are rounded to the nearest
/// microsecond. Each path may be `NAME=FILE,FILE`, whose files are read as one.
///
/// ```no_run
/// let all = bleuprint_diarization::recordings("ref.rttm", "hyp.rttm", Some("all.uem"), false, false).unwrap();
/// assert_eq!(all[0].id, "meeting");
/// ```
///
/// # Errors
///
/// Returns an error if a file cannot be read, or has malformed lines, negative times, too many turns or too
/// many speakers. Also returns an error if one side lacks a recording, or if the UEM lacks a recording of the
/// reference, contains none of its recordings, or has overlapping regions.
pub fn recordings(
    reference: &str,
    hypothesis: &str,
    uem: Option<&str>,
    empty: bool,
    rounded: bool,
) -> Result<Vec<Recording>> {
    let (all, _) = read_all(reference, &[hypothesis], uem, empty, rounded)?;
    Ok(all.into_iter().map(|one| one.of_system(0)).collect())
}

/// The command line's file readers for speaker turns.
pub(crate) static READERS: &[ReaderEntry] = &[ReaderEntry {
    name: "turns",
    help: "REF and SYS are turns of speakers in RTTM (or NAME=FILE,FILE for several files of one side); for der, jer, detection, purity and bcubed",
    of: "turns of speakers",
    metrics: "der, jer or purity",
    gives: SegmentKind::Form(Turns::NAME),
    value: None,
    has_outputs: false,
    options: &[
        ReaderOption {
            name: "uem",
            value: Some("FILE"),
            choices: &[],
            has_sources: true,
            help: "The scored regions of turns (UEM); without them `uem=extent` scores the extent of the turns",
        },
        ReaderOption {
            name: "missing",
            value: Some("MODE"),
            choices: &["error", "empty"],
            has_sources: false,
            help: "A recording that one side lacks, or a file without turns: error [default], or empty, one without a turn there",
        },
        ReaderOption {
            name: "round-times",
            value: None,
            choices: &[],
            has_sources: false,
            help: "Round times of more than six decimal places to the microsecond",
        },
    ],
    open: |files| {
        let empty = files.option("missing") == Some("empty");
        let rounded = files.option("round-times").is_some();
        let systems: Vec<&str> = files.systems.iter().map(String::as_str).collect();
        let (all, left_out) = read_all(files.reference, &systems, files.option("uem"), empty, rounded)?;
        let row = |place: usize, one: &JoinedRecording| {
            let mut row = one.of_system(place).record();
            row.insert("system".to_owned(), SystemFiles::parse(systems[place]).name.into());
            (one.systems[place].1.clone(), row)
        };
        let rows = (0..systems.len()).flat_map(|place| all.iter().map(move |one| row(place, one)));
        Ok(ReadSegments::Records(FieldReader::of_rows(rows.collect()).with_left_out(left_out)))
    },
}];

impl Recording {
    /// Returns the recording as a record of JSON Lines: `id`, `hypothesis`, `reference` and, if it has
    /// regions, `source`.
    pub fn record(&self) -> Map<String, Value> {
        let turns = |turns: &Turns| -> Value {
            turns.0.iter().map(|turn| json!([turn.speaker, turn.start, turn.end])).collect()
        };
        let mut record = Map::new();
        record.insert("id".to_owned(), json!(self.id));
        record.insert("hypothesis".to_owned(), turns(&self.hypothesis));
        record.insert("reference".to_owned(), turns(&self.reference));
        if let Some(regions) = &self.regions {
            record.insert("source".to_owned(), json!(regions.0));
        }
        record
    }
}

/// Recording with its reference turns and the speaker turns of each system.
struct JoinedRecording {
    id: String,
    reference: Turns,
    regions: Option<Regions>,
    /// Speaker turns of each system, with the location of its first turn.
    systems: Vec<(Turns, Location)>,
}

impl JoinedRecording {
    fn of_system(&self, place: usize) -> Recording {
        let reference = self.reference.clone();
        let regions = self.regions.clone();
        let hypothesis = self.systems.get(place).map(|(turns, _)| turns.clone()).unwrap_or_default();
        Recording { id: self.id.clone(), reference, hypothesis, regions }
    }
}

/// Reads the recordings of a reference and several systems from RTTM files, in the order of the reference.
/// Also returns the number of recordings that have no turns in the reference or in a system.
fn read_all(
    reference: &str,
    systems: &[&str],
    uem: Option<&str>,
    empty: bool,
    rounded: bool,
) -> Result<(Vec<JoinedRecording>, Vec<LeftOut>)> {
    let mut ours = read_turns(reference, empty, rounded)?;
    let theirs = systems.iter().map(|path| read_turns(path, empty, rounded)).collect::<Result<Vec<_>>>();
    let mut theirs = theirs?;
    for (path, system) in systems.iter().zip(&theirs) {
        require_same_recordings((reference, &ours), (path, system), empty)?;
    }
    let ids = ids_of_all(&ours, &theirs);
    let left_out = recordings_without_turns(&ids, &ours, &theirs);
    let mut regions = uem.map(|path| read_regions(path, rounded)).transpose()?;
    if let (Some(regions), Some(path)) = (&regions, uem) {
        require_known_recording((path, regions), (reference, &ours))?;
    }
    let mut all = Vec::with_capacity(ids.len());
    for (id, first) in ids {
        let scored = regions.as_mut().map(|regions| regions.take(&id));
        if let (Some(None), Some(path)) = (&scored, uem) {
            let message = format!("the UEM `{path}` has no region of `{id}`; names are compared as they are");
            return Err(InputError::malformed(message).at(first));
        }
        let of_system = |(path, system): (&&str, &mut ByRecording<Turns>)| {
            let place = system.places.get(&id).map(|&place| system.list[place].first.clone());
            (system.take(&id).unwrap_or_default(), place.unwrap_or_else(|| Location::file(*path)))
        };
        let systems = systems.iter().zip(&mut theirs).map(of_system).collect();
        let reference = ours.take(&id).unwrap_or_default();
        all.push(JoinedRecording { id, reference, regions: scored.flatten(), systems });
    }
    Ok((all, left_out.into_iter().collect()))
}

/// Returns an error if the reference or the system lacks a recording, or with `empty`, if they have no
/// recording in common. Each side is given with the path of its file.
fn require_same_recordings(
    (reference, ours): (&str, &ByRecording<Turns>),
    (path, system): (&str, &ByRecording<Turns>),
    empty: bool,
) -> Result<()> {
    if empty {
        // Sides without a common name are more likely two name schemes than silent recordings.
        let is_common = system.list.iter().any(|one| ours.places.contains_key(&one.id));
        if let (false, Some(theirs), Some(ours)) = (is_common, system.list.first(), ours.list.first()) {
            let message = format!(
                "no recording of `{reference}` is in it, as `{}` here and `{}` there; names are compared as they are",
                theirs.id, ours.id
            );
            return Err(InputError::malformed(message).at(Location::file(path)));
        }
        return Ok(());
    }
    let lacks = |path: &str, NamedTurns { id, first, .. }: &NamedTurns<Turns>, side: &str| {
        let message =
            format!("`{path}` has no turn of `{id}`; with --missing empty it has none in the {side}");
        Err(InputError::malformed(message).at(first.clone()))
    };
    if let Some(extra) = system.list.iter().find(|one| !ours.places.contains_key(&one.id)) {
        return lacks(reference, extra, "reference");
    }
    match ours.list.iter().find(|one| !system.places.contains_key(&one.id)) {
        Some(missing) => lacks(path, missing, "hypothesis"),
        None => Ok(()),
    }
}

/// Returns the ids of all recordings, each with the location of its first turn: first those of the reference.
fn ids_of_all(ours: &ByRecording<Turns>, theirs: &[ByRecording<Turns>]) -> Vec<(String, Location)> {
    let mut known = HashSet::new();
    let all = std::iter::once(ours).chain(theirs).flat_map(|of_file| &of_file.list);
    all.filter(|one| known.insert(&*one.id)).map(|one| (one.id.clone(), one.first.clone())).collect()
}

/// Counts the recordings that have no turn on some side; `None` if every side has turns of all.
fn recordings_without_turns(
    ids: &[(String, Location)],
    ours: &ByRecording<Turns>,
    theirs: &[ByRecording<Turns>],
) -> Option<LeftOut> {
    let sides = || std::iter::once(ours).chain(theirs);
    let lacking = ids.iter().filter(|(id, _)| !sides().all(|side| side.places.contains_key(id))).count();
    (lacking > 0).then(|| LeftOut {
        count: lacking as u64,
        of: ids.len() as u64,
        what: "recordings have no turn on a side that lacks them".to_owned(),
    })
}

/// Returns an error if the UEM has no recording of the reference, as it is then likely a wrong file.
fn require_known_recording(
    (path, regions): (&str, &ByRecording<Regions>),
    (reference, ours): (&str, &ByRecording<Turns>),
) -> Result<()> {
    if regions.list.iter().any(|one| ours.places.contains_key(&one.id)) {
        return Ok(());
    }
    // A UEM often writes another channel than RTTM, whose files have one.
    let file = |id: &str| id.split(' ').next().unwrap_or_default().to_owned();
    let same = regions.list.iter().find_map(|one| {
        let own = ours.list.iter().find(|own| file(&own.id) == file(&one.id))?;
        Some((file(&one.id), channel(&one.id), channel(&own.id)))
    });
    let message = match same {
        Some((name, theirs, ours)) => format!(
            "the UEM has `{name}` on channel {theirs}, and `{reference}` on channel {ours}: channels are compared too"
        ),
        None => format!("no file of the UEM is in `{reference}`; names are compared as they are"),
    };
    Err(InputError::malformed(message).at(Location::file(path)))
}

/// Returns the channel of a recording from its id: `2` for `meeting 2`. An id without a channel, such as
/// `meeting`, means channel `1`.
fn channel(id: &str) -> &str {
    id.split_once(' ').map_or("1", |(_, channel)| channel)
}

struct NamedTurns<T> {
    id: String,
    first: Location,
    content: T,
}

/// Contents of an RTTM or UEM file, grouped by recording in order of first appearance.
struct ByRecording<T> {
    list: Vec<NamedTurns<T>>,
    places: HashMap<String, usize>,
}

impl<T: Default> ByRecording<T> {
    fn entry(&mut self, file: &str, channel: &str, at: &Location) -> &mut T {
        let channel = channel.to_lowercase();
        // Files with a single channel write 1 everywhere, which says nothing: leave it out of the id.
        let id = if channel == "1" { file.to_owned() } else { format!("{file} {channel}") };
        let place = *self.places.entry(id.clone()).or_insert_with(|| {
            self.list.push(NamedTurns { id, first: at.clone(), content: T::default() });
            self.list.len() - 1
        });
        &mut self.list[place].content
    }

    fn take(&mut self, id: &str) -> Option<T> {
        self.places.get(id).map(|&place| std::mem::take(&mut self.list[place].content))
    }
}

/// Calls `each` with the white-space separated fields of every line that is neither blank nor a comment.
fn read<T: Default>(
    paths: &[String],
    mut each: impl FnMut(&mut ByRecording<T>, &[&str], &Location) -> Result<()>,
) -> Result<ByRecording<T>> {
    let mut all = ByRecording { list: Vec::new(), places: HashMap::new() };
    for path in paths {
        let mut lines = LineReader::open(path, Encoding::Utf8Sig)?;
        while lines.advance()? {
            let fields: Vec<&str> = whitespace::split(lines.line()).collect();
            if fields.first().is_none_or(|first| first.starts_with([';', '#'])) {
                continue;
            }
            let at = lines.location();
            each(&mut all, &fields, &at).map_err(|error| error.at(at))?;
        }
    }
    Ok(all)
}

/// Reads the turns of a file, or of all files of a system. A file without turns is an error unless `empty`.
fn read_turns(given: &str, empty: bool, rounded: bool) -> Result<ByRecording<Turns>> {
    let mut speakers: HashMap<String, Vec<String>> = HashMap::new();
    let files = SystemFiles::parse(given);
    let all = read(&files.paths, |all, fields, at| {
        match fields[0] {
            "SPEAKER" => {}
            "NOSCORE" => {
                let message = "a stretch of NOSCORE is not read; give a UEM that leaves it out";
                return Err(InputError::malformed(message));
            }
            _ => return Ok(()),
        }
        // Old RTTM has nine fields; the tenth, a lookahead time, came later. Some programs leave out the
        // confidence too.
        let ([_, file, channel, start, duration, _, _, speaker]
        | [_, file, channel, start, duration, _, _, speaker, _]
        | [_, file, channel, start, duration, _, _, speaker, _, _]) = fields
        else {
            let fields = counted(fields.len(), "field");
            let message = format!("{fields}, but a line of RTTM has 8 to 10, and names have no white space");
            return Err(InputError::malformed(message));
        };
        let start = time("start", start, rounded)?;
        let duration = time("duration", duration, rounded)?;
        let turns: &mut Turns = all.entry(file, channel, at);
        turns.0.push(Turn::new(*speaker, of_ticks(start), of_ticks(start + duration)));
        crate::side::require_at_most("the number of turns of the file", turns.0.len(), MOST_TURNS)?;
        let known = speakers.entry(format!("{file} {channel}")).or_default();
        if !known.iter().any(|known| known == speaker) {
            known.push((*speaker).to_owned());
        }
        crate::side::require_at_most("the number of speakers of the file", known.len(), MOST_SPEAKERS)
    })?;
    if all.list.is_empty() && !empty {
        let message = "no line of SPEAKER, so there is no turn; with --missing empty nobody speaks";
        return Err(InputError::malformed(message).at(Location::file(given)));
    }
    Ok(all)
}

fn read_regions(path: &str, rounded: bool) -> Result<ByRecording<Regions>> {
    // End of each region by its start, for each recording.
    let mut known: HashMap<[String; 2], BTreeMap<i64, i64>> = HashMap::new();
    read(&[path.to_owned()], |all, fields, at| {
        let [file, channel, start, end, ..] = fields else {
            let fields = counted(fields.len(), "field");
            return Err(InputError::malformed(format!("{fields}, but a line of UEM has 4")));
        };
        let from = time("start", start, rounded)?;
        let to = time("end", end, rounded)?;
        if to <= from {
            let message = format!("the region goes from {start} to {end}, but must end after its start");
            return Err(InputError::malformed(message));
        }
        let regions: &mut Regions = all.entry(file, channel, at);
        let others = known.entry([(*file).to_owned(), channel.to_lowercase()]).or_default();
        // Known regions do not overlap. If one of them overlaps the new region, it is the last one that
        // begins before its end.
        if let Some((&start, &end)) = others.range(..to).next_back()
            && from < end
        {
            let start = of_ticks(start);
            let end = of_ticks(end);
            let message = format!("the region overlaps that from {start} to {end} of the same file");
            return Err(InputError::malformed(message));
        }
        others.insert(from, to);
        regions.0.push((of_ticks(from), of_ticks(to)));
        Ok(())
    })
}

fn time(what: &str, field: &str, rounded: bool) -> Result<i64> {
    let number: f64 = field
        .parse()
        .map_err(|_| InputError::malformed(format!("the {what} `{field}` is no number of seconds")))?;
    ticks(|| format!("the {what}"), number, rounded)
}

fn of_ticks(ticks: i64) -> f64 {
    seconds(ticks.unsigned_abs())
}
