//! METEOR's alignment, as NLTK computes it in three stages. Each stage matches the tokens that earlier stages
//! left unmatched:
//!
//! 1. equal tokens;
//! 2. equal stems;
//! 3. a hypothesis token and a synonym of it in the reference; both are compared as stems.
//!
//! Every stage visits the hypothesis from its last token to its first. Each token takes the rightmost
//! matching token of the reference that is still free. The alignment does not minimize crossing matches,
//! although the paper requires the fewest.

use super::lexicon::MeteorLexicon;
use super::synonyms::Synonyms;

const NONE: u32 = u32::MAX;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct MeteorAlignment {
    /// Number of matched tokens of the hypothesis, which equals the number of matched tokens of the
    /// reference.
    pub(super) matches: usize,
    /// Number of chunks in METEOR's alignment: runs of matched tokens that are adjacent and in the same order
    /// in hypothesis and reference.
    pub(super) chunks: usize,
}

/// Working memory of METEOR, one per thread: the tables of the alignment, and words with their stems and
/// synonyms.
#[derive(Debug, Default)]
pub struct MeteorAligner {
    lexicon: MeteorLexicon,
    hypothesis: Vec<u32>,
    stems: Vec<u32>,
    partners: Vec<u32>,
    /// Id of each reference token in the word table. After METEOR's first stage, which matches equal tokens,
    /// unmatched tokens have the id of their stem.
    reference: Vec<u32>,
    taken: Vec<bool>,
    free: Free,
}

/// Positions of the reference tokens that are not yet matched, as a linked list for each distinct word, from
/// right to left.
#[derive(Debug, Default)]
struct Free {
    last: Vec<u32>,
    before: Vec<u32>,
}

impl Free {
    fn begin(&mut self, positions: usize) {
        self.before.clear();
        self.before.resize(positions, NONE);
    }

    /// Adds an unmatched position of a reference word. The caller must add positions from left to right.
    fn push(&mut self, word: u32, position: usize) {
        let word = word as usize;
        if self.last.len() <= word {
            self.last.resize(word + 1, NONE);
        }
        self.before[position] = core::mem::replace(&mut self.last[word], position as u32);
    }

    fn rightmost(&self, word: u32) -> Option<u32> {
        self.last.get(word as usize).copied().filter(|&position| position != NONE)
    }

    fn pop(&mut self, word: u32) -> Option<u32> {
        let position = self.rightmost(word)?;
        self.last[word as usize] = self.before[position as usize];
        Some(position)
    }

    fn forget(&mut self, words: &[u32]) {
        words.iter().for_each(|&word| self.last[word as usize] = NONE);
    }
}

impl MeteorAligner {
    pub(super) fn begin<T: AsRef<str>>(&mut self, hypothesis: &[T]) {
        let MeteorAligner { lexicon, hypothesis: numbers, .. } = self;
        lexicon.begin();
        numbers.clear();
        numbers.extend(hypothesis.iter().map(|token| lexicon.lowered(token.as_ref())));
    }

    pub(super) fn align<T: AsRef<str>>(
        &mut self,
        reference: &[T],
        synonyms: Option<&dyn Synonyms>,
    ) -> MeteorAlignment {
        let MeteorAligner { lexicon, reference: numbers, partners, taken, .. } = self;
        numbers.clear();
        numbers.extend(reference.iter().map(|token| lexicon.lowered(token.as_ref())));
        partners.clear();
        partners.resize(self.hypothesis.len(), NONE);
        taken.clear();
        taken.resize(reference.len(), false);
        self.match_equal();
        self.match_stems();
        if let Some(source) = synonyms {
            self.match_synonyms(source);
        }
        // Only the words of this reference have chains, so clearing them costs less than clearing the whole
        // vocabulary.
        self.free.forget(&self.reference);
        self.count()
    }

    fn match_equal(&mut self) {
        let MeteorAligner { hypothesis, partners, reference, taken, free, .. } = self;
        free.begin(reference.len());
        for (position, &word) in reference.iter().enumerate() {
            free.push(word, position);
        }
        for (partner, &word) in partners.iter_mut().zip(hypothesis.iter()).rev() {
            if let Some(position) = free.pop(word) {
                *partner = position;
                taken[position as usize] = true;
            }
        }
        free.forget(reference);
        free.begin(reference.len());
    }

    /// Replaces the unmatched tokens of the reference by their stems, then matches them with equal stems of
    /// the hypothesis.
    fn match_stems(&mut self) {
        let MeteorAligner { lexicon, hypothesis, stems, partners, reference, taken, free } = self;
        for (position, word) in reference.iter_mut().enumerate() {
            if !taken[position] {
                *word = lexicon.stem(*word);
                free.push(*word, position);
            }
        }
        stems.clear();
        stems.resize(hypothesis.len(), NONE);
        for (at, partner) in partners.iter_mut().enumerate().rev().filter(|(_, partner)| **partner == NONE) {
            stems[at] = lexicon.stem(hypothesis[at]);
            *partner = free.pop(stems[at]).unwrap_or(NONE);
        }
    }

    fn match_synonyms(&mut self, source: &dyn Synonyms) {
        let MeteorAligner { lexicon, stems, partners, free, .. } = self;
        for (at, partner) in partners.iter_mut().enumerate().rev().filter(|(_, partner)| **partner == NONE) {
            // Stage two matched all equal stems, so the word itself need not be tried again.
            let synonyms = lexicon.synonyms(stems[at], source);
            // Adding 1 ranks every free position above 0, which marks a synonym without one.
            let rightmost = |&&synonym: &&u32| free.rightmost(synonym).map_or(0, |position| position + 1);
            if let Some(position) =
                synonyms.iter().max_by_key(rightmost).and_then(|&synonym| free.pop(synonym))
            {
                *partner = position;
            }
        }
    }

    fn count(&self) -> MeteorAlignment {
        let mut alignment = MeteorAlignment::default();
        let mut expected = NONE;
        for &partner in &self.partners {
            if partner == NONE {
                expected = NONE;
                continue;
            }
            alignment.matches += 1;
            // A match that does not follow its predecessor in the reference starts a new chunk.
            alignment.chunks += usize::from(partner != expected);
            expected = partner + 1;
        }
        alignment
    }

    #[cfg(test)]
    pub(super) fn pairs(&self) -> Vec<(usize, usize)> {
        let pairs = self.partners.iter().enumerate().filter(|(_, partner)| **partner != NONE);
        pairs.map(|(at, &partner)| (at, partner as usize)).collect()
    }
}
