//! The shell examples of the documentation run, word by word, and print what the pages say.
//!
//! A block `sh` runs; a block `text` right behind it is what it prints. The blocks of a page share a folder. With
//! `BLEUPRINT_WRITE_DOCS=1` the `text` blocks are written instead of compared. A block `bash` only illustrates.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::common::Folder;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

#[test]
fn the_examples_of_every_page_run() {
    let root = root();
    let mut pages = vec![root.join("README.md")];
    for folder in ["docs", "docs/metrics"] {
        let files = std::fs::read_dir(root.join(folder)).unwrap();
        pages.extend(
            files.map(|file| file.unwrap().path()).filter(|path| path.extension().is_some_and(|e| e == "md")),
        );
    }
    pages.sort();
    let failed: Vec<String> = pages.iter().filter_map(|page| check(&root, page).err()).collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(pages.len() > 20);
}

fn check(root: &Path, page: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(page).unwrap();
    let name = page.strip_prefix(root).unwrap().display().to_string();
    let folder = Folder::new();
    std::os::unix::fs::symlink(root.join("examples"), folder.path("examples")).unwrap();
    let (mut lines, mut written, mut wrong) = (text.lines().peekable(), String::new(), Vec::new());
    while let Some(line) = lines.next() {
        written += &format!("{line}\n");
        if line != "```sh" {
            continue;
        }
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        written += &format!("{}\n```\n", block.join("\n"));
        let printed = run(root, &folder, &block).map_err(|error| format!("{name}: {error}"))?;
        while lines.peek() == Some(&"") {
            written += "\n";
            lines.next();
        }
        if lines.peek() == Some(&"```text") {
            lines.next();
            let told: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            // Pages have no white space at the end of a line, but some tables do.
            let printed: String = printed.lines().map(|line| format!("{}\n", line.trim_end())).collect();
            written += &format!("```text\n{printed}```\n");
            if told.join("\n").trim_end() != printed.trim_end() {
                wrong.push(format!("{name}: `{}` prints\n{printed}", block.join("\n")));
            }
        }
    }
    if std::env::var_os("BLEUPRINT_WRITE_DOCS").is_some() {
        std::fs::write(page, written).unwrap();
        return Ok(());
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

fn run(root: &Path, folder: &Folder, block: &[&str]) -> Result<String, String> {
    let mut script = String::from("set -eu\n");
    for line in block {
        match line.strip_prefix("cargo run --release -- ") {
            Some(arguments) => script += &format!("bleuprint {arguments}\n"),
            None if installs(line) => assert!(paths(line).all(|path| root.join(path).exists()), "{line}"),
            None => script += &format!("{line}\n"),
        }
    }
    let program = Path::new(env!("CARGO_BIN_EXE_bleuprint")).parent().unwrap().to_path_buf();
    let path = std::env::join_paths(
        std::iter::once(program).chain(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())),
    );
    let output = Command::new("sh")
        .args(["-c", &script])
        .current_dir(folder.path("."))
        .env("PATH", path.unwrap())
        .env_remove("SACREBLEU_FORMAT")
        .env_remove("SACREBLEU_SEED")
        .env_remove("GITHUB_STEP_SUMMARY")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("`{}` ended with {}: {said}", block.join("\n"), output.status));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Installing and testing are for other chores.
fn installs(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    matches!(words[..], ["pip", ..] | ["python", ..] | ["cargo", "install" | "test" | "add", ..])
}

fn paths(line: &str) -> impl Iterator<Item = &str> {
    line.split_whitespace().filter(|word| word.contains('/') && !word.contains("://"))
}
