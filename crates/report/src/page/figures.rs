//! [`PageFigure`]: details of a score that are more than one number, as figures of the HTML report. A curve
//! is drawn, and its points are also listed in a table. Counts of pairs of names, as in a confusion matrix,
//! become a table. No figure needs JavaScript or depends only on colour.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use bleuprint_core::PartValue;
use serde::Serialize;

use super::{PageData, PageMetric};
use crate::escape::html;
use crate::{fixed, thousands};

/// Detail of a metric's scores that the report shows as a figure: a curve such as the ROC curve, or a table
/// of confused names.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PageFigure {
    /// Name of the detail that the figure shows, such as `roc`.
    pub name: String,
    /// Data of the figure for each system: points of a curve, or counts of how often one name (such as a
    /// class) was confused with another. `null` if a system has no such data.
    pub systems: Vec<Option<PartValue>>,
}

/// Largest number of names (such as classes) for which all pairs of names are shown as a confusion matrix.
/// With more names, only the most frequent confusions are listed.
const MOST_NAMES: usize = 30;
const MOST_PAIRS: usize = 100;

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 280.0;
const LEFT: f64 = 60.0;
const RIGHT: f64 = 160.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 30.0;

/// Smallest vertical distance between the curve names at the right of a chart, in pixels.
const APART: f64 = 15.0;

pub(super) fn section(page: &PageData) -> String {
    let of = |metric| move |figure| drawn(page, metric, figure);
    let figures: String =
        page.metrics.iter().flat_map(|metric| metric.figures.iter().map(of(metric))).collect();
    if figures.is_empty() {
        figures
    } else {
        format!("<section id=\"s-figures\"><h2>Curves and tables</h2>{figures}</section>\n")
    }
}

fn drawn(page: &PageData, metric: &PageMetric, figure: &PageFigure) -> String {
    let title = format!("{}, {}", metric.name, figure.name);
    let mut curves = Vec::new();
    let mut tables = String::new();
    for (system, part) in figure.systems.iter().enumerate() {
        let name = page.systems.get(system).map_or("", String::as_str);
        match part {
            Some(PartValue::Points(points)) => curves.push(Curve { system, name, points }),
            Some(PartValue::Pairs(pairs)) => tables += &pairs_of(&format!("{title}, {name}"), pairs),
            _ => {}
        }
    }
    if curves.is_empty() {
        tables
    } else {
        chart(&title, &curves, metric.digits) + &points_of(&title, &curves, metric.digits) + &tables
    }
}

struct Curve<'p> {
    system: usize,
    name: &'p str,
    points: &'p [(f64, f64)],
}

impl Curve<'_> {
    /// Returns the CSS class of a curve: `a` for the first system, `b` for the second, `o` for all others.
    fn class(&self) -> &'static str {
        ["a", "b"].get(self.system).copied().unwrap_or("o")
    }

    fn at(&self, x: f64) -> Option<f64> {
        self.points.iter().find(|point| point.0 == x).map(|point| point.1)
    }
}

fn places(curves: &[Curve<'_>]) -> Vec<f64> {
    let mut places: Vec<f64> =
        curves.iter().flat_map(|curve| curve.points.iter().map(|point| point.0)).collect();
    places.sort_by(f64::total_cmp);
    places.dedup();
    places
}

/// Draws curves as an SVG chart. Distinct x values are spaced evenly, because values such as k = 1, 10, 100
/// would leave large gaps.
fn chart(title: &str, curves: &[Curve<'_>], digits: usize) -> String {
    let places = places(curves);
    let values = || curves.iter().flat_map(|curve| curve.points.iter().map(|point| point.1));
    // The range includes 0, so that the height of a curve shows its size.
    let (low, high) = values().fold((0.0, 0.0), |(low, high): (f64, f64), y| (low.min(y), high.max(y)));
    let span = if high > low { high - low } else { 1.0 };
    let step = (WIDTH - LEFT - RIGHT) / (places.len().max(2) - 1) as f64;
    // All places come from the curves, so the search always finds one.
    let x = |x: f64| LEFT + step * places.iter().position(|place| *place == x).unwrap_or(0) as f64;
    let y = |y: f64| HEIGHT - BOTTOM - (y - low) / span * (HEIGHT - TOP - BOTTOM);
    let mut svg = format!(
        "<svg class=\"curves\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}; the table below has its numbers\">",
        html(title)
    );
    for share in [0.0, 0.5, 1.0] {
        let value = low + share * span;
        let end = WIDTH - RIGHT;
        let at = y(value);
        let text = fixed(value, digits);
        let _ = write!(svg, "<path class=\"grid\" d=\"M{LEFT} {at:.1}H{end}\"/>");
        let _ = write!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{text}</text>",
            LEFT - 8.0,
            at + 4.0
        );
    }
    // At most twelve labels fit below the axis.
    let every = places.len().div_ceil(12).max(1);
    for place in places.iter().step_by(every) {
        let at = x(*place);
        let foot = HEIGHT - 8.0;
        let _ = write!(svg, "<text x=\"{at:.1}\" y=\"{foot}\" text-anchor=\"middle\">{place}</text>");
    }
    for curve in curves {
        let points = curve.points.iter().map(|&(px, py)| (x(px), y(py)));
        let line: Vec<String> = points.clone().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let _ = write!(svg, "<g class=\"c-{}\"><polyline points=\"{}\"/>", curve.class(), line.join(" "));
        points.for_each(|point| svg += &mark(curve.class(), point));
        svg += "</g>";
    }
    svg + &names(curves, y) + "</svg>"
}

/// Draws the marker of one data point: a dot, a diamond or a ring, so that curves differ without colour.
fn mark(class: &str, (x, y): (f64, f64)) -> String {
    match class {
        "b" => format!("<path class=\"full\" d=\"M{x:.1} {:.1}l5 5l-5 5l-5 -5z\"/>", y - 5.0),
        "a" => format!("<circle class=\"full\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"/>"),
        _ => format!("<circle class=\"ring\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"/>"),
    }
}

/// Writes the name of each curve at its right end, and moves overlapping names down.
fn names(curves: &[Curve<'_>], y: impl Fn(f64) -> f64) -> String {
    let end = |curve: &Curve<'_>| curve.points.last().map_or(0.0, |point| y(point.1));
    let mut ends: Vec<(f64, &Curve<'_>)> = curves.iter().map(|curve| (end(curve), curve)).collect();
    // From top to bottom: a name can then only push the names below it.
    ends.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mut names = String::new();
    let mut free = TOP;
    for (wanted, curve) in ends {
        let at = wanted.max(free);
        free = at + APART;
        let class = curve.class();
        let name = html(curve.name);
        let _ = write!(
            names,
            "<text class=\"is-{class}\" x=\"{:.1}\" y=\"{:.1}\">{name}</text>",
            WIDTH - RIGHT + 10.0,
            at + 4.0
        );
    }
    names
}

fn region(title: &str, table: &str) -> String {
    let title = html(title);
    format!(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{title}\"><table><caption>{title}</caption>{table}</table></div>"
    )
}

fn heads(first: &str, names: impl Iterator<Item = String>) -> String {
    let names: String =
        names.map(|name| format!("<th scope=\"col\" class=\"num\">{}</th>", html(&name))).collect();
    format!("<thead><tr><th scope=\"col\">{first}</th>{names}</tr></thead>")
}

fn row(name: &str, cells: impl Iterator<Item = String>) -> String {
    let cells: String = cells.map(|cell| format!("<td class=\"num\">{cell}</td>")).collect();
    format!("<tr><th scope=\"row\" dir=\"auto\">{}</th>{cells}</tr>", html(name))
}

fn points_of(title: &str, curves: &[Curve<'_>], digits: usize) -> String {
    let places = places(curves);
    let cell = |value: Option<f64>| value.map_or_else(|| "\u{2013}".to_owned(), |value| fixed(value, digits));
    let rows: String =
        curves.iter().map(|curve| row(curve.name, places.iter().map(|x| cell(curve.at(*x))))).collect();
    region(title, &format!("{}<tbody>{rows}</tbody>", heads("system", places.iter().map(f64::to_string))))
}

/// Returns a confusion table: one row for each name in the references, one column for each name in the
/// outputs.
fn pairs_of(title: &str, pairs: &[(String, String, u64)]) -> String {
    let names: BTreeSet<&str> = pairs.iter().flat_map(|(one, other, _)| [&**one, &**other]).collect();
    if names.len() > MOST_NAMES {
        return confused(title, pairs);
    }
    let times: BTreeMap<(&str, &str), u64> =
        pairs.iter().map(|(one, other, times)| ((&**one, &**other), *times)).collect();
    let cell = |one, other| match times.get(&(one, other)) {
        Some(times) if one == other => format!("<b>{}</b>", thousands(times)),
        Some(times) => thousands(times),
        None => "0".to_owned(),
    };
    let rows: String = names.iter().map(|one| row(one, names.iter().map(|other| cell(one, other)))).collect();
    let heads = heads("reference, by output", names.iter().map(|name| (*name).to_owned()));
    region(title, &format!("{heads}<tbody>{rows}</tbody>"))
}

fn confused(title: &str, pairs: &[(String, String, u64)]) -> String {
    let mut unlike: Vec<&(String, String, u64)> =
        pairs.iter().filter(|(one, other, _)| one != other).collect();
    // The sort is stable, so pairs with equal counts keep the order of the part.
    unlike.sort_by_key(|(.., times)| std::cmp::Reverse(*times));
    let line =
        |(one, other, times): &&(String, String, u64)| row(one, [html(other), thousands(times)].into_iter());
    let rows: String = unlike.iter().take(MOST_PAIRS).map(line).collect();
    let heads = heads("reference", ["output", "times"].map(str::to_owned).into_iter());
    region(&format!("{title}: confused most often"), &format!("{heads}<tbody>{rows}</tbody>"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(one: &str, other: &str, times: u64) -> (String, String, u64) {
        (one.to_owned(), other.to_owned(), times)
    }

    #[test]
    fn names_of_either_side_have_a_row_and_a_column() {
        let table = pairs_of("x", &[pair("cat", "cat", 1_200), pair("cat", "<b>", 1)]);
        assert!(table.contains("<b>1,200</b>") && table.contains("&lt;b&gt;"), "{table}");
        assert_eq!(table.matches("<td ").count(), 4, "{table}");
    }

    #[test]
    fn many_names_are_a_list_of_what_is_confused() {
        let pairs: Vec<_> =
            (0..100_000_u64).map(|at| pair(&at.to_string(), &(at / 2).to_string(), at)).collect();
        let table = pairs_of("x", &pairs);
        assert!(table.contains("99,999") && table.len() < 20_000, "{}", table.len());
    }

    #[test]
    fn a_curve_has_a_mark_for_each_point_and_one_place_for_each_k() {
        let points = [(1.0, 0.25), (10.0, 0.5), (100.0, 1.0)];
        let curves = [
            Curve { system: 0, name: "s", points: &points },
            Curve { system: 1, name: "t", points: &points[1..] },
        ];
        let svg = chart("pass@k, curve", &curves, 4);
        assert_eq!(svg.matches("<circle").count(), 3);
        assert_eq!(svg.matches(" l5 5".trim()).count(), 2);
        let table = points_of("x", &curves, 4);
        assert!(table.contains("0.2500") && table.contains("\u{2013}"), "{table}");
    }
}
