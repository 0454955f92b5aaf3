//! The packages of the workspace as reported by `cargo metadata`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer};
use xtask::Result;
use xtask::process::{cargo, output};

/// The part of `cargo metadata` that this task reads.
#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) description: Option<String>,
    pub(crate) license: Option<String>,
    pub(crate) rust_version: Option<String>,
    pub(crate) repository: Option<String>,
    pub(crate) homepage: Option<String>,
    pub(crate) documentation: Option<String>,
    pub(crate) readme: Option<String>,
    pub(crate) authors: Vec<String>,
    pub(crate) keywords: Vec<String>,
    pub(crate) categories: Vec<String>,
    /// Registries that the package may be published to: `None` for all, empty for none.
    pub(crate) publish: Option<Vec<String>>,
    pub(crate) dependencies: Vec<Dependency>,
    pub(crate) targets: Vec<PackageTarget>,
    pub(crate) manifest_path: PathBuf,
    pub(crate) features: BTreeMap<String, Vec<String>>,
    #[serde(deserialize_with = "or_default")]
    pub(crate) metadata: PackageMetadata,
}

/// The tables of `[package.metadata]` that rules read.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct PackageMetadata {
    pub(crate) docs: DocsMetadata,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct DocsMetadata {
    pub(crate) rs: DocsRs,
}

/// Features with which docs.rs builds the pages.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub(crate) struct DocsRs {
    pub(crate) features: Vec<String>,
    pub(crate) all_features: bool,
    pub(crate) no_default_features: bool,
}

/// Deserializes a value for which cargo writes `null` if the manifest has none.
fn or_default<'de, D: Deserializer<'de>>(deserializer: D) -> std::result::Result<PackageMetadata, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct PackageTarget {
    name: String,
    kind: Vec<String>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    /// `dev` or `build`; `None` for a normal dependency.
    pub(crate) kind: Option<String>,
    pub(crate) req: String,
    pub(crate) optional: bool,
    pub(crate) path: Option<String>,
}

impl Package {
    /// Returns `true` if the package is published to a registry.
    pub(crate) fn published(&self) -> bool {
        self.publish.as_ref().is_none_or(|registries| !registries.is_empty())
    }

    /// Returns `true` if the package is a family of metrics: a folder of `crates/families`.
    pub(crate) fn is_family(&self) -> bool {
        self.manifest_path.iter().nth_back(2).is_some_and(|folder| folder == "families")
    }

    /// Returns the names of the targets of a kind, such as `lib`, `bin` or `example`.
    pub(crate) fn targets<'p>(&'p self, of: &'p str) -> impl Iterator<Item = &'p str> {
        let targets = self.targets.iter().filter(move |target| target.kind.iter().any(|kind| kind == of));
        targets.map(|target| target.name.as_str())
    }

    /// Returns the dependencies that a user of the package compiles.
    pub(crate) fn normal(&self) -> impl Iterator<Item = &Dependency> {
        self.dependencies.iter().filter(|dependency| dependency.kind.is_none())
    }
}

/// Workspaces whose packages are published after the main workspace's.
pub(crate) const OUTSIDE: [&str; 2] = ["integrations", "integrations/burn"];

pub(crate) fn read(root: &Path) -> Result<Vec<Package>> {
    let output = output(&mut cargo(root, &["metadata", "--format-version", "1", "--no-deps"]))?;
    let metadata: Metadata =
        serde_json::from_str(&output).map_err(|error| format!("cargo metadata: {error}"))?;
    Ok(metadata.packages)
}

#[cfg(test)]
pub(crate) fn package(name: &str, dependencies: &[&str]) -> Package {
    let dependency = |name: &&str| Dependency {
        name: (*name).to_owned(),
        req: "^0.1.0".to_owned(),
        path: name.starts_with("bleuprint").then(|| format!("crates/{name}")),
        ..Dependency::default()
    };
    Package {
        name: name.to_owned(),
        dependencies: dependencies.iter().map(dependency).collect(),
        ..Package::default()
    }
}
