//! References of any token type whose n-gram tables are built once, to count matches of many hypotheses.

use crate::intern::MAX_TOKENS;
use crate::overlap::total;
use crate::rows::Flat;
use crate::{PreparedIds, Scratch, index::Index, overlap, token};
use alloc::vec::Vec;
use core::hash::{BuildHasher, Hash};
use foldhash::fast::RandomState;

/// References of any token type with their n-gram tables, built once by [`prepare`] and matched with many
/// hypotheses.
///
/// The value borrows the references, because equality of tokens is always checked, and owns its tables.
#[derive(Debug, Clone)]
pub struct PreparedReferences<'r, T> {
    references: &'r [&'r [T]],
    max_order: usize,
    tables: PreparedTables<'r, T>,
}

#[derive(Debug, Clone)]
enum PreparedTables<'r, T> {
    /// Tables of the references' n-grams, for tokens that are small integers and serve as their own ids.
    Values(PreparedIds),
    /// Tables of the references' n-grams for tokens that are not small integers, such as strings. The first
    /// field maps the tokens to ids.
    Interned(PreparedTokenIds<'r, T>, PreparedIds),
    /// The state without tables: each hypothesis is matched with the references from scratch. It is used if
    /// two different tokens share a hash, or if tokens are zero-sized or too many.
    Unprepared,
}

#[derive(Debug, Clone)]
struct PreparedTokenIds<'r, T> {
    state: RandomState,
    by_hash: Index<u64>,
    tokens: Vec<&'r T>,
}

/// Builds the n-gram tables of the references, for orders up to `max_order`, so that many hypotheses can be
/// matched with them.
///
/// Expected time `O(tokens · max_order)`.
///
/// ```
/// use bleuprint_ngram::{Scratch, prepare};
///
/// let mut scratch = Scratch::default();
/// let references: [&[&str]; 2] = [&["a", "cat"], &["the", "cat", "sat"]];
/// let prepared = prepare(&mut scratch, &references, 2);
/// let mut clipped = [0; 2];
/// prepared.overlap(&mut scratch, &["the", "cat"], &mut clipped);
/// assert_eq!(clipped, [2, 1]);
/// prepared.overlap(&mut scratch, &["the", "dog"], &mut clipped);
/// assert_eq!(clipped, [1, 0]);
/// ```
pub fn prepare<'r, T: Hash + Eq>(
    scratch: &mut Scratch,
    references: &'r [&'r [T]],
    max_order: usize,
) -> PreparedReferences<'r, T> {
    let tables =
        tables(&mut scratch.interner.flat, references, max_order).unwrap_or(PreparedTables::Unprepared);
    PreparedReferences { references, max_order, tables }
}

impl<'r, T: Hash + Eq> PreparedReferences<'r, T> {
    /// Counts the clipped n-gram matches of a hypothesis with these references, like
    /// [`overlap`](crate::overlap()). Orders above `max_order` get 0.
    pub fn overlap(&self, scratch: &mut Scratch, hypothesis: &[T], clipped: &mut [u64]) {
        let (counted, beyond) = clipped.split_at_mut(self.max_order.min(clipped.len()));
        beyond.fill(0);
        if let Some((hypothesis, _)) = token::as_ids(hypothesis, &[])
            && let PreparedTables::Values(prepared) = &self.tables
        {
            return prepared.overlap(scratch, hypothesis, counted);
        }
        // The buffer is taken out and put back, because `prepared.overlap` borrows the whole scratch.
        let mut ids = core::mem::take(&mut scratch.interner.flat.ids);
        ids.clear();
        match &self.tables {
            PreparedTables::Values(prepared) if token::append_values(hypothesis, &mut ids) => {
                prepared.overlap(scratch, &ids, counted);
            }
            PreparedTables::Interned(by_token, prepared) if hypothesis.len() <= MAX_TOKENS => {
                by_token.append(hypothesis, &mut ids);
                prepared.overlap(scratch, &ids, counted);
            }
            _ => overlap(scratch, hypothesis, self.references, counted),
        }
        scratch.interner.flat.ids = ids;
    }
}

impl<'r, T> PreparedReferences<'r, T> {
    /// Returns the highest n-gram order for which the reference tables were built.
    pub fn max_order(&self) -> usize {
        self.max_order
    }

    /// Returns the references that hypotheses are matched with.
    pub fn references(&self) -> &'r [&'r [T]] {
        self.references
    }
}

fn tables<'r, T: Hash + Eq>(
    flat: &mut Flat,
    references: &'r [&'r [T]],
    max_order: usize,
) -> Option<PreparedTables<'r, T>> {
    if size_of::<T>() == 0 || total(0, references.iter().map(|reference| reference.len())) > MAX_TOKENS {
        return None;
    }
    flat.clear();
    flat.end();
    let fit = references.iter().all(|reference| {
        let fits = token::append_values(reference, &mut flat.ids);
        flat.end();
        fits
    });
    if fit && token::is_integer::<T>() {
        return Some(PreparedTables::Values(PreparedIds::from_rows(flat.references(), max_order)));
    }
    let ids = PreparedTokenIds::new(flat, references)?;
    Some(PreparedTables::Interned(ids, PreparedIds::from_rows(flat.references(), max_order)))
}

impl<'r, T: Hash + Eq> PreparedTokenIds<'r, T> {
    /// Numbers the tokens of the references and writes the numbers to `flat`. Returns `None` if two different
    /// tokens share a hash.
    fn new(flat: &mut Flat, references: &'r [&'r [T]]) -> Option<Self> {
        let state = RandomState::default();
        let mut by_hash = Index::default();
        let all = || references.iter().flat_map(|reference| reference.iter());
        let hashes: Vec<u64> = all().map(|token| state.hash_one(token)).collect();
        flat.clear();
        by_hash.number(hashes.iter().copied(), &mut flat.ids);
        let mut tokens: Vec<&T> = Vec::with_capacity(by_hash.len());
        for (&id, token) in flat.ids.iter().zip(all()) {
            // Numbers follow first occurrence, so the next number marks a new token.
            if id as usize == tokens.len() {
                tokens.push(token);
            }
            if tokens.get(id as usize).is_none_or(|first| *first != token) {
                return None;
            }
        }
        flat.ends.push(0);
        flat.ends.extend(references.iter().scan(0, |end, reference| {
            *end += reference.len();
            Some(*end)
        }));
        Some(PreparedTokenIds { state, by_hash, tokens })
    }

    /// Appends the ids of the hypothesis tokens to `ids`. Tokens that occur in no reference get an unused id.
    fn append(&self, hypothesis: &[T], ids: &mut Vec<u32>) {
        let id_of = self.by_hash.lookup();
        ids.extend(hypothesis.iter().map(|token| {
            let id = id_of(self.state.hash_one(token));
            if self.tokens.get(id as usize).is_some_and(|known| *known == token) { id } else { u32::MAX }
        }));
    }
}
