//! Rules about single files: header, length, whitespace, machine paths, ignored examples.

use super::tree::{File, Finding, Tree};

/// At this length a file has become two things.
const MOST_LINES: usize = 800;

/// Paths that only exist on somebody's machine. Cut in two, so that this file does not break its own rule.
const MACHINE_PATHS: &[&str] = &[
    concat!("/wo", "rk/"),
    concat!("/t", "mp/"),
    concat!("/ro", "ot/"),
    concat!("/ho", "me/"),
    concat!("/Us", "ers/"),
    concat!("C:", "\\"),
];

pub(crate) fn header(tree: &Tree) -> Vec<Finding> {
    let says = |file: &File| file.text.starts_with("//! ") || file.text.starts_with("#![doc = ");
    let silent = tree.rust().filter(|file| !says(file));
    silent
        .map(|file| file.finding(1, "does not begin with a `//!` line that says what the file is"))
        .collect()
}

pub(crate) fn length(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.rust().filter(|file| !is_table(&file.path)) {
        let lines = file.text.lines().count();
        if lines > MOST_LINES {
            findings.push(
                file.finding(lines, format!("{lines} lines, the limit is {MOST_LINES}: cut it in two")),
            );
        }
    }
    findings
}

fn is_table(path: &str) -> bool {
    path.ends_with("_table.rs") || path.ends_with("/tables.rs") || path.contains("/tables/")
}

/// No tabs, no whitespace at the end of lines, and a newline at the end of the file.
pub(crate) fn whitespace(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.files() {
        for (number, line) in file.lines() {
            if line.ends_with(char::is_whitespace) {
                findings.push(file.finding(number, "whitespace at the end of the line"));
            }
            if line.contains('\t') {
                findings.push(file.finding(number, "a tab"));
            }
        }
        if !file.text.is_empty() && !file.text.ends_with('\n') {
            findings.push(file.finding(file.text.lines().count(), "no newline at the end of the file"));
        }
    }
    findings
}

/// Nothing names a path that exists on one machine only.
pub(crate) fn machine_paths(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.files() {
        for (number, line) in file.lines() {
            // What follows a name or a dot is the middle of a longer path or address, as in `a.org/home/`.
            let starts = |at: usize| {
                let before = line[..at].chars().next_back();
                before.is_none_or(|c| !c.is_alphanumeric() && !matches!(c, '.' | '/' | '-' | '_' | '}'))
            };
            let machine =
                MACHINE_PATHS.iter().find(|path| line.match_indices(**path).any(|(at, _)| starts(at)));
            if let Some(path) = machine {
                findings.push(file.finding(number, format!("`{path}` is a path of somebody's machine")));
            }
        }
    }
    findings
}

/// Every documentation example is compiled.
pub(crate) fn ignored_examples(tree: &Tree) -> Vec<Finding> {
    let documents = tree.files().iter().filter(|file| file.is_rust() || file.path.ends_with(".md"));
    let mut findings = Vec::new();
    for file in documents {
        for (number, line) in file.lines() {
            let text = line.trim_start().trim_start_matches(['/', '!']).trim_start();
            let Some(fence) = text.strip_prefix("```") else { continue };
            if fence.split([',', ' ']).any(|word| word == "ignore" || word.starts_with("ignore-")) {
                findings.push(
                    file.finding(number, "an example that is not compiled; make it run, or say `text`"),
                );
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_silent_file_is_found() {
        let tree = Tree::of(&[("a.rs", "//! Says.\n"), ("b.rs", "use x;\n"), ("c.md", "no header\n")]);
        assert_eq!(header(&tree).len(), 1);
        assert_eq!(header(&tree)[0].place, "b.rs:1");
    }

    #[test]
    fn a_long_file_is_found_unless_it_is_a_table() {
        let long = "x\n".repeat(MOST_LINES + 1);
        let full = "x\n".repeat(MOST_LINES);
        let tree = Tree::of(&[
            ("a/long.rs", &long),
            ("a/full.rs", &full),
            ("a/case_table.rs", &long),
            ("a/tables/b.rs", &long),
            ("a/tables.rs", &long),
        ]);
        let findings = length(&tree);
        assert_eq!(findings.len(), 1);
        assert!(findings[0].to_string().starts_with("a/long.rs:801: 801 lines, the limit is 800"));
    }

    #[test]
    fn whitespace_is_found() {
        let tree = Tree::of(&[("a.rs", "a \nb\tc\nd"), ("b.toml", "a\n")]);
        let places: Vec<String> = whitespace(&tree).into_iter().map(|finding| finding.place).collect();
        assert_eq!(places, ["a.rs:1", "a.rs:2", "a.rs:3"]);
    }

    #[test]
    fn machine_paths_are_found_but_not_addresses() {
        let path = MACHINE_PATHS[1];
        let bad = format!("see {path}x\n\"{path}y\"\n");
        let good = format!("see https://example.org{path}x and ./a{path}y\n");
        let tree = Tree::of(&[("bad.md", &bad), ("good.md", &good)]);
        let places: Vec<String> = machine_paths(&tree).into_iter().map(|finding| finding.place).collect();
        assert_eq!(places, ["bad.md:1", "bad.md:2"]);
    }

    #[test]
    fn ignored_examples_are_found() {
        let fence = "```";
        let bad = format!("//! {fence}ignore\n/// {fence}rust,ignore\n//! {fence}\n");
        let tree = Tree::of(&[("a.rs", &bad), ("b.md", &format!("{fence}text\n{fence}\n"))]);
        assert_eq!(ignored_examples(&tree).len(), 2);
    }
}
