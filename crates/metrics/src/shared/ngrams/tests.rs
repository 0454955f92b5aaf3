//! Tests of n-gram counts against maps: counting, merging in any order, and the stored form.

use std::collections::{BTreeMap, BTreeSet};

use super::NgramCounts;

type Naive = BTreeMap<Vec<u8>, u64>;
const ORDERS: usize = 3;

fn windows(sequence: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    (1..=ORDERS).flat_map(|order| sequence.windows(order).map(<[u8]>::to_vec))
}

fn occurrences(sequences: &[Vec<u8>]) -> (NgramCounts, Naive) {
    let mut counts = NgramCounts::new(ORDERS);
    let mut naive = Naive::new();
    for sequence in sequences {
        counts.add_occurrences(sequence).unwrap();
        windows(sequence).for_each(|ngram| *naive.entry(ngram).or_default() += 1);
    }
    (counts, naive)
}

fn documents(documents: &[Vec<Vec<u8>>]) -> (NgramCounts, Naive) {
    let mut counts = NgramCounts::new(ORDERS);
    let mut naive = Naive::new();
    for document in documents {
        let sequences: Vec<&[u8]> = document.iter().map(Vec::as_slice).collect();
        counts.add_document(&sequences).unwrap();
        let present: BTreeSet<Vec<u8>> = sequences.iter().flat_map(|sequence| windows(sequence)).collect();
        present.into_iter().for_each(|ngram| *naive.entry(ngram).or_default() += 1);
    }
    (counts, naive)
}

fn same(counts: &NgramCounts, naive: &Naive) -> bool {
    let of_order = |order| naive.iter().filter(move |(ngram, _)| ngram.len() == order);
    naive.iter().all(|(ngram, &count)| counts.get(ngram) == count)
        && (1..=ORDERS).all(|order| {
            let total: u64 = of_order(order).map(|(_, &count)| count).sum();
            counts.distinct(order) == of_order(order).count() && counts.total(order) == total
        })
}

fn fold(sequences: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    sequences.into_iter().map(|sequence| sequence.into_iter().map(|token| token % 4).collect()).collect()
}

quickcheck::quickcheck! {
    fn occurrences_are_those_of_a_map(sequences: Vec<Vec<u8>>) -> bool {
        let (counts, naive) = occurrences(&fold(sequences));
        same(&counts, &naive) && counts.get::<u8>(&[]) == 0 && counts.get(&[9, 9]) == 0
    }

    fn documents_count_an_ngram_once(given: Vec<Vec<Vec<u8>>>) -> bool {
        let given: Vec<Vec<Vec<u8>>> = given.into_iter().take(6).map(|sequences| fold(sequences.into_iter().take(4).collect())).collect();
        let (counts, naive) = documents(&given);
        same(&counts, &naive)
    }

    fn merging_is_counting_on(left: Vec<Vec<u8>>, right: Vec<Vec<u8>>) -> bool {
        let left = fold(left);
        let right = fold(right);
        let (whole, naive) = occurrences(&[left.clone(), right.clone()].concat());
        let mut there = occurrences(&left).0;
        let mut back = occurrences(&right).0;
        let other = back.clone();
        back.merge(&there).unwrap();
        there.merge(&other).unwrap();
        same(&there, &naive) && there == whole && back == whole && (other == whole) == left.iter().all(Vec::is_empty)
    }

    fn equal_counts_are_stored_alike(left: Vec<Vec<u8>>, right: Vec<Vec<u8>>) -> bool {
        let left = fold(left);
        let right = fold(right);
        let stored = |sequences: &[Vec<u8>]| serde_json::to_string(&occurrences(sequences).0).unwrap();
        let text = stored(&[left.clone(), right.clone()].concat());
        let back: NgramCounts = serde_json::from_str(&text).unwrap();
        text == stored(&[right.clone(), left.clone()].concat()) && back == occurrences(&[left, right].concat()).0
    }
}

#[test]
fn the_stored_form_is_as_documented() {
    let mut counts = NgramCounts::new(2);
    counts.add_occurrences(&["to", "be", "to", "be"]).unwrap();
    let text = r#"{"tokens":["be","to"],"ngrams":[[[0,1],[1,0]]],"counts":[[2,2],[1,2]]}"#;
    assert_eq!(serde_json::to_string(&counts).unwrap(), text);
}

#[test]
fn hostile_counts_are_refused() {
    let hostile = [
        (r#"{"tokens":["a","a"],"ngrams":[],"counts":[[1,1]]}"#, "comes twice"),
        (r#"{"tokens":["a"],"ngrams":[[[0,1]]],"counts":[[1],[1]]}"#, "without its prefix"),
        (r#"{"tokens":["a"],"ngrams":[],"counts":[[]]}"#, "the number of counts is not that"),
        (r#"{"tokens":["a"],"ngrams":[],"counts":[[1],[1]]}"#, "the number of counts is not that"),
        (r#"{"tokens":["a"],"ngrams":[],"counts":[[0]]}"#, "counted 0 times"),
        (r#"{"tokens":["a"],"ngrams":[],"counts":[[18446744073709551615]]}"#, "more than 2^63"),
        (r#"{"tokens":[],"ngrams":[],"counts":[[]],"more":1}"#, "unknown field"),
    ];
    for (text, message) in hostile {
        let error = serde_json::from_str::<NgramCounts>(text).unwrap_err().to_string();
        assert!(error.contains(message), "{text}: {error}");
    }
    let many = format!(r#"{{"tokens":[],"ngrams":[{}],"counts":[]}}"#, vec!["[]"; 100].join(","));
    assert!(serde_json::from_str::<NgramCounts>(&many).unwrap_err().to_string().contains("order 101"));
}

#[test]
fn sums_that_do_not_fit_are_refused() {
    let text = format!(r#"{{"tokens":["a"],"ngrams":[],"counts":[[{}]]}}"#, 1u64 << 63);
    let mut counts: NgramCounts = serde_json::from_str(&text).unwrap();
    let before = counts.clone();
    assert!(counts.merge(&before).unwrap_err().to_string().contains("order 1"));
    assert!(counts.merge(&NgramCounts::new(2)).unwrap_err().to_string().contains("order 1 and 2"));
    assert_eq!(counts, before);
}
