//! The rule of the links: what a document links to or names as a path is there.

use super::tree::{Finding, SourceTree};

/// Beginnings by which a word in backticks is known to be a path from the root.
const FOLDERS: &[&str] =
    &["crates/", "examples/", "benches/", "checks/", "fuzz/", "xtask/", ".ci/", ".github/", ".cargo/"];

/// Documents whose mentioned paths count as promises, besides their links.
const PROMISING: &[&str] = &["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"];

/// Relative links of every Markdown file, and the paths that the main documents mention.
pub(crate) fn resolve(tree: &SourceTree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.files().iter().filter(|file| file.path.ends_with(".md")) {
        let folder = folder_of(&file.path);
        for (number, line) in file.lines() {
            for target in targets(line) {
                let exists = join(folder, target).is_some_and(|path| tree.exists(&path));
                if !exists {
                    findings.push(file.finding(number, format!("links to `{target}`, which is not there")));
                }
            }
            if PROMISING.contains(&file.path.as_str()) {
                for path in mentioned(line).filter(|path| !tree.exists(path.trim_end_matches('/'))) {
                    findings.push(file.finding(number, format!("names `{path}`, which is not there")));
                }
            }
        }
    }
    findings
}

/// The relative targets of the links in a line, inline (`](x)`) or as a definition (`[a]: x`), without anchors.
fn targets(line: &str) -> Vec<&str> {
    let inline = line.match_indices("](").filter_map(|(at, _)| line[at + 2..].split(')').next());
    let definition = line.strip_prefix('[').and_then(|rest| rest.split_once("]: ")).map(|(_, target)| target);
    let targets = inline.chain(definition).map(str::trim);
    let targets = targets.filter(|target| !target.starts_with('#') && !is_outside(target));
    targets
        .map(|target| target.split(['#', ' ']).next().unwrap_or(target))
        // Links to items of Rust code are for rustdoc to check.
        .filter(|t| !t.is_empty() && !t.contains("::"))
        .collect()
}

/// Words in backticks that are paths from the root; those with a placeholder in them are none.
fn mentioned(line: &str) -> impl Iterator<Item = &str> {
    let quoted = line.split('`').skip(1).step_by(2);
    quoted.filter(|word| {
        FOLDERS.iter().any(|folder| word.starts_with(folder)) && !word.contains(['<', '*', '{', ' ', '$'])
    })
}

pub(crate) fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

pub(crate) fn is_outside(target: &str) -> bool {
    target.contains("://") || target.starts_with("mailto:")
}

/// The path of a target seen from a folder; nothing when it leads out of the root.
pub(crate) fn join(folder: &str, target: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}
