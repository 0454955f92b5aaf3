//! The rules of publishing: a published package has complete metadata, and its dependencies have versions.

use std::collections::BTreeSet;
use std::path::Path;

use super::packages::Package;
use super::tree::Finding;

const LICENCE: &str = "MIT OR Apache-2.0";

/// Texts of the licences, which every published package contains.
const LICENCE_FILES: [&str; 2] = ["LICENSE-MIT", "LICENSE-APACHE"];

/// Maximum number of keywords that a registry accepts; it also cuts long descriptions.
const MOST_KEYWORDS: usize = 5;
const LONGEST_DESCRIPTION: usize = 200;

/// Finds packages without a description, licence, addresses, readme, authors, keywords, categories or oldest
/// compiler.
pub(crate) fn complete(packages: &[Package]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for package in packages {
        let mut note = |message: String| {
            findings.push(Finding { place: format!("package {}", package.name), message });
        };
        if package.license.as_deref() != Some(LICENCE) {
            note(format!("the licence is {:?}, not {LICENCE:?}", package.license.as_deref().unwrap_or("")));
        }
        let description = package.description.as_deref().unwrap_or("");
        if description.is_empty() {
            note("has no description".to_owned());
        } else if description.len() > LONGEST_DESCRIPTION {
            note(format!(
                "the description has {} bytes, the limit is {LONGEST_DESCRIPTION}",
                description.len()
            ));
        }
        if package.published() {
            if package.rust_version.is_none() {
                note("has no rust-version".to_owned());
            }
            for (what, given) in [
                ("repository", &package.repository),
                ("homepage", &package.homepage),
                ("documentation", &package.documentation),
                ("readme", &package.readme),
            ] {
                if given.is_none() {
                    note(format!("has no {what}: inherit it, `{what}.workspace = true`"));
                }
            }
            for (what, list) in [
                ("authors", &package.authors),
                ("keywords", &package.keywords),
                ("categories", &package.categories),
            ] {
                if list.is_empty() {
                    note(format!("has no {what}"));
                }
            }
            if package.keywords.len() > MOST_KEYWORDS {
                note(format!("has {} keywords, the limit is {MOST_KEYWORDS}", package.keywords.len()));
            }
        }
    }
    findings
}

/// Packages that compile C.
const C: [&str; 5] = ["libsqlite3-sys", "rusqlite", "tokenizers", "tree-sitter", "zstd"];

/// Finds packages whose docs.rs pages need features that compile C, unless the package always compiles C.
pub(crate) fn documented(packages: &[Package]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for package in packages.iter().filter(|package| package.published()) {
        let page = &package.metadata.docs.rs;
        let mut features: Vec<&str> = page.features.iter().map(String::as_str).collect();
        if page.all_features {
            features.extend(package.features.keys().map(String::as_str));
        } else if !page.no_default_features {
            features.push("default");
        }
        let mut seen = BTreeSet::new();
        for feature in features {
            if let Some(path) = path_to_c(packages, package, feature, &mut seen) {
                let message = format!("docs.rs would compile C by the feature {path}: list others");
                findings.push(Finding { place: format!("package {}", package.name), message });
            }
        }
    }
    findings
}

/// Returns the features that lead from this one to a package of C.
fn path_to_c<'p>(
    packages: &'p [Package],
    package: &'p Package,
    feature: &'p str,
    seen: &mut BTreeSet<(&'p str, &'p str)>,
) -> Option<String> {
    if !seen.insert((&package.name, feature)) {
        return None;
    }
    let enabled = package.features.get(feature).map_or(&[][..], Vec::as_slice);
    enabled.iter().find_map(|enabled| {
        let (dependency, inner) = match (enabled.strip_prefix("dep:"), enabled.split_once('/')) {
            (Some(dependency), _) => (dependency, None),
            (None, Some((dependency, inner))) => (dependency.trim_end_matches('?'), Some(inner)),
            (None, None) => {
                let path = path_to_c(packages, package, enabled, seen)?;
                return Some(format!("{feature}, {path}"));
            }
        };
        if C.iter().any(|name| dependency.starts_with(name)) {
            return Some(format!("{feature} ({dependency})"));
        }
        let path = path_to_c(packages, packages.iter().find(|one| one.name == dependency)?, inner?, seen)?;
        Some(format!("{feature}, {path}"))
    })
}

/// Finds published packages without the licence texts next to their manifest.
pub(crate) fn licensed(packages: &[Package], holds: impl Fn(&Path) -> bool) -> Vec<Finding> {
    let published = packages.iter().filter(|package| package.published());
    let all = published.flat_map(|package| LICENCE_FILES.map(|file| (package, file)));
    let missing = all.filter(|(package, file)| !holds(&package.manifest_path.with_file_name(file)));
    let finding = |(package, file): (&Package, &str)| Finding {
        place: format!("package {}", package.name),
        message: format!("has no {file} with the text of the one at the root"),
    };
    missing.map(finding).collect()
}

/// Finds dependencies of published packages without a version; a package that depends on the workspace
/// without a version cannot be published.
pub(crate) fn versions(packages: &[Package]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for package in packages.iter().filter(|package| package.published()) {
        // When cargo packages, it leaves out a development dependency that has only a path.
        let needed =
            package.dependencies.iter().filter(|d| d.kind.as_deref() != Some("dev") || d.path.is_none());
        for dependency in needed.filter(|dependency| dependency.req.is_empty() || dependency.req == "*") {
            let message = format!("the dependency {} has no version", dependency.name);
            findings.push(Finding { place: format!("package {}", package.name), message });
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::packages::{DocsRs, package};
    use super::*;

    fn whole() -> Package {
        Package {
            description: Some("What it is".to_owned()),
            license: Some(LICENCE.to_owned()),
            rust_version: Some("1.88".to_owned()),
            authors: vec!["a".to_owned()],
            keywords: vec!["b".to_owned()],
            categories: vec!["c".to_owned()],
            repository: Some("https://r".to_owned()),
            homepage: Some("https://h".to_owned()),
            documentation: Some("https://d".to_owned()),
            readme: Some("README.md".to_owned()),
            ..package("bleuprint-core", &["serde"])
        }
    }

    #[test]
    fn a_whole_package_is_fine() {
        assert!(complete(&[whole()]).is_empty() && versions(&[whole()]).is_empty());
    }

    #[test]
    fn everything_that_is_missing_is_found() {
        assert_eq!(complete(&[package("bleuprint-core", &[])]).len(), 10);
        let unpublished = Package { publish: Some(Vec::new()), ..package("xtask", &[]) };
        assert_eq!(complete(&[unpublished]).len(), 2);
    }

    #[test]
    fn a_feature_that_leads_to_c_is_not_documented() {
        let feature = |name: &str, enabled: &[&str]| {
            (name.to_owned(), enabled.iter().map(|&name| name.to_owned()).collect::<Vec<_>>())
        };
        let features = [feature("zst", &["dep:zstd"]), feature("gz", &["dep:flate2"])];
        let text = Package { features: features.into(), ..package("bleuprint-text", &[]) };
        let features = [feature("all", &["zst"]), feature("zst", &["bleuprint-text/zst"])];
        let mut facade = Package { features: features.into(), ..package("bleuprint", &[]) };
        let found = |facade: &Package| documented(&[facade.clone(), text.clone()]);
        assert!(found(&facade).is_empty());
        facade.metadata.docs.rs.features = vec!["all".to_owned()];
        assert_eq!(
            found(&facade)[0].message,
            "docs.rs would compile C by the feature all, zst, zst (zstd): list others"
        );
        facade.metadata.docs.rs = DocsRs { all_features: true, ..DocsRs::default() };
        assert_eq!(found(&facade).len(), 1);
    }

    #[test]
    fn limits_are_named() {
        let keywords = vec!["k".to_owned(); 6];
        let found = complete(&[Package { keywords, description: Some("d".repeat(201)), ..whole() }]);
        let found: Vec<String> = found.into_iter().map(|finding| finding.message).collect();
        assert_eq!(
            found,
            ["the description has 201 bytes, the limit is 200", "has 6 keywords, the limit is 5"]
        );
    }

    #[test]
    fn a_licence_that_is_missing_is_named() {
        let package = Package { manifest_path: "c/Cargo.toml".into(), ..whole() };
        let found = licensed(std::slice::from_ref(&package), |path| path == Path::new("c/LICENSE-MIT"));
        assert_eq!(found[0].message, "has no LICENSE-APACHE with the text of the one at the root");
        assert!(found.len() == 1 && licensed(&[package], |_| true).is_empty());
        let unpublished = Package { publish: Some(Vec::new()), ..whole() };
        assert!(licensed(&[unpublished], |_| false).is_empty());
    }

    #[test]
    fn a_dependency_without_a_version_is_found() {
        let mut package = whole();
        package.dependencies[0].req = "*".to_owned();
        assert_eq!(versions(&[package])[0].message, "the dependency serde has no version");
    }
}
