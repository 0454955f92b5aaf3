//! Tests ROUGE against its definition, and the laws that hold for every metric.

use bleuprint_core::Choice as _;
use bleuprint_ngram::naive as ngrams;
use bleuprint_registry::AnyMetric;
use bleuprint_registry::laws;
use quickcheck::{Arbitrary, Gen, QuickCheck};

use super::lcs::naive;
use super::*;

#[test]
fn every_kind_obeys_the_laws() {
    for rouge in [Rouge::n(1).unwrap(), Rouge::n(3).unwrap(), Rouge::l(), Rouge::s(None), Rouge::su(Some(1))]
    {
        laws::check(&rouge.with_references(ReferencesRule::ALL[0]));
        // References and alpha change nothing of the tokens.
        let others = ReferencesRule::ALL[1..].iter().map(|over| rouge.with_references(*over));
        for rouge in others.chain([rouge.with_alpha(0.8).unwrap()]) {
            laws::check_any(&AnyMetric::for_ids(rouge).unwrap());
        }
    }
}

#[test]
fn kinds_over_sentences_obey_the_laws() {
    let kinds = [SentenceRouge::lsum(), SentenceRouge::w(1.2).unwrap()];
    for (rouge, over) in
        kinds.into_iter().flat_map(|rouge| ReferencesRule::ALL.iter().map(move |over| (rouge, over)))
    {
        let rouge = rouge.with_references(*over);
        laws::check_any(&AnyMetric::for_tokens(rouge));
        let sentences = |bytes: &[u8]| {
            let few: Vec<u8> = bytes.iter().map(|byte| byte % 3).collect();
            let (left, right) = few.split_at(few.len() / 2);
            vec![left.to_vec(), Vec::new(), right.to_vec()]
        };
        laws::check_sequences::<[Vec<u8>]>(&rouge, sentences);
    }
}

/// Checks ROUGE-S and ROUGE-SU on the example of Lin and Och 2004, section 5: sentence 1 and its candidates
/// S2, S3 and S4. SU also counts three tokens of each text.
#[test]
fn skip_bigrams_of_the_paper() {
    let words = |text: &'static str| text.split(' ').collect::<Vec<_>>();
    let reference = words("police killed the gunman");
    let f = |rouge: Rouge, text| observed(&rouge, &words(text)[..], &[&reference]).means()[0];
    for (text, pairs, units) in [
        ("police kill the gunman", 3.0 / 6.0, 5.0 / 9.0),
        ("the gunman kill police", 1.0 / 6.0, 2.0 / 9.0),
        ("the gunman police killed", 2.0 / 6.0, 4.0 / 9.0),
    ] {
        assert_eq!((f(Rouge::s(None), text), f(Rouge::su(None), text)), (pairs, units), "{text}");
    }
}

#[test]
fn orders_out_of_range_are_refused() {
    assert!(Rouge::n(0).is_err() && Rouge::n(MAX_ORDER_LIMIT + 1).is_err());
}

#[derive(Debug, Clone)]
struct Texts(Vec<u32>, Vec<Vec<u32>>);

impl Arbitrary for Texts {
    fn arbitrary(g: &mut Gen) -> Self {
        let mut text = || {
            let len = usize::arbitrary(g) % if u8::arbitrary(g) % 8 == 0 { 150 } else { 16 };
            (0..len).map(|_| u32::arbitrary(g) % 5 * 1_000_003).collect::<Vec<u32>>()
        };
        let hypothesis = text();
        let references = [text(), text(), text()];
        Texts(hypothesis, references[..1 + usize::arbitrary(g) % 3].to_vec())
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let shrunk = (self.0.clone(), self.1.clone()).shrink();
        Box::new(shrunk.filter(|(_, references)| !references.is_empty()).map(|(h, r)| Texts(h, r)))
    }
}

fn single(kind: Option<usize>, hypothesis: &[u32], reference: &[u32]) -> [f64; 3] {
    let order = kind.unwrap_or(1);
    let hits = match kind {
        Some(order) => {
            let mut clipped = vec![0; order];
            ngrams::overlap(hypothesis, &[reference], &mut clipped);
            clipped[order - 1] as usize
        }
        None => naive::table(reference, hypothesis)[reference.len()][hypothesis.len()],
    };
    let units = |text: &[u32]| text.windows(order).count().max(1) as f64;
    let precision = hits as f64 / units(hypothesis);
    let recall = hits as f64 / units(reference);
    let f = if hits > 0 { 2.0 * precision * recall / (precision + recall) } else { 0.0 };
    [f, recall, precision]
}

fn observed<S: ?Sized, M: Observe<S>>(metric: &M, hypothesis: &S, references: &[&S]) -> M::Stats {
    let mut stats = metric.zero();
    metric.observe(&mut M::Scratch::default(), &mut stats, Segment::new(hypothesis, references)).unwrap();
    stats
}

fn ours(rouge: Rouge, hypothesis: &[u32], references: &[&[u32]]) -> [f64; 3] {
    let [f1, precision, recall] = observed(&rouge, hypothesis, references).means();
    [f1, recall, precision]
}

#[test]
fn agrees_with_the_definition() {
    fn agrees(Texts(hypothesis, references): Texts, small: bool) -> bool {
        // Small ids index tables; large ones are hashed or numbered.
        let divisor = if small { 1_000_003 } else { 1 };
        let divided = |text: &Vec<u32>| text.iter().map(|token| token / divisor).collect::<Vec<u32>>();
        let hypothesis = divided(&hypothesis);
        let references: Vec<Vec<u32>> = references.iter().map(divided).collect();
        let references: Vec<&[u32]> = references.iter().map(Vec::as_slice).collect();
        [Some(1), Some(2), Some(9), None].into_iter().all(|kind| {
            let rouge = kind.map_or(Rouge::l(), |order| Rouge::n(order).unwrap());
            let all = references.iter().map(|reference| single(kind, &hypothesis, reference));
            let best = all.clone().reduce(|a, b| if b > a { b } else { a }).unwrap();
            let average = rouge.with_references(ReferencesRule::Average);
            let mean = |at: usize| all.clone().map(|one| one[at]).sum::<f64>() / references.len() as f64;
            let means = ours(average, &hypothesis, &references);
            // The best precision and the best recall, which can be of different references.
            let each = ours(rouge.with_references(ReferencesRule::Each), &hypothesis, &references);
            let most = |at: usize| all.clone().map(|one| one[at]).fold(0.0, f64::max);
            ours(rouge, &hypothesis, &references) == best
                && each[1..] == [most(1), most(2)]
                && (0..3).all(|at| (means[at] - mean(at)).abs() < 1e-15)
        })
    }
    QuickCheck::new().tests(5_000).quickcheck(agrees as fn(Texts, bool) -> bool);
}

#[test]
fn one_sentence_is_rouge_l_and_both_ways_to_tell_sentences_agree() {
    fn agrees(Texts(hypothesis, references): Texts) -> bool {
        let word = |token: &u32| ["\n", "a", "b", "c", "d"][(*token / 1_000_003) as usize];
        let words = |text: &Vec<u32>| text.iter().map(word).collect::<Vec<&str>>();
        let sentences = |words: &Vec<&'static str>| {
            words.split(|word| *word == "\n").map(<[&str]>::to_vec).collect::<Vec<_>>()
        };
        let lsum = SentenceRouge::lsum();
        let hypothesis = words(&hypothesis);
        let references = references.iter().map(words).collect::<Vec<_>>();
        let slices: Vec<&[&str]> = references.iter().map(Vec::as_slice).collect();
        let by_breaks = observed(&lsum, &hypothesis[..], &slices);
        let cut: Vec<_> = references.iter().map(sentences).collect();
        let slices: Vec<&[Vec<&str>]> = cut.iter().map(Vec::as_slice).collect();
        let by_sentences = observed(&lsum, &sentences(&hypothesis)[..], &slices);
        let one = |words: &Vec<&'static str>| {
            words.iter().copied().filter(|word| *word != "\n").collect::<Vec<&str>>()
        };
        let whole = one(&hypothesis);
        let wholes = references.iter().map(one).collect::<Vec<_>>();
        let slices: Vec<&[&str]> = wholes.iter().map(Vec::as_slice).collect();
        let of_one = observed(&lsum, &whole[..], &slices);
        by_breaks == by_sentences && of_one == observed(&Rouge::l(), &whole[..], &slices)
    }
    QuickCheck::new().tests(3_000).quickcheck(agrees as fn(Texts) -> bool);
}
