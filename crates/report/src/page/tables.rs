//! Tables of the HTML report that need no JavaScript: the scores of the systems, the comparisons of all pairs
//! of systems, the scores of groups of segments, and n-grams.

use std::fmt::Write as _;

use super::sentence::{SIGNIFICANT, probability};
use super::{PageData, PageErrorKind, PageMetric, PageNgrams, PageWords};
use crate::escape::html;
use crate::{fixed, thousands};

/// Largest number of segment groups, such as domains, in the static table of scores by group. Further groups
/// are only counted.
const MOST_LABELS: usize = 200;

fn signed(value: f64, digits: usize) -> String {
    let text = fixed(value, digits);
    let plus = value > 0.0 && text.chars().any(|c| ('1'..='9').contains(&c));
    format!("{}{}", if plus { "+" } else { "" }, text.replace('-', "\u{2212}"))
}

fn shown(value: f64, digits: usize) -> String {
    if value.is_finite() { fixed(value, digits).replace('-', "\u{2212}") } else { "\u{2013}".to_owned() }
}

fn interval(lower: f64, upper: f64, digits: usize) -> String {
    if lower.is_finite() && upper.is_finite() {
        format!("{} to {}", shown(lower, digits), shown(upper, digits))
    } else {
        "\u{2013}".to_owned()
    }
}

pub(super) fn scores(page: &PageData) -> String {
    let mut table =
        String::from("<table id=\"scores\" class=\"scores\"><thead><tr><th scope=\"col\">system</th>");
    for metric in &page.metrics {
        let mut direction = if metric.higher { String::new() } else { " (lower is better)".to_owned() };
        if metric.missing > 0 {
            let _ = write!(direction, ", {} segments left out", thousands(metric.missing));
        }
        let name = html(&metric.name);
        let _ = write!(
            table,
            "<th scope=\"col\" class=\"num\">{name}{direction}</th><th scope=\"col\" class=\"num\">95 % interval</th>"
        );
    }
    if page.identical.is_some() {
        table.push_str("<th scope=\"col\" class=\"num\">identical to a reference</th>");
    }
    table.push_str("</tr></thead><tbody>");
    for (system, name) in page.systems.iter().enumerate() {
        let _ = write!(table, "<tr><th scope=\"row\">{}</th>", html(name));
        for metric in &page.metrics {
            let digits = metric.digits;
            let Some(score) = metric.scores.get(system) else { continue };
            let bounds = interval(score.lower, score.upper, digits);
            let _ = write!(
                table,
                "<td class=\"num\">{}</td><td class=\"num\">{bounds}</td>",
                shown(score.score, digits)
            );
        }
        if let Some(identical) = &page.identical {
            let _ = write!(table, "<td class=\"num\">{}</td>", identical.get(system).copied().unwrap_or(0));
        }
        table.push_str("</tr>");
    }
    table + "</tbody></table>"
}

pub(super) fn matrix(page: &PageData, place: usize, metric: &PageMetric) -> String {
    // The matrix of two systems would show one difference twice, so they get a row.
    let two = <&[String; 2]>::try_from(page.systems.as_slice()).ok();
    let class = if two.is_some() { "matrix one" } else { "matrix" };
    let mut table = format!(
        "<div class=\"scroll of-matrix\" tabindex=\"0\" role=\"region\" aria-label=\"each against each, {0}\"><table class=\"{class}\" data-metric=\"{place}\"><caption>{0}</caption>",
        html(&metric.name)
    );
    if let Some([first, second]) = two {
        let cell = pair(metric, 0, 1);
        let names = format!("{} minus {}", html(first), html(second));
        return format!("{table}<tbody><tr><th scope=\"row\">{names}</th>{cell}</tr></tbody></table></div>");
    }
    table.push_str("<thead><tr><td></td>");
    table.extend(page.systems.iter().map(|name| head(&html(name))));
    table.push_str("</tr></thead><tbody>");
    for (row, name) in page.systems.iter().enumerate() {
        let cells: String = (0..page.systems.len()).map(|column| pair(metric, row, column)).collect();
        let _ = write!(table, "<tr><th scope=\"row\">{}</th>{cells}</tr>", html(name));
    }
    table + "</tbody></table></div>"
}

fn pair(metric: &PageMetric, row: usize, column: usize) -> String {
    let digits = metric.digits;
    let found = metric.pairs.iter().find_map(|pair| match (pair.first, pair.second) {
        (first, second) if (first, second) == (row, column) => {
            Some((pair.difference, pair.lower, pair.upper, pair.p, pair.least))
        }
        (first, second) if (first, second) == (column, row) => {
            Some((-pair.difference, -pair.upper, -pair.lower, pair.p, pair.least))
        }
        _ => None,
    });
    let Some((difference, lower, upper, p, least)) = found else {
        return "<td class=\"self\">\u{2013}</td>".to_owned();
    };
    let (class, note) = if p <= SIGNIFICANT { ("sure", "") } else { ("weak", ", not sure") };
    format!(
        "<td data-a=\"{row}\" data-b=\"{column}\"><span class=\"{class}\">{}</span><small>{}</small><small>{}{note}</small></td>",
        signed(difference, digits),
        interval(lower, upper, digits),
        html(&probability(p, least)),
    )
}

fn head(name: &str) -> String {
    format!("<th scope=\"col\">{name}</th>")
}

fn number_head(name: &str) -> String {
    format!("<th scope=\"col\" class=\"num\">{name}</th>")
}

fn number(value: impl std::fmt::Display) -> String {
    format!("<td class=\"num\">{value}</td>")
}

fn captioned(caption: &str, heads: &str, rows: &str) -> String {
    format!(
        "<div class=\"scroll\"><table><caption>{caption}</caption><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"
    )
}

pub(super) fn slices(page: &PageData) -> String {
    let mut tables = String::new();
    let systems: String = page.systems.iter().map(|name| number_head(&html(name))).collect();
    for metric in &page.metrics {
        for field in &page.fields {
            let Some(groups) = metric.slices.get(&field.name) else { continue };
            let by = html(&field.name);
            let mut rows = String::new();
            for (label, group) in groups.iter().enumerate().take(MOST_LABELS) {
                let size = field.of.iter().filter(|&&of| of == label).count();
                let name = html(field.labels.get(label).map_or("", String::as_str));
                let score = |score: &Option<f64>| {
                    number(score.map_or_else(|| "\u{2013}".to_owned(), |score| fixed(score, metric.digits)))
                };
                let scores: String = group.scores.iter().map(score).collect();
                let _ = write!(rows, "<tr><th scope=\"row\">{name}</th>{}{scores}</tr>", number(size));
            }
            let heads = head(&by) + &number_head("segments") + &systems;
            tables += &captioned(&format!("{} by {by}", html(&metric.name)), &heads, &rows);
            if groups.len() > MOST_LABELS {
                let _ = write!(tables, "<p class=\"note\">{} groups more.</p>", groups.len() - MOST_LABELS);
            }
        }
    }
    tables
}

/// Largest number of systems for which the report's static part lists the n-grams of all pairs of systems.
/// With more systems, only pairs with the first system are listed, to keep the report short.
const ALL_PAIRS: usize = 4;

pub(super) fn ngrams(page: &PageData) -> String {
    let Some(ngrams) = &page.ngrams else { return String::new() };
    let systems = page.systems.len();
    let pairs = (0..systems).flat_map(|first| (first + 1..systems).map(move |second| (first, second)));
    pairs
        .filter(|(first, _)| systems <= ALL_PAIRS || *first == 0)
        .map(|(first, second)| {
            ngrams_of(page, ngrams, (first, second), first)
                + &ngrams_of(page, ngrams, (first, second), second)
        })
        .collect()
}

fn ngrams_of(page: &PageData, ngrams: &PageNgrams, (first, second): (usize, usize), winner: usize) -> String {
    let name = |system: usize| html(page.systems.get(system).map_or("", String::as_str));
    let heads = [&*name(first), &*name(second), "in references"].map(number_head).concat();
    let mut rows = String::new();
    for ngram in ngrams.won(winner, if winner == first { second } else { first }) {
        let counts = [ngrams.matches[first][ngram], ngrams.matches[second][ngram], ngrams.references[ngram]];
        let text = html(&ngrams.texts[ngram]);
        let counts = counts.map(number).concat();
        let _ = write!(rows, "<tr><th scope=\"row\" dir=\"auto\">{text}</th>{counts}</tr>");
    }
    let caption = format!("{} has more often, of {} and {}", name(winner), name(first), name(second));
    captioned(&caption, &(head("n-gram") + &heads), &rows)
}

pub(super) fn errors(page: &PageData) -> String {
    let mut section = String::new();
    for (place, words) in page.words.iter().enumerate() {
        let of = page.metrics.iter().filter(|metric| metric.words == Some(place));
        let names: Vec<&str> = of.map(|metric| &*metric.name).collect();
        let _ = write!(
            section,
            "<section class=\"static\"><h2>{} under {}</h2>",
            words.title(),
            html(&names.join(", "))
        );
        for system in 0..page.systems.len() {
            for kind in PageErrorKind::ALL {
                section += &errors_of(page, words, system, kind);
            }
        }
        section += "</section>\n";
    }
    section
}

fn errors_of(page: &PageData, words: &PageWords, system: usize, kind: PageErrorKind) -> String {
    let listed = words.listed(system, kind);
    if listed.is_empty() {
        return String::new();
    }
    let mut heads = String::new();
    if kind != PageErrorKind::Insertion {
        heads += &head("reference");
    }
    if kind != PageErrorKind::Deletion {
        heads += &head("output");
    }
    heads += &["times", "in references"].map(number_head).concat();
    let row = |&error: &usize| {
        let error = &words.errors[error];
        let cells = [&error.reference, &error.hypothesis].into_iter().flatten();
        let cells: String = cells.map(|word| format!("<td dir=\"auto\">{}</td>", html(word))).collect();
        format!("<tr>{cells}{}{}</tr>", number(error.times[system]), number(error.in_references[system]))
    };
    let name = html(page.systems.get(system).map_or("", String::as_str));
    captioned(&format!("{name}: {}", kind.name()), &heads, &listed.iter().map(row).collect::<String>())
}
