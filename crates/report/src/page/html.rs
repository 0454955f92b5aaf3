//! [`html()`]: combines the data of a report, the style sheet and the script into one HTML file.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::{Compress, Compression, FlushCompress, Status};
use sha2::{Digest, Sha256};

use super::{FORMAT, PageData, figures, json, sentence, tables};
use crate::escape;

/// HTML `<meta>` tag by which bleuprint recognizes its own reports.
pub const GENERATOR: &str = "<meta name=\"generator\" content=\"bleuprint report\">";

/// CSS style sheet of the reports, public so that other HTML files can have the same look.
pub const STYLE: &str = include_str!("web/style.css");

/// JavaScript of the report, concatenated from several files into one function scope. An error while it
/// starts is shown in the browser, and the static tables remain.
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

/// Sort orders for the report's list of segments, one per line. A line has the smallest number of systems for
/// which the order is offered, the value of the option, and its text.
const ORDERS: &str = include_str!("web/orders.txt");

/// Returns the SHA-256 hash of a style sheet or script in the format of a `Content-Security-Policy` source.
pub fn hash(text: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)))
}

/// Returns the report as one self-contained HTML file, which loads nothing else. Scores and tables show even
/// if scripts are disabled.
///
/// The content security policy allows only this style and this script, by their hashes. The data element is
/// not executable. Texts cannot end this element, because every `<` in the JSON is escaped.
pub fn html(page: &PageData) -> String {
    let data = escape::json_in_html(&json(page));
    with_data(page, &format!("<script type=\"application/json\" id=\"data\">{data}</script>"))
}

/// Returns the report as HTML with compressed data. The file has about a third of the size that [`html()`]
/// gives. Tools such as `grep` cannot find texts in it, and a browser from 2023 or later is needed.
pub fn compressed_html(page: &PageData) -> String {
    let Some(packed) = packed(json(page).as_bytes()) else { return html(page) };
    let data = STANDARD.encode(packed);
    with_data(
        page,
        &format!("<script type=\"text/plain\" id=\"data\" data-packed=\"deflate\">{data}</script>"),
    )
}

/// Compresses bytes in the format that the browser's `DecompressionStream` calls `deflate`.
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
        // The output was too small for the rest of the data.
        packed.reserve(packed.len() / 2 + 1024);
    }
}

fn with_data(page: &PageData, data: &str) -> String {
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
    let order = |line: &str| {
        let (value, text) =
            line.strip_prefix("1 ").or(line.strip_prefix("2 ").filter(|_| several))?.split_once(' ')?;
        Some(format!("<option value=\"{value}\">{text}</option>"))
    };
    let orders: String = ORDERS.lines().filter_map(order).collect();
    // Many systems or metrics make tables too wide for two columns.
    let many = match (page.systems.len(), page.metrics.len()) {
        (7.., _) => " stacked many",
        (_, 3..) => " stacked",
        _ => "",
    };
    let against = if several {
        // Two systems have a single difference, so there is nothing to press.
        let press = " <span class=\"only-scripted\">Press a cell to compare the two.</span>";
        let (title, head, press) = match page.systems.len() {
            2 => ("Difference", "The first minus the second", ""),
            _ => ("Each against each", "Row minus column", press),
        };
        format!(
            "<div><h2>{title}</h2><p class=\"note\">{head} in points; {}. Bold: p at most {}.{press}</p>{matrices}</div>",
            escape::html(&page.test),
            sentence::SIGNIFICANT
        )
    } else {
        String::new()
    };
    [
        // The policy is in front of the style and the script, because it applies only to later elements.
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
        &format!("<header class=\"top\"><div class=\"wrap\"><h1>{title}</h1><p class=\"lede\">{}</p></div></header>\n", together(&escape::html(&sentence::who_is_ahead(page)))),
        include_str!("web/controls.html"),
        &format!("<main class=\"wrap\">\n<section><div class=\"two{many}\"><div><h2>Scores</h2><p class=\"note\">{} segments.</p><div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"scores\">{}</div></div>{against}</div></section>\n", crate::thousands(page.segments), tables::scores(page)),
        include_str!("web/why.html"),
        &figures::section(page),
        &format!("<section class=\"static\"><h2>Groups of segments</h2>{}</section>\n", tables::slices(page)),
        include_str!("web/segments.html"),
        &orders,
        include_str!("web/segments-end.html"),
        &format!("<section class=\"static\"><h2>N-grams won and lost</h2>{}</section>\n{}<div id=\"print\"></div>\n</main>\n", tables::ngrams(page), tables::errors(page)),
        &format!("<footer class=\"wrap\">{signatures}<p>Made by bleuprint {}. This file holds its data and makes no connection.</p></footer>\n", escape::html(&page.version)),
        &format!("{data}\n<script>{SCRIPT}</script>\n</body></html>\n"),
    ]
    .concat()
}

/// Keeps a p-value on one line.
fn together(sentence: &str) -> String {
    ["p = ", "p &lt;= ", "p &lt; "]
        .iter()
        .fold(sentence.to_owned(), |text, p| text.replace(p, &p.replace(' ', "&nbsp;")))
}

/// Returns `true` if `head` is the beginning of a report file in HTML or JSON. Callers check this before they
/// overwrite a file.
pub fn is_report(head: &str) -> bool {
    head.contains(GENERATOR) || head.starts_with(&format!("{{\"format\":\"{FORMAT}\""))
}
