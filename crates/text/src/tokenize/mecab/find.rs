//! Where a compiled dictionary may be installed.

use super::Wanted;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Where distributions and MeCab's own installer keep dictionaries.
const SYSTEM: &[&str] = &[
    "/var/lib/mecab/dic",
    "/usr/lib/mecab/dic",
    "/usr/lib/x86_64-linux-gnu/mecab/dic",
    "/usr/lib/aarch64-linux-gnu/mecab/dic",
    "/usr/share/mecab/dic",
    "/usr/local/lib/mecab/dic",
    "/opt/homebrew/lib/mecab/dic",
];

/// The folder that holds `sys.dic`: the given one, or else the first found; or why there is none.
pub(super) fn dictionary_folder(wanted: &Wanted, given: Option<&Path>) -> Result<PathBuf, String> {
    if let Some(folder) = given {
        // The folder of the PyPI package itself is as good as the folder inside.
        let found =
            [folder.to_path_buf(), folder.join("dicdir")].into_iter().find(|folder| is_dictionary(folder));
        return found.ok_or(format!("there is no `sys.dic` in {}", folder.display()));
    }
    let mut looked = Vec::new();
    for folder in candidates(wanted) {
        if is_dictionary(&folder) {
            return Ok(folder);
        }
        looked.push(folder.display().to_string());
    }
    Err(format!("it was not found in any of {}", looked.join(", ")))
}

fn is_dictionary(folder: &Path) -> bool {
    folder.join("sys.dic").is_file()
}

fn candidates(wanted: &Wanted) -> Vec<PathBuf> {
    let mut folders = Vec::new();
    for library in python_libraries() {
        folders.extend(site_packages(&library).into_iter().map(|site| site.join(wanted.python_folder)));
    }
    let below = |root: &&str| {
        wanted.system_folders.iter().map(|name| Path::new(*root).join(name)).collect::<Vec<_>>()
    };
    folders.extend(SYSTEM.iter().flat_map(|root| below(&root)));
    folders
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
