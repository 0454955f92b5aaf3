//! Finds likely mistakes in references: two references that are equal in every segment, and single words
//! where whole references are expected.

/// Largest number of references of a segment that are compared with each other; further references are
/// ignored.
const MOST: usize = 8;

/// Smallest number of words in equal references for a message. Shorter references may be answers that two
/// annotators gave independently.
const WORDS: usize = 4;

/// Pairs of references that were equal in every segment so far, such as the first and the second reference of
/// each segment.
#[derive(Debug, Clone, Default)]
pub(super) struct EqualReferences {
    pairs: Vec<(usize, usize)>,
    words: usize,
}

impl EqualReferences {
    pub(super) fn look_at(&mut self, segment: u64, references: &[impl AsRef<str>]) {
        if segment == 0 {
            let places = || 0..references.len().min(MOST);
            self.pairs =
                places().flat_map(|one| places().skip(one + 1).map(move |other| (one, other))).collect();
        }
        if self.pairs.is_empty() {
            return;
        }
        let text = |at: usize| references.get(at).map(AsRef::as_ref);
        self.pairs.retain(|&(one, other)| text(one).is_some() && text(one) == text(other));
        if let Some(&(one, _)) = self.pairs.first().filter(|_| self.words < WORDS) {
            self.words += text(one).unwrap_or_default().split_whitespace().count();
        }
    }

    /// Returns the indices of two references that are equal in every segment, if there are such references
    /// with enough words ([`WORDS`]).
    pub(super) fn found(&self) -> Option<(usize, usize)> {
        self.pairs.first().copied().filter(|_| self.words >= WORDS)
    }
}

/// Smallest number of one-word references in a segment for a warning that they are the words of one split
/// text. If segments have fewer than [`MANY`], their numbers of references must differ, too.
const SEVERAL: usize = 3;
const MANY: usize = 4;

/// Detector of references that are the words of one split text: each segment has at least [`SEVERAL`]
/// references, and each reference is one word.
#[derive(Debug, Clone, Default)]
pub(super) struct WordReferences {
    /// `true` after a segment with fewer than [`SEVERAL`] references, or with a reference that is not one
    /// word.
    refuted: bool,
    /// The smallest and the largest number of references in the segments so far; `None` before the first
    /// segment.
    range: Option<(usize, usize)>,
    /// Number of hypotheses with several words, and number of all hypotheses.
    several: (u64, u64),
    first: String,
}

impl WordReferences {
    pub(super) fn look_at(
        &mut self,
        segment: u64,
        hypotheses: &[impl AsRef<str>],
        references: &[impl AsRef<str>],
    ) {
        let is_word = |text: &str| text.split_whitespace().nth(1).is_none() && !text.trim().is_empty();
        self.refuted |= references.len() < SEVERAL || !references.iter().all(|one| is_word(one.as_ref()));
        if self.refuted {
            return;
        }
        if let (0, Some(first)) = (segment, references.first()) {
            first.as_ref().clone_into(&mut self.first);
        }
        let count = references.len();
        let (least, most) = self.range.unwrap_or((count, count));
        self.range = Some((least.min(count), most.max(count)));
        for hypothesis in hypotheses {
            self.several.0 += u64::from(hypothesis.as_ref().split_whitespace().nth(1).is_some());
            self.several.1 += 1;
        }
    }

    /// Returns the first reference if all references look like words of split texts; otherwise returns
    /// `None`.
    ///
    /// Every reference must be one word, and most hypotheses must have several words. The number of
    /// references must vary between segments, or be at least [`MANY`].
    pub(super) fn found(&self) -> Option<&str> {
        let varies = self.range.is_some_and(|(least, most)| least < most || least >= MANY);
        let (several, all) = self.several;
        (!self.refuted && varies && 2 * several > all).then_some(&self.first)
    }
}
