//! Builds a [`TextCorpus`], the texts of all segments, from parallel files or from a file of records. Adds
//! labels and weights from files.

use bleuprint::eval::evaluation::{RunFacts, RunLabels, TextCorpus, TextSegment};
use bleuprint::text::read::{EmptyReferences, LeftOut, ReadSegment, Systems};
use bleuprint::text::{Encoding, FileText};
use bleuprint::{InputError, InputErrorKind, Location};

use crate::failure::{Result, fail};
use crate::input::{InputRow, RecordFile, Streams, record_texts};
use crate::warn;

/// Rule for empty references in a corpus that was read from files: keep them, because the file readers have
/// already applied the user's rule.
const SETTLED: EmptyReferences = EmptyReferences::Keep;

/// Reads all segments of parallel text files, which have one segment on each line.
///
/// # Errors
/// Returns the errors of the readers, and an error if the files have no lines.
pub fn of_streams(mut streams: Streams) -> Result<TextCorpus, InputError> {
    let mut segments = Vec::new();
    let owned = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
    while streams.advance()? {
        let InputRow { hypotheses, references, source } = streams.row();
        segments.push(TextSegment {
            hypotheses: owned(&hypotheses),
            references: owned(&references),
            source: source.map(str::to_owned),
        });
    }
    let Some(first) = segments.first() else { return Err(InputErrorKind::EmptyCorpus.into()) };
    let systems = streams.system_names(first.hypotheses.len());
    let labels = RunLabels::none(segments.len());
    Ok(TextCorpus { systems, segments, labels, empty_references: SETTLED, ..TextCorpus::default() })
}

/// Reads all segments from a file of records, such as JSON Lines. All systems must have the same segments in
/// the same order.
pub fn of_records(file: &str, records: RecordFile, ids: bool) -> Result<TextCorpus, InputError> {
    let (systems, left_out) = systems_of_records(file, records, ids, false)?;
    if let Some(((first_name, first), others)) = systems.split_first() {
        for (name, segments) in others {
            require_same_segments(first_name, first, name, segments)?;
        }
    }
    of_systems(&systems, &left_out)
}

pub(super) fn sides_of_records(
    file: &str,
    records: RecordFile,
    ids: bool,
) -> Result<Vec<TextCorpus>, InputError> {
    let (systems, left_out) = systems_of_records(file, records, ids, true)?;
    systems.chunks(1).map(|system| of_systems(system, &left_out)).collect()
}

/// The segments of each system, with the name of the system.
type NamedSystems = Vec<(String, Vec<ReadSegment>)>;

/// Reads the segments of each system. Also returns the parts of the data that the reader left out. With
/// `apart`, every system has its own segments; otherwise all systems share them.
fn systems_of_records(
    file: &str,
    mut records: RecordFile,
    ids: bool,
    apart: bool,
) -> Result<(NamedSystems, Vec<LeftOut>), InputError> {
    // Systems that share segments are checked against each other in one list; separate systems have a list
    // each.
    let mut known: Vec<Systems> = Vec::new();
    let mut names: Vec<Option<String>> = Vec::new();
    let mut lists: Vec<Vec<ReadSegment>> = Vec::new();
    let mut segment = ReadSegment::default();
    while records.next(&mut segment)? {
        let at = |error: InputError| error.at(records.location());
        let (hypothesis, references) = record_texts(&segment, ids).map_err(at)?;
        let hypothesis = hypothesis.into_owned();
        let references = references.into_iter().map(|text| Some(text.into_owned())).collect();
        let name = segment.system.clone().filter(|_| apart);
        let side = names.iter().position(|known| *known == name).unwrap_or(names.len());
        if side == names.len() {
            // Rows without a name would otherwise become a separate system next to the named ones.
            if names.first().is_some_and(|first| first.is_some() != name.is_some()) {
                return Err(at(InputError::malformed("some rows name a system, and others name none")));
            }
            names.push(name);
            known.push(Systems::new(file));
        }
        let within = known[side].add(&segment).map_err(at)?;
        let system = if apart { side } else { within };
        (segment.hypothesis, segment.references) = (Some(hypothesis), references);
        lists.resize_with(lists.len().max(system + 1), Vec::new);
        lists[system].push(std::mem::take(&mut segment));
    }
    known.iter().try_for_each(Systems::check).map_err(|error| records.located(error))?;
    let systems = known.iter().flat_map(|known| known.names().to_vec()).zip(lists).collect();
    Ok((systems, records.left_out()))
}

fn of_systems(
    systems: &[(String, Vec<ReadSegment>)],
    left_out: &[LeftOut],
) -> Result<TextCorpus, InputError> {
    let Some((_, first)) = systems.first() else {
        return Err(InputErrorKind::EmptyCorpus.into());
    };
    let label = |one: &ReadSegment, name: &str| match name {
        "id" => one.id.clone(),
        "document" => one.document.clone(),
        "domain" => one.domain.clone(),
        _ => one.speaker.clone(),
    };
    // A label that no segment has is left out.
    let mut names = vec!["id", "document", "domain", "speaker"];
    names.retain(|name| first.iter().any(|one| label(one, name).is_some()));
    let values = first.iter().map(|one| names.iter().map(|name| label(one, name)).collect()).collect();
    let labels = RunLabels { names: names.into_iter().map(str::to_owned).collect(), values };
    let text = |segment: &ReadSegment| segment.hypothesis.clone().unwrap_or_default();
    let segment = |(index, one): (usize, &ReadSegment)| TextSegment {
        hypotheses: systems.iter().map(|(_, segments)| text(&segments[index])).collect(),
        references: one.present_references().map(str::to_owned).collect(),
        source: one.source.clone(),
    };
    let segments = first.iter().enumerate().map(segment).collect();
    let systems = systems.iter().map(|(name, _)| name.clone()).collect();
    let facts = RunFacts { left_out: left_out.to_vec(), ..RunFacts::default() };
    Ok(TextCorpus { systems, segments, labels, facts, empty_references: SETTLED, ..TextCorpus::default() })
}

/// Adds a label to every segment. `given` is `NAME=FILE`, and the file has one label value on each line.
pub fn add_label(corpus: &mut TextCorpus, given: &str) -> Result<(), InputError> {
    let Some((name, file)) = given.split_once('=').filter(|(name, _)| !name.is_empty()) else {
        return Err(InputError::malformed(format!("--label {given}: expected NAME=FILE")));
    };
    let lines = FileText::open(file, Encoding::Utf8Sig)?;
    if lines.len() != corpus.segments.len() {
        let left = file.to_owned();
        let right = corpus.systems.first().cloned().unwrap_or_default();
        let left_len = lines.len() as u64;
        let right_len = corpus.segments.len() as u64;
        return Err(InputErrorKind::LengthMismatch { left, left_len, right, right_len }.into());
    }
    corpus.add_label(name, lines.iter())
}

/// Adds a weight to every segment; `file` has one weight on each line.
pub(super) fn add_weights(corpus: &mut TextCorpus, file: &str) -> Result<(), InputError> {
    let lines = FileText::open(file, Encoding::Utf8Sig)?;
    let weight = |(number, line): (u64, &str)| {
        line.trim().parse::<u64>().map_err(|_| {
            let fraction =
                line.trim().parse::<f64>().is_ok_and(|weight| weight >= 0.0 && weight.fract() != 0.0);
            // Counts are whole numbers, so that states stay exact and merge in any order.
            let hint = if fraction {
                "; counts are exact, so multiply all weights by one number, such as 1000, and round them"
            } else {
                ""
            };
            let message = format!("`{line}` is not a weight, which is a whole number from 0{hint}");
            InputError::malformed(message).at(Location::line(file, number))
        })
    };
    let weights = (1..).zip(lines.iter()).map(weight).collect::<Result<Vec<_>, _>>()?;
    if weights.len() != corpus.segments.len() {
        let left = file.to_owned();
        let right = corpus.systems.first().cloned().unwrap_or_default();
        let left_len = weights.len() as u64;
        let right_len = corpus.segments.len() as u64;
        return Err(InputErrorKind::LengthMismatch { left, left_len, right, right_len }.into());
    }
    corpus.set_weights(weights)
}

/// Returns an error if a system is given twice. For a paired test, a repetition of the first system (the
/// baseline) is dropped instead.
pub(super) fn require_distinct_systems(corpus: &mut TextCorpus, paired: bool) -> Result<()> {
    let mut place = 1;
    while place < corpus.systems.len() {
        let name = corpus.systems[place].clone();
        // sacreBLEU's command line accepts the baseline among the systems, so it is no error here.
        if paired && name == corpus.systems[0] {
            warn::note(&format!("{name} is the baseline, and is left out where it comes again"));
            corpus.systems.remove(place);
            for segment in corpus.segments.iter_mut().filter(|segment| place < segment.hypotheses.len()) {
                segment.hypotheses.remove(place);
            }
            corpus.numbers.iter_mut().for_each(|column| drop(column.systems.remove(place)));
            corpus.vectors.iter_mut().for_each(|vectors| drop(vectors.systems.remove(place)));
        } else if corpus.systems[..place].contains(&name) {
            fail!("{name} is given as a system twice");
        } else {
            place += 1;
        }
    }
    Ok(())
}

fn require_same_segments(
    left: &str,
    one: &[ReadSegment],
    right: &str,
    other: &[ReadSegment],
) -> Result<(), InputError> {
    if one.len() != other.len() {
        let left = format!("system {left}");
        let right = format!("system {right}");
        let left_len = one.len() as u64;
        let right_len = other.len() as u64;
        return Err(InputErrorKind::LengthMismatch { left, left_len, right, right_len }.into());
    }
    let same = |(one, other): (&ReadSegment, &ReadSegment)| {
        one.id == other.id
            && one.source == other.source
            && one.present_references().eq(other.present_references())
    };
    // Position by position is enough: both lists are in the order of their rows.
    match one.iter().zip(other).position(|pair| !same(pair)) {
        None => Ok(()),
        Some(at) => {
            let number = at + 1;
            let message = format!(
                "segment {number} of {left} and segment {number} of {right} differ in their id, source or references"
            );
            Err(InputError::malformed(message))
        }
    }
}
