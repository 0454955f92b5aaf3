//! Right-to-left and unspaced texts: each is shown in its own direction, whole, and isolated from what stands around it.

use serde_json::{Value, json};

use super::driver::Browser;
use super::{Checks, require};

const HEBREW: [&str; 3] = ["הכלב נשך את האיש.", "\u{202e}זה לא היה (צפוי)!", "שלום world 2,000 פעמים"];
const OTHER: [&str; 3] = ["האיש נשך את הכלב.", "זה היה צפוי!", "שלום שלום"];
const CHINESE: [&str; 3] = ["狗咬了那个人。", "这并不意外！", "他有2,000本书。"];
const THERE: [&str; 3] = ["那个人咬了狗。", "这很意外！", "他有2,000本书。"];
const ENGLISH: [&str; 3] = ["The dog bit the man.", "It was not (expected)!", "Hello 2,000 times"];

fn lines(texts: &[&str]) -> String {
    texts.iter().map(|text| format!("{text}\n")).collect()
}

pub(super) fn run(checks: &Checks, browser: &mut Browser) -> Result<(), String> {
    browser.resize(1200, 1000)?;
    let files = |texts: [[&str; 3]; 3]| -> Vec<(&'static str, String)> {
        ["d-ref", "d-one", "d-source"]
            .into_iter()
            .zip(texts)
            .map(|(name, text)| (name, lines(&text)))
            .collect()
    };
    // A Hebrew output beside an English source, and the other way round; Chinese cut into words of one character.
    let arguments = ["d-ref", "-i", "d-ref2", "d-one", "--source", "d-source"];
    let mut hebrew = files([HEBREW, OTHER, ENGLISH]);
    hebrew.push(("d-ref2", lines(&HEBREW)));
    let address = checks.page("rtl", &hebrew, &arguments)?;
    directions(browser, &address, [&HEBREW, &HEBREW, &OTHER], "rtl", &ENGLISH)?;
    let mut chinese = files([CHINESE, THERE, HEBREW]);
    chinese.push(("d-ref2", lines(&CHINESE)));
    let address = checks.page("zh", &chinese, &[&arguments[..], &["--tokenize", "zh"]].concat())?;
    directions(browser, &address, [&CHINESE, &CHINESE, &THERE], "ltr", &HEBREW)
}

/// Every text of every segment: as it was written, in its direction; words one below the other run that way, too.
fn directions(
    browser: &mut Browser,
    address: &str,
    texts: [&[&str; 3]; 3],
    direction: &str,
    source: &[&str; 3],
) -> Result<(), String> {
    for segment in 0..3 {
        browser.open(&format!("{address}#sort=number&segment={}", segment + 1))?;
        let shown = browser.run(
            "return [...document.querySelectorAll('#pane .text p')].map(p => [p.textContent, p.dir, getComputedStyle(p).direction, getComputedStyle(p).unicodeBidi])",
        )?;
        let mut expected = vec![source[segment]];
        expected.extend(texts.map(|list| list[segment]));
        let found: Vec<Value> = shown.as_array().into_iter().flatten().map(|text| text[0].clone()).collect();
        require(found == expected, || format!("segment {}: {found:?}, not {expected:?}", segment + 1))?;
        for text in shown.as_array().into_iter().flatten() {
            let isolated = text[1] == "auto" && matches!(text[3].as_str(), Some("plaintext" | "isolate"));
            require(isolated, || format!("not isolated: {text}"))?;
            let hebrew = text[0].as_str().is_some_and(|text| {
                text.chars().find(|c| c.is_alphabetic()).is_some_and(|c| ('\u{590}'..'\u{600}').contains(&c))
            });
            let wanted = if hebrew { "rtl" } else { "ltr" };
            require(text[2] == wanted, || format!("runs {}, not {wanted}: {text}", text[2]))?;
        }
        let row = browser.run(&format!(
            "const cell = document.querySelector('#row-{segment} .t'); return [cell.dir, cell.textContent, getComputedStyle(cell).direction]"
        ))?;
        require(row == json!(["auto", texts[0][segment], direction]), || format!("in the list: {row}"))?;
        browser.open(&format!("{address}#sort=number&view=aligned&segment={}", segment + 1))?;
        let columns = browser.run("const e = document.querySelector('#pane .cols'); return e.dir")?;
        require(columns == direction, || format!("the words run {columns}, not {direction}"))?;
    }
    // Names and labels stand in elements that end their own overrides.
    let open = browser.run(
        "return [...document.querySelectorAll('#grams button, #chips button, .who > span, #slices .name button')].filter(e => !['isolate', 'isolate-override', 'plaintext'].includes(getComputedStyle(e).unicodeBidi) && getComputedStyle(e).display === 'inline').map(e => e.outerHTML.slice(0, 80))",
    )?;
    require(open == json!([]), || format!("not isolated: {open}"))
}
