//! Compares sets of n-grams with sets of lists: content, union, equality, order, and round trips through
//! parts.

use std::collections::BTreeSet;

use bleuprint_ngram::NgramSet;

fn naive(sequences: &[Vec<String>], order: usize) -> BTreeSet<Vec<&str>> {
    let ngrams = sequences.iter().flat_map(|sequence| sequence.windows(order));
    ngrams.map(|ngram| ngram.iter().map(String::as_str).collect()).collect()
}

fn words(sequences: &[Vec<u8>], letters: u8) -> Vec<Vec<String>> {
    let word = |letter: &u8| (letter % letters).to_string();
    sequences.iter().map(|sequence| sequence.iter().map(word).collect()).collect()
}

fn set(max_order: usize, sequences: &[Vec<String>]) -> NgramSet {
    let mut set = NgramSet::new(max_order);
    for sequence in sequences {
        let (mut row, mut orders) = (Vec::new(), 0);
        set.insert(sequence, &mut row, |order, numbers| {
            assert_eq!(numbers.len(), sequence.len() + 1 - order);
            orders = order;
        })
        .unwrap();
        assert_eq!(orders, max_order.min(sequence.len()));
        for order in 1..=orders {
            let found = row_of(&set, order, sequence);
            assert!(found.iter().zip(sequence.windows(order)).all(|(&number, ngram)| {
                set.ngram(order, number) == ngram.iter().map(String::as_str).collect::<Vec<_>>()
            }));
        }
    }
    set
}

fn row_of(set: &NgramSet, order: usize, sequence: &[String]) -> Vec<u32> {
    let token = |text: &String| set.find_token(text).unwrap();
    let ngram = |window: &[String]| {
        let rest = (2..).zip(&window[1..]);
        rest.fold(token(&window[0]), |prefix, (order, text)| set.find(order, prefix, token(text)).unwrap())
    };
    sequence.windows(order).map(ngram).collect()
}

fn listed(set: &NgramSet, order: usize) -> Vec<Vec<&str>> {
    set.sorted()[order - 1].iter().map(|&number| set.ngram(order, number)).collect()
}

/// N-grams of every order from 2 up, each given as the number of its prefix and the number of its last token.
type Orders = Vec<Vec<(u32, u32)>>;

fn parts(set: &NgramSet) -> (Vec<&str>, Orders) {
    let orders = 2..=set.max_order();
    let pairs = |order| (0..set.len(order) as u32).map(move |number| set.parts(order, number).unwrap());
    (set.vocabulary().iter().collect(), orders.map(|order| pairs(order).collect()).collect())
}

quickcheck::quickcheck! {
    fn it_has_what_a_set_of_sequences_has(sequences: Vec<Vec<u8>>, letters: u8) -> bool {
        let sequences = words(&sequences, letters % 7 + 1);
        let set = set(4, &sequences);
        (1..=4).all(|order| {
            let naive = naive(&sequences, order);
            set.len(order) == naive.len() && listed(&set, order).iter().eq(naive.iter())
        })
    }

    fn equality_and_union_do_not_depend_on_the_order(left: Vec<Vec<u8>>, right: Vec<Vec<u8>>) -> bool {
        let (left, right) = (words(&left, 3), words(&right, 3));
        let whole = set(3, &[left.clone(), right.clone()].concat());
        let turned = set(3, &[right.clone(), left.clone()].concat());
        let (mut merged, other) = (set(3, &left), set(3, &right));
        let numbers = merged.absorb(&other).unwrap();
        let same = (1..=3).all(|order| {
            let found = numbers[order - 1].iter().map(|&number| merged.ngram(order, number));
            found.eq((0..other.len(order) as u32).map(|number| other.ngram(order, number)))
        });
        let smaller = set(3, &left);
        same && whole == turned && merged == whole && merged.locate(&other) == Some(numbers)
            && (smaller == whole) == (smaller.len(1) == whole.len(1)
                && smaller.len(2) == whole.len(2) && smaller.len(3) == whole.len(3))
    }

    fn parts_bring_it_back(sequences: Vec<Vec<u8>>) -> bool {
        let set = set(3, &words(&sequences, 4));
        let (tokens, orders) = parts(&set);
        let mut back = NgramSet::from_parts(tokens.iter().copied(), orders.iter().map(Vec::as_slice)).unwrap();
        let unchanged = back == set;
        back.absorb(&set).unwrap();
        unchanged && back == set
    }
}

#[test]
fn parts_that_no_sequences_have_are_refused() {
    let refused = |tokens: &[&'static str], orders: &[&[(u32, u32)]]| {
        NgramSet::from_parts(tokens.iter().copied(), orders.iter().copied()).is_none()
    };
    assert!(!refused(&["a", "b"], &[&[(0, 1), (1, 0)], &[(0, 0)]]));
    assert!(refused(&["a", "a"], &[]), "a token twice");
    assert!(refused(&["a"], &[&[(0, 0), (0, 0)]]), "an n-gram twice");
    assert!(refused(&["a"], &[&[(1, 0)]]), "a prefix that is not there");
    assert!(refused(&["a"], &[&[(0, 1)]]), "a token that is not there");
    assert!(refused(&["a", "b"], &[&[(0, 1)], &[(0, 0)]]), "`a b a` without its suffix `b a`");
}

#[test]
fn sets_of_other_orders_differ() {
    assert_ne!(NgramSet::new(1), NgramSet::new(2));
    assert_eq!(NgramSet::new(0), NgramSet::new(1));
    assert_eq!([0, 3].map(|order| NgramSet::new(2).len(order)), [0, 0]);
}
