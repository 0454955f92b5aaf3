//! Public items of packages, and names at the root of the facade, which [`ceilings`](super::ceilings) bounds.
//!
//! Counted are the lines that begin with `pub fn`, `pub struct`, `pub enum`, `pub trait`, `pub const`, `pub static`, `pub type`,
//! `pub union` or `pub mod` before the unit tests, methods and constants of types among them; not fields, variants, methods of
//! traits, or exports from elsewhere. A `pub` in a private module counts, too: rustc warns where it is out of reach.

use std::collections::BTreeMap;

use super::tree::{Finding, SourceTree};

/// The root of the facade.
pub(crate) const FACADE: &str = "crates/bleuprint/src/lib.rs";

/// Packages of tests, which nobody outside depends on.
const UNPUBLISHED: &[&str] = &["testkit"];

const ITEMS: &[&str] = &["fn", "struct", "enum", "trait", "const", "static", "type", "union", "mod"];

/// Counts the public items of each published package, by its folder in `crates/`.
pub(crate) fn items(tree: &SourceTree) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for file in tree.rust() {
        let Some((folder, _)) = file.path.strip_prefix("crates/").and_then(|path| path.split_once("/src/"))
        else {
            continue;
        };
        if !UNPUBLISHED.contains(&folder) {
            *counts.entry(folder).or_default() += file.code().filter(|(_, line)| declares(line)).count();
        }
    }
    counts
}

/// Returns the paths that the root of the facade exports.
fn exports(code: &str) -> Vec<&str> {
    code.split(';').filter_map(|item| item.split_once("pub use ")).map(|(_, path)| path).collect()
}

fn facade_code(tree: &SourceTree) -> Option<String> {
    Some(tree.file(FACADE)?.code().flat_map(|(_, line)| [line, " "]).collect())
}

/// Finds exports of whole modules at the root of the facade, which exports by list.
pub(crate) fn listed(tree: &SourceTree) -> Vec<Finding> {
    let code = facade_code(tree).unwrap_or_default();
    let all = exports(&code).into_iter().filter_map(|path| path.strip_suffix("::*"));
    let place = || format!("{FACADE}:1");
    all.map(|path| Finding { place: place(), message: format!("exports all of {path}: list the names") })
        .collect()
}

/// Counts the names that the root of the facade exports; `None` if the tree has no facade.
pub(crate) fn facade_names(tree: &SourceTree) -> Option<usize> {
    let code = facade_code(tree)?;
    let names = exports(&code)
        .into_iter()
        .map(|path| path.split(',').filter(|name| !name.trim_matches([' ', '}']).is_empty()).count());
    let modules = tree.file(FACADE)?.code().filter(|(_, line)| line.starts_with("pub mod ")).count();
    Some(names.sum::<usize>() + modules)
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
        let tree = SourceTree::of(&[("crates/core/src/lib.rs", text), ("xtask/src/lib.rs", text)]);
        assert_eq!(items(&tree), BTreeMap::from([("core", 2)]));
    }
}
