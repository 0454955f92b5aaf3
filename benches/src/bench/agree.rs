//! Comparison of a peer's answer with ours: a speed is meaningful only if the results are equal.

use serde_json::Value;

/// Difference below which scores count as equal, because programs add floats in different orders.
const CLOSE: f64 = 1e-9;

#[rustfmt::skip]
const REASONS: &[(&str, &str, &str)] = &[
    ("rapidfuzz", "wer", "it is given the words between spaces, and runs of other whitespace separate too"),
    ("werx", "wer", "it splits at any whitespace"),
    ("NumPy", "bootstrap", "it finishes resamples in double precision, sacreBLEU in single"),
    ("NLTK", "corpus-tokens", "it takes every segment to have at least one n-gram of each order"),
    ("fast-bleu", "self-bleu", "it smooths as NLTK's method 1 and has no effective order"),
    ("NLTK", "sentence-tokens", "it has no effective order for sentences of less than four tokens"),
];

/// Describes how two answers to a task agree, with the reason of a known difference.
pub(crate) fn agreement(engine: &str, task: &str, ours: &Value, theirs: &Value) -> String {
    let told = match task {
        _ if ours["scores"].is_array() => sentences(&ours["scores"], &theirs["scores"]),
        "tokenize" => lines(&ours["lines"], &theirs["lines"]),
        _ => corpus(ours, theirs),
    };
    // The texts below contain these words only if something differs; a reason next to equal results would
    // confuse.
    let differs = told.contains(" for our ") || told.contains(" of ");
    let reason = REASONS.iter().find(|(name, of, _)| differs && (*name, *of) == (engine, task));
    reason.map_or(told.clone(), |(_, _, reason)| format!("{told}: {reason}"))
}

/// Compares two corpus scores: counts if the peer reports them, otherwise lengths and precisions, and then
/// the score.
fn corpus(ours: &Value, theirs: &Value) -> String {
    let mut parts = Vec::new();
    for key in ["counts", "totals", "sys_len", "ref_len"] {
        // Some programs print lengths as integers and others as floats, so lengths are compared as numbers.
        let differs = match (ours[key].as_f64(), theirs[key].as_f64()) {
            (Some(ours), Some(theirs)) => ours != theirs,
            _ => ours[key] != theirs[key],
        };
        if differs && !theirs[key].is_null() {
            parts.push(format!("{key} {} for our {}", theirs[key], ours[key]));
        }
    }
    if let Some(precisions) = theirs["precisions"].as_array() {
        let differs = precisions.iter().enumerate().any(|(order, precision)| {
            let part = |key: &str| ours[key][order].as_f64().unwrap_or(f64::NAN);
            precision.as_f64() != Some(part("counts") / part("totals"))
        });
        if differs {
            parts.push("other precisions".to_owned());
        }
    }
    if parts.is_empty() {
        let told = theirs["counts"].is_array() || theirs["precisions"].is_array();
        parts.push(if told { "counts equal" } else { "counts not told" }.to_owned());
    }
    parts.push(score(number(&ours["score"]), number(&theirs["score"])));
    parts.join(", ")
}

fn score(ours: f64, theirs: f64) -> String {
    if ours.to_bits() == theirs.to_bits() {
        "score equal to the last bit".to_owned()
    } else if (ours - theirs).abs() < CLOSE {
        "score equal within 1e-9".to_owned()
    } else {
        format!("score {theirs:.4} for our {ours:.4}")
    }
}

fn sentences(ours: &Value, theirs: &Value) -> String {
    let (Some(ours), Some(theirs)) = (ours.as_array(), theirs.as_array()) else {
        return "no scores".to_owned();
    };
    if ours.len() != theirs.len() {
        return format!("{} scores for our {}", theirs.len(), ours.len());
    }
    let pairs = || ours.iter().zip(theirs).map(|(ours, theirs)| (number(ours), number(theirs)));
    let bits = pairs().filter(|(ours, theirs)| ours.to_bits() == theirs.to_bits()).count();
    let close = pairs().filter(|(ours, theirs)| (ours - theirs).abs() < CLOSE).count();
    match (bits, close) {
        (bits, _) if bits == ours.len() => "all scores equal to the last bit".to_owned(),
        (_, close) if close == ours.len() => "all scores equal within 1e-9".to_owned(),
        _ => format!("{close} of {} scores equal within 1e-9", ours.len()),
    }
}

fn lines(ours: &Value, theirs: &Value) -> String {
    let (Some(ours), Some(theirs)) = (ours.as_array(), theirs.as_array()) else {
        return "no lines".to_owned();
    };
    let equal = ours.iter().zip(theirs).filter(|(ours, theirs)| ours == theirs).count();
    if equal == ours.len() && equal == theirs.len() {
        "all lines equal".to_owned()
    } else {
        format!("{equal} of {} lines equal", ours.len())
    }
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn ours() -> Value {
        json!({ "score": 50.0, "counts": [2, 1], "totals": [4, 2], "sys_len": 4, "ref_len": 4.0 })
    }

    #[test]
    fn equal_corpora_agree_to_the_bit_or_closely() {
        assert_eq!(
            agreement("x", "corpus-files", &ours(), &ours()),
            "counts equal, score equal to the last bit"
        );
        let near =
            json!({ "score": 50.000_000_000_01, "precisions": [0.5, 0.5], "sys_len": 4, "ref_len": 4 });
        assert_eq!(agreement("x", "corpus-files", &ours(), &near), "counts equal, score equal within 1e-9");
        assert!(
            agreement("x", "corpus-tokens", &ours(), &json!({ "score": 50.0 }))
                .starts_with("counts not told")
        );
    }

    #[test]
    fn differences_are_told() {
        let mut other = ours();
        other["counts"] = json!([2, 0]);
        other["ref_len"] = json!(3);
        let told = agreement("x", "corpus-files", &ours(), &other);
        assert_eq!(told, "counts [2,0] for our [2,1], ref_len 3 for our 4.0, score equal to the last bit");
    }

    #[test]
    fn known_differences_have_their_reason() {
        let told = agreement("NLTK", "corpus-tokens", &ours(), &json!({ "score": 40.0 }));
        assert!(told.ends_with(
            "score 40.0000 for our 50.0000: it takes every segment to have at least one n-gram of each order"
        ));
        assert!(!agreement("NLTK", "corpus-tokens", &ours(), &json!({ "score": 50.0 })).contains(':'));
    }

    #[test]
    fn sentences_and_lines_are_counted() {
        let ours = json!({ "scores": [1.0, 2.0] });
        let theirs = json!({ "scores": [1.0, 3.0] });
        assert_eq!(agreement("x", "sentence-tokens", &ours, &theirs), "1 of 2 scores equal within 1e-9");
        let lines = json!({ "lines": ["a", "b"] });
        assert_eq!(agreement("x", "tokenize", &lines, &lines), "all lines equal");
    }
}
