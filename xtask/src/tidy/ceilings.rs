//! The rules of ceilings: lines of Rust and Python, public items of packages, and names at the root of the facade.
//!
//! `ceilings.toml` next to this file holds the numbers. A ceiling rises in a commit that changes nothing else and says why;
//! [`history`](super::history) checks it.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::public;
use super::tree::{Finding, SourceTree};

/// The data file with the ceilings.
pub(crate) const PATH: &str = "xtask/src/tidy/ceilings.toml";

const FAMILIES: &str = "crates/families/";
const REMEDY: &str = "remove what nobody calls, or raise the ceiling in xtask/src/tidy/ceilings.toml in a commit of its own, as CONTRIBUTING.md says";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Ceilings {
    lines: LineCeilings,
    items: BTreeMap<String, usize>,
    facade: FacadeCeilings,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LineCeilings {
    crates: usize,
    rest: usize,
    family: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FacadeCeilings {
    names: usize,
}

/// Parts of the tree with a ceiling of lines.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum LinePart {
    /// `crates/` without the families.
    Crates,
    /// Everything outside of `crates/`.
    Rest,
    /// One family, by the name of its folder.
    Family(String),
}

impl LinePart {
    /// Returns the part that counts a file; `None` for a file that is neither Rust nor Python.
    pub(crate) fn from_path(path: &str) -> Option<Self> {
        if !path.ends_with(".rs") && !path.ends_with(".py") {
            return None;
        }
        // Families come first: their folder is also below `crates/`.
        if let Some((family, _)) = path.strip_prefix(FAMILIES).and_then(|path| path.split_once('/')) {
            return Some(LinePart::Family(family.to_owned()));
        }
        Some(if path.starts_with("crates/") { LinePart::Crates } else { LinePart::Rest })
    }

    fn place(&self) -> String {
        match self {
            LinePart::Crates => "crates/ without families".to_owned(),
            LinePart::Rest => "the tree without crates/".to_owned(),
            LinePart::Family(name) => format!("{FAMILIES}{name}"),
        }
    }
}

/// Returns the ceilings of a tree, or the finding that it has none.
fn read(tree: &SourceTree) -> Result<Ceilings, Vec<Finding>> {
    let finding = |message| vec![Finding { place: PATH.to_owned(), message }];
    let file = tree.file(PATH).ok_or_else(|| finding("is missing: it holds the ceilings".to_owned()))?;
    toml::from_str(&file.text).map_err(|error| finding(error.to_string()))
}

/// Counts the lines of Rust and Python in each part of the tree.
fn lines_of(tree: &SourceTree) -> BTreeMap<LinePart, usize> {
    let mut counts = BTreeMap::new();
    for file in tree.files() {
        if let Some(part) = LinePart::from_path(&file.path) {
            *counts.entry(part).or_default() += file.text.lines().count();
        }
    }
    counts
}

/// Finds the parts of the tree that have more lines than their ceiling. `growth` returns a sentence about the folders of a part
/// that grew most.
pub(crate) fn lines(tree: &SourceTree, growth: &dyn Fn(&LinePart) -> Option<String>) -> Vec<Finding> {
    let LineCeilings { crates, rest, family } = match read(tree) {
        Ok(ceilings) => ceilings.lines,
        Err(findings) => return findings,
    };
    let mut findings = Vec::new();
    for (part, lines) in lines_of(tree) {
        let most = match part {
            LinePart::Crates => crates,
            LinePart::Rest => rest,
            LinePart::Family(_) => family,
        };
        if lines > most {
            let grown = growth(&part).map(|words| format!(" {words}.")).unwrap_or_default();
            let lines = counted(lines, "line");
            let message =
                format!("{lines} of Rust and Python, the ceiling is {most}.{grown} To mend it, {REMEDY}");
            findings.push(Finding { place: part.place(), message });
        }
    }
    findings
}

/// Finds packages that declare more public items than their ceiling; a package without a row may declare none.
pub(crate) fn items(tree: &SourceTree) -> Vec<Finding> {
    let most = match read(tree) {
        Ok(ceilings) => ceilings.items,
        Err(findings) => return findings,
    };
    let over = public::items(tree).into_iter().filter_map(|(folder, items)| {
        let package = folder.rsplit('/').next()?;
        // A package without a row is a family, or must declare its size: the ceiling is then 0.
        let common = folder.starts_with("families/").then(|| most.get("family")).flatten();
        let most = most.get(package).or(common).copied().unwrap_or_default();
        let items = (items > most).then(|| counted(items, "public item"))?;
        let message = format!("{items}, the ceiling is {most}: make items private, {REMEDY}");
        Some(Finding { place: format!("crates/{folder}"), message })
    });
    over.collect()
}

/// Finds a root of the facade that exports more names than its ceiling.
pub(crate) fn facade(tree: &SourceTree) -> Vec<Finding> {
    let Some(names) = public::facade_names(tree) else { return Vec::new() };
    let most = match read(tree) {
        Ok(ceilings) => ceilings.facade.names,
        Err(findings) => return findings,
    };
    let message = format!("{} at the root, the ceiling is {most}", counted(names, "name"));
    let finding = Finding { place: format!("{}:1", public::FACADE), message };
    if names > most { vec![finding] } else { Vec::new() }
}

/// Returns a line with the counts of a tree: its public items, and its lines.
pub(crate) fn summary(tree: &SourceTree) -> String {
    let items = public::items(tree).into_iter().map(|(folder, items)| format!("{folder} {items}"));
    let lines = lines_of(tree).into_iter().map(|(part, lines)| format!("{} {lines}", part.place()));
    let joined = |words: Vec<String>| words.join(", ");
    format!("public items: {}\n  lines: {}", joined(items.collect()), joined(lines.collect()))
}

/// Returns a count with its noun, which takes an `s` unless the count is 1.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    const CEILINGS: &str = "[lines]\ncrates = 5\nrest = 3\nfamily = 2\n[items]\n[facade]\nnames = 0\n";

    fn found(files: &[(&str, &str)]) -> Vec<String> {
        let growth = |part: &LinePart| (*part == LinePart::Crates).then(|| "Grown: a".to_owned());
        let mut all = vec![(PATH, CEILINGS)];
        all.extend(files);
        lines(&SourceTree::of(&all), &growth).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn lines_are_counted_by_part() {
        let full = [
            ("crates/a/src/lib.rs", "x\nx\nx\n"),
            ("crates/b/x.py", "x\nx\n"),
            ("crates/b/x.md", "x\n"),
            ("crates/families/f/src/lib.rs", "x\nx\n"),
            ("crates/families/g/src/lib.rs", "x\nx\n"),
            ("xtask/a.rs", "x\nx\nx\n"),
        ];
        assert_eq!(found(&full), [""; 0]);
        for (path, wanted) in [
            (
                "crates/c.rs",
                "crates/ without families: 6 lines of Rust and Python, the ceiling is 5. Grown: a. ",
            ),
            (
                "python/a.py",
                "the tree without crates/: 4 lines of Rust and Python, the ceiling is 3. To mend it, ",
            ),
            (
                "crates/families/g/src/a.rs",
                "crates/families/g: 3 lines of Rust and Python, the ceiling is 2. ",
            ),
        ] {
            let mut more = full.to_vec();
            more.push((path, "x\n"));
            let found = found(&more);
            assert!(found.len() == 1 && found[0].starts_with(wanted), "{path}: {found:?}");
        }
    }

    #[test]
    fn counts_have_their_nouns() {
        assert_eq!([counted(1, "place"), counted(2, "place")], ["1 place", "2 places"]);
    }
}
