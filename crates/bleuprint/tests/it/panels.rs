//! Panels observe a segment wholly or not at all: over all metrics, over all systems, whatever fails where.

use crate::support::{Distinct2, named, panel, stored};
use bleuprint::eval::{Panel, PanelScratch, stream_systems};
use bleuprint::{
    Accumulator, AnyMetric, Case, Identity, InputError, Metric, Observe, Result, Scale, Segment,
    SegmentCounts, State, Stats, contract::Linear,
};
use serde::{Deserialize, Serialize};

/// Counts tokens, and fails where one is `boom`; its statistics are a row of counts, or no row.
#[derive(Debug, Clone)]
struct Fails;

/// A count that hides that it is one.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Hidden(u64);

impl Stats for Hidden {
    fn merge(&mut self, other: &Self) -> Result<()> {
        // With the default `check_merge`: what may fail is found by it all the same.
        let too_many = || InputError::malformed_state("too many");
        self.0 = self.0.checked_add(other.0).ok_or_else(too_many)?;
        Ok(())
    }
}

#[derive(Debug, Clone)]
struct FailsHidden;

fn tokens_of<T: AsRef<str>>(segment: &Segment<'_, [T]>) -> Result<u64> {
    if segment.hypothesis.iter().any(|token| token.as_ref() == "boom") {
        return Err(InputError::malformed("boom"));
    }
    Ok(segment.hypothesis.len() as u64)
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
            fn finalize(&self, _: &$Stats, counts: &SegmentCounts) -> Result<f64> {
                Ok(counts.segments as f64)
            }
        }

        impl<T: AsRef<str>> Observe<[T]> for $Metric {
            fn observe(&self, (): &mut (), stats: &mut $Stats, segment: Segment<'_, [T]>) -> Result<()> {
                stats.merge(&$new(tokens_of(&segment)?))
            }
        }
    };
}

fails!(Fails, "fails", [u64; 1], |tokens| [tokens]);
fails!(FailsHidden, "fails_hidden", Hidden, Hidden);

fn metric(name: &str) -> AnyMetric {
    match name {
        "fails" => AnyMetric::for_tokens(Fails),
        "fails_hidden" => AnyMetric::for_tokens(FailsHidden),
        "distinct" => AnyMetric::for_tokens(Distinct2),
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

/// A corpus of one system, pushed segment by segment.
type Pushed<'p> = Accumulator<&'p Panel, str>;

#[test]
fn a_failing_segment_leaves_the_states_of_all_metrics_as_they_were() {
    for names in panels() {
        let panel = of(&names);
        let (mut corpus, mut clean) = (Pushed::new(&panel), Pushed::new(&panel));
        for (number, hypotheses) in GOOD.iter().enumerate() {
            if number == 2 {
                let before = corpus.total().clone();
                let error = corpus.push("a boom b", &["a b c"]).unwrap_err();
                assert_eq!(error.to_string(), "segment 3: boom");
                assert_eq!(corpus.total(), &before, "{names:?}");
            }
            corpus.push(hypotheses[0], &["a b c"]).unwrap();
            clean.push(hypotheses[0], &["a b c"]).unwrap();
        }
        assert_eq!(corpus.total(), clean.total(), "{names:?}");
    }
}

#[test]
fn a_failing_system_leaves_no_states() {
    for names in panels() {
        let panel = of(&names);
        for failing in 0..3 {
            let mut number = 0;
            let error = stream_systems(&panel, |batch| {
                let Some(hypotheses) = GOOD.get(number) else { return Ok(false) };
                let mut hypotheses = *hypotheses;
                if number == 1 {
                    hypotheses[failing] = "a boom b";
                }
                number += 1;
                batch.push(hypotheses, ["a b c"], None).map(|()| true)
            });
            assert_eq!(error.unwrap_err().to_string(), "segment 2: boom", "{names:?}, system {failing}");
        }
    }
}

#[test]
fn a_segment_without_references_leaves_all_states_as_they_were() {
    // `distinct` and `fails` need no references, the others do.
    let panel = of(&["distinct", "fails", "bleu", "exact_match"]);
    let mut corpus = Pushed::new(&panel);
    corpus.push("a b", &["a b"]).unwrap();
    let before = corpus.total().clone();
    corpus.push("a b", &[]).unwrap_err();
    assert_eq!(corpus.total(), &before);
    let free = of(&["distinct", "fails"]);
    let mut corpus = Pushed::new(&free);
    corpus.push("a b", &[]).unwrap();
    assert_eq!(free.scores(corpus.total()).unwrap().len(), 2);
}

#[test]
fn a_count_that_does_not_fit_leaves_all_states_as_they_were() {
    let panel = of(&["bleu", "distinct", "fails_hidden", "error_rate"]);
    let fresh = panel.states(&crate::support::observed(&panel, &[("a b", "a b")])).unwrap();
    // A count near the limit in one state: the first of those that do not subtract, the second, the rows.
    for (metric, from, to) in [
        (1, r#""all":1"#, format!(r#""all":{}"#, u64::MAX)),
        (2, r#""stats":2"#, format!(r#""stats":{}"#, u64::MAX)),
        (3, r#""hits":2"#, format!(r#""hits":{}"#, u64::MAX)),
    ] {
        let mut states = fresh.clone();
        let text = stored(&states[metric]).replacen(from, &to, 1);
        let of_metric = panel.metrics().nth(metric).unwrap();
        states[metric] = State::read(of_metric, &mut serde_json::Deserializer::from_str(&text)).unwrap();
        let mut corpus = Pushed::new(&panel);
        corpus.merge(&panel.state_of(states).unwrap()).unwrap();
        let before = corpus.total().clone();
        assert!(stored(&before).contains(&u64::MAX.to_string()));
        corpus.push("a b", &["a b"]).unwrap_err();
        assert_eq!(corpus.total(), &before);
        assert!(corpus.merge(&before).is_err());
        assert_eq!(corpus.total(), &before);
    }
}

#[test]
fn scratch_of_another_panel_changes_nothing_and_its_statistics_are_errors() {
    let big = of(&["bleu", "distinct", "error_rate"]);
    let others = [of(&["bleu", "distinct"]), of(&["bleu"]), of(&["distinct", "bleu", "error_rate"])];
    let other_views = of(&["bleu", "distinct", "exact_match"]);
    let segment = Segment::new("a b", &["a b"]);
    let mut expected = big.zero();
    big.observe(&mut PanelScratch::default(), &mut expected, segment).unwrap();
    for other in others.iter().chain([&other_views]) {
        let (mut scratch, mut foreign, mut own) = (PanelScratch::default(), other.zero(), big.zero());
        other.observe(&mut scratch, &mut foreign, segment).unwrap();
        big.observe(&mut scratch, &mut own, segment).unwrap();
        assert_eq!(own, expected);
        let before = foreign.clone();
        big.observe(&mut scratch, &mut foreign, segment).unwrap_err();
        assert_eq!(foreign, before);
    }
}

#[test]
fn rows_of_the_metric_that_fails_are_rows() {
    assert_eq!(Fails.zero().row(), [0]);
    bleuprint::contract::laws::check_any(&AnyMetric::for_tokens(Fails));
    bleuprint::contract::laws::check_any(&AnyMetric::for_tokens(FailsHidden));
}
