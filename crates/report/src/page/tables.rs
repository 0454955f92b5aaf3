//! The tables without scripts: scores, each against each, groups, n-grams.

use std::fmt::Write as _;

use super::sentence::{SIGNIFICANT, probability};
use super::{Page, PageErrorKind, PageMetric, PageNgrams, PageWords};
use crate::escape::html;
use crate::{fixed, thousands};

/// The greatest number of groups of a field shown without scripts.
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

pub(super) fn scores(page: &Page) -> String {
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

pub(super) fn matrix(page: &Page, place: usize, metric: &PageMetric) -> String {
    let mut table = format!(
        "<div class=\"scroll of-matrix\" tabindex=\"0\" role=\"region\" aria-label=\"each against each, {0}\"><table class=\"matrix\" data-metric=\"{place}\"><caption>{0}</caption><thead><tr><td></td>",
        html(&metric.name)
    );
    for name in &page.systems {
        let _ = write!(table, "<th scope=\"col\">{}</th>", html(name));
    }
    table.push_str("</tr></thead><tbody>");
    for (row, name) in page.systems.iter().enumerate() {
        let _ = write!(table, "<tr><th scope=\"row\">{}</th>", html(name));
        for column in 0..page.systems.len() {
            table.push_str(&pair(metric, row, column));
        }
        table.push_str("</tr>");
    }
    table + "</tbody></table></div>"
}

fn pair(metric: &PageMetric, row: usize, column: usize) -> String {
    let digits = metric.digits;
    let found = metric.pairs.iter().find_map(|pair| match (pair.first, pair.second) {
        (first, second) if (first, second) == (row, column) => {
            Some((pair.difference, pair.lower, pair.upper, pair.p))
        }
        (first, second) if (first, second) == (column, row) => {
            Some((-pair.difference, -pair.upper, -pair.lower, pair.p))
        }
        _ => None,
    });
    let Some((difference, lower, upper, p)) = found else {
        return "<td class=\"self\">\u{2013}</td>".to_owned();
    };
    let (class, note) = if p <= SIGNIFICANT { ("sure", "") } else { ("weak", ", not sure") };
    format!(
        "<td data-a=\"{row}\" data-b=\"{column}\"><span class=\"{class}\">{}</span><small>{}</small><small>{}{note}</small></td>",
        signed(difference, digits),
        interval(lower, upper, digits),
        html(&probability(p)),
    )
}

pub(super) fn slices(page: &Page) -> String {
    let mut tables = String::new();
    for metric in &page.metrics {
        for field in &page.fields {
            let Some(groups) = metric.slices.get(&field.name) else { continue };
            let _ = write!(
                tables,
                "<div class=\"scroll\"><table><caption>{} by {}</caption><thead><tr><th scope=\"col\">{}</th><th scope=\"col\" class=\"num\">segments</th>",
                html(&metric.name),
                html(&field.name),
                html(&field.name)
            );
            for name in &page.systems {
                let _ = write!(tables, "<th scope=\"col\" class=\"num\">{}</th>", html(name));
            }
            tables.push_str("</tr></thead><tbody>");
            for (label, group) in groups.iter().enumerate().take(MOST_LABELS) {
                let size = field.of.iter().filter(|&&of| of == label).count();
                let name = field.labels.get(label).map_or("", String::as_str);
                let _ =
                    write!(tables, "<tr><th scope=\"row\">{}</th><td class=\"num\">{size}</td>", html(name));
                for score in &group.scores {
                    let score =
                        score.map_or_else(|| "\u{2013}".to_owned(), |score| fixed(score, metric.digits));
                    let _ = write!(tables, "<td class=\"num\">{score}</td>");
                }
                tables.push_str("</tr>");
            }
            tables.push_str("</tbody></table></div>");
            if groups.len() > MOST_LABELS {
                let _ = write!(tables, "<p class=\"note\">{} groups more.</p>", groups.len() - MOST_LABELS);
            }
        }
    }
    tables
}

/// With more systems, the n-grams of the pairs of the first alone are shown without scripts: all pairs would fill the page.
const ALL_PAIRS: usize = 4;

pub(super) fn ngrams(page: &Page) -> String {
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

fn ngrams_of(page: &Page, ngrams: &PageNgrams, (first, second): (usize, usize), winner: usize) -> String {
    let name = |system: usize| html(page.systems.get(system).map_or("", String::as_str));
    let mut table = format!(
        "<div class=\"scroll\"><table><caption>{} has more often, of {} and {}</caption><thead><tr><th scope=\"col\">n-gram</th><th scope=\"col\" class=\"num\">{}</th><th scope=\"col\" class=\"num\">{}</th><th scope=\"col\" class=\"num\">in references</th></tr></thead><tbody>",
        name(winner),
        name(first),
        name(second),
        name(first),
        name(second)
    );
    for ngram in ngrams.won(winner, if winner == first { second } else { first }) {
        let _ = write!(
            table,
            "<tr><th scope=\"row\" dir=\"auto\">{}</th><td class=\"num\">{}</td><td class=\"num\">{}</td><td class=\"num\">{}</td></tr>",
            html(&ngrams.texts[ngram]),
            ngrams.matches[first][ngram],
            ngrams.matches[second][ngram],
            ngrams.references[ngram]
        );
    }
    table + "</tbody></table></div>"
}

pub(super) fn errors(page: &Page) -> String {
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

fn errors_of(page: &Page, words: &PageWords, system: usize, kind: PageErrorKind) -> String {
    let listed = words.listed(system, kind);
    if listed.is_empty() {
        return String::new();
    }
    let mut table = format!(
        "<div class=\"scroll\"><table><caption>{}: {}</caption><thead><tr>",
        html(page.systems.get(system).map_or("", String::as_str)),
        kind.name()
    );
    let column = |name: &str| format!("<th scope=\"col\">{name}</th>");
    if kind != PageErrorKind::Insertion {
        table += &column("reference");
    }
    if kind != PageErrorKind::Deletion {
        table += &column("output");
    }
    table += "<th scope=\"col\" class=\"num\">times</th><th scope=\"col\" class=\"num\">in references</th></tr></thead><tbody>";
    for error in listed {
        let error = &words.errors[error];
        let cells = [&error.reference, &error.hypothesis].into_iter().flatten();
        let cells: String = cells.map(|word| format!("<td dir=\"auto\">{}</td>", html(word))).collect();
        let (times, of) = (error.times[system], error.in_references[system]);
        let _ = write!(table, "<tr>{cells}<td class=\"num\">{times}</td><td class=\"num\">{of}</td></tr>");
    }
    table + "</tbody></table></div>"
}
