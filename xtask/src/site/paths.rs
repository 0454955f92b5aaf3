//! Checks that a reader of the built site finds the answers to common questions within two clicks from its first
//! page.
//!
//! A click follows a tab or a link in the text of a page. The left column lists every page of a section, so its links
//! would make every page two clicks away; they do not count.

use std::collections::BTreeMap;
use std::path::Path;

use xtask::Result;

use super::read;

/// A question, the page with the answer, and words of the answer.
const QUESTIONS: &[(&str, &str, &str)] = &[
    ("How do I install it?", "index.html", "cargo install --path crates/cli"),
    ("How do I score token ids in Rust?", "index.html", "Accumulator::<_, [u32]>"),
    ("How do I score in Python?", "python.html", "bleuprint.metric("),
    ("How do I add a metric?", "plugins.html", "impl Metric for"),
    ("How do I add an option of a metric?", "architecture.html", "Adding an option"),
    ("How do I add a tokenizer?", "architecture.html", "Adding a tokenizer"),
    ("How do I fail a pull request whose scores dropped?", "ci.html", "uses: OWNER/bleuprint@"),
    ("How do I do that on GitLab?", "ci.html", "allow_failure"),
    ("What do exit codes 1 and 3 of the gate mean?", "ci.html", "inconclusive: too few segments"),
    ("Is my new language model better than the old one?", "compare-llm.html", "--from lm-eval"),
    ("How do I compute WER with a normalizer?", "speech.html", "norm="),
    ("Which metric do I need?", "which-metric.html", "Machine translation"),
    ("How is BLEU smoothed?", "smoothing.html", "add-k"),
    ("What is tok:13a?", "tokenizers.html", "13a"),
    ("What is spBLEU?", "tokenizers.html", "flores200"),
    ("What do I write into a paper?", "paper.html", "signature"),
    ("Where do the intervals come from?", "intervals.html", "bootstrap"),
    ("Which files can it read?", "files.html", "JSON Lines"),
    ("Where is the reference of Rust?", "rust.html", "cargo doc"),
    ("Where is the reference of Python?", "api.html", "bleuprint.metric"),
    ("Can I try it without an installation?", "try.html", "Score text in a browser"),
    ("What changes if I come from sacreBLEU?", "from-sacrebleu.html", "sacrebleu"),
];

/// Number of clicks within which every question is answered.
const CLICKS: usize = 2;

/// Returns an error that names each question without an answer within two clicks.
pub(super) fn check(html: &Path) -> Result {
    let mut pages = BTreeMap::new();
    for item in std::fs::read_dir(html)? {
        let name = item?.file_name().to_string_lossy().into_owned();
        if name.ends_with(".html") {
            let text = read(html, &name)?;
            pages.insert(name, text);
        }
    }
    let found = unanswered(&pages, QUESTIONS);
    if found.is_empty() { Ok(()) } else { Err(found.join("\n").into()) }
}

fn unanswered(pages: &BTreeMap<String, String>, questions: &[(&str, &str, &str)]) -> Vec<String> {
    let clicks = clicks(pages);
    let mut found = Vec::new();
    for (question, page, words) in questions {
        match (pages.get(*page), clicks.get(*page)) {
            (Some(_), Some(&clicks)) if clicks > CLICKS => {
                found.push(format!("{page} is {clicks} clicks away from the first page: {question}"));
            }
            (Some(text), Some(_)) if plain(text).contains(words) => {}
            (Some(_), Some(_)) => found.push(format!("{page} has no `{words}`: {question}")),
            _ => found.push(format!("no click leads to {page}: {question}")),
        }
    }
    found
}

/// Returns the least number of clicks from the first page to each page at the top of the site.
fn clicks(pages: &BTreeMap<String, String>) -> BTreeMap<&str, usize> {
    let mut clicks = BTreeMap::from([("index.html", 0)]);
    let mut next = vec!["index.html"];
    while let Some(page) = next.pop() {
        let from = clicks.get(page).copied().unwrap_or(0);
        for target in pages.get(page).map(|text| links(text)).unwrap_or_default() {
            let Some((name, _)) = pages.get_key_value(target) else { continue };
            if clicks.get(name.as_str()).is_none_or(|&known| known > from + 1) {
                clicks.insert(name, from + 1);
                next.push(name);
            }
        }
    }
    clicks
}

/// Returns the targets of the tabs and of the links in the text of a page, without their anchors.
fn links(text: &str) -> Vec<&str> {
    let tabs = between(text, "<nav class=\"md-tabs\"", "</nav>");
    let article = between(text, "<article", "</article>");
    let parts = [tabs, article].into_iter().flat_map(|part| part.split("href=\"").skip(1));
    parts.filter_map(|part| part.split(['"', '#']).next()).collect()
}

fn between<'t>(text: &'t str, start: &str, end: &str) -> &'t str {
    let rest = text.split_once(start).map_or("", |(_, rest)| rest);
    rest.split_once(end).map_or(rest, |(part, _)| part)
}

/// Returns the text of a page without its tags, so that highlighted code is found.
fn plain(html: &str) -> String {
    let parts = between(html, "<article", "</article>").split('<');
    let text: String = parts.map(|part| part.split_once('>').map_or(part, |(_, text)| text)).collect();
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_must_be_near_and_on_their_page() {
        let page = |links: &str, text: &str| {
            let links: String =
                links.split_whitespace().map(|to| format!("<a href=\"{to}#x\">x</a>")).collect();
            format!("<nav><a href=\"d.html\"></a></nav><article>{links}<b>{text}</b>&lt;u32&gt;</article>")
        };
        let pages = BTreeMap::from([
            ("index.html".to_owned(), page("a.html", "")),
            ("a.html".to_owned(), page("b.html", "answer")),
            ("b.html".to_owned(), page("c.html", "answer")),
            ("c.html".to_owned(), page("", "answer")),
            ("d.html".to_owned(), page("", "answer")),
        ]);
        let ask = |page: &'static str, words: &'static str| unanswered(&pages, &[("Why?", page, words)]);
        assert_eq!(ask("a.html", "answer<u32>"), [""; 0]);
        assert_eq!(ask("b.html", "answer"), [""; 0]);
        assert_eq!(ask("b.html", "other"), ["b.html has no `other`: Why?"]);
        assert_eq!(ask("c.html", "answer"), ["c.html is 3 clicks away from the first page: Why?"]);
        // The left column alone leads there.
        assert_eq!(ask("d.html", "answer"), ["no click leads to d.html: Why?"]);
    }
}
