//! Pages of every kind: without texts, with some, compressed, from stored statistics, of one system, of one segment, under
//! metrics of every family. Each opens without a complaint, whatever its address says, and knows its segments.

use serde_json::json;

use super::corpora::corpus;
use super::driver::Browser;
use super::{Checks, require};

/// What a page is made with, and how many segments it has.
const PAGES: &[(&str, &[&str], u64)] = &[
    ("no-texts", &["r1", "-i", "s1", "s2", "--no-texts", "--label", "domain=domain"], 60),
    ("sample", &["r1", "r2", "-i", "s1", "s2", "s3", "--sample", "7"], 60),
    ("compress", &["r1", "-i", "s1", "s2", "--compress", "--label", "domain=domain"], 60),
    ("stored", &["--stats", "v1.stats", "v2.stats"], 60),
    ("one-system", &["r1", "-i", "s1", "--label", "__proto__=domain"], 60),
    ("one-segment", &["o-ref", "-i", "o-one", "o-two"], 1),
    ("empty", &["e-ref", "-i", "e-one", "e-two", "-m", "bleu", "chrf", "ter", "wer"], 2),
    ("equal", &["r1", "-i", "r1", "s1", "-m", "bleu", "exact_match"], 60),
    (
        "names",
        &[
            "r1",
            "-i",
            "s1",
            "s2",
            "--label",
            ":words=domain",
            "--label",
            "__proto__=domain",
            "--label",
            "words=domain",
        ],
        60,
    ),
    (
        "metrics",
        &[
            "r1",
            "-i",
            "s1",
            "s2",
            "s3",
            "-m",
            "ter",
            "rougeL",
            "gleu",
            "distinct",
            "repetition",
            "cider",
            "meteor",
            "nist",
            "wip",
        ],
        60,
    ),
];

/// Addresses that fit no page, some, and none at all.
const FRAGMENTS: [&str; 5] = [
    "",
    "by=:words&q=the&view=aligned&ngram=the",
    "q=/(/&segment=1&box=0..1..0..1&difference=-1..1",
    "in.domain=news&in.__proto__=news&in.:words=news&by=__proto__&sort=-b",
    "%%%=%zz&segment=0x1&segment=1e1&a=s2&b=s2&metric=__proto__&theme=none",
];

pub(super) fn run(checks: &Checks, browser: &mut Browser) -> Result<(), String> {
    browser.resize(1200, 1000)?;
    let mut files = corpus(13, 60).files;
    for (name, text) in [
        ("o-ref", "one segment\n"),
        ("o-one", "one segment\n"),
        ("o-two", "two\n"),
        ("e-ref", "\n\n"),
        ("e-one", "\n\n"),
        ("e-two", "a\n\n"),
    ] {
        files.push((name, text.to_owned()));
    }
    for (name, arguments, segments) in PAGES {
        if *name == "stored" {
            for (system, place) in [("s1", "v1.stats"), ("s2", "v2.stats")] {
                checks.program(&["stats", "r1", "-i", system, "-q", "--overwrite", "-o", place])?;
            }
        }
        let address = checks.page(name, &files, arguments)?;
        for fragment in FRAGMENTS {
            browser.open(&format!("{address}#{fragment}"))?;
            let told = format!("{name}#{fragment}");
            ready(browser, &told)?;
            // Every metric, every grouping, both views, the other pair, the largest and the last segment.
            browser.run(
                "for (const option of document.getElementById('pick-metric').options) {
                   const e = document.getElementById('pick-metric'); e.value = option.value; e.dispatchEvent(new Event('change'));
                   for (const radio of document.querySelectorAll('#by input')) radio.click();
                   for (const radio of document.querySelectorAll('#pane input')) radio.click();
                   document.getElementById('swap').click();
                 }
                 document.querySelectorAll('#histogram button').forEach(bar => bar.click());
                 document.querySelectorAll('#slices button').forEach(name => name.click());
                 document.querySelectorAll('#grams button').forEach(ngram => ngram.click());
                 while (document.querySelector('#chips button')) document.querySelector('#chips button').click();
                 document.getElementById('theme').click();
                 dispatchEvent(new Event('beforeprint'));",
            )?;
            let said = browser.console()?;
            require(said.is_empty(), || format!("{told}: the console says {said:?}"))?;
            let rows = browser
                .run("return Number(document.getElementById('view').getAttribute('aria-rowcount')) - 1")?;
            require(rows == *segments, || format!("{told}: {rows} of {segments} segments are listed"))?;
        }
    }
    Ok(())
}

/// Waits for the script, which in a compressed page is not done when the page is.
fn ready(browser: &mut Browser, told: &str) -> Result<(), String> {
    let state = browser.run_async(
        "const done = arguments[arguments.length - 1], root = document.documentElement, began = performance.now();
         (function wait() {
           if (root.dataset.ready || performance.now() - began > 20000) done([!!root.dataset.ready, root.classList.contains('scripted'), document.querySelector('header .problem')?.textContent ?? null]);
           else setTimeout(wait, 20);
         })()",
    )?;
    require(state == json!([true, true, null]), || format!("{told} did not start: {state}"))
}
