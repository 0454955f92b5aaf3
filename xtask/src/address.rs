//! `cargo xtask address`: sets the address of the repository, which is stored in one place. Manifests, the
//! wheel, the recipes of packages and the pages that registries show take it from the manifest of the
//! workspace.
//!
//! Until an address is set, all of them contain [`PLACEHOLDER`], and the release workflow refuses to start.

use std::fs;
use std::path::Path;

use xtask::Result;

use crate::tidy::{links, tree::Finding};

/// The address in all files while none is set.
pub(crate) const PLACEHOLDER: &str = "https://REPOSITORY";

/// Files that contain the address. The command reads it from the first one.
const FILES: [&str; 10] = [
    "Cargo.toml",
    "integrations/Cargo.toml",
    "integrations/burn/Cargo.toml",
    "integrations/js/package.json",
    "python/pyproject.toml",
    "packaging/part.md",
    "packaging/install.sh",
    "packaging/install.ps1",
    "packaging/homebrew/bleuprint.rb",
    "packaging/conda/recipe.yaml",
];

/// Pages whose links begin with the address, each with its copy for a registry.
const PAGES: [(&str, &str); 5] = [
    ("README.md", "packaging/registry.md"),
    ("python/README.md", "python/REGISTRY.md"),
    ("integrations/ballista/README.md", "integrations/ballista/REGISTRY.md"),
    ("integrations/burn/README.md", "integrations/burn/REGISTRY.md"),
    ("integrations/datafusion/README.md", "integrations/datafusion/REGISTRY.md"),
];

/// Runs `cargo xtask address [URL]`. Without an address it only rewrites the pages of registries.
pub(crate) fn run(root: &Path, options: &[&str]) -> Result {
    let address = match options {
        [] => None,
        [address] => Some(address.trim_end_matches('/')),
        _ => return Err(format!("unknown option `{}`; there is one URL", options.join(" ")).into()),
    };
    for (file, text) in texts(&|file| read(root, file), address)? {
        fs::write(root.join(file), text).map_err(|error| format!("cannot write {file}: {error}"))?;
    }
    println!("  {} in {} files and {} pages", written(&read(root, FILES[0])?)?, FILES.len(), PAGES.len());
    Ok(())
}

/// Returns the address of the repository, if it is set.
pub(crate) fn current(root: &Path) -> Result<Option<String>> {
    Ok(Some(written(&read(root, FILES[0])?)?).filter(|address| address != PLACEHOLDER))
}

/// Returns a finding for each file that `cargo xtask address` would change.
pub(crate) fn stale(root: &Path) -> Result<Vec<Finding>> {
    let texts = texts(&|file| read(root, file), None)?.into_iter();
    let stale = texts.filter(|(file, text)| read(root, file).ok().as_ref() != Some(text));
    let message = "is not the page of the README with the links of a registry: run `cargo xtask address`";
    Ok(stale.map(|(file, _)| Finding { place: file.to_owned(), message: message.to_owned() }).collect())
}

/// Returns the texts of all files and pages, with a new address or with their current one.
fn texts(
    read: &dyn Fn(&str) -> Result<String>,
    address: Option<&str>,
) -> Result<Vec<(&'static str, String)>> {
    let old = written(&read(FILES[0])?)?;
    let new = address.unwrap_or(&old);
    if !new.starts_with("https://") || new.contains(['"', ' ']) {
        return Err(format!("`{new}` is not the address of a repository; it begins with https://").into());
    }
    let mut texts = Vec::new();
    for file in FILES {
        let text = read(file)?;
        // A file without the old address would silently keep another one.
        if !text.contains(&old) {
            return Err(format!("{file} has no `{old}`, which Cargo.toml has as `repository`").into());
        }
        // All texts are computed before the first is written, so an error changes no file.
        texts.push((file, text.replace(&old, new)));
    }
    for (page, copy) in PAGES {
        texts.push((copy, for_registry(&read(page)?, page, new)?));
    }
    Ok(texts)
}

/// Returns the address in the manifest of the workspace, or its placeholder.
fn written(manifest: &str) -> Result<String> {
    let manifest: toml::Table = toml::from_str(manifest)?;
    let address = manifest.get("workspace").and_then(|workspace| workspace.get("package")?.get("repository"));
    let address = address.and_then(|address| address.as_str());
    Ok(address.ok_or("Cargo.toml has no `repository` in `[workspace.package]`")?.to_owned())
}

/// Returns the text of a page with absolute links, because a registry shows the page without the other files.
fn for_registry(text: &str, page: &str, address: &str) -> Result<String> {
    let mut out = String::with_capacity(text.len() * 2);
    let mut in_block = false;
    for line in text.lines() {
        in_block ^= line.trim_start().starts_with("```");
        let mut rest = line;
        while let Some((at, mark, end)) = (!in_block).then(|| next_link(rest)).flatten() {
            let (before, target) = rest.split_at(at + mark.len());
            let (target, after) = target.split_at(target.find(end).unwrap_or(target.len()));
            let is_image =
                mark != "](" || before.rfind('[').is_some_and(|open| before[..open].ends_with('!'));
            out += before;
            out += &absolute(target, page, address, is_image)?;
            rest = after;
        }
        out += rest;
        out.push('\n');
    }
    Ok(out)
}

/// Returns the first link of a text: its position, the mark before its target, and the character after it.
fn next_link(text: &str) -> Option<(usize, &'static str, char)> {
    let marks = [("](", ')'), (" src=\"", '"'), (" srcset=\"", '"')];
    // The smallest tuple has the smallest position, so `min` returns the first link.
    marks.into_iter().filter_map(|(mark, end)| Some((text.find(mark)?, mark, end))).min()
}

fn absolute(target: &str, page: &str, address: &str, is_image: bool) -> Result<String> {
    if target.starts_with('#') || links::is_outside(target) {
        return Ok(target.to_owned());
    }
    let (path, anchor) = target.split_at(target.find('#').unwrap_or(target.len()));
    let path = links::join(links::folder_of(page), path)
        .ok_or_else(|| format!("{page}: the link `{target}` leads out of the repository"))?;
    Ok(format!("{address}/{}/main/{path}{anchor}", if is_image { "raw" } else { "blob" }))
}

fn read(root: &Path, file: &str) -> Result<String> {
    Ok(fs::read_to_string(root.join(file)).map_err(|error| format!("cannot read {file}: {error}"))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_files_have_the_address_and_all_pages_are_new() {
        let stale: Vec<String> =
            stale(&xtask::root()).unwrap().iter().map(|finding| finding.to_string()).collect();
        assert!(stale.is_empty(), "{stale:#?}");
    }

    #[test]
    fn links_of_a_page_begin_with_the_address() {
        let page = |text: &str| for_registry(text, "a/README.md", "https://x").unwrap();
        assert_eq!(
            page("[b](b.md) [c](../c/d.md#e)\n"),
            "[b](https://x/blob/main/a/b.md) [c](https://x/blob/main/c/d.md#e)\n"
        );
        assert_eq!(page("<img src=\"b.svg\"> ![c](c.svg)\n").matches("https://x/raw/main/a/").count(), 2);
        for same in ["[b](#b) [c](https://c/d)\n", "```sh\n[b](b.md)\n```\n"] {
            assert_eq!(page(same), same);
        }
        assert!(for_registry("[b](../../b)", "a/README.md", "https://x").is_err());
    }

    #[test]
    fn an_address_is_set_in_all_files_and_then_replaced() {
        let manifest = |address: &str| format!("[workspace.package]\nrepository = \"{address}\"\n");
        let with = |address: &str, new| {
            let text = manifest(address);
            texts(&|_| Ok(text.clone()), new)
        };
        let first = with(PLACEHOLDER, Some("https://x")).unwrap();
        assert_eq!(first.len(), FILES.len() + PAGES.len());
        assert_eq!(first[0], (FILES[0], manifest("https://x")));
        assert_eq!(with("https://x", Some("https://y")).unwrap()[3], (FILES[3], manifest("https://y")));
        assert_eq!(with("https://x", None).unwrap()[3], (FILES[3], manifest("https://x")));
        assert!(with(PLACEHOLDER, Some("http://x")).is_err());
        let only_first =
            |file: &str| Ok(if file == FILES[0] { manifest("https://x") } else { String::new() });
        assert!(texts(&only_first, None).unwrap_err().to_string().contains(FILES[1]));
    }
}
