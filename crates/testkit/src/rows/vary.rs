//! Variations of JSON values, for segments that resemble given ones.

use serde_json::Value;

use crate::random::Rng;

/// Returns the texts, numbers and truth values in `value`.
pub(super) fn scalars(value: &Value, all: &mut Vec<Value>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| scalars(item, all)),
        Value::Object(entries) => entries.values().for_each(|item| scalars(item, all)),
        scalar if all.contains(scalar) => {}
        scalar => all.push(scalar.clone()),
    }
}

/// Returns `value` with one change: an item of a list or a word of a text is left out, doubled, moved or varied,
/// or a scalar is replaced by one of `scalars` of its kind.
pub(super) fn varied(value: &Value, scalars: &[Value], rng: &mut Rng) -> Value {
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
