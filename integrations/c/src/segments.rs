//! Collects the segments of a call: from the caller's memory, from rows with padding, or from JSON.

use bleuprint::eval::evaluation::SegmentPart;
use bleuprint::text::read::EmptyReferences;
use bleuprint::text::whitespace::strip;
use bleuprint::{InputError, Location, Segment};
use serde::Deserialize;
use serde_json::Value;
use smallvec::SmallVec;

use crate::call::{CallError, CallResult};
use crate::pointers::{IdSegmentPointers, PaddedRows, SegmentPointers, list, text};

/// Segments of a call. Lists are on the stack if a call has few segments, which is the common case.
pub(crate) struct SegmentList<'s, S: ?Sized> {
    /// For each segment its hypothesis, then its references.
    sequences: SmallVec<[&'s S; 8]>,
    /// For each segment its end in `sequences`, and its source.
    ends: SmallVec<[(usize, Option<&'s S>); 2]>,
    empty: EmptyReferences,
}

impl<'s, S: ?Sized> SegmentList<'s, S> {
    pub(crate) fn new(empty: EmptyReferences) -> Self {
        SegmentList { sequences: SmallVec::new(), ends: SmallVec::new(), empty }
    }

    /// Adds a segment. An empty reference next to other references is kept, dropped or rejected, as the
    /// metric requires; a single reference is always kept.
    pub(crate) fn push(
        &mut self,
        hypothesis: &'s S,
        references: impl IntoIterator<Item = CallResult<&'s S>>,
        source: Option<&'s S>,
        is_empty: impl Fn(&S) -> bool,
    ) -> CallResult {
        self.sequences.push(hypothesis);
        let start = self.sequences.len();
        for reference in references {
            self.sequences.push(reference?);
        }
        // An empty reference is ambiguous only next to other references. Alone, it is the correct answer.
        if self.sequences.len() > start + 1 {
            self.settle(start, is_empty)?;
        }
        self.ends.push((self.sequences.len(), source));
        Ok(())
    }

    /// Treats the empty ones among the references from `start` on. Most segments have one reference.
    #[cold]
    fn settle(&mut self, start: usize, is_empty: impl Fn(&S) -> bool) -> CallResult {
        let leaves_out = self.empty.leaves_out(self.sequences[start..].iter().map(|one| Some(is_empty(one))));
        let leaves_out = leaves_out.map_err(|index| {
            let refused = EmptyReferences::refused(&format!("reference {}", index + 1));
            refused.at(Location::segment(self.ends.len() as u64 + 1))
        })?;
        if leaves_out {
            let mut place = 0;
            self.sequences.retain(|one| {
                place += 1;
                place <= start || !is_empty(one)
            });
        }
        Ok(())
    }

    /// Returns the segment if there is exactly one.
    pub(crate) fn only(&self) -> Option<Segment<'_, S>> {
        let [(_, source)] = self.ends[..] else { return None };
        let (hypothesis, references) = self.sequences.split_first()?;
        Some(Segment::with_source(*hypothesis, references, source))
    }

    pub(crate) fn segments(&self) -> Vec<Segment<'_, S>> {
        let mut start = 0;
        let segment = |&(end, source): &(usize, Option<&'s S>)| {
            let own = &self.sequences[start..end];
            start = end;
            Segment::with_source(own[0], &own[1..], source)
        };
        self.ends.iter().map(segment).collect()
    }
}

impl<'s> SegmentList<'s, str> {
    /// Adds segments of text from the caller's memory.
    pub(crate) fn push_texts(&mut self, given: &[SegmentPointers]) -> CallResult {
        for segment in given {
            // SAFETY: the caller of the function promises texts with their lengths.
            unsafe {
                let hypothesis = text(segment.hypothesis.data, segment.hypothesis.length, "a hypothesis")?;
                let references = list(segment.references, segment.reference_count, "the references")?;
                let references = references.iter().map(|one| text(one.data, one.length, "a reference"));
                let source = segment.source.as_ref();
                let source = source.map(|source| text(source.data, source.length, "a source")).transpose()?;
                self.push(hypothesis, references, source, |text| strip(text).is_empty())?;
            }
        }
        Ok(())
    }
}

impl<'s> SegmentList<'s, [u32]> {
    /// Adds segments of token ids from the caller's memory.
    pub(crate) fn push_ids(&mut self, given: &[IdSegmentPointers]) -> CallResult {
        for segment in given {
            // SAFETY: the caller of the function promises ids with their lengths.
            unsafe {
                let hypothesis = list(segment.hypothesis.data, segment.hypothesis.length, "a hypothesis")?;
                let references = list(segment.references, segment.reference_count, "the references")?;
                let references = references.iter().map(|one| list(one.data, one.length, "a reference"));
                self.push(hypothesis, references, None, <[u32]>::is_empty)?;
            }
        }
        Ok(())
    }
}

/// Copies the rows of ids without the padding at both ends. Returns an error that names `what` if an id is
/// negative or needs more than 32 bits.
pub(crate) fn rows_of(rows: &PaddedRows, what: &str) -> CallResult<Vec<Vec<u32>>> {
    let length = rows.rows.checked_mul(rows.width);
    let length = length.ok_or_else(|| CallError::argument(format!("{what} are beyond the memory")))?;
    // SAFETY: the caller of the function promises `rows` rows of `width` ids.
    let all = unsafe { list(rows.data, length, what)? };
    let row = |row: usize| {
        let mut ids = &all[row * rows.width..(row + 1) * rows.width];
        while let [first, rest @ ..] = ids
            && *first == rows.padding
        {
            ids = rest;
        }
        while let [rest @ .., last] = ids
            && *last == rows.padding
        {
            ids = rest;
        }
        let id = |id: &i64| {
            u32::try_from(*id).map_err(|_| {
                let limit = format!("from 0 to {}, of {what}", u32::MAX);
                InputError::limit("an id", *id, limit).at(Location::segment(row as u64 + 1))
            })
        };
        Ok(ids.iter().map(id).collect::<Result<_, InputError>>()?)
    };
    (0..rows.rows).map(row).collect()
}

/// A segment in JSON, with the keys that JSON Lines files also use; or the same segment after its values are
/// read.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct JsonSegment<T = Value> {
    pub(crate) hypothesis: T,
    #[serde(default = "Vec::new")]
    pub(crate) references: Vec<T>,
    pub(crate) source: Option<T>,
}

impl JsonSegment {
    /// Parses a JSON list of segments. `read` reads each value of a segment; its second argument names the
    /// value in errors.
    pub(crate) fn parse_list<T>(
        json: &str,
        read: impl Fn(SegmentPart, &str, &Value) -> Result<T, InputError>,
    ) -> CallResult<Vec<JsonSegment<T>>> {
        let segments: Vec<JsonSegment> = serde_json::from_str(json).map_err(|error| {
            CallError::argument(format!("the segments are no JSON list of segments: {error}"))
        })?;
        let segment = |(number, segment): (u64, JsonSegment)| {
            let at = |error: InputError| error.at(Location::segment(number));
            let reference = |(at, value): (usize, &Value)| {
                read(SegmentPart::Reference, &format!("reference {}", at + 1), value)
            };
            let source = segment.source.as_ref();
            let source = source.map(|source| read(SegmentPart::Source, "the source", source));
            let references = segment.references.iter().enumerate().map(reference);
            Ok(JsonSegment {
                hypothesis: read(SegmentPart::Hypothesis, "the hypothesis", &segment.hypothesis)
                    .map_err(at)?,
                references: references.collect::<Result<_, _>>().map_err(at)?,
                source: source.transpose().map_err(at)?,
            })
        };
        (1..).zip(segments).map(segment).collect()
    }
}

impl<T> JsonSegment<T> {
    /// Returns the segment with other values, such as views of these values.
    pub(crate) fn map<'t, U>(&'t self, mut view: impl FnMut(&'t T) -> U) -> JsonSegment<U> {
        JsonSegment {
            hypothesis: view(&self.hypothesis),
            references: self.references.iter().map(&mut view).collect(),
            source: self.source.as_ref().map(view),
        }
    }
}
