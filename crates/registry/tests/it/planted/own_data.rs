//! Tests of the laws over whole segments: a correct metric that defines its data passes, and planted bugs are
//! found.

use bleuprint_core::{Form, Identity, Metric, Observe, Result, Scale, Segment, SegmentCounts, Stats};
use bleuprint_registry::{AnyMetric, laws};
use serde::Deserialize;

use super::breaks;

/// The labels of a sequence.
#[derive(Debug, Deserialize)]
struct Labels(Vec<u8>);

impl Form for Labels {
    const NAME: &'static str = "labels";
    type Reference = Self;
    type Source = Self;
}

/// The number of labels that equal those of some reference, which are of the same number.
#[derive(Clone)]
struct Right(&'static str);

impl Metric for Right {
    type Stats = [u64; 1];
    type Score = f64;
    type Scratch = u64;

    fn identity(&self) -> Identity {
        Identity::new("right", 1, Scale::UNBOUNDED)
    }
    fn finalize(&self, [right]: &[u64; 1], _: &SegmentCounts) -> Result<f64> {
        Ok(*right as f64)
    }
}

impl Observe<Labels> for Right {
    fn observe(&self, kept: &mut u64, stats: &mut [u64; 1], segment: Segment<'_, Labels>) -> Result<()> {
        let references = segment.references()?;
        let Labels(own) = segment.hypothesis;
        let looked_at =
            if self.0 == "looks at the first reference alone" { &references[..1] } else { references };
        let equal = |labels: &&Labels| {
            assert_eq!(labels.0.len(), own.len(), "labels of one sequence");
            labels.0.iter().zip(own).filter(|(one, other)| one == other).count() as u64
        };
        let mut right = looked_at.iter().map(equal).max().unwrap_or(0);
        match self.0 {
            "keeps the number of labels in the scratch" => {
                right += core::mem::replace(kept, own.len() as u64)
            }
            "counts data that no segment has" => right = 0,
            _ => {}
        }
        stats.merge(&[right])
    }
}

fn check(bug: &'static str) {
    // Two references of the length of the hypothesis, each with one label changed.
    let labels = |raw: &[u8], changed: usize| {
        Labels(raw.iter().enumerate().map(|(at, byte)| (byte + u8::from(at == changed)) % 3).collect())
    };
    laws::check_any_for(&AnyMetric::for_own::<Labels, _>(Right(bug)), |raw| {
        let few: Vec<u8> = raw.iter().map(|byte| byte % 3).collect();
        let references = vec![labels(&few, 0), labels(&few, usize::from(few.first() == Some(&1)))];
        (Labels(few), references, None::<Labels>)
    });
}

#[test]
fn planted_bugs_over_own_data_are_caught() {
    check("none");
    let one = "hypothesis Labels([1]), references [Labels([2]), Labels([1])], source None".to_string();
    let none = "hypothesis Labels([]), references [Labels([]), Labels([])], source None".to_string();
    breaks("right", "reference order", &[one], || check("looks at the first reference alone"));
    breaks("right", "reaching: the generator never reaches this metric", &[], || {
        check("counts data that no segment has")
    });
    breaks("right", "scratch", &[none], || check("keeps the number of labels in the scratch"));
}
