//! The step `wasm` of `cargo xtask ci`: compiles the packages that a browser needs for WebAssembly, which has
//! 32-bit addresses.

use std::path::Path;
use std::process::Command;

use xtask::Result;
use xtask::process::{cargo, output, run as spawn};

use crate::tidy::packages::{self, Package};

pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// Packages of the framework that a browser needs, in addition to the facade and the families.
const FRAMEWORK: [&str; 11] = [
    "bleuprint-core",
    "bleuprint-ngram",
    "bleuprint-math",
    "bleuprint-stem",
    "bleuprint-registry",
    "bleuprint-metrics",
    "bleuprint-text",
    "bleuprint-inference",
    "bleuprint-eval",
    "bleuprint-report",
    "bleuprint",
];

/// Feature of the facade with the families that compile no C: there is no compiler of C for WebAssembly here.
const PORTABLE: &str = "families";

/// Checks the packages without default features, and the page with its features.
pub(crate) fn check(root: &Path, target: &Path) -> Result {
    if let Err(error) = add_target() {
        // A machine without a network may not have the target. The hosted workflow adds the target itself,
        // and fails there.
        println!("  skipped: the target {TARGET} cannot be installed: {error}");
        return Ok(());
    }
    let packages = packages::read(root)?;
    let mut command =
        cargo(root, &["check", "--quiet", "--locked", "--no-default-features", "--target", TARGET]);
    spawn(command.args(portable(&packages).flat_map(|name| ["-p", name])))?;
    let mut page =
        cargo(&root.join("integrations/web"), &["check", "--quiet", "--locked", "--target", TARGET]);
    spawn(page.arg("--target-dir").arg(target))
}

/// Installs the target with rustup if it is missing.
pub(crate) fn add_target() -> Result {
    let installed = output(Command::new("rustup").args(["target", "list", "--installed"]))?;
    if installed.lines().any(|line| line == TARGET) {
        return Ok(());
    }
    output(Command::new("rustup").args(["target", "add", TARGET])).map(drop)
}

/// Returns the names of the packages that a browser needs.
fn portable(packages: &[Package]) -> impl Iterator<Item = &str> {
    let facade = packages.iter().find(|package| package.name == "bleuprint");
    let families = facade.and_then(|facade| facade.features.get(PORTABLE)).map_or(&[][..], Vec::as_slice);
    let names = packages.iter().filter(|package| {
        let name = package.name.as_str();
        let is_portable = |family: &String| name.strip_prefix("bleuprint-") == Some(family);
        FRAMEWORK.contains(&name) || package.is_family() && families.iter().any(is_portable)
    });
    names.map(|package| package.name.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_families_but_those_of_c_are_checked() {
        let packages = packages::read(&xtask::root()).unwrap();
        let names: Vec<&str> = portable(&packages).collect();
        let families = packages.iter().filter(|package| package.is_family());
        let compiles_c = |package: &&Package| {
            package.dependencies.iter().any(|dependency| dependency.name.starts_with("tree-sitter"))
        };
        let (native, portable): (Vec<&Package>, Vec<&Package>) = families.partition(compiles_c);
        assert!(native.len() == 1 && portable.len() >= 14);
        assert_eq!(names.len(), FRAMEWORK.len() + portable.len());
        assert!(portable.iter().all(|package| names.contains(&package.name.as_str())));
    }
}
