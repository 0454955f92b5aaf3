//! `cargo xtask web`: the metrics in one page of HTML, by WebAssembly, and its checks in a real browser.
//!
//! It adds the target of rustup that it needs, and installs the maker of the bindings in the version of the lock file.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use xtask::Result;
use xtask::process::{cargo, run as spawn};

use crate::report;
use crate::wasm::{self, TARGET};

/// Runs `cargo xtask web`.
pub(crate) fn run(root: &Path, target: &Path) -> Result {
    let page = build(root, target)?;
    report::check_page(root, target, "test_web.py", "BLEUPRINT_WEB", &page)
}

fn build(root: &Path, target: &Path) -> Result<PathBuf> {
    let package = root.join("integrations/web");
    let below = target.join("web");
    wasm::add_target()?;
    let mut build = cargo(&package, &["build", "--quiet", "--release", "--locked", "--target", TARGET]);
    spawn(build.env("CARGO_TARGET_DIR", &below))?;
    let maker = bindings_maker(&package, &below)?;
    let bindings = below.join("bindings");
    let wasm = below.join(TARGET).join("release/bleuprint_web.wasm");
    let mut make = Command::new(maker);
    spawn(make.args(["--target", "no-modules", "--no-typescript", "--out-dir"]).arg(&bindings).arg(wasm))?;
    let page = below.join("bleuprint.html");
    let text = assemble(root, &package, &bindings)?;
    fs::write(&page, &text).map_err(|error| format!("cannot write {page:?}: {error}"))?;
    println!("  {}: {} bytes", page.display(), text.len());
    Ok(page)
}

/// Returns the program `wasm-bindgen` in the version with which the package is built; installs it if it is
/// missing.
fn bindings_maker(package: &Path, below: &Path) -> Result<PathBuf> {
    let lock: toml::Table = read(&package.join("Cargo.lock"))?.parse()?;
    let packages =
        lock.get("package").and_then(toml::Value::as_array).ok_or("a lock file without packages")?;
    let named = packages
        .iter()
        .find(|package| package.get("name").and_then(toml::Value::as_str) == Some("wasm-bindgen"));
    let version = named
        .and_then(|package| package.get("version")?.as_str())
        .ok_or("no wasm-bindgen in the lock file")?;
    let tools = below.join("tools");
    let install = ["install", "--quiet", "wasm-bindgen-cli", "--version", version, "--root"];
    // Cargo returns at once if this version is already installed.
    spawn(cargo(package, &install).arg(&tools).env("CARGO_TARGET_DIR", below.join("tools-target")))?;
    Ok(tools.join("bin").join(format!("wasm-bindgen{}", std::env::consts::EXE_SUFFIX)))
}

/// Returns a page in one file that loads nothing: style, bindings, script, and the WebAssembly program as
/// text.
fn assemble(root: &Path, package: &Path, bindings: &Path) -> Result<String> {
    let part = |name: &str| read(&package.join("page").join(name));
    let program = bindings.join("bleuprint_web_bg.wasm");
    let program = fs::read(&program).map_err(|error| format!("cannot read {program:?}: {error}"))?;
    let mut page = part("index.html")?;
    // The program is inserted last, because it is long and would be searched for every later mark.
    for (mark, text) in [
        ("{{report-style}}", read(&root.join("crates/report/src/page/web/style.css"))?),
        ("{{style}}", part("page.css")?),
        ("{{bindings}}", read(&bindings.join("bleuprint_web.js"))?),
        ("{{script}}", part("page.js")?),
        ("{{wasm}}", STANDARD.encode(packed(&program)?)),
    ] {
        if page.matches(mark).count() != 1 {
            return Err(format!("the page must have `{mark}` once").into());
        }
        page = page.replace(mark, &text);
    }
    Ok(page)
}

/// Returns the program compressed to a third of its size; every browser can decompress it.
fn packed(program: &[u8]) -> Result<Vec<u8>> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
    gzip.write_all(program)?;
    Ok(gzip.finish()?)
}

fn read(path: &Path) -> Result<String> {
    Ok(fs::read_to_string(path).map_err(|error| format!("cannot read {path:?}: {error}"))?)
}
