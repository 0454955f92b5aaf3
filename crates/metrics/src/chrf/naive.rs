//! Reference implementation of chrF for tests: counts straight from the definition, with hash maps.

use std::collections::HashMap;
use std::hash::Hash;

use quickcheck::{Arbitrary, Gen, QuickCheck};

use super::count::{ChrfOrders, CountsByOrder, NgramCounter};
use super::stats::ChrfNgramCounts;

fn count_texts(orders: ChrfOrders, hypothesis: &str, reference: &str) -> CountsByOrder {
    let white = |c: char| c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c);
    let characters =
        |text: &str| text.chars().filter(|&c| orders.whitespace || !white(c)).collect::<Vec<char>>();
    let words = |text: &str| text.split(white).flat_map(split_word).collect::<Vec<String>>();
    let mut counts = count(orders.characters, &characters(hypothesis), &characters(reference));
    counts.extend(count(orders.words, &words(hypothesis), &words(reference)));
    counts
}

fn split_word(word: &str) -> Vec<String> {
    let characters: Vec<char> = word.chars().collect();
    let punctuation = |c: &char| "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~".contains(*c);
    let parts = match &characters[..] {
        [] => vec![],
        [_] => vec![&characters[..]],
        [rest @ .., last] if punctuation(last) => vec![rest, std::slice::from_ref(last)],
        [first, rest @ ..] if punctuation(first) => vec![std::slice::from_ref(first), rest],
        _ => vec![&characters[..]],
    };
    parts.into_iter().map(String::from_iter).collect()
}

fn count<T: Hash + Eq>(max_order: usize, hypothesis: &[T], reference: &[T]) -> CountsByOrder {
    let counts = (1..=max_order).map(|order| {
        let hypothesis = ngrams(hypothesis, order);
        let reference = ngrams(reference, order);
        let total = |ngrams: &HashMap<&[T], u64>| ngrams.values().sum::<u64>();
        let matches =
            |(ngram, &count): (&&[T], &u64)| reference.get(ngram).map_or(0, |&other| count.min(other));
        ChrfNgramCounts {
            hypothesis: if reference.is_empty() { 0 } else { total(&hypothesis) },
            reference: total(&reference),
            matches: hypothesis.iter().map(matches).sum(),
        }
    });
    counts.collect()
}

fn ngrams<T: Hash + Eq>(tokens: &[T], order: usize) -> HashMap<&[T], u64> {
    let mut ngrams = HashMap::new();
    for ngram in tokens.windows(order) {
        *ngrams.entry(ngram).or_insert(0) += 1;
    }
    ngrams
}

#[derive(Debug, Clone)]
struct NaiveSegment {
    hypothesis: String,
    references: Vec<String>,
    orders: ChrfOrders,
}

impl Arbitrary for NaiveSegment {
    fn arbitrary(g: &mut Gen) -> Self {
        let alphabet = alphabet(g);
        let max_len = *g.choose(&[3, 20, 80, 200, 1000]).unwrap();
        let source = text(g, &alphabet, max_len);
        let like =
            |g: &mut Gen| if bool::arbitrary(g) { text(g, &alphabet, max_len) } else { changed(g, &source) };
        NaiveSegment {
            hypothesis: like(g),
            references: (0..below(g, 4)).map(|_| like(g)).collect(),
            orders: ChrfOrders {
                characters: *g.choose(&[0, 1, 2, 3, 4, 6, 6, 6, 7, 8, 9, 12]).unwrap(),
                words: *g.choose(&[0, 0, 1, 2, 2, 3, 5]).unwrap(),
                whitespace: bool::arbitrary(g),
            },
        }
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let orders = self.orders;
        let shrunk = (self.hypothesis.clone(), self.references.clone()).shrink();
        Box::new(shrunk.map(move |(hypothesis, references)| NaiveSegment { hypothesis, references, orders }))
    }
}

fn below(g: &mut Gen, limit: usize) -> usize {
    usize::arbitrary(g) % limit
}

/// Returns a random alphabet. The alphabets reach every branch of the code: one character; a few; words with
/// punctuation; scripts outside ASCII; more characters than one byte can number.
fn alphabet(g: &mut Gen) -> Vec<char> {
    let many = |start: char, len| (start..).take(len).collect::<Vec<char>>();
    match below(g, 7) {
        0 => vec!['a'],
        1 => "ab ".chars().collect(),
        2 => "abcdefghij   .,(!\"\u{1c}".chars().collect(),
        3 => "aáčďe é\u{a0}ø ж日本\u{3000}語。😀e\u{301}".chars().collect(),
        4 => many('\u{0}', 128),
        5 => [many('一', 100), many('\u{7E0}', 40)].concat(),
        _ => [many('a', 20), many('一', 300)].concat(),
    }
}

fn text(g: &mut Gen, alphabet: &[char], max_len: usize) -> String {
    let len = below(g, max_len + 1);
    (0..len).map(|_| alphabet[below(g, alphabet.len())]).collect()
}

/// Changes about one character in sixteen, by replacement, deletion or doubling, so that long runs match.
fn changed(g: &mut Gen, source: &str) -> String {
    let mut changed = String::new();
    for c in source.chars() {
        match below(g, 48) {
            0 => changed.push(*g.choose(&['a', 'x', '日', ' ']).unwrap()),
            1 => {}
            2 => changed.extend([c; 2]),
            _ => changed.push(c),
        }
    }
    changed
}

impl NaiveSegment {
    fn references(&self) -> Vec<&str> {
        self.references.iter().map(String::as_str).collect()
    }

    fn expected(&self) -> Vec<CountsByOrder> {
        self.references.iter().map(|text| count_texts(self.orders, &self.hypothesis, text)).collect()
    }
}

fn with_counter<R>(work: impl FnOnce(&mut NgramCounter) -> R) -> R {
    thread_local!(static COUNTER: std::cell::RefCell<NgramCounter> = NgramCounter::default().into());
    COUNTER.with_borrow_mut(work)
}

#[test]
fn texts_equal_the_twin() {
    fn law(segment: NaiveSegment) -> bool {
        let mut counted = Vec::new();
        with_counter(|counter| {
            let push = |counts: &CountsByOrder| counted.push(counts.clone());
            counter.count_texts(segment.orders, &segment.hypothesis, &segment.references(), push);
        });
        counted == segment.expected()
    }
    QuickCheck::new().tests(3000).quickcheck(law as fn(NaiveSegment) -> bool);
}

#[test]
fn prepared_texts_equal_the_twin() {
    fn law(segment: NaiveSegment, others: Vec<NaiveSegment>) -> bool {
        with_counter(|counter| {
            let prepared = counter.prepare(segment.orders, &segment.references());
            std::iter::once(&segment).chain(others.iter().take(3)).all(|other| {
                let mut counted = Vec::new();
                counter.count_prepared(&other.hypothesis, &prepared, |counts| counted.push(counts.clone()));
                counted == NaiveSegment { hypothesis: other.hypothesis.clone(), ..segment.clone() }.expected()
            })
        })
    }
    QuickCheck::new().tests(500).quickcheck(law as fn(NaiveSegment, Vec<NaiveSegment>) -> bool);
}

#[test]
fn tokens_equal_the_twin() {
    fn law(segment: NaiveSegment) -> bool {
        let tokens = |text: &String| text.chars().map(|c| c.to_string()).collect::<Vec<String>>();
        let hypothesis = tokens(&segment.hypothesis);
        let references: Vec<Vec<String>> = segment.references.iter().map(tokens).collect();
        let references: Vec<&[String]> = references.iter().map(Vec::as_slice).collect();
        let mut counted = Vec::new();
        with_counter(|counter| {
            let push = |counts: &CountsByOrder| counted.push(counts.clone());
            counter.count_tokens(segment.orders.characters, &hypothesis, &references, push);
        });
        let expected =
            references.iter().map(|reference| count(segment.orders.characters, &hypothesis, reference));
        counted == expected.collect::<Vec<_>>()
    }
    QuickCheck::new().tests(1000).quickcheck(law as fn(NaiveSegment) -> bool);
}
