//! A box dragged in the scatter: list and saved table hold the segments within it, and the live score is the library's of
//! these segments.

use serde_json::Value;

use super::corpora::corpus;
use super::driver::Browser;
use super::numbers::{close, json};
use super::{Checks, require};

/// The ends of the box, in shares of the axes.
const BOX: [f64; 4] = [0.1, 0.8, 0.15, 0.7];

pub(super) fn run(checks: &Checks, browser: &mut Browser) -> Result<(), String> {
    let files = corpus(11, 200).files;
    let address = checks.page("scatter", &files, &["r1", "-i", "s2", "s3", "-m", "bleu", "chrf"])?;
    browser.resize(1300, 1000)?;
    for (metric, name) in ["bleu", "chrf"].into_iter().enumerate() {
        browser.open(&address)?;
        browser.run(&format!(
            "document.documentElement.style.scrollBehavior = 'auto'; const e = document.getElementById('pick-metric'); e.value = {metric}; e.dispatchEvent(new Event('change'))"
        ))?;
        let all = table(browser)?;
        drag(browser)?;
        let ends = box_of_address(browser)?;
        let inside = |row: &&Vec<String>| {
            let score = |column: usize| row[column].parse::<f64>().unwrap_or(f64::NAN);
            // The first system is told upward, the second to the right; each cell of a score follows its text.
            let (first, second) = (score(all.first), score(all.second));
            second >= ends[0] && second <= ends[1] && first >= ends[2] && first <= ends[3]
        };
        let mut expected: Vec<usize> = all.rows.iter().filter(inside).map(|row| number(row)).collect();
        expected.sort_unstable();
        let kept = table(browser)?;
        let mut found: Vec<usize> = kept.rows.iter().map(|row| number(row)).collect();
        found.sort_unstable();
        require(!found.is_empty() && found.len() < all.rows.len(), || {
            format!("{name}: the box keeps {} segments", found.len())
        })?;
        require(found == expected, || format!("{name}: the box keeps {found:?}, not {expected:?}"))?;
        let listed = browser
            .run("return Number(document.getElementById('view').getAttribute('aria-rowcount')) - 1")?;
        require(listed == found.len(), || format!("{name}: {listed} are listed, {} saved", found.len()))?;
        live(checks, browser, &files, &found, name)?;
        // Dropped, everything is there again.
        browser.run("document.querySelector('#chips button').click()")?;
        let rows = table(browser)?.rows.len();
        require(rows == all.rows.len(), || format!("{name}: without the box {rows} rows are left"))?;
    }
    Ok(())
}

/// Drags from corner to corner of the box.
fn drag(browser: &mut Browser) -> Result<(), String> {
    browser.run("document.getElementById('charts').scrollIntoView({ block: 'center' })")?;
    let frame = browser.run(
        "const r = document.getElementById('scatter').getBoundingClientRect(); return [r.left, r.top, r.width, r.height]",
    )?;
    let side = |place: usize| frame[place].as_f64().unwrap_or(0.0);
    // The margins of the axes, as in the script.
    let x = |share: f64| side(0) + 34.0 + share * (side(2) - 34.0 - 8.0);
    let y = |share: f64| side(1) + side(3) - 24.0 - share * (side(3) - 8.0 - 24.0);
    browser.drag([x(BOX[0]), y(BOX[2])], [x(BOX[1]), y(BOX[3])])
}

fn box_of_address(browser: &mut Browser) -> Result<[f64; 4], String> {
    let ends = browser.run("return new URLSearchParams(location.hash.slice(1)).get('box')")?;
    let numbers: Vec<f64> =
        ends.as_str().unwrap_or_default().split("..").filter_map(|end| end.parse().ok()).collect();
    numbers.try_into().map_err(|_| format!("the address holds no box: {ends}"))
}

/// The live score of what is kept, against the program's of the same lines.
fn live(
    checks: &Checks,
    browser: &mut Browser,
    files: &[(&str, String)],
    kept: &[usize],
    name: &str,
) -> Result<(), String> {
    for file in ["r1", "s2", "s3"] {
        let text = files.iter().find(|(known, _)| *known == file).map(|(_, text)| text.as_str());
        let lines: Vec<&str> = text.unwrap_or_default().lines().collect();
        let part: String = kept.iter().map(|&segment| format!("{}\n", lines[segment - 1])).collect();
        std::fs::write(checks.folder.join(format!("{file}.part")), part)
            .map_err(|error| error.to_string())?;
    }
    let compared = json(
        &checks
            .program(&["compare", "r1.part", "-i", "s2.part", "s3.part", "-q", "-f", "json", "-m", name])?,
    )?;
    let shown = browser.run(
        "return [...document.querySelectorAll('#live [data-value]')].map(e => [e.dataset.value, e.dataset.low ?? null, e.dataset.high ?? null])",
    )?;
    let metric = &compared["metrics"][0];
    let pair = &metric["pairs"][0];
    for system in 0..2 {
        let printed = checks.program(&[
            "score",
            "r1.part",
            "-i",
            ["s2.part", "s3.part"][system],
            "-q",
            "-f",
            "json",
            "-m",
            name,
        ])?;
        let printed = json(&printed)?;
        let one = if printed.is_array() { &printed[0] } else { &printed };
        close("live score", &shown[system][0], &one["score"])?;
    }
    let number = |value: &Value| value.as_f64().unwrap_or(f64::NAN);
    let (difference, error) = (number(&pair["difference"]), number(&pair["standard_error"]));
    close("live difference", &shown[2][0], &pair["difference"])?;
    close("live lower end", &shown[2][1], &(difference - 1.959963984540054 * error).into())?;
    close("live upper end", &shown[2][2], &(difference + 1.959963984540054 * error).into())
}

/// What the page saves.
struct Saved {
    /// The columns of the scores of the two systems.
    first: usize,
    second: usize,
    rows: Vec<Vec<String>>,
}

fn number(row: &[String]) -> usize {
    row[0].parse().unwrap_or(0)
}

fn table(browser: &mut Browser) -> Result<Saved, String> {
    let text = browser.run_async(
        "const done = arguments[arguments.length - 1], make = URL.createObjectURL;
         URL.createObjectURL = blob => { blob.text().then(done); URL.createObjectURL = make; return make.call(URL, blob); };
         document.getElementById('tsv').click();",
    )?;
    let mut rows =
        text.as_str().unwrap_or_default().lines().map(|line| line.split('\t').map(str::to_owned).collect());
    let head: Vec<String> = rows.next().ok_or("nothing was saved")?;
    let column = |name: &str| {
        let found = head.iter().position(|cell| cell.starts_with(name) && cell.len() > name.len());
        found.ok_or_else(|| format!("no column of {name} in {head:?}"))
    };
    Ok(Saved { first: column("s2 ")?, second: column("s3 ")?, rows: rows.collect() })
}
