//! `cargo xtask wheel`: builds the wheel of a release, whose bytes depend only on its sources.
//!
//! `SOURCE_DATE_EPOCH` is the time of the commit. Neither the library nor the list of materials contains a
//! path of the machine.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use xtask::process::{output, run as spawn};
use xtask::{Result, venv};

/// The program that builds wheels, with a linker for all Linux systems.
const REQUIREMENTS: &str = "maturin[zig]==1.16.0\n";

const MATERIALS: &str = include_str!("materials.py");

/// Runs `cargo xtask wheel [--twice] [OPTION OF MATURIN]..`.
pub(crate) fn run(root: &Path, target: &Path, options: &[&str]) -> Result {
    let python = venv::environment(target, "wheel", REQUIREMENTS, &[], None)?;
    if let ["--twice", options @ ..] = options {
        return twice(root, &target.join("wheel"), &python, options);
    }
    let wheel = build(root, target, &python, options)?;
    println!("  {}", wheel.display());
    Ok(())
}

/// Builds the last commit in two folders and compares the bytes of the wheels.
fn twice(root: &Path, below: &Path, python: &Path, options: &[&str]) -> Result {
    let mut wheels = Vec::new();
    for name in ["one", "another/folder"] {
        let folder = below.join(name);
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        spawn(Command::new("git").args(["clone", "--quiet", "--shared"]).arg(root).arg(&folder))?;
        let target = folder.join("target");
        let wheel = build(&folder, &target, python, options)?;
        let kept = below.join(format!("{}-{}", wheels.len(), file_name(&wheel)));
        fs::rename(&wheel, &kept)?;
        fs::remove_dir_all(&folder)?;
        wheels.push(kept);
    }
    if fs::read(&wheels[0])? != fs::read(&wheels[1])? {
        return Err(format!("the wheels of two folders differ: {wheels:?}").into());
    }
    println!("  equal wheels from two folders");
    Ok(())
}

fn build(root: &Path, target: &Path, python: &Path, options: &[&str]) -> Result<PathBuf> {
    let out = target.join("wheel/dist");
    if out.exists() {
        fs::remove_dir_all(&out)?;
    }
    let time = output(Command::new("git").args(["log", "-1", "--format=%ct"]).current_dir(root))?;
    let mut command = Command::new(python);
    command
        .args(["-m", "maturin", "build", "--profile", "dist", "--locked", "--manifest-path"])
        .arg(root.join("python/Cargo.toml"))
        .arg("--out")
        .arg(&out)
        .args(options)
        .env("SOURCE_DATE_EPOCH", time.trim())
        .env("RUSTFLAGS", format!("--remap-path-prefix={}=registry", registry()?.display()))
        .env("CARGO_TARGET_DIR", target)
        .current_dir(root);
    spawn(&mut command)?;
    let wheel = fs::read_dir(&out)?.next().ok_or("no wheel was built")??.path();
    spawn(Command::new(python).args(["-c", MATERIALS]).arg(&wheel).arg(root))?;
    Ok(wheel)
}

/// Returns the folder with the sources of other packages, whose paths occur in messages of the library.
fn registry() -> Result<PathBuf> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo")));
    Ok(home.ok_or("neither CARGO_HOME nor a home folder is known")?.join("registry/src"))
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
