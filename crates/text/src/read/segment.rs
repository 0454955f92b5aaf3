//! [`Segment`]: one hypothesis with its references, as read; and the trait of its readers.

use bleuprint_core::{Location, Result};

/// One segment as read. Readers reuse its memory from one segment to the next.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Segment {
    /// The text of the hypothesis; `None` if the input gives ids only.
    pub hypothesis: Option<String>,
    /// The references. An empty string is a reference without tokens; a missing reference is `None`.
    pub references: Vec<Option<String>>,
    /// The hypothesis as ids, if the input gives them.
    pub hypothesis_ids: Option<Vec<u32>>,
    /// The references as ids, if the input gives them.
    pub reference_ids: Vec<Option<Vec<u32>>>,
    /// The name of the segment in the input.
    pub id: Option<String>,
    /// The system that made the hypothesis.
    pub system: Option<String>,
    /// The document it belongs to.
    pub document: Option<String>,
    /// The domain it belongs to.
    pub domain: Option<String>,
}

impl Segment {
    /// The references present.
    pub fn present_references(&self) -> impl Iterator<Item = &str> {
        self.references.iter().filter_map(Option::as_deref)
    }

    /// The references present, as ids.
    pub fn present_reference_ids(&self) -> impl Iterator<Item = &[u32]> {
        self.reference_ids.iter().filter_map(Option::as_deref)
    }

    /// Clears everything but the texts, whose memory a reader is about to reuse.
    pub(super) fn clear_all_but_texts(&mut self) {
        self.hypothesis_ids = None;
        self.reference_ids.clear();
        for slot in [&mut self.id, &mut self.system, &mut self.document, &mut self.domain] {
            *slot = None;
        }
    }
}

/// Reads segments one after the other, in constant memory.
pub trait SegmentReader {
    /// Reads the next segment into `segment`, replacing its content; `false` at the end.
    ///
    /// # Errors
    ///
    /// Any fault of the input, with its place. After an error the reader is unusable.
    fn next(&mut self, segment: &mut Segment) -> Result<bool>;

    /// The place of the last segment.
    fn location(&self) -> Location;

    /// The number of bytes read and the size of the input, for showing progress; `None` if unknown.
    fn position(&self) -> Option<(u64, u64)> {
        None
    }
}

impl<R: SegmentReader + ?Sized> SegmentReader for Box<R> {
    fn next(&mut self, segment: &mut Segment) -> Result<bool> {
        (**self).next(segment)
    }

    fn location(&self) -> Location {
        (**self).location()
    }

    fn position(&self) -> Option<(u64, u64)> {
        (**self).position()
    }
}

/// The string in a slot, emptied, or a new one.
pub(super) fn reuse(slot: &mut Option<String>) -> &mut String {
    let text = slot.get_or_insert_default();
    text.clear();
    text
}
