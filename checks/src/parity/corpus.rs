//! Random corpora for comparisons: ragged references, empty segments, tiny alphabets, and the text that
//! tokenizers stumble over.

use std::fmt::Debug;

use super::bleu::BleuOptions;
use crate::pieces;
use bleuprint_testkit::random::Rng;

/// Hypotheses and reference streams in sacreBLEU's orientation; `None` is a missing reference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ParityCorpus {
    pub(crate) hypotheses: Vec<String>,
    pub(crate) streams: Vec<Vec<Option<String>>>,
}

impl ParityCorpus {
    /// Returns a description of the case; a small corpus is shown completely, so that it can be typed in
    /// again.
    pub(crate) fn describe(&self, name: &str, options: &dyn Debug) -> String {
        match self.hypotheses.len() {
            0..=8 => format!("{:?} {:?} {options:?}", self.hypotheses, self.streams),
            many => format!("{name}, {many} segments, {options:?}"),
        }
    }

    pub(crate) fn describe_segment(&self, i: usize, name: &str, options: &dyn Debug) -> String {
        format!("{name} segment {i}: {:?} {:?} {options:?}", self.hypotheses[i], self.references(i))
    }

    /// Returns the references of segment `i`.
    pub(crate) fn references(&self, i: usize) -> Vec<&str> {
        self.streams.iter().filter_map(|stream| stream[i].as_deref()).collect()
    }
}

/// Returns a random corpus of one to eight segments with one to three reference streams.
///
/// Every segment has at least one reference: none at all is where sacreBLEU raises and we refuse.
pub(crate) fn random(rng: &mut Rng) -> ParityCorpus {
    let (pieces, glue): (&[&str], &str) = match rng.below(5) {
        0 | 1 => (pieces::pieces("letters"), " "),
        2 => (pieces::pieces("trouble"), if rng.chance(700) { " " } else { "" }),
        3 => (pieces::pieces("unicode"), if rng.chance(500) { " " } else { "" }),
        _ => (pieces::pieces("dense"), ""),
    };
    let segments = rng.between(1, 8);
    let hypotheses: Vec<Vec<&str>> = (0..segments).map(|_| words(pieces, rng)).collect();
    let mut streams: Vec<Vec<Option<String>>> = Vec::new();
    for nth in 0..rng.between(1, 3) {
        let stream = hypotheses.iter().map(|hypothesis| {
            // The first stream is whole, so that no segment is without any reference.
            if nth > 0 && rng.chance(250) { None } else { Some(related(hypothesis, pieces, rng).join(glue)) }
        });
        streams.push(stream.collect());
    }
    rng.shuffle(&mut streams);
    ParityCorpus { hypotheses: hypotheses.iter().map(|words| words.join(glue)).collect(), streams }
}

/// Returns a random text for tokenizers only.
pub(crate) fn text(rng: &mut Rng) -> String {
    let (pieces, glue): (&[&str], &str) = match rng.below(4) {
        0 => (pieces::pieces("trouble"), " "),
        1 => (pieces::pieces("trouble"), ""),
        2 => (pieces::pieces("unicode"), ""),
        _ => (pieces::pieces("dense"), ""),
    };
    words(pieces, rng).join(glue)
}

fn words<'a>(pieces: &[&'a str], rng: &mut Rng) -> Vec<&'a str> {
    let len = match rng.below(1000) {
        0..100 => 0,
        100..154 => rng.between(20, 90),
        _ => rng.between(1, 12),
    };
    (0..len).map(|_| *rng.pick(pieces)).collect()
}

/// Returns a reference: the hypothesis with a few edits, or another text, or nothing.
fn related<'a>(hypothesis: &[&'a str], pieces: &[&'a str], rng: &mut Rng) -> Vec<&'a str> {
    match rng.below(10) {
        0 => Vec::new(),
        1 => hypothesis.to_vec(),
        2..=4 => words(pieces, rng),
        _ => edited(hypothesis, pieces, 3, rng),
    }
}

/// Returns the words after up to `most` edits. Each edit inserts or substitutes one of the pieces, or deletes
/// a word.
pub(crate) fn edited<'a>(words: &[&'a str], pieces: &[&'a str], most: usize, rng: &mut Rng) -> Vec<&'a str> {
    let mut words = words.to_vec();
    for _ in 0..rng.between(0, most) {
        let at = rng.below(words.len() + 1);
        match rng.below(5) {
            0 | 1 if at < words.len() => drop(words.remove(at)),
            2 if at < words.len() => words[at] = *rng.pick(pieces),
            _ => words.insert(at, *rng.pick(pieces)),
        }
    }
    words
}

/// Returns one to three references, most of them made from the hypothesis by edits.
pub(crate) fn references<'a>(
    hypothesis: &[&'a str],
    pieces: &[&'a str],
    other: impl Fn(&mut Rng) -> Vec<&'a str>,
    rng: &mut Rng,
) -> Vec<Vec<&'a str>> {
    let number = rng.between(1, 3);
    let reference = |_| {
        let like = if rng.chance(700) { hypothesis.to_vec() } else { other(rng) };
        edited(&like, pieces, 5, rng)
    };
    (0..number).map(reference).collect()
}

/// Returns every combination of options that is compared: smoothing and value, effective order, order, case,
/// tokenizer.
pub(crate) fn option_grid() -> Vec<BleuOptions> {
    const SMOOTHING: &[(&str, Option<f64>)] = &[
        ("none", None),
        ("exp", None),
        ("floor", None),
        ("floor", Some(0.0)),
        ("floor", Some(0.5)),
        ("add-k", None),
        ("add-k", Some(0.5)),
        ("add-k", Some(2.0)),
        ("add-k", Some(0.0)),
    ];
    let mut grid = Vec::new();
    for tokenize in ["none", "13a", "char"] {
        for lowercase in [false, true] {
            for max_order in 1..=6 {
                for effective_order in [false, true] {
                    grid.extend(SMOOTHING.iter().map(|&(smooth, smooth_value)| BleuOptions {
                        tokenize: tokenize.to_owned(),
                        lowercase,
                        smooth: smooth.to_owned(),
                        smooth_value,
                        effective_order,
                        max_order,
                    }));
                }
            }
        }
    }
    grid
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corpora_are_ragged_but_no_segment_is_without_a_reference() {
        let mut rng = Rng::new(1);
        let corpora: Vec<ParityCorpus> = (0..500).map(|_| random(&mut rng)).collect();
        for corpus in &corpora {
            for i in 0..corpus.hypotheses.len() {
                assert!(!corpus.references(i).is_empty());
            }
        }
        assert!(corpora.iter().any(|corpus| corpus.streams.iter().flatten().any(Option::is_none)));
        assert!(corpora.iter().any(|corpus| corpus.hypotheses.iter().any(String::is_empty)));
        assert!(
            corpora.iter().any(|corpus| corpus.streams.iter().flatten().any(|r| r.as_deref() == Some("")))
        );
    }

    #[test]
    fn the_grid_has_no_combination_twice() {
        let grid = option_grid();
        assert_eq!(grid.len(), 3 * 2 * 6 * 2 * 9);
        for (i, one) in grid.iter().enumerate() {
            assert!(grid[i + 1..].iter().all(|other| other != one));
        }
    }
}
