//! Targets for significance: the time of a thousand resamples of fifteen systems, without counting.

use bleuprint::inference::{CountRows, ResamplePlan};
use bleuprint::inference::{Precision, Significance, Test, in_threads, rows_of};
use bleuprint::{AnyMetric, Bleu, Segment, State};
use bleuprint_benches::clock::best;
use bleuprint_benches::input;

use crate::{report, rounds};

const SYSTEMS: usize = 15;

/// Measures paired bootstrap tests of BLEU for fifteen systems, in one thread.
pub(crate) fn tests() {
    let corpus = input::corpus("en-cs");
    let metric = &AnyMetric::for_ids(Bleu::default()).expect("BLEU remembers no tokens");
    let tokens = corpus.tokens("13a");
    let ids = input::ids(&tokens);
    let mut scratch = Default::default();
    let mut system = |number: usize| -> CountRows {
        let states = ids.iter().enumerate().map(|(index, (hypothesis, references))| {
            let references: Vec<&[u32]> = references.iter().map(Vec::as_slice).collect();
            // Every system copies the reference in a different set of segments, so that scores differ.
            let copies = (index * 31 + number * 17) % 23 < number;
            let hypothesis = if copies { references[0] } else { &hypothesis[..] };
            let segment = Segment::new(hypothesis, &references);
            State::of_segment(metric, &mut scratch, segment).expect("segments can be observed")
        });
        rows_of(metric, &states.collect::<Vec<_>>()).expect("BLEU is a row of counts")
    };
    let systems: Vec<CountRows> = (0..SYSTEMS).map(&mut system).collect();
    for (name, precision) in [("as sacreBLEU", Precision::Sacrebleu), ("exact", Precision::Exact)] {
        let tests = Significance::of_rows(metric, &systems, precision).expect("BLEU can be tested");
        let run = || {
            tests.paired(Test::Bootstrap, ResamplePlan::new(1000), None).expect("the systems are parallel")
        };
        assert_eq!(run().iter().filter_map(|tested| tested.p_value).count(), SYSTEMS - 1);
        let mut measure = || in_threads(Some(1), || drop(run())).expect("one thread can be had");
        let [seconds] = best(rounds().min(9), 1, [&mut measure]).map(|nanoseconds| nanoseconds / 1e9);
        let target = format!("paired bootstrap, 15 x 1,000, {name}");
        report(&target, &format!("{} segments", corpus.len()), seconds, 0.1, false, " s");
    }
}
