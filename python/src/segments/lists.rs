//! Holds texts, token ids, or data of a metric's own type in Rust memory, so that they can be used without
//! the Python interpreter.

use std::ops::Range;
use std::sync::Arc;

use bleuprint::contract::Data as OwnItem;
use bleuprint::text::read::EmptyReferences;
use bleuprint::text::whitespace::strip;
use bleuprint::{InputErrorKind, Location, Result, Segment};

/// List of texts or of id sequences, stored without gaps in one buffer.
#[derive(Debug, Clone)]
pub(crate) struct SequenceList<D> {
    data: D,
    /// Index in `data` after the last item of each sequence.
    ends: Vec<usize>,
}

pub(crate) type Texts = SequenceList<String>;
pub(crate) type Ids = SequenceList<Vec<u32>>;

impl<D: Default> Default for SequenceList<D> {
    fn default() -> Self {
        SequenceList { data: D::default(), ends: Vec::new() }
    }
}

/// Buffer that holds many sequences without gaps, such as one `String` for all texts.
pub(crate) trait ListItems: Default + Send + Sync + 'static {
    type Item: ?Sized + Sync;
    fn len(&self) -> usize;
    fn part(&self, from: usize, to: usize) -> &Self::Item;
}

/// Kind of sequence that a Python list can hold: text or token ids.
pub(crate) trait ListKind: ListItems {
    const NAME: &'static str;
    const OTHER: &'static str;
    /// Returns the list if it holds this kind of sequence, else `None`. An empty list counts as either kind.
    fn list(given: ListSequences) -> Option<SequenceList<Self>>;
    fn put(&mut self, item: &Self::Item);
    fn is_empty(item: &Self::Item) -> bool;
}

impl ListItems for String {
    type Item = str;
    fn len(&self) -> usize {
        self.len()
    }
    fn part(&self, from: usize, to: usize) -> &str {
        self.get(from..to).unwrap_or_default()
    }
}

impl ListKind for String {
    const NAME: &'static str = "text";
    const OTHER: &'static str = "ids";
    fn list(given: ListSequences) -> Option<Texts> {
        match given {
            ListSequences::Texts(texts) => Some(texts),
            ListSequences::Ids(ids) => ids.ends.is_empty().then(Texts::default),
        }
    }
    fn put(&mut self, item: &str) {
        self.push_str(item);
    }
    fn is_empty(item: &str) -> bool {
        strip(item).is_empty()
    }
}

impl ListItems for Vec<u32> {
    type Item = [u32];
    fn len(&self) -> usize {
        self.len()
    }
    fn part(&self, from: usize, to: usize) -> &[u32] {
        self.get(from..to).unwrap_or_default()
    }
}

impl ListKind for Vec<u32> {
    const NAME: &'static str = "ids";
    const OTHER: &'static str = "text";
    fn list(given: ListSequences) -> Option<Ids> {
        match given {
            ListSequences::Ids(ids) => Some(ids),
            ListSequences::Texts(texts) => texts.ends.is_empty().then(Ids::default),
        }
    }
    fn put(&mut self, item: &[u32]) {
        self.extend_from_slice(item);
    }
    fn is_empty(item: &[u32]) -> bool {
        item.is_empty()
    }
}

impl<D: ListItems> SequenceList<D> {
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn get(&self, index: usize) -> &D::Item {
        let from = if index == 0 { 0 } else { self.ends[index - 1] };
        self.data.part(from, self.ends[index])
    }

    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = &D::Item> {
        (0..self.len()).map(|index| self.get(index))
    }

    pub(crate) fn all(&self) -> Vec<&D::Item> {
        self.iter().collect()
    }

    /// Marks the end of the sequence that was last written to `data_mut`.
    pub(crate) fn end(&mut self) {
        self.ends.push(self.data.len());
    }

    pub(crate) fn data_mut(&mut self) -> &mut D {
        &mut self.data
    }

    pub(crate) fn data(&self) -> &D {
        &self.data
    }

    pub(crate) fn ends(&self) -> &[usize] {
        &self.ends
    }
}

impl<D: ListKind> SequenceList<D> {
    pub(crate) fn push(&mut self, item: &D::Item) {
        self.data.put(item);
        self.end();
    }
}

pub(crate) enum ListSequences {
    Texts(Texts),
    Ids(Ids),
}

impl ListSequences {
    pub(crate) fn len(&self) -> usize {
        match self {
            ListSequences::Texts(texts) => texts.len(),
            ListSequences::Ids(ids) => ids.len(),
        }
    }
}

/// References of all segments, as texts or token ids; `ends` has the index in `all` after each segment's last
/// reference.
pub(crate) struct AnyReferences {
    pub(crate) all: ListSequences,
    pub(crate) ends: Vec<usize>,
}

impl AnyReferences {
    /// Creates reference lists in which each segment has exactly one reference.
    pub(crate) fn single(all: ListSequences) -> Self {
        AnyReferences { ends: (1..=all.len()).collect(), all }
    }

    /// Creates empty reference lists for this number of segments.
    pub(crate) fn none(segments: usize) -> Self {
        AnyReferences { all: ListSequences::Texts(Texts::default()), ends: vec![0; segments] }
    }

    pub(crate) fn of_kind<D: ListKind>(self) -> Option<ReferenceLists<D>> {
        Some(ReferenceLists { all: D::list(self.all)?, ends: self.ends })
    }
}

#[derive(Debug, Clone)]
pub(crate) struct ReferenceLists<D> {
    pub(crate) all: SequenceList<D>,
    /// Index in `all` after the last reference of each segment.
    pub(crate) ends: Vec<usize>,
}

impl<D: Default> Default for ReferenceLists<D> {
    fn default() -> Self {
        ReferenceLists { all: SequenceList::default(), ends: Vec::new() }
    }
}

impl<D: ListItems> ReferenceLists<D> {
    pub(crate) fn end(&mut self) {
        self.ends.push(self.all.len());
    }

    fn start(&self, segment: usize) -> usize {
        if segment == 0 { 0 } else { self.ends[segment - 1] }
    }

    pub(crate) fn get(&self, segment: usize) -> Vec<&D::Item> {
        (self.start(segment)..self.ends[segment]).map(|index| self.all.get(index)).collect()
    }
}

impl<D: ListKind> ReferenceLists<D> {
    /// Removes empty references, or returns an error for them, as `meaning` says. Segments whose flag in
    /// `kept` is `false` are not checked; an empty `kept` checks all.
    fn settled(self, meaning: EmptyReferences, kept: &[bool]) -> Result<Self> {
        let is_empty = |reference: usize| D::is_empty(self.all.get(reference));
        let leaves_out = |segment: usize| {
            let own = self.start(segment)..self.ends[segment];
            // An empty reference is ambiguous only next to other references. Alone, it is the correct
            // answer.
            if own.len() < 2 || !kept.get(segment).copied().unwrap_or(true) {
                return Ok(false);
            }
            meaning.leaves_out(own.map(|reference| Some(is_empty(reference)))).map_err(|index| {
                let error = EmptyReferences::refused(&format!("reference {}", index + 1));
                error.at(Location::segment(segment as u64 + 1))
            })
        };
        let out = (0..self.ends.len()).map(leaves_out).collect::<Result<Vec<_>>>()?;
        // Usually no reference is removed, and then nothing is copied.
        if !out.contains(&true) {
            return Ok(self);
        }
        let mut left = ReferenceLists::default();
        for (segment, out) in out.into_iter().enumerate() {
            let own = self.start(segment)..self.ends[segment];
            let stays = own.filter(|&reference| !out || !is_empty(reference));
            stays.for_each(|reference| left.all.push(self.all.get(reference)));
            left.end();
        }
        Ok(left)
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Segments<D> {
    pub(crate) hypotheses: SequenceList<D>,
    pub(crate) references: ReferenceLists<D>,
    pub(crate) sources: Option<SequenceList<D>>,
    /// Number of consecutive hypotheses that share one list of references.
    pub(crate) group_size: usize,
}

impl<D: ListItems> Segments<D> {
    pub(crate) fn of_references(references: ReferenceLists<D>) -> Self {
        let mut hypotheses = SequenceList::default();
        references.ends.iter().for_each(|_| hypotheses.end());
        Segments { hypotheses, references, sources: None, group_size: 1 }
    }

    pub(crate) fn len(&self) -> usize {
        self.hypotheses.len()
    }

    /// Calls `look` with the segments whose indices are in `range`. Segments of one group share their
    /// references in memory.
    pub(crate) fn with<R>(&self, range: Range<usize>, look: impl FnOnce(&[Segment<'_, D::Item>]) -> R) -> R {
        let group = |at: usize| at / self.group_size;
        let groups = group(range.start)..range.end.div_ceil(self.group_size);
        // One list holds the references of all groups; each segment borrows a part, so no list is allocated
        // for each segment.
        let first = self.references.start(groups.start);
        let last = self.references.start(groups.end);
        let references: Vec<&D::Item> = (first..last).map(|index| self.references.all.get(index)).collect();
        let segment = |at: usize| {
            let own = self.references.start(group(at)) - first..self.references.ends[group(at)] - first;
            let source = self.sources.as_ref().map(|sources| sources.get(at));
            Segment::with_source(self.hypotheses.get(at), &references[own], source)
        };
        let segments: Vec<Segment<'_, D::Item>> = range.clone().map(segment).collect();
        look(&segments)
    }
}

impl<D: ListKind> Segments<D> {
    /// Removes empty references, or returns an error for them, as `meaning` says; see
    /// [`ReferenceLists::settled`].
    pub(crate) fn settled(self, meaning: EmptyReferences, kept: &[bool]) -> Result<Self> {
        Ok(Segments { references: self.references.settled(meaning, kept)?, ..self })
    }

    pub(crate) fn kept(self, kept: &[bool]) -> Self {
        let places = || kept.iter().enumerate().filter(|(_, kept)| **kept).map(|(place, _)| place);
        let list = |list: &SequenceList<D>| {
            let mut new = SequenceList::default();
            places().for_each(|place| new.push(list.get(place)));
            new
        };
        let mut references = ReferenceLists::default();
        for place in places() {
            self.references.get(place).into_iter().for_each(|reference| references.all.push(reference));
            references.end();
        }
        let hypotheses = list(&self.hypotheses);
        let sources = self.sources.as_ref().map(list);
        Segments { hypotheses, references, sources, group_size: 1 }
    }
}

/// One hypothesis, reference or source in a metric's own data type, such as a list of spans.
#[derive(Debug, Clone)]
pub(crate) struct OwnSequence {
    pub(crate) data: Arc<OwnItem>,
    /// JSON text of a reference or a source, from which its fingerprint is computed; empty for a hypothesis.
    pub(crate) printed: String,
}

impl ListItems for Vec<OwnSequence> {
    type Item = OwnItem;
    fn len(&self) -> usize {
        self.len()
    }
    fn part(&self, from: usize, _: usize) -> &OwnItem {
        &*self[from].data
    }
}

pub(crate) type OwnList = SequenceList<Vec<OwnSequence>>;

impl OwnList {
    pub(crate) fn add(&mut self, own: OwnSequence) {
        self.data_mut().push(own);
        self.end();
    }
}

impl ReferenceLists<Vec<OwnSequence>> {
    pub(crate) fn segment(&self, segment: usize) -> &[OwnSequence] {
        &self.all.data()[self.start(segment)..self.ends[segment]]
    }

    /// Returns the JSON text of each reference of a segment.
    pub(crate) fn printed(&self, segment: usize) -> impl Iterator<Item = &str> {
        self.segment(segment).iter().map(|own| own.printed.as_str())
    }
}

impl Segments<Vec<OwnSequence>> {
    /// Returns the hypothesis, the references and the source of a segment. Requires a `group_size` of 1, so
    /// that segments do not share references.
    pub(crate) fn whole(&self, segment: usize) -> (&OwnSequence, &[OwnSequence], Option<&OwnSequence>) {
        let source = self.sources.as_ref().map(|sources| &sources.data()[segment]);
        (&self.hypotheses.data()[segment], self.references.segment(segment), source)
    }

    /// Returns the JSON text of a segment's source, if it has one.
    pub(crate) fn printed_source(&self, segment: usize) -> Option<&str> {
        self.sources.as_ref().map(|sources| sources.data()[segment].printed.as_str())
    }
}

#[derive(Debug, Clone)]
pub(crate) enum ListInput {
    Texts(Segments<String>),
    Ids(Segments<Vec<u32>>),
    Own(Segments<Vec<OwnSequence>>),
}

impl ListInput {
    pub(crate) fn len(&self) -> usize {
        match self {
            ListInput::Texts(segments) => segments.len(),
            ListInput::Ids(segments) => segments.len(),
            ListInput::Own(segments) => segments.len(),
        }
    }
}

pub(crate) fn require_equal(left: &str, left_len: usize, right: &str, right_len: usize) -> Result<()> {
    if left_len == right_len {
        return Ok(());
    }
    let left = left.to_owned();
    let right = right.to_owned();
    Err(InputErrorKind::LengthMismatch {
        left,
        left_len: left_len as u64,
        right,
        right_len: right_len as u64,
    }
    .into())
}
