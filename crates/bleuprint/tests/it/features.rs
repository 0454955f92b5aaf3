//! The page of features.

/// A family is a dependency whose name is its feature; its page describes it.
#[test]
fn the_page_of_features_lists_every_feature_that_is_no_dependency() {
    let manifest = include_str!("../../Cargo.toml");
    let (_, features) = manifest.split_once("[features]\n").unwrap();
    let (features, _) = features.split_once("\n[").unwrap();
    let names: Vec<&str> = features.lines().filter_map(|line| Some(line.split_once(" = [")?.0)).collect();
    assert!(names.len() > 12);
    let page = include_str!("../../../../docs/features.md");
    for name in names.into_iter().filter(|name| *name != "default") {
        assert!(page.contains(&format!("\n| `{name}` | ")), "{name}");
    }
}
