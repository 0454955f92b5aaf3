//! The numbers of the page against those of the program, for random corpora: scores, intervals, groups, shares, segments.

use serde_json::Value;

use super::corpora::corpus;
use super::driver::Browser;
use super::{Checks, require};

/// Relative, for numbers that script and library compute in the same way but with other logarithms.
const TOLERANCE: f64 = 1e-9;

const ARGUMENTS: [&[&str]; 3] = [
    &["r1", "-i", "s1", "s2", "s3", "--label", "domain=domain"],
    &[
        "r1",
        "r2",
        "-i",
        "s1",
        "s2",
        "s3",
        "--label",
        "domain=domain",
        "-m",
        "bleu",
        "chrf",
        "exact_match",
        "ter",
    ],
    &["r1", "-i", "s1", "s2", "-m", "gleu", "wer", "distinct", "chrf", "--tokenize", "zh"],
];

pub(super) fn run(checks: &Checks, browser: &mut Browser) -> Result<(), String> {
    for (seed, arguments) in (1..=4).flat_map(|seed| ARGUMENTS.iter().map(move |arguments| (seed, arguments)))
    {
        let files = corpus(seed, [40, 11, 3, 150][seed as usize - 1]).files;
        let address = checks.page("numbers", &files, arguments)?;
        browser.open(&address)?;
        require(browser.console()?.is_empty(), || "the page complains".to_owned())?;
        compare(checks, browser, arguments)
            .map_err(|error| format!("seed {seed}, {arguments:?}: {error}"))?;
    }
    Ok(())
}

fn compare(checks: &Checks, browser: &mut Browser, arguments: &[&str]) -> Result<(), String> {
    let compared =
        checks.program(&[&["compare", "-q", "-f", "json"], without_label(arguments).as_slice()].concat());
    let metrics = browser
        .run("return Array.from(document.getElementById('pick-metric').options, o => o.textContent)")?;
    for (place, name) in metrics.as_array().into_iter().flatten().enumerate() {
        browser.run(&format!(
            "const e = document.getElementById('pick-metric'); e.value = {place}; e.dispatchEvent(new Event('change'))"
        ))?;
        scores(checks, browser, arguments, place).map_err(|error| format!("{name}: {error}"))?;
        groups(checks, browser, arguments, place).map_err(|error| format!("{name}: {error}"))?;
        segments(checks, browser, arguments, name.as_str().unwrap_or_default())
            .map_err(|error| format!("{name}: {error}"))?;
        if arguments.contains(&"s3") {
            continue;
        }
        if let Ok(compared) = &compared {
            shares(browser, compared, name.as_str().unwrap_or_default())
                .map_err(|error| format!("{name}: {error}"))?;
        }
    }
    Ok(())
}

fn without_label<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    let mut kept = Vec::new();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        if *word == "--label" {
            words.next();
        } else {
            kept.push(*word);
        }
    }
    kept
}

pub(super) fn json(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).map_err(|error| format!("{error}: {text}"))
}

pub(super) fn close(what: &str, page: &Value, program: &Value) -> Result<(), String> {
    let (one, other) = (number(page), number(program));
    let equal = match (one, other) {
        (Some(one), Some(other)) => (one - other).abs() <= TOLERANCE * other.abs().max(1.0),
        (one, other) => one.is_none() && other.is_none(),
    };
    require(equal, || format!("{what}: {page} in the page, {program} of the program"))
}

fn number(value: &Value) -> Option<f64> {
    let number = value.as_f64().or_else(|| value.as_str().and_then(|text| text.parse().ok()));
    number.filter(|number| number.is_finite())
}

/// The scores of all systems, and the live score of everything.
fn scores(checks: &Checks, browser: &mut Browser, arguments: &[&str], place: usize) -> Result<(), String> {
    let printed = checks.program(&[&["score", "-q"], without_label(arguments).as_slice()].concat())?;
    let printed = json(&printed)?;
    let page = browser.run(
        "return Array.from(document.querySelectorAll('#scores td[data-value]'), e => e.dataset.value)",
    )?;
    for (system, score) in page.as_array().into_iter().flatten().enumerate() {
        let of_system = sorted_scores(&printed[system]);
        close("score", score, of_system.get(place).unwrap_or(&Value::Null))?;
    }
    let live = browser.run("return document.querySelector('#live b')?.dataset.value ?? null")?;
    let page: Vec<Option<f64>> = page.as_array().into_iter().flatten().map(number).collect();
    if let (Some(first), Some(second), Some(live)) = (page[0], page[1], number(&live)) {
        close("live difference", &live.into(), &(first - second).into())?;
    }
    Ok(())
}

/// The scores of one system, in the order of the metrics.
fn sorted_scores(system: &Value) -> Vec<Value> {
    let object = system.as_object();
    let entries = object.into_iter().flatten().filter(|(key, _)| *key != "system");
    entries.map(|(_, value)| value.get("score").unwrap_or(value).clone()).collect()
}

/// The scores of groups, as `score --by` has them.
fn groups(checks: &Checks, browser: &mut Browser, arguments: &[&str], place: usize) -> Result<(), String> {
    let by = if arguments.contains(&"--label") { "domain" } else { "length" };
    let printed = checks.program(&[&["score", "-q", "--by", by, "-f", "json"], arguments].concat())?;
    browser.run(&format!("document.querySelector('#by input[value={by}]').click()"))?;
    let page = browser.run(
        "return Array.from(document.querySelectorAll('#slices tbody tr'), r => [r.dataset.label, ...Array.from(r.querySelectorAll('td[data-value]'), e => e.dataset.value)])",
    )?;
    for group in json(&printed)?.as_array().into_iter().flatten().filter(|group| group["by"] == by) {
        let rows = page.as_array().into_iter().flatten();
        let Some(row) = rows.into_iter().find(|row| row[0] == group["group"]) else {
            return Err(format!("no group {}", group["group"]));
        };
        for system in 0..2 {
            let score = &group["systems"][system]["scores"][place]["score"];
            close(&format!("group {}", group["group"]), &row[1 + system], score)?;
        }
    }
    Ok(())
}

/// The scores of segments, as `score --sentence-level` has them; BLEU alone has a setting of its own for segments there.
fn segments(checks: &Checks, browser: &mut Browser, arguments: &[&str], name: &str) -> Result<(), String> {
    if !["BLEU", "chrF2"].contains(&name) {
        return Ok(());
    }
    let references = arguments.iter().take_while(|word| **word != "-i");
    let mut command: Vec<&str> = vec!["score"];
    command.extend(references);
    command.extend([
        "-i",
        "s1",
        "-q",
        "-sl",
        "-f",
        "json",
        "-m",
        if name == "BLEU" { "bleu" } else { "chrf" },
    ]);
    if arguments.contains(&"--tokenize") && name == "BLEU" {
        command.extend(["--tokenize", "zh"]);
    }
    let printed = checks.program(&command)?;
    browser.run(
        "const e = document.getElementById('sort'); e.value = 'number'; e.dispatchEvent(new Event('change'))",
    )?;
    let page = browser.run(
        "return Array.from(document.querySelectorAll('#size [data-segment]'), r => [Number(r.dataset.segment), r.querySelectorAll('[data-value]')[1].dataset.value])",
    )?;
    let printed: Vec<Value> = printed.lines().map(json).collect::<Result<_, _>>()?;
    let rows: Vec<&Value> = page.as_array().into_iter().flatten().collect();
    require(!rows.is_empty(), || "the list is empty".to_owned())?;
    for row in rows {
        let segment = row[0].as_u64().unwrap_or(0) as usize;
        close(&format!("segment {}", segment + 1), &row[1], &printed[segment]["score"])?;
    }
    Ok(())
}

/// Shares of segments, p-values and intervals of two systems, as `compare` has them.
fn shares(browser: &mut Browser, compared: &str, name: &str) -> Result<(), String> {
    let compared = json(compared)?;
    let metrics = compared["metrics"].as_array().cloned().unwrap_or_default();
    let Some(metric) = metrics.iter().find(|metric| metric["metric"] == name) else { return Ok(()) };
    let rows = browser.run(
        "return Array.from(document.querySelectorAll('#size [data-segment]'), r => [Number(r.dataset.segment) + 1, r.querySelector('[data-value]').dataset.value])",
    )?;
    for row in rows.as_array().into_iter().flatten() {
        let segments = metric["segments"].as_array().into_iter().flatten();
        let Some(segment) = segments.into_iter().find(|segment| segment["segment"] == row[0]) else {
            continue;
        };
        close(&format!("share of segment {}", row[0]), &row[1], &segment["points"])?;
    }
    let live = browser.run(
        "const e = document.querySelector('#live b'); return e ? [e.dataset.value, e.dataset.low, e.dataset.high] : null",
    )?;
    let pair = &metric["pairs"][0];
    close("difference", &live[0], &pair["difference"])?;
    let half = 1.959963984540054 * pair["standard_error"].as_f64().unwrap_or(f64::NAN);
    let difference = pair["difference"].as_f64().unwrap_or(f64::NAN);
    close("lower end", &live[1], &(difference - half).into())?;
    close("upper end", &live[2], &(difference + half).into())
}
