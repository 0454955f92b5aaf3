//! The cases of `tests/cases`: files, command lines, and what the program prints; see the README there for their form.
//!
//! `BLEUPRINT_CASES=WORD` runs the cases whose file or name has the word.

mod check;
mod read;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use self::check::Seen;
use self::read::{Case, Run, Step};
use crate::common::{sealed, start};

const LEAST: usize = 100;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

#[test]
fn every_case_holds() {
    let cases = all();
    let asked = std::env::var("BLEUPRINT_CASES").unwrap_or_default();
    let chosen: Vec<&Case> = cases.iter().filter(|case| case.name.contains(&asked)).collect();
    assert!(!chosen.is_empty() && (cases.len() >= LEAST), "{} cases, {asked}", cases.len());
    let next = AtomicUsize::new(0);
    let work = || {
        let mut failed = Vec::new();
        while let Some(case) = chosen.get(next.fetch_add(1, Ordering::Relaxed)) {
            failed.extend(run_case(case).err().map(|error| format!("{}: {error}\n", case.name)));
        }
        failed
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let failed: Vec<String> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    assert!(failed.is_empty(), "{} of {} cases failed\n{}", failed.len(), chosen.len(), failed.join("\n"));
}

fn all() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let mut files: Vec<PathBuf> =
        files.filter(|file| file.extension().is_some_and(|ext| ext == "case")).collect();
    files.sort();
    let cases = |file: &PathBuf| {
        let (name, text) =
            (file.file_name().unwrap().to_string_lossy(), std::fs::read_to_string(file).unwrap());
        read::cases(&name, &text).unwrap_or_else(|error| panic!("{error}"))
    };
    files.iter().flat_map(cases).collect()
}

#[test]
fn malformed_cases_are_errors() {
    for (text, words) in [
        ("", "x.case: no case"),
        ("@ a\n| b\n", "x.case: no case"),
        ("== one\n$ list metrics\n", "one: it expects nothing"),
        ("== one\n@ a\ntext\n", "line 3: it has no form of a case: text"),
        ("== one\n@ a\n\\ \\q\n", "line 3: unknown escape"),
        ("== one\n@ a\nx many\n", "line 3: no number"),
    ] {
        let error = read::cases("x.case", text).map(|cases| cases.len()).unwrap_err();
        assert!(error.contains(words), "{error}");
    }
}

#[test]
fn claims_that_do_not_hold_are_errors() {
    for (claims, words) in [
        ("! no", "exit code 0, not 2"),
        ("code 1", "exit code 0, not 1"),
        ("= 13a\n= char", "- char"),
        ("> no such tokenizer", "line 3: > no such tokenizer"),
        ("out lines 1", "found: "),
        ("out lacks 13a", "found: "),
        ("out sings", "unknown verb `sings`"),
        ("sound has a", "unknown subject `sound`"),
        ("file:a same out", "No such file"),
        ("/name is 1", "no JSON"),
        ("out like other", "no run is `other`"),
    ] {
        let cases = read::cases("x.case", &format!("== one\n$ list tokenizers\n{claims}\n")).unwrap();
        let error = run_case(&cases[0]).unwrap_err();
        assert!(error.contains(words), "{claims}: {error}");
    }
}

fn run_case(case: &Case) -> Result<(), String> {
    let folder = bleuprint_testkit::Folder::new();
    let mut labelled = BTreeMap::new();
    for step in &case.steps {
        let bytes = |name: &str| {
            let path = folder.path(name.replace("$ROOT", ROOT));
            std::fs::read(path).map_err(|error| format!("the file {name}: {error}"))
        };
        match step {
            Step::File { name, content } => write(&folder.path(name), content),
            Step::Changed { name, from, changes, seal: false, times: 0 } if changes.is_empty() => {
                write(&folder.path(name), &bytes(from)?);
            }
            Step::Changed { name, from, changes, seal, times } => {
                let mut text = String::from_utf8(bytes(from)?).map_err(|error| error.to_string())?;
                for (old, new) in changes {
                    if !text.contains(old) {
                        return Err(format!("`{old}` is not in {from}: {text}"));
                    }
                    text = text.replace(old, new);
                }
                if *times > 0 {
                    text = read::numbered(&text, *times);
                }
                write(&folder.path(name), if *seal { sealed(&text) } else { text }.as_bytes());
            }
            Step::Remove(name) => std::fs::remove_file(folder.path(name)).unwrap(),
            #[cfg(unix)]
            Step::Link { name, to, hard: false } => {
                std::os::unix::fs::symlink(to, folder.path(name)).unwrap()
            }
            Step::Link { name, to, .. } => std::fs::hard_link(folder.path(to), folder.path(name)).unwrap(),
            Step::Run(run) => {
                for (command, chosen) in run.commands() {
                    let at = |error| format!("line {}: $ {command}\n{error}", run.line);
                    let seen = execute(run, &command, &folder).map_err(at)?;
                    // A run may compare its own values.
                    labelled.insert(run.label.clone(), seen);
                    labelled[&run.label].check(&run.expected, &chosen, &labelled).map_err(at)?;
                }
            }
        }
    }
    Ok(())
}

fn write(path: &Path, content: &[u8]) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, content).unwrap();
}

fn execute(run: &Run, command: &str, folder: &bleuprint_testkit::Folder) -> Result<Seen, String> {
    let here = folder.path("");
    let command = command.replace("$HERE", &here.display().to_string()).replace("$ROOT", ROOT);
    let words = read::words(&command)?;
    let is_variable = |word: &&String| {
        word.split_once('=').is_some_and(|(name, _)| name.chars().all(|c| c.is_ascii_uppercase() || c == '_'))
    };
    let variables = words.iter().take_while(is_variable).count();
    let pairs = words[..variables].iter().filter_map(|word| word.split_once('='));
    let mut child = start(&words[variables..].iter().map(String::as_str).collect::<Vec<_>>());
    child.current_dir(&here).env_remove("GITHUB_STEP_SUMMARY").envs(pairs);
    let before = check::files(&here);
    let output = crate::common::finish(child, &run.stdin);
    Ok(Seen { output, before, folder: here })
}
