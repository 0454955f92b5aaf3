//! Each against each, the parts of a difference and the intervals of groups, against the library.

use serde_json::Value;

use super::corpora::corpus;
use super::driver::Browser;
use super::numbers::{close, json};
use super::{Checks, require};

const SYSTEMS: [&str; 3] = ["s1", "s2", "s3"];

pub(super) fn run(checks: &Checks, browser: &mut Browser) -> Result<(), String> {
    let files = corpus(21, 130).files;
    let arguments =
        ["r1", "r2", "-i", "s1", "s2", "s3", "-m", "bleu", "chrf", "ter", "--label", "domain=domain"];
    let address = checks.page("tables", &files, &arguments)?;
    browser.resize(1300, 1000)?;
    browser.open(&address)?;
    matrices(checks, browser)?;
    for (first, second) in [(0, 1), (2, 0)] {
        browser.open(&format!("{address}#a={}&b={}", SYSTEMS[first], SYSTEMS[second]))?;
        parts(checks, browser, [first, second])?;
        for metric in ["bleu", "chrf", "ter"] {
            groups(checks, browser, &files, [first, second], metric)?;
        }
    }
    Ok(())
}

/// Differences, intervals and corrected p-values of all pairs in both directions.
fn matrices(checks: &Checks, browser: &mut Browser) -> Result<(), String> {
    let compared = json(&checks.program(&[
        "compare", "r1", "r2", "-i", "s1", "s2", "s3", "-m", "bleu", "chrf", "ter", "-q", "-f", "json",
    ])?)?;
    let tables = browser.run(
        "return [...document.querySelectorAll('table.matrix')].map(t => [...t.querySelectorAll('td[data-a]')].map(td => [Number(td.dataset.a), Number(td.dataset.b), ...[...td.querySelectorAll('span, small')].map(e => e.textContent.replaceAll('\\u2212', '-'))]))",
    )?;
    let metrics = compared["metrics"].as_array().cloned().unwrap_or_default();
    require(tables.as_array().map(Vec::len) == Some(metrics.len()), || "a table is missing".to_owned())?;
    for (table, metric) in tables.as_array().into_iter().flatten().zip(&metrics) {
        for cell in table.as_array().into_iter().flatten() {
            let (row, column) = (&cell[0], &cell[1]);
            let is_pair = |pair: &&Value| {
                (pair["first"] == *row && pair["second"] == *column)
                    || (pair["first"] == *column && pair["second"] == *row)
            };
            let pair = metric["pairs"].as_array().into_iter().flatten().find(is_pair);
            let pair = pair.ok_or_else(|| format!("no pair {cell}"))?;
            let turned = pair["first"] != *row;
            let number = |value: &Value| value.as_f64().unwrap_or(f64::NAN);
            let (low, high) = (number(&pair["interval"]["lower"]), number(&pair["interval"]["upper"]));
            let sign = if turned { -1.0 } else { 1.0 };
            let (low, high) = if turned { (-high, -low) } else { (low, high) };
            shown(&cell[2], sign * number(&pair["difference"]))?;
            let ends: Vec<&str> = cell[3].as_str().unwrap_or_default().split(" to ").collect();
            require(ends.len() == 2, || format!("no interval in {cell}"))?;
            shown(&ends[0].into(), low)?;
            shown(&ends[1].into(), high)?;
            let words: Vec<&str> = cell[4].as_str().unwrap_or_default().split([' ', ',']).collect();
            shown(&words[2].into(), number(&pair["corrected"]))?;
            let unsure = cell[4].as_str().is_some_and(|text| text.contains("not sure"));
            require(unsure == (number(&pair["corrected"]) > 0.05), || format!("{cell} is told wrongly"))?;
        }
    }
    Ok(())
}

/// A number as it is shown is the one given, rounded to the decimals it has.
fn shown(text: &Value, number: f64) -> Result<(), String> {
    let text = text.as_str().unwrap_or_default();
    let decimals = text.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let found: f64 = text.parse().map_err(|_| format!("`{text}` is no number"))?;
    let near = (found - number).abs() <= 0.5 * 10f64.powi(-(decimals as i32)) + 1e-9;
    require(near && decimals > 0, || format!("{text} stands for {number}"))
}

/// Points per order and brevity: each by the logarithmic mean of the two scores, and together their difference.
fn parts(checks: &Checks, browser: &mut Browser, pair: [usize; 2]) -> Result<(), String> {
    let rows = browser.run(
        "return [...document.querySelectorAll('#why tbody tr')].map(r => [...r.querySelectorAll('[data-value]')].map(e => Number(e.dataset.value)))",
    )?;
    let number = |row: usize, column: usize| rows[row][column].as_f64().unwrap_or(f64::NAN);
    let sum: f64 = (0..5).map(|row| number(row, 2)).sum();
    close("the sum of the parts", &sum.into(), &rows[5][2])?;
    let mut scores = Vec::new();
    for system in pair {
        let printed = checks.program(&["score", "r1", "r2", "-i", SYSTEMS[system], "-q", "-f", "json"])?;
        let printed = json(&printed)?;
        scores.push(if printed.is_array() { printed[0].clone() } else { printed });
    }
    let of = |score: &Value, key: &str| score[key].as_f64().unwrap_or(f64::NAN);
    let (one, other) = (of(&scores[0], "score"), of(&scores[1], "score"));
    let mean = if one == other { one } else { (one - other) / (one / other).ln() };
    close("the difference", &rows[5][2], &(one - other).into())?;
    let verbose = |score: &Value| -> Vec<f64> {
        let text = score["verbose_score"].as_str().unwrap_or_default();
        text.split([' ', '/']).filter_map(|word| word.parse().ok()).take(4).collect()
    };
    let (left, right) = (verbose(&scores[0]), verbose(&scores[1]));
    require(left.len() == 4 && right.len() == 4, || format!("no precisions in {}", scores[0]))?;
    for order in 0..4 {
        // The program prints one decimal of a precision; the page has them all.
        for (column, printed) in [(0, left[order]), (1, right[order])] {
            require((number(order, column) - printed).abs() <= 0.0500001, || {
                format!("precision of order {} is {}, not {printed}", order + 1, number(order, column))
            })?;
        }
        let points = mean / 4.0 * (number(order, 0) / number(order, 1)).ln();
        close("points of an order", &rows[order][2], &points.into())?;
    }
    let points = mean * (number(4, 0) / number(4, 1)).ln();
    close("points of brevity", &rows[4][2], &points.into())
}

/// The difference of a group and its interval, as `compare` has them for the lines of the group alone.
fn groups(
    checks: &Checks,
    browser: &mut Browser,
    files: &[(&str, String)],
    pair: [usize; 2],
    metric: &str,
) -> Result<(), String> {
    let place = ["bleu", "chrf", "ter"].iter().position(|name| *name == metric).unwrap_or(0);
    browser.run(&format!(
        "const e = document.getElementById('pick-metric'); e.value = {place}; e.dispatchEvent(new Event('change')); document.querySelector('#by input[value=domain]').click()"
    ))?;
    let rows = browser.run(
        "return [...document.querySelectorAll('#slices tbody tr')].map(r => [r.dataset.label, [...r.querySelectorAll('[data-value]')].at(-1).dataset.value, r.querySelector('[data-low]').dataset.low, r.querySelector('[data-low]').dataset.high])",
    )?;
    let text = |name: &str| files.iter().find(|(known, _)| *known == name).map_or("", |(_, text)| text);
    let labels: Vec<&str> = text("domain").lines().collect();
    for row in rows.as_array().into_iter().flatten() {
        for name in ["r1", "r2", SYSTEMS[pair[0]], SYSTEMS[pair[1]]] {
            let lines = text(name).lines().zip(&labels).filter(|(_, label)| row[0] == **label);
            let part: String = lines.map(|(line, _)| format!("{line}\n")).collect();
            std::fs::write(checks.folder.join(format!("{name}.group")), part)
                .map_err(|error| error.to_string())?;
        }
        let [one, other] = pair.map(|system| format!("{}.group", SYSTEMS[system]));
        let compared = checks.program(&[
            "compare", "r1.group", "r2.group", "-i", &one, &other, "-q", "-f", "json", "-m", metric,
        ])?;
        let pair = &json(&compared)?["metrics"][0]["pairs"][0];
        let (difference, error) = (
            pair["difference"].as_f64().unwrap_or(f64::NAN),
            pair["standard_error"].as_f64().unwrap_or(f64::NAN),
        );
        let half = 1.959963984540054 * error;
        for (place, expected) in [(1, difference), (2, difference - half), (3, difference + half)] {
            close(&format!("{metric} of group {}", row[0]), &row[place], &expected.into())?;
        }
    }
    Ok(())
}
