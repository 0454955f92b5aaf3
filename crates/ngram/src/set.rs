//! A set of n-grams that can be kept and merged across segments. Each n-gram is stored as the number of its
//! prefix and the number of its last token.
//!
//! ```text
//! order 1   the = 0, cat = 1, sat = 2
//! order 2   the cat = (0, 1) = 0,   cat sat = (1, 2) = 1
//! order 3   the cat sat = (0, 2) = 0
//! ```
//!
//! So an n-gram of any order takes 16 bytes or a little more, and tokens are stored once. Numbers depend on
//! the order of insertion. Sets are compared by their tokens, and [`NgramSet::sorted`] gives an order that
//! depends only on the tokens.

use crate::vocabulary::Vocabulary;
use crate::word::Word;
use alloc::vec;
use alloc::vec::Vec;
use core::hash::BuildHasher;
use foldhash::fast::RandomState;

/// A set of distinct n-grams of token sequences, for all orders up to a highest order.
///
/// Two sets are equal if they have the same n-grams; the order of insertion does not matter.
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
    levels: Vec<SetLevel>,
}

#[derive(Debug, Clone, Default)]
struct SetLevel {
    state: RandomState,
    /// Prefix (the n-gram without its last token) and last token of each n-gram, indexed by the number of the
    /// n-gram. The number of the prefix is the high half, the number of the token the low half.
    pairs: Vec<u64>,
    /// First n-gram that extends each prefix, indexed by the number of the prefix: its last token (high half)
    /// and its number plus one (low half); 0 if no n-gram extends the prefix.
    firsts: Vec<u64>,
    /// Hash table of the n-grams that are not in `firsts`, because an earlier n-gram has the same prefix. A
    /// slot holds a part of the hash (high half) for quick comparison, and the n-gram's number plus one (low
    /// half); 0 is free.
    slots: Vec<u64>,
    /// Number of n-grams that are stored in the hash table `slots`. All other n-grams are in `firsts`.
    others: usize,
}

/// Error of a set with more than `2^32 - 1` distinct n-grams of one order: their numbers do not fit 32 bits.
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

/// Ids of n-grams, for every order from 1 up. In a mapping between two sets, the index is the id of an n-gram
/// in one set, and the value its id in the other set.
pub type Numbers = Vec<Vec<u32>>;

impl NgramSet {
    /// Creates an empty set of n-grams of the orders 1 to `max_order`.
    pub fn new(max_order: usize) -> Self {
        NgramSet {
            vocabulary: Vocabulary::default(),
            levels: vec![SetLevel::default(); max_order.saturating_sub(1)],
        }
    }

    /// Returns the highest n-gram order of the set.
    pub fn max_order(&self) -> usize {
        self.levels.len() + 1
    }

    /// Returns the number of distinct n-grams of a given order; 0 for order 0 and above the highest order.
    pub fn len(&self, order: usize) -> usize {
        match order {
            0 => 0,
            1 => self.vocabulary.len(),
            _ => self.levels.get(order - 2).map_or(0, |level| level.pairs.len()),
        }
    }

    /// Returns the largest number of distinct n-grams of any one order.
    pub fn most(&self) -> usize {
        (1..=self.max_order()).map(|order| self.len(order)).max().unwrap_or(0)
    }

    /// Returns `true` if the set has no n-gram.
    pub fn is_empty(&self) -> bool {
        self.vocabulary.is_empty()
    }

    /// Returns the distinct tokens. The number of a token is also its number as an n-gram of order 1.
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// Returns the number of an n-gram's prefix (the n-gram without its last token) and the number of its
    /// last token; `None` for order 1 or an unknown n-gram.
    pub fn parts(&self, order: usize, number: u32) -> Option<(u32, u32)> {
        let pair = *self.levels.get(order.checked_sub(2)?)?.pairs.get(number as usize)?;
        Some(((pair >> 32) as u32, pair as u32))
    }

    /// Returns the tokens of the n-gram with this order and number; empty if no n-gram has this number.
    pub fn ngram(&self, order: usize, number: u32) -> Vec<&str> {
        let mut tokens = Vec::with_capacity(order);
        let mut at = number;
        for order in (2..=order).rev() {
            let Some((prefix, token)) = self.parts(order, at) else { return Vec::new() };
            tokens.extend(self.vocabulary.token(token));
            at = prefix;
        }
        tokens.extend(self.vocabulary.token(at));
        tokens.reverse();
        tokens
    }

    /// Adds all n-grams of a token sequence. For every order from 1 up that the sequence reaches, calls
    /// `each(order, numbers)`: `numbers[i]` is the number of the n-gram that starts at token `i`. `row` is a
    /// buffer.
    ///
    /// # Errors
    /// Returns [`Full`] if a number would not fit 32 bits; nothing is added then.
    pub fn insert<W: Word>(
        &mut self,
        tokens: &[W],
        row: &mut Vec<u32>,
        mut each: impl FnMut(usize, &[u32]),
    ) -> Result<(), Full> {
        self.has_room(tokens.len())?;
        row.clear();
        row.reserve(2 * tokens.len());
        for token in tokens {
            row.push(token.with_word(|token| self.vocabulary.insert(token)).ok_or(Full)?);
        }
        if row.is_empty() {
            return Ok(());
        }
        each(1, row);
        // The first half of `row` holds the numbers of the prefixes, which the numbers of the n-grams
        // replace. The second half keeps the tokens.
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

    /// Returns the id of a token in this set of n-grams, or `None` if the set does not contain the token.
    #[inline]
    pub fn find_token(&self, token: &str) -> Option<u32> {
        self.vocabulary.get(token)
    }

    /// Returns the id of an n-gram of `order` tokens (2 or more), or `None` if the set does not contain it.
    /// The n-gram is given by the ids of its prefix (all tokens but the last) and of its last token.
    #[inline]
    pub fn find(&self, order: usize, prefix: u32, token: u32) -> Option<u32> {
        self.levels.get(order.checked_sub(2)?)?.find(prefix, token)
    }

    /// Adds the n-grams of `other` to this set. Returns, for every n-gram of `other`, its number in this set.
    /// Orders above the highest order of this set are ignored.
    ///
    /// # Errors
    /// Returns [`Full`] if a number would not fit 32 bits; nothing is added then.
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
                let prefix = prefixes[(pair >> 32) as usize];
                let token = all[0][pair as u32 as usize];
                numbers.push(level.insert(prefix, token).ok_or(Full)?);
            }
            all.push(numbers);
        }
        Ok(all)
    }

    /// Returns, for each n-gram of `other`, its number in this set. Returns `None` if this set lacks an
    /// n-gram of `other`.
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

    /// Returns the numbers of the n-grams of every order, sorted by the tokens of the n-grams. Equal sets
    /// list equal n-grams.
    pub fn sorted(&self) -> Numbers {
        let mut tokens: Vec<u32> = (0..self.len(1) as u32).collect();
        tokens.sort_unstable_by_key(|&number| self.vocabulary.token(number));
        let token_ranks = ranks(&tokens);
        let mut prefix_ranks = token_ranks.clone();
        let mut all = vec![tokens];
        for level in &self.levels {
            // Ranks of prefix and token order n-grams as their tokens do, so no tokens are compared after
            // order 1.
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

    /// Creates a set from its tokens and, for every order from 2 up, its n-grams as pairs of prefix number
    /// and last token. Returns `None` if an n-gram is given twice, or if the set lacks its prefix or suffix.
    pub fn from_parts<'a>(
        tokens: impl IntoIterator<Item = &'a str>,
        orders: impl IntoIterator<Item = &'a [(u32, u32)]>,
    ) -> Option<Self> {
        let mut set = NgramSet::new(1);
        for (number, token) in (0..).zip(tokens) {
            (set.vocabulary.insert(token)? == number).then_some(())?;
        }
        // Number of each n-gram's suffix, an n-gram of the order below; `None` for tokens.
        let mut suffixes: Vec<Option<u32>> = vec![None; set.len(1)];
        for (order, ngrams) in (2..).zip(orders) {
            let mut level = SetLevel::default();
            let mut next = Vec::with_capacity(ngrams.len());
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

    /// Checks that `more` n-grams of every order can be added to the set.
    ///
    /// # Errors
    /// Returns [`Full`] if their numbers would not fit 32 bits.
    pub fn has_room(&self, more: usize) -> Result<(), Full> {
        if self.most().saturating_add(more) > u32::MAX as usize { Err(Full) } else { Ok(()) }
    }
}

impl PartialEq for NgramSet {
    fn eq(&self, other: &Self) -> bool {
        // Sets of equal size are equal if one contains the other.
        self.max_order() == other.max_order()
            && (1..=self.max_order()).all(|order| self.len(order) == other.len(order))
            && self.locate(other).is_some()
    }
}

impl Eq for NgramSet {}

/// Returns the rank of every n-gram number, given all numbers in sorted order: the inverse permutation.
pub fn ranks(sorted: &[u32]) -> Vec<u32> {
    let mut ranks = vec![0; sorted.len()];
    for (rank, &number) in (0..).zip(sorted) {
        ranks[number as usize] = rank;
    }
    ranks
}

/// Stores the n-grams of one order. Most prefixes have a single next token, above all at higher orders. So
/// the first n-gram of each prefix is stored under the number of the prefix, without a hash; a hash table has
/// the others.
impl SetLevel {
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
        let next = u32::try_from(self.pairs.len() + 1).ok()?;
        let Some(&first) = self.firsts.get(prefix as usize) else {
            make_room(&mut self.firsts, prefix as usize + 1);
            self.firsts.resize(prefix as usize, 0);
            self.firsts.push(pair(token, next));
            self.push(prefix, token);
            return Some(next - 1);
        };
        match split(first) {
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
        self.push(prefix, token);
        Some(next - 1)
    }

    #[inline]
    fn push(&mut self, prefix: u32, token: u32) {
        let len = self.pairs.len();
        make_room(&mut self.pairs, len + 1);
        self.pairs.push(pair(prefix, token));
    }

    /// Searches the hash table for the n-gram with this pair of prefix and last token. Returns `Ok` with its
    /// number, or `Err` with the free slot for it.
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

    /// Enlarges the hash table to at least twice as many slots, of which a third stay free.
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

/// Makes room for `len` elements. A short list grows fourfold, because copies and first touches of memory
/// would be a good part of the time that a set takes; memory that is never touched costs nothing.
#[inline]
fn make_room<T>(list: &mut Vec<T>, len: usize) {
    const SHORT: usize = 1 << 20;
    if len > list.capacity() {
        let room = if len < SHORT { 4 * len } else { 2 * len };
        list.reserve(room - list.len());
    }
}

#[inline]
fn pair(prefix: u32, token: u32) -> u64 {
    u64::from(prefix) << 32 | u64::from(token)
}

/// Returns the content of a hash table slot: the high half of the n-gram's hash, and `next`, its number plus
/// one.
#[inline]
fn slot(hash: u64, next: u32) -> u64 {
    hash >> 32 << 32 | u64::from(next)
}

#[inline]
fn split(pair: u64) -> (u32, u32) {
    ((pair >> 32) as u32, pair as u32)
}
