//! The rule of the catalogue: the pages show exactly the contents of the registry.

use super::tree::{Finding, SourceTree, TreeFile};
use crate::site::METRICS;

/// The folder of the families; the pages of a family are in its folder `docs`.
const FAMILIES: &str = "crates/families/";
const PAGE: &str = "docs/metrics.md";
const FACADE: &str = "crates/bleuprint/src/lib.rs";

/// Finds registered metrics without a row in the table of their page, rows without a registered metric, and
/// packages of metrics that the facade does not export.
pub(crate) fn shown(tree: &SourceTree) -> Vec<Finding> {
    let mut findings = rows(tree);
    findings.extend(exports(tree));
    findings
}

fn registered(tree: &SourceTree) -> Vec<(&TreeFile, usize, &str)> {
    let with_page = |file: &TreeFile| {
        let (family, page) = file.path.strip_prefix(FAMILIES)?.split_once("/docs/")?;
        page.ends_with(".md").then(|| format!("{FAMILIES}{family}/src/"))
    };
    let families = tree.files().iter().filter_map(with_page);
    let folders: Vec<String> = families.chain([METRICS.to_owned() + "/"]).collect();
    let files = tree.rust().filter(|file| folders.iter().any(|folder| file.path.starts_with(folder)));
    let mut names = Vec::new();
    for file in files {
        let mut opened = false;
        for (number, line) in file.code() {
            // The name is after the parenthesis, or on the next line.
            let rest = match line.split_once("MetricEntry::new(") {
                Some((_, rest)) => rest,
                None if opened => line,
                None => continue,
            };
            opened = rest.trim().is_empty();
            if let Some(name) = rest.trim().strip_prefix('"').and_then(|rest| rest.split('"').next()) {
                names.push((file, number, name));
            }
        }
    }
    names
}

fn rows(tree: &SourceTree) -> Vec<Finding> {
    let Some(page) = tree.file(PAGE) else { return Vec::new() };
    // The first cell of a row names one or several metrics.
    let rows: Vec<(usize, &str)> = page
        .lines()
        .filter_map(|(number, line)| Some((number, line.strip_prefix("| ")?.split(" |").next()?)))
        .flat_map(|(number, names)| names.split('`').skip(1).step_by(2).map(move |name| (number, name)))
        .collect();
    let registered = registered(tree);
    let missing = registered.iter().filter(|(_, _, name)| !rows.iter().any(|(_, row)| row == name));
    let mut findings: Vec<Finding> = missing
        .map(|(file, line, name)| file.finding(*line, format!("`{name}` has no row in the table of {PAGE}")))
        .collect();
    for (number, row) in rows {
        // Names of presets begin with the name of their metric.
        if !registered.iter().any(|(_, _, name)| row.starts_with(name)) {
            findings.push(page.finding(number, format!("`{row}` is not a registered metric")));
        }
    }
    findings
}

fn exports(tree: &SourceTree) -> Vec<Finding> {
    let Some(facade) = tree.file(FACADE) else { return Vec::new() };
    if facade.lines().any(|(_, line)| line == "pub use bleuprint_metrics as metrics;") {
        Vec::new()
    } else {
        vec![facade.finding(1, "the package of metrics is not exported".to_owned())]
    }
}
