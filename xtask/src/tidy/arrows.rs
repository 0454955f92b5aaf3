//! The rules of dependencies: the exact dependencies of the framework, one rule for all families, and
//! forbidden dependencies with their reasons.

use std::collections::BTreeMap;

use super::packages::Package;
use super::tree::Finding;

/// Returns every published package of the framework with its dependencies inside of the framework.
fn drawn() -> BTreeMap<String, Vec<String>> {
    let full = |name: String| if name == LIBRARY { name } else { format!("{LIBRARY}-{name}") };
    let read: BTreeMap<String, Vec<String>> =
        toml::from_str(include_str!("arrows.toml")).unwrap_or_else(|error| panic!("arrows.toml: {error}"));
    read.into_iter().map(|(name, to)| (full(name), to.into_iter().map(full).collect())).collect()
}

/// Forbidden dependencies, even through other packages. `*` means every other package of the workspace except
/// [`MATH`].
const ABSENT: &[(&str, &str, &str)] = &[
    ("bleuprint-core", "*", "the contract knows nobody, and asks for exact sums alone"),
    ("bleuprint-ngram", "*", "counting n-grams needs no contract and no text"),
    ("bleuprint-math", "*", "a logarithm knows no metric"),
    ("bleuprint-stem", "*", "a word and its stem are strings, whoever asks"),
    (
        "bleuprint-registry",
        "bleuprint-text",
        "a metric chosen at run time does not know who makes its tokens",
    ),
    (
        "bleuprint-inference",
        "bleuprint-registry",
        "intervals and tests work for any metric, and ask none by name",
    ),
    ("bleuprint-metrics", "bleuprint-text", "a metric takes tokens; how text was cut is not its business"),
    ("bleuprint-metrics", "bleuprint-report", "a score is a value; only a report rounds it"),
    ("bleuprint-text", "bleuprint-metrics", "a tokenizer does not know who counts its tokens"),
    ("bleuprint-text", "bleuprint-ngram", "a tokenizer makes tokens, not n-grams"),
    ("bleuprint-inference", "bleuprint-text", "intervals and tests see numbers, never text or a tokenizer"),
    ("bleuprint-inference", "bleuprint-ngram", "intervals and tests see numbers, not the n-grams behind"),
    ("bleuprint-inference", "bleuprint-metrics", "a test works for any metric, those of others too"),
    ("bleuprint-eval", "bleuprint-metrics", "folding works for any metric, those of others too"),
    ("bleuprint-eval", "bleuprint-report", "merged statistics are not yet a report"),
    ("bleuprint-gate", "bleuprint-metrics", "a policy names metrics, those of others too"),
    ("bleuprint-track", "bleuprint-metrics", "a ledger adds up rows, those of any metric"),
    ("bleuprint", "bleuprint-track", "who scores needs no database"),
    ("bleuprint-report", "bleuprint-metrics", "a report shows any score, those of others too"),
];

/// The package of arithmetic, which depends on nothing and on which every package may depend.
const MATH: &str = "bleuprint-math";

/// The library package; it always contains the framework. Other packages are families, or are behind a
/// feature for another reason.
const LIBRARY: &str = "bleuprint";
const LIBRARY_HAS: &[&str] =
    &["core", "eval", "inference", "math", "metrics", "ngram", "registry", "report", "stem", "text"];

/// Packages that a family may depend on: those below evaluation, so that a user of one family compiles
/// neither the program nor reports.
const FAMILY_MAY_USE: &[&str] =
    &["core", "inference", "math", "metrics", "ngram", "registry", "stem", "text"];

/// The core package, which may use only [`CORE_MAY_USE`] and, behind a feature, the needs of the law checks.
const CORE: &str = "bleuprint-core";
const CORE_MAY_USE: &[&str] = &["once_cell", "serde"];

/// The unpublished test kit, on which no published package may depend.
const TESTKIT: &str = "bleuprint-testkit";

/// Finds differences between the framework's dependencies and the drawn ones.
pub(crate) fn internal(packages: &[Package]) -> Vec<Finding> {
    let drawn = drawn();
    let mut findings = Vec::new();
    for package in packages.iter().filter(|package| package.published() && !package.is_family()) {
        let Some(wanted) = drawn.get(&package.name) else {
            findings.push(finding(package, "is published, but has no line in xtask/src/tidy/arrows.toml"));
            continue;
        };
        // Families are optional features of the facade and have a separate rule in `wing`.
        let there: Vec<&str> = arrows(package).filter(|name| !is_family(packages, name)).collect();
        for name in there.iter().filter(|name| wanted.iter().all(|wanted| wanted != *name)) {
            findings.push(finding(package, &format!("depends on {name}, an arrow that is not drawn")));
        }
        // Both directions are checked: a drawn dependency that has gone would make the drawing wrong.
        for name in wanted.iter().filter(|name| !there.contains(&name.as_str())) {
            findings
                .push(finding(package, &format!("does not depend on {name}, although the arrow is drawn")));
        }
    }
    findings
}

/// Finds families that depend on more than the packages below evaluation, and packages other than the facade
/// that depend on a family.
pub(crate) fn wing(packages: &[Package]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for package in packages.iter().filter(|package| package.published()) {
        for name in arrows(package) {
            if is_family(packages, name) {
                if package.name != LIBRARY {
                    let message = format!("depends on {name}, but nobody needs a family but the facade");
                    findings.push(finding(package, &message));
                }
            } else if package.is_family()
                && FAMILY_MAY_USE.iter().all(|part| name != format!("{LIBRARY}-{part}"))
            {
                let may = FAMILY_MAY_USE.join(", ");
                findings.push(finding(package, &format!("depends on {name}; a family may need {may}")));
            }
        }
    }
    findings
}

fn is_family(packages: &[Package], name: &str) -> bool {
    packages.iter().any(|package| package.name == name && package.is_family())
}

/// Finds forbidden dependencies, direct or through others, and too many dependencies of core.
pub(crate) fn absent(packages: &[Package]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (from, to, reason) in ABSENT {
        let Some(package) = packages.iter().find(|package| package.name == *from) else { continue };
        let reached = reach(packages, from);
        // A rule for every package does not forbid arithmetic, which depends on nothing.
        let bad = reached.iter().filter(|name| *to == "*" && **name != MATH || *name == to);
        findings.extend(bad.map(|name| finding(package, &format!("reaches {name}, but {reason}"))));
    }
    for package in packages.iter().filter(|package| package.published()) {
        if package.name == LIBRARY {
            let always = |name: &str| LIBRARY_HAS.iter().any(|part| name == format!("{LIBRARY}-{part}"));
            let bound = package.normal().filter(|arrow| arrow.path.is_some() && !arrow.optional);
            let bound = bound.filter(|arrow| !always(&arrow.name));
            findings
                .extend(bound.map(|arrow| {
                    finding(package, &format!("needs {}, which must be a feature", arrow.name))
                }));
        }
        if reach(packages, &package.name).contains(&TESTKIT) {
            findings.push(finding(package, &format!("needs {TESTKIT}, which is not published")));
        }
        if package.name == CORE {
            let heavy = package.normal().filter(|d| !d.optional && !CORE_MAY_USE.contains(&d.name.as_str()));
            let heavy = heavy.filter(|dependency| dependency.path.is_none());
            findings.extend(heavy.map(|dependency| {
                let may = CORE_MAY_USE.join(", ");
                finding(package, &format!("depends on {}; the contract may only use {may}", dependency.name))
            }));
        }
    }
    findings
}

fn arrows(package: &Package) -> impl Iterator<Item = &str> {
    package.normal().filter(|dependency| dependency.path.is_some()).map(|dependency| dependency.name.as_str())
}

fn reach<'a>(packages: &'a [Package], from: &'a str) -> Vec<&'a str> {
    let mut reached: Vec<&str> = Vec::new();
    let mut open = vec![from];
    while let Some(name) = open.pop() {
        let Some(package) = packages.iter().find(|package| package.name == name) else { continue };
        for next in arrows(package) {
            if !reached.contains(&next) {
                reached.push(next);
                open.push(next);
            }
        }
    }
    reached
}

fn finding(package: &Package, message: &str) -> Finding {
    Finding { place: format!("package {}", package.name), message: message.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::super::packages::package;
    use super::*;

    fn messages(findings: Vec<Finding>) -> Vec<String> {
        findings.into_iter().map(|finding| finding.to_string()).collect()
    }

    #[test]
    fn the_drawn_arrows_are_fine() {
        let named = |(name, to): (&String, &Vec<String>)| {
            package(name, &to.iter().map(String::as_str).collect::<Vec<_>>())
        };
        let mut packages: Vec<Package> = drawn().iter().map(named).collect();
        assert!(internal(&packages).is_empty());
        packages
            .iter_mut()
            .flat_map(|package| &mut package.dependencies)
            .for_each(|arrow| arrow.optional = true);
        assert!(absent(&packages).is_empty());
    }

    #[test]
    fn an_arrow_too_many_and_one_too_few_are_found() {
        let packages = [package("bleuprint-report", &["bleuprint-eval"])];
        assert_eq!(
            messages(internal(&packages)),
            [
                "package bleuprint-report: depends on bleuprint-eval, an arrow that is not drawn",
                "package bleuprint-report: does not depend on bleuprint-core, although the arrow is drawn",
                "package bleuprint-report: does not depend on bleuprint-registry, although the arrow is drawn",
            ]
        );
    }

    #[test]
    fn a_family_needs_the_lower_floors_and_nobody_but_the_facade_needs_it() {
        let family = |name: &str, dependencies: &[&str]| Package {
            manifest_path: format!("crates/families/{name}/Cargo.toml").into(),
            ..package(&format!("bleuprint-{name}"), dependencies)
        };
        let packages = [
            family("labels", &["bleuprint-text", "bleuprint-eval", "serde"]),
            family("spans", &["bleuprint-labels"]),
            package("bleuprint-gate", &["bleuprint-labels"]),
            package(LIBRARY, &["bleuprint-labels"]),
        ];
        assert_eq!(
            messages(wing(&packages)),
            [
                "package bleuprint-labels: depends on bleuprint-eval; a family may need core, inference, math, metrics, \
                 ngram, registry, stem, text",
                "package bleuprint-spans: depends on bleuprint-labels, but nobody needs a family but the facade",
                "package bleuprint-gate: depends on bleuprint-labels, but nobody needs a family but the facade",
            ]
        );
        assert!(internal(&packages[..2]).is_empty());
    }

    #[test]
    fn a_package_nobody_drew_is_found() {
        assert_eq!(internal(&[package("bleuprint-sql", &[])]).len(), 1);
        let unpublished = Package { publish: Some(Vec::new()), ..package("peers", &["bleuprint"]) };
        assert!(internal(&[unpublished]).is_empty());
    }

    #[test]
    fn a_forbidden_arrow_is_found_through_others() {
        let packages =
            [package("bleuprint-metrics", &["bleuprint-x"]), package("bleuprint-x", &["bleuprint-text"])];
        let found = messages(absent(&packages));
        assert_eq!(found.len(), 1);
        assert!(
            found[0]
                .starts_with("package bleuprint-metrics: reaches bleuprint-text, but a metric takes tokens")
        );
    }

    #[test]
    fn core_stays_light_and_alone() {
        let found = messages(absent(&[package(CORE, &["serde", "rayon", "bleuprint-text"])]));
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].contains("the contract knows nobody") && found[1].contains("depends on rayon"));
    }

    #[test]
    fn a_family_is_a_feature_of_the_library() {
        let mut library = package(LIBRARY, &["bleuprint-core", "bleuprint-trees"]);
        let found = messages(absent(std::slice::from_ref(&library)));
        assert_eq!(found, ["package bleuprint: needs bleuprint-trees, which must be a feature"]);
        library.dependencies[1].optional = true;
        assert!(absent(&[library]).is_empty());
    }

    #[test]
    fn the_testkit_is_only_for_tests() {
        let mut metrics = package("bleuprint-metrics", &[TESTKIT]);
        assert_eq!(absent(&[metrics.clone()]).len(), 1);
        metrics.dependencies[0].kind = Some("dev".to_owned());
        assert!(absent(&[metrics]).is_empty());
    }
}
