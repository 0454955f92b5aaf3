//! The package folders of installed Python interpreters, which are searched for installed dictionaries.

use std::collections::HashSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Python interpreter in which this library runs.
struct RunningInterpreter {
    package_folders: fn(&str) -> Vec<PathBuf>,
    dictionary_option: &'static str,
}

static RUNNING: OnceLock<RunningInterpreter> = OnceLock::new();

/// Lets the Python interpreter in which this library runs find installed dictionaries, before all other
/// Pythons are searched. Only the first call has an effect.
///
/// `package_folders` returns the folders in which the interpreter finds the package of this name.
/// `dictionary_option` is the option, such as `dictionary=`, that messages name for other dictionaries.
pub fn run_in_python(package_folders: fn(&str) -> Vec<PathBuf>, dictionary_option: &'static str) {
    RUNNING.get_or_init(|| RunningInterpreter { package_folders, dictionary_option });
}

/// Returns the option that messages name for a dictionary.
pub(super) fn dictionary_option() -> &'static str {
    RUNNING.get().map_or("--dictionary", |running| running.dictionary_option)
}

/// Returns the paths at which a file or folder of a Python package may be. The interpreter in which the
/// library runs comes first, then the active environment, then all other installed Pythons.
pub(super) fn package_paths(inside: &str) -> Vec<PathBuf> {
    let (package, path) = inside.split_once('/').unwrap_or((inside, ""));
    let own = RUNNING.get().map(|running| (running.package_folders)(package)).unwrap_or_default();
    let libraries = python_libraries();
    let sites = libraries.iter().flat_map(|library| site_packages(library));
    let mut paths: Vec<PathBuf> = own.into_iter().map(|folder| folder.join(path)).collect();
    paths.extend(sites.map(|site| site.join(inside)));
    let mut seen = HashSet::new();
    paths.retain(|path| seen.insert(path.clone()));
    paths
}

/// Returns the reason why a file of a package is missing: the place that was searched first, and the number of
/// the other places, which can be many.
pub(super) fn not_found(searched: &[PathBuf]) -> String {
    match searched {
        [] => "there is no place to search for it".to_owned(),
        [first] => format!("it was not found in {}", first.display()),
        [first, others @ ..] => {
            format!("it was not found in {},{}nor in {} more places", first.display(), line(), others.len())
        }
    }
}

/// Returns the remedy for a missing dictionary: the command that installs it, and the option that takes it.
/// `given` names the file or folder for the option.
pub(super) fn install_or_give(command: &str, given: &str) -> String {
    let option = dictionary_option();
    format!("install it with {command},{}or give {given} with `{option}`", line())
}

/// Returns the white space between two parts of a message: a new line in Python, whose tracebacks do not wrap
/// lines.
fn line() -> char {
    if dictionary_option().starts_with('-') { ' ' } else { '\n' }
}

/// Returns the library folders of installed Pythons, which contain `python3.*`, without duplicates. The order
/// is the active environment, the environment of every Python on the path, the versions of pyenv, the user's
/// folder, and the system's folders.
fn python_libraries() -> Vec<PathBuf> {
    let variable =
        |name: &str| std::env::var_os(name).filter(|value: &OsString| !value.is_empty()).map(PathBuf::from);
    let mut libraries = Vec::new();
    libraries.extend(
        ["VIRTUAL_ENV", "CONDA_PREFIX"].into_iter().filter_map(variable).map(|root| root.join("lib")),
    );
    // An environment can be used by its path without being activated.
    libraries
        .extend(variable("PATH").iter().flat_map(std::env::split_paths).filter_map(|folder| beside(&folder)));
    let home = variable("HOME");
    let pyenv = variable("PYENV_ROOT").or_else(|| home.as_ref().map(|home| home.join(".pyenv")));
    libraries.extend(pyenv.iter().flat_map(|root| versions(root)));
    libraries.extend(home.map(|home| home.join(".local/lib")));
    libraries.extend(["/usr/local/lib", "/usr/lib"].map(PathBuf::from));
    // A folder may be found in several ways; its first occurrence decides the order.
    let mut seen = HashSet::new();
    libraries.retain(|library| seen.insert(library.clone()));
    libraries
}

/// Returns the folder `lib` next to `folder` if `folder`, such as `/usr/bin`, contains a file `python3`;
/// otherwise `None`.
fn beside(folder: &Path) -> Option<PathBuf> {
    folder.join("python3").exists().then(|| folder.parent().map(|root| root.join("lib"))).flatten()
}

fn versions(root: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root.join("versions")).into_iter().flatten().flatten();
    let mut libraries: Vec<_> = entries.map(|entry| entry.path().join("lib")).collect();
    libraries.sort();
    libraries
}

/// Returns the package folders of all Python versions in the folder `library`, sorted by name. Without any,
/// it returns the pattern `python3*/site-packages`, which error messages show as the searched place.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_package_names_the_first_place_and_the_number_of_others() {
        let places = ["/a/ipadic", "/b/ipadic", "/c/ipadic"].map(PathBuf::from);
        assert_eq!(not_found(&places[..1]), "it was not found in /a/ipadic");
        assert_eq!(not_found(&places), "it was not found in /a/ipadic, nor in 2 more places");
        let hint = "install it with `pip install jieba`, or give its `dict.txt` with `--dictionary`";
        assert_eq!(install_or_give("`pip install jieba`", "its `dict.txt`"), hint);
    }

    #[test]
    fn environments_are_found_by_their_interpreter_and_those_of_pyenv_by_their_folder() {
        let root = bleuprint_testkit::Folder::new();
        let root = root.as_ref();
        let bin = root.join("venv/bin");
        let version = root.join("pyenv/versions/3.11.7");
        std::fs::create_dir_all(&bin).unwrap();
        std::fs::create_dir_all(version.join("lib/python3.11/site-packages")).unwrap();
        assert_eq!(beside(&bin), None);
        std::fs::write(bin.join("python3"), "").unwrap();
        assert_eq!(beside(&bin), Some(root.join("venv/lib")));
        let libraries = versions(&root.join("pyenv"));
        assert_eq!(libraries, [version.join("lib")]);
        assert_eq!(site_packages(&libraries[0]), [version.join("lib/python3.11/site-packages")]);
    }
}
