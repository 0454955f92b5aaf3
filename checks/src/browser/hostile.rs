//! Texts, names and labels that would like to be more than texts: nothing runs, nothing is loaded, nothing is lost.

use super::driver::Browser;
use super::{Checks, require};

/// Each would set a mark, open a dialog or load something, were it taken for markup or script.
const HOSTILE: [&str; 12] = [
    "</script><script>window.bad = 1; alert(1)</script>",
    "<img src=http://127.0.0.1:9/x.png onerror=\"window.bad = 2\">",
    "<!--<script>window.bad = 3</script>",
    "\"><svg onload=window.bad=4>",
    "'-alert(1)-'",
    "javascript:alert(1)",
    "{{constructor.constructor('window.bad = 5')()}}",
    "\u{2028}\u{2029}window.bad = 6",
    "<style>@import 'http://127.0.0.1:9/x.css'; * { display: none }</style>",
    "</title></head><body onload=alert(1)><iframe src=http://127.0.0.1:9/></iframe>",
    "=cmd|' /C calc'!A0",
    "__proto__ constructor toString \u{0}\u{feff}\u{202e}abc",
];

pub(super) fn run(checks: &Checks, browser: &mut Browser) -> Result<(), String> {
    let lines = |turn: usize| {
        (0..HOSTILE.len()).map(|at| format!("{}\n", HOSTILE[(at + turn) % HOSTILE.len()])).collect::<String>()
    };
    let files = [("h-ref", lines(0)), ("h-src", lines(5)), ("h-label", lines(0))];
    // Names of files may hold most of it, too.
    let systems = ["<img onerror=alert(1)>", "a' onmouseover='alert(1)", "__proto__"];
    let mut all: Vec<(&str, String)> = files.to_vec();
    all.extend(systems.iter().enumerate().map(|(turn, name)| (*name, lines(turn))));
    let label = format!("{}=h-label", HOSTILE[3].replace('=', ":"));
    let arguments = [
        &["h-ref", "-i"],
        &systems[..],
        &[
            "--source",
            "h-src",
            "--label",
            &label,
            "--by",
            HOSTILE[3].replace('=', ":").leak(),
            "--title",
            HOSTILE[0],
        ],
    ];
    let address = checks.page("hostile", &all, &arguments.concat())?;
    open_and_press(browser, &address)?;
    saved(browser)?;
    let file = [("h-records.jsonl", records())];
    let records = ["--segments", "h-records.jsonl", "--by", "domain,document", "--title", HOSTILE[9]];
    let address = checks.page("hostile-records", &file, &records)?;
    open_and_press(browser, &address)
}

/// One file with everything: systems, ids, documents and domains are hostile, too.
fn records() -> String {
    let record = |(system, at): (usize, usize)| {
        let text = |turn: usize| HOSTILE[(at + turn) % HOSTILE.len()];
        let record = serde_json::json!({
            "system": HOSTILE[system], "id": text(1), "document": text(2),
            "domain": text(3), "hypothesis": text(system), "references": [text(0), text(7)],
        });
        format!("{record}\n")
    };
    (0..2).flat_map(|system| (0..HOSTILE.len()).map(move |at| (system, at))).map(record).collect()
}

/// Opens a page, presses everything, and looks at what came of it.
fn open_and_press(browser: &mut Browser, address: &str) -> Result<(), String> {
    browser.requests()?;
    browser.console()?;
    browser.open(address)?;
    // Every segment is shown in both views, is searched for, and is saved.
    let count = browser.run(
        "const view = document.getElementById('view');
         let shown = 0;
         for (const row of [...document.querySelectorAll('#size [data-segment]')].map(r => r.dataset.segment)) {
           document.querySelector(`#size [data-segment='${row}']`).click();
           for (const value of ['aligned', 'matches']) document.querySelector(`#pane input[value=${value}]`).click();
           shown++;
         }
         for (const button of document.querySelectorAll('#grams button, #slices button')) button.click();
         const q = document.getElementById('q');
         for (const text of ['<img', '/(/', '/script/']) { q.value = text; q.dispatchEvent(new Event('input')); }
         document.querySelectorAll('#chips button').forEach(chip => chip.click());
         return shown;",
    )?;
    require(!browser.has_dialog(), || "a dialog opened".to_owned())?;
    require(count.as_u64() == Some(HOSTILE.len() as u64), || format!("{count} segments were shown"))?;
    let bad = browser.run("return [window.bad ?? null, document.images.length, document.querySelectorAll('iframe, svg, link').length, document.scripts.length, document.styleSheets.length, document.title]")?;
    require(bad[0].is_null() && bad[1] == 0 && bad[2] == 0 && bad[3] == 2 && bad[4] == 1, || {
        format!("something ran or was made: {bad}")
    })?;
    let titled = |text: &str| [HOSTILE[0], HOSTILE[9]].iter().any(|title| text.starts_with(title));
    require(bad[5].as_str().is_some_and(titled), || format!("the title is {}", bad[5]))?;
    let elsewhere: Vec<String> = browser
        .requests()?
        .into_iter()
        .filter(|url| {
            !url.starts_with("file://")
                && !url.starts_with("about:")
                && !url.starts_with("data:")
                && !url.starts_with("blob:")
        })
        .collect();
    require(elsewhere.is_empty(), || format!("something was loaded: {elsewhere:?}"))?;
    let said = browser.console()?;
    require(said.is_empty(), || format!("the console says: {said:?}"))
}

/// What is saved is rectangular, and no text of it is a formula to a spreadsheet.
fn saved(browser: &mut Browser) -> Result<(), String> {
    let table = browser.run_async(
        "const done = arguments[arguments.length - 1], make = URL.createObjectURL;
         const q = document.getElementById('q'); q.value = ''; q.dispatchEvent(new Event('input'));
         setTimeout(() => {
           document.querySelectorAll('#chips button').forEach(chip => chip.click());
           URL.createObjectURL = blob => { blob.text().then(done); return make.call(URL, blob); };
           document.getElementById('tsv').click();
         }, 250);",
    )?;
    let rows: Vec<Vec<&str>> =
        table.as_str().unwrap_or_default().lines().map(|line| line.split('\t').collect()).collect();
    require(rows.len() == HOSTILE.len() + 1, || format!("{} rows were saved", rows.len()))?;
    let columns = rows[0].len();
    for row in &rows {
        require(row.len() == columns, || format!("{} cells in a row of {columns}: {row:?}", row.len()))?;
        let formula = |cell: &&&str| cell.starts_with(['=', '+', '@', '-']) && cell.parse::<f64>().is_err();
        require(row.iter().find(formula).is_none(), || format!("a formula: {row:?}"))?;
    }
    Ok(())
}
