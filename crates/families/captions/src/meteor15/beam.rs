//! METEOR's search for a word alignment: a beam search over the words of the reference, in the order of the
//! original program.
//!
//! The best partial alignment has the greatest gain, then the fewest chunks, then the smallest distance of
//! matched words. The gain is the number of words with exact matches plus half of all other matched words.
//! Two peculiarities of the original program decide ties and therefore scores, and are reproduced. The half
//! is rounded down for each match, so a single word matched by stem or synonym gains nothing. A partial
//! alignment adds up the distances of the siblings created before it, instead of its own distance.

use bleuprint_core::{Result, check_interrupt};

use super::candidates::{Candidate, MatchCandidates};
use super::settings::Module;

const NONE: u32 = u32::MAX;

#[derive(Debug, Clone, Copy)]
struct BeamPath {
    gain: u32,
    chunks: u32,
    distance: u64,
    /// First reference word after the last match of this partial alignment.
    next: u32,
    /// Index of the hypothesis word whose match would continue the last run of adjacent matches, or [`NONE`].
    end: u32,
    /// Index of the last chosen match of this alignment in [`BeamSearch::choices`], or [`NONE`].
    last: u32,
    /// Row in [`BeamSearch::used`] that marks the hypothesis words already matched by this partial alignment.
    row: u32,
}

/// The reusable tables of the beam search for the best alignment of two texts.
#[derive(Debug, Default)]
pub(super) struct BeamSearch {
    paths: Vec<BeamPath>,
    children: Vec<BeamPath>,
    /// Word matches chosen by the partial alignments of the beam search. Each has the index of the previous
    /// match of the same alignment, so that alignments with a common beginning share its matches.
    choices: Vec<(Candidate, u32)>,
    /// Bit table of the hypothesis words that already have a match, with one row for each partial alignment.
    used: Vec<u64>,
    spare: Vec<u64>,
    fixed: Vec<Option<Candidate>>,
    covered: [Vec<u32>; 2],
    /// Matches of the best alignment, in the order of the reference words.
    pub(super) matches: Vec<Candidate>,
}

impl BeamSearch {
    /// Searches for the best alignment and stores its matches in `matches`.
    ///
    /// # Errors
    /// Returns an error if the caller cancels the work.
    pub(super) fn run(
        &mut self,
        candidates: &MatchCandidates,
        lengths: [usize; 2],
        beam: usize,
    ) -> Result<()> {
        let [hypothesis, reference] = lengths;
        self.fix(candidates, lengths);
        let width = hypothesis.div_ceil(64);
        self.choices.clear();
        self.used.clear();
        self.used.resize(width, 0);
        self.paths.clear();
        self.paths.push(BeamPath { gain: 0, chunks: 0, distance: 0, next: 0, end: NONE, last: NONE, row: 0 });
        for word in 0..reference {
            check_interrupt()?;
            self.children.clear();
            for place in 0..self.paths.len() {
                self.grow(self.paths[place], word as u32, candidates, width);
            }
            self.keep(beam, width);
        }
        // A chunk is counted when it ends; the last one is still open here.
        for path in &mut self.paths {
            path.chunks += u32::from(path.end != NONE);
        }
        sort(&mut self.paths);
        self.collect();
        Ok(())
    }

    /// Fixes every match whose words have no other possible match, so that the search need not try
    /// alternatives.
    fn fix(&mut self, candidates: &MatchCandidates, [hypothesis, reference]: [usize; 2]) {
        let [here, there] = &mut self.covered;
        for (covered, length) in [(&mut *here, hypothesis), (&mut *there, reference)] {
            covered.clear();
            covered.resize(length, 0);
        }
        for candidate in &candidates.sorted {
            let [mine, its] = spans(candidate);
            here[mine].iter_mut().chain(&mut there[its]).for_each(|count| *count += 1);
        }
        self.fixed.clear();
        self.fixed.extend((0..reference).map(|word| match candidates.at(word) {
            [only] => {
                let [mine, its] = spans(only);
                let alone = here[mine].iter().chain(&there[its]).all(|count| *count == 1);
                alone.then_some(*only)
            }
            _ => None,
        }));
    }

    /// Extends a partial alignment in every way at a reference word: by each possible match that begins at
    /// this word, and by no match.
    fn grow(&mut self, path: BeamPath, word: u32, candidates: &MatchCandidates, width: usize) {
        // The word is inside of a longer match that the path has already chosen.
        if word < path.next {
            self.children.push(path);
            return;
        }
        if let Some(fixed) = self.fixed[word as usize] {
            // No other candidate uses these words, so their use need not be recorded.
            let mut path = path.with(&fixed);
            path.distance += distance(&fixed);
            self.children.push(path);
            return;
        }
        let mut path = path;
        for candidate in candidates.at(word as usize) {
            let row = &self.used[path.row as usize * width..][..width];
            if spans(candidate)[0].any(|word| row[word / 64] >> (word % 64) & 1 == 1) {
                continue;
            }
            let last = self.choices.len() as u32;
            self.choices.push((*candidate, path.last));
            self.children.push(BeamPath { last, ..path.with(candidate) });
            // This distance is added to the parent, and so to all later children, but not to the child just
            // made. That is an error of the original program, but it decides ties, so the scores need it.
            path.distance += distance(candidate);
        }
        // The last child skips the word, which ends the open chunk.
        path.chunks += u32::from(path.end != NONE);
        path.end = NONE;
        path.next = word + 1;
        self.children.push(path);
    }

    /// Keeps the best `beam` of the extended alignments. Each gets a separate row of bits for its matched
    /// words.
    fn keep(&mut self, beam: usize, width: usize) {
        // The order of creation decides ties; `sort` is stable.
        sort(&mut self.children);
        self.children.truncate(beam);
        self.spare.clear();
        for (row, child) in (0..).zip(&mut self.children) {
            self.spare.extend_from_slice(&self.used[child.row as usize * width..][..width]);
            child.row = row;
            if let Some((choice, _)) = self.choices.get(child.last as usize) {
                let own = &mut self.spare[row as usize * width..];
                spans(choice)[0].clone().for_each(|word| own[word / 64] |= 1 << (word % 64));
            }
        }
        core::mem::swap(&mut self.used, &mut self.spare);
        core::mem::swap(&mut self.paths, &mut self.children);
    }

    fn collect(&mut self) {
        // Fixed matches were never recorded as choices: add them here.
        self.matches.clear();
        self.matches.extend(self.fixed.iter().flatten());
        let mut last = self.paths.first().map_or(NONE, |path| path.last);
        while let Some((choice, before)) = self.choices.get(last as usize) {
            self.matches.push(*choice);
            last = *before;
        }
        self.matches.sort_unstable_by_key(|matched| matched.reference);
    }
}

impl BeamPath {
    fn with(mut self, candidate: &Candidate) -> BeamPath {
        let here = candidate.hypothesis_len;
        let there = candidate.reference_len;
        // A whole-number division, as in the program: a stem match of one word gains 1/2 + 1/2 = 0.
        self.gain += match candidate.module {
            Module::Exact => here + there,
            _ => here / 2 + there / 2,
        };
        self.chunks += u32::from(self.end != NONE && self.end != candidate.hypothesis);
        self.next = candidate.reference + there;
        self.end = candidate.hypothesis + here;
        self
    }
}

/// Returns the word ranges of a match: first in the hypothesis, then in the reference.
pub(super) fn spans(candidate: &Candidate) -> [core::ops::Range<usize>; 2] {
    let span = |start: u32, length: u32| start as usize..(start + length) as usize;
    [span(candidate.hypothesis, candidate.hypothesis_len), span(candidate.reference, candidate.reference_len)]
}

fn distance(candidate: &Candidate) -> u64 {
    u64::from(candidate.hypothesis.abs_diff(candidate.reference))
}

/// Sorts partial alignments by gain, chunks and distance. The sort is stable, so that ties keep the order of
/// creation.
fn sort(paths: &mut [BeamPath]) {
    if paths.len() > 1 {
        // One wide key compares faster than three fields. The gain is negated because more is better.
        let order = |path: &BeamPath| {
            u128::from(u32::MAX - path.gain) << 96 | u128::from(path.chunks) << 64 | u128::from(path.distance)
        };
        paths.sort_by_key(order);
    }
}
