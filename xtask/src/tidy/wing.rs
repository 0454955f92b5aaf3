//! The rule that nothing outside of `crates/families` names a family of metrics, its feature or one of its
//! metrics, except the list in the facade and the manifests of its packages.

use std::collections::BTreeSet;

use super::tree::{Finding, SourceTree, TreeFile};

/// The list of families: `"feature": package, "metric" "metric";` for each.
const LIST: &str = "crates/bleuprint/src/families.rs";

/// Files and folders that may name families, with the reason.
const MAY: &[(&str, &str)] = &[
    ("crates/families/", "are the families"),
    (LIST, "is the list"),
    ("Cargo.toml", "names the packages"),
    ("crates/bleuprint/Cargo.toml", "has a feature for each family"),
    ("crates/eval/Cargo.toml", "names packages for tests"),
    ("examples/plugins/Cargo.toml", "names packages"),
    ("python/Cargo.toml", "has the feature `code` of the wheel"),
    ("checks/", "compares with other programs"),
    ("benches/peers/", "runs other programs"),
    ("fuzz/", "draws the data of families"),
    ("python/bleuprint/adapters/", "has the names of other libraries"),
    ("python/tests/moving/", "tests the pages for users of other programs"),
];

/// Finds files that name a family although nothing outside of the families may.
pub(crate) fn named(tree: &SourceTree) -> Vec<Finding> {
    let names = FamilyNames::from_tree(tree);
    let may = |path: &str| {
        MAY.iter()
            .any(|(place, _)| if place.ends_with('/') { path.starts_with(place) } else { path == *place })
    };
    let mut findings = Vec::new();
    for file in tree.files().iter().filter(|file| is_source(&file.path) && !may(&file.path)) {
        let lines: Vec<(usize, String)> =
            code(file).filter_map(|(number, line)| Some((number, names.named_in(line)?))).collect();
        let named = |(number, name): &(usize, String)| {
            file.finding(*number, format!("names `{name}`; only the list of families and manifests may"))
        };
        findings.extend(lines.iter().map(named));
    }
    findings
}

fn is_source(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    path.ends_with(".rs") || path.ends_with(".py") || name == "Cargo.toml" || name == "pyproject.toml"
}

/// Returns the lines of code. Comments and the examples of docstrings are documentation, which may name
/// families.
fn code(file: &TreeFile) -> impl Iterator<Item = (usize, &str)> {
    let lines: Vec<(usize, &str)> =
        if file.is_rust() { file.code().collect() } else { file.lines().collect() };
    let is_code = |line: &str| !["#", ">>>", "..."].iter().any(|mark| line.trim_start().starts_with(mark));
    let is_rust = file.is_rust();
    lines.into_iter().filter(move |(_, line)| is_rust || is_code(line))
}

/// What files outside of the families may not contain.
struct FamilyNames {
    /// Names of packages, with `-` and with `_`.
    packages: BTreeSet<String>,
    features: BTreeSet<String>,
    metrics: BTreeSet<String>,
}

impl FamilyNames {
    /// Returns the names of the folders of `crates/families`, and the names in the list of the facade.
    fn from_tree(tree: &SourceTree) -> FamilyNames {
        let mut names =
            FamilyNames { packages: BTreeSet::new(), features: BTreeSet::new(), metrics: BTreeSet::new() };
        for file in tree.files() {
            let Some(below) = file.path.strip_prefix("crates/families/") else { continue };
            let Some((name, "Cargo.toml")) = below.split_once('/') else { continue };
            names
                .packages
                .extend([format!("bleuprint-{name}"), format!("bleuprint_{}", name.replace('-', "_"))]);
            names.features.insert(name.to_owned());
        }
        let list = tree.files().iter().find(|file| file.path == LIST);
        let list = list.map_or("", |file| &*file.text);
        let list = list.split_once("families! {\n    \"").map_or("", |(_, list)| list);
        let list = list.split_once("\n}").map_or("", |(list, _)| list);
        for family in format!("\"{list}").split(';') {
            let mut quoted = family.split('"').skip(1).step_by(2).map(str::to_owned);
            names.features.extend(quoted.next());
            names.metrics.extend(quoted);
        }
        names
    }

    /// Returns the first name of a family in a line, as the line writes it.
    fn named_in(&self, line: &str) -> Option<String> {
        let is_word = |letter: char| letter.is_alphanumeric() || "_-".contains(letter);
        let words = line.split(|letter| !is_word(letter));
        let package = words.into_iter().find(|word| self.packages.contains(*word)).map(str::to_owned);
        let after = |before: &'static str, ends: &'static [char], known: &BTreeSet<String>| {
            let mut found = line.match_indices(before).filter_map(|(at, _)| {
                let name = line[at + before.len()..].split(ends).next()?;
                known.contains(name).then(|| format!("{before}{name}\""))
            });
            found.next()
        };
        let feature = || after("feature = \"", &['"'], &self.features);
        // The facade names its dependencies by the folder of a family: `::trees::family`.
        let dependency = || {
            let mut paths = line
                .match_indices("::")
                .filter(|(at, _)| !line[..*at].ends_with(|before: char| is_word(before) || before == '>'));
            paths.find_map(|(at, _)| {
                let name = line[at + 2..].split(|letter| !is_word(letter)).next()?;
                self.features.contains(name).then(|| format!("::{name}"))
            })
        };
        package
            .or_else(feature)
            .or_else(dependency)
            .or_else(|| after("metric(\"", &['"', ':'], &self.metrics))
    }
}
