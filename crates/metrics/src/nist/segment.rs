//! Numbers that NIST sums for one segment: the information weights of the matching n-grams, and the lengths.
//!
//! Every n-gram of the references has a number, under which its information weight is stored, and n-grams are
//! compared by these numbers. An n-gram can match only if its prefix does, so an unmatched prefix is not
//! looked up at the next order.

use bleuprint_core::{InputError, Result};
use bleuprint_ngram::{NgramSet, Word};

use super::{Information, NistArithmetic};

const NONE: u32 = u32::MAX;

/// Working memory of NIST, tables that are reused from segment to segment.
#[derive(Debug, Clone, Default)]
pub struct NistScratch {
    hypothesis: OrderWalk,
    references: Vec<OrderWalk>,
    /// Ids of the distinct n-grams of the hypothesis that may match a reference, in the order of their first
    /// occurrence.
    distinct: Vec<u32>,
    /// How often each n-gram occurs in the hypothesis, indexed by the n-gram's id. It is 0 for n-grams that
    /// cannot match a reference.
    in_hypothesis: Vec<u32>,
    in_reference: Vec<u32>,
    most: Vec<u32>,
    pub(super) orders: Vec<OrderInfo>,
}

/// Ids of the tokens of a sequence, and ids of its n-grams of the current order, one for each start position.
#[derive(Debug, Clone, Default)]
struct OrderWalk {
    tokens: Vec<u32>,
    ngrams: Vec<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct OrderInfo {
    pub(super) info: f64,
    pub(super) total: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NistLengths {
    pub(super) hypothesis: u64,
    pub(super) references: u64,
}

pub(super) fn measure<T: Word>(
    information: &Information,
    scratch: &mut NistScratch,
    hypothesis: &[T],
    references: &[&[T]],
) -> Result<NistLengths> {
    let rules = information.rules;
    let all_references = references.iter().map(|reference| reference.len() as u64).sum();
    let mut lengths = NistLengths { hypothesis: hypothesis.len() as u64, references: all_references };
    if rules == NistArithmetic::Nltk {
        lengths = NistLengths { hypothesis: 0, references: 0 };
    }
    scratch.begin(information.ngrams(), hypothesis, references)?;
    for order in 1..=information.max_order() {
        if order > 1 {
            scratch.climb(information.ngrams(), order)?;
        }
        scratch.count(information.ngrams().len(order));
        let total = (hypothesis.len() + 1).saturating_sub(order) as u64;
        let info = match rules {
            NistArithmetic::Standard | NistArithmetic::Mteval => {
                scratch.information(information, order, &scratch.most)
            }
            NistArithmetic::Nltk => {
                let (info, ref_len) = scratch.best_reference(information, order, total);
                // NLTK adds the lengths once per order, with the reference that the order has chosen.
                lengths.hypothesis += hypothesis.len() as u64;
                lengths.references += ref_len;
                info
            }
        };
        scratch.orders.push(OrderInfo { info, total });
        scratch.forget();
    }
    Ok(lengths)
}

impl NistScratch {
    fn begin<T: Word>(&mut self, set: &NgramSet, hypothesis: &[T], references: &[&[T]]) -> Result<()> {
        self.orders.clear();
        self.hypothesis.begin(set, hypothesis);
        self.references.resize_with(references.len(), OrderWalk::default);
        for (walk, reference) in self.references.iter_mut().zip(references) {
            walk.begin(set, reference);
            if walk.tokens.contains(&NONE) {
                // Unknown tokens share one number, so the words themselves are compared. This is rare.
                let same = |one: &T, other: &T| one.with_word(|one| other.with_word(|other| one == other));
                let unknown = walk.tokens.iter().zip(*reference).filter(|(number, _)| **number == NONE);
                let matches = |(_, token): (_, &T)| hypothesis.iter().any(|other| same(token, other));
                require_information(1, !unknown.into_iter().any(matches))?;
            }
        }
        Ok(())
    }

    fn climb(&mut self, set: &NgramSet, order: usize) -> Result<()> {
        let hypothesis = &self.hypothesis;
        for walk in &mut self.references {
            let mut matches = false;
            // An unknown n-gram of a reference is an error only if the hypothesis has it: only then would
            // its weight be needed.
            walk.climb(set, order, |prefix, token| matches |= hypothesis.goes_on(order, prefix, token));
            require_information(order, !matches)?;
        }
        self.hypothesis.climb(set, order, |_, _| {});
        Ok(())
    }

    fn count(&mut self, len: usize) {
        for counts in [&mut self.in_hypothesis, &mut self.in_reference, &mut self.most] {
            counts.resize(len.max(counts.len()), 0);
        }
        for &number in self.hypothesis.ngrams.iter().filter(|&&number| number != NONE) {
            let count = &mut self.in_hypothesis[number as usize];
            if *count == 0 {
                self.distinct.push(number);
            }
            *count += 1;
        }
        for index in 0..self.references.len() {
            self.count_reference(index);
            for &number in &self.distinct {
                let here = core::mem::take(&mut self.in_reference[number as usize]);
                let most = &mut self.most[number as usize];
                *most = here.max(*most);
            }
        }
    }

    fn count_reference(&mut self, index: usize) {
        for &number in self.references[index].ngrams.iter().filter(|&&number| number != NONE) {
            if self.in_hypothesis[number as usize] > 0 {
                self.in_reference[number as usize] += 1;
            }
        }
    }

    /// Returns the information and the length of the reference that NLTK chooses: by the greatest precision,
    /// then information, then length.
    fn best_reference(&mut self, information: &Information, order: usize, total: u64) -> (f64, u64) {
        // With one reference, the clipping limits of all references are its counts, so they need not be
        // counted again.
        if self.references.len() == 1 {
            return (
                self.information(information, order, &self.most),
                self.references[0].tokens.len() as u64,
            );
        }
        let mut best: Option<(f64, f64, u64)> = None;
        for index in 0..self.references.len() {
            self.count_reference(index);
            let info = self.information(information, order, &self.in_reference);
            for &number in &self.distinct {
                self.in_reference[number as usize] = 0;
            }
            let precision = if total == 0 { 0.0 } else { info / total as f64 };
            let rank = (precision, info, self.references[index].tokens.len() as u64);
            if best.is_none_or(|best| rank > best) {
                best = Some(rank);
            }
        }
        best.map_or((0.0, 0), |(_, info, ref_len)| (info, ref_len))
    }

    /// Returns the sum of the information weights of the matching n-grams,
    /// `Σ info · min(count in the hypothesis, limit)`. `limits` has the count in the references to which the
    /// matches of each n-gram are clipped. The terms are added in the order of the n-grams' first occurrence.
    fn information(&self, information: &Information, order: usize, limits: &[u32]) -> f64 {
        let mut sum = 0.0;
        for &number in &self.distinct {
            let clipped = self.in_hypothesis[number as usize].min(limits[number as usize]);
            if clipped > 0 {
                sum += information.weight(order, number) * f64::from(clipped);
            }
        }
        sum
    }

    /// Removes the hypothesis and reference n-grams without a match at the current n-gram order, and resets
    /// all counts to 0.
    fn forget(&mut self) {
        let NistScratch { hypothesis, references, distinct, in_hypothesis, most, .. } = self;
        hypothesis.keep(|number| most[number as usize] > 0);
        references.iter_mut().for_each(|walk| walk.keep(|number| in_hypothesis[number as usize] > 0));
        for number in distinct.drain(..) {
            in_hypothesis[number as usize] = 0;
            most[number as usize] = 0;
        }
    }
}

impl OrderWalk {
    fn begin<T: Word>(&mut self, set: &NgramSet, tokens: &[T]) {
        let find = |token: &T| token.with_word(|word| set.find_token(word)).unwrap_or(NONE);
        self.tokens.clear();
        self.tokens.extend(tokens.iter().map(find));
        self.ngrams.clone_from(&self.tokens);
    }

    /// Replaces the ids of a text's n-grams of order `order - 1` by the ids of its n-grams of order `order`
    /// in `set`. For each n-gram that is not in `set`, calls `unknown` with the prefix and the last token of
    /// the n-gram.
    fn climb(&mut self, set: &NgramSet, order: usize, mut unknown: impl FnMut(u32, u32)) {
        self.ngrams.truncate((self.tokens.len() + 1).saturating_sub(order));
        for (number, &token) in self.ngrams.iter_mut().zip(self.tokens.iter().skip(order - 1)) {
            *number = match *number {
                NONE => NONE,
                // A token that the set lacks matches nothing.
                _ if token == NONE => NONE,
                prefix => set.find(order, prefix, token).unwrap_or_else(|| {
                    unknown(prefix, token);
                    NONE
                }),
            };
        }
    }

    fn goes_on(&self, order: usize, prefix: u32, token: u32) -> bool {
        let last = self.tokens.iter().skip(order - 1);
        self.ngrams.iter().zip(last).any(|(&number, &next)| (number, next) == (prefix, token))
    }

    fn keep(&mut self, keep: impl Fn(u32) -> bool) {
        for number in &mut self.ngrams {
            if *number != NONE && !keep(*number) {
                *number = NONE;
            }
        }
    }
}

fn require_information(order: usize, known: bool) -> Result<()> {
    if known {
        return Ok(());
    }
    Err(InputError::malformed(format!(
        "a reference has an n-gram of order {order} without information: the information must come from all references"
    )))
}
