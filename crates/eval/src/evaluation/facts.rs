//! [`RunFacts`]: how the segments of a run are resampled and identified, and which data the readers left out.
//! Every command and every file of statistics gets these facts as one value.

use std::collections::{HashMap, HashSet};

use bleuprint_core::Result;
use bleuprint_text::read::LeftOut;

use super::labels::RunLabels;
use crate::store::Header;

/// Name that is given in place of a label if resamples must draw single segments.
pub const SEGMENT: &str = "segment";
/// Label that names the item of a segment, such as the question that it answers. If several segments share an
/// item, resamples draw the segments of each item together by default.
pub const ITEM: &str = "item";
/// Label that names the document of a segment. Unless segments share an [`ITEM`], resamples draw the segments
/// of each document together by default.
pub const DOCUMENT: &str = "document";
/// Label whose values are the ids of the segments if no other labels are declared as ids.
const ID: &str = "id";

/// Facts about the segments of a run: the unit of resampling, the names of the labels that identify a
/// segment, and the data that readers left out or added.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct RunFacts {
    /// Label for resampling: segments with equal values of this label are drawn together. [`SEGMENT`] means
    /// single segments. `None` means [`RunFacts::default_unit`] in a corpus, and single segments in a run.
    pub unit: Option<String>,
    /// Names of the labels whose values together identify a segment. In a corpus, an empty list means the
    /// label `id` if its values are all different. In a run, it means that segments have no ids.
    pub ids: Vec<String>,
    /// Parts of the data that the readers left out or added.
    pub left_out: Vec<LeftOut>,
}

impl RunFacts {
    /// Returns the label by which segments are grouped for resampling unless the user chooses another label.
    /// It is [`ITEM`] if a value of it repeats, else [`DOCUMENT`] if a segment has a document. Otherwise
    /// returns `None`: single segments are drawn.
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

    /// Returns the facts as they apply to segments with these labels: defaults are filled in, and ids that
    /// are not unique are dropped.
    ///
    /// # Errors
    /// Returns an error if the unit is not the name of a label.
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

    /// Reads the facts from the header of a statistics file. If the header names no unit, resamples draw
    /// single segments.
    pub(super) fn of_file(header: &Header, labels: &RunLabels) -> Self {
        RunFacts {
            unit: header.unit.clone().filter(|unit| unit != SEGMENT),
            ids: distinct_ids(header.ids.clone(), labels),
            left_out: header.left_out.clone(),
        }
    }

    /// Returns the unit for the header of a statistics file. Single segments give `None`, or `segment` if the
    /// labels suggest another unit.
    pub(super) fn written_unit(&self, labels: &RunLabels) -> Option<String> {
        self.unit.clone().or_else(|| RunFacts::default_unit(labels).map(|_| SEGMENT.to_owned()))
    }

    /// Returns the labels of the ids for the header of a statistics file; empty if readers choose the same
    /// labels by default.
    pub(super) fn written_ids(&self, labels: &RunLabels) -> Vec<String> {
        if self.ids == distinct_ids(Vec::new(), labels) { Vec::new() } else { self.ids.clone() }
    }
}

/// Returns the labels `given` (by default `id`) if their values identify every segment, else an empty list.
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

/// Joins the values of an id by commas, for messages.
pub(crate) fn shown_id(id: &[impl AsRef<str>]) -> String {
    id.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(", ")
}

/// Returns a warning if segments of a file share an item or an id, but the file does not say that resamples
/// draw them together.
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
