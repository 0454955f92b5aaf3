//! `cargo xtask cost`: counts the instructions of short workloads under valgrind, and fails if one takes 3 %
//! more than recorded.
//!
//! The workloads in `benches/cost` are built in the profile `release`, which the README installs. Unlike
//! times, counts repeat: addresses are fixed, the environment is empty, and there is one thread. They depend
//! on the compiler, the C library and the processor that valgrind shows. If the baseline has another setting,
//! it is printed next to the counts, and nothing fails.

mod baseline;
mod callgrind;
mod verdict;

use std::path::{Path, PathBuf};
use std::process::Command;

use xtask::Result;
use xtask::process::{cargo, output, run as run_command};

use self::baseline::{Baseline, Row, Setting};

/// Path of the baseline from the root.
const BASELINE: &str = "benches/cost/baseline.toml";
const PACKAGE: &str = "bleuprint-cost";
/// The function of the package whose callees are counted.
const MEASURED: &str = "*bleuprint_cost::measured*";
/// The environment variable that is set in a hosted workflow, which must not pass without counting.
const HOSTED: &str = "GITHUB_ACTIONS";

/// Runs `cargo xtask cost [--accept] [WORKLOAD]..`.
pub(crate) fn run(root: &Path, target: &Path, options: &[&str]) -> Result {
    let (flags, names): (Vec<&str>, Vec<&str>) = options.iter().partition(|option| option.starts_with('-'));
    let accept = match flags[..] {
        [] => false,
        ["--accept"] => true,
        _ => {
            return Err(format!(
                "unknown `{}`; there are `--accept` and names of workloads",
                flags.join(" ")
            )
            .into());
        }
    };
    if let Err(error) = valgrind() {
        let message = format!("valgrind is missing and cannot be installed ({error}): nothing was counted");
        if accept || std::env::var_os(HOSTED).is_some() {
            return Err(message.into());
        }
        println!("  {message}");
        return Ok(());
    }
    run_command(&mut cargo(root, &["build", "--quiet", "--release", "--locked", "--package", PACKAGE]))?;
    let folder = target.join("release");
    // The programs run from another folder, in which a relative path would be wrong.
    let folder = if folder.is_absolute() { folder } else { root.join(folder) };
    let setting = setting(&folder)?;
    let known = output(Command::new(folder.join(PACKAGE)).arg("list"))?;
    let known: Vec<&str> = known.lines().collect();
    if let Some(name) = names.iter().find(|name| !known.contains(name)) {
        return Err(format!("unknown workload `{name}`; there are {}", known.join(", ")).into());
    }
    let wanted = known.iter().filter(|name| names.is_empty() || names.contains(name));
    let counted: Vec<(&str, Row)> =
        wanted.map(|&name| Ok((name, count(&folder, name)?))).collect::<Result<_>>()?;
    let path = root.join(BASELINE);
    let mut baseline = Baseline::read(&path)?;
    let verdict = verdict::compare(&baseline, &setting, &counted, names.is_empty());
    verdict.lines.iter().for_each(|line| println!("  {line}"));
    if accept {
        // One file has one setting, so rows of two settings cannot be mixed.
        if !names.is_empty() && baseline.setting != setting {
            return Err("the setting differs from the baseline's: accept all workloads at once".into());
        }
        // Accepting all workloads drops the rows of workloads that no longer exist.
        if names.is_empty() {
            baseline = Baseline::default();
        }
        baseline.setting = setting;
        baseline.workload.extend(counted.into_iter().map(|(name, row)| (name.to_owned(), row)));
        std::fs::write(&path, baseline.written())
            .map_err(|error| format!("cannot write {BASELINE}: {error}"))?;
        println!("  {BASELINE} holds these counts now");
        return Ok(());
    }
    match verdict.failures {
        0 => Ok(()),
        failures => Err(format!(
            "{failures} of {} workloads fail; `cargo xtask cost --accept` records the counts if they are meant",
            known.len()
        )
        .into()),
    }
}

/// Finds valgrind, or installs it by apt-get.
fn valgrind() -> Result {
    let found = || output(Command::new("valgrind").arg("--version"));
    if found().is_ok() {
        return Ok(());
    }
    println!("  valgrind is missing: installing it");
    // Root needs no sudo, and an image may not have it.
    let root = output(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0");
    let apt = |arguments: &[&str]| {
        let mut command = Command::new(if root { "apt-get" } else { "sudo" });
        command.args(if root { &[][..] } else { &["-n", "apt-get"] }).args(arguments);
        output(command.env("DEBIAN_FRONTEND", "noninteractive"))
    };
    // The update may fail, and old lists may still be good enough.
    let _ = apt(&["update"]);
    apt(&["install", "-y", "--no-install-recommends", "valgrind"])?;
    found().map(drop)
}

/// Returns a command that runs the program under valgrind, from its own folder and with an empty environment.
/// The lengths of paths and of the environment move the stack, whose addresses seed hashers.
fn under_valgrind(folder: &Path, tool: &[&str], arguments: &[&str]) -> Command {
    // `setarch -R` turns off the randomization of addresses; some containers forbid it.
    let fixed = output(Command::new("setarch").args(["-R", "true"])).is_ok();
    let mut command = Command::new(if fixed { "setarch" } else { "valgrind" });
    command.args(if fixed { &["-R", "valgrind"][..] } else { &[] }).args(tool);
    command.arg(format!("./{PACKAGE}")).args(arguments).current_dir(folder).env_clear();
    // `setarch` looks valgrind up in the search path, even in an empty environment.
    command.env("PATH", "/usr/local/bin:/usr/bin:/bin");
    command
}

fn setting(folder: &Path) -> Result<Setting> {
    let compiler =
        output(Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into())).arg("-V"))?;
    let processor = output(&mut under_valgrind(folder, &["--tool=none", "--quiet"], &["processor"]))?;
    let libc = output(Command::new("ldd").arg("--version")).unwrap_or_default();
    let libc = libc.lines().next().and_then(|line| line.split(' ').next_back()).unwrap_or("unknown");
    let trimmed = |text: &str| text.trim().to_owned();
    Ok(Setting { compiler: trimmed(&compiler), libc: trimmed(libc), processor: trimmed(&processor) })
}

/// Counts the instructions of a workload.
fn count(folder: &Path, name: &str) -> Result<Row> {
    let file: PathBuf = folder.join(format!("cost-{name}.callgrind"));
    let toggle = format!("--toggle-collect={MEASURED}");
    // The path is relative, because the folder's name must not matter.
    let to = format!("--callgrind-out-file=cost-{name}.callgrind");
    let tool = [
        "--tool=callgrind",
        "--quiet",
        "--collect-atstart=no",
        "--dump-line=no",
        "--compress-strings=no",
        "--compress-pos=no",
        &toggle,
        &to,
    ];
    output(&mut under_valgrind(folder, &tool, &["run", name]))?;
    let text =
        std::fs::read_to_string(&file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
    let row = callgrind::read(&text).map_err(|error| format!("{}: {error}", file.display()))?;
    // The file is kept if reading fails.
    let _ = std::fs::remove_file(&file);
    Ok(row)
}
