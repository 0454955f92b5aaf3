//! The rules of publishing: a published package is described completely, and its dependencies carry versions.

use std::path::Path;

use super::packages::Package;
use super::tree::Finding;

const LICENCE: &str = "MIT OR Apache-2.0";

/// Its texts, which every published package carries.
const LICENCE_FILES: [&str; 2] = ["LICENSE-MIT", "LICENSE-APACHE"];

/// A registry takes no more keywords than these, and cuts a description that is longer.
const MOST_KEYWORDS: usize = 5;
const LONGEST_DESCRIPTION: usize = 200;

/// Description, licence, authors, keywords, categories and the oldest compiler are given.
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

/// A published package has the texts of its licence beside its manifest.
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

/// Every dependency of a published package has a version; one on the workspace without it cannot be published.
pub(crate) fn versions(packages: &[Package]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for package in packages.iter().filter(|package| package.published()) {
        // A development dependency by path alone is left out by cargo when it packages.
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
    use super::super::packages::package;
    use super::*;

    fn whole() -> Package {
        Package {
            description: Some("What it is".to_owned()),
            license: Some(LICENCE.to_owned()),
            rust_version: Some("1.88".to_owned()),
            authors: vec!["a".to_owned()],
            keywords: vec!["b".to_owned()],
            categories: vec!["c".to_owned()],
            ..package("bleuprint-core", &["serde"])
        }
    }

    #[test]
    fn a_whole_package_is_fine() {
        assert!(complete(&[whole()]).is_empty() && versions(&[whole()]).is_empty());
    }

    #[test]
    fn everything_that_is_missing_is_found() {
        assert_eq!(complete(&[package("bleuprint-core", &[])]).len(), 6);
        let unpublished = Package { publish: Some(Vec::new()), ..package("xtask", &[]) };
        assert_eq!(complete(&[unpublished]).len(), 2);
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
