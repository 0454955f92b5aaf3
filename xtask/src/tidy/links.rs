//! The rule of links: every file that a document links to or names as a path exists.

use super::tree::{Finding, SourceTree};

/// First parts by which a word in backticks is recognized as a path from the root.
const FOLDERS: &[&str] =
    &["crates/", "examples/", "benches/", "checks/", "fuzz/", "xtask/", ".ci/", ".github/", ".cargo/"];

/// Documents in which mentioned paths must exist, besides links.
const PROMISING: &[&str] = &["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"];

/// Finds dead relative links in Markdown files, and missing paths in the main documents.
pub(crate) fn resolve(tree: &SourceTree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.files().iter().filter(|file| file.path.ends_with(".md")) {
        let folder = folder_of(&file.path);
        for (number, line) in file.lines() {
            for target in targets(line) {
                // A link that leaves the root is dead for readers of the repository.
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

/// Returns the relative targets of the links in a line, inline (`](x)`) or as a definition (`[a]: x`),
/// without anchors.
fn targets(line: &str) -> Vec<&str> {
    let inline = line.match_indices("](").filter_map(|(at, _)| line[at + 2..].split(')').next());
    let definition = line.strip_prefix('[').and_then(|rest| rest.split_once("]: ")).map(|(_, target)| target);
    let targets = inline.chain(definition).map(str::trim);
    let targets = targets.filter(|target| !target.starts_with('#') && !is_outside(target));
    targets
        .map(|target| target.split(['#', ' ']).next().unwrap_or(target))
        // rustdoc checks links to Rust items.
        .filter(|t| !t.is_empty() && !t.contains("::"))
        .collect()
}

/// Returns the words in backticks that are paths from the root; words with a placeholder are not paths.
fn mentioned(line: &str) -> impl Iterator<Item = &str> {
    // The odd parts of a line split at backticks are the quoted parts.
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

/// Returns the path of a target seen from a folder, or `None` if it leads out of the root.
pub(crate) fn join(folder: &str, target: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            // `pop` finds no folder above the root, so the path is `None`.
            ".." => drop(parts.pop()?),
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}
