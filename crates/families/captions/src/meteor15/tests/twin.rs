//! A reference implementation of the alignment: words as strings, complete paths, no tables. Its counts must
//! be the same.

use std::collections::BTreeSet;

use bleuprint_testkit::random::Rng;

use super::*;
use crate::meteor15::candidates::Candidate;

struct Twin<'a> {
    meteor: &'a Meteor15,
    synsets: &'a WordnetSynsets,
    pairs: &'a [(Vec<&'a str>, Vec<&'a str>)],
}

#[derive(Clone, Default)]
struct Path {
    gain: u32,
    chunks: u32,
    distance: u32,
    next: u32,
    end: Option<u32>,
    here: BTreeSet<u32>,
    there: BTreeSet<u32>,
    chosen: Vec<Candidate>,
}

impl Twin<'_> {
    fn candidates(&self, hypothesis: &[&str], reference: &[&str]) -> Vec<Candidate> {
        let mut found = Vec::new();
        let all = self.meteor.parameters.modules.iter().map(|(module, _)| *module);
        for module in all.take(if hypothesis == reference { 1 } else { usize::MAX }) {
            if module == Module::Paraphrase {
                self.phrases(reference, hypothesis, &mut |reference, hypothesis| {
                    found.push(candidate(reference, hypothesis, module))
                });
                self.phrases(hypothesis, reference, &mut |hypothesis, reference| {
                    found.push(candidate(reference, hypothesis, module))
                });
                continue;
            }
            for (j, there) in (0..).zip(reference) {
                for (i, here) in (0..).zip(hypothesis) {
                    if self.matches(module, here, there) {
                        found.push(candidate((j, 1), (i, 1), module));
                    }
                }
            }
        }
        found.sort_by_key(|candidate| candidate.reference);
        found
    }

    fn matches(&self, module: Module, here: &str, there: &str) -> bool {
        let stem = |word| self.meteor.stemmer.as_ref().map(|stemmer| stemmer.stem(word).into_owned());
        match module {
            Module::Exact => here == there,
            Module::Stem => here != there && stem(here) == stem(there),
            Module::Synonym => {
                let ids = self.synsets.ids(here);
                here != there && self.synsets.ids(there).iter().any(|id| ids.contains(id))
            }
            Module::Paraphrase => false,
        }
    }

    fn phrases(&self, one: &[&str], other: &[&str], each: &mut dyn FnMut((u32, u32), (u32, u32))) {
        for start in 0..one.len() {
            for length in 1..=one.len() - start {
                for (source, target) in self.pairs {
                    if one[start..start + length] != source[..] {
                        continue;
                    }
                    for (place, window) in (0..).zip(other.windows(target.len())) {
                        if window == &target[..] {
                            each((start as u32, length as u32), (place, target.len() as u32));
                        }
                    }
                }
            }
        }
    }

    fn align(&self, hypothesis: &[&str], reference: &[&str]) -> Vec<Candidate> {
        let candidates = self.candidates(hypothesis, reference);
        let covers = |side: usize, word: usize| {
            candidates.iter().filter(|candidate| spans(candidate)[side].contains(&word)).count()
        };
        let fixed: Vec<Candidate> = candidates
            .iter()
            .filter(|candidate| {
                [0, 1].iter().all(|side| spans(candidate)[*side].clone().all(|word| covers(*side, word) == 1))
            })
            .copied()
            .collect();
        let mut paths = vec![Path::default()];
        for candidate in &fixed {
            paths[0].occupy(candidate);
        }
        for j in 0..reference.len() as u32 {
            sort(&mut paths);
            paths.truncate(self.meteor.beam);
            paths = paths.into_iter().flat_map(|path| path.children(j, &candidates, &fixed)).collect();
        }
        sort(&mut paths);
        paths.truncate(self.meteor.beam);
        for path in &mut paths {
            path.chunks += u32::from(path.end.is_some());
        }
        sort(&mut paths);
        let mut chosen = paths.swap_remove(0).chosen;
        chosen.sort_by_key(|candidate| candidate.reference);
        chosen
    }

    fn stats(&self, hypothesis: &[&str], reference: &[&str]) -> Meteor15Stats {
        let function = |word: &str| self.meteor.function_words.contains(word);
        let units = |word: &str| if self.meteor.chars { word.encode_utf16().count() as u64 } else { 1 };
        let all = |words: &[&str]| words.iter().map(|word| units(word)).sum::<u64>();
        let func =
            |words: &[&str]| words.iter().filter(|word| function(word)).map(|word| units(word)).sum::<u64>();
        let mut stats = Meteor15Stats {
            hyp_len: all(hypothesis),
            ref_len: all(reference),
            hyp_func: func(hypothesis),
            ref_func: func(reference),
            ..Meteor15Stats::default()
        };
        let chosen = self.align(hypothesis, reference);
        let follows = |before: &Candidate, after: &Candidate| {
            [0, 1].iter().all(|side| spans(before)[*side].end == spans(after)[*side].start)
        };
        stats.chunks = u64::from(!chosen.is_empty());
        stats.chunks += chosen.windows(2).filter(|pair| !follows(&pair[0], &pair[1])).count() as u64;
        for candidate in &chosen {
            let [here, there] = spans(candidate);
            let here = &hypothesis[here];
            let there = &reference[there];
            let slot = &mut stats.matched[candidate.module as usize];
            slot[0] += all(here) - func(here);
            slot[1] += all(there) - func(there);
            slot[2] += func(here);
            slot[3] += func(there);
            stats.hyp_matched += here.len() as u64;
            stats.ref_matched += there.len() as u64;
        }
        if stats.is_perfect() {
            stats.chunks = 0;
        }
        stats
    }
}

fn candidate(reference: (u32, u32), hypothesis: (u32, u32), module: Module) -> Candidate {
    Candidate {
        reference: reference.0,
        reference_len: reference.1,
        hypothesis: hypothesis.0,
        hypothesis_len: hypothesis.1,
        module,
    }
}

fn sort(paths: &mut [Path]) {
    paths.sort_by(|a, b| b.gain.cmp(&a.gain).then(a.chunks.cmp(&b.chunks)).then(a.distance.cmp(&b.distance)));
}

impl Path {
    fn occupy(&mut self, candidate: &Candidate) {
        let [here, there] = spans(candidate);
        self.here.extend(here.map(|word| word as u32));
        self.there.extend(there.map(|word| word as u32));
    }

    fn is_free(&self, candidate: &Candidate) -> bool {
        let [mut here, mut there] = spans(candidate);
        !here.any(|word| self.here.contains(&(word as u32)))
            && !there.any(|word| self.there.contains(&(word as u32)))
    }

    fn apply(&self, candidate: &Candidate) -> Path {
        let mut path = self.clone();
        path.occupy(candidate);
        let n = candidate.reference_len;
        let m = candidate.hypothesis_len;
        path.gain += if candidate.module == Module::Exact { n + m } else { n / 2 + m / 2 };
        path.chunks += u32::from(path.end.is_some_and(|end| end != candidate.hypothesis));
        path.next = candidate.reference + n;
        path.end = Some(candidate.hypothesis + m);
        path.chosen.push(*candidate);
        path
    }

    fn children(mut self, j: u32, candidates: &[Candidate], fixed: &[Candidate]) -> Vec<Path> {
        let distance = |candidate: &Candidate| candidate.hypothesis.abs_diff(candidate.reference);
        if self.there.contains(&j) {
            if j >= self.next {
                let candidate = fixed.iter().find(|candidate| candidate.reference == j).unwrap();
                self = self.apply(candidate);
                self.distance += distance(candidate);
            }
            return vec![self];
        }
        let mut children = Vec::new();
        for candidate in candidates.iter().filter(|candidate| candidate.reference == j) {
            if self.is_free(candidate) {
                children.push(self.apply(candidate));
                self.distance += distance(candidate);
            }
        }
        if self.end.take().is_some() {
            self.chunks += 1;
        }
        self.next += 1;
        children.push(self);
        children
    }
}

const WORDS: &[&str] = &[
    "cat", "cats", "kitty", "dog", "dogs", "hound", "the", "a", "at", "once", "right", "away", "big", "lion",
    "go", "went", "gone", ".", "low", "get",
];

#[test]
fn the_twin_has_the_same_counts() {
    let text = "1\nat once\nright away\n1\nright away\nat once\n1\nthe big cat\na lion\n1\ncat\nkitty\n1\na\nthe\n1\nthe\na\n1\n\
        a a\nthe\n1\na\na a\n1\nbig dog\nhound\n1\nhound\nbig dog\n1\ndog dog\ncat\n1\ncat\ncat\n";
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split(' ').collect()).collect();
    let pairs: Vec<_> = lines.chunks(3).map(|lines| (lines[1].clone(), lines[2].clone())).collect();
    let synsets = tables().synsets.unwrap();
    let data = Data {
        synsets: Some(Arc::clone(&synsets)),
        paraphrases: Some(Arc::new(Paraphrases::parse("p", text).unwrap())),
        ..Data::default()
    };
    let mut rng = Rng::new(20_141_015);
    for beam in [1, 2, 3, 5, 40] {
        let settings =
            MeteorSettings { beam, form: TextForm::Given, chars: beam == 3, ..MeteorSettings::default() };
        let meteor = Meteor15::new(&settings, data.clone()).unwrap();
        let twin = Twin { meteor: &meteor, synsets: &synsets, pairs: &pairs };
        for _ in 0..bleuprint_testkit::draws(4_000, 400) {
            let few: Vec<&str> = (0..rng.between(1, 7)).map(|_| *rng.pick(WORDS)).collect();
            let side = |rng: &mut Rng| (0..rng.below(11)).map(|_| *rng.pick(&few)).collect::<Vec<&str>>();
            let hypothesis = side(&mut rng);
            let reference = side(&mut rng);
            let ours = counts(&meteor, &hypothesis.join(" "), &[&reference.join(" ")]);
            assert_eq!(ours, twin.stats(&hypothesis, &reference), "{hypothesis:?} {reference:?} beam {beam}");
        }
    }
}
