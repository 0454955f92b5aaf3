//! Two memory layouts for the token ids of a segment's references: separate slices, or one row.

use alloc::vec::Vec;

/// The token ids of a segment in one row: hypothesis, reference 0, reference 1, ..
#[derive(Debug, Clone, Default)]
pub(crate) struct Flat {
    pub(crate) ids: Vec<u32>,
    /// End of each sequence (hypothesis, then references) in the row of token ids; empty before the first
    /// segment.
    pub(crate) ends: Vec<usize>,
}

impl Flat {
    pub(crate) fn clear(&mut self) {
        self.ids.clear();
        self.ends.clear();
    }

    #[inline]
    pub(crate) fn end(&mut self) {
        self.ends.push(self.ids.len());
    }

    pub(crate) fn hypothesis(&self) -> &[u32] {
        self.sequence(0)
    }

    pub(crate) fn references(&self) -> ReferenceRows<'_> {
        ReferenceRows::Flat(self)
    }

    /// Returns the token ids of the sequence with index `number`, where 0 is the hypothesis; empty if no
    /// sequence has this index.
    pub(crate) fn sequence(&self, number: usize) -> &[u32] {
        let Some(&end) = self.ends.get(number) else { return &[] };
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        &self.ids[start..end]
    }
}

/// References of a segment as token ids, in either memory layout.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ReferenceRows<'a> {
    /// One slice for each reference, borrowed from the caller.
    Borrowed(&'a [&'a [u32]]),
    /// One row of token ids that holds all sequences of the segment; the first is the hypothesis, the others
    /// are the references.
    Flat(&'a Flat),
}

impl<'a> ReferenceRows<'a> {
    #[inline]
    pub(crate) fn len(self) -> usize {
        match self {
            ReferenceRows::Borrowed(slices) => slices.len(),
            ReferenceRows::Flat(flat) => flat.ends.len().saturating_sub(1),
        }
    }

    #[inline]
    pub(crate) fn get(self, index: usize) -> &'a [u32] {
        match self {
            ReferenceRows::Borrowed(slices) => slices.get(index).copied().unwrap_or(&[]),
            ReferenceRows::Flat(flat) => flat.sequence(index + 1),
        }
    }

    #[inline]
    pub(crate) fn iter(self) -> impl ExactSizeIterator<Item = &'a [u32]> + Clone + use<'a> {
        (0..self.len()).map(move |index| self.get(index))
    }
}
