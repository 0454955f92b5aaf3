//! `cargo xtask js`: the npm package, which is the C library compiled to WebAssembly and a layer of JavaScript.
//!
//! It needs Node. `--full` adds the compiler of TypeScript, promptfoo and Vitest from the npm registry, and a
//! page in Chromium.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use xtask::Result;
use xtask::process::{cargo, output, run as spawn};

use crate::report;
use crate::wasm::{self, TARGET};

const FOLDER: &str = "integrations/js";

/// Modules of the package: their names, and the features of the C library in them.
const MODULES: [(&str, &str); 2] = [("text", ""), ("families", "families,ptb")];

/// Largest number of bytes of the module of text metrics, compressed.
const MOST_BYTES: usize = 1_000_000;

/// Script that prints the size of a file as servers send it.
const BROTLI: &str =
    "console.log(require('zlib').brotliCompressSync(require('fs').readFileSync(process.argv[1])).length)";

/// Profile of a release: two links over all packages, which take minutes.
const RELEASE: &str = "wasm";

/// Runs `cargo xtask js [--full | --pack]`.
pub(crate) fn run(root: &Path, target: &Path, options: &[&str]) -> Result {
    match options {
        [] => test(root, target),
        ["--full"] => {
            release(root, target)?;
            let tests = ["golden", "examples", "calls", "pages"].map(|name| format!("test/{name}.test.mjs"));
            spawn(node_command(root, &["--test"]).args(tests))?;
            clients(root, target)?;
            browser(root, target)
        }
        ["--pack"] => {
            release(root, target)?;
            let packed = target.join("js/packed");
            fs::create_dir_all(&packed)?;
            spawn(npm(&root.join(FOLDER), &["pack"]).arg("--pack-destination").arg(packed))
        }
        _ => {
            let known = "`--full`, `--pack`";
            Err(format!("unknown option `{}`; there are {known}", options.join(" ")).into())
        }
    }
}

/// Tests the layer of JavaScript over a module of the text metrics that is not optimised. The families double
/// its build, so only a full run has them.
fn test(root: &Path, target: &Path) -> Result {
    if output(Command::new("node").arg("--version")).is_err() {
        println!("  skipped: Node is not here");
        return Ok(());
    }
    let module = module(root, target, "dev", MODULES[0].1)?;
    spawn(node_command(root, &["build.mjs"]).arg(&module))?;
    let only = "--test-name-pattern=golden rows of (?!families)|the module of text metrics";
    node(root, &["--test", only, "test/golden.test.mjs", "test/examples.test.mjs"])
}

/// Builds both modules as users get them, and prints their sizes.
fn release(root: &Path, target: &Path) -> Result {
    let mut built = Vec::new();
    for (name, features) in MODULES {
        let made = module(root, target, RELEASE, features)?;
        let kept = target.join("js").join(format!("{name}.wasm"));
        fs::copy(&made, &kept)?;
        let size = fs::metadata(&kept)?.len();
        let packed: usize = output(node_command(root, &["-e", BROTLI]).arg(&kept))?.trim().parse()?;
        println!("  {name}.wasm: {size} bytes, {packed} compressed by Brotli");
        if name == "text" && packed > MOST_BYTES {
            return Err(format!("text.wasm has {packed} bytes compressed, the limit is {MOST_BYTES}").into());
        }
        built.push(kept);
    }
    spawn(node_command(root, &["build.mjs"]).args(built))
}

/// Builds the C library for WebAssembly and returns its path.
fn module(root: &Path, target: &Path, profile: &str, features: &str) -> Result<PathBuf> {
    wasm::add_target()?;
    let below = target.join("js");
    let build = ["build", "--quiet", "--locked", "--lib", "--package=bleuprint-c", "--no-default-features"];
    let mut command = cargo(root, &build);
    command.args(["--profile", profile, "--features", features, "--target", TARGET]);
    // Every engine has SIMD since 2023.
    command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", "-C target-feature=+simd128");
    spawn(command.env("CARGO_TARGET_DIR", &below))?;
    let folder = if profile == "dev" { "debug" } else { profile };
    Ok(below.join(TARGET).join(folder).join("bleuprint_c.wasm"))
}

/// Compiles calls in strict TypeScript, and runs the package in its clients, which then need no network.
fn clients(root: &Path, target: &Path) -> Result {
    let folder = target.join("js/clients");
    fs::create_dir_all(folder.join("node_modules"))?;
    let from = root.join(FOLDER).join("test/clients");
    for entry in fs::read_dir(&from)? {
        let entry = entry?;
        fs::copy(entry.path(), folder.join(entry.file_name()))?;
    }
    spawn(&mut npm(&folder, &["install", "--no-audit", "--no-fund", "--ignore-scripts", "--no-save"]))?;
    // The package as its users install it.
    let link = folder.join("node_modules/bleuprint");
    #[cfg(unix)]
    if !link.exists() {
        std::os::unix::fs::symlink(root.join(FOLDER), &link)?;
    }
    let types = root.join(FOLDER).join("test/types/tsconfig.json");
    let compiler = folder.join("node_modules/typescript/bin/tsc");
    spawn(Command::new("node").arg(compiler).arg("--project").arg(types))?;
    spawn(Command::new("node").args(["--test", "clients.test.mjs"]).current_dir(&folder))
}

/// Runs the package in a page of Chromium.
fn browser(root: &Path, target: &Path) -> Result {
    report::check_page(root, target, "test_js.py", "BLEUPRINT_JS", &root.join(FOLDER).join("dist"))
}

fn npm(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("npm");
    command.args(arguments).arg("--loglevel=error").current_dir(folder);
    command
}

fn node_command(root: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("node");
    command.args(arguments).current_dir(root.join(FOLDER));
    command
}

fn node(root: &Path, arguments: &[&str]) -> Result {
    spawn(&mut node_command(root, arguments))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_options_are_errors() {
        let root = Path::new("nowhere");
        assert!(run(root, root, &["--fast"]).unwrap_err().to_string().contains("--full"));
    }
}
