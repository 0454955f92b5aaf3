//! `cargo xtask names`: checks whether names can be searched for. Counts types that share a name, types of
//! one word, tuples of bindings, and functions named `of`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use xtask::Result;

use crate::tidy::tree::{SourceTree, TreeFile};

/// Counts of names in some files.
#[derive(Debug, Default)]
struct NameCounts<'t> {
    /// Files that declare a struct, an enum or a trait, by its name.
    types: BTreeMap<&'t str, BTreeSet<&'t str>>,
    lines_of_code: usize,
    /// Number of lines that bind several names to a tuple of values: `let (a, b) = (c, d)`.
    tuples: usize,
    /// Number of functions with the name `of`.
    functions_of: usize,
}

impl<'t> NameCounts<'t> {
    fn add(&mut self, file: &'t TreeFile) {
        for line in file.text.lines().map(str::trim).take_while(|line| !line.starts_with("#[cfg(test)]")) {
            if line.is_empty() || line.starts_with("//") {
                continue;
            }
            self.lines_of_code += 1;
            self.tuples += usize::from(binds_a_tuple(line));
            self.functions_of += usize::from(line.contains("fn of(") || line.contains("fn of<"));
            if let Some(name) = declared_type(line) {
                self.types.entry(name).or_default().insert(&file.path);
            }
        }
    }

    /// Returns the names of types that several files declare.
    fn shared(&self) -> Vec<(&'t str, &BTreeSet<&'t str>)> {
        let mut shared: Vec<_> = self
            .types
            .iter()
            .filter(|(_, files)| files.len() > 1)
            .map(|(name, files)| (*name, files))
            .collect();
        shared.sort_by_key(|(_, files)| std::cmp::Reverse(files.len()));
        shared
    }

    fn of_one_word(&self) -> usize {
        self.types.keys().filter(|name| name.chars().filter(char::is_ascii_uppercase).count() == 1).count()
    }
}

/// Runs `cargo xtask names`.
pub(crate) fn run(root: &Path) -> Result {
    let tree = SourceTree::read(root)?;
    let mut counts = NameCounts::default();
    for file in tree.rust().filter(|file| is_counted(&file.path)) {
        counts.add(file);
    }
    let shared = counts.shared();
    for (name, files) in shared.iter().take(20) {
        println!("{name} ({}): {}", files.len(), files.iter().copied().collect::<Vec<_>>().join(", "));
    }
    let types = counts.types.len();
    let share = |part: usize| 100.0 * part as f64 / types.max(1) as f64;
    let one_word = counts.of_one_word();
    println!("{types} names of types");
    println!("{:5.1} % of them, {}, are of types in several files", share(shared.len()), shared.len());
    println!("{:5.1} % of them, {one_word}, have one word", share(one_word));
    let per_thousand = 1000.0 * counts.tuples as f64 / counts.lines_of_code.max(1) as f64;
    println!("{per_thousand:5.1} lines `let (..) = (..)` a thousand lines of code, {}", counts.tuples);
    println!("{:5} functions `of`", counts.functions_of);
    Ok(())
}

/// Returns `true` if the file is source code of a package, without its tests.
fn is_counted(path: &str) -> bool {
    let mut folders: Vec<&str> = path.split('/').collect();
    let name = folders.pop();
    folders.contains(&"src") && !folders.contains(&"tests") && name != Some("tests.rs")
}

fn binds_a_tuple(line: &str) -> bool {
    let Some(rest) = line.strip_prefix("let ") else { return false };
    let rest = rest.strip_prefix("mut ").unwrap_or(rest);
    rest.starts_with('(') && rest.contains(") = (")
}

/// Returns the name of the type that a line declares.
fn declared_type(line: &str) -> Option<&str> {
    let mut rest = line;
    if let Some(behind) = rest.strip_prefix("pub") {
        let behind = behind.trim_start();
        rest = match behind.strip_prefix('(') {
            Some(scope) => scope.split_once(')')?.1.trim_start(),
            None => behind,
        };
    }
    let rest = ["struct ", "enum ", "trait "].iter().find_map(|keyword| rest.strip_prefix(keyword))?;
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
    let name = &rest[..end];
    name.starts_with(|c: char| c.is_ascii_uppercase()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_tuples_and_of_are_counted() {
        let one =
            "//! x\npub(crate) struct Row {}\nenum SpeakerSide {}\nlet (a, b) = (c, d);\nfn of(x: u8) {}\n";
        let other =
            "//! x\n/// struct Not {}\ntrait Row<T> {}\nlet (a, b) = c;\n#[cfg(test)]\nstruct Kind;\n";
        let tree = SourceTree::of(&[("a/src/one.rs", one), ("a/src/other.rs", other)]);
        let mut counts = NameCounts::default();
        tree.files().iter().for_each(|file| counts.add(file));
        assert_eq!(counts.shared().iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["Row"]);
        assert_eq!((counts.types.len(), counts.of_one_word()), (2, 1));
        assert_eq!((counts.tuples, counts.functions_of, counts.lines_of_code), (1, 1, 6));
    }

    #[test]
    fn tests_are_not_counted() {
        assert!(is_counted("crates/a/src/b.rs") && is_counted("xtask/src/main.rs"));
        assert!(!is_counted("crates/a/tests/it/b.rs") && !is_counted("crates/a/src/tests.rs"));
    }
}
