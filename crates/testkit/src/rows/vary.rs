//! Variations of JSON values, for segments that resemble given ones.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::row::RowSegment;
use crate::random::Rng;

/// Greatest number of given segments that are varied.
const SEEDS: usize = 60;
/// Greatest length of a segment as JSON. The laws observe every segment hundreds of times.
const LONGEST: usize = 1500;

/// Returns the given segments and variations of them that are accepted: `count` of them, if the draws of `seed` find so
/// many different ones.
pub(super) fn drawn<T>(
    given: &[RowSegment],
    count: usize,
    seed: u64,
    accepted: &dyn Fn(&RowSegment) -> Option<T>,
) -> Vec<T> {
    let short = |segment: &&RowSegment| shown(segment).to_string().len() <= LONGEST;
    let seeds: Vec<&RowSegment> =
        given.iter().filter(short).filter(|segment| accepted(segment).is_some()).take(SEEDS).collect();
    let mut all = Vec::new();
    let mut values = Vec::new();
    let mut seen = HashSet::new();
    for segment in &seeds {
        if seen.insert(shown(segment).to_string()) {
            all.extend(accepted(segment));
        }
        scalars(&shown(segment), &mut values);
    }
    let mut rng = Rng::new(seed);
    for _ in 0..10 * count {
        if seeds.is_empty() || all.len() >= count {
            break;
        }
        let mut segment = shown(rng.pick::<&RowSegment>(&seeds));
        for _ in 0..rng.between(1, 4) {
            segment = varied(&segment, &values, &mut rng);
        }
        if !seen.insert(segment.to_string()) {
            continue;
        }
        if let Ok(segment) = serde_json::from_value(segment) {
            all.extend(accepted(&segment));
        }
    }
    all
}

/// Returns a segment as JSON, with all references in one list.
pub(super) fn shown(segment: &RowSegment) -> Value {
    let references: Vec<&Value> = segment.all_references().collect();
    json!({ "hypothesis": segment.hypothesis, "references": references, "source": segment.source })
}

/// Returns the texts, numbers and truth values in `value`.
fn scalars(value: &Value, all: &mut Vec<Value>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| scalars(item, all)),
        Value::Object(entries) => entries.values().for_each(|item| scalars(item, all)),
        scalar if all.contains(scalar) => {}
        scalar => all.push(scalar.clone()),
    }
}

/// Returns `value` with one change: an item of a list or a word of a text is left out, doubled, moved or varied,
/// or a scalar is replaced by one of `scalars` of its kind.
fn varied(value: &Value, scalars: &[Value], rng: &mut Rng) -> Value {
    match value {
        Value::Array(items) if !items.is_empty() => {
            let mut items = items.clone();
            let at = rng.below(items.len());
            let vary = |item: &Value, rng: &mut Rng| varied(item, scalars, rng);
            change(&mut items, at, rng, vary);
            Value::Array(items)
        }
        Value::Object(entries) if !entries.is_empty() => {
            let mut entries = entries.clone();
            let at = rng.below(entries.len());
            if let Some(item) = entries.values_mut().nth(at) {
                *item = varied(item, scalars, rng);
            }
            Value::Object(entries)
        }
        Value::String(text) if text.contains(' ') => {
            let mut words: Vec<&str> = text.split(' ').collect();
            let at = rng.below(words.len());
            change(&mut words, at, rng, |_, _| "x");
            Value::String(words.join(" "))
        }
        scalar => {
            let kind = std::mem::discriminant(scalar);
            let same: Vec<&Value> =
                scalars.iter().filter(|one| std::mem::discriminant(*one) == kind).collect();
            if same.is_empty() { scalar.clone() } else { (*rng.pick(&same)).clone() }
        }
    }
}

fn change<T: Clone>(items: &mut Vec<T>, at: usize, rng: &mut Rng, vary: impl Fn(&T, &mut Rng) -> T) {
    match rng.below(6) {
        0 => drop(items.remove(at)),
        1 => items.insert(at, items[at].clone()),
        2 => {
            let other = rng.below(items.len());
            items.swap(at, other);
        }
        _ => items[at] = vary(&items[at], rng),
    }
}
