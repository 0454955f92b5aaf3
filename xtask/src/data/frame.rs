//! What a segment says, before any language: a kind of message and the fillers of its slots.
//!
//! All languages realise the same frames, so line `n` of every file says the same thing.

use bleuprint_testkit::random::Rng;

/// How many kinds of main sentence there are; every language has templates for each.
pub(crate) const KINDS: usize = 16;

pub(crate) const TAILS: usize = 4;

/// The last kinds are short sentences, for hypotheses of fewer than four tokens.
const SHORT_KINDS: usize = 2;

pub(crate) const PEOPLE: usize = 12;
pub(crate) const TOWNS: usize = 12;
pub(crate) const ITEMS: usize = 12;
pub(crate) const PLACES: usize = 10;
pub(crate) const DAYS: usize = 7;
pub(crate) const REASONS: usize = 8;
pub(crate) const QUOTES: usize = 8;
pub(crate) const SHOPS: [&str; 4] = ["Hale & Sons", "Brandt & Co.", "Apple & Pear", "Keller & Daughter"];

/// A message without words. The fields are indices into word lists, or numbers.
#[derive(Debug, Clone)]
pub(crate) struct Frame {
    pub(crate) kind: usize,
    pub(crate) tail: Option<usize>,
    pub(crate) person: usize,
    pub(crate) town: usize,
    pub(crate) other_town: usize,
    pub(crate) item: usize,
    pub(crate) place: usize,
    pub(crate) day: usize,
    pub(crate) reason: usize,
    pub(crate) quote: usize,
    pub(crate) shop: usize,
    /// A whole number, often of four digits.
    pub(crate) count: usize,
    /// An amount of money in cents.
    pub(crate) cents: usize,
    /// Tenths, for percentages and lengths.
    pub(crate) tenths: usize,
    pub(crate) low: usize,
    pub(crate) high: usize,
    pub(crate) hour: usize,
    pub(crate) minute: usize,
    /// The goals of winner and loser.
    pub(crate) goals: (usize, usize),
    /// The last four digits of a telephone number.
    pub(crate) phone: usize,
}

impl Frame {
    /// A random frame; one in eight is short.
    pub(crate) fn random(rng: &mut Rng) -> Frame {
        let short = rng.chance(125);
        let kind =
            if short { KINDS - SHORT_KINDS + rng.below(SHORT_KINDS) } else { rng.below(KINDS - SHORT_KINDS) };
        let tail = (!short && rng.chance(250)).then(|| rng.below(TAILS));
        let town = rng.below(TOWNS);
        let low = 5 * rng.between(1, 4);
        let loser = rng.below(3);
        Frame {
            kind,
            tail,
            person: rng.below(PEOPLE),
            town,
            other_town: (town + rng.between(1, TOWNS - 1)) % TOWNS,
            item: rng.below(ITEMS),
            place: rng.below(PLACES),
            day: rng.below(DAYS),
            reason: rng.below(REASONS),
            quote: rng.below(QUOTES),
            shop: rng.below(SHOPS.len()),
            count: if rng.chance(500) { rng.between(12, 480) } else { 10 * rng.between(100, 960) },
            cents: if rng.chance(300) { 100_000 + 50 * rng.below(4) } else { 50 * rng.between(40, 4_000) },
            tenths: rng.between(11, 489),
            low,
            high: low + 5 * rng.between(1, 3),
            hour: rng.between(7, 21),
            minute: 5 * rng.below(12),
            goals: (loser + rng.between(1, 3), loser),
            phone: rng.between(1000, 9999),
        }
    }
}
