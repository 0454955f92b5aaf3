//! Tests by merging: count rows give bit-identical results, and set metrics match a new observation of
//! every resample.

use bleuprint_core::{Metric, Observe, Segment, State};
use bleuprint_metrics::{Bleu, Distinct};
use quickcheck::{TestResult, quickcheck};

use crate::{Design, NumpyRandom, Power, Precision, ResamplePlan, Significance, Test, Units};

/// Outputs of two systems and a reference, for each segment.
type Corpus = Vec<[Vec<u8>; 3]>;

fn states<M: Observe<[u8]>>(metric: &M, corpus: &Corpus, system: usize) -> Vec<State<M::Stats>> {
    let state = |segment: &[Vec<u8>; 3]| {
        let references = [&segment[2][..]];
        State::of_segment(metric, &mut M::Scratch::default(), Segment::new(&segment[system][..], &references))
            .unwrap()
    };
    corpus.iter().map(state).collect()
}

/// Returns segments with few distinct tokens, so that some match.
fn corpus(seed: &[(Vec<u8>, Vec<u8>, Vec<u8>)]) -> Corpus {
    let few = |tokens: &Vec<u8>| tokens.iter().take(8).map(|token| token % 3).collect();
    seed.iter().take(12).map(|(one, other, reference)| [few(one), few(other), few(reference)]).collect()
}

quickcheck! {
    fn merging_rows_has_the_bits_of_summing_them(seed: Vec<(Vec<u8>, Vec<u8>, Vec<u8>)>, units: Vec<u8>) -> TestResult {
        let corpus = corpus(&seed);
        if corpus.is_empty() {
            return TestResult::discard();
        }
        let bleu = Bleu::default().sentence();
        let both = [0, 1].map(|system| states(&bleu, &corpus, system));
        let merges = Significance::merging(&bleu, &both, Precision::Exact).unwrap();
        let tests = Significance::new(&bleu, &both, Precision::Exact).unwrap();
        let plan = ResamplePlan { seed: 7, count: 40 };
        let groups: [&[usize]; 2] = [&[0], &[0, corpus.len() - 1]];
        let shown = |what: &dyn core::fmt::Debug| format!("{what:?}");
        let mut same = vec![
            (shown(&merges.resampled(plan)), shown(&tests.resampled(plan))),
            (shown(&merges.confidence(plan)), shown(&tests.confidence(plan))),
            (shown(&merges.contributions()), shown(&tests.contributions())),
            (shown(&merges.leave_one_out()), shown(&tests.leave_one_out())),
            (shown(&merges.segment_scores()), shown(&tests.segment_scores())),
            (
                shown(&merges.grouped(groups).unwrap().segment_scores()),
                shown(&tests.grouped(groups).unwrap().segment_scores()),
            ),
        ];
        let units = Units::by((0..corpus.len()).map(|at| (units.get(at).unwrap_or(&0) % 5).to_string()));
        for test in [Test::Bootstrap, Test::Randomization] {
            same.push((shown(&merges.paired(test, plan, None)), shown(&tests.paired(test, plan, None))));
            let design = Design { test: Some(test), plan, higher_is_better: true, power: Power::default() };
            for units in [None, Some(&units)] {
                let by_rows = tests.compare_all(units, design);
                // Count rows may use an exact test, which merged statistics do not have.
                if !by_rows.as_ref().is_ok_and(|matrix| matrix.test == "mcnemar") {
                    same.push((shown(&merges.compare_all(units, design)), shown(&by_rows)));
                }
            }
        }
        same.iter().for_each(|(merged, summed)| assert_eq!(merged, summed));
        TestResult::passed()
    }

    fn resamples_of_sets_are_those_observed_anew(seed: Vec<(Vec<u8>, Vec<u8>, Vec<u8>)>) -> TestResult {
        let mut corpus = corpus(&seed);
        // A resample without tokens would have no score.
        corpus.iter_mut().for_each(|segment| segment[0].push(1));
        if corpus.is_empty() {
            return TestResult::discard();
        }
        let distinct = Distinct::new(1).unwrap();
        let tokens: Vec<Vec<String>> =
            corpus.iter().map(|segment| segment[0].iter().map(u8::to_string).collect()).collect();
        let observed = |drawn: &mut dyn Iterator<Item = usize>| {
            let mut total = State::zero(&distinct);
            for at in drawn {
                let segment = Segment::new(&tokens[at][..], &[]);
                total.merge(&State::of_segment(&distinct, &mut Default::default(), segment).unwrap()).unwrap();
            }
            distinct.number(total.stats(), total.counts()).unwrap()
        };
        let states: Vec<_> = tokens
            .iter()
            .map(|tokens| State::of_segment(&distinct, &mut Default::default(), Segment::new(&tokens[..], &[])).unwrap())
            .collect();
        let merges = Significance::new(&distinct, [&states], Precision::Exact).unwrap();
        let mut random = NumpyRandom::new(3);
        let mut indices = vec![0; tokens.len()];
        let expected: Vec<f64> = (0..10)
            .map(|_| {
                random.fill_indices(tokens.len() as u32, &mut indices);
                observed(&mut indices.iter().map(|&at| at as usize))
            })
            .collect();
        let resampled = merges.resampled(ResamplePlan { seed: 3, count: 10 }).unwrap().remove(0);
        if tokens.len() == 1 {
            return TestResult::from_bool(resampled == expected);
        }
        let without: Vec<f64> =
            (0..tokens.len()).map(|out| observed(&mut (0..tokens.len()).filter(|at| *at != out))).collect();
        TestResult::from_bool(resampled == expected && merges.leave_one_out().unwrap()[0] == without)
    }
}

#[test]
fn systems_of_unlike_metrics_or_lengths_are_refused() {
    let corpus = corpus(&[(vec![1], vec![2], vec![1]), (vec![1], vec![2], vec![1])]);
    let bleu = Bleu::default();
    let states = states(&bleu, &corpus, 0);
    let two = Bleu::builder().max_order(2).build().unwrap();
    for merging in [false, true] {
        let refused = |metric, lengths: &[usize], plan| {
            let systems = lengths.iter().map(|&length| &states[..length]);
            let tests = if merging {
                Significance::merging(metric, systems, Precision::Exact)
            } else {
                Significance::new(metric, systems, Precision::Exact)
            };
            tests.and_then(|tests| tests.resampled(plan)).unwrap_err().to_string()
        };
        let plan = ResamplePlan::new(10);
        assert_eq!(refused(&bleu, &[2, 1], plan), "system 1 has 2 segments, but system 2 has 1");
        assert!(refused(&bleu, &[0], plan).contains("no segments"));
        assert!(refused(&two, &[2], plan).contains("order"));
        let draws = refused(&bleu, &[2], ResamplePlan::new(usize::MAX));
        assert!(draws.contains("resamples"), "memory is bounded before it is taken");
    }
}
