//! Sequences in memory of our own: texts or ids, end to end, and data of a form. From here on the interpreter is not needed.

use std::ops::Range;
use std::sync::Arc;

use bleuprint::contract::Data as OwnItem;
use bleuprint::text::read::EmptyReferences;
use bleuprint::text::whitespace::strip;
use bleuprint::{InputErrorKind, Location, Result, Segment};

/// Sequences of one kind, end to end.
#[derive(Debug, Clone)]
pub(crate) struct List<D> {
    data: D,
    /// The end of each.
    ends: Vec<usize>,
}

pub(crate) type Texts = List<String>;
pub(crate) type Ids = List<Vec<u32>>;

impl<D: Default> Default for List<D> {
    fn default() -> Self {
        List { data: D::default(), ends: Vec::new() }
    }
}

/// Items behind each other.
pub(crate) trait Items: Default + Send + Sync + 'static {
    type Item: ?Sized + Sync;
    fn len(&self) -> usize;
    fn part(&self, from: usize, to: usize) -> &Self::Item;
}

/// Texts or ids.
pub(crate) trait Kind: Items {
    const NAME: &'static str;
    const OTHER: &'static str;
    /// The list, if it is of this kind; an empty one is of either.
    fn list(given: Sequences) -> Option<List<Self>>;
    fn put(&mut self, item: &Self::Item);
    fn is_empty(item: &Self::Item) -> bool;
}

impl Items for String {
    type Item = str;
    fn len(&self) -> usize {
        self.len()
    }
    fn part(&self, from: usize, to: usize) -> &str {
        self.get(from..to).unwrap_or_default()
    }
}

impl Kind for String {
    const NAME: &'static str = "text";
    const OTHER: &'static str = "ids";
    fn list(given: Sequences) -> Option<Texts> {
        match given {
            Sequences::Texts(texts) => Some(texts),
            Sequences::Ids(ids) => ids.ends.is_empty().then(Texts::default),
        }
    }
    fn put(&mut self, item: &str) {
        self.push_str(item);
    }
    fn is_empty(item: &str) -> bool {
        strip(item).is_empty()
    }
}

impl Items for Vec<u32> {
    type Item = [u32];
    fn len(&self) -> usize {
        self.len()
    }
    fn part(&self, from: usize, to: usize) -> &[u32] {
        self.get(from..to).unwrap_or_default()
    }
}

impl Kind for Vec<u32> {
    const NAME: &'static str = "ids";
    const OTHER: &'static str = "text";
    fn list(given: Sequences) -> Option<Ids> {
        match given {
            Sequences::Ids(ids) => Some(ids),
            Sequences::Texts(texts) => texts.ends.is_empty().then(Ids::default),
        }
    }
    fn put(&mut self, item: &[u32]) {
        self.extend_from_slice(item);
    }
    fn is_empty(item: &[u32]) -> bool {
        item.is_empty()
    }
}

impl<D: Items> List<D> {
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

    /// Ends the sequence last written to the data.
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

impl<D: Kind> List<D> {
    pub(crate) fn push(&mut self, item: &D::Item) {
        self.data.put(item);
        self.end();
    }
}

pub(crate) enum Sequences {
    Texts(Texts),
    Ids(Ids),
}

impl Sequences {
    pub(crate) fn len(&self) -> usize {
        match self {
            Sequences::Texts(texts) => texts.len(),
            Sequences::Ids(ids) => ids.len(),
        }
    }
}

/// References of either kind: all of them, and the end of each segment's.
pub(crate) struct AnyReferences {
    pub(crate) all: Sequences,
    pub(crate) ends: Vec<usize>,
}

impl AnyReferences {
    /// One reference for each segment.
    pub(crate) fn single(all: Sequences) -> Self {
        AnyReferences { ends: (1..=all.len()).collect(), all }
    }

    /// No references, for this number of segments.
    pub(crate) fn none(segments: usize) -> Self {
        AnyReferences { all: Sequences::Texts(Texts::default()), ends: vec![0; segments] }
    }

    pub(crate) fn of_kind<D: Kind>(self) -> Option<References<D>> {
        Some(References { all: D::list(self.all)?, ends: self.ends })
    }
}

#[derive(Debug, Clone)]
pub(crate) struct References<D> {
    pub(crate) all: List<D>,
    /// The end of each segment's references in `all`.
    pub(crate) ends: Vec<usize>,
}

impl<D: Default> Default for References<D> {
    fn default() -> Self {
        References { all: List::default(), ends: Vec::new() }
    }
}

impl<D: Items> References<D> {
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

impl<D: Kind> References<D> {
    /// By the meaning of empty ones. Segments that are not `kept` are not looked at; without `kept` all are.
    fn settled(self, meaning: EmptyReferences, kept: &[bool]) -> Result<Self> {
        let is_empty = |reference: usize| D::is_empty(self.all.get(reference));
        let leaves_out = |segment: usize| {
            let own = self.start(segment)..self.ends[segment];
            if own.len() < 2 || !kept.get(segment).copied().unwrap_or(true) {
                return Ok(false);
            }
            meaning.leaves_out(own.map(|reference| Some(is_empty(reference)))).map_err(|index| {
                let error = EmptyReferences::refused(&format!("reference {}", index + 1));
                error.at(Location::segment(segment as u64 + 1))
            })
        };
        let out = (0..self.ends.len()).map(leaves_out).collect::<Result<Vec<_>>>()?;
        if !out.contains(&true) {
            return Ok(self);
        }
        let mut left = References::default();
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
    pub(crate) hypotheses: List<D>,
    pub(crate) references: References<D>,
    pub(crate) sources: Option<List<D>>,
    /// The number of consecutive hypotheses that share references.
    pub(crate) group_size: usize,
}

impl<D: Items> Segments<D> {
    pub(crate) fn of_references(references: References<D>) -> Self {
        let mut hypotheses = List::default();
        references.ends.iter().for_each(|_| hypotheses.end());
        Segments { hypotheses, references, sources: None, group_size: 1 }
    }

    pub(crate) fn len(&self) -> usize {
        self.hypotheses.len()
    }

    /// Hands some segments to `look`; those of a group share their references in memory.
    pub(crate) fn with<R>(&self, range: Range<usize>, look: impl FnOnce(&[Segment<'_, D::Item>]) -> R) -> R {
        let group = |at: usize| at / self.group_size;
        let groups = group(range.start)..range.end.div_ceil(self.group_size);
        // The references of all, end to end: no list for each segment.
        let first = self.references.start(groups.start);
        let last = self.references.start(groups.end);
        let references: Vec<&D::Item> = (first..last).map(|index| self.references.all.get(index)).collect();
        let segment = |at: usize| {
            let own = self.references.start(group(at)) - first..self.references.ends[group(at)] - first;
            let source = self.sources.as_ref().map(|sources| sources.get(at));
            Segment::of(self.hypotheses.get(at), &references[own], source)
        };
        let segments: Vec<Segment<'_, D::Item>> = range.clone().map(segment).collect();
        look(&segments)
    }
}

impl<D: Kind> Segments<D> {
    /// With the references by the meaning of empty ones.
    pub(crate) fn settled(self, meaning: EmptyReferences, kept: &[bool]) -> Result<Self> {
        Ok(Segments { references: self.references.settled(meaning, kept)?, ..self })
    }

    pub(crate) fn kept(self, kept: &[bool]) -> Self {
        let places = || kept.iter().enumerate().filter(|(_, kept)| **kept).map(|(place, _)| place);
        let list = |list: &List<D>| {
            let mut new = List::default();
            places().for_each(|place| new.push(list.get(place)));
            new
        };
        let mut references = References::default();
        for place in places() {
            self.references.get(place).into_iter().for_each(|reference| references.all.push(reference));
            references.end();
        }
        let (hypotheses, sources) = (list(&self.hypotheses), self.sources.as_ref().map(list));
        Segments { hypotheses, references, sources, group_size: 1 }
    }
}

/// One hypothesis, reference or source of a form.
#[derive(Debug, Clone)]
pub(crate) struct Own {
    pub(crate) data: Arc<OwnItem>,
    /// A reference or a source as JSON, for fingerprints.
    pub(crate) printed: String,
}

impl Items for Vec<Own> {
    type Item = OwnItem;
    fn len(&self) -> usize {
        self.len()
    }
    fn part(&self, from: usize, _: usize) -> &OwnItem {
        &*self[from].data
    }
}

pub(crate) type OwnList = List<Vec<Own>>;

impl OwnList {
    pub(crate) fn add(&mut self, own: Own) {
        self.data_mut().push(own);
        self.end();
    }
}

impl References<Vec<Own>> {
    pub(crate) fn of(&self, segment: usize) -> &[Own] {
        &self.all.data()[self.start(segment)..self.ends[segment]]
    }

    /// The references of a segment as JSON.
    pub(crate) fn printed(&self, segment: usize) -> impl Iterator<Item = &str> {
        self.of(segment).iter().map(|own| own.printed.as_str())
    }
}

impl Segments<Vec<Own>> {
    /// The hypothesis, the references and the source of a segment, where none share their references.
    pub(crate) fn whole(&self, segment: usize) -> (&Own, &[Own], Option<&Own>) {
        let source = self.sources.as_ref().map(|sources| &sources.data()[segment]);
        (&self.hypotheses.data()[segment], self.references.of(segment), source)
    }

    /// The source of a segment as JSON.
    pub(crate) fn printed_source(&self, segment: usize) -> Option<&str> {
        self.sources.as_ref().map(|sources| sources.data()[segment].printed.as_str())
    }
}

#[derive(Debug, Clone)]
pub(crate) enum Input {
    Texts(Segments<String>),
    Ids(Segments<Vec<u32>>),
    Own(Segments<Vec<Own>>),
}

impl Input {
    pub(crate) fn len(&self) -> usize {
        match self {
            Input::Texts(segments) => segments.len(),
            Input::Ids(segments) => segments.len(),
            Input::Own(segments) => segments.len(),
        }
    }
}

pub(crate) fn require_equal(left: &str, left_len: usize, right: &str, right_len: usize) -> Result<()> {
    if left_len == right_len {
        return Ok(());
    }
    let (left, right) = (left.to_owned(), right.to_owned());
    Err(InputErrorKind::LengthMismatch {
        left,
        left_len: left_len as u64,
        right,
        right_len: right_len as u64,
    }
    .into())
}
