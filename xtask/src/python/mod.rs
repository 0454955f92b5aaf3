//! `cargo xtask python`: builds the wheel of the Python package, and tests the installed wheel.
//!
//! The first environment contains only the wheel. The second also contains sacreBLEU and NumPy, and runs all
//! tests, examples and documentation.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use xtask::process::{self, run as spawn};
use xtask::{Result, venv};

/// The packages that the tests need, and the package that builds the wheel.
pub(crate) const REQUIREMENTS: &str = include_str!("requirements.txt");

/// Other libraries that the package is tested with on request: too large for every run.
const LIBRARIES: &str = include_str!("libraries.txt");

/// Libraries that are installed without their dependencies.
const LIBRARIES_ALONE: &[&str] = &["lm-eval==0.4.13"];

/// Harnesses, in a separate environment because they need another pandas. lighteval is installed without its
/// dependencies, which include torch.
const HARNESSES: &str = include_str!("harnesses.txt");
const HARNESSES_ALONE: &[&str] = &["lighteval==0.13.0"];

/// A script that needs no other package: the environment of a user who installs only the wheel.
const ALONE: &str = "\
import bleuprint, bleuprint.sacrebleu as sacrebleu, sys
assert 'numpy' not in sys.modules
assert round(sacrebleu.corpus_bleu(['a b c d e'], [['a b c d f']]).score, 2) == 66.87
assert bleuprint.metric('bleu').score([[1, 2, 3, 4]], [[1, 2, 3, 4]]).counts == [4, 3, 2, 1]
";

/// Folder of the wheel, below the target folder of Python.
const WHEELS: &str = "wheels";

const OPTIONS: &[&str] = &["--speed", "--libraries", "--harnesses", "--plugin"];

/// Runs `cargo xtask python [--speed] [--libraries] [--harnesses] [--plugin]`.
pub(crate) fn run(root: &Path, target: &Path, options: &[&str]) -> Result {
    if let Some(unknown) = options.iter().find(|option| !OPTIONS.contains(*option)) {
        return Err(format!("unknown option `{unknown}`; there are {}", OPTIONS.join(", ")).into());
    }
    let python = environment(target)?;
    let profile = match (options.contains(&"--speed"), options.contains(&"--plugin")) {
        (true, _) => Profile::Release,
        (false, true) => Profile::Dev,
        (false, false) => Profile::Tested,
    };
    let wheel = match std::env::var_os(process::BUILT) {
        Some(_) => built(target, WHEELS)?,
        None => build(root, target, &python, profile)?,
    };
    alone(root, target, &python, &wheel)?;
    pip(&python, &["--force-reinstall", "--no-deps"], &wheel)?;
    let package = root.join("python");
    // The tests run outside of the sources, so that they import the installed package.
    let outside = target.join("python");
    let pytest = |arguments: &[&str], places: &[PathBuf]| {
        let mut command = Command::new(&python);
        command.args(["-m", "pytest", "-q", "-p", "no:cacheprovider"]).args(arguments).args(places);
        spawn(command.current_dir(&outside))
    };
    println!("  tests");
    let mut tests = vec![package.join("tests")];
    tests.extend(in_families(root, "python")?);
    pytest(&[], &tests)?;
    println!("  documentation");
    pytest(&["--doctest-modules", "--pyargs", "bleuprint"], &[])?;
    let pages = ["README.md", "../docs", "../crates/bleuprint/docs/own_types.md"];
    let mut pages: Vec<PathBuf> = pages.map(|page| package.join(page)).into();
    pages.extend(in_families(root, "docs")?);
    pytest(&["--doctest-glob=*.md"], &pages)?;
    for example in scripts(&package.join("examples"))? {
        println!("  {}", example.file_name().unwrap_or_default().to_string_lossy());
        spawn(Command::new(&python).arg(&example).current_dir(&outside).stdout(Stdio::null()))?;
    }
    if options.contains(&"--libraries") {
        let tests = [
            "data",
            "adapters",
            "moving",
            "harnesses",
            "tables",
            "table_examples",
            "warehouses",
            "shown",
            "types",
        ]
        .map(|subject| format!("test_{subject}.py"));
        beside(target, &package, &wheel, ("python-libraries", LIBRARIES, LIBRARIES_ALONE), &tests)?;
    }
    if options.contains(&"--harnesses") {
        let environment = ("python-harnesses", HARNESSES, HARNESSES_ALONE);
        beside(target, &package, &wheel, environment, &["test_harnesses.py".to_owned()])?;
    }
    if options.contains(&"--plugin") {
        plugin(root, target, &python)?;
    }
    if options.contains(&"--speed") {
        spawn(Command::new(&python).arg(package.join("benches/speed.py")).current_dir(&outside))?;
    }
    Ok(())
}

/// Returns the folders of this name in the folders of the families.
fn in_families(root: &Path, name: &str) -> Result<Vec<PathBuf>> {
    let mut folders = Vec::new();
    for family in fs::read_dir(root.join("crates/families"))? {
        folders.push(family?.path().join(name));
    }
    folders.retain(|folder| folder.exists());
    folders.sort();
    Ok(folders)
}

/// Builds the plug-in in a separate wheel against this package, installs both, and tests them with a state
/// made in Rust.
fn plugin(root: &Path, target: &Path, python: &Path) -> Result {
    println!("  the plug-in in a wheel of its own");
    let package = root.join("examples/plugins/python");
    let wheel = build_wheel(root, target, python, (&package, "plugin-wheels"), Profile::Dev)?;
    pip(python, &["--force-reinstall", "--no-deps"], &wheel)?;
    let mut cargo = process::cargo(&package, &["run", "--quiet", "--locked", "--bin", "state"]);
    let state = cargo.env("CARGO_TARGET_DIR", target).output();
    let state = state.map_err(|error| format!("cannot run cargo: {error}"))?;
    let path = target.join("python/plugin.state");
    fs::write(&path, state.stdout).map_err(|error| format!("cannot write {path:?}: {error}"))?;
    let mut tests = Command::new(python);
    tests.args(["-m", "pytest", "-q", "-p", "no:cacheprovider"]).arg(package.join("tests"));
    spawn(tests.env("MY_METRICS_STATE", &path).current_dir(target.join("python")))
}

/// Runs tests with other libraries, in a named environment with some packages, and with others that are
/// installed without their dependencies.
fn beside(
    target: &Path,
    package: &Path,
    wheel: &Path,
    (name, packages, alone): (&str, &str, &[&str]),
    tests: &[String],
) -> Result {
    let all = format!("{REQUIREMENTS}\n{packages}");
    let python = venv::environment(target, name, &all, alone, None)?;
    pip(&python, &["--force-reinstall", "--no-deps"], wheel)?;
    println!("  tests beside other libraries");
    let mut command = Command::new(&python);
    command.args(["-m", "pytest", "-q", "-p", "no:cacheprovider", "-rs"]);
    command.args(tests.iter().map(|test| package.join("tests").join(test)));
    spawn(command.current_dir(target.join("python")))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Profile {
    /// The profile of tests: shares the builds of the workspace's tests, with overflow checks.
    Tested,
    /// The profile of tests with only the features of a release.
    Dev,
    /// The profile that `pip install ./python` builds, for measurements.
    Release,
}

/// Returns the interpreter that builds and tests the wheel.
pub(crate) fn environment(target: &Path) -> Result<PathBuf> {
    venv::environment(target, "python", REQUIREMENTS, &[], None)
}

pub(crate) fn wheel(root: &Path, target: &Path, profile: Profile) -> Result<PathBuf> {
    build(root, target, &environment(target)?, profile)
}

pub(crate) fn build(root: &Path, target: &Path, python: &Path, profile: Profile) -> Result<PathBuf> {
    build_wheel(root, target, python, (&root.join("python"), WHEELS), profile)
}

fn build_wheel(
    root: &Path,
    target: &Path,
    python: &Path,
    (package, folder): (&Path, &str),
    profile: Profile,
) -> Result<PathBuf> {
    let wheels = target.join("python").join(folder);
    if wheels.exists() {
        fs::remove_dir_all(&wheels).map_err(|error| format!("cannot empty {wheels:?}: {error}"))?;
    }
    println!("  building the wheel");
    let mut command = Command::new(python);
    command
        .args(["-m", "maturin", "build", "--quiet", "--locked"])
        .args(match profile {
            Profile::Tested => &["--features", "tested"][..],
            Profile::Dev => &[],
            Profile::Release => &["--release"],
        })
        .arg("--manifest-path")
        .arg(package.join("Cargo.toml"))
        .arg("--out")
        .arg(&wheels)
        .arg("--interpreter")
        .arg(python)
        .env("CARGO_TARGET_DIR", target)
        .current_dir(root);
    spawn(&mut command)?;
    built(target, folder)
}

fn built(target: &Path, folder: &str) -> Result<PathBuf> {
    let wheels = target.join("python").join(folder);
    let found = files(&wheels)?;
    Ok(found.into_iter().next().ok_or_else(|| format!("no wheel was built in {wheels:?}"))?)
}

fn alone(root: &Path, target: &Path, python: &Path, wheel: &Path) -> Result {
    println!("  alone in a clean environment");
    let folder = target.join("python/clean");
    spawn(Command::new(python).args(["-m", "venv", "--clear"]).arg(&folder))?;
    let clean = venv::interpreter(&folder);
    pip(&clean, &["--no-index"], wheel)?;
    spawn(Command::new(&clean).args(["-I", "-c", ALONE]))?;
    let data = |name: &str| root.join("examples/data").join(name);
    let mut program = Command::new(clean.with_file_name("bleuprint"));
    program.arg("score").arg(data("en.ref1.txt")).arg("-i").arg(data("en.sys-a.txt")).arg("-b");
    spawn(program.stdout(Stdio::null()))
}

pub(crate) fn pip(python: &Path, options: &[&str], wheel: &Path) -> Result {
    let mut command = Command::new(python);
    command.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]).args(options).arg(wheel);
    spawn(&mut command)
}

fn scripts(folder: &Path) -> Result<Vec<PathBuf>> {
    let is_script = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "py");
    Ok(files(folder)?.into_iter().filter(is_script).collect())
}

fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).map_err(|error| format!("cannot list {folder:?}: {error}"))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    Ok(paths)
}
