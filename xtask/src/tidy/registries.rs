//! The rule of registries: a metric or a tokenizer is one module with exactly one entry.

use super::tree::{Finding, SourceTree, TreeFile};

struct Plugins {
    folder: &'static str,
    implements: &'static str,
    entry: &'static str,
}

const PLUGINS: &[Plugins] = &[
    Plugins { folder: "crates/metrics/src", implements: "Metric for", entry: "MetricEntry" },
    Plugins { folder: "crates/text/src/tokenize", implements: "Tokenizer for", entry: "TokenizerEntry" },
];

/// Metrics over any metric, which are not registered under a name.
const WRAPPERS: &[&str] = &["by_label", "each_reference"];

/// Finds plug-in modules without an entry, and entries that are not in `registry.rs` exactly once.
pub(crate) fn entries(tree: &SourceTree) -> Vec<Finding> {
    PLUGINS.iter().flat_map(|plugins| check(tree, plugins)).collect()
}

/// The list of families, and the manifest whose dependencies are families.
const FAMILIES: [&str; 2] = ["crates/bleuprint/src/families.rs", "crates/bleuprint/Cargo.toml"];

/// Finds folders of families that the facade does not list or does not depend on.
pub(crate) fn families(tree: &SourceTree) -> Vec<Finding> {
    let [list, manifest] = FAMILIES.map(|path| tree.file(path).map_or("", |file| &file.text));
    let name = |file: &TreeFile| {
        let name = file.path.strip_prefix("crates/families/")?.strip_suffix("/Cargo.toml")?;
        (!name.contains('/')).then(|| name.to_owned())
    };
    let mut findings = Vec::new();
    for (file, name) in tree.files().iter().filter_map(|file| Some((file, name(file)?))) {
        let ident = name.replace('-', "_");
        let [list_path, manifest_path] = FAMILIES;
        if !list.contains(&format!("\": {ident},")) && !list.contains(&format!("\": {ident} as ")) {
            findings.push(file.finding(1, format!("is not in the list of {list_path}")));
        }
        if !manifest.contains(&format!("\n{name} = {{ package = \"bleuprint-{name}\"")) {
            findings.push(file.finding(1, format!("is no dependency in {manifest_path}")));
        }
        // A family that needs a compiler of C has a feature of another name, which `families` leaves out.
        let in_families = manifest.contains(&format!("\n    \"{name}\",\n"));
        if !in_families && !manifest.contains(&format!("\"dep:{name}\"")) {
            findings.push(file.finding(1, format!("is not in the feature `families` of {manifest_path}")));
        }
    }
    findings
}

/// Finds files of fuzz targets that are not programs in the manifest of `fuzz`.
pub(crate) fn fuzz_targets(tree: &SourceTree) -> Vec<Finding> {
    let manifest = tree.file("fuzz/Cargo.toml").map_or("", |file| &file.text);
    let targets = tree.rust().filter_map(|file| Some((file, file.path.strip_prefix("fuzz/fuzz_targets/")?)));
    let missing = targets.filter(|(_, name)| !manifest.contains(&format!("path = \"fuzz_targets/{name}\"")));
    missing.map(|(file, _)| file.finding(1, "is no program of fuzz/Cargo.toml")).collect()
}

fn check(tree: &SourceTree, plugins: &Plugins) -> Vec<Finding> {
    let path = format!("{}/registry.rs", plugins.folder);
    let modules = modules(tree, plugins.folder);
    let Some(registry) = tree.file(&path) else {
        // A workspace without the folder has nothing to register.
        let any = modules.first().and_then(|(_, files)| files.first());
        return any.map(|file| file.finding(1, format!("{path} is missing"))).into_iter().collect();
    };
    let mut findings = Vec::new();
    for (module, files) in modules {
        let declared: Vec<(&TreeFile, usize, &str)> =
            files.iter().flat_map(|file| constants(file, plugins.entry)).collect();
        for &(file, line, name) in &declared {
            let entry = format!("{module}::{name}");
            let times = mentions(registry, &entry);
            if times != 1 {
                findings
                    .push(file.finding(line, format!("`{entry}` stands {times} times in {path}, not once")));
            }
        }
        let plugin = files.iter().find_map(|file| {
            let (line, _) = file.code().find(|(_, line)| is_impl(line, plugins.implements))?;
            Some((file, line))
        });
        if let (Some((file, line)), true) = (plugin, declared.is_empty() && !WRAPPERS.contains(&module)) {
            let message = format!(
                "`{module}` has `impl {}`, but no constant of type `{}` for {path}",
                plugins.implements, plugins.entry
            );
            findings.push(file.finding(line, message));
        }
    }
    findings
}

/// Returns the modules directly below the folder: a file, or the files of a folder. `lib.rs`, `mod.rs` and
/// the registry itself are left out.
fn modules<'a>(tree: &'a SourceTree, folder: &str) -> Vec<(&'a str, Vec<&'a TreeFile>)> {
    let mut modules: Vec<(&str, Vec<&TreeFile>)> = Vec::new();
    for file in tree.rust() {
        let Some(below) = file.path.strip_prefix(folder).and_then(|path| path.strip_prefix('/')) else {
            continue;
        };
        let module = below.split('/').next().unwrap_or(below).trim_end_matches(".rs");
        if below.contains('/') || !["lib", "mod", "registry"].contains(&module) {
            match modules.iter_mut().find(|(known, _)| *known == module) {
                Some((_, files)) => files.push(file),
                None => modules.push((module, vec![file])),
            }
        }
    }
    modules
}

fn constants<'a>(file: &'a TreeFile, entry: &str) -> Vec<(&'a TreeFile, usize, &'a str)> {
    let mut found = Vec::new();
    for (number, line) in file.code() {
        let Some((_, declared)) = line.split_once("const ") else { continue };
        let Some((name, rest)) = declared.split_once(':') else { continue };
        if rest.split('=').next().is_some_and(|of| of.trim() == entry) {
            found.push((file, number, name.trim()));
        }
    }
    found
}

/// Returns how often the entry is an item of the registry's list; other uses in the registry do not count.
fn mentions(registry: &TreeFile, entry: &str) -> usize {
    let item = |line: &str, at: usize| {
        let part = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
        !line[..at].ends_with(part) && line[at + entry.len()..].trim_start().starts_with([',', ']'])
    };
    registry.code().map(|(_, line)| line.match_indices(entry).filter(|&(at, _)| item(line, at)).count()).sum()
}

/// Returns `true` if the line begins an implementation of the trait, generic or not.
fn is_impl(line: &str, implements: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("impl")
        && line.match_indices(implements).any(|(at, _)| line[..at].ends_with([' ', ':', '>']))
}
