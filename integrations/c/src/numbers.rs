//! Converts scores to JSON. Numbers keep all their digits; NaN and infinities are written, too.

use bleuprint::contract::{Direction, PartValue, ValueTag};
use bleuprint::report::{LineStyle, line, verbose};
use bleuprint::{AnyScore, Scored};
use serde_json::{Number, Value, json};

/// Returns a number as JSON. JSON has no NaN and no infinity, so they become objects such as
/// `{"$bleuprint::non_finite": "NaN"}`, as in the data of segments.
pub(crate) fn number(value: f64) -> Value {
    let text = match value {
        _ if value.is_nan() => "NaN",
        f64::INFINITY => "Infinity",
        f64::NEG_INFINITY => "-Infinity",
        _ => return Number::from_f64(value).map_or(Value::Null, Value::Number),
    };
    json!({ ValueTag::NonFinite.key(): text })
}

fn part(value: &PartValue) -> Value {
    match value {
        PartValue::Count(count) => (*count).into(),
        PartValue::Counts(counts) => counts.clone().into(),
        PartValue::Number(value) => number(*value),
        PartValue::Numbers(values) => values.iter().copied().map(number).collect(),
        PartValue::Points(points) => points.iter().map(|&(x, y)| json!([number(x), number(y)])).collect(),
        PartValue::Pairs(pairs) => pairs.iter().map(|pair| json!(pair)).collect(),
    }
}

/// Returns a score as a JSON object; `segments` is the number of segments that it covers. `headlines` (the
/// main numbers) and `parts` are lists of names and values, because lists keep the order.
pub(crate) fn score_json(scored: &Scored<AnyScore>, segments: u64) -> Value {
    let Scored { score, signature } = scored;
    let headlines = score.headlines.iter().map(|(name, value)| json!([name, number(*value)]));
    let parts = score.parts.iter().map(|own| json!([own.key, part(&own.value)]));
    json!({
        "name": score.name,
        "score": number(score.value),
        "signature": signature.to_string(),
        "short_signature": signature.short(),
        "line": line(scored, None, LineStyle::default()),
        "details": verbose(&score.parts),
        "higher_is_better": score.scale.direction == Direction::HigherIsBetter,
        "segments": segments,
        "headlines": headlines.collect::<Vec<_>>(),
        "parts": parts.collect::<Vec<_>>(),
    })
}
