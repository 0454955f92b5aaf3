//! [`html()`]: data, style and script in one page.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::{Compress, Compression, FlushCompress, Status};
use sha2::{Digest, Sha256};

use super::{FORMAT, Page, json, sentence, tables};
use crate::escape;

/// The mark of the page's maker, which identifies a report.
pub const GENERATOR: &str = "<meta name=\"generator\" content=\"bleuprint report\">";

/// The style of pages, for others in the same manner.
pub const STYLE: &str = include_str!("web/style.css");

/// The files of the script, in order, as one scope. Errors at the start are shown, and the tables stay.
const SCRIPT: &str = concat!(
    "'use strict';\n(async () => {\nconst BEGAN = performance.now();\n",
    include_str!("web/base.js"),
    include_str!("web/finish.js"),
    include_str!("web/state.js"),
    include_str!("web/overview.js"),
    include_str!("web/words.js"),
    include_str!("web/ngrams.js"),
    include_str!("web/errors.js"),
    include_str!("web/pane.js"),
    include_str!("web/charts.js"),
    include_str!("web/list.js"),
    include_str!("web/main.js"),
    include_str!("web/failed.js"),
);

const ORDERS: &[(&str, &str, bool)] = &[
    ("-share", "largest share for \u{25cf} first", true),
    ("share", "largest share for \u{25c6} first", true),
    ("-size", "largest share either way", true),
    ("-delta", "largest difference first", true),
    ("delta", "smallest difference first", true),
    ("-a", "\u{25cf} highest first", false),
    ("a", "\u{25cf} lowest first", false),
    ("-b", "\u{25c6} highest first", true),
    ("b", "\u{25c6} lowest first", true),
    ("-length", "longest reference first", false),
    ("length", "shortest reference first", false),
    ("number", "order of the file", false),
    ("-number", "order of the file, backwards", false),
];

/// The source of a style or script in a content security policy.
pub fn hash(text: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)))
}

/// The page: one file, complete without scripts, which loads nothing.
///
/// The content security policy admits the style and the script by their hashes; data are no script, and texts within
/// cannot end their element because every `<` of the JSON is escaped.
pub fn html(page: &Page) -> String {
    let data = escape::json_in_html(&json(page));
    with_data(page, &format!("<script type=\"application/json\" id=\"data\">{data}</script>"))
}

/// The page with its data compressed: about a third of the size, but nothing of the texts is found by `grep`, and it takes
/// a browser of 2023.
pub fn compressed_html(page: &Page) -> String {
    let Some(packed) = packed(json(page).as_bytes()) else { return html(page) };
    let data = STANDARD.encode(packed);
    with_data(
        page,
        &format!("<script type=\"text/plain\" id=\"data\" data-packed=\"deflate\">{data}</script>"),
    )
}

/// As the browser's `DecompressionStream` of that name reads it.
fn packed(data: &[u8]) -> Option<Vec<u8>> {
    let mut deflate = Compress::new(Compression::default(), true);
    let mut packed = Vec::with_capacity(data.len() / 2 + 1024);
    loop {
        let rest = data.get(deflate.total_in() as usize..).unwrap_or_default();
        match deflate.compress_vec(rest, &mut packed, FlushCompress::Finish) {
            Ok(Status::StreamEnd) => return Some(packed),
            Ok(_) => {}
            Err(_) => return None,
        }
        packed.reserve(packed.len() / 2 + 1024);
    }
}

fn with_data(page: &Page, data: &str) -> String {
    let title = escape::html(&page.title);
    let systems = escape::html(&page.systems.join(", "));
    let matrices: String =
        page.metrics.iter().enumerate().map(|(place, metric)| tables::matrix(page, place, metric)).collect();
    let signatures: String = page
        .metrics
        .iter()
        .map(|metric| format!("<p><code class=\"sig\">{}</code></p>", escape::html(&metric.signature)))
        .collect();
    let several = page.systems.len() > 1;
    let orders: String = ORDERS
        .iter()
        .filter(|(_, _, two)| several || !two)
        .map(|(value, text, _)| format!("<option value=\"{value}\">{text}</option>"))
        .collect();
    let many = match (page.systems.len(), page.metrics.len()) {
        (7.., _) => " stacked many",
        (_, 3..) => " stacked",
        _ => "",
    };
    let against = if several {
        format!(
            "<div><h2>Each against each</h2><p class=\"note\">Row minus column in points; {}. Bold: p at most {}. <span class=\"only-scripted\">Press a cell to compare the two.</span></p>{matrices}</div>",
            escape::html(&page.test),
            sentence::SIGNIFICANT
        )
    } else {
        String::new()
    };
    [
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n",
        &format!(
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src {}; script-src {}; base-uri 'none'; form-action 'none'\">\n",
            hash(STYLE),
            hash(SCRIPT)
        ),
        "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">",
        GENERATOR,
        &format!("\n<title>{title}: {systems}</title>\n<style>{STYLE}</style></head><body>\n"),
        "<a class=\"skip\" href=\"#segments\">Skip to the segments</a>\n",
        &format!("<header class=\"top\"><div class=\"wrap\"><h1>{title}</h1><p class=\"lede\">{}</p></div></header>\n", escape::html(&sentence::who_is_ahead(page))),
        CONTROLS,
        &format!("<main class=\"wrap\">\n<section><div class=\"two{many}\"><div><h2>Scores</h2><p class=\"note\">{} segments.</p><div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"scores\">{}</div></div>{against}</div></section>\n", crate::thousands(page.segments), tables::scores(page)),
        WHY_AND_SLICES,
        &format!("<section class=\"static\"><h2>Groups of segments</h2>{}</section>\n", tables::slices(page)),
        SEGMENTS_START,
        &orders,
        SEGMENTS_END,
        &format!("<section class=\"static\"><h2>N-grams won and lost</h2>{}</section>\n{}<div id=\"print\"></div>\n</main>\n", tables::ngrams(page), tables::errors(page)),
        &format!("<footer class=\"wrap\">{signatures}<p>Made by bleuprint {}. This file holds its data and makes no connection.</p></footer>\n", escape::html(&page.version)),
        &format!("{data}\n<script>{SCRIPT}</script>\n</body></html>\n"),
    ]
    .concat()
}

const CONTROLS: &str = r##"<div class="bar only-scripted" role="region" aria-label="what is compared"><div class="wrap"><nav aria-label="sections"><a href="#s-slices">Groups</a><a href="#segments">Segments</a><a href="#s-grams">N-grams</a><a href="#s-errors">Errors</a></nav>
<div class="pick"><label>metric <select id="pick-metric"></select></label></div>
<div class="pick of-two"><label><span class="mk a" aria-hidden="true"></span><span class="sr">first system</span><select id="pick-a"></select></label>
<button id="swap" title="exchange the two"><span aria-hidden="true">&#8644;</span><span class="sr">exchange the two</span></button>
<label><span class="mk b" aria-hidden="true"></span><span class="sr">second system</span><select id="pick-b"></select></label></div>
<button id="theme" title="light or dark"><span aria-hidden="true">&#9681;</span><span class="sr">light or dark</span></button></div></div>
"##;

const WHY_AND_SLICES: &str = r##"<section id="s-why" class="only-scripted" hidden><h2>Why the two scores differ</h2><p class="note" id="why-note"></p><div class="scroll" tabindex="0" role="region" aria-label="parts of the difference"><table id="why" class="slices"></table></div></section>
<section id="s-slices" class="only-scripted" hidden><h2>Where they differ</h2><p class="note" id="slice-note"></p><div class="seg" id="by" role="radiogroup" aria-label="group by"></div><div class="scroll clip" tabindex="0" role="region" aria-label="groups of segments"><table id="slices" class="slices"></table></div></section>
"##;

const SEGMENTS_START: &str = r##"<section id="segments" class="only-scripted"><h2>Segments</h2><p class="note of-two">A segment's share is what the difference of the two scores loses without it, in points.</p><p class="note">In the list: arrow keys, j, k, Page Up, Page Down, Home, End; / to search.</p>
<div class="charts" id="charts"><div><h3>One against the other</h3><p class="note">Press a point to read it; drag a box to keep what is inside.</p><canvas id="scatter" role="img" aria-label="scatter of segments"></canvas><div class="axis" id="scatter-axis"></div></div>
<div><h3>Difference</h3><p class="note">Press a bar to keep its segments.</p><div class="histogram" id="histogram" role="group" aria-label="histogram of differences"></div><div class="axis" id="histogram-axis"></div></div></div>
<div class="tools"><input type="search" id="q" placeholder="search all texts, or /regular expression/" aria-label="search all texts"><label><span class="sr">order</span><select id="sort">"##;

const SEGMENTS_END: &str = r##"</select></label><button id="tsv">save these as TSV</button><div class="chips" id="chips"></div></div>
<p class="problem" id="problem" role="alert"></p><p class="live" id="live" role="status"></p>
<div class="md"><div class="list"><div class="view" id="view" tabindex="0" role="grid" aria-label="segments"><div class="lhead" role="rowgroup"><div class="lrow" role="row" id="head"></div></div><div id="size" role="rowgroup"></div></div></div>
<aside class="pane" id="pane" aria-label="the selected segment" tabindex="0"></aside></div></section>
<section id="s-grams" class="only-scripted" hidden><h2>N-grams won and lost</h2><p class="note">Matches over the whole corpus, each segment's at most as many as in a reference. Press one to keep the segments whose references have it.</p><div class="grams" id="grams"></div></section>
<section id="s-errors" class="only-scripted" hidden><h2 id="errors-title"></h2><p class="note" id="errors-note"></p><div class="grams" id="errors"></div></section>
"##;

/// True for the beginning of a report: the page or its data. Other files are not overwritten by mistake.
pub fn is_report(head: &str) -> bool {
    head.contains(GENERATOR) || head.starts_with(&format!("{{\"format\":\"{FORMAT}\""))
}
