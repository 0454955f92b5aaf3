//! Tests NIST against a naive implementation of its definition.

use core::f64::consts::LN_2;
use std::collections::BTreeMap;

use bleuprint_core::{Accumulator, Score};

use super::finish::{Finished, NistSums, nltk, nltk_penalty, standard};
use super::segment::{NistLengths, OrderInfo, measure};
use super::{Information, Nist, NistArithmetic, NistScratch, ReferenceNgrams};
use crate::shared::ngrams::NgramCounts;

type Segments<'a> = [(Vec<&'a str>, Vec<Vec<&'a str>>)];

/// Returns NIST's sums over a corpus by the definition, one segment after the other, with float sums.
fn sums(rules: NistArithmetic, max_order: usize, segments: &Segments<'_>) -> Result<NistSums, String> {
    let mut counts = NgramCounts::new(max_order);
    for reference in segments.iter().flat_map(|(_, references)| references) {
        counts.add_occurrences(reference).unwrap();
    }
    let information = Information::new(&counts, rules);
    let mut sums =
        NistSums { info: vec![0.0; max_order], totals: vec![0; max_order], hyp_len: 0.0, ref_len: 0.0 };
    let mut scratch = NistScratch::default();
    for (hypothesis, references) in segments {
        let references: Vec<&[&str]> = references.iter().map(Vec::as_slice).collect();
        let lengths = measure(&information, &mut scratch, hypothesis, &references)
            .map_err(|error| error.to_string())?;
        sums.hyp_len += lengths.hypothesis as f64;
        sums.ref_len += lengths.references as f64
            / if rules == NistArithmetic::Nltk { 1.0 } else { references.len() as f64 };
        for (index, order) in scratch.orders.iter().enumerate() {
            sums.info[index] += order.info;
            sums.totals[index] += order.total;
        }
    }
    Ok(sums)
}

fn finished(rules: NistArithmetic, max_order: usize, segments: &Segments<'_>) -> Result<Finished, String> {
    let sums = sums(rules, max_order, segments)?;
    if rules == NistArithmetic::Nltk {
        nltk(&sums).ok_or_else(|| "zero".to_owned())
    } else {
        Ok(standard(&sums))
    }
}

fn naive(max_order: usize, segments: &Segments<'_>) -> f64 {
    let mut counts = BTreeMap::<&[&str], f64>::new();
    let references = || segments.iter().flat_map(|(_, references)| references);
    let tokens: usize = references().map(Vec::len).sum();
    for reference in references() {
        for ngram in (1..=max_order).flat_map(|order| reference.windows(order)) {
            *counts.entry(ngram).or_default() += 1.0;
        }
    }
    let mut score = 0.0;
    let mut hyp_len = 0.0;
    let mut ref_len = 0.0;
    for order in 1..=max_order {
        let mut info = 0.0;
        let mut total = 0.0;
        for (hypothesis, references) in segments {
            let count = |tokens: &[&str], ngram: &[&str]| {
                tokens.windows(order).filter(|other| *other == ngram).count()
            };
            for (start, ngram) in hypothesis.windows(order).enumerate() {
                total += 1.0;
                let first = hypothesis.windows(order).position(|other| other == ngram) == Some(start);
                let limit = references.iter().map(|reference| count(reference, ngram)).max().unwrap_or(0);
                if first && limit > 0 {
                    let prefix = if order == 1 { tokens as f64 } else { counts[&ngram[..order - 1]] };
                    info += bleuprint_math::ln(prefix / counts[ngram]) / LN_2
                        * count(hypothesis, ngram).min(limit) as f64;
                }
            }
            if order == 1 {
                hyp_len += hypothesis.len() as f64;
                ref_len += references.iter().map(Vec::len).sum::<usize>() as f64 / references.len() as f64;
            }
        }
        score += if total == 0.0 { 0.0 } else { info / total };
    }
    if hyp_len == 0.0 { 0.0 } else { score * nltk_penalty(hyp_len / ref_len) }
}

#[test]
fn one_segment_is_scored_as_nltk_scores_a_sentence() {
    let hypothesis = ["it", "is", "a", "guide", "to", "action"];
    let reference = ["it", "is", "the", "guiding", "principle", "of", "action"];
    let segments = [(hypothesis.to_vec(), vec![reference.to_vec()])];
    let mut first = Accumulator::<_, [&str]>::new(ReferenceNgrams::default());
    first.push(&hypothesis, &[&reference]).unwrap();
    let nist = Nist::new(Information::new(first.total().stats(), NistArithmetic::Nltk));
    let mut second = Accumulator::<_, [&str]>::new(&nist);
    second.push(&hypothesis, &[&reference]).unwrap();
    let scored = second.score().unwrap();
    assert_eq!(scored.score.value(), finished(NistArithmetic::Nltk, 5, &segments).unwrap().cumulative[4]);
    assert!(scored.signature.to_string().starts_with("NIST|nrefs:1|"), "{}", scored.signature);
    let mut short = Accumulator::<_, [&str]>::new(&nist);
    short.push(&["it", "is"], &[&reference]).unwrap();
    assert!(short.score().unwrap_err().to_string().contains("no hypothesis has n-grams of order 3"));
}

const WORDS: [&str; 4] = ["a", "b", "c", "0"];

fn words(tokens: &[u8]) -> Vec<&'static str> {
    tokens.iter().map(|&token| WORDS[token as usize % 4]).collect()
}

quickcheck::quickcheck! {
    fn the_standard_is_the_definition(given: Vec<(Vec<u8>, Vec<u8>, Vec<u8>)>) -> bool {
        let segments: Vec<_> = given
            .iter()
            .take(8)
            .map(|(hypothesis, one, other)| (words(hypothesis), vec![words(one), words(other)]))
            .collect();
        let ours = finished(NistArithmetic::Standard, 3, &segments).unwrap();
        let naive = naive(3, &segments);
        let score = ours.cumulative[2];
        (score - naive).abs() <= 1e-12 * naive.max(1.0)
    }
}

/// Returns what [`measure`] computes for one segment, by the definition: counts of whole n-grams in a map of all
/// known references. The error is the lowest order of an n-gram in hypothesis and reference that is not known.
fn measure_naively(
    known: &[Vec<&str>],
    rules: NistArithmetic,
    max_order: usize,
    hypothesis: &[&str],
    references: &[&[&str]],
) -> Result<(Vec<OrderInfo>, NistLengths), usize> {
    let occurrences = |tokens: &[&str], ngram: &[&str]| {
        tokens.windows(ngram.len()).filter(|other| *other == ngram).count() as u64
    };
    let in_all = |ngram: &[&str]| known.iter().map(|tokens| occurrences(tokens, ngram)).sum::<u64>();
    let weight = |ngram: &[&str]| {
        let alone = rules == NistArithmetic::Mteval && ngram.len() == 2 && ngram[0] == "0";
        let before = if ngram.len() == 1 || alone {
            known.iter().map(Vec::len).sum::<usize>() as u64
        } else {
            in_all(&ngram[..ngram.len() - 1])
        };
        match rules {
            _ if before == in_all(ngram) => 0.0,
            NistArithmetic::Nltk => bleuprint_math::ln(before as f64 / in_all(ngram) as f64) / LN_2,
            _ => -bleuprint_math::ln(in_all(ngram) as f64 / before as f64) / LN_2,
        }
    };
    let mut orders = Vec::new();
    let mut lengths = NistLengths { hypothesis: 0, references: 0 };
    for order in 1..=max_order {
        let info_within = |limiting: &[&[&str]]| {
            let mut info = 0.0;
            for (start, ngram) in hypothesis.windows(order).enumerate() {
                let first = hypothesis.windows(order).position(|other| other == ngram) == Some(start);
                let limit = limiting.iter().map(|tokens| occurrences(tokens, ngram)).max().unwrap_or(0);
                let matches = occurrences(hypothesis, ngram).min(limit);
                if first && matches > 0 {
                    if in_all(ngram) == 0 {
                        return Err(order);
                    }
                    info += weight(ngram) * matches as f64;
                }
            }
            Ok(info)
        };
        let total = hypothesis.windows(order).count() as u64;
        let mut info = info_within(references)?;
        if rules == NistArithmetic::Nltk {
            let mut ranks = Vec::new();
            for &reference in references {
                let info = info_within(&[reference])?;
                ranks.push((info / total.max(1) as f64, info, reference.len() as u64));
            }
            ranks.sort_by(|one, other| one.partial_cmp(other).unwrap());
            let best = ranks.last().unwrap();
            info = best.1;
            lengths.references += best.2;
        }
        if rules == NistArithmetic::Nltk || order == 1 {
            lengths.hypothesis += hypothesis.len() as u64;
        }
        orders.push(OrderInfo { info, total });
    }
    if rules != NistArithmetic::Nltk {
        lengths.references = references.iter().map(|reference| reference.len() as u64).sum();
    }
    Ok((orders, lengths))
}

/// Returns the counts of all texts, which are counted apart and merged in the given order.
fn merged<'a>(max_order: usize, texts: impl Iterator<Item = &'a Vec<&'a str>>) -> NgramCounts {
    let mut sum = NgramCounts::new(max_order);
    for text in texts {
        let mut counts = NgramCounts::new(max_order);
        counts.add_occurrences(text).unwrap();
        sum.merge(&counts).unwrap();
    }
    sum
}

/// Hypothesis and three references, as numbers of words.
type GivenSegment = (Vec<u8>, Vec<u8>, Vec<u8>, Vec<u8>);

quickcheck::quickcheck! {
    /// Every sum is that of the definition to the last bit: with all rules, one to three references, one of
    /// them perhaps unknown to the information, whose counts are merged in either order.
    fn segments_are_measured_by_the_definition(
        given: Vec<GivenSegment>,
        unknown: u8,
        rules: u8
    ) -> bool {
        let rules = [NistArithmetic::Standard, NistArithmetic::Mteval, NistArithmetic::Nltk][rules as usize % 3];
        let segments: Vec<(Vec<&str>, Vec<Vec<&str>>)> = given
            .iter()
            .take(4)
            .map(|(hypothesis, one, two, three)| {
                let some = 1 + hypothesis.len() % 3;
                (words(hypothesis), [one, two, three].into_iter().take(some).map(|tokens| words(tokens)).collect())
            })
            .collect();
        let mut known: Vec<Vec<&str>> = segments.iter().flat_map(|(_, references)| references.clone()).collect();
        if (unknown as usize) < known.len() {
            known.remove(unknown as usize);
        }
        let information = [merged(4, known.iter()), merged(4, known.iter().rev())]
            .map(|counts| Information::new(&counts, rules));
        let mut scratch = NistScratch::default();
        information[0].fingerprint == information[1].fingerprint && segments.iter().all(|(hypothesis, references)| {
            let references: Vec<&[&str]> = references.iter().map(Vec::as_slice).collect();
            let naive = measure_naively(&known, rules, 4, hypothesis, &references);
            information.iter().all(|information| {
                match (measure(information, &mut scratch, hypothesis, &references), &naive) {
                    (Ok(lengths), Ok(naive)) => {
                        let infos = scratch.orders.iter().zip(&naive.0);
                        let same = |(ours, naive): (&OrderInfo, &OrderInfo)| {
                            ours.total == naive.total && ours.info.to_bits() == naive.info.to_bits()
                        };
                        scratch.orders.len() == naive.0.len() && infos.into_iter().all(same) && lengths == naive.1
                    }
                    (Err(error), Err(order)) => error.to_string().contains(&format!("of order {order} without")),
                    _ => false,
                }
            })
        })
    }
}

#[test]
fn a_reference_that_the_information_does_not_know_is_an_error() {
    let information = Information::new(&NgramCounts::new(2), NistArithmetic::Standard);
    let mut scratch = NistScratch::default();
    let mut measured = |hypothesis: &[&str], references: &[&[&str]]| {
        measure(&information, &mut scratch, hypothesis, references).map_err(|error| error.to_string())
    };
    assert!(measured(&["a"], &[&["a"]]).unwrap_err().contains("without information"));
    assert!(measured(&["b"], &[&["a"]]).is_ok(), "what does not match needs none");
    let mut counts = NgramCounts::new(2);
    counts.add_occurrences(&["a", "b"]).unwrap();
    counts.add_occurrences(&["c"]).unwrap();
    let information = Information::new(&counts, NistArithmetic::Standard);
    let mut measured = |hypothesis: &[&str], references: &[&[&str]]| {
        measure(&information, &mut scratch, hypothesis, references).map_err(|error| error.to_string())
    };
    assert!(measured(&["a", "c"], &[&["a", "b", "a", "c"]]).unwrap_err().contains("of order 2"));
    assert!(measured(&["a", "b", "x"], &[&["a", "c"], &["a", "y"]]).is_ok());
    assert!(measured(&["a", "x"], &[&["a", "y"], &["x"]]).unwrap_err().contains("of order 1"));
}

#[test]
fn mteval_divides_by_the_length_of_the_references() {
    let mut first = Accumulator::<_, [&str]>::new(ReferenceNgrams::default());
    first.push(&["a"], &[&[], &["a"]]).unwrap();
    let score = |rules, references: &[&[&str]]| {
        let mut nist =
            Accumulator::<_, [&str]>::new(Nist::new(Information::new(first.total().stats(), rules)));
        nist.push(&["a"], references).unwrap();
        nist.score().map(|scored| scored.score.score)
    };
    assert!(
        score(NistArithmetic::Mteval, &[&[], &[]])
            .unwrap_err()
            .to_string()
            .contains("1 segment has empty references")
    );
    assert!(score(NistArithmetic::Mteval, &[&[], &["a"]]).is_ok());
    assert!(score(NistArithmetic::Standard, &[&[]]).is_ok());
}
