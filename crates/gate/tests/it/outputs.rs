//! Tests that text, JSON, JUnit XML, summary and exit code agree, for all verdicts and texts.

use bleuprint_core::Scale;
use bleuprint_gate::{
    BoundMethod, GroupVerdict, Loss, NumberLimits, OnInconclusive, Outcome, Policy, Reason, ResampleUnit,
    RuleCheck, RuleVerdict, Verdict, write,
};
use bleuprint_metrics::registry;
use bleuprint_report::Colour;
use quickcheck::{Arbitrary, Gen, QuickCheck};

const OUTCOMES: [Outcome; 4] = [Outcome::Pass, Outcome::Inconclusive, Outcome::Fail, Outcome::Error];
const REASONS: [Reason; 12] = [
    Reason::LargerDrop,
    Reason::AtMostAllowed,
    Reason::TooSmall,
    Reason::TooFewUnits,
    Reason::NoBounds,
    Reason::AtLimit,
    Reason::NoDifference,
    Reason::FewSegments,
    Reason::Below,
    Reason::Above,
    Reason::Within,
    Reason::AcrossLimit,
];

#[derive(Debug, Clone)]
struct Random(Verdict);

fn hostile(g: &mut Gen) -> String {
    let texts = [
        "a|b",
        "<script>",
        "]]>",
        "x\u{1b}[31m",
        "`code`",
        "--",
        "@all",
        "&amp;",
        "\u{0}",
        "a\nb",
        "\u{fffe}",
    ];
    let picked = (*g.choose(&texts).unwrap()).to_owned();
    if bool::arbitrary(g) { picked } else { String::arbitrary(g) }
}

fn group(g: &mut Gen, outcome: Option<Outcome>) -> GroupVerdict {
    let number = |g: &mut Gen| Option::<f64>::arbitrary(g);
    GroupVerdict {
        label: Option::<()>::arbitrary(g).map(|()| hostile(g)),
        segments: u64::arbitrary(g),
        units: u64::arbitrary(g),
        outcome,
        reason: *g.choose(&REASONS).unwrap(),
        baseline: number(g),
        new: number(g),
        runs: Vec::arbitrary(g),
        drop: number(g),
        lower: number(g),
        upper: number(g),
        smallest: number(g),
        segments_needed: Option::arbitrary(g),
        improved: bool::arbitrary(g),
        method: Some(BoundMethod::Wilson).filter(|_| bool::arbitrary(g)),
        caution: Option::<()>::arbitrary(g).map(|()| hostile(g)),
    }
}

impl Arbitrary for Random {
    fn arbitrary(g: &mut Gen) -> Self {
        let inconclusive = *g.choose(&["report", "pass", "fail"]).unwrap();
        let gain = *g.choose(&["report", "pass"]).unwrap();
        let text = format!(
            "format = \"bleuprint-gate/1\"\n[on]\ninconclusive = \"{inconclusive}\"\ninconclusive-gain = \"{gain}\"\n[[rule]]\nmetric = \"bleu\"\nmin = 1"
        );
        let policy = Policy::parse("gate.toml", &text, &registry()).unwrap();
        let rule = |g: &mut Gen| {
            let outcome = *g.choose(&OUTCOMES).unwrap();
            let mut verdict = RuleVerdict::error(&policy.rules[0], None, hostile(g));
            (verdict.name, verdict.outcome) = (hostile(g), outcome);
            verdict.check = match bool::arbitrary(g) {
                true => RuleCheck::Drop { allowed: 0.5 },
                false => RuleCheck::Limits(NumberLimits {
                    part: Some(hostile(g)),
                    min: Some(1.0),
                    max: None,
                    confident: true,
                }),
            };
            (verdict.scale, verdict.unit) = (Scale::PERCENT, ResampleUnit::from_name("document"));
            verdict.signature = Some(hostile(g));
            if outcome != Outcome::Error {
                verdict.message = None;
                verdict.groups = vec![group(g, Some(outcome)), group(g, None)];
            }
            verdict
        };
        let count = usize::arbitrary(g) % 5;
        let rules = (0..count).map(|_| rule(g)).collect();
        let mut verdict = Verdict::new(&policy, rules);
        verdict.outputs = (0..usize::arbitrary(g) % 4).map(|_| hostile(g)).collect();
        verdict.losses = vec![Loss {
            segment: 3,
            points: f64::arbitrary(g),
            run: Option::<()>::arbitrary(g).map(|()| hostile(g)),
            text: hostile(g),
        }];
        Random(verdict)
    }
}

/// Returns `true` if an odd number of backslashes is before each occurrence of `mark` in a text of Markdown.
fn is_escaped(text: &str, mark: &str) -> bool {
    let backslashes = |at: usize| text[..at].bytes().rev().take_while(|&byte| byte == b'\\').count();
    text.match_indices(mark).all(|(at, _)| backslashes(at) % 2 == 1)
}

fn outputs_agree(Random(verdict): Random) -> bool {
    let name = verdict.outcome().name();
    let text = write::text(&verdict, Colour::Off);
    let exit = verdict.exit_code();
    let head = text.lines().next().unwrap();
    let json = write::json(&verdict);
    let read: serde_json::Value = serde_json::from_str(&json.to_string()).unwrap();
    let junit = write::junit(&verdict);
    let number = |attribute: &str| -> usize {
        let at = junit.find(&format!("{attribute}=\"")).unwrap() + attribute.len() + 2;
        junit[at..].split('"').next().unwrap().parse().unwrap()
    };
    let count = |outcome: Outcome| verdict.rules.iter().filter(|rule| rule.outcome == outcome).count();
    let empty = usize::from(verdict.rules.is_empty());
    let as_failures = verdict.on_inconclusive == OnInconclusive::Fail;
    let (failures, skipped) = match as_failures {
        true => {
            let gains = verdict.rules.iter().filter(|rule| verdict.is_passed_gain(rule)).count();
            (count(Outcome::Fail) + count(Outcome::Inconclusive) - gains, gains)
        }
        false => (count(Outcome::Fail), count(Outcome::Inconclusive)),
    };
    let summary = write::summary(&verdict);
    let signed: Vec<&str> =
        text.lines().filter(|line| line.chars().nth(2).is_some_and(|c| "+?x!".contains(c))).collect();
    // Several outputs are named as runs of one recipe, in all outputs.
    let several = verdict.outputs.len() > 1;
    let told = format!("over {} runs of one recipe", verdict.outputs.len());
    let recipe = head.contains(&told) == several
        && summary.contains(&told) == several
        && junit.matches("<property name=\"run\"").count() == if several { verdict.outputs.len() } else { 0 }
        && read["outputs"].as_array().unwrap().len() == verdict.outputs.len();
    // The exit code is 0 only if every rule passed, or if the policy lets inconclusive rules pass.
    let green = exit == 0;
    let may_be_green = !verdict.rules.is_empty()
        && verdict.rules.iter().all(|rule| {
            rule.outcome == Outcome::Pass
                || rule.outcome == Outcome::Inconclusive && verdict.on_inconclusive == OnInconclusive::Pass
                || verdict.is_passed_gain(rule)
        });
    head.starts_with(&name.to_uppercase())
        && recipe
        && head.ends_with(&format!("exit {exit}"))
        && read["verdict"] == name
        && read["exit"] == exit
        && read["rules"].as_array().unwrap().len() == verdict.rules.len()
        && (number("tests"), number("failures")) == (verdict.rules.len() + empty, failures)
        && (number("errors"), number("skipped")) == (count(Outcome::Error) + empty, skipped)
        && summary.lines().next().unwrap().ends_with(name)
        && signed.len() >= verdict.rules.len()
        && green == may_be_green
        && is_escaped(&summary, "<script>")
        && is_escaped(&summary, "`")
        && !junit.contains("<script>")
        && !text.contains('\u{1b}')
        && junit.chars().all(|c| c == '\n' || c >= ' ')
}

#[test]
fn all_outputs_say_the_same() {
    QuickCheck::new().tests(1000).quickcheck(outputs_agree as fn(Random) -> bool);
}

#[test]
fn a_summary_stays_below_what_hosts_take() {
    let text = "format = \"bleuprint-gate/1\"\n[[rule]]\nmetric = \"bleu\"\nmin = 1";
    let policy = Policy::parse("gate.toml", text, &registry()).unwrap();
    let mut rule = RuleVerdict::error(&policy.rules[0], None, "");
    (rule.message, rule.outcome) = (None, Outcome::Pass);
    let group =
        GroupVerdict { label: Some("|".repeat(1000)), ..group(&mut Gen::new(5), Some(Outcome::Pass)) };
    rule.groups = vec![group; 1000];
    let mut verdict = Verdict::new(&policy, vec![rule]);
    verdict.losses = vec![Loss { segment: 1, points: 1.0, run: None, text: "<".repeat(10_000_000) }];
    let summary = write::summary(&verdict);
    assert!(summary.len() < 1 << 20 && summary.contains("cut here"), "{}", summary.len());
}
