//! `cargo xtask version`: keeps one version for all packages, the wheel and the texts that mention it.

use std::fs;
use std::path::Path;

use xtask::Result;
use xtask::process::{cargo, run as spawn};

use crate::deny::LOCKED;

/// Files that contain the version, and how they contain it.
const PLACES: &[(&str, &[&str])] = &[
    ("Cargo.toml", &["\nversion = \"{}\"\n", ", version = \"{}\""]),
    ("crates/bleuprint/Cargo.toml", &[", version = \"{}\""]),
    ("integrations/Cargo.toml", &[", version = \"{}\""]),
    ("integrations/burn/Cargo.toml", &[", version = \"{}\""]),
    ("python/bleuprint/__init__.py", &["__version__ = \"{}\""]),
    ("python/bleuprint/sacrebleu/version.py", &["+bleuprint.{}\"", "\"bleuprint.{}\""]),
    ("integrations/js/package.json", &["\n  \"version\": \"{}\""]),
    ("CITATION.cff", &["\nversion: {}\n"]),
    ("README.md", &["version:bleuprint-{} "]),
    ("packaging/install.sh", &["BLEUPRINT_VERSION:-{}}"]),
    ("packaging/install.ps1", &["$Version = \"{}\""]),
    ("packaging/homebrew/bleuprint.rb", &["version \"{}\"", "/v{}/"]),
    ("packaging/conda/recipe.yaml", &["version: \"{}\""]),
    ("packaging/Dockerfile", &["version=\"{}\""]),
];

/// Runs `cargo xtask version [X.Y.Z]`; without a version it checks that all files have the same one.
pub(crate) fn run(root: &Path, options: &[&str]) -> Result {
    let now = current(root)?;
    let next = match options {
        [] => now.as_str(),
        [next] if is_version(next) => next,
        _ => return Err(format!("`{}` is no version; X.Y.Z is one", options.join(" ")).into()),
    };
    for (file, forms) in PLACES {
        let path = root.join(file);
        let mut text = fs::read_to_string(&path).map_err(|error| format!("cannot read {file}: {error}"))?;
        for form in *forms {
            let old = form.replace("{}", &now);
            let new = form.replace("{}", next);
            if !text.contains(&old) {
                return Err(format!("{file} has no `{}`", old.trim()).into());
            }
            text = text.replace(&old, &new);
        }
        if next != now {
            fs::write(&path, text).map_err(|error| format!("cannot write {file}: {error}"))?;
        }
    }
    if next != now {
        for folder in LOCKED {
            spawn(&mut cargo(&root.join(folder), &["update", "--workspace", "--offline", "--quiet"]))?;
        }
    }
    println!("  {next} in {} files", PLACES.len());
    Ok(())
}

fn current(root: &Path) -> Result<String> {
    let manifest: toml::Table = toml::from_str(&fs::read_to_string(root.join("Cargo.toml"))?)?;
    let version = manifest.get("workspace").and_then(|workspace| workspace.get("package")?.get("version"));
    Ok(version.and_then(|version| version.as_str()).ok_or("Cargo.toml has no version")?.to_owned())
}

/// Returns `true` for three numbers with an optional mark such as `-rc.1`.
fn is_version(text: &str) -> bool {
    let numbers = text.split(['-', '+']).next().unwrap_or(text);
    numbers.split('.').count() == 3 && numbers.split('.').all(|part| part.parse::<u32>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_places_are_in_step() {
        run(&xtask::root(), &[]).unwrap();
    }

    #[test]
    fn versions_have_three_numbers() {
        assert!(is_version("1.0.0-rc.1") && is_version("0.2.0"));
        assert!(!is_version("1.0") && !is_version("v1.0.0") && !is_version("--help"));
    }
}
