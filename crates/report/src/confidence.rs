//! A score with the interval that resampling gives it, as lines and JSON; the keys and forms are sacreBLEU's.

use bleuprint_core::{AnyScore, Scored};
#[cfg(feature = "json")]
use serde_json::{Map, Value};

#[cfg(feature = "json")]
use crate::json;
use crate::{LineStyle, line, score_only};

/// The mean of the resampled scores, and half of the width of their 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Confidence {
    /// The mean.
    pub mean: f64,
    /// Half of the width.
    pub half_width: f64,
}

/// `(μ = mean ± half)`, with the decimals of the score; nothing for a mean of 0, as in sacreBLEU.
fn parentheses(score: &AnyScore, confidence: Confidence, style: LineStyle) -> String {
    if confidence.mean > 0.0 { format!(" ({})", plain(score, confidence, style)) } else { String::new() }
}

fn plain(score: &AnyScore, confidence: Confidence, style: LineStyle) -> String {
    let number = |value| score_only(&AnyScore::new("", value, score.scale), style);
    format!("μ = {} ± {}", number(confidence.mean), number(confidence.half_width))
}

/// [`score_only`] with the interval.
pub fn score_with_confidence(score: &AnyScore, confidence: Confidence, style: LineStyle) -> String {
    format!("{}{}", score_only(score, style), parentheses(score, confidence, style))
}

/// [`line()`] with the interval behind the score.
///
/// ```
/// use bleuprint_core::{AnyScore, Scale, Scored, Signature};
/// use bleuprint_report::{Confidence, LineStyle, line_with_confidence};
/// let score = AnyScore::new("BLEU", 48.53, Scale::PERCENT);
/// let scored = Scored { score, signature: Signature::new("BLEU") };
/// let confidence = Confidence { mean: 46.96, half_width: 46.8 };
/// let line = line_with_confidence(&scored, confidence, LineStyle::default());
/// assert!(line.ends_with(" = 48.5 (μ = 47.0 ± 46.8)"), "{line}");
/// ```
pub fn line_with_confidence(scored: &Scored<AnyScore>, confidence: Confidence, style: LineStyle) -> String {
    let line = line(scored, style);
    let before = format!(" = {}", score_only(&scored.score, style));
    let after = format!("{before}{}", parentheses(&scored.score, confidence, style));
    line.replacen(&before, &after, 1)
}

/// `json` with `confidence_mean`, `confidence_var` and, in words, `confidence` behind the signature.
#[cfg(feature = "json")]
pub fn json_with_confidence(scored: &Scored<AnyScore>, confidence: Confidence, style: LineStyle) -> Value {
    let number = |value: f64| serde_json::Number::from_f64(value).map_or(Value::Null, Value::Number);
    let mut object = Map::new();
    let Value::Object(fields) = json(scored) else { return Value::Null };
    for (key, value) in fields {
        let last = key == "signature";
        object.insert(key, value);
        if last {
            object.insert("confidence_mean".to_owned(), number(confidence.mean));
            object.insert("confidence_var".to_owned(), number(confidence.half_width));
            object.insert("confidence".to_owned(), plain(&scored.score, confidence, style).into());
        }
    }
    Value::Object(object)
}
