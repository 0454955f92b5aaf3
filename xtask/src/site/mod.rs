//! `cargo xtask site`: builds the documentation as a site in `target/site/html`, which opens from disk.
//!
//! Every page has one source: the README, the chapters that packages compile as doc tests, the pages in
//! `docs`, and for each metric its file, the registry and its page in `docs/metrics` or in its family. Dead
//! links are errors.

mod live;
mod markdown;
mod metrics;
mod paths;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use xtask::process::{self, run as spawn};
use xtask::{Result, venv};

use crate::address;

pub(crate) use metrics::METRICS;

const REQUIREMENTS: &str = include_str!("requirements.txt");
const HOOKS: &str = include_str!("hooks.py");
const STYLE: &str = include_str!("style.css");
const WORKER: &str = include_str!("iframe-worker.js");
const FILTER: &str = include_str!("filter.js");
const LOGO: &str = include_str!("logo.svg");

/// Pages outside of `docs`, with their names in the site.
const ELSEWHERE: &[(&str, &str)] = &[
    ("ballista.md", "integrations/ballista/README.md"),
    ("burn.md", "integrations/burn/README.md"),
    ("datafusion.md", "integrations/datafusion/README.md"),
    ("differences.md", "crates/testkit/data/README.md"),
    ("index.md", "README.md"),
    ("architecture.md", "ARCHITECTURE.md"),
    ("benches.md", "benches/README.md"),
    ("captions.md", "crates/families/captions/guide/captions.md"),
    ("changelog.md", "CHANGELOG.md"),
    ("contributing.md", "CONTRIBUTING.md"),
    ("evaluation.md", "crates/bleuprint/docs/evaluation.md"),
    ("measurements.md", "benches/records/latest.md"),
    ("own_types.md", "crates/bleuprint/docs/own_types.md"),
    ("packaging.md", "packaging/README.md"),
    ("plugins.md", "crates/bleuprint/docs/plugins.md"),
    ("policy.md", "crates/gate/docs/policy.md"),
    ("python.md", "python/README.md"),
    ("scale.md", "crates/bleuprint/docs/scale.md"),
    ("security.md", "SECURITY.md"),
    ("speech.md", "crates/bleuprint/docs/speech.md"),
    ("track.md", "crates/track/docs/track.md"),
    ("training.md", "crates/bleuprint/docs/training.md"),
    ("try.md", "integrations/web/README.md"),
];

struct SitePage {
    name: String,
    source: String,
    /// Markdown of the page, with links as in the file.
    text: String,
}

/// Runs `cargo xtask site [--program PATH]`, with the program of this checkout or with one that is already
/// built.
pub(crate) fn run(root: &Path, target: &Path, options: &[&str]) -> Result {
    let program = match options {
        [] => program(root, target)?,
        ["--program", path] => PathBuf::from(path),
        _ => return Err(format!("unknown option `{}`; there is `--program PATH`", options.join(" ")).into()),
    };
    println!("  reading pages, metrics and options");
    let mut pages = pages(root, &program)?;
    let below = target.join("site/pages");
    if below.exists() {
        fs::remove_dir_all(&below)?;
    }
    println!("  making the live report and the live trend");
    live::add(root, target, &program, &below, &mut pages)?;
    let address = address::current(root)?;
    let links = markdown::Links::new(root, address.as_deref(), &pages);
    let mut dead = Vec::new();
    for page in &pages {
        let (text, copied) = links.resolve(page, &mut dead);
        write(&below.join(&page.name), &(about(&page.name).to_owned() + &text))?;
        for (from, to) in copied {
            let place = below.join(to);
            fs::create_dir_all(place.parent().unwrap_or(&below))?;
            fs::copy(root.join(&from), place).map_err(|error| format!("cannot copy {from}: {error}"))?;
        }
    }
    if !dead.is_empty() {
        return Err(dead.join("\n").into());
    }
    println!("  {} pages in {}", pages.len(), below.display());
    println!("  making HTML with mkdocs, which is installed below target the first time");
    html(root, target, address.as_deref())
}

/// Pages for contributors, which the search of users leaves out.
const FOR_CONTRIBUTORS: [&str; 8] = [
    "architecture.md",
    "benches.md",
    "changelog.md",
    "contributing.md",
    "differences.md",
    "measurements.md",
    "packaging.md",
    "security.md",
];

/// Returns the front matter of a page.
fn about(name: &str) -> &'static str {
    if FOR_CONTRIBUTORS.contains(&name) { "---\nsearch:\n  exclude: true\n---\n\n" } else { "" }
}

/// Builds the program of this checkout alone, and not the whole workspace.
fn program(root: &Path, target: &Path) -> Result<PathBuf> {
    if std::env::var_os(process::BUILT).is_none() {
        println!("  building the program; --program PATH takes one that is built already");
        spawn(&mut process::cargo(root, &["build", "--package", "bleuprint-cli", "--bin", "bleuprint"]))?;
    }
    Ok(target.join("debug").join(format!("bleuprint{}", std::env::consts::EXE_SUFFIX)))
}

/// Folds all tables of the measurements but the first, under their titles.
fn folded(text: &str) -> String {
    let is_title = |line: &str| line.starts_with("**") && line.ends_with("**") && line.len() > 4;
    let mut out = String::new();
    let mut titles = 0;
    for line in text.lines() {
        if is_title(line) {
            titles += 1;
            let title = line.trim_matches('*');
            let first =
                title.chars().next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
            let title = first + title.get(1..).unwrap_or_default();
            out += match titles {
                1 | 2 => "",
                _ => "</details>\n\n",
            };
            out += &match titles {
                1 => format!("## {title}\n"),
                _ => format!("<details markdown=\"1\"><summary>{title}</summary>\n"),
            };
        } else {
            out += line;
            out.push('\n');
        }
    }
    if titles > 1 { out + "\n</details>\n" } else { out }
}

fn pages(root: &Path, program: &Path) -> Result<Vec<SitePage>> {
    let mut pages = Vec::new();
    for (name, source) in ELSEWHERE {
        pages.push(SitePage { name: (*name).into(), source: (*source).into(), text: read(root, source)? });
    }
    for file in fs::read_dir(root.join("docs"))? {
        let name = file?.file_name().to_string_lossy().into_owned();
        if name.ends_with(".md") {
            let source = format!("docs/{name}");
            pages.push(SitePage { text: read(root, &source)?, name, source });
        }
    }
    pages.extend(metrics::pages(root, program)?);
    for page in &mut pages {
        page.text = markdown::titled(&markdown::shown(&page.text));
        if page.name == "measurements.md" {
            page.text = folded(&page.text);
        }
    }
    pages.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(pages)
}

fn html(root: &Path, target: &Path, address: Option<&str>) -> Result {
    let python = venv::environment(target, "site", REQUIREMENTS, &[], None)?;
    write(&target.join("site/hooks.py"), HOOKS)?;
    for (name, text) in
        [("style.css", STYLE), ("iframe-worker.js", WORKER), ("filter.js", FILTER), ("logo.svg", LOGO)]
    {
        write(&target.join("site/pages").join(name), text)?;
    }
    let configuration = target.join("site/mkdocs.yml");
    let name = format!("site_name: bleuprint {}\n", env!("CARGO_PKG_VERSION"));
    let mut text = read(root, "docs/mkdocs.yml")?
        .replace("site_name: bleuprint\n", &name)
        .replace("paths: [python]", &format!("paths: [{:?}]", root.join("python")));
    if let Some(address) = address {
        text += &format!("repo_url: {address}\nrepo_name: repository\n");
    }
    write(&configuration, &text)?;
    let mut command = Command::new(python);
    // The theme's notice about its successor is not a warning about these pages.
    command.env("NO_MKDOCS_2_WARNING", "1");
    command.args(["-m", "mkdocs", "build", "--quiet", "--strict", "--clean", "--config-file"]);
    spawn(command.arg(&configuration))?;
    live::add_rust_reference(target)?;
    paths::check(&target.join("site/html"))?;
    println!("  {}", target.join("site/html/index.html").display());
    Ok(())
}

fn read(root: &Path, path: &str) -> Result<String> {
    Ok(fs::read_to_string(root.join(path)).map_err(|error| format!("cannot read {path}: {error}"))?)
}

fn write(path: &PathBuf, text: &str) -> Result {
    fs::create_dir_all(path.parent().unwrap_or(path))?;
    Ok(fs::write(path, text).map_err(|error| format!("cannot write {path:?}: {error}"))?)
}
