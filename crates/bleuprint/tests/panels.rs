//! Panels observe a segment wholly or not at all: over all metrics, over all systems, whatever fails where.

mod support;

use bleuprint::eval::Panel;
use bleuprint::{
    AnyMetric, Case, Identity, InputError, Linear, Metric, Observe, OverTokens, Scale, Segment,
    SegmentCounts, Stats,
};
use serde::{Deserialize, Serialize};
use support::{Distinct2, named, observe, panel, stored};

/// Counts tokens, and fails where one is `boom`; its statistics are a row of counts, or no row.
#[derive(Debug, Clone)]
struct Fails;

/// A count that hides that it is one.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Hidden(u64);

impl Stats for Hidden {
    fn merge(&mut self, other: &Self) -> Result<(), InputError> {
        // With the default `check_merge`: what may fail is found by it all the same.
        let too_many = || InputError::malformed_state("too many");
        self.0 = self.0.checked_add(other.0).ok_or_else(too_many)?;
        Ok(())
    }
}

#[derive(Debug, Clone)]
struct FailsHidden;

fn tokens_of<T: AsRef<str>>(segment: &Segment<'_, [T]>) -> Result<u64, InputError> {
    if segment.hypothesis().iter().any(|token| token.as_ref() == "boom") {
        return Err(InputError::malformed("boom"));
    }
    Ok(segment.hypothesis().len() as u64)
}

macro_rules! fails {
    ($Metric:ident, $name:literal, $Stats:ty, $new:expr) => {
        impl Metric for $Metric {
            type Stats = $Stats;
            type Score = f64;
            type Scratch = ();

            fn identity(&self) -> Identity {
                Identity::new($name, 1, Scale::UNBOUNDED)
            }
            fn finalize(&self, _: &$Stats, counts: &SegmentCounts) -> Result<f64, InputError> {
                Ok(counts.segments as f64)
            }
        }

        impl<T: AsRef<str>> Observe<[T]> for $Metric {
            fn observe(
                &self,
                (): &mut (),
                stats: &mut $Stats,
                segment: Segment<'_, [T]>,
            ) -> Result<(), InputError> {
                stats.merge(&$new(tokens_of(&segment)?))
            }
        }
    };
}

fails!(Fails, "fails", [u64; 1], |tokens| [tokens]);
fails!(FailsHidden, "fails_hidden", Hidden, Hidden);

fn metric(name: &str) -> AnyMetric {
    match name {
        "fails" => Box::new(AnyMetric::over_tokens(Fails)),
        "fails_hidden" => Box::new(AnyMetric::over_tokens(FailsHidden)),
        "distinct" => Box::new(AnyMetric::over_tokens(Distinct2)),
        known => named(known),
    }
}

fn of(names: &[&str]) -> Panel {
    panel(names.iter().map(|name| metric(name)).collect(), "13a", Case::Mixed)
}

/// The metric that fails at every place among linear and other ones, over ids, tokens and text.
fn panels() -> Vec<Vec<&'static str>> {
    let others = ["bleu", "distinct", "exact_match", "error_rate"];
    let mut panels = vec![vec!["fails"], vec!["fails_hidden"], vec!["fails", "fails_hidden"]];
    for failing in ["fails", "fails_hidden"] {
        for at in 0..=others.len() {
            let mut names = others.to_vec();
            names.insert(at, failing);
            panels.push(names);
        }
    }
    panels
}

const GOOD: [[&str; 3]; 3] = [["a b c", "a b c d", "b"], ["a b", "x y z", "a"], ["c c c", "c d", "d c b a"]];

#[test]
fn a_failing_segment_leaves_all_states_of_all_systems_as_they_were() {
    for names in panels() {
        let panel = of(&names);
        for systems in 1..=3 {
            for failing in 0..systems {
                let (mut scratch, mut states) = (panel.scratch(), vec![panel.zero(); systems]);
                let (mut clean_scratch, mut clean) = (panel.scratch(), vec![panel.zero(); systems]);
                for (number, hypotheses) in GOOD.iter().enumerate() {
                    if number == 2 {
                        let before = stored(&states);
                        let mut hypotheses = hypotheses[..systems].to_vec();
                        hypotheses[failing] = "a boom b";
                        let error = observe(&panel, &mut scratch, &mut states, &hypotheses, &["a b c"]);
                        assert_eq!(error.unwrap_err().to_string(), "boom");
                        assert_eq!(stored(&states), before, "{names:?}, system {failing} of {systems}");
                    }
                    let hypotheses = &hypotheses[..systems];
                    observe(&panel, &mut scratch, &mut states, hypotheses, &["a b c"]).unwrap();
                    observe(&panel, &mut clean_scratch, &mut clean, hypotheses, &["a b c"]).unwrap();
                }
                assert_eq!(stored(&states), stored(&clean), "{names:?}, system {failing} of {systems}");
            }
        }
    }
}

#[test]
fn a_segment_without_references_leaves_all_states_as_they_were() {
    // `distinct` and `fails` need no references, the others do.
    let panel = of(&["distinct", "fails", "bleu", "exact_match"]);
    let (mut scratch, mut states) = (panel.scratch(), [panel.zero(), panel.zero()]);
    observe(&panel, &mut scratch, &mut states, &["a b", "b a"], &["a b"]).unwrap();
    let before = stored(&states);
    observe(&panel, &mut scratch, &mut states, &["a b", "b a"], &[]).unwrap_err();
    assert_eq!(stored(&states), before);
    let free = of(&["distinct", "fails"]);
    let mut states = [free.zero()];
    observe(&free, &mut free.scratch(), &mut states, &["a b"], &[]).unwrap();
    assert_eq!(free.scores(&states[0]).unwrap().len(), 2);
}

#[test]
fn a_count_that_does_not_fit_leaves_all_states_as_they_were() {
    let panel = of(&["bleu", "distinct", "fails_hidden", "error_rate"]);
    let mut fresh = [panel.zero()];
    observe(&panel, &mut panel.scratch(), &mut fresh, &["a b"], &["a b"]).unwrap();
    // A count near the limit in one state: the first of those that do not subtract, the second, the linear ones.
    for (metric, from, to) in [
        (1, r#""all":1"#, format!(r#""all":{}"#, u64::MAX)),
        (2, r#""stats":2"#, format!(r#""stats":{}"#, u64::MAX)),
        (3, r#""hits":2"#, format!(r#""hits":{}"#, u64::MAX)),
    ] {
        let mut states = fresh[0].states().to_vec();
        let text = stored(&states[metric]).replacen(from, &to, 1);
        let mut read = serde_json::Deserializer::from_str(&text);
        let restore = panel.metrics().nth(metric).unwrap();
        states[metric] =
            restore.restore(&mut <dyn erased_serde::Deserializer<'_>>::erase(&mut read)).unwrap();
        let mut systems = [fresh[0].clone(), panel.state_of(states).unwrap()];
        let before = stored(&systems);
        assert!(before.contains(&u64::MAX.to_string()), "{before}");
        observe(&panel, &mut panel.scratch(), &mut systems, &["a b", "a b"], &["a b"]).unwrap_err();
        assert_eq!(stored(&systems), before);
        let full = systems[1].clone();
        assert!(panel.merge(&mut systems[1], &full).is_err());
        assert_eq!(stored(&systems), before);
    }
}

#[test]
fn scratch_and_states_of_another_panel_are_errors() {
    let big = of(&["bleu", "distinct", "error_rate"]);
    let others = [of(&["bleu", "distinct"]), of(&["bleu"]), of(&["distinct", "bleu", "error_rate"])];
    let other_views = of(&["bleu", "distinct", "exact_match"]);
    let mut states = [big.zero()];
    let before = stored(&states);
    for other in others.iter().chain([&other_views]) {
        observe(&big, &mut other.scratch(), &mut states, &["a b"], &["a b"]).unwrap_err();
        assert_eq!(stored(&states), before);
        let mut foreign = [other.zero()];
        observe(&big, &mut big.scratch(), &mut foreign, &["a b"], &["a b"]).unwrap_err();
        assert_eq!(stored(&foreign), stored(&[other.zero()]));
    }
    let two = ["a b", "a b"];
    observe(&big, &mut big.scratch(), &mut states, &two, &["a b"]).unwrap_err();
    assert_eq!(stored(&states), before);
}

#[test]
fn rows_of_the_metric_that_fails_are_rows() {
    assert_eq!(Fails.zero().row(), [0]);
    bleuprint::laws::check_any(&AnyMetric::over_tokens(Fails));
    bleuprint::laws::check_any(&AnyMetric::over_tokens(FailsHidden));
}
