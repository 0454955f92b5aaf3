//! `cargo xtask address`: the one place where the address of the repository is set. Manifests, the wheel, the citation, the
//! recipes of packages and the site take it from there; until it is set none of them has one.

use std::fs;
use std::path::Path;

use xtask::Result;

use crate::{site, tidy::packages};

/// The manifests that have the address, and the line behind which it stands.
const WORKSPACES: [&str; 3] = ["Cargo.toml", "integrations/Cargo.toml", "integrations/burn/Cargo.toml"];
const WORKSPACE: &str = "license = \"MIT OR Apache-2.0\"";
/// The same for packages, which inherit it.
const PACKAGE: &str = "license.workspace = true";

/// The place of the address in the text, or of this text.
const RECIPES: [&str; 4] = ["install.sh", "install.ps1", "homebrew/bleuprint.rb", "conda/recipe.yaml"];
const PLACEHOLDER: &str = "https://REPOSITORY";

/// Runs `cargo xtask address URL`.
pub(crate) fn run(root: &Path, options: &[&str]) -> Result {
    let [address] = options else { return Err("the address is missing: cargo xtask address URL".into()) };
    if !address.starts_with("https://") || address.contains(['"', ' ']) {
        return Err(format!("`{address}` is no address of a repository; it begins with https://").into());
    }
    let address = address.trim_end_matches('/');
    let old = site::repository(root)?.unwrap_or_else(|| PLACEHOLDER.to_owned());
    for recipe in RECIPES {
        let path = root.join("packaging").join(recipe);
        let text = fs::read_to_string(&path).map_err(|error| format!("cannot read {recipe}: {error}"))?;
        if !text.contains(&old) {
            return Err(format!("packaging/{recipe} has no `{old}`").into());
        }
        fs::write(&path, text.replace(&old, address))?;
    }
    for manifest in WORKSPACES {
        set(root, manifest, WORKSPACE, "repository = ", &format!("repository = \"{address}\""))?;
    }
    let inherit = [packages::read(root)?, packages::read(&root.join("integrations"))?].concat();
    for package in inherit.iter().filter(|package| package.published()) {
        let manifest = Path::new(&package.manifest_path);
        let manifest = manifest.strip_prefix(root).unwrap_or(manifest).display().to_string();
        set(root, &manifest, PACKAGE, "repository.", "repository.workspace = true")?;
    }
    set(
        root,
        "python/pyproject.toml",
        "dynamic = ",
        "urls = ",
        &format!("urls = {{ Repository = \"{address}\" }}"),
    )?;
    set(
        root,
        "CITATION.cff",
        "type: software",
        "repository-code: ",
        &format!("repository-code: \"{address}\""),
    )?;
    println!("  {address}");
    Ok(())
}

/// Puts a line behind the one that begins with `behind`, in the place of one that begins with `old`.
fn set(root: &Path, file: &str, behind: &str, old: &str, line: &str) -> Result {
    let path = root.join(file);
    let text = fs::read_to_string(&path).map_err(|error| format!("cannot read {file}: {error}"))?;
    let text = with_line(&text, behind, old, line).ok_or_else(|| format!("{file} has no line `{behind}`"))?;
    Ok(fs::write(&path, text).map_err(|error| format!("cannot write {file}: {error}"))?)
}

fn with_line(text: &str, behind: &str, old: &str, line: &str) -> Option<String> {
    let mut lines: Vec<&str> = text.lines().filter(|known| !known.starts_with(old)).collect();
    let at = lines.iter().position(|known| known.starts_with(behind))?;
    lines.insert(at + 1, line);
    Some(lines.join("\n") + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recipes_have_the_address_or_its_place() {
        let root = xtask::root();
        let address = site::repository(&root).unwrap().unwrap_or_else(|| PLACEHOLDER.to_owned());
        for recipe in RECIPES {
            assert!(fs::read_to_string(root.join("packaging").join(recipe)).unwrap().contains(&address));
        }
    }

    #[test]
    fn an_address_is_set_once_and_then_replaced() {
        let text = "a = 1\nlicense = x\nb = 2\n";
        let once = with_line(text, "license", "repository", "repository = 1").unwrap();
        assert_eq!(once, "a = 1\nlicense = x\nrepository = 1\nb = 2\n");
        let twice = with_line(&once, "license", "repository", "repository = 2").unwrap();
        assert_eq!(twice, "a = 1\nlicense = x\nrepository = 2\nb = 2\n");
        assert_eq!(with_line("a\n", "license", "repository", "x"), None);
    }
}
