//! The golden rows of the families of metrics, by the names of the metrics: over texts, and over data of their own.

use std::sync::Arc;

use bleuprint::eval::evaluation::{SegmentPart, read_own};
use bleuprint::{Accumulator, AnyScore, Observe, Panel, Result, Segment};
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    name: String,
    program: String,
    spec: String,
    segments: Vec<Record>,
    /// Names of numbers, and their values; none for an error.
    numbers: Vec<String>,
    expected: Option<Vec<Value>>,
    /// The score of each segment.
    each: Option<Vec<f64>>,
    tolerance: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Record {
    hypothesis: Value,
    /// One, which may be a list.
    reference: Option<Value>,
    #[serde(default)]
    references: Vec<Value>,
    source: Option<Value>,
}

/// The numbers of all segments, and the score of each.
fn scored<S: ?Sized>(
    row: &Row,
    panel: &Panel,
    read: impl Fn(SegmentPart, &Value) -> Arc<S>,
) -> Result<(Vec<Value>, Vec<f64>)>
where
    Panel: Observe<S>,
{
    let mut all = Accumulator::<&Panel, S>::new(panel);
    let mut each = Vec::new();
    for Record { hypothesis, reference, references, source } in &row.segments {
        let hypothesis = read(SegmentPart::Hypothesis, hypothesis);
        let references = reference.iter().chain(references).map(|own| read(SegmentPart::Reference, own));
        let references: Vec<Arc<S>> = references.collect();
        let references: Vec<&S> = references.iter().map(|own| &**own).collect();
        let source = source.as_ref().map(|own| read(SegmentPart::Source, own));
        let state = all.push_segment(Segment::with_source(&*hypothesis, &references, source.as_deref()))?;
        if row.each.is_some() {
            each.push(panel.scores(&state)?[0].score.value);
        }
    }
    let score = &panel.scores(all.total())?[0].score;
    Ok((row.numbers.iter().map(|name| number(score, name)).collect(), each))
}

fn number(score: &AnyScore, name: &str) -> Value {
    let part = score.parts.iter().find(|part| part.key == name);
    let headline = score.headlines.iter().find(|(known, _)| known == name);
    match (name, part, headline) {
        ("score", ..) => json!(score.value),
        (_, Some(part), _) => serde_json::to_value(&part.value).unwrap(),
        (_, _, headline) => json!(headline.unwrap_or_else(|| panic!("no {name} in {score:?}")).1),
    }
}

/// Only numbers may be refused, not options and records.
fn found(row: &Row) -> Result<(Vec<Value>, Vec<f64>)> {
    let metric = bleuprint::registry().build(&row.spec).unwrap();
    let Some(form) = metric.view.form else {
        let panel = bleuprint::metric(&row.spec).unwrap();
        return scored::<str>(row, &panel, |_, value| value.as_str().unwrap().into());
    };
    let panel = Panel::for_own([metric]).unwrap();
    scored(row, &panel, |part, value| read_own(&form, part, "the segment", value).unwrap())
}

fn near(found: &Value, expected: &Value, tolerance: f64) -> bool {
    match (found.as_f64(), expected.as_f64()) {
        (Some(found), Some(expected)) => found == expected || (found - expected).abs() <= tolerance,
        _ => found == expected,
    }
}

#[test]
fn golden_rows_of_families_have_their_values() {
    let text = std::fs::read_to_string("../testkit/data/families/golden.jsonl").unwrap();
    let rows: Vec<Row> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for row in &rows {
        let (place, expected) = (format!("{} of {}, {}", row.name, row.program, row.spec), &row.expected);
        let (numbers, each) = match (found(row), expected) {
            (Err(_), None) => continue,
            (Ok(found), Some(_)) => found,
            (found, _) => panic!("{place}: {found:?}, not {expected:?}"),
        };
        let each: Vec<Value> = each.into_iter().map(Value::from).collect();
        let wanted: Vec<Value> = row.each.iter().flatten().copied().map(Value::from).collect();
        for (found, expected) in [(numbers, expected.clone().unwrap()), (each, wanted)] {
            let same = found.iter().zip(&expected).all(|(found, one)| near(found, one, row.tolerance));
            assert!(found.len() == expected.len() && same, "{place}: {found:?}, not {expected:?}");
        }
    }
    // 907 rows of programs, of which 22 are of four units each.
    assert_eq!(rows.len(), 907 + 3 * 22);
}

/// A family is a dependency whose name is its feature; its page describes it.
#[test]
fn the_page_of_features_lists_every_feature_that_is_no_dependency() {
    let manifest = include_str!("../../Cargo.toml");
    let (_, features) = manifest.split_once("[features]\n").unwrap();
    let (features, _) = features.split_once("\n[").unwrap();
    let names: Vec<&str> = features.lines().filter_map(|line| Some(line.split_once(" = [")?.0)).collect();
    assert!(names.len() > 12);
    let page = include_str!("../../../../docs/features.md");
    for name in names.into_iter().filter(|name| *name != "default") {
        assert!(page.contains(&format!("\n| `{name}` | ")), "{name}");
    }
}
