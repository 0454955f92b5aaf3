//! On paper: controls are gone, tables are complete, the first segments follow.

use serde_json::json;

use super::corpora::corpus;
use super::driver::Browser;
use super::{Checks, require};

pub(super) fn run(checks: &Checks, browser: &mut Browser) -> Result<(), String> {
    let mut files = corpus(5, 90).files;
    // More groups than the window shows at once.
    files.push(("document", (0..90).map(|segment| format!("document {}\n", segment / 2)).collect()));
    let arguments = ["r1", "-i", "s1", "s2", "s3", "-m", "bleu", "chrf", "--label", "document=document"];
    let address = checks.page("print", &files, &arguments)?;
    browser.resize(1000, 900)?;
    browser.open(&address)?;
    let shown = "return ['.bar', '#segments', '.skip', '#by', '#print', '#scores', '#why', '#slices', '#grams'].map(name => !!document.querySelector(name).getClientRects().length)";
    let on_screen = browser.run(shown)?;
    require(on_screen == json!([true, true, true, true, false, true, true, true, true]), || {
        format!("on the screen there are {on_screen}")
    })?;
    browser.media("print")?;
    browser.run("dispatchEvent(new Event('beforeprint'))")?;
    let on_paper = browser.run(shown)?;
    require(on_paper == json!([false, false, false, false, true, true, true, true, true]), || {
        format!("on paper there are {on_paper}")
    })?;
    // Nothing lies beyond the edge of a box that would scroll, and every metric has its table.
    let cut = browser.run(
        "return [...document.querySelectorAll('main .scroll')].filter(e => e.getClientRects().length && e.scrollHeight > e.clientHeight + 1).map(e => e.getAttribute('aria-label'))",
    )?;
    require(cut == json!([]), || format!("on paper these are cut: {cut}"))?;
    let counts = browser.run(
        "return [[...document.querySelectorAll('table.matrix')].filter(e => e.getClientRects().length).length, document.querySelectorAll('#slices tbody tr').length, document.querySelectorAll('#print .item').length]",
    )?;
    require(counts == json!([2, 45, 20]), || {
        format!("on paper there are {counts} tables, groups, segments")
    })?;
    browser.media("screen")?;
    let printed = browser.print()?;
    require(printed.starts_with("JVBERi"), || "what was printed is no PDF".to_owned())
}
