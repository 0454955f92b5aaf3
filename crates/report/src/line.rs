//! One score as one line of text, in sacreBLEU's form.

use bleuprint_core::{AnyScore, PartValue, Scale, ScorePart, Scored, ShowPart};

/// How a line is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineStyle {
    /// Decimals of the score.
    pub width: usize,
    /// Whether the signature is in its short form.
    pub short: bool,
}

impl Default for LineStyle {
    /// One decimal and the long signature, as sacreBLEU's command has it.
    fn default() -> Self {
        LineStyle { width: 1, short: false }
    }
}

/// `NAME|signature = score parts`.
pub fn line(scored: &Scored<AnyScore>, style: LineStyle) -> String {
    let Scored { score, signature } = scored;
    let signature = if style.short { signature.short() } else { signature.body() };
    let mut line = format!("{}|{signature} = {}", score.name, score_only(score, style));
    if let Some(parts) = verbose(&score.parts) {
        line.push(' ');
        line.push_str(&parts);
    }
    line
}

/// The decimals of a score: on a scale from 0 to 1 two more, to say as much as a percentage does.
pub fn decimals(scale: &Scale, style: LineStyle) -> usize {
    if scale.max <= 1.0 { style.width + 2 } else { style.width }
}

/// A number with this many decimals; a rounded −0 has no sign.
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

/// The number alone.
pub fn score_only(score: &AnyScore, style: LineStyle) -> String {
    let decimals = decimals(&score.scale, style);
    format!("{:.decimals$}", score.value)
}

/// The parts behind the score: bare ones in front, labelled ones in parentheses; none if there is nothing to show.
pub fn verbose(parts: &[ScorePart]) -> Option<String> {
    let bare = parts.iter().filter_map(|part| match part.show {
        ShowPart::Bare(decimals) => Some(show(&part.value, decimals)),
        _ => None,
    });
    let labelled = parts.iter().filter_map(|part| match part.show {
        ShowPart::Labelled(label, decimals) => Some(format!("{label} = {}", show(&part.value, decimals))),
        _ => None,
    });
    let (bare, labelled) = (bare.collect::<Vec<_>>(), labelled.collect::<Vec<_>>());
    let parentheses = if labelled.is_empty() { None } else { Some(format!("({})", labelled.join(" "))) };
    let all: Vec<String> = bare.into_iter().chain(parentheses).collect();
    if all.is_empty() { None } else { Some(all.join(" ")) }
}

/// Rounds numbers, joins lists by slashes.
fn show(value: &PartValue, decimals: usize) -> String {
    match value {
        PartValue::Count(count) => count.to_string(),
        PartValue::Counts(counts) => join(counts, u64::to_string),
        PartValue::Number(number) => format!("{number:.decimals$}"),
        PartValue::Numbers(numbers) => join(numbers, |number| format!("{number:.decimals$}")),
    }
}

fn join<T>(values: &[T], show: impl Fn(&T) -> String) -> String {
    values.iter().map(show).collect::<Vec<_>>().join("/")
}
