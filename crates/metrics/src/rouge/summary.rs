//! Counts the hits of ROUGE-Lsum: tokens of reference sentences that are in a longest common subsequence with
//! a hypothesis sentence.
//!
//! A sentence of the reference is compared with each sentence of the hypothesis, and the positions that one
//! longest common subsequence takes are united. In order of position, a token of the union is a hit while
//! both whole texts have an occurrence that no earlier hit used.

use bleuprint_core::Result;

use super::lcs::Lcs;

#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Sentences {
    ids: Vec<u32>,
    ends: Vec<usize>,
}

impl Sentences {
    /// Stores the token ids of a text, split into sentences. A sentence ends at each position for which
    /// `is_break` is true; breaks are not tokens.
    pub(super) fn fill(&mut self, ids: &[u32], is_break: impl Fn(usize) -> bool) {
        self.ids.clear();
        self.ends.clear();
        for (at, &id) in ids.iter().enumerate() {
            if is_break(at) {
                self.ends.push(self.ids.len());
            } else {
                self.ids.push(id);
            }
        }
        self.ends.push(self.ids.len());
    }

    pub(super) fn len(&self) -> usize {
        self.ids.len()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &[u32]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| &self.ids[core::mem::replace(&mut start, end)..end])
    }
}

#[derive(Debug, Default)]
pub(super) struct Left(Vec<(u32, u32)>);

impl Left {
    pub(super) fn fill(&mut self, hypothesis: &Sentences, reference: &Sentences, distinct: usize) {
        self.0.clear();
        self.0.resize(distinct, (0, 0));
        hypothesis.ids.iter().for_each(|&id| self.0[id as usize].0 += 1);
        reference.ids.iter().for_each(|&id| self.0[id as usize].1 += 1);
    }

    pub(super) fn take(&mut self, id: u32) -> bool {
        let (hypothesis, reference) = &mut self.0[id as usize];
        let both = *hypothesis > 0 && *reference > 0;
        if both {
            (*hypothesis, *reference) = (*hypothesis - 1, *reference - 1);
        }
        both
    }
}

#[derive(Debug, Default)]
pub(super) struct Summary {
    union: Vec<u64>,
}

impl Summary {
    pub(super) fn hits(
        &mut self,
        left: &mut Left,
        lcs: &mut Lcs,
        hypothesis: &Sentences,
        reference: &Sentences,
        distinct: usize,
    ) -> Result<usize> {
        let union = &mut self.union;
        left.fill(hypothesis, reference, distinct);
        let mut hits = 0;
        for sentence in reference.iter() {
            union.clear();
            union.resize(sentence.len().div_ceil(u64::BITS as usize), 0);
            for other in hypothesis.iter() {
                lcs.unite(sentence, other, distinct, union)?;
            }
            for (block, bits) in sentence.chunks(u64::BITS as usize).zip(union.iter()) {
                let taken = block.iter().enumerate().filter(|(at, _)| bits >> at & 1 == 1);
                hits += taken.filter(|(_, id)| left.take(**id)).count();
            }
        }
        Ok(hits)
    }
}

#[cfg(test)]
mod tests {
    use super::super::lcs::naive;
    use super::*;
    use quickcheck::{Arbitrary, Gen, QuickCheck};
    use std::collections::{BTreeSet, HashMap};

    /// Random text for tests, as token ids from 0 to 6. Few different tokens make many matches; token 0 ends
    /// a sentence.
    #[derive(Debug, Clone)]
    struct Text(Vec<u32>);

    const DISTINCT: usize = 7;

    impl Arbitrary for Text {
        fn arbitrary(g: &mut Gen) -> Self {
            let len = usize::arbitrary(g) % if u8::arbitrary(g) % 8 == 0 { 200 } else { 24 };
            Text((0..len).map(|_| u32::arbitrary(g) % DISTINCT as u32).collect())
        }

        fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
            let below = |tokens: &Vec<u32>| tokens.iter().all(|&token| (token as usize) < DISTINCT);
            Box::new(self.0.shrink().filter(below).map(Text))
        }
    }

    fn sentences(text: &Text) -> Sentences {
        let mut sentences = Sentences::default();
        sentences.fill(&text.0, |at| text.0[at] == 0);
        sentences
    }

    fn naive_hits(hypothesis: &Text, reference: &Text) -> usize {
        let counts = |text: &Text| {
            let mut counts = HashMap::new();
            text.0
                .iter()
                .filter(|&&token| token != 0)
                .for_each(|&token| *counts.entry(token).or_insert(0) += 1);
            counts
        };
        let mut in_hypothesis = counts(hypothesis);
        let mut in_reference = counts(reference);
        let mut hits = 0;
        for sentence in reference.0.split(|&token| token == 0) {
            let others = hypothesis.0.split(|&token| token == 0);
            let union: BTreeSet<usize> = others.flat_map(|other| naive::positions(sentence, other)).collect();
            for at in union {
                let left = |counts: &HashMap<u32, i32>| counts.get(&sentence[at]).is_some_and(|&n| n > 0);
                if left(&in_hypothesis) && left(&in_reference) {
                    *in_hypothesis.entry(sentence[at]).or_default() -= 1;
                    *in_reference.entry(sentence[at]).or_default() -= 1;
                    hits += 1;
                }
            }
        }
        hits
    }

    #[test]
    fn agrees_with_the_definition() {
        fn agrees(hypothesis: Text, reference: Text) -> bool {
            let mut summary = Summary::default();
            let mut left = Left::default();
            let mut lcs = Lcs::default();
            let cut = sentences(&hypothesis);
            let other = sentences(&reference);
            summary.hits(&mut left, &mut lcs, &cut, &other, DISTINCT).unwrap()
                == naive_hits(&hypothesis, &reference)
        }
        QuickCheck::new().tests(20_000).quickcheck(agrees as fn(Text, Text) -> bool);
    }

    #[test]
    fn breaks_are_no_tokens() {
        let cut = sentences(&Text(vec![0, 1, 2, 0, 0, 3, 0]));
        assert_eq!(cut.len(), 3);
        assert_eq!(cut.iter().collect::<Vec<_>>(), [&[][..], &[1, 2], &[], &[3], &[]]);
    }
}
