//! The list by keyboard, its filters, the address that a link carries, and the page without scripts.

use serde_json::Value;

use super::corpora::corpus;
use super::driver::Browser;
use super::{Checks, require};

// Keys as WebDriver writes them.
const DOWN: &str = "\u{e015}";
const UP: &str = "\u{e013}";
const PAGE_DOWN: &str = "\u{e00f}";
const HOME: &str = "\u{e011}";
const END: &str = "\u{e010}";

pub(super) fn run(checks: &Checks, browser: &mut Browser) -> Result<(), String> {
    let arguments = ["r1", "r2", "-i", "s1", "s2", "s3", "--label", "domain=domain"];
    let address = checks.page("keyboard", &corpus(7, 400).files, &arguments)?;
    browser.resize(1200, 900)?;
    browser.open(&format!("{address}#sort=number"))?;
    let expect = |browser: &mut Browser, what: &str, script: &str, wanted: Value| -> Result<(), String> {
        let found = browser.run(script)?;
        require(found == wanted, || format!("{what}: {found}, not {wanted}"))
    };
    let selected =
        "return Number(document.querySelector('#size [aria-selected=true]')?.dataset.segment ?? -1) + 1";
    browser.run("document.getElementById('view').focus()")?;
    expect(browser, "at first", selected, 1.into())?;
    for (keys, segment) in
        [(&[DOWN, DOWN, "j"][..], 4), (&[UP, "k"], 2), (&[END], 400), (&[UP], 399), (&[HOME], 1)]
    {
        browser.press(keys)?;
        expect(browser, &format!("after {keys:?}"), selected, segment.into())?;
    }
    browser.press(&[PAGE_DOWN])?;
    let paged = browser.run(selected)?;
    require(paged.as_u64().is_some_and(|segment| segment > 5), || format!("a page down leads to {paged}"))?;
    // What is selected is in sight, and few rows exist whatever the number of segments.
    expect(
        browser,
        "in sight",
        "const r = document.querySelector('#size [aria-selected=true]').getBoundingClientRect(), v = document.getElementById('view').getBoundingClientRect(); return r.top >= v.top && r.bottom <= v.bottom + 1 && document.querySelectorAll('#size [data-segment]').length < 60",
        true.into(),
    )?;
    browser.press(&["/"])?;
    expect(browser, "the search", "return document.activeElement.id", "q".into())?;
    // A text, a regular expression, and one that is none.
    let rows = "return Number(document.getElementById('view').getAttribute('aria-rowcount')) - 1";
    for (query, kept) in [("zzz", Some(0)), ("/^the/", None), ("", Some(400))] {
        browser.run_async(&format!(
            "const q = document.getElementById('q'); q.value = {query:?}; q.dispatchEvent(new Event('input')); setTimeout(arguments[0], 250)"
        ))?;
        let found = browser.run(rows)?;
        let holds = kept.map_or(found.as_u64().is_some_and(|n| n > 0 && n < 400), |kept| found == kept);
        require(holds, || format!("search {query:?} keeps {found}"))?;
    }
    browser.run_async("const q = document.getElementById('q'); q.value = '/(/'; q.dispatchEvent(new Event('input')); setTimeout(arguments[0], 250)")?;
    let problem = browser.run("return document.getElementById('problem').textContent")?;
    require(problem.as_str().is_some_and(|text| text.contains("not a regular expression")), || {
        problem.to_string()
    })?;
    link(browser, &address, rows)?;
    without_scripts(checks, &address)
}

/// A link restores pair, order, filter, segment and view; one with impossible values falls back.
fn link(browser: &mut Browser, address: &str, rows: &str) -> Result<(), String> {
    browser
        .open(&format!("{address}#a=s3&b=s1&sort=-size&in.domain=news&segment=4&view=aligned&theme=dark"))?;
    let state = "return [document.getElementById('pick-a').value, document.getElementById('pick-b').value, document.getElementById('sort').value, document.querySelector('#pane h3').textContent, !!document.querySelector('#pane .cols'), document.documentElement.dataset.theme]";
    let before = (browser.run(state)?, browser.run(rows)?);
    let wanted = serde_json::json!(["2", "0", "-size", "Segment 4", true, "dark"]);
    require(before.0 == wanted && before.1 == 134, || format!("the link gives {before:?}"))?;
    let copied = browser.run("return location.href")?;
    browser.open(copied.as_str().unwrap_or_default())?;
    let after = (browser.run(state)?, browser.run(rows)?);
    require(before == after, || format!("the copied link gives {after:?}, not {before:?}"))?;
    browser.open(&format!(
        "{address}#a=none&sort=odd&segment=1e9&in.domain=x&in.none=y&view=z&box=1..2&difference=a..b&metric=q"
    ))?;
    let fallen = browser.run(rows)?;
    require(fallen == 400 && browser.console()?.is_empty(), || format!("impossible values keep {fallen}"))
}

/// Without scripts the tables are complete: every score, pair, group and n-gram is in the markup.
fn without_scripts(checks: &Checks, address: &str) -> Result<(), String> {
    let page = std::fs::read_to_string(address.trim_start_matches("file://"));
    let page = page.map_err(|error| format!("{address}: {error}"))?;
    let markup = page.split("<script").next().unwrap_or_default();
    let scores =
        checks.program(&["score", "r1", "r2", "-i", "s1", "s2", "s3", "-q", "-w", "2", "-f", "text"])?;
    for number in
        scores.split(['│', ' ', '\n']).filter(|word| word.parse::<f64>().is_ok() && word.contains('.'))
    {
        require(markup.contains(&format!("<td class=\"num\">{number}</td>")), || {
            format!("{number} is not in the tables")
        })?;
    }
    for words in [
        "BLEU by domain",
        "BLEU by length",
        "chat \u{202e}x",
        "has more often, of s1 and s2",
        "data-a=\"2\" data-b=\"1\"",
    ] {
        require(markup.contains(words), || format!("`{words}` is not in the markup"))?;
    }
    Ok(())
}
