//! The rule of profiles: `release`, which the README installs, and `dist` optimise every package of the
//! workspace fully.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::Deserialize;

use super::tree::{Finding, SourceTree, TreeFile};

/// The part of a manifest that this rule reads.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Manifest {
    package: Option<PackageName>,
    profile: BTreeMap<String, Profile>,
}

#[derive(Deserialize)]
struct PackageName {
    name: String,
}

#[derive(Deserialize, Default, Clone)]
#[serde(default, rename_all = "kebab-case")]
struct Profile {
    inherits: Option<String>,
    opt_level: Option<OptLevel>,
    package: BTreeMap<String, Row>,
}

#[derive(Deserialize, Default, Clone)]
#[serde(default, rename_all = "kebab-case")]
struct Row {
    opt_level: Option<OptLevel>,
}

/// A level: a number, or `s` and `z` for small programs.
#[derive(Deserialize, Clone, PartialEq, Eq)]
#[serde(untagged)]
enum OptLevel {
    Number(i64),
    Name(String),
}

impl fmt::Display for OptLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptLevel::Number(level) => write!(f, "{level}"),
            OptLevel::Name(level) => write!(f, "{level:?}"),
        }
    }
}

const PROFILES: [&str; 2] = ["release", "dist"];

/// The level of `release` if the manifest sets none.
const FULL: OptLevel = OptLevel::Number(3);

/// Finds packages of the tree that get less than `opt-level = 3` in `release` or in `dist`.
pub(crate) fn optimised(tree: &SourceTree) -> Vec<Finding> {
    let Some(file) = tree.file("Cargo.toml") else { return Vec::new() };
    let root: Manifest = match toml::from_str(&file.text) {
        Ok(root) => root,
        Err(error) => return vec![file.finding(1, format!("cannot be read: {error}"))],
    };
    let manifests = tree.files().iter().filter(|file| file.path.ends_with("Cargo.toml"));
    let ours: BTreeSet<String> = manifests
        .filter_map(|file| toml::from_str::<Manifest>(&file.text).ok()?.package)
        .map(|package| package.name)
        .collect();
    PROFILES.iter().flat_map(|name| lowered(file, &root.profile, name, &ours)).collect()
}

fn lowered(
    file: &TreeFile,
    profiles: &BTreeMap<String, Profile>,
    name: &str,
    ours: &BTreeSet<String>,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    let chain = chain(profiles, name);
    let whole = chain.iter().find_map(|profile| profile.opt_level.clone()).unwrap_or(FULL);
    if whole != FULL {
        findings
            .push(file.finding(line_of(file, name, None), format!("`{name}` has opt-level {whole}, not 3")));
    }
    let mut seen = BTreeSet::new();
    // The profile's own rows come before the rows that it inherits.
    for (row, level) in chain.iter().flat_map(|profile| &profile.package) {
        // A row may include the version: `name@1.0.0`.
        let package = row.split('@').next().unwrap_or(row);
        let Some(level) = level.opt_level.as_ref().filter(|_| seen.insert(row)) else { continue };
        if *level != FULL && ours.contains(package) {
            let message = format!(
                "`{package}` gets opt-level {level} in `{name}`, not 3; rows are for packages of others that see no segment"
            );
            findings.push(file.finding(line_of(file, name, Some(row)), message));
        }
    }
    findings
}

/// Returns a profile and its ancestors, the nearest first.
fn chain<'p>(profiles: &'p BTreeMap<String, Profile>, name: &str) -> Vec<&'p Profile> {
    let mut chain = Vec::new();
    let mut next = Some(name);
    // Cargo rejects a cycle; this loop ends in one.
    while let Some(profile) =
        next.and_then(|name| profiles.get(name)).filter(|_| chain.len() < profiles.len())
    {
        chain.push(profile);
        next = profile.inherits.as_deref();
    }
    chain
}

/// Returns the line of a row or of the table's head, in the profile itself or in the first ancestor that has
/// it.
fn line_of(file: &TreeFile, name: &str, row: Option<&str>) -> usize {
    let mut table = "";
    let mut inherited = 1;
    for (number, line) in file.lines() {
        let line = line.trim();
        if let Some(head) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            table = head.strip_prefix("profile.").unwrap_or("");
        }
        let (own, rest) = table.split_once('.').unwrap_or((table, ""));
        let found = match row {
            Some(row) => {
                let key = line.trim_start_matches('"').strip_prefix(row);
                key.is_some_and(|rest| rest.starts_with(['.', '"', ' ', '=', ']']))
                    || (rest.starts_with("package.") && table.trim_end_matches('"').ends_with(row))
            }
            None => line.starts_with("opt-level") && rest.is_empty(),
        };
        if found && own == name {
            return number;
        }
        if found && inherited == 1 && PROFILES.contains(&own) {
            inherited = number;
        }
    }
    inherited
}
