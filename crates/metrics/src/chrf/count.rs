//! Counts chrF's n-grams of every order in the texts of a segment: numbers their characters and words, and
//! calls the matching code.
//!
//! The hypothesis defines the alphabet and the lexicon; the references are looked up in them. The fast
//! counting in [`chains`](super::chains) does not support more than 8 orders, more than 120 characters
//! outside ASCII, or very repetitive texts. For these, [`bleuprint_ngram::overlap()`] counts n-grams of code
//! points; it accepts any input.

use core::hash::Hash;

use bleuprint_ngram::{Interner, overlap};
use smallvec::SmallVec;

use super::chains::Chains;
use super::characters::{Alphabet, CharacterRow, CharacterSide, is_whitespace};
use super::stats::ChrfNgramCounts;
use super::words::{ChrfWords, WordNumbers};

/// N-gram counts of every order of a text pair: first of character n-grams, then of word n-grams.
pub(crate) type CountsByOrder = SmallVec<[ChrfNgramCounts; 8]>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ChrfOrders {
    /// Highest order of character n-grams to count; 0 counts none.
    pub(crate) characters: usize,
    pub(crate) words: usize,
    pub(crate) whitespace: bool,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct NgramCounter {
    alphabet: Alphabet,
    fits: bool,
    hypothesis: CharacterRow,
    reference: CharacterRow,
    chains: Chains,
    codes: Codes,
    words: ChrfWords,
    lexicon: WordNumbers,
    hypothesis_words: NgramNumbers,
    reference_words: NgramNumbers,
    interner: Interner,
    ngram: bleuprint_ngram::Scratch,
    matches: Vec<u64>,
    counts: CountsByOrder,
    latest: Latest,
}

/// Cache of the texts of the segment that was counted last, with the counts of their character n-grams. When
/// both chrF and chrF++ are computed, the characters are then counted only once.
#[derive(Debug, Clone, Default)]
struct Latest {
    characters: usize,
    whitespace: bool,
    lens: Vec<usize>,
    /// Texts of the last segment in one string: the hypothesis, then the references.
    texts: String,
    counts: Vec<CountsByOrder>,
}

// Longer texts are not kept, since every scratch would hold a copy of them.
const MOST_KEPT: usize = 1 << 16;

#[derive(Debug, Clone, Default)]
struct NgramNumbers {
    all: Vec<u32>,
    row: CharacterRow,
    fits: bool,
}

#[derive(Debug, Clone, Default)]
struct Codes {
    hypothesis: Vec<u32>,
    reference: Vec<u32>,
    ready: bool,
}

#[derive(Debug, Clone)]
pub(crate) struct PreparedNgrams {
    orders: ChrfOrders,
    /// Code points outside ASCII in the order of their one-byte numbers; `None` if one byte cannot number
    /// them all.
    alphabet: Option<Box<str>>,
    lexicon: WordNumbers,
    references: Vec<PreparedText>,
}

#[derive(Debug, Clone)]
struct PreparedText {
    text: Box<str>,
    characters: CharacterRow,
    words: NgramNumbers,
}

impl NgramCounter {
    pub(crate) fn count_texts(
        &mut self,
        orders: ChrfOrders,
        hypothesis: &str,
        references: &[&str],
        mut each: impl FnMut(&CountsByOrder),
    ) {
        let known = self.latest.holds(orders, hypothesis, references);
        if !known {
            self.latest.begin(orders, hypothesis, references);
            self.alphabet.clear();
            self.begin_hypothesis(orders, hypothesis, CharacterSide::Defines);
        }
        if orders.words > 0 {
            self.lexicon.clear();
            self.words.split(hypothesis);
            self.hypothesis_words.fill(CharacterSide::Defines, |all| self.lexicon.define(&self.words, all));
        }
        for (index, text) in references.iter().enumerate() {
            if known {
                self.counts.clone_from(&self.latest.counts[index]);
            } else {
                // Taken out, because counting borrows the whole counter; its memory is put back below.
                let mut reference = core::mem::take(&mut self.reference);
                if self.fits {
                    self.alphabet.read(text, CharacterSide::LookedUp, orders.whitespace, &mut reference);
                }
                self.count_characters(orders, hypothesis, text, &reference);
                self.reference = reference;
                self.latest.counts.push(self.counts.clone());
            }
            if orders.words > 0 {
                let mut words = core::mem::take(&mut self.reference_words);
                self.words.split(text);
                words.fill(CharacterSide::LookedUp, |all| self.lexicon.look_up(&self.words, all));
                self.count_words(orders.words, &words);
                self.reference_words = words;
            }
            each(&self.counts);
        }
    }

    pub(crate) fn prepare(&mut self, orders: ChrfOrders, references: &[&str]) -> PreparedNgrams {
        self.alphabet.clear();
        let mut lexicon = WordNumbers::default();
        let mut fits = true;
        let prepare = |text: &&str| {
            let mut characters = CharacterRow::default();
            let mut words = NgramNumbers::default();
            fits =
                fits && self.alphabet.read(text, CharacterSide::Defines, orders.whitespace, &mut characters);
            if orders.words > 0 {
                self.words.split(text);
                words.fill(CharacterSide::Defines, |all| lexicon.define(&self.words, all));
            }
            PreparedText { text: (*text).into(), characters, words }
        };
        let references = references.iter().map(prepare).collect();
        lexicon.shrink();
        let alphabet = fits.then(|| self.alphabet.letters());
        PreparedNgrams { orders, alphabet, lexicon, references }
    }

    pub(crate) fn count_prepared(
        &mut self,
        hypothesis: &str,
        prepared: &PreparedNgrams,
        mut each: impl FnMut(&CountsByOrder),
    ) {
        let PreparedNgrams { orders, ref alphabet, ref lexicon, ref references } = *prepared;
        self.alphabet.clear();
        self.fits = alphabet.as_ref().is_some_and(|letters| self.alphabet.define(letters));
        self.begin_hypothesis(orders, hypothesis, CharacterSide::LookedUp);
        if orders.words > 0 {
            self.words.split(hypothesis);
            self.hypothesis_words.fill(CharacterSide::LookedUp, |all| lexicon.look_up(&self.words, all));
        }
        // Here the references have defined the numbers and the hypothesis was looked up. The kernel only
        // requires that the two sides differ in that role.
        for PreparedText { text, characters, words } in references {
            self.count_characters(orders, hypothesis, text, characters);
            if orders.words > 0 {
                self.count_words(orders.words, words);
            }
            each(&self.counts);
        }
    }

    pub(crate) fn count_tokens<T: Hash + Eq>(
        &mut self,
        max_order: usize,
        hypothesis: &[T],
        references: &[&[T]],
        mut each: impl FnMut(&CountsByOrder),
    ) {
        self.interner.intern_segment(hypothesis, references);
        let ids = self.interner.hypothesis();
        let fits = self.hypothesis.read_ids(ids, CharacterSide::Defines);
        self.matches.clear();
        self.matches.resize(max_order, 0);
        for (tokens, reference) in references.iter().zip(self.interner.references()) {
            let counted = fits
                && self.reference.read_ids(reference, CharacterSide::LookedUp)
                && self.chains.count(&self.hypothesis, &self.reference, &mut self.matches);
            if !counted {
                overlap(&mut self.ngram, ids, &[reference], &mut self.matches);
            }
            self.counts.clear();
            append(&mut self.counts, hypothesis.len(), tokens.len(), &self.matches);
            each(&self.counts);
        }
    }

    fn begin_hypothesis(&mut self, orders: ChrfOrders, text: &str, side: CharacterSide) {
        self.codes.ready = false;
        if side == CharacterSide::Defines || self.fits {
            self.fits = self.alphabet.read(text, side, orders.whitespace, &mut self.hypothesis);
        }
    }

    fn count_characters(
        &mut self,
        orders: ChrfOrders,
        hypothesis: &str,
        reference: &str,
        row: &CharacterRow,
    ) {
        self.counts.clear();
        self.matches.clear();
        self.matches.resize(orders.characters, 0);
        // The kernel and the fallback count the same n-grams, so a segment may use either.
        let lens = if self.fits && self.chains.count(&self.hypothesis, row, &mut self.matches) {
            [self.hypothesis.len(), row.len()]
        } else {
            self.count_codes(orders.whitespace, hypothesis, reference)
        };
        append(&mut self.counts, lens[0], lens[1], &self.matches);
    }

    #[cold]
    fn count_codes(&mut self, whitespace: bool, hypothesis: &str, reference: &str) -> [usize; 2] {
        let read = |text: &str, codes: &mut Vec<u32>| {
            codes.clear();
            codes.extend(text.chars().filter(|&c| whitespace || !is_whitespace(c)).map(u32::from));
        };
        let codes = &mut self.codes;
        if !codes.ready {
            read(hypothesis, &mut codes.hypothesis);
            codes.ready = true;
        }
        read(reference, &mut codes.reference);
        overlap(&mut self.ngram, &codes.hypothesis[..], &[&codes.reference[..]], &mut self.matches);
        [codes.hypothesis.len(), codes.reference.len()]
    }

    fn count_words(&mut self, max_order: usize, reference: &NgramNumbers) {
        self.matches.clear();
        self.matches.resize(max_order, 0);
        let hypothesis = &self.hypothesis_words;
        let counted = hypothesis.fits
            && reference.fits
            && self.chains.count(&hypothesis.row, &reference.row, &mut self.matches);
        if !counted {
            overlap(&mut self.ngram, &hypothesis.all[..], &[&reference.all[..]], &mut self.matches);
        }
        append(&mut self.counts, hypothesis.all.len(), reference.all.len(), &self.matches);
    }
}

impl Latest {
    fn holds(&self, orders: ChrfOrders, hypothesis: &str, references: &[&str]) -> bool {
        let lens = || core::iter::once(hypothesis.len()).chain(references.iter().map(|text| text.len()));
        if (self.characters, self.whitespace) != (orders.characters, orders.whitespace)
            || self.counts.len() != references.len()
            || !lens().eq(self.lens.iter().copied())
        {
            return false;
        }
        let mut rest = self.texts.as_bytes();
        core::iter::once(&hypothesis).chain(references).all(|text| {
            let (own, others) = rest.split_at_checked(text.len()).unwrap_or_default();
            rest = others;
            own == text.as_bytes()
        })
    }

    fn begin(&mut self, orders: ChrfOrders, hypothesis: &str, references: &[&str]) {
        (self.characters, self.whitespace) = (orders.characters, orders.whitespace);
        self.lens.clear();
        self.texts.clear();
        self.counts.clear();
        let bytes = references.iter().fold(hypothesis.len(), |sum, text| sum.saturating_add(text.len()));
        if bytes <= MOST_KEPT {
            for text in core::iter::once(&hypothesis).chain(references) {
                self.lens.push(text.len());
                self.texts.push_str(text);
            }
        }
    }
}

impl NgramNumbers {
    fn fill(&mut self, side: CharacterSide, numbers: impl FnOnce(&mut Vec<u32>)) {
        numbers(&mut self.all);
        self.fits = self.row.read_ids(&self.all, side);
    }
}

impl PreparedNgrams {
    pub(crate) fn orders(&self) -> ChrfOrders {
        self.orders
    }

    /// Returns the length of each prepared reference in bytes.
    pub(crate) fn lengths(&self) -> impl ExactSizeIterator<Item = usize> + '_ {
        self.references.iter().map(|reference| reference.text.len())
    }
}

fn append(counts: &mut CountsByOrder, hypothesis: usize, reference: usize, matches: &[u64]) {
    let lengths = [hypothesis, reference];
    counts.extend((1..).zip(matches).map(|(order, &matches)| counts_of(lengths, order, matches)));
}

#[inline]
pub(crate) fn counts_of([hypothesis, reference]: [usize; 2], order: usize, matches: u64) -> ChrfNgramCounts {
    let reference = ngrams_of(reference, order);
    // sacreBLEU counts no hypothesis n-grams for an order that the reference lacks, so such an order is left
    // out of precision too.
    let hypothesis = if reference > 0 { ngrams_of(hypothesis, order) } else { 0 };
    ChrfNgramCounts { hypothesis, reference, matches }
}

#[inline]
pub(crate) fn ngrams_of(len: usize, order: usize) -> u64 {
    (len + 1).saturating_sub(order) as u64
}
