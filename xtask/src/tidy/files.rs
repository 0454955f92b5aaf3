//! Rules about single files: header, length, white space, machine paths, ignored examples.

use super::tree::{Finding, SourceTree, TreeFile};

/// Maximum number of lines of a file; a longer file has more than one topic.
const MOST_LINES: usize = 800;

/// Maximum number of lines of a README; more belongs on a page.
const MOST_LINES_OF_README: usize = 120;

/// Paths that exist only on one machine. They are split in two, so that this file does not break its own
/// rule.
const MACHINE_PATHS: &[&str] = &[
    concat!("/wo", "rk/"),
    concat!("/t", "mp/"),
    concat!("/ro", "ot/"),
    concat!("/ho", "me/"),
    concat!("/Us", "ers/"),
    concat!("C:", "\\"),
];

pub(crate) fn header(tree: &SourceTree) -> Vec<Finding> {
    let says = |file: &TreeFile| file.text.starts_with("//! ") || file.text.starts_with("#![doc = ");
    let silent = tree.rust().filter(|file| !says(file));
    silent
        .map(|file| file.finding(1, "does not begin with a `//!` line that says what the file is"))
        .collect()
}

pub(crate) fn length(tree: &SourceTree) -> Vec<Finding> {
    let mut findings = Vec::new();
    let rust = tree.rust().filter(|file| !is_table(&file.path)).map(|file| (file, MOST_LINES));
    for (file, most) in rust.chain(tree.file("README.md").map(|readme| (readme, MOST_LINES_OF_README))) {
        let lines = file.text.lines().count();
        if lines > most {
            findings.push(file.finding(lines, format!("{lines} lines, the limit is {most}: cut it in two")));
        }
    }
    findings
}

fn is_table(path: &str) -> bool {
    path.ends_with("_table.rs") || path.ends_with("/tables.rs") || path.contains("/tables/")
}

/// Finds tabs, white space at the end of lines, and files without a newline at their end.
pub(crate) fn whitespace(tree: &SourceTree) -> Vec<Finding> {
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

/// Finds paths that exist on one machine only.
pub(crate) fn machine_paths(tree: &SourceTree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.files() {
        for (number, line) in file.lines() {
            // After a name or a dot, this is the middle of a longer path or address, as in `a.org/home/`.
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

/// Finds documentation that refers to "the module" without a link, although rustdoc shows the item elsewhere.
/// Also finds links to private modules, for which rustdoc makes no page.
pub(crate) fn dead_ends(tree: &SourceTree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.rust() {
        for (number, line) in file.lines().filter(|(_, line)| line.trim_start().starts_with("///")) {
            let dead = ["module documentation", "head of the module", "see the module"]
                .iter()
                .find(|words| line.contains(**words));
            if let Some(words) = dead.filter(|_| !line.contains("](")) {
                findings.push(file.finding(number, format!("says `{words}` without a link")));
            }
            if line.contains("](self)") && is_private(tree, &file.path) {
                findings.push(file.finding(number, "links to its module, which has no page: it is private"));
            }
        }
    }
    findings
}

/// Returns `true` if another file of the package declares the file as a module that is not public.
fn is_private(tree: &SourceTree, path: &str) -> bool {
    let module = path.strip_suffix("/mod.rs").or_else(|| path.strip_suffix(".rs")).unwrap_or(path);
    let Some((folder, name)) = module.rsplit_once('/') else { return false };
    let parents = ["/lib.rs", "/mod.rs", ".rs"].map(|end| tree.file(&format!("{folder}{end}")));
    let mut parents = parents.into_iter().flatten().filter(|parent| parent.path != path).peekable();
    let public = format!("pub mod {name};");
    parents.peek().is_some() && !parents.any(|parent| parent.lines().any(|(_, line)| line == public))
}

/// Finds documentation examples that are not compiled.
pub(crate) fn ignored_examples(tree: &SourceTree) -> Vec<Finding> {
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
