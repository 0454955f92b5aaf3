//! [`forest()`]: draws a small SVG picture of confidence intervals, one below the other (a forest plot),
//! without an external style sheet.

use std::fmt::Write as _;

use crate::escape::html;

const WIDTH: f64 = 260.0;
const ROW: f64 = 20.0;
const EDGE: f64 = 8.0;

/// Draws confidence intervals on one scale and returns the picture as SVG. Each row has a name, and the
/// middle, lower and upper end of its interval. `mark` is a value with a dashed line through all rows, such
/// as 0 for no difference. An interval without finite ends shows only its name. The picture uses the colour
/// of the surrounding text.
///
/// ```
/// use bleuprint_report::forest;
/// let picture = forest(&[("new - old", [0.2, -0.5, 0.9]), ("a < b", [0.1, f64::NAN, 0.3])], Some(0.0));
/// assert!(picture.starts_with("<svg") && picture.contains("a &lt; b") && picture.matches("<circle").count() == 1);
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
    let height = ROW * rows.len() as f64;
    let mut svg = format!(
        "<svg role=\"img\" aria-label=\"intervals\" width=\"{}\" height=\"{height}\" font-size=\"12\" fill=\"currentColor\" stroke=\"currentColor\">",
        2.0 * WIDTH
    );
    if let Some(mark) = mark {
        let at = x(mark);
        let _ = write!(svg, "<path d=\"M{at:.1} 0V{height}\" stroke-dasharray=\"2 3\" opacity=\"0.6\"/>");
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
        let _ = write!(svg, "<text x=\"{names}\" y=\"{}\" stroke=\"none\">{}</text>", y + 4.0, html(name));
    }
    svg + "</svg>"
}
