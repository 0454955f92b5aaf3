//! Where the packages of installed Pythons are: many have dictionaries on their machines already, from there.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The places where Python packages may have put a file or folder with this path, the active environment first.
pub(super) fn package_paths(inside: &str) -> Vec<PathBuf> {
    let libraries = python_libraries();
    libraries.iter().flat_map(|library| site_packages(library)).map(|site| site.join(inside)).collect()
}

/// Folders with `python3.*` in them, the active environment first.
fn python_libraries() -> Vec<PathBuf> {
    let variable =
        |name: &str| std::env::var_os(name).filter(|value: &OsString| !value.is_empty()).map(PathBuf::from);
    let mut libraries = Vec::new();
    libraries.extend(
        ["VIRTUAL_ENV", "CONDA_PREFIX"].into_iter().filter_map(variable).map(|root| root.join("lib")),
    );
    libraries.extend(variable("HOME").map(|home| home.join(".local/lib")));
    libraries.extend(["/usr/local/lib", "/usr/lib"].map(PathBuf::from));
    libraries
}

/// The package folders of every Python below a library folder, in the order of their names; the pattern itself
/// if there are none, so that an error can say where it would have been.
fn site_packages(library: &Path) -> Vec<PathBuf> {
    let mut sites = Vec::new();
    for entry in std::fs::read_dir(library).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with("python3") {
            let packages = ["site-packages", "dist-packages"].map(|name| entry.path().join(name));
            sites.extend(packages.into_iter().filter(|folder| folder.is_dir()));
        }
    }
    sites.sort();
    if sites.is_empty() {
        sites.push(library.join("python3*/site-packages"));
    }
    sites
}
