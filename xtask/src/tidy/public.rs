//! How many items a package declares `pub`.
//!
//! Counted are the lines that begin with `pub fn`, `pub struct`, `pub enum`, `pub trait`, `pub const`, `pub static`, `pub type`,
//! `pub union` or `pub mod` before the unit tests, methods and constants of types among them; not fields, variants, methods of
//! traits, or what is exported from elsewhere. A `pub` in a private module counts, too: rustc warns where it is out of reach.

use std::collections::BTreeMap;

use super::tree::Tree;

const ITEMS: &[&str] = &["fn", "struct", "enum", "trait", "const", "static", "type", "union", "mod"];

/// The packages that are published, and how many items each declares.
pub(crate) fn items(tree: &Tree) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for file in tree.rust() {
        let Some((package, _)) = file.path.strip_prefix("crates/").and_then(|path| path.split_once("/src/"))
        else {
            continue;
        };
        *counts.entry(package).or_default() += file.code().filter(|(_, line)| declares(line)).count();
    }
    counts
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
