//! Ceilings: the number of items that a package declares `pub`, of names at the root of the facade, and of lines.
//!
//! Counted are the lines that begin with `pub fn`, `pub struct`, `pub enum`, `pub trait`, `pub const`, `pub static`, `pub type`,
//! `pub union` or `pub mod` before the unit tests, methods and constants of types among them; not fields, variants, methods of
//! traits, or what is exported from elsewhere. A `pub` in a private module counts, too: rustc warns where it is out of reach.

use std::collections::BTreeMap;

use super::tree::{Finding, Tree};

/// The greatest number of public items of each published package. A ceiling rises only in a commit that says why; it falls
/// with every commit that removes items.
const CEILINGS: &[(&str, usize)] = &[
    ("bleuprint", 74),
    ("captions", 27),
    ("cli", 12),
    ("codebleu", 13),
    ("core", 182),
    ("diarization", 41),
    ("eval", 219),
    ("gate", 73),
    ("harness", 7),
    ("inference", 120),
    ("inputs", 115),
    ("labels", 37),
    ("latency", 10),
    ("likelihood", 18),
    ("math", 13),
    ("meetings", 31),
    ("metrics", 195),
    ("ngram", 90),
    ("recognition", 58),
    ("registry", 117),
    ("report", 79),
    ("samples", 48),
    ("sclite", 26),
    ("similarity", 24),
    ("sources", 20),
    ("stem", 1),
    ("subtitles", 10),
    ("text", 178),
    ("track", 100),
    ("vectors", 14),
];

/// The greatest number of names that the root of the facade exports, under the same rule.
const FACADE: &str = "crates/bleuprint/src/lib.rs";
const MOST_NAMES: usize = 60;

/// The greatest number of lines of Rust and Python, under the same rule.
const MOST_LINES: usize = 207_508;

/// Packages of tests, which nobody outside depends on.
const UNPUBLISHED: &[&str] = &["testkit"];

const ITEMS: &[&str] = &["fn", "struct", "enum", "trait", "const", "static", "type", "union", "mod"];

/// The packages that are published, and how many items each declares.
pub(crate) fn items(tree: &Tree) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for file in tree.rust() {
        let Some((folder, _)) = file.path.strip_prefix("crates/").and_then(|path| path.split_once("/src/"))
        else {
            continue;
        };
        let package = folder.strip_prefix("families/").unwrap_or(folder);
        *counts.entry(package).or_default() += file.code().filter(|(_, line)| declares(line)).count();
    }
    counts
}

pub(crate) fn ceilings(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (package, items) in items(tree) {
        if UNPUBLISHED.contains(&package) {
            continue;
        }
        let most = CEILINGS.iter().find(|(name, _)| *name == package).map_or(0, |(_, most)| *most);
        if items > most {
            let message =
                format!("{items} public items, the ceiling is {most}: see xtask/src/tidy/public.rs");
            findings.push(Finding { place: format!("crates/{package}"), message });
        }
    }
    findings
}

/// The facade's root exports at most its ceiling of names, and by list.
pub(crate) fn facade(tree: &Tree) -> Vec<Finding> {
    let Some(file) = tree.files().iter().find(|file| file.path == FACADE) else { return Vec::new() };
    let code: String = file.code().flat_map(|(_, line)| [line, " "]).collect();
    let exports: Vec<&str> =
        code.split(';').filter_map(|item| item.split_once("pub use ")).map(|(_, path)| path).collect();
    let mut findings = Vec::new();
    for path in exports.iter().filter_map(|path| path.strip_suffix("::*")) {
        findings.push(file.finding(1, format!("exports all of {path}: list the names")));
    }
    let names = exports
        .iter()
        .map(|path| path.split(',').filter(|name| !name.trim_matches([' ', '}']).is_empty()).count());
    let modules = file.code().filter(|(_, line)| line.starts_with("pub mod ")).count();
    let all = names.sum::<usize>() + modules;
    if all > MOST_NAMES {
        findings.push(file.finding(1, format!("{all} names at the root, the ceiling is {MOST_NAMES}")));
    }
    findings
}

pub(crate) fn lines(tree: &Tree) -> Vec<Finding> {
    let sources = tree.files().iter().filter(|file| file.is_rust() || file.path.ends_with(".py"));
    let lines: usize = sources.map(|file| file.text.lines().count()).sum();
    let message = format!("{lines} lines of Rust and Python, the ceiling is {MOST_LINES}");
    let finding = Finding { place: "the workspace".to_owned(), message };
    if lines > MOST_LINES { vec![finding] } else { Vec::new() }
}

fn declares(line: &str) -> bool {
    let Some(rest) = line.trim_start().strip_prefix("pub ") else { return false };
    let mut words = rest.split([' ', '<', '(', ':']).skip_while(|word| ["unsafe", "async"].contains(word));
    words.next().is_some_and(|word| ITEMS.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_counted_and_fields_are_not() {
        let text = "//! x\npub struct A {\n    pub a: u8,\n}\n    pub const fn a() {}\npub(crate) fn b() {}\npub use c::C;\n";
        let tree = Tree::of(&[("crates/core/src/lib.rs", text), ("xtask/src/lib.rs", text)]);
        assert_eq!(items(&tree), BTreeMap::from([("core", 2)]));
    }
}
