//! Lists of words and pieces of text, from `pieces.toml`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

static LISTS: LazyLock<BTreeMap<String, Vec<&'static str>>> = LazyLock::new(|| {
    let lists: BTreeMap<String, Vec<String>> =
        toml::from_str(include_str!("pieces.toml")).expect("pieces.toml has lists of strings");
    let kept = |pieces: Vec<String>| pieces.into_iter().map(|piece| &*piece.leak()).collect();
    lists.into_iter().map(|(name, pieces)| (name, kept(pieces))).collect()
});

/// # Panics
/// There is no list of this name.
pub(crate) fn pieces(name: &str) -> &'static [&'static str] {
    LISTS.get(name).unwrap_or_else(|| panic!("pieces.toml has no list `{name}`"))
}
