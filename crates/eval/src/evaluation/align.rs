//! [`align`]: pairs the segments of two runs or files by common ids, or by position if there are none.

use std::collections::HashMap;

use bleuprint_core::{InputError, InputErrorKind, Result};

use super::corpus::Fingerprints;
use super::facts::{ids_of, shown_id};
use super::labels::{LENGTH, RunLabels};
use super::{Run, RunFacts};
use crate::store::{Fingerprint, StoredStatistics};

/// Ids, labels and fingerprints by which the segments of a run or a statistics file are paired with others.
pub(super) struct PairedSegments<'s> {
    /// Name of the run or of the file in messages.
    pub(super) name: &'s str,
    /// Labels whose values identify a segment; empty if segments have no ids.
    pub(super) ids: &'s [String],
    pub(super) labels: &'s RunLabels,
    pub(super) fingerprints: &'s [Fingerprints],
}

impl PairedSegments<'_> {
    /// Returns `true` if no segment has references or a source by which it could be recognized.
    fn is_nameless(&self) -> bool {
        let nothing = Fingerprint::from_texts([""; 0]);
        self.fingerprints.iter().all(|(references, source)| *references == nothing && source.is_none())
    }
}

/// Pairing of the segments of two runs.
pub(super) struct Alignment {
    /// Indices into the segments of the other run: the partner of each segment of the first run, in order.
    pub(super) places: Vec<usize>,
    /// Warning if segments were paired by position although ids would be safer.
    pub(super) note: Option<String>,
}

/// Pairs each segment of `first` with a segment of `other`. The segments are paired by ids, in any order, if
/// both runs have the same id labels, otherwise by position.
///
/// # Errors
/// Returns an error if the numbers of segments, the ids, the labels, the references or the sources differ.
pub(super) fn align(first: &PairedSegments<'_>, other: &PairedSegments<'_>) -> Result<Alignment> {
    let (left_len, right_len) = (first.fingerprints.len(), other.fingerprints.len());
    if left_len != right_len {
        let (left, right) = (first.name.to_owned(), other.name.to_owned());
        let (left_len, right_len) = (left_len as u64, right_len as u64);
        return Err(InputErrorKind::LengthMismatch { left, left_len, right, right_len }.into());
    }
    let alignment = paired(first, other)?;
    require_same_texts(first, other, &alignment.places)?;
    require_same_labels(first, other, &alignment.places)?;
    Ok(alignment)
}

/// Pairs segments by ids or by position, without comparing their texts and labels.
fn paired(first: &PairedSegments<'_>, other: &PairedSegments<'_>) -> Result<Alignment> {
    let ids = |side: &PairedSegments<'_>| !side.ids.is_empty();
    let is_by_id = ids(first) && first.ids == other.ids;
    let places = if is_by_id { by_id(first, other)? } else { (0..first.fingerprints.len()).collect() };
    let note = match (is_by_id, ids(first), ids(other)) {
        (true, ..) => None,
        (false, true, true) => Some(format!(
            "{} and {} have other ids ({} and {}), so their segments are paired by their places",
            first.name,
            other.name,
            first.ids.join(", "),
            other.ids.join(", ")
        )),
        (false, false, false) => first.is_nameless().then(|| {
            format!(
                "{} and {} have neither ids nor references, so their segments are paired by their places",
                first.name, other.name
            )
        }),
        (false, with, _) => {
            let (with, without) = if with { (first, other) } else { (other, first) };
            Some(format!(
                "{} has ids and {} has none, so their segments are paired by their places",
                with.name, without.name
            ))
        }
    };
    Ok(Alignment { places, note })
}

/// Returns, for each segment of `first`, the index of the segment of `other` with the same id.
fn by_id(first: &PairedSegments<'_>, other: &PairedSegments<'_>) -> Result<Vec<usize>> {
    fn of<'s>(side: &PairedSegments<'s>) -> Result<Vec<Vec<&'s str>>> {
        let missing = || InputError::malformed(format!("a segment of {} has no id", side.name));
        ids_of(side.ids, side.labels).ok_or_else(missing)
    }
    let (ours, theirs) = (of(first)?, of(other)?);
    let known: HashMap<&Vec<&str>, usize> = theirs.iter().zip(0..).collect();
    let place = |id: &Vec<&str>| {
        known.get(id).copied().ok_or_else(|| {
            let id = shown_id(id);
            let (one, two) = (first.name, other.name);
            InputError::malformed(format!("{two} has no segment with the id `{id}`, which is in {one}"))
        })
    };
    ours.iter().map(place).collect()
}

fn require_same_texts(
    first: &PairedSegments<'_>,
    other: &PairedSegments<'_>,
    places: &[usize],
) -> Result<()> {
    for (number, (one, &place)) in (1..).zip(first.fingerprints.iter().zip(places)) {
        let two = &other.fingerprints[place];
        // References are compared first: a difference there makes the source irrelevant. Unknown sources fit
        // any source.
        let text = match one.1.zip(two.1) {
            _ if one.0 != two.0 => "references",
            Some((source, from)) if source != from => "source",
            _ => continue,
        };
        let (one, two) = (first.name, other.name);
        let message = format!("{one} and {two} differ in the {text} of segment {number}");
        return Err(InputError::malformed(message));
    }
    Ok(())
}

/// Rejects segments whose labels differ. The label [`LENGTH`] is not compared, because it depends on the
/// tokenizer.
fn require_same_labels(
    first: &PairedSegments<'_>,
    other: &PairedSegments<'_>,
    places: &[usize],
) -> Result<()> {
    for (one, name) in first.labels.names.iter().enumerate().filter(|(_, name)| *name != LENGTH) {
        let Some(two) = other.labels.names.iter().position(|known| known == name) else { continue };
        let value = |labels: &RunLabels, segment: usize, label: usize| -> Option<String> {
            labels.values.get(segment)?.get(label)?.clone()
        };
        for (segment, &place) in places.iter().enumerate() {
            let (ours, theirs) = (value(first.labels, segment, one), value(other.labels, place, two));
            if ours != theirs {
                let shown =
                    |value: Option<String>| value.map_or("missing".to_owned(), |value| format!("`{value}`"));
                return Err(InputError::malformed(format!(
                    "the label `{name}` of segment {} is {} in {}, but {} in {}",
                    segment + 1,
                    shown(ours),
                    first.name,
                    shown(theirs),
                    other.name
                )));
            }
        }
    }
    Ok(())
}

/// Adds to `labels` the labels of `other` that it lacks. `places` has, for each segment of `labels`, its
/// index in `other`.
pub(super) fn with_labels_of(mut labels: RunLabels, other: &RunLabels, places: &[usize]) -> RunLabels {
    for (label, name) in other.names.iter().enumerate() {
        if labels.names.contains(name) {
            continue;
        }
        labels.names.push(name.clone());
        for (values, &place) in labels.values.iter_mut().zip(places) {
            values.push(other.values.get(place).and_then(|values| values.get(label)?.clone()));
        }
    }
    labels
}

impl Run {
    pub(super) fn paired_segments<'r>(&'r self, name: &'r str) -> PairedSegments<'r> {
        PairedSegments { name, ids: &self.facts.ids, labels: &self.labels, fingerprints: &self.fingerprints }
    }

    /// Returns the statistics of the file `name` in the order of the run's segments. Also returns a warning
    /// if segments were paired by position although ids would be safer. `own` is the run's name in messages.
    /// References and sources are not compared.
    ///
    /// # Errors
    /// Returns an error if the file has other ids or labels than the run.
    pub fn align_file(
        &self,
        own: &str,
        mut file: StoredStatistics,
        name: &str,
    ) -> Result<(StoredStatistics, Option<String>)> {
        let labels = RunLabels::of_file(&file);
        let facts = RunFacts::of_file(&file.header, &labels);
        let fingerprints: Vec<Fingerprints> =
            file.segments.iter().map(|segment| (segment.references, segment.source)).collect();
        let theirs = PairedSegments { name, ids: &facts.ids, labels: &labels, fingerprints: &fingerprints };
        let ours = self.paired_segments(own);
        let Alignment { places, note } = paired(&ours, &theirs)?;
        require_same_labels(&ours, &theirs, &places)?;
        file.segments = places.iter().map(|&place| file.segments[place].clone()).collect();
        Ok((file, note))
    }
}
