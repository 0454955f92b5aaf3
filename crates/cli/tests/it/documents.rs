//! The shell examples of the documentation run, word by word, and print what the pages say.
//!
//! A block `sh` runs; a block `text` right behind it is what it prints. The blocks of a page share a folder. With
//! `BLEUPRINT_WRITE_DOCS=1` the `text` blocks are written instead of compared. The commands of a block `bash`, whose files
//! are the reader's, run too: they must end with success, or with the error that such a file is not there. The program
//! checks options and metrics before it opens files.
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
    let families = std::fs::read_dir(root.join("crates/families")).unwrap();
    let of_families = families.map(|family| family.unwrap().path().join("docs")).filter(|docs| docs.is_dir());
    for folder in of_families.chain(["docs", "docs/metrics"].map(|folder| root.join(folder))) {
        let files = std::fs::read_dir(folder).unwrap();
        pages.extend(
            files.map(|file| file.unwrap().path()).filter(|path| path.extension().is_some_and(|e| e == "md")),
        );
    }
    pages.sort();
    let failed: Vec<String> = pages.iter().filter_map(|page| check(&root, page).err()).collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(pages.len() > 60, "{}", pages.len());
}

#[test]
fn the_commands_of_every_bash_block_have_options_and_metrics_that_exist() {
    let root = root();
    let mut pages = Vec::new();
    add_pages(&root, &mut pages);
    pages.sort();
    let mut commands = 0;
    let mut failed = Vec::new();
    for page in &pages {
        let text = std::fs::read_to_string(page).unwrap();
        for command in bash_commands(&text) {
            commands += 1;
            if let Err(error) = run_or_miss_files(&root, &command) {
                failed.push(format!("{}: {error}", page.strip_prefix(&root).unwrap().display()));
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(commands > 25, "{commands}");
}

/// Adds the pages of the folder and of the folders in it, except those of builds.
fn add_pages(folder: &Path, pages: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_symlink() || name.starts_with('.') || name == "target" || name == "node_modules" {
            continue;
        }
        if path.is_dir() {
            add_pages(&path, pages);
        } else if name.ends_with(".md") {
            pages.push(path);
        }
    }
}

/// Returns the commands of this program in the blocks `bash` of a page, each on one line.
fn bash_commands(text: &str) -> Vec<String> {
    let mut commands = Vec::new();
    let mut lines = text.lines();
    while lines.by_ref().any(|line| line == "```bash") {
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        let joined = block.join("\n").replace("\\\n", " ");
        commands.extend(joined.lines().filter_map(own_command));
    }
    commands
}

/// Returns the line as a command of the program that the tests build, or `None` if it runs another program.
fn own_command(line: &str) -> Option<String> {
    if line.starts_with("bleuprint ") {
        return Some(line.to_owned());
    }
    let (cargo, arguments) = line.split_once(" -- ")?;
    (cargo.starts_with("cargo run ") && cargo.contains("bleuprint-cli"))
        .then(|| format!("bleuprint {arguments}"))
}

/// Runs a command. The error that a file of the command does not exist is not a failure, nor is the error of a build
/// without a feature; builds of the checks have all features.
fn run_or_miss_files(root: &Path, command: &str) -> Result<(), String> {
    let folder = Folder::new();
    std::os::unix::fs::symlink(root.join("examples"), folder.path("examples")).unwrap();
    let Err(error) = run(root, &folder, &[command]) else { return Ok(()) };
    let is_file = |word: &&str| word.len() > 2 && word.contains(['.', '/']);
    let mut files = command.split([' ', '=', ',', ':', '\'']).filter(is_file);
    let message = error.split_once(" ended with ").map_or("", |(_, message)| message);
    let is_missing =
        message.contains("No such file or directory") && files.any(|file| message.contains(file));
    let is_left_out =
        ["without the feature", "use a build with the feature"].iter().any(|text| message.contains(text));
    if is_missing || is_left_out { Ok(()) } else { Err(error) }
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

/// Returns `true` if the line installs or tests, which other tests cover.
fn installs(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    matches!(words[..], ["pip", ..] | ["python", ..] | ["cargo", "install" | "test" | "add", ..])
}

fn paths(line: &str) -> impl Iterator<Item = &str> {
    line.split_whitespace().filter(|word| word.contains('/') && !word.contains("://"))
}
