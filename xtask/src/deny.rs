//! `cargo xtask deny`: checks the licences, sources and known vulnerabilities of all packages in all lock
//! files, by `deny.toml`.

use std::path::Path;

use xtask::Result;
use xtask::process::{cargo, run as spawn};

/// The workspace, and each package or workspace with a separate lock file.
pub(crate) const LOCKED: &[&str] = &[
    "",
    "examples/plugins",
    "examples/plugins/python",
    "fuzz",
    "integrations",
    "integrations/burn",
    "integrations/web",
];

/// Runs `cargo xtask deny [--offline]`. Without the network there is no list of known vulnerabilities, so
/// these are not checked.
pub(crate) fn run(root: &Path, options: &[&str]) -> Result {
    let (offline, which): (&[&str], &[&str]) = match options {
        [] => (&[], &[]),
        ["--offline"] => (&["--offline"], &["bans", "licenses", "sources"]),
        _ => return Err(format!("unknown option `{}`; there is `--offline`", options.join(" ")).into()),
    };
    for folder in LOCKED {
        let mut command = cargo(root, &["deny", "--locked", "--manifest-path"]);
        command
            .arg(root.join(folder).join("Cargo.toml"))
            .args(offline)
            .arg("--config")
            .arg(root.join("deny.toml"));
        println!("  {}", if folder.is_empty() { "the workspace" } else { folder });
        // All lock files share one list of exceptions, and no lock file has all of them.
        let allowed = ["--allow", "license-exception-not-encountered"];
        spawn(command.arg("check").args(allowed).args(which))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_lock_file_is_named() {
        let root = xtask::root();
        let mut found = Vec::new();
        let mut folders = vec![root.clone()];
        while let Some(folder) = folders.pop() {
            if folder.join("Cargo.lock").exists() {
                let name = folder.strip_prefix(&root).unwrap().components();
                let name: Vec<_> = name.map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
                found.push(name.join("/"));
            }
            let below = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap());
            let below = below.filter(|entry| entry.file_type().unwrap().is_dir());
            let hidden = |name: &str| name == "target" || name.starts_with('.');
            let below = below.filter(|entry| !hidden(&entry.file_name().to_string_lossy()));
            folders.extend(below.map(|entry| entry.path()));
        }
        // These are programs of others, which are measured but not part of the project.
        found.retain(|name| !name.starts_with("benches/peers/"));
        found.sort();
        assert_eq!(found, LOCKED);
    }
}
