//! A set of n-grams that outlives its segments: an n-gram is the number of its prefix and that of its last token.
//!
//! ```text
//! order 1   the = 0, cat = 1, sat = 2
//! order 2   the cat = (0, 1) = 0,   cat sat = (1, 2) = 1
//! order 3   the cat sat = (0, 2) = 0
//! ```
//!
//! So an n-gram of any order takes 16 bytes or a little more, and tokens are stored once. Numbers depend on the order
//! of arrival; sets are compared by their tokens, and [`NgramSet::sorted`] gives an order that depends on the tokens
//! alone.

use crate::vocabulary::Vocabulary;
use crate::word::Word;
use alloc::vec;
use alloc::vec::Vec;
use core::hash::BuildHasher;
use foldhash::fast::RandomState;

/// The distinct n-grams, of all orders up to the highest, of sequences of tokens.
///
/// Equality is that of sets: the order of insertion does not matter.
///
/// ```
/// use bleuprint_ngram::NgramSet;
///
/// let mut set = NgramSet::new(2);
/// let mut row = Vec::new();
/// set.insert(&["the", "cat", "the", "cat"], &mut row, |order, numbers| match order {
///     1 => assert_eq!(numbers, [0, 1, 0, 1]),
///     _ => assert_eq!(numbers, [0, 1, 0]),
/// }).unwrap();
/// assert_eq!((set.len(1), set.len(2)), (2, 2));
/// assert_eq!(set.ngram(2, 1), ["cat", "the"]);
/// ```
#[derive(Debug, Clone)]
pub struct NgramSet {
    vocabulary: Vocabulary,
    levels: Vec<Level>,
}

#[derive(Debug, Clone, Default)]
struct Level {
    state: RandomState,
    /// The number of the prefix (high half) and that of the last token (low half), by number.
    pairs: Vec<u64>,
    /// By the number of the prefix, the first n-gram that extends it: its last token (high half) and its number plus
    /// one (low half); 0 if there is none.
    firsts: Vec<u64>,
    /// All further n-grams of a prefix, hashed: a piece of the hash (high half), which rules out most others without a
    /// look at `pairs`, and the number plus one (low half); 0 is free.
    slots: Vec<u64>,
    /// The number of these.
    others: usize,
}

/// More than `2^32 - 1` distinct n-grams of one order: their numbers do not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "closed: says that a set is full")]
pub struct Full;

impl core::fmt::Display for Full {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("more than 4294967295 distinct n-grams of one order")
    }
}

impl core::error::Error for Full {}

const FEWEST: usize = 64;

/// A renumbering of the n-grams of a set, for every order from 1 up.
pub type Numbers = Vec<Vec<u32>>;

impl NgramSet {
    /// No n-grams, of orders 1 to `max_order`.
    pub fn new(max_order: usize) -> Self {
        NgramSet {
            vocabulary: Vocabulary::default(),
            levels: vec![Level::default(); max_order.saturating_sub(1)],
        }
    }

    /// The highest order.
    pub fn max_order(&self) -> usize {
        self.levels.len() + 1
    }

    /// The number of distinct n-grams of an order; 0 for order 0 and above the highest.
    pub fn len(&self, order: usize) -> usize {
        match order {
            0 => 0,
            1 => self.vocabulary.len(),
            _ => self.levels.get(order - 2).map_or(0, |level| level.pairs.len()),
        }
    }

    /// The greatest number of distinct n-grams of any order.
    pub fn most(&self) -> usize {
        (1..=self.max_order()).map(|order| self.len(order)).max().unwrap_or(0)
    }

    /// True if there is no n-gram.
    pub fn is_empty(&self) -> bool {
        self.vocabulary.is_empty()
    }

    /// The distinct tokens: the n-grams of order 1, by the same numbers.
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// The number of the prefix of an n-gram, and that of its last token; `None` for order 1.
    pub fn parts(&self, order: usize, number: u32) -> Option<(u32, u32)> {
        let pair = *self.levels.get(order.checked_sub(2)?)?.pairs.get(number as usize)?;
        Some(((pair >> 32) as u32, pair as u32))
    }

    /// The tokens of an n-gram; empty for a number that no n-gram has.
    pub fn ngram(&self, order: usize, number: u32) -> Vec<&str> {
        let (mut tokens, mut at) = (Vec::with_capacity(order), number);
        for order in (2..=order).rev() {
            let Some((prefix, token)) = self.parts(order, at) else { return Vec::new() };
            tokens.extend(self.vocabulary.token(token));
            at = prefix;
        }
        tokens.extend(self.vocabulary.token(at));
        tokens.reverse();
        tokens
    }

    /// Adds all n-grams of a sequence, and calls `each` for every non-empty order from 1 up, with the numbers of the
    /// n-grams by start position. `row` is a buffer for them.
    ///
    /// # Errors
    /// [`Full`], with nothing added.
    pub fn insert<W: Word>(
        &mut self,
        tokens: &[W],
        row: &mut Vec<u32>,
        mut each: impl FnMut(usize, &[u32]),
    ) -> Result<(), Full> {
        self.has_room(tokens.len())?;
        row.clear();
        for token in tokens {
            row.push(token.with_word(|token| self.vocabulary.insert(token)).ok_or(Full)?);
        }
        if row.is_empty() {
            return Ok(());
        }
        each(1, row);
        // The first half holds the numbers of the prefixes, replaced by those of the n-grams; the second half holds the
        // tokens.
        let len = row.len();
        row.extend_from_within(..);
        for (order, level) in (2..=len).zip(&mut self.levels) {
            let (numbers, tokens) = row.split_at_mut(len);
            let count = len + 1 - order;
            for (number, &token) in numbers[..count].iter_mut().zip(&tokens[order - 1..]) {
                *number = level.insert(*number, token).ok_or(Full)?;
            }
            each(order, &numbers[..count]);
        }
        Ok(())
    }

    /// The number of a token, if present.
    #[inline]
    pub fn find_token(&self, token: &str) -> Option<u32> {
        self.vocabulary.get(token)
    }

    /// The number of the n-gram of this order (from 2) made of a prefix and a token, if present.
    #[inline]
    pub fn find(&self, order: usize, prefix: u32, token: u32) -> Option<u32> {
        self.levels.get(order.checked_sub(2)?)?.find(prefix, token)
    }

    /// Adds the n-grams of another set, and returns their numbers in this one.
    ///
    /// # Errors
    /// [`Full`], with nothing added. Orders above the highest of this set are left out.
    pub fn absorb(&mut self, other: &NgramSet) -> Result<Numbers, Full> {
        self.has_room(other.most())?;
        let mut tokens = Vec::with_capacity(other.len(1));
        for token in other.vocabulary.iter() {
            tokens.push(self.vocabulary.insert(token).ok_or(Full)?);
        }
        let mut all = vec![tokens];
        for (level, theirs) in self.levels.iter_mut().zip(&other.levels) {
            let mut numbers = Vec::with_capacity(theirs.pairs.len());
            let prefixes = all.last().map_or(&[][..], |prefixes| prefixes);
            for &pair in &theirs.pairs {
                let (prefix, token) = (prefixes[(pair >> 32) as usize], all[0][pair as u32 as usize]);
                numbers.push(level.insert(prefix, token).ok_or(Full)?);
            }
            all.push(numbers);
        }
        Ok(all)
    }

    /// The number in this set of each n-gram of another; `None` unless all of them are present.
    pub fn locate(&self, other: &NgramSet) -> Option<Numbers> {
        let mut all: Numbers =
            vec![other.vocabulary.iter().map(|token| self.find_token(token)).collect::<Option<_>>()?];
        for (order, theirs) in (2..).zip(&other.levels) {
            let find = |&pair: &u64| {
                let prefix = all[order - 2][(pair >> 32) as usize];
                self.find(order, prefix, all[0][pair as u32 as usize])
            };
            let numbers = theirs.pairs.iter().map(find).collect::<Option<_>>()?;
            all.push(numbers);
        }
        Some(all)
    }

    /// For every order, the numbers of the n-grams in the order of their tokens: the same for equal sets.
    pub fn sorted(&self) -> Numbers {
        let mut tokens: Vec<u32> = (0..self.len(1) as u32).collect();
        tokens.sort_unstable_by_key(|&number| self.vocabulary.token(number));
        let token_ranks = ranks(&tokens);
        let (mut prefix_ranks, mut all) = (token_ranks.clone(), vec![tokens]);
        for level in &self.levels {
            let rank = |number: u32| {
                let pair = level.pairs[number as usize];
                u64::from(prefix_ranks[(pair >> 32) as usize]) << 32
                    | u64::from(token_ranks[pair as u32 as usize])
            };
            let mut numbers: Vec<u32> = (0..level.pairs.len() as u32).collect();
            numbers.sort_unstable_by_key(|&number| rank(number));
            prefix_ranks = ranks(&numbers);
            all.push(numbers);
        }
        all
    }

    /// A set from its tokens and, for every order from 2 up, its n-grams: the number of the prefix and that of the last
    /// token. `None` if no sequences have these n-grams: one is given twice, or lacks its prefix or suffix.
    pub fn from_parts<'a>(
        tokens: impl IntoIterator<Item = &'a str>,
        orders: impl IntoIterator<Item = &'a [(u32, u32)]>,
    ) -> Option<Self> {
        let mut set = NgramSet::new(1);
        for (number, token) in (0..).zip(tokens) {
            (set.vocabulary.insert(token)? == number).then_some(())?;
        }
        // The suffix of each n-gram, an n-gram of the order below; none for tokens.
        let mut suffixes: Vec<Option<u32>> = vec![None; set.len(1)];
        for (order, ngrams) in (2..).zip(orders) {
            let (mut level, mut next) = (Level::default(), Vec::with_capacity(ngrams.len()));
            for (number, &(prefix, token)) in (0..).zip(ngrams) {
                let suffix = match *suffixes.get(prefix as usize)? {
                    None => ((token as usize) < set.len(1)).then_some(token)?,
                    Some(suffix) => set.find(order - 1, suffix, token)?,
                };
                (level.insert(prefix, token)? == number).then_some(())?;
                next.push(Some(suffix));
            }
            set.levels.push(level);
            suffixes = next;
        }
        Some(set)
    }

    /// True if `more` n-grams of every order would have numbers.
    ///
    /// # Errors
    /// [`Full`] if they would not.
    pub fn has_room(&self, more: usize) -> Result<(), Full> {
        if self.most().saturating_add(more) > u32::MAX as usize { Err(Full) } else { Ok(()) }
    }
}

impl PartialEq for NgramSet {
    fn eq(&self, other: &Self) -> bool {
        self.max_order() == other.max_order()
            && (1..=self.max_order()).all(|order| self.len(order) == other.len(order))
            && self.locate(other).is_some()
    }
}

impl Eq for NgramSet {}

/// The place of every number in a row of all numbers.
pub fn ranks(sorted: &[u32]) -> Vec<u32> {
    let mut ranks = vec![0; sorted.len()];
    for (rank, &number) in (0..).zip(sorted) {
        ranks[number as usize] = rank;
    }
    ranks
}

/// Most prefixes have a single continuation, the more so at higher orders. So an n-gram is looked for beside its prefix
/// first, which costs no hash, and no jump in memory for a new prefix.
impl Level {
    #[inline]
    fn find(&self, prefix: u32, token: u32) -> Option<u32> {
        match split(*self.firsts.get(prefix as usize)?) {
            (_, 0) => None,
            (first, next) if first == token => Some(next - 1),
            _ if self.others == 0 => None,
            _ => self.search(pair(prefix, token), self.hash(pair(prefix, token))).ok(),
        }
    }

    #[inline]
    fn hash(&self, pair: u64) -> u64 {
        self.state.hash_one(pair)
    }

    #[inline]
    fn insert(&mut self, prefix: u32, token: u32) -> Option<u32> {
        if prefix as usize >= self.firsts.len() {
            self.firsts.resize(prefix as usize + 1, 0);
        }
        let next = u32::try_from(self.pairs.len() + 1).ok()?;
        match split(self.firsts[prefix as usize]) {
            (_, 0) => self.firsts[prefix as usize] = pair(token, next),
            (first, number) if first == token => return Some(number - 1),
            _ => {
                if 3 * (self.others + 1) > 2 * self.slots.len() {
                    self.grow();
                }
                let hash = self.hash(pair(prefix, token));
                match self.search(pair(prefix, token), hash) {
                    Ok(number) => return Some(number),
                    Err(free) => self.slots[free] = slot(hash, next),
                }
                self.others += 1;
            }
        }
        self.pairs.push(pair(prefix, token));
        Some(next - 1)
    }

    /// The number of a further pair of its prefix, or the slot for it.
    #[inline]
    fn search(&self, pair: u64, hash: u64) -> Result<u32, usize> {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let here = self.slots[at];
            let Some(number) = split(here).1.checked_sub(1) else { return Err(at) };
            if here == slot(hash, number + 1) && self.pairs[number as usize] == pair {
                return Ok(number);
            }
            at = (at + 1) & mask;
        }
    }

    /// At least twice as many slots, a third of which stay free.
    #[cold]
    fn grow(&mut self) {
        let slots = (3 * (self.others + 1)).next_power_of_two().max(FEWEST);
        let old = core::mem::replace(&mut self.slots, vec![0; slots]);
        for taken in old.into_iter().filter(|&taken| taken != 0) {
            let number = split(taken).1 - 1;
            let mut at = self.hash(self.pairs[number as usize]) as usize & (slots - 1);
            while self.slots[at] != 0 {
                at = (at + 1) & (slots - 1);
            }
            self.slots[at] = taken;
        }
    }
}

#[inline]
fn pair(prefix: u32, token: u32) -> u64 {
    u64::from(prefix) << 32 | u64::from(token)
}

/// The slot content for an n-gram with this hash.
#[inline]
fn slot(hash: u64, next: u32) -> u64 {
    hash >> 32 << 32 | u64::from(next)
}

#[inline]
fn split(pair: u64) -> (u32, u32) {
    ((pair >> 32) as u32, pair as u32)
}
