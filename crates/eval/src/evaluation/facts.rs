//! [`RunFacts`]: what a run knows about its segments besides their counts and labels. Every command and every
//! file of statistics gets these facts as one value.

use std::collections::{HashMap, HashSet};

use bleuprint_core::Result;
use bleuprint_text::read::LeftOut;

use super::labels::RunLabels;
use crate::store::Header;

/// Name of the unit that is a single segment. It is no label.
pub const SEGMENT: &str = "segment";
/// Label whose values group the samples of an item. It is the unit if some items have several samples.
pub const ITEM: &str = "item";
/// Label that names the document of a segment. It is the unit if no item has several samples.
pub const DOCUMENT: &str = "document";
/// Label that identifies a segment if nothing else is declared.
const ID: &str = "id";

/// Facts about the segments of a run, besides their counts and labels.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct RunFacts {
    /// Label whose equal values form the units that are drawn as a whole, or [`SEGMENT`]. `None` in a corpus
    /// chooses the unit from the labels, see [`RunFacts::default_unit`]; `None` in a run means single
    /// segments.
    pub unit: Option<String>,
    /// Labels whose values together identify a segment. An empty list in a corpus means the label `id`, if
    /// every segment has another value; an empty list in a run means that segments have no ids.
    pub ids: Vec<String>,
    /// What the readers left out of the data, or added to it.
    pub left_out: Vec<LeftOut>,
}

impl RunFacts {
    /// Returns the label of the units that segments form unless the user chooses another unit: [`ITEM`] if a
    /// value of it repeats, else [`DOCUMENT`] if a segment has a document, else none.
    ///
    /// ```
    /// use bleuprint_eval::evaluation::{RunFacts, RunLabels};
    ///
    /// let labels = |name: &str, values: [&str; 2]| RunLabels {
    ///     names: vec![name.to_owned()],
    ///     values: values.map(|value| vec![Some(value.to_owned())]).to_vec(),
    /// };
    /// assert_eq!(RunFacts::default_unit(&labels("item", ["7", "7"])), Some("item"));
    /// assert_eq!(RunFacts::default_unit(&labels("item", ["7", "8"])), None);
    /// assert_eq!(RunFacts::default_unit(&labels("document", ["a", "b"])), Some("document"));
    /// ```
    pub fn default_unit(labels: &RunLabels) -> Option<&'static str> {
        let column = |name: &str| labels.names.iter().position(|known| known == name);
        let values = |place: usize| labels.values.iter().filter_map(move |of| of.get(place)?.as_deref());
        let repeats = |place: usize| {
            let mut seen = HashSet::new();
            !values(place).all(|value| seen.insert(value))
        };
        if column(ITEM).is_some_and(repeats) {
            return Some(ITEM);
        }
        column(DOCUMENT).and_then(|place| values(place).next()).map(|_| DOCUMENT)
    }

    /// Returns the facts with the unit and the ids that hold for segments with these labels.
    ///
    /// # Errors
    /// Returns an error if the unit is no label.
    pub(super) fn settled(mut self, labels: &RunLabels) -> Result<Self> {
        self.unit = match self.unit.as_deref() {
            None => RunFacts::default_unit(labels).map(str::to_owned),
            Some(SEGMENT) => None,
            Some(label) => {
                labels.require(label)?;
                Some(label.to_owned())
            }
        };
        self.ids = distinct_ids(self.ids, labels);
        Ok(self)
    }

    /// Returns the facts of a file of statistics. A file that names no unit has single segments.
    pub(super) fn of_file(header: &Header, labels: &RunLabels) -> Self {
        RunFacts {
            unit: header.unit.clone().filter(|unit| unit != SEGMENT),
            ids: distinct_ids(header.ids.clone(), labels),
            left_out: header.left_out.clone(),
        }
    }

    /// Returns the unit as files of statistics write it. Single segments need a word only if the labels
    /// suggest another unit.
    pub(super) fn written_unit(&self, labels: &RunLabels) -> Option<String> {
        self.unit.clone().or_else(|| RunFacts::default_unit(labels).map(|_| SEGMENT.to_owned()))
    }

    /// Returns the labels of the ids as files of statistics write them: an empty list if readers find the ids
    /// without it.
    pub(super) fn written_ids(&self, labels: &RunLabels) -> Vec<String> {
        if self.ids == distinct_ids(Vec::new(), labels) { Vec::new() } else { self.ids.clone() }
    }
}

/// Returns the labels that identify segments, or an empty list unless every segment has another id.
fn distinct_ids(given: Vec<String>, labels: &RunLabels) -> Vec<String> {
    let names = if given.is_empty() { vec![ID.to_owned()] } else { given };
    let Some(ids) = ids_of(&names, labels) else { return Vec::new() };
    let mut seen = HashSet::with_capacity(ids.len());
    if ids.into_iter().all(|id| seen.insert(id)) { names } else { Vec::new() }
}

/// Returns the id of every segment, or `None` if a segment lacks one of these labels.
pub(crate) fn ids_of<'l>(names: &[String], labels: &'l RunLabels) -> Option<Vec<Vec<&'l str>>> {
    let place = |name: &String| labels.names.iter().position(|known| known == name);
    let places = names.iter().map(place).collect::<Option<Vec<usize>>>().filter(|all| !all.is_empty())?;
    let id = |values: &'l Vec<Option<String>>| places.iter().map(|&at| values.get(at)?.as_deref()).collect();
    labels.values.iter().map(id).collect()
}

/// Returns an id as a message shows it.
pub(crate) fn shown_id(id: &[impl AsRef<str>]) -> String {
    id.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(", ")
}

/// Returns a sentence about a file whose segments repeat an item or an id but which names no unit.
pub(super) fn repeats_without_unit(name: &str, header: &Header, labels: &RunLabels) -> Option<String> {
    if header.unit.is_some() {
        return None;
    }
    let repeated = |label: &&str| {
        let ids = ids_of(&[(*label).to_owned()], labels)?;
        let mut counts: HashMap<Vec<&str>, usize> = HashMap::new();
        ids.iter().for_each(|id| *counts.entry(id.clone()).or_default() += 1);
        ids.into_iter().find(|id| counts.get(id).is_some_and(|&count| count > 1))
    };
    let (label, id) = [ITEM, ID].iter().find_map(|label| Some((label, repeated(label)?)))?;
    Some(format!(
        "{name}: several segments have the {label} `{}`, but the file names no unit, so segments are drawn one by one; \
         --unit {label} draws them together",
        shown_id(&id)
    ))
}
