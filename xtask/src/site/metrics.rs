//! The pages of metrics: names, options and papers from the registry, definitions from the metrics' source
//! files, and traps and examples from `docs/metrics` or from the folder `docs` of a family.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use xtask::Result;
use xtask::process::output;

use super::{SitePage, read};

/// The package in which each file is a metric with a page in [`PAGES`].
pub(crate) const METRICS: &str = "crates/metrics/src";

/// The folder of the pages of that package.
const PAGES: &str = "docs/metrics";

/// The folder with a package for each family of metrics. The pages of a family are in its folder `docs`.
const FAMILIES: &str = "crates/families";

/// A page of metrics that the site makes.
struct MetricPage {
    /// The name of the page, without a folder and an extension.
    name: String,
    /// The file with traps and examples.
    source: String,
    /// The file whose documentation has the definition.
    definition: String,
    /// The names of the metrics on the page.
    metrics: Vec<String>,
}

/// Returns a page for each file of a metric, with all names that the file registers.
pub(super) fn pages(root: &Path, program: &Path) -> Result<Vec<SitePage>> {
    let listed = output(Command::new(program).args(["list", "metrics", "--format", "json"]))?;
    let listed: Vec<Value> = serde_json::from_str(&listed)?;
    let mut pages = Vec::new();
    for MetricPage { name, source, definition, metrics } in described(root)? {
        let entries: Vec<&Value> =
            metrics.iter().filter_map(|name| listed.iter().find(|entry| entry["name"] == **name)).collect();
        let text = whole(root, &definition, &source, &entries)?;
        pages.push(SitePage { name: format!("metrics/{name}.md"), source, text });
    }
    Ok(pages)
}

/// Returns the pages with the files that define their metrics.
fn described(root: &Path) -> Result<Vec<MetricPage>> {
    let mut pages = Vec::new();
    for (name, (definition, metrics)) in files(root, METRICS)? {
        let source = format!("{PAGES}/{name}.md");
        pages.push(MetricPage { name, source, definition, metrics });
    }
    for item in fs::read_dir(root.join(FAMILIES))? {
        let family = item?.file_name().to_string_lossy().into_owned();
        let folder = format!("{FAMILIES}/{family}");
        let docs = root.join(&folder).join("docs");
        if !docs.is_dir() {
            continue;
        }
        // A page has the name of the family, or of a file or folder of the family with one metric.
        let mut single = files(root, &format!("{folder}/src"))?;
        for page in fs::read_dir(docs)? {
            let file = page?.file_name().to_string_lossy().into_owned();
            let Some(name) = file.strip_suffix(".md").map(str::to_owned) else { continue };
            let source = format!("{folder}/docs/{file}");
            let (definition, metrics) = if name == family {
                (format!("{folder}/src/lib.rs"), registered_in(&root.join(&folder).join("src"))?)
            } else {
                single.remove(&name).ok_or_else(|| format!("{source}: no metric of this name"))?
            };
            pages.push(MetricPage { name, source, definition, metrics });
        }
        // A family with one page has all its metrics there.
        let is_whole = pages.iter().any(|page| page.name == family);
        if let (false, Some(name)) = (is_whole, single.keys().next()) {
            return Err(format!("{folder}/docs has no page of `{name}`").into());
        }
    }
    Ok(pages)
}

/// Returns the names of the files and folders that register metrics, each with the file of its documentation and
/// the names of its metrics.
fn files(root: &Path, folder: &str) -> Result<BTreeMap<String, (String, Vec<String>)>> {
    let mut pages = BTreeMap::new();
    for item in fs::read_dir(root.join(folder))? {
        let name = item?.file_name().to_string_lossy().into_owned();
        let (page, file, entry) = match name.strip_suffix(".rs") {
            Some(page) => (page.to_owned(), format!("{folder}/{name}"), format!("{folder}/{name}")),
            None => (name.clone(), format!("{folder}/{name}/mod.rs"), format!("{folder}/{name}/entry.rs")),
        };
        let names = root.join(&entry).exists().then(|| read(root, &entry)).transpose()?;
        let names = names.map(|code| registered(&code)).unwrap_or_default();
        if !names.is_empty() {
            pages.insert(page, (file, names));
        }
    }
    Ok(pages)
}

/// Returns the names that the files of a package register, in the order of their paths.
fn registered_in(folder: &Path) -> Result<Vec<String>> {
    let mut paths = fs::read_dir(folder)?.map(|item| Ok(item?.path())).collect::<Result<Vec<_>>>()?;
    paths.sort();
    let mut names = Vec::new();
    for path in paths {
        if path.is_dir() {
            names.extend(registered_in(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            names.extend(registered(&fs::read_to_string(&path)?));
        }
    }
    Ok(names)
}

/// Returns the names after `MetricEntry::new(`.
fn registered(code: &str) -> Vec<String> {
    let calls = code.split("MetricEntry::new(").skip(1);
    calls
        .filter_map(|call| Some(call.trim_start().strip_prefix('"')?.split('"').next()?.to_owned()))
        .collect()
}

fn whole(root: &Path, file: &str, source: &str, entries: &[&Value]) -> Result<String> {
    let code = read(root, file)?;
    let lines = code.lines().map_while(|line| line.strip_prefix("//!"));
    let docs: Vec<&str> = lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
    let (first, rest) = docs.split_first().ok_or_else(|| format!("{file} has no documentation"))?;
    let (title, measure) = first.split_once(": ").unwrap_or((first, ""));
    let (initial, rest_of_it) = measure.split_at(measure.len().min(1));
    let mut page = format!("# {title}\n\n{}{rest_of_it}\n\n", initial.to_uppercase());
    for entry in entries {
        page += &names(entry);
    }
    // The page has the formula as mathematics, traps, and examples for the shell and Python, which tests run.
    let own = read(root, source)?;
    let traps = own.find("## Traps").unwrap_or(0);
    page += &format!("## Definition\n{}\n\n", with_formula(&rest.join("\n"), &own[..traps]));
    page += own[traps..].trim_end();
    page += "\n\n";
    for entry in entries.iter().filter(|entry| entry["options"].as_array().is_some_and(|all| !all.is_empty()))
    {
        page += &options(entry);
    }
    let papers = |entry: &&Value| entry["papers"].as_array().cloned().unwrap_or_default();
    let mut cited: Vec<Value> = entries.iter().flat_map(papers).collect();
    cited.dedup();
    if !cited.is_empty() {
        page += "## Papers\n\n";
        page.extend(cited.iter().map(|paper| format!("- {}\n", text(paper))));
        let name = text(&entries[0]["name"]);
        page += &format!(
            "\n`bleuprint cite {name}` prints BibTeX, and so does `bleuprint.cite(\"{name}\")` in Python.\n"
        );
    }
    Ok(page)
}

/// Returns a definition in which the formula replaces the first block of plain text, which rustdoc shows.
fn with_formula(definition: &str, formula: &str) -> String {
    let start = definition.find("```text\n");
    let Some(start) = start.filter(|_| !formula.is_empty()) else { return definition.to_owned() };
    let behind = &definition[start + 3..];
    let end = behind.find("```").map_or(behind.len(), |end| end + 3);
    format!("{}{}{}", &definition[..start], formula.trim_end(), &behind[end..])
}

fn names(entry: &Value) -> String {
    let limit = |at: usize, open: &str| match entry["range"][at].as_f64() {
        Some(limit) => limit.to_string(),
        None => open.to_owned(),
    };
    let better = if entry["higher_is_better"] == true { "higher" } else { "lower" };
    let name = text(&entry["name"]);
    let summary = text(&entry["summary"]);
    let agrees = text(&entry["agrees_with"]);
    let min = limit(0, "no limit");
    let max = limit(1, "no limit");
    let mut lines =
        format!("**`{name}`**: {summary}. From {min} to {max}, {better} is better. Numbers as {agrees}.");
    let other: Vec<String> =
        entry["aliases"].as_array().into_iter().flatten().map(|alias| format!("`{}`", text(alias))).collect();
    if !other.is_empty() {
        lines += &format!(" Also {}.", other.join(", "));
    }
    lines += "\n\n";
    for preset in entry["presets"].as_array().into_iter().flatten() {
        let options: Vec<&str> = preset["options"].as_array().into_iter().flatten().map(text).collect();
        lines += &format!(
            "- `{}`: {} (`{}`)\n",
            text(&preset["name"]),
            text(&preset["summary"]),
            options.join(",")
        );
    }
    lines + "\n"
}

fn options(entry: &Value) -> String {
    let mut table = format!(
        "## Options of `{0}`\n\nSaid with the metric, as in `-m {0}:option=value`.\n\n| option | values | default | |\n|---|---|---|---|\n",
        text(&entry["name"])
    );
    for option in entry["options"].as_array().into_iter().flatten() {
        let cell = |field: &str| text(&option[field]).replace('|', "\\|").replace('<', "&lt;");
        table += &format!(
            "| `{}` | {} | {} | {} |\n",
            cell("own_name"),
            [cell("values"), cell("limits")].join(" ").trim_end(),
            cell("default"),
            cell("help")
        );
    }
    table + "\n"
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_formula_stands_for_the_first_block_of_text() {
        let definition = "It is\n```text\na / b\n```\nand\n```text\nc\n```";
        assert_eq!(with_formula(definition, "A over b.\n\n"), "It is\nA over b.\nand\n```text\nc\n```");
        assert_eq!(with_formula(definition, ""), definition);
    }

    #[test]
    fn every_metric_has_a_page_of_traps_and_examples() {
        let root = xtask::root();
        let pages = described(&root).unwrap();
        assert!(pages.len() > 30, "{}", pages.len());
        for MetricPage { source, definition, .. } in pages {
            let text = read(&root, &source).unwrap();
            let shell = ["```sh\n", "```bash\n"].iter().any(|part| text.contains(part));
            let whole = shell
                && text.starts_with("```math\n")
                && text.contains("## Traps\n")
                && text.contains("```python\n>>> ");
            assert!(whole, "{source}");
            assert!(read(&root, &definition).unwrap().starts_with("//! "), "{definition}");
        }
    }
}
