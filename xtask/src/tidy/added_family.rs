//! A test that adds the family of ARCHITECTURE.md to a copy of the tree: its package and the lines that register it are all
//! that the rules ask.

use std::fs;
use std::path::{Path, PathBuf};

use super::tree::{Finding, SourceTree};
use super::{found, packages};

/// The section of ARCHITECTURE.md with the family, and the number of lines that register a family.
const SECTION: &str = "\n## Adding a family\n";
const LINES: usize = 3;

/// The family whose manifest the page copies.
const MODEL: &str = "likelihood";

/// Family that the page adds.
const ADDED: &str = "trees";

/// A copy of the tree below `target`, which is removed at the end.
struct TreeCopy(PathBuf);

impl TreeCopy {
    fn new(root: &Path) -> Self {
        let copy = root.join(format!("target/added-family-{}", std::process::id()));
        copy_folder(root, &copy);
        TreeCopy(copy)
    }

    fn findings(&self) -> Vec<Finding> {
        let tree = SourceTree::read(&self.0).unwrap();
        found(&self.0, &tree, &packages::read(&self.0).unwrap()).unwrap()
    }
}

impl Drop for TreeCopy {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().flatten() {
        let path = entry.path();
        let name = entry.file_name();
        if path.is_dir() {
            let is_skipped =
                ["target", ".git", "node_modules", "__pycache__"].iter().any(|skipped| name == *skipped);
            if !is_skipped {
                copy_folder(&path, &to.join(name));
            }
        } else if path.exists() {
            fs::copy(&path, to.join(name)).unwrap();
        }
    }
}

/// Returns the blocks of the section with their language: `rust` for the source file, and `diff` for lines of other files.
fn blocks(page: &str) -> Vec<(String, String)> {
    let (_, section) = page.split_once(SECTION).unwrap();
    let section = section.split("\n## ").next().unwrap();
    let fenced = section.split("```").skip(1).step_by(2);
    fenced
        .map(|block| block.split_once('\n').unwrap())
        .map(|(language, text)| (language.to_owned(), text.to_owned()))
        .collect()
}

/// Applies the block of `diff`: each added line follows the line above it. Returns the number of added lines.
fn apply(root: &Path, diff: &str) -> usize {
    let mut path = PathBuf::new();
    let mut before = String::new();
    let mut added = 0;
    for line in diff.lines() {
        if let Some(file) = line.strip_prefix("--- ") {
            path = root.join(file);
        } else if let Some(new) = line.strip_prefix('+') {
            let text = fs::read_to_string(&path).unwrap();
            assert_eq!(text.matches(&before).count(), 1, "{before}");
            fs::write(&path, text.replace(&before, &format!("{before}{new}\n"))).unwrap();
            added += 1;
        } else {
            before = format!("{}\n", line.strip_prefix(' ').unwrap());
        }
    }
    added
}

#[test]
fn a_new_family_costs_three_lines_of_registration() {
    let root = xtask::root();
    let copy = TreeCopy::new(&root);
    let before = copy.findings();
    let page = fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    let blocks = blocks(&page);
    let block = |wanted: &str| &blocks.iter().find(|(language, _)| language == wanted).unwrap().1;
    let [model, family] = [MODEL, ADDED].map(|name| copy.0.join("crates/families").join(name));
    fs::create_dir_all(family.join("src")).unwrap();
    let manifest = fs::read_to_string(model.join("Cargo.toml")).unwrap();
    fs::write(
        family.join("Cargo.toml"),
        manifest.replace(&format!("bleuprint-{MODEL}"), &format!("bleuprint-{ADDED}")),
    )
    .unwrap();
    for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
        fs::copy(model.join(licence), family.join(licence)).unwrap();
    }
    fs::write(family.join("src/lib.rs"), block("rust")).unwrap();
    // Without the lines the rules name what is missing.
    let unlisted: Vec<Finding> =
        copy.findings().into_iter().filter(|finding| !before.contains(finding)).collect();
    assert_eq!(unlisted.len(), LINES, "{unlisted:#?}");
    assert_eq!(apply(&copy.0, block("diff")), LINES);
    let left: Vec<Finding> =
        copy.findings().into_iter().filter(|finding| !before.contains(finding)).collect();
    assert!(left.is_empty(), "{left:#?}");
}
