//! `cargo xtask fuzz`: builds the targets of `fuzz` with the counters that libFuzzer needs, which the stable
//! compiler supports, and runs them.

use std::path::Path;
use std::process::Command;

use xtask::Result;
use xtask::process::{cargo, output, run as spawn};

/// Compiler flags that count edges and report comparisons. They are `cargo fuzz`'s flags without the
/// sanitizers, which safe code hardly needs.
const COUNTERS: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
     -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
     -Cllvm-args=-sanitizer-coverage-trace-compares --cfg fuzzing";

/// Compiler flag of the address sanitizer, for the target `calls`, which runs unsafe code. The stable compiler
/// has the sanitizer, but accepts the flag only with `RUSTC_BOOTSTRAP`.
const ADDRESS: &str = "-Zsanitizer=address";

/// Default run time of a target in seconds.
const SECONDS: u64 = 60;

/// Runs `cargo xtask fuzz [TARGET] [--seconds N] [--address]`.
pub(crate) fn run(root: &Path, target: &Path, options: &[&str]) -> Result {
    let address = options.contains(&"--address");
    let options: Vec<&str> = options.iter().copied().filter(|option| *option != "--address").collect();
    let (wanted, seconds) = match &options[..] {
        [] => (None, SECONDS),
        ["--seconds", seconds] => (None, seconds.parse()?),
        [name] => (Some(*name), SECONDS),
        [name, "--seconds", seconds] => (Some(*name), seconds.parse()?),
        _ => {
            return Err(format!(
                "unknown options `{}`; there are `TARGET`, `--seconds N`, `--address`",
                options.join(" ")
            )
            .into());
        }
    };
    let folder = root.join("fuzz");
    let all = targets(&folder)?;
    let chosen: Vec<&String> =
        all.iter().filter(|name| wanted.is_none_or(|wanted| wanted == *name)).collect();
    if chosen.is_empty() {
        return Err(
            format!("no target `{}`; there are {}", wanted.unwrap_or_default(), all.join(", ")).into()
        );
    }
    let host = host()?;
    let below = target.join(if address { "fuzz-address" } else { "fuzz" });
    // The host is named as the target, so that build scripts and macros are built without the counters.
    let mut build = cargo(&folder, &["build", "--release", "--quiet", "--bins", "--target", &host]);
    let flags = if address { format!("{COUNTERS} {ADDRESS}") } else { COUNTERS.to_owned() };
    if address {
        build.env("RUSTC_BOOTSTRAP", "1");
    }
    spawn(build.env("RUSTFLAGS", flags).env("CARGO_TARGET_DIR", &below))?;
    let mut failed = Vec::new();
    for name in chosen {
        println!("  {name}, {seconds} seconds");
        let corpus = below.join("corpus").join(name);
        let found = below.join("found");
        std::fs::create_dir_all(&corpus)?;
        std::fs::create_dir_all(&found)?;
        let program = below.join(&host).join("release").join(name);
        let mut fuzz = Command::new(program);
        fuzz.arg(&corpus).arg(format!("-max_total_time={seconds}"));
        fuzz.arg(format!("-artifact_prefix={}/{name}-", found.display()));
        if spawn(fuzz.args(["-print_final_stats=1", "-verbosity=0", "-timeout=20", "-rss_limit_mb=2048"]))
            .is_err()
        {
            failed.push(name.as_str());
        }
    }
    if failed.is_empty() {
        Ok(())
    } else {
        Err(format!("found something: {}; see {}", failed.join(", "), below.join("found").display()).into())
    }
}

fn targets(folder: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder.join("fuzz_targets"))? {
        let path = entry?.path();
        names.extend(path.file_stem().and_then(|stem| stem.to_str()).map(str::to_owned));
    }
    names.sort();
    Ok(names)
}

fn host() -> Result<String> {
    let about = output(Command::new("rustc").arg("-vV"))?;
    let host = about.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| "rustc does not name its host".into())
}
