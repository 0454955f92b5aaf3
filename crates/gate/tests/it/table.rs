//! Tests of every row of the table of decisions, and of the cases that must never pass.

use crate::support::{evidence, exact_match, judged, judged_in, policy, rows, share, whole};
use bleuprint_core::{Accumulator, Segment};
use bleuprint_gate::{Evidence, JudgedGroup, Outcome, OutputCounts, Policy, Reason, Verdict, judge_rule};
use bleuprint_inference::{CountRows, rows_of};
use bleuprint_metrics::registry;

const TEST: &str = "resamples = 2000\nunit = \"segment\"";

fn case(segments: usize, before: usize, after: usize, rule: &str) -> (Outcome, Reason) {
    let metric = exact_match();
    let (baseline, new) = (share(&metric, segments, before), share(&metric, segments, after));
    let verdict = judged(&policy(TEST, rule), &baseline, &new);
    (verdict.outcome, verdict.groups[0].reason)
}

#[test]
fn a_large_drop_fails_and_a_small_one_passes() {
    assert_eq!(case(400, 8, 6, "max-drop = 5"), (Outcome::Fail, Reason::LargerDrop));
    assert_eq!(case(400, 8, 6, "max-drop = 30"), (Outcome::Pass, Reason::AtMostAllowed));
    assert_eq!(case(400, 6, 8, "max-drop = 0"), (Outcome::Pass, Reason::AtMostAllowed));
}

#[test]
fn what_cannot_be_told_is_inconclusive() {
    // 20 points down of 30 segments: the bounds contain 15, and such a drop would not be detected.
    assert_eq!(case(30, 8, 6, "max-drop = 15"), (Outcome::Inconclusive, Reason::TooSmall));
    assert_eq!(case(400, 8, 6, "max-drop = 20"), (Outcome::Inconclusive, Reason::AtLimit));
    assert_eq!(case(9, 8, 6, "max-drop = 90"), (Outcome::Inconclusive, Reason::TooFewUnits));
    assert_eq!(case(400, 8, 8, "max-drop = 0"), (Outcome::Pass, Reason::NoDifference));
    // Too few units say nothing, even if no segment differs: nine right answers could be nine lucky ones.
    assert_eq!(case(10, 8, 8, "max-drop = 0"), (Outcome::Pass, Reason::NoDifference));
    assert_eq!(case(9, 8, 8, "max-drop = 0"), (Outcome::Inconclusive, Reason::TooFewUnits));
    assert_eq!(case(1, 1, 0, "max-drop = 100"), (Outcome::Inconclusive, Reason::TooFewUnits));
}

#[test]
fn inconclusive_says_what_would_do() {
    let metric = exact_match();
    let (baseline, new) = (share(&metric, 30, 8), share(&metric, 30, 6));
    let verdict = judged(&policy(TEST, "max-drop = 15"), &baseline, &new);
    let group = &verdict.groups[0];
    // A rate: k √(w/n) + 1/n with k = 1.645 + 0.842 and w = max(0.2, k²/(n + k²)).
    let k = 1.644_853_627 + 0.841_621_234_f64;
    let smallest = 100.0 * (k * (0.2_f64.max(k * k / (30.0 + k * k)) / 30.0).sqrt() + 1.0 / 30.0);
    assert!((group.smallest.unwrap() - smallest).abs() < 1e-6);
    assert_eq!(group.segments_needed, Some(((smallest / 15.0).powi(2) * 30.0).ceil() as u64));
    let none = judged(&policy(TEST, "max-drop = 0"), &baseline, &new).groups[0].clone();
    assert_eq!(none.segments_needed, None);
}

#[test]
fn limits_are_numbers_or_bounds() {
    assert_eq!(case(400, 8, 6, "min = 60"), (Outcome::Pass, Reason::Within));
    assert_eq!(case(400, 8, 6, "min = 60.1"), (Outcome::Fail, Reason::Below));
    assert_eq!(case(400, 8, 6, "max = 59"), (Outcome::Fail, Reason::Above));
    let confident = |limit: &str| case(400, 8, 6, &format!("{limit}\ncompare = \"confident\""));
    assert_eq!(confident("min = 50"), (Outcome::Pass, Reason::Within));
    assert_eq!(confident("min = 60"), (Outcome::Inconclusive, Reason::AcrossLimit));
    assert_eq!(confident("min = 70"), (Outcome::Fail, Reason::Below));
    assert_eq!(confident("max = 50"), (Outcome::Fail, Reason::Above));
    assert_eq!(case(9, 8, 6, "min = 1\ncompare = \"confident\"").1, Reason::TooFewUnits);
}

#[test]
fn segments_without_a_number_have_a_limit() {
    let metric = registry().build("given:name=x,missing=skip").unwrap();
    let numbers = |missing: usize| -> OutputCounts {
        let state = |at: usize| {
            let numbers = [if at < missing { f64::NAN } else { 1.0 }];
            let segment = Segment::new(&numbers[..], &[]);
            bleuprint_core::State::of_segment(&metric, &mut Default::default(), segment).unwrap()
        };
        rows_of(&metric, &(0..20).map(state).collect::<Vec<_>>()).unwrap().into()
    };
    let text =
        "format = \"bleuprint-gate/1\"\n[[rule]]\nmetric = \"given:name=x,missing=skip\"\nmax-missing = 5\n";
    let policy = Policy::parse("gate.toml", text, &registry()).unwrap();
    let judge = |runs: &[OutputCounts]| {
        let evidence = Evidence { metric: &metric, baseline: None, runs, groups: whole(20), units: None };
        let verdict = judge_rule(&policy, &policy.rules[0], &evidence);
        (verdict.outcome, verdict.groups[0].new)
    };
    assert_eq!(judge(&[numbers(5)]), (Outcome::Pass, Some(5.0)));
    assert_eq!(judge(&[numbers(6)]), (Outcome::Fail, Some(6.0)));
    // Without any number there is no score, but the rule is judged; of several runs the worst decides.
    assert_eq!(judge(&[numbers(20)]), (Outcome::Fail, Some(20.0)));
    assert_eq!(judge(&[numbers(0), numbers(6)]), (Outcome::Fail, Some(6.0)));
    let error = |rule: &str| {
        let text = text.replace("max-missing = 5", rule);
        Policy::parse("gate.toml", &text, &registry()).unwrap_err().to_string()
    };
    assert!(error("max-missing = 5\nmin = 0.5").contains("`max-missing` is a rule of its own"));
    assert!(error("max-missing = 5\npart = \"missing\"").contains("it takes no `part`"));
}

#[test]
fn limits_beyond_the_range_of_scores_are_errors() {
    let error = |metric: &str, rule: &str| {
        let text = format!(
            "format = \"bleuprint-gate/1\"\nbaseline = \"a\"\n[[rule]]\nmetric = \"{metric}\"\n{rule}\n"
        );
        Policy::parse("gate.toml", &text, &registry()).map(|_| ()).map_err(|error| error.to_string())
    };
    let refused = error("given:name=x,scale=0..1", "max-drop = 2").unwrap_err();
    assert!(refused.contains("`max-drop` is 2, but no score can drop by more than 1"), "{refused}");
    assert!(error("bleu", "min = 101").unwrap_err().contains("scores are from 0 to 100"));
    assert!(error("wer", "max = -1").unwrap_err().contains("scores are at least 0"));
    for (metric, rule) in
        [("bleu", "min = 100"), ("bleu", "max-drop = 100"), ("wer", "max = 3"), ("wer", "max-drop = 9")]
    {
        assert_eq!(error(metric, rule), Ok(()), "{metric} {rule}");
    }
    // A part is on no scale.
    assert_eq!(error("exact_match", "part = \"matched\"\nmin = 240"), Ok(()));
}

#[test]
fn parts_have_limits_and_unknown_ones_are_errors() {
    assert_eq!(case(400, 8, 6, "part = \"matched\"\nmin = 240").0, Outcome::Pass);
    let metric = exact_match();
    let new = share(&metric, 20, 5);
    let verdict = judged(&policy(TEST, "part = \"ratio\"\nmin = 0.9"), &new, &new);
    assert_eq!(verdict.outcome, Outcome::Error);
    assert!(verdict.message.unwrap().contains("no part `ratio`; it has: matched"));
}

fn thirds(segments: usize, of: usize) -> Vec<JudgedGroup> {
    let group = |rest: usize| JudgedGroup {
        label: Some(format!("g{rest}")),
        segments: (0..segments).filter(|segment| segment % of == rest).collect(),
    };
    (0..of).map(group).collect()
}

#[test]
fn groups_are_judged_one_by_one_and_small_ones_are_listed() {
    let metric = exact_match();
    // Only the second of three groups drops.
    let baseline = rows(&metric, (0..600).map(|index| index % 7 != 0));
    let new = rows(&metric, (0..600).map(|index| index % 7 != 0 && (index % 3 != 1 || index % 5 != 0)));
    let mut groups = thirds(600, 3);
    groups.push(JudgedGroup { label: Some("few".to_owned()), segments: vec![0, 1] });
    let policy = policy(TEST, "by = \"domain\"\nmax-drop = 5\nmin-segments = 50");
    let verdict = judged_in(&policy, &baseline, &new, groups);
    assert_eq!(verdict.outcome, Outcome::Fail);
    let told: Vec<_> = verdict
        .groups
        .iter()
        .map(|group| (group.label.as_deref().unwrap(), group.outcome, group.reason))
        .collect();
    assert_eq!(
        told,
        [
            ("g1", Some(Outcome::Fail), Reason::LargerDrop),
            ("g0", Some(Outcome::Pass), Reason::NoDifference),
            ("g2", Some(Outcome::Pass), Reason::NoDifference),
            ("few", None, Reason::FewSegments),
        ]
    );
}

#[test]
fn the_confidence_of_a_fail_is_shared_among_groups() {
    let metric = exact_match();
    let baseline = rows(&metric, (0..4000).map(|_| true));
    // 5 of 100 wrong in every group: alone the lower bound is above 1, among 40 groups it is not.
    let new = rows(&metric, (0..4000).map(|index| index / 40 % 20 != 3));
    let alone = policy("resamples = 4000\nunit = \"segment\"", "max-drop = 1.5");
    let group = vec![thirds(4000, 40)[7].clone()];
    assert_eq!(judged_in(&alone, &baseline, &new, group).outcome, Outcome::Fail);
    let many = judged_in(&alone, &baseline, &new, thirds(4000, 40));
    assert_eq!(many.outcome, Outcome::Inconclusive, "{many:?}");
    let few = policy("resamples = 100\nunit = \"segment\"", "max-drop = 1.5");
    let message = judged_in(&few, &baseline, &new, thirds(4000, 40)).message.unwrap();
    assert!(
        message.contains("100 resamples cannot show a confidence of 0.95 shared among groups; it takes 800")
    );
}

#[test]
fn segments_of_a_document_move_together() {
    let metric = exact_match();
    let (baseline, new) =
        (share(&metric, 400, 8), rows(&metric, (0..400).map(|index| index % 10 < 8 && index > 80)));
    let documents: Vec<String> = (0..400).map(|index| (index / 20).to_string()).collect();
    let policy = policy("resamples = 2000", "max-drop = 5");
    let mut evidence = evidence(&metric, &baseline, &new, whole(400));
    let by_segment = judge_rule(&policy, &policy.rules[0], &evidence);
    evidence.units = Some(("document", &documents));
    let by_document = judge_rule(&policy, &policy.rules[0], &evidence);
    assert_eq!((by_segment.groups[0].units, by_document.groups[0].units), (400, 20));
    let width = |verdict: &bleuprint_gate::RuleVerdict| {
        verdict.groups[0].upper.unwrap() - verdict.groups[0].lower.unwrap()
    };
    assert!(width(&by_document) > 1.5 * width(&by_segment));
    assert_eq!((by_segment.outcome, by_document.outcome), (Outcome::Fail, Outcome::Inconclusive));
}

#[test]
fn nothing_judged_is_an_error() {
    let metric = exact_match();
    let new = share(&metric, 20, 5);
    let policy = policy(TEST, "by = \"domain\"\nmax-drop = 5\nmin-segments = 50");
    for groups in [Vec::new(), thirds(20, 2)] {
        let verdict = judged_in(&policy, &new, &new, groups);
        assert_eq!(verdict.outcome, Outcome::Error);
        assert!(verdict.message.unwrap().contains("nothing was judged"));
    }
    let nothing = Verdict::new(&policy, Vec::new());
    assert_eq!((nothing.outcome(), nothing.exit_code()), (Outcome::Error, 2));
    assert!(bleuprint_gate::write::junit(&nothing).contains("errors=\"1\""));
}

#[test]
fn counts_that_give_no_score_are_errors() {
    let metric = exact_match();
    let empty = CountRows::with_columns(3).into();
    let verdict = judged(&policy(TEST, "max-drop = 5"), &empty, &empty);
    assert_eq!(verdict.outcome, Outcome::Error);
    // A number of segments other than the baseline's.
    let (one, other) = (share(&metric, 30, 5), share(&metric, 20, 5));
    assert_eq!(judged(&policy(TEST, "max-drop = 5"), &one, &other).outcome, Outcome::Error);
}

#[test]
fn lower_is_better_where_the_metric_says_so() {
    let metric: bleuprint_registry::AnyMetric =
        bleuprint_registry::AnyMetric::for_ids(bleuprint_metrics::EditRate::ER).unwrap();
    let rows = |wrong: usize| -> OutputCounts {
        let state = |index: usize| {
            let hypothesis: &[u32] = if index % 10 < wrong { &[1, 2] } else { &[1, 3] };
            let references: [&[u32]; 1] = [&[1, 3]];
            let segment = bleuprint_core::Segment::new(hypothesis, &references);
            bleuprint_core::State::of_segment(&metric, &mut Default::default(), segment).unwrap()
        };
        bleuprint_inference::rows_of(&metric, &(0..300).map(state).collect::<Vec<_>>()).unwrap().into()
    };
    let (few, many) = (rows(1), rows(6));
    let policy = policy(TEST, "max-drop = 2");
    let judge = |baseline: &OutputCounts, new: &OutputCounts| {
        judge_rule(&policy, &policy.rules[0], &evidence(&metric, baseline, new, whole(300)))
    };
    let worse = judge(&few, &many);
    assert_eq!((worse.outcome, worse.groups[0].drop), (Outcome::Fail, Some(25.0)));
    let better = judge(&many, &few);
    assert!(better.outcome == Outcome::Pass && better.groups[0].improved);
}

/// Checks that statistics that are not rows are judged by merging states, as rows are by summing.
#[test]
fn states_are_judged_as_rows_are() {
    let metric = exact_match();
    let states = |right: usize| -> OutputCounts {
        let mut states = Accumulator::<_, str>::new(&metric);
        let state = |at: usize| states.push(if at % 10 < right { "a" } else { "b" }, &["a"]).unwrap();
        OutputCounts::States((0..60).map(state).collect())
    };
    let documents: Vec<String> = (0..60).map(|segment| (segment / 4).to_string()).collect();
    for test in ["resamples = 200", "resamples = 200\nmethod = \"paired-randomization\""] {
        let policy = policy(test, "max-drop = 5");
        for units in [None, Some(("document", &documents[..]))] {
            let judge = |baseline: &OutputCounts, new: &OutputCounts| {
                let evidence = Evidence { units, ..evidence(&metric, baseline, new, whole(60)) };
                judge_rule(&policy, &policy.rules[0], &evidence)
            };
            let by_rows = judge(&share(&metric, 60, 8), &share(&metric, 60, 7));
            assert_eq!(judge(&states(8), &states(7)), by_rows, "{test}");
            assert_eq!(judge(&states(8), &states(8)).groups[0].reason, Reason::NoDifference);
        }
    }
}
