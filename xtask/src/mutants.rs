//! `cargo xtask mutants`: changes the code of a package and checks that its tests notice, by cargo-mutants.
//! It is run by hand: all changes take many hours, a shard takes an N-th.

use std::path::Path;
use std::process::Command;

use xtask::Result;
use xtask::process::{installed, run as spawn};

const VERSION: &str = "27.1.0";

/// Folders below `crates` whose numbers are guaranteed, the files of each, and other packages with tests of
/// it: the laws of `core` need metrics.
const PLACES: [(&str, &[&str], &[&str]); 10] = [
    ("core", &["src/*.rs"], &["registry", "metrics"]),
    ("registry", &["src/*.rs", "src/any/*.rs"], &[]),
    ("ngram", &["src/**"], &[]),
    ("math", &["src/**"], &[]),
    ("metrics", &["src/bleu/**", "src/edit/**", "src/chrf/**", "src/shared/**"], &[]),
    ("eval", &["src/store/**"], &[]),
    ("inference", &["src/**"], &[]),
    ("gate", &["src/judge.rs", "src/bounds.rs"], &[]),
    ("track", &["src/check.rs", "src/versions.rs"], &[]),
    ("families/codebleu", &["src/syntax.rs", "src/score.rs"], &[]),
];

/// Changes that give an equivalent program: a pattern of their names, a tab, and the reason.
const EQUAL: &str = include_str!("mutants.txt");

/// Runs `cargo xtask mutants [PACKAGE] [--shard K/N]`.
pub(crate) fn run(root: &Path, target: &Path, options: &[&str]) -> Result {
    let (wanted, shard) = match options {
        [] => (None, None),
        ["--shard", shard] => (None, Some(*shard)),
        [package] => (Some(*package), None),
        [package, "--shard", shard] => (Some(*package), Some(*shard)),
        _ => return Err("there are `PACKAGE`, `--shard K/N`".into()),
    };
    let places: Vec<_> =
        PLACES.iter().filter(|(folder, ..)| wanted.is_none_or(|wanted| wanted == package(folder))).collect();
    if places.is_empty() {
        let names = PLACES.map(|(folder, ..)| package(folder)).join(", ");
        return Err(format!("no package `{}`; there are {names}", wanted.unwrap_or_default()).into());
    }
    let program = installed(root, target, "cargo-mutants", VERSION)?;
    let equal = EQUAL.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('\t'));
    let equal: Vec<&str> = equal.map(|(pattern, _)| pattern).collect();
    let mut failed = Vec::new();
    for (folder, files, testers) in places {
        let package = package(folder);
        println!("  {package}");
        let mut mutants = Command::new(&program);
        mutants.args(["mutants", "--package", &format!("bleuprint-{package}"), "--no-shuffle", "--output"]);
        mutants.arg(target.join("mutants").join(package)).current_dir(root);
        for file in *files {
            mutants.args(["--file", &format!("crates/{folder}/{file}")]);
        }
        for tester in [package].into_iter().chain(testers.iter().copied()) {
            mutants.args(["--test-package", &format!("bleuprint-{tester}")]);
        }
        for pattern in &equal {
            mutants.args(["--exclude-re", pattern]);
        }
        if let Some(shard) = shard {
            // A shard draws from all files, not from an N-th of the list.
            mutants.args(["--shard", shard, "--sharding", "round-robin"]);
        }
        std::fs::create_dir_all(target.join("mutants").join(package))?;
        if spawn(mutants.args(["--", "--all-features"])).is_err() {
            failed.push(package);
        }
    }
    if failed.is_empty() {
        return Ok(());
    }
    let below = target.join("mutants");
    Err(format!("survivors in {}: see {}", failed.join(", "), below.display()).into())
}

/// Returns the name of the package in a folder, without `bleuprint-`.
fn package(folder: &'static str) -> &'static str {
    folder.rsplit('/').next().unwrap_or(folder)
}
