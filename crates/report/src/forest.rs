//! [`forest()`]: draws a small SVG picture of confidence intervals, one below the other (a forest plot),
//! without an external style sheet.

use std::fmt::Write as _;

use crate::escape::html;
use crate::fixed;

const WIDTH: f64 = 260.0;
const ROW: f64 = 20.0;
const EDGE: f64 = 8.0;

/// Height of the axis with its numbers, below the rows.
const AXIS: f64 = 22.0;

/// Draws confidence intervals on one scale and returns the picture as SVG. Each row has a name, and the
/// middle, lower and upper end of its interval, which are printed beside the name; an axis is below the rows. `mark` is a value with a dashed line through all rows, such
/// as 0 for no difference. An interval without finite ends shows only its name. The picture uses the colour
/// of the surrounding text.
///
/// ```
/// use bleuprint_report::forest;
/// let picture = forest(&[("new - old", [0.2, -0.5, 0.9]), ("a < b", [0.1, f64::NAN, 0.3])], Some(0.0));
/// assert!(picture.starts_with("<svg") && picture.contains("a &lt; b") && picture.matches("<circle").count() == 1);
/// assert!(picture.contains("new - old: 0.2000 (-0.5000 to 0.9000)") && picture.contains(">0.9000</text>"));
/// ```
pub fn forest(rows: &[(&str, [f64; 3])], mark: Option<f64>) -> String {
    let finite = |row: &&(&str, [f64; 3])| row.1.iter().all(|end| end.is_finite());
    let ends = rows.iter().filter(finite).flat_map(|(_, [_, low, high])| [*low, *high]).chain(mark);
    let (low, high) =
        ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), end| (low.min(end), high.max(end)));
    // A span of 0 would divide by zero: then all intervals are one point.
    let span = if high > low { high - low } else { 1.0 };
    let x = |value: f64| EDGE + (value - low) / span * (WIDTH - 2.0 * EDGE);
    let names = WIDTH + EDGE;
    let bottom = ROW * rows.len() as f64;
    let any = rows.iter().any(|row| finite(&row)) || mark.is_some();
    let height = if any { bottom + AXIS } else { bottom };
    // Two decimals suffice for scores from 0 to 100, but not for those from 0 to 1.
    let decimals = if low.abs().max(high.abs()) > 1.5 { 2 } else { 4 };
    let number = |value: f64| fixed(value, decimals);
    let mut svg = format!(
        "<svg role=\"img\" aria-label=\"intervals\" width=\"{}\" height=\"{height}\" font-size=\"12\" fill=\"currentColor\" stroke=\"currentColor\">",
        2.6 * WIDTH
    );
    if let Some(mark) = mark {
        let at = x(mark);
        let _ = write!(svg, "<path d=\"M{at:.1} 0V{bottom}\" stroke-dasharray=\"2 3\" opacity=\"0.6\"/>");
    }
    for (place, row) in rows.iter().enumerate() {
        let (name, [middle, low, high]) = *row;
        let y = ROW * (place as f64 + 0.5);
        if finite(&row) {
            let [from, to, dot] = [low, high, middle].map(x);
            let _ = write!(
                svg,
                "<path d=\"M{from:.1} {y}H{to:.1}\" stroke-width=\"2\"/><circle cx=\"{dot:.1}\" cy=\"{y}\" r=\"4\"/>"
            );
        }
        let ends = if finite(&row) {
            let colon = if name.is_empty() { "" } else { ": " };
            format!("{colon}{} ({} to {})", number(middle), number(low), number(high))
        } else {
            String::new()
        };
        let _ =
            write!(svg, "<text x=\"{names}\" y=\"{}\" stroke=\"none\">{}{ends}</text>", y + 4.0, html(name));
    }
    if any {
        let _ = write!(svg, "<path d=\"M{EDGE} {bottom}H{}\" opacity=\"0.6\"/>", WIDTH - EDGE);
        // The mark's number would cover that of an end that is near it.
        let is_apart = |mark: &f64| (x(*mark) - x(low)).min(x(high) - x(*mark)) > 50.0;
        let ticks = [(low, "start"), (high, "end")]
            .into_iter()
            .chain(mark.filter(is_apart).map(|mark| (mark, "middle")));
        for (value, anchor) in ticks {
            let at = x(value);
            let y = bottom + 15.0;
            let _ = write!(
                svg,
                "<text x=\"{at:.1}\" y=\"{y}\" text-anchor=\"{anchor}\" stroke=\"none\" opacity=\"0.8\">{}</text>",
                number(value)
            );
        }
    }
    svg + "</svg>"
}
