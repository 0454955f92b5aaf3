//! Prints a score as one line of text in sacreBLEU's format: name, signature, score and details.

use bleuprint_core::{PartValue, Scale, ScorePart, Scored, ShowPart};
use bleuprint_registry::AnyScore;

use crate::escape;

/// Format of a printed score line: number of decimals and length of the signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct LineStyle {
    /// Number of decimals of a score that is a percentage; other scores get two more decimals.
    pub decimals: usize,
    /// `true` to print the short form of the metric's signature, `false` for the long form.
    pub short: bool,
}

impl Default for LineStyle {
    /// Creates sacreBLEU's style: one decimal and the long signature.
    fn default() -> Self {
        LineStyle { decimals: 1, short: false }
    }
}

/// Mean of the scores of the bootstrap resamples, and half the width of their 95 % confidence interval.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "closed: a mean and its half width")]
pub struct Confidence {
    /// Mean of the scores of the bootstrap resamples.
    pub mean: f64,
    /// Half the width of the 95 % confidence interval.
    pub half_width: f64,
}

impl Confidence {
    /// Returns the text `μ = mean ± half width`, with the number of decimals that scores on this scale have.
    pub(crate) fn words(self, scale: &Scale, style: LineStyle) -> String {
        let decimals = decimals(scale, style);
        format!("μ = {:.decimals$} ± {:.decimals$}", self.mean, self.half_width)
    }
}

/// Returns the line `NAME|signature = score details`, as sacreBLEU prints it. A confidence interval follows
/// the score in parentheses.
///
/// ```
/// use bleuprint_core::{Scale, Scored, Signature};
/// use bleuprint_registry::AnyScore;
/// use bleuprint_report::{Confidence, LineStyle, line};
/// let score = AnyScore::new("BLEU", 48.53, Scale::PERCENT);
/// let scored = Scored { score, signature: Signature::new("BLEU") };
/// let confidence = Confidence { mean: 46.96, half_width: 46.8 };
/// let line = line(&scored, Some(confidence), LineStyle::default());
/// assert!(line.ends_with(" = 48.5 (μ = 47.0 ± 46.8)"), "{line}");
/// ```
pub fn line(scored: &Scored<AnyScore>, confidence: Option<Confidence>, style: LineStyle) -> String {
    let Scored { score, signature } = scored;
    let signature = if style.short { signature.short() } else { signature.body() };
    let mut line =
        format!("{}|{signature} = {}", scored.signature.metric(), number(score, confidence, style));
    if let Some(parts) = verbose(&score.parts) {
        line.push(' ');
        line.push_str(&parts);
    }
    line
}

/// Returns the number of decimals to print for scores on this scale. A score that is not a percentage gets
/// two more decimals, for equal precision.
///
/// ```
/// use bleuprint_core::Scale;
/// use bleuprint_report::{LineStyle, decimals};
/// let style = LineStyle { decimals: 1, short: false };
/// assert_eq!(decimals(&Scale { percent: true, ..Scale::ERROR_RATE }, style), 1);
/// assert_eq!(decimals(&Scale::ERROR_RATE, style), 3);
/// ```
pub fn decimals(scale: &Scale, style: LineStyle) -> usize {
    style.decimals + if scale.percent { 0 } else { 2 }
}

/// Returns a count as text, with commas as thousands separators.
///
/// ```
/// assert_eq!(bleuprint_report::thousands(1_234_567_u64), "1,234,567");
/// ```
pub fn thousands(count: impl std::fmt::Display) -> String {
    let digits = count.to_string();
    // The groups are counted from the end, so the first group may be shorter.
    let comma = |index: usize| index > 0 && (digits.len() - index).is_multiple_of(3);
    let digit = |(index, digit): (usize, char)| if comma(index) { vec![',', digit] } else { vec![digit] };
    digits.chars().enumerate().flat_map(digit).collect()
}

/// Returns a number as text with this many decimals. A negative number that rounds to zero has no minus sign.
///
/// ```
/// use bleuprint_report::fixed;
/// assert_eq!((fixed(1.25, 1), fixed(-0.01, 1)), ("1.2".to_string(), "0.0".to_string()));
/// ```
pub fn fixed(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    match text.strip_prefix('-') {
        Some(zero) if zero.chars().all(|c| matches!(c, '0' | '.')) => zero.to_owned(),
        _ => text,
    }
}

/// Returns the score's number as text, followed by its confidence interval. An interval with a mean of 0 is
/// omitted, as in sacreBLEU.
pub fn number(score: &AnyScore, confidence: Option<Confidence>, style: LineStyle) -> String {
    let decimals = decimals(&score.scale, style);
    let words = |confidence: Confidence| format!(" ({})", confidence.words(&score.scale, style));
    let interval = confidence.filter(|confidence| confidence.mean > 0.0).map(words);
    format!("{:.decimals$}{}", score.value, interval.unwrap_or_default())
}

/// Returns the details printed after a score, such as `50.0/25.0 (BP = 1.000)`, or `None` if there are none.
/// Values without a label come first, then labelled values in parentheses.
pub fn verbose(parts: &[ScorePart]) -> Option<String> {
    let bare = parts.iter().filter_map(|part| match part.show {
        ShowPart::Bare(decimals) => Some(show(&part.value, decimals)),
        _ => None,
    });
    let labelled = parts.iter().filter_map(|part| match &part.show {
        ShowPart::Labelled(label, decimals) => {
            let label = escape::line(label);
            Some(format!("{label} = {}", show(&part.value, *decimals)))
        }
        _ => None,
    });
    let bare = bare.collect::<Vec<_>>();
    let labelled = labelled.collect::<Vec<_>>();
    let parentheses = if labelled.is_empty() { None } else { Some(format!("({})", labelled.join(" "))) };
    let all: Vec<String> = bare.into_iter().chain(parentheses).collect();
    if all.is_empty() { None } else { Some(all.join(" ")) }
}

fn show(value: &PartValue, decimals: usize) -> String {
    match value {
        PartValue::Count(count) => count.to_string(),
        PartValue::Counts(counts) => join(counts, u64::to_string),
        PartValue::Number(number) => format!("{number:.decimals$}"),
        PartValue::Numbers(numbers) => join(numbers, |number| format!("{number:.decimals$}")),
        PartValue::Points(points) => join(points, |(x, y)| format!("{x}: {y:.decimals$}")),
        PartValue::Pairs(pairs) => join(pairs, |(one, other, count)| {
            format!("{} as {}: {count}", escape::line(one), escape::line(other))
        }),
    }
}

fn join<T>(values: &[T], show: impl Fn(&T) -> String) -> String {
    values.iter().map(show).collect::<Vec<_>>().join("/")
}
