//! Writes scores as JSON: sacreBLEU's keys, then the numbers that make up a score, such as precisions, all
//! unrounded.

use bleuprint_core::{PartValue, ScorePart, Scored};
use bleuprint_registry::AnyScore;
use serde::Serialize as _;
use serde_json::{Map, Value};

use crate::{Confidence, LineStyle, headers, verbose};

/// JSON keys that every score object has. A signature field with one of these names gets no separate key; it
/// appears only within the signature.
const OWN: [&str; 3] = ["score", "signature", "verbose_score"];

/// Returns one score as a JSON object.
///
/// The keys are sacreBLEU's: `name`, `score`, `signature`, `verbose_score`, then every entry of the signature
/// as a string. The numbers that make up the score, such as precisions, follow under their own names.
/// Headline numbers that are not among these keys are added. The keys keep this order if the program turns on
/// `serde_json/preserve_order`, as the command line does; else they are sorted. Numbers are not rounded; NaN
/// and infinity become `null`. An interval adds `confidence_mean`, `confidence_var` and, as text,
/// `confidence`.
pub fn json(scored: &Scored<AnyScore>, confidence: Option<Confidence>, style: LineStyle) -> Value {
    let Scored { score, signature } = scored;
    let mut object = Map::new();
    object.insert("name".to_owned(), score.name.clone().into());
    object.insert("score".to_owned(), number(score.value));
    object.insert("signature".to_owned(), signature.body().into());
    if let Some(confidence) = confidence {
        object.insert("confidence_mean".to_owned(), number(confidence.mean));
        // sacreBLEU uses this key for the half width of the interval, not for a variance.
        object.insert("confidence_var".to_owned(), number(confidence.half_width));
        object.insert("confidence".to_owned(), confidence.words(&score.scale, style).into());
    }
    if let Some(parts) = verbose(&score.parts) {
        object.insert("verbose_score".to_owned(), parts.into());
    }
    // The order of insertion matters: a later key of the same name would replace the score itself.
    for (key, value) in signature.entries().filter(|(key, _)| !OWN.contains(key)) {
        object.insert(key.to_owned(), value.into());
    }
    for ScorePart { key, value, .. } in &score.parts {
        object.insert(key.clone().into_owned(), part(value));
    }
    if score.headlines.len() > 1 {
        for (name, value) in &score.headlines {
            // A headline that is also a part is there already, with the same number.
            object.entry(name.as_ref()).or_insert_with(|| number(*value));
        }
    }
    Value::Object(object)
}

/// Returns the scores of several systems as a JSON list with one object for each system. An object has
/// `system`, each score under its metric's name, and the full score objects in `scores`.
pub fn systems_json(systems: &[(String, Vec<Scored<AnyScore>>)], style: LineStyle) -> Value {
    let system = |(name, scores): &(String, Vec<Scored<AnyScore>>)| {
        let mut object = Map::new();
        object.insert("system".to_owned(), name.clone().into());
        for (metric, scored) in headers(scores).into_iter().zip(scores) {
            object.insert(metric, number(scored.score.value));
        }
        object.insert("scores".to_owned(), scores.iter().map(|scored| json(scored, None, style)).collect());
        Value::Object(object)
    };
    systems.iter().map(system).collect()
}

/// Returns a JSON value as text, indented by `spaces` spaces. sacreBLEU indents scores by one space and lists
/// of systems by four.
pub fn pretty(value: &Value, spaces: usize) -> String {
    let mut bytes = Vec::new();
    let indent = " ".repeat(spaces);
    let formatter = serde_json::ser::PrettyFormatter::with_indent(indent.as_bytes());
    let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, formatter);
    match value.serialize(&mut serializer) {
        Ok(()) => String::from_utf8(bytes).unwrap_or_default(),
        // Values in memory always serialize; the compact form differs only in its indentation.
        Err(_) => value.to_string(),
    }
}

fn part(value: &PartValue) -> Value {
    match value {
        PartValue::Count(count) => (*count).into(),
        PartValue::Counts(counts) => counts.clone().into(),
        PartValue::Number(value) => number(*value),
        PartValue::Numbers(values) => values.iter().map(|value| number(*value)).collect(),
        PartValue::Points(points) => {
            points.iter().map(|&(x, y)| Value::from(vec![number(x), number(y)])).collect()
        }
        PartValue::Pairs(pairs) => pairs.iter().map(|pair| serde_json::json!(pair)).collect(),
    }
}

pub(crate) fn number(value: f64) -> Value {
    // JSON has neither NaN nor infinity.
    serde_json::Number::from_f64(value).map_or(Value::Null, Value::Number)
}

#[cfg(test)]
mod tests {
    use bleuprint_core::{Accumulator, Identity, PerSegment, Scale, Segment};
    use bleuprint_registry::AnyMetric;

    use super::*;

    #[test]
    fn no_field_of_a_signature_hides_the_score() {
        let identity = OWN.into_iter().fold(Identity::new("hiding", 1, Scale::UNIT), |identity, key| {
            identity.counted(key, key, "hidden")
        });
        let half = AnyMetric::for_text(PerSegment::new(identity, |_: Segment<'_, str>| Ok(0.5)));
        let mut all = Accumulator::<_, str>::new(&half);
        all.push("a", &["a"]).unwrap();
        let object = json(&all.score().unwrap(), None, LineStyle::default());
        assert_eq!(object["score"], 0.5);
        assert!(object["signature"].as_str().unwrap().contains("score:hidden"), "{object}");
        assert_ne!(object["verbose_score"], "hidden");
    }
}
