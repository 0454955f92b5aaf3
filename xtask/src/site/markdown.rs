//! Markdown of documentation for the site: without parts for rustdoc only, and with links between pages.

use std::collections::BTreeMap;
use std::path::Path;

use super::SitePage;
use crate::tidy::links::{folder_of, is_outside, join};

/// Returns the text for readers: blocks of Rust are marked as such and lose their hidden lines.
pub(super) fn shown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut block = None;
    for line in text.lines() {
        let fence = line.trim_start().strip_prefix("```");
        match (fence, block) {
            (Some(language), None) => {
                let is_rust =
                    // rustdoc reads a block with one of these marks as Rust.
                    ["", "rust", "no_run", "should_panic", "compile_fail"].contains(&language.trim());
                block = Some(is_rust);
                out += if is_rust { "```rust" } else { line };
            }
            (Some(_), Some(_)) => {
                block = None;
                out += line;
            }
            // rustdoc compiles lines after `#` but hides them; a plain Markdown page would show them.
            (None, Some(true)) if line.trim() == "#" || line.trim_start().starts_with("# ") => continue,
            (None, Some(_)) => out += line,
            (None, None) => out += &without_items(line),
        }
        out.push('\n');
    }
    out
}

/// Returns a chapter with the beginning of its first sentence, up to the colon, as its title, and with its headings one
/// level lower. rustdoc gives such a chapter its title from the module. A page that has a title stays as it is.
pub(super) fn titled(text: &str) -> String {
    let Some((title, rest)) = text.split_once(": ") else { return text.to_owned() };
    if title.contains(['\n', '#']) || !text.contains("\n# ") {
        return text.to_owned();
    }
    let (initial, rest) = rest.split_at(rest.chars().next().map_or(0, char::len_utf8));
    let mut out = format!("# {title}\n\n{}", initial.to_uppercase());
    let mut in_block = false;
    for line in rest.lines() {
        in_block ^= line.trim_start().starts_with("```");
        if !in_block && line.starts_with('#') {
            out.push('#');
        }
        out += line;
        out.push('\n');
    }
    out
}

/// Returns a line of prose with links to Rust items replaced by their text: [`X`] is `X`, [x](Y::z) is x.
fn without_items(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(open) = rest.find('[') {
        out += &rest[..open];
        let behind = &rest[open + 1..];
        let Some(close) = behind.find(']') else {
            out += &rest[open..];
            return out;
        };
        let text = &behind[..close];
        let after = &behind[close + 1..];
        let target = after.strip_prefix('(').and_then(|after| after.split_once(')'));
        match target {
            Some((target, after)) if is_item(target) => {
                out += text;
                rest = after;
            }
            None if text.starts_with('`') && text.ends_with('`') && !after.starts_with([':', '[']) => {
                out += text;
                rest = after;
            }
            _ => {
                out.push('[');
                rest = behind;
            }
        }
    }
    out + rest
}

fn is_item(target: &str) -> bool {
    // Rust paths and types have `::`, `()` or a capital and no dot; files have an extension.
    target.contains("::")
        || target.ends_with("()")
        || (target.starts_with(|first: char| first.is_ascii_uppercase())
            && target.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_'))
}

pub(super) struct Links<'p> {
    root: &'p Path,
    address: Option<&'p str>,
    /// Pages by the files from which they are made.
    pages: BTreeMap<&'p str, &'p str>,
}

impl<'p> Links<'p> {
    pub(super) fn new(root: &'p Path, address: Option<&'p str>, pages: &'p [SitePage]) -> Self {
        let pages = pages.iter().map(|page| (page.source.as_str(), page.name.as_str())).collect();
        Links { root, address, pages }
    }

    /// Returns a page with resolved links, and its images with their names in the site. Links point to pages,
    /// to copies of images, and to files in the repository; without an address of the repository they lead to
    /// copies, and links to folders become plain text. Dead links are added to `dead`.
    pub(super) fn resolve(&self, page: &SitePage, dead: &mut Vec<String>) -> (String, Vec<(String, String)>) {
        let mut out = String::with_capacity(page.text.len());
        let mut copied = Vec::new();
        let mut in_block = false;
        for line in page.text.lines() {
            // Brackets in code are indexing or slices, not links.
            in_block ^= line.trim_start().starts_with("```");
            let line = self.pictures(page, line, &mut copied);
            let mut rest = line.as_str();
            while let Some(at) = (!in_block).then(|| rest.find("](")).flatten() {
                let Some((target, after)) = rest[at + 2..].split_once(')') else { break };
                let open = rest[..at].rfind('[').unwrap_or(0);
                let is_image = rest[..open].ends_with('!');
                let (path, anchor) = target.split_once('#').map_or((target, None), |(p, a)| (p, Some(a)));
                let text = &rest[open..=at];
                out += &rest[..open];
                match self.lead(page, path, is_image) {
                    Lead::As(to) => {
                        let anchor = anchor.map(|anchor| format!("#{anchor}")).unwrap_or_default();
                        out += &format!("{text}({to}{anchor})");
                    }
                    Lead::Copy(from, to) => {
                        out += &format!("{text}({}{to})", up(&page.name));
                        copied.push((from, to));
                    }
                    Lead::Text => out += text.trim_matches(['[', ']']),
                    Lead::Dead => {
                        dead.push(format!("{}: links to `{target}`, which is not there", page.source))
                    }
                }
                rest = after;
            }
            out += rest;
            out.push('\n');
        }
        (out, copied)
    }

    /// Returns a line of HTML whose pictures are copies in the site.
    fn pictures(&self, page: &SitePage, line: &str, copied: &mut Vec<(String, String)>) -> String {
        let mut line = line.to_owned();
        for attribute in ["src=\"", "srcset=\""] {
            let path =
                line.split_once(attribute).and_then(|(_, rest)| Some(rest.split_once('"')?.0.to_owned()));
            let Some(path) =
                path.filter(|path| line.trim_start().starts_with('<') && !path.starts_with("live/"))
            else {
                continue;
            };
            if let Lead::Copy(from, to) = self.lead(page, &path, true) {
                line = line.replace(&path, &format!("{}{to}", up(&page.name)));
                copied.push((from, to));
            }
        }
        line
    }

    fn lead(&self, page: &SitePage, path: &str, is_image: bool) -> Lead {
        if path.is_empty() || is_outside(path) {
            return Lead::As(path.to_owned());
        }
        let Some(file) = join(folder_of(&page.source), path) else { return Lead::Dead };
        if let Some(name) = self.pages.get(file.as_str()) {
            return Lead::As(format!("{}{name}", up(&page.name)));
        }
        match (self.root.join(&file).exists(), self.address) {
            (false, _) => Lead::Dead,
            (true, _) if is_image => {
                let name = file.rsplit('/').next().unwrap_or(&file).to_owned();
                Lead::Copy(file, format!("images/{name}"))
            }
            (true, Some(address)) => Lead::As(format!("{address}/blob/main/{file}")),
            // Without an address of the repository a file is copied; browsers show texts, whatever their language.
            (true, None) if self.root.join(&file).is_file() => {
                let to = format!("files/{}.txt", file.replace('/', "-"));
                Lead::Copy(file, to)
            }
            (true, None) => Lead::Text,
        }
    }
}

enum Lead {
    As(String),
    Copy(String, String),
    Text,
    Dead,
}

fn up(name: &str) -> String {
    "../".repeat(name.matches('/').count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rust_loses_its_hidden_lines_and_prose_its_items() {
        let text =
            "See [`X`], [y](Y::z) and [z](z.md).\n```\n# use x;\nlet a = 1;\n```\n```text\n# kept\n```\n";
        let wanted = "See `X`, y and [z](z.md).\n```rust\nlet a = 1;\n```\n```text\n# kept\n```\n";
        assert_eq!(shown(text), wanted);
    }

    #[test]
    fn a_chapter_gets_a_title() {
        let chapter = "A metric: a file of 25 lines.\n\n# Part\n\n```sh\n# kept\n```\n## Small\n";
        let wanted = "# A metric\n\nA file of 25 lines.\n\n## Part\n\n```sh\n# kept\n```\n### Small\n";
        assert_eq!(titled(chapter), wanted);
        for kept in ["# Title: a\n\n# Part\n", "Text: a\nb\n", "Text\n\n# Part: a\n"] {
            assert_eq!(titled(kept), kept);
        }
    }

    #[test]
    fn links_lead_to_pages_and_dead_ones_are_found() {
        let page = |name: &str, source: &str, text: &str| SitePage {
            name: name.into(),
            source: source.into(),
            text: text.into(),
        };
        let pages = [
            page("metrics/ter.md", "docs/metrics/ter.md", "[a](../ci.md#x) [b](https://c.org) [c](gone.md)"),
            page("ci.md", "docs/ci.md", ""),
        ];
        let links = Links::new(Path::new("/nowhere"), None, &pages);
        let mut dead = Vec::new();
        let (text, copied) = links.resolve(&pages[0], &mut dead);
        assert_eq!(text, "[a](../ci.md#x) [b](https://c.org) \n");
        assert_eq!(dead, ["docs/metrics/ter.md: links to `gone.md`, which is not there"]);
        assert!(copied.is_empty());
    }
}
