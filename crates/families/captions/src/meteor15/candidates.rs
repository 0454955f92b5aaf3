//! Lists the possible matches (candidates) between the words of two texts, for METEOR. They are all pairs of
//! words or phrases that match by form, stem, synonym or paraphrase, in the original program's order.

use bleuprint_core::{InputError, check_interrupt};

use super::Meteor15;
use super::paraphrases::{Paraphrases, Phrase};
use super::settings::Module;
use super::words::MatchLexicon;

/// Possible match of two phrases. The hypothesis phrase has `hypothesis_len` words from word `hypothesis` on,
/// the reference phrase `reference_len` words from word `reference` on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Candidate {
    pub(super) reference: u32,
    pub(super) reference_len: u32,
    pub(super) hypothesis: u32,
    pub(super) hypothesis_len: u32,
    pub(super) module: Module,
}

/// Maximum number of possible word matches (candidates) between one hypothesis and one reference. Each takes
/// 20 bytes.
// Hostile texts that repeat one word have a quadratic number of candidates; the limit bounds memory at 320
// MiB.
const MOST: usize = 1 << 24;

#[derive(Debug, Default)]
pub(super) struct MatchCandidates {
    listed: Vec<Candidate>,
    /// Possible matches between hypothesis and reference, grouped by the first reference word that they
    /// match. Within a group they keep the order in which they were found.
    pub(super) sorted: Vec<Candidate>,
    /// For each reference word, the index in `sorted` of the first possible match that begins at this word.
    /// The last entry is the length of `sorted`.
    pub(super) starts: Vec<usize>,
}

impl MatchCandidates {
    pub(super) fn list(
        &mut self,
        meteor: &Meteor15,
        lexicon: &MatchLexicon,
        hypothesis: &[u32],
        reference: &[u32],
    ) -> Result<(), InputError> {
        self.listed.clear();
        let equal = hypothesis == reference;
        let modules = &meteor.parameters.modules;
        // The program runs only the first module on texts that are equal word for word.
        let modules = if equal { &modules[..modules.len().min(1)] } else { &modules[..] };
        for (module, _) in modules {
            match module {
                Module::Exact => self.pairs(*module, hypothesis, reference, |here, there| here == there)?,
                Module::Stem => {
                    let stem = |word: &u32| (*word, lexicon.word(*word).stem);
                    let matched =
                        // Equal words were already listed by the exact module.
                        |here: (u32, u32), there: (u32, u32)| here.1 == there.1 && here.0 != there.0;
                    self.pairs(*module, &numbers(hypothesis, stem), &numbers(reference, stem), matched)?;
                }
                Module::Synonym => {
                    let bits = |word: &u32| (*word, lexicon.word(*word).bits);
                    let matched = |here: (u32, u64), there: (u32, u64)| {
                        // The bits prove most pairs to be different without comparing the lists of synsets.
                        here.1 & there.1 != 0
                            && here.0 != there.0
                            && share(&lexicon.word(here.0).synsets, &lexicon.word(there.0).synsets)
                    };
                    self.pairs(*module, &numbers(hypothesis, bits), &numbers(reference, bits), matched)?;
                }
                Module::Paraphrase => {
                    let Some(table) = &meteor.paraphrases else { continue };
                    self.phrases(table, lexicon, hypothesis, reference)?;
                }
            }
        }
        self.sort(reference.len());
        Ok(())
    }

    fn pairs<W: Copy>(
        &mut self,
        module: Module,
        hypothesis: &[W],
        reference: &[W],
        matched: impl Fn(W, W) -> bool,
    ) -> Result<(), InputError> {
        // The reference is the outer loop: the order of candidates decides ties of the beam search.
        for (j, &there) in (0..).zip(reference) {
            check_interrupt()?;
            for (i, &here) in (0..).zip(hypothesis) {
                if matched(here, there) {
                    self.push(Candidate {
                        reference: j,
                        reference_len: 1,
                        hypothesis: i,
                        hypothesis_len: 1,
                        module,
                    })?;
                }
            }
        }
        Ok(())
    }

    /// Adds the possible matches of phrases by the paraphrase table: first paraphrases of reference phrases
    /// in the hypothesis, then paraphrases of hypothesis phrases in the reference.
    fn phrases(
        &mut self,
        table: &Paraphrases,
        lexicon: &MatchLexicon,
        hypothesis: &[u32],
        reference: &[u32],
    ) -> Result<(), InputError> {
        let here = places(table, lexicon, hypothesis);
        let there = places(table, lexicon, reference);
        for (text, of_text, other, of_other, turned) in
            [(reference, &there, hypothesis, &here, false), (hypothesis, &here, reference, &there, true)]
        {
            for &(key, one) in &of_text.all {
                for pair in table.pairs(key) {
                    // A bucket has all sources of similar keys, and a key is a hash. Compare key, bits and
                    // hits first, and the text at last.
                    if pair.source != key || !of_other.may_have(pair.target) {
                        continue;
                    }
                    let found = of_other.with_key(pair.target);
                    let [source, target] = if found.is_empty() { continue } else { table.texts(pair) };
                    if !lexicon.spells(&text[one.range()], source) {
                        continue;
                    }
                    for &(_, other_one) in
                        found.iter().filter(|(_, place)| lexicon.spells(&other[place.range()], target))
                    {
                        let (there, here) = if turned { (other_one, one) } else { (one, other_one) };
                        self.push(Candidate {
                            reference: there.start,
                            reference_len: there.length,
                            hypothesis: here.start,
                            hypothesis_len: here.length,
                            module: Module::Paraphrase,
                        })?;
                    }
                }
            }
        }
        Ok(())
    }

    fn push(&mut self, candidate: Candidate) -> Result<(), InputError> {
        if self.listed.len() == MOST {
            return Err(InputError::limit(
                "the number of pairs of words that may match",
                format_args!("above {MOST}"),
                format!("at most {MOST} in a segment and one reference of it"),
            ));
        }
        self.listed.push(candidate);
        Ok(())
    }

    fn sort(&mut self, words: usize) {
        self.sorted.clear();
        self.sorted.extend_from_slice(&self.listed);
        // Stable, so that the candidates of a word stay in the order of the modules.
        self.sorted.sort_by_key(|candidate| candidate.reference);
        self.starts.clear();
        self.starts.resize(words + 1, 0);
        for candidate in &self.listed {
            self.starts[candidate.reference as usize + 1] += 1;
        }
        for word in 0..words {
            self.starts[word + 1] += self.starts[word];
        }
    }

    /// Returns the possible matches whose first reference word has the index `word`.
    pub(super) fn at(&self, word: usize) -> &[Candidate] {
        &self.sorted[self.starts[word]..self.starts[word + 1]]
    }
}

/// Position and length of a phrase in a text; a phrase is a run of consecutive words.
#[derive(Debug, Clone, Copy)]
struct PhrasePlace {
    start: u32,
    length: u32,
}

impl PhrasePlace {
    fn range(self) -> core::ops::Range<usize> {
        self.start as usize..(self.start + self.length) as usize
    }
}

/// Phrases of a text that may be in the paraphrase table, with the hash keys that find them.
struct PhrasePlaces {
    /// Phrases with their hash keys, from left to right; of two phrases that begin at one word, the shorter
    /// is first.
    all: Vec<(u32, PhrasePlace)>,
    /// Phrases with their hash keys, sorted by key, and from left to right within a key.
    by_key: Vec<(u32, PhrasePlace)>,
    /// Bit set of the upper 12 bits of all keys. If the bit of a key is not set, the text does not have the
    /// key.
    bits: [u64; 64],
}

impl PhrasePlaces {
    fn may_have(&self, key: u32) -> bool {
        // The upper 6 bits of the key select the word of the set, and the next 6 bits select the bit.
        self.bits[(key >> 26) as usize] >> (key >> 20 & 63) & 1 == 1
    }

    fn with_key(&self, key: u32) -> &[(u32, PhrasePlace)] {
        let start = self.by_key.partition_point(|(known, _)| *known < key);
        let rest = &self.by_key[start..];
        &rest[..rest.iter().take_while(|(known, _)| *known == key).count()]
    }
}

/// Returns all phrases of a text that are not longer than the longest phrase in the paraphrase table.
fn places(table: &Paraphrases, lexicon: &MatchLexicon, text: &[u32]) -> PhrasePlaces {
    let mut places = PhrasePlaces { all: Vec::new(), by_key: Vec::new(), bits: [0; 64] };
    for start in 0..text.len() {
        let mut phrase = Phrase::default();
        for (length, word) in (1..).zip(text[start..].iter().take(table.longest())) {
            phrase = phrase.with(lexicon.word(*word).hash);
            let key = phrase.key();
            let place = PhrasePlace { start: start as u32, length };
            places.all.push((key, place));
            places.bits[(key >> 26) as usize] |= 1 << (key >> 20 & 63);
        }
    }
    places.by_key.clone_from(&places.all);
    places.by_key.sort_by_key(|(key, _)| *key);
    places
}

/// Returns, for each word, the property that a matcher compares, such as the word's stem.
fn numbers<W>(words: &[u32], of: impl Fn(&u32) -> W) -> Vec<W> {
    words.iter().map(of).collect()
}

/// Returns `true` if two ascending lists of ids have an id in common.
fn share(mut a: &[u32], mut b: &[u32]) -> bool {
    while let ([first, others @ ..], [second, more @ ..]) = (a, b) {
        match first.cmp(second) {
            core::cmp::Ordering::Equal => return true,
            core::cmp::Ordering::Less => a = others,
            core::cmp::Ordering::Greater => b = more,
        }
    }
    false
}
