//! `cargo xtask tidy`: the rules of the workspace that a compiler does not check, each in a small function.
//!
//! A rule takes the files (or the packages) and returns its findings, with file and line. Rules are about the
//! whole workspace, so they run on plain data and are tested on small made-up workspaces: a check that cannot
//! fail is worth nothing.

mod arrows;
mod catalogue;
mod ceilings;
mod circles;
mod files;
mod history;
mod io;
pub(crate) mod links;
mod metadata;
pub(crate) mod packages;
mod profiles;
mod public;
mod python;
mod registries;
pub(crate) mod tree;
mod wing;

#[cfg(test)]
mod added_family;

use std::path::Path;

use xtask::Result;

use self::history::RaiseCheck;
use self::packages::Package;
use self::tree::{Finding, SourceTree};
use crate::address;

type FileRule = fn(&SourceTree) -> Vec<Finding>;

/// The rules, with the sentence that each one enforces.
const FILE_RULES: &[(&str, FileRule)] = &[
    ("every Rust file begins with a `//!` line that says what it is", files::header),
    ("a file of Rust has at most 800 lines, tables excepted, and the README 120", files::length),
    ("no tabs, no whitespace at the end of a line, a newline at the end of a file", files::whitespace),
    ("no path of somebody's machine", files::machine_paths),
    ("no documentation example is ignored", files::ignored_examples),
    ("documentation refers to modules by links", files::dead_ends),
    ("every metric and every tokenizer has exactly one registry entry", registries::entries),
    ("every family is in the list of the facade", registries::families),
    ("every fuzz target is a program of its package", registries::fuzz_targets),
    ("docs/metrics.md and the facade show what the registry holds", catalogue::shown),
    ("only doors read and write", io::doors),
    ("only reports round", io::rounding),
    ("no files of tests are shared", io::shared_files),
    ("nothing outside of the families names a family", wing::named),
    ("at most two files of a package use each other", circles::circles),
    ("at most two files of Python import each other", python::circles),
    ("a package has at most its ceiling of public items", ceilings::items),
    ("the facade exports few names", ceilings::facade),
    ("the facade exports by list", public::listed),
    ("`release` and `dist` optimise every package of ours", profiles::optimised),
    ("relative links and mentioned paths exist", links::resolve),
    ("comments are written for a reader who does not know the project", crate::prose::bounds),
];

/// Returns `true` if a licence file has the same text as the file at the root. In some checkouts a link is a
/// file that contains only a path.
fn same_as_at(root: &Path, path: &Path) -> bool {
    let text = |path: &Path| std::fs::read(path).ok();
    path.file_name().is_some_and(|name| text(path).is_some() && text(path) == text(&root.join(name)))
}

/// Returns what breaks the rules that do not depend on the history.
fn found(root: &Path, tree: &SourceTree, packages: &[Package]) -> Result<Vec<Finding>> {
    let mut findings = Vec::new();
    for (_, rule) in FILE_RULES {
        findings.extend(rule(tree));
    }
    findings.extend(arrows::internal(packages));
    findings.extend(arrows::wing(packages));
    findings.extend(arrows::absent(packages));
    let mut described = packages.to_vec();
    for folder in packages::OUTSIDE {
        described.extend(packages::read(&root.join(folder))?);
    }
    findings.extend(metadata::complete(&described));
    findings.extend(metadata::documented(&described));
    findings.extend(address::stale(root)?);
    findings.extend(metadata::licensed(&described, |path| same_as_at(root, path)));
    findings.extend(metadata::versions(&described));
    findings.extend(ceilings::lines(tree, &|part| history::growth(root, part)));
    Ok(findings)
}

/// Runs `cargo xtask tidy`.
pub(crate) fn run(root: &Path) -> Result {
    let tree = SourceTree::read(root)?;
    let packages = packages::read(root)?;
    let mut findings = found(root, &tree, &packages)?;
    match history::last_raise(root) {
        RaiseCheck::NoHistory => {
            println!("  no whole history here: the commit that last raised a ceiling is not checked");
        }
        RaiseCheck::Checked(faults) => findings.extend(faults),
    }
    for finding in &findings {
        println!("  {finding}");
    }
    println!("  {}", ceilings::summary(&tree));
    let rules = FILE_RULES.len() + 10;
    match findings.len() {
        0 => {
            println!("  {rules} rules hold in {} files and {} packages", tree.files().len(), packages.len());
            Ok(())
        }
        count => {
            let verb = if count == 1 { "breaks" } else { "break" };
            Err(format!("{} {verb} a rule of the workspace", ceilings::counted(count, "place")).into())
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize)]
    struct Case {
        rule: String,
        found: Vec<String>,
        files: BTreeMap<String, Text>,
    }

    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Text {
        Whole(String),
        Parts(Vec<(String, usize)>),
    }

    impl Text {
        fn whole(&self) -> String {
            match self {
                Text::Whole(text) => text.clone(),
                Text::Parts(parts) => parts.iter().map(|(part, times)| part.repeat(*times)).collect(),
            }
        }
    }

    #[test]
    fn rules_find_what_breaks_them_and_nothing_else() {
        let cases: BTreeMap<String, Vec<Case>> = toml::from_str(include_str!("cases.toml")).unwrap();
        let mut breaking = BTreeSet::new();
        for Case { rule, found, files } in &cases["case"] {
            let (name, check) = FILE_RULES.iter().find(|(name, _)| name == rule).expect(rule);
            let texts: Vec<(&str, String)> =
                files.iter().map(|(path, text)| (path.as_str(), text.whole())).collect();
            let files: Vec<(&str, &str)> = texts.iter().map(|(path, text)| (*path, text.as_str())).collect();
            let findings: Vec<String> =
                check(&SourceTree::of(&files)).iter().map(ToString::to_string).collect();
            let alike = findings.iter().zip(found).all(|(finding, wanted)| finding.starts_with(wanted));
            assert!(alike && findings.len() == found.len(), "{rule}: {findings:#?}, not {found:#?}");
            breaking.extend((!found.is_empty()).then_some(*name));
        }
        // A check that cannot fail is worth nothing.
        assert_eq!(breaking.len(), FILE_RULES.len());
    }
}
