//! Compare systems on the same segments: intervals, p-values for every pair, ranks, and the smallest detectable
//! difference.
#![allow(clippy::print_stdout, reason = "an example prints its result")]

use bleuprint::inference::{Design, Power, ResamplePlan, Test};
use bleuprint::inference::{Precision, Significance};
use bleuprint::{Bleu, Segment, State};

/// Three systems that copy the reference with different error rates; tokens are ids.
fn hypothesis(system: u32, segment: u32, reference: &[u32]) -> Vec<u32> {
    let wrong = |position: u32| (segment * 7 + position * (system + 3)) % 10 < 2 * system;
    reference.iter().zip(0..).map(|(&token, position)| if wrong(position) { 999 } else { token }).collect()
}

pub(crate) fn main() {
    let bleu = Bleu::default();
    let mut scratch = Default::default();
    let mut count = |system: u32| {
        let mut states = Vec::new();
        for segment in 0..300 {
            let reference: Vec<u32> = (0..12).map(|position| (segment * position) % 50).collect();
            let hypothesis = hypothesis(system, segment, &reference);
            let references = [&reference[..]];
            let segment = Segment::new(&hypothesis[..], &references);
            states.push(State::of_segment(&bleu, &mut scratch, segment).unwrap());
        }
        states
    };
    let systems = [count(0), count(1), count(2)];

    // Against a baseline, with sacreBLEU's numbers.
    let tests = Significance::new(&bleu, &systems, Precision::Sacrebleu).unwrap();
    let tested = tests.paired(Test::Bootstrap, ResamplePlan::new(1000), None).unwrap();
    assert!(tested[0].p_value.is_none() && tested[1].p_value.unwrap() < 0.05);

    // Every pair, with Holm's correction, rank ranges and clusters.
    let design = Design {
        test: Some(Test::Bootstrap),
        plan: ResamplePlan::new(1000),
        higher_is_better: true,
        power: Power::default(),
    };
    let matrix = tests.compare_all(None, design).unwrap();
    assert_eq!(
        matrix.ranks.iter().map(|rank| (rank.system, rank.cluster)).collect::<Vec<_>>(),
        [(0, 1), (1, 2), (2, 3)]
    );
    for pair in &matrix.pairs {
        println!(
            "{} - {}: {:+.2} ({:+.2} to {:+.2}), p = {:.4}; from {:.2} on a difference would be seen",
            pair.first,
            pair.second,
            pair.difference,
            pair.interval.lower,
            pair.interval.upper,
            pair.corrected,
            pair.smallest_difference,
        );
    }

    // The contribution of each segment to a difference, exact, by subtraction.
    let two = Significance::new(&bleu, &systems[..2], Precision::Exact).unwrap();
    let points = two.contributions().unwrap();
    let largest = points.iter().map(|points| points.abs()).fold(0.0, f64::max);
    assert!(points.len() == 300 && largest < 1.0);
}
