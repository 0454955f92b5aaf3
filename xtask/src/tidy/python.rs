//! The rule of cycles in Python: at most two files of a folder import each other, directly or through others.
//!
//! Imports within functions count; imports for types only (`if TYPE_CHECKING:`) do not.

use std::collections::{BTreeMap, BTreeSet};

use super::tree::{Finding, SourceTree, TreeFile};

/// Folders of sources, with the prefix by which their modules are imported.
const FOLDERS: &[(&str, &str)] = &[("python/bleuprint/", "bleuprint."), ("benches/peers/", "")];

/// Files whose imports are not counted, with the reason.
const ACCEPTED: &[(&str, &str)] = &[(
    "python/bleuprint/tables.py",
    "`tables.register` is a name for the function of the adapter, imported when called",
)];

/// Finds cycles of more than two files.
pub(crate) fn circles(tree: &SourceTree) -> Vec<Finding> {
    FOLDERS.iter().flat_map(|(folder, package)| of_folder(tree, folder, package)).collect()
}

fn of_folder(tree: &SourceTree, folder: &str, package: &str) -> Vec<Finding> {
    let sources =
        tree.files().iter().filter(|file| file.path.starts_with(folder) && file.path.ends_with(".py"));
    let files: BTreeMap<String, &TreeFile> =
        sources.map(|file| (format!("{package}{}", module(&file.path[folder.len()..])), file)).collect();
    let uses: BTreeMap<&String, BTreeSet<String>> =
        files.iter().map(|(name, file)| (name, imports(name, file, &files))).collect();
    let mut reached: BTreeMap<&String, BTreeSet<String>> = BTreeMap::new();
    for name in files.keys() {
        let mut far = BTreeSet::new();
        let mut open = vec![name.clone()];
        while let Some(name) = open.pop() {
            open.extend(
                uses.get(&name).into_iter().flatten().filter(|next| far.insert((*next).clone())).cloned(),
            );
        }
        reached.insert(name, far);
    }
    let mut findings = Vec::new();
    for (name, far) in &reached {
        let circle: Vec<&String> =
            files.keys().filter(|other| far.contains(*other) && reached[*other].contains(*name)).collect();
        if circle.len() > 2 && circle.first() == Some(name) {
            let paths: Vec<&str> = circle.iter().map(|name| files[*name].path.as_str()).collect();
            findings.push(Finding {
                place: paths[0].to_owned(),
                message: format!("a circle: {}", paths.join(", ")),
            });
        }
    }
    findings
}

/// Returns the module name of a path: `a/b.py` is `a.b`, and a package has the name of its folder.
fn module(path: &str) -> String {
    path.trim_end_matches(".py").trim_end_matches("__init__").trim_end_matches('/').replace('/', ".")
}

/// Returns the modules of the folder that a file imports. The package itself, which imports everything, is
/// left out.
fn imports(name: &str, file: &TreeFile, files: &BTreeMap<String, &TreeFile>) -> BTreeSet<String> {
    let is_package = file.path.ends_with("__init__.py");
    let mut imported = BTreeSet::new();
    let mut typing: Option<usize> = None;
    for line in file.text.lines().filter(|line| !line.trim().is_empty()) {
        let indent = line.len() - line.trim_start().len();
        typing = typing.filter(|outer| indent > *outer);
        if line.trim() == "if TYPE_CHECKING:" || line.trim() == "if typing.TYPE_CHECKING:" {
            typing = Some(indent);
        }
        let accepted = indent > 0 && ACCEPTED.iter().any(|(path, _)| *path == file.path);
        if typing.is_some() || accepted || is_package && !name.contains('.') {
            continue;
        }
        let words: Vec<&str> = line.trim().splitn(4, ' ').collect();
        let (from, names) = match words[..] {
            ["from", from, "import", names] => (absolute(name, is_package, from), names),
            ["import", module, ..] => (module.trim_end_matches(',').to_owned(), ""),
            _ => continue,
        };
        let names = names.split(',').map(|name| name.trim().split(' ').next().unwrap_or_default());
        let below = names.map(|name| format!("{from}.{name}")).filter(|module| files.contains_key(module));
        let below: Vec<String> = below.collect();
        let whole = Some(from).filter(|from| below.is_empty() && files.contains_key(from));
        imported.extend(below.into_iter().chain(whole).filter(|module| module != name));
    }
    imported
}

/// Returns the module named by a relative import, such as `from . import` or `from ..a import`.
fn absolute(name: &str, is_package: bool, from: &str) -> String {
    let rest = from.trim_start_matches('.');
    let dots = from.len() - rest.len();
    if dots == 0 {
        return rest.to_owned();
    }
    let mut parts: Vec<&str> = name.split('.').filter(|part| !part.is_empty()).collect();
    parts.truncate(parts.len().saturating_sub(dots - usize::from(is_package)));
    parts.extend(Some(rest).filter(|rest| !rest.is_empty()));
    parts.join(".")
}
