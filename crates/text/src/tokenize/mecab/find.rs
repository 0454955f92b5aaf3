//! Search for an installed MeCab dictionary on this machine.

use super::Wanted;
use crate::tokenize::python::{not_found, package_paths};
use std::path::{Path, PathBuf};

/// The folders in which Linux distributions, Homebrew and MeCab's installer put dictionaries.
const SYSTEM: &[&str] = &[
    "/var/lib/mecab/dic",
    "/usr/lib/mecab/dic",
    "/usr/lib/x86_64-linux-gnu/mecab/dic",
    "/usr/lib/aarch64-linux-gnu/mecab/dic",
    "/usr/share/mecab/dic",
    "/usr/local/lib/mecab/dic",
    "/opt/homebrew/lib/mecab/dic",
];

/// Returns the dictionary folder, which contains `sys.dic`: the folder `given`, or otherwise the first
/// installed one. The error names the folder that was searched first.
pub(super) fn dictionary_folder(wanted: &Wanted, given: Option<&Path>) -> Result<PathBuf, String> {
    if let Some(folder) = given {
        // The folder of the PyPI package is accepted as well; the dictionary is in its subfolder `dicdir`.
        let found =
            [folder.to_path_buf(), folder.join("dicdir")].into_iter().find(|folder| is_dictionary(folder));
        return found.ok_or(format!("there is no `sys.dic` in {}", folder.display()));
    }
    let searched = candidates(wanted);
    let found = searched.iter().find(|folder| is_dictionary(folder));
    found.cloned().ok_or_else(|| not_found(&searched))
}

fn is_dictionary(folder: &Path) -> bool {
    folder.join("sys.dic").is_file()
}

fn candidates(wanted: &Wanted) -> Vec<PathBuf> {
    let mut folders = package_paths(wanted.python_folder);
    for root in SYSTEM {
        folders.extend(wanted.system_folders.iter().map(|name| Path::new(root).join(name)));
    }
    folders
}
