//! The engines: ours and the peers, each a program that speaks the protocol of `benches/src/engine/main.rs`.

use std::path::{Path, PathBuf};
use std::process::Command;

use xtask::{Result, process, venv};

/// The Python peers.
const DRIVER: &str =
    concat!(include_str!("../../../checks/src/parity/programs.py"), include_str!("../../peers/engine.py"));
const REQUIREMENTS: &str = include_str!("../../peers/requirements.txt");

/// An engine and its tasks.
pub(crate) struct Engine {
    /// The printed name.
    pub(crate) name: &'static str,
    /// The start of its command line.
    command: Vec<String>,
    tasks: &'static [&'static str],
    /// It caches tokens, so a second round on the same text would measure the cache.
    pub(crate) one_round: bool,
}

#[rustfmt::skip]
const OURS: &[&str] = &[
    "corpus-files", "corpus-tokens", "sentence-tokens", "tokenize", "chrf", "chrf++", "ter", "wer", "cer",
    "pairs-bleu", "pairs-chrf", "self-bleu", "rouge1", "rouge2", "rougeL", "rouge", "squad-f1", "meteor", "nist", "cider-d",
    "sari", "composition", "paired-bs", "bootstrap", "paired-ar",
];
#[rustfmt::skip]
const SACREBLEU: &[&str] = &[
    "corpus-files", "corpus-tokens", "sentence-tokens", "tokenize", "chrf", "chrf++", "ter", "pairs-bleu", "pairs-chrf",
    "composition", "paired-bs", "paired-ar",
];
const BLEU: &[&str] = &["corpus-files", "corpus-tokens", "sentence-tokens", "tokenize"];
const JIWER: &[&str] = &["wer", "cer"];
const ROUGE: &[&str] = &["rouge1", "rouge2", "rougeL", "rouge"];
const TOKENS_ONLY: &[&str] = &["corpus-tokens", "sentence-tokens"];
const TEXT_ONLY: &[&str] = &["corpus-files", "tokenize"];

/// The engines and the two command lines.
pub(crate) struct Engines {
    /// Ours first.
    pub(crate) engines: Vec<Engine>,
    pub(crate) python: PathBuf,
    /// Our program.
    pub(crate) program: PathBuf,
}

/// Builds and installs everything.
pub(crate) fn build(root: &Path, target: &Path, given: Option<&str>) -> Result<Engines> {
    let python = venv::environment(target, "bench", REQUIREMENTS, venv::PEERS_ALONE, given)?;
    println!("  building our engine and the peers ...");
    let ours = ["--package", "bleuprint-benches", "--bin", "bleuprint-engine", "--package", "bleuprint-cli"];
    cargo(root, target, &[&ours[..], &["--bin", "bleuprint"]].concat())?;
    let peers = target.join("bench").join("peers");
    for peer in ["bleuscore", "sacrebleu-rs"] {
        cargo(&root.join("benches/peers").join(peer), &peers, &["--locked"])?;
    }
    let program = |folder: &Path, name: &str| {
        folder.join("release").join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
    };
    let compiled = |folder: &Path, name: &str| vec![program(folder, name).display().to_string()];
    let scripted = |name: &str| {
        let interpreter = python.display().to_string();
        [&interpreter, "-I", "-X", "utf8", "-c", DRIVER, name].map(str::to_owned).to_vec()
    };
    let engine = |name, command, tasks, one_round| Engine { name, command, tasks, one_round };
    Ok(Engines {
        engines: vec![
            engine("bleuprint", compiled(target, "bleuprint-engine"), OURS, false),
            engine("sacreBLEU", scripted("sacrebleu"), SACREBLEU, false),
            engine("NumPy", scripted("numpy"), &["bootstrap"], false),
            engine("NLTK", scripted("nltk"), TOKENS_ONLY, false),
            engine("NLTK", scripted("nltk-catalogue"), &["meteor", "nist"], false),
            engine("rouge_score", scripted("rouge-score"), ROUGE, false),
            engine("rouge-score-rs", scripted("rouge-score-rs"), ROUGE, false),
            engine("rouge-rust", scripted("rouge-rust"), &["rouge"], false),
            engine("SQuAD's script", scripted("squad"), &["squad-f1"], false),
            engine("pycocoevalcap", scripted("pycocoevalcap"), &["cider-d"], false),
            engine("gem-metrics-fork", scripted("gem-metrics-fork"), &["sari"], false),
            engine("jiwer", scripted("jiwer"), JIWER, false),
            engine("rapidfuzz", scripted("rapidfuzz"), JIWER, false),
            engine("werx", scripted("werx"), &["wer"], false),
            engine("fastChrF", scripted("fastchrf"), &["pairs-chrf"], false),
            engine("fast-bleu", scripted("fast-bleu"), &["self-bleu"], false),
            engine("bleuscore (Python)", scripted("bleuscore"), TEXT_ONLY, true),
            engine("bleuscore (Python), warm", scripted("bleuscore-warm"), TEXT_ONLY, false),
            engine("bleuscore (crate)", compiled(&peers, "peer-bleuscore"), TEXT_ONLY, true),
            engine("sacrebleu-rs (crate)", compiled(&peers, "peer-sacrebleu-rs"), BLEU, false),
        ],
        program: program(target, "bleuprint"),
        python,
    })
}

impl Engine {
    pub(crate) fn can(&self, task: &str) -> bool {
        self.tasks.contains(&task)
    }

    /// The command for a task, in one thread.
    pub(crate) fn command(&self, task: &str, folder: &Path, rounds: usize) -> Command {
        let rounds = if self.one_round { 1 } else { rounds };
        let mut command = Command::new(&self.command[0]);
        command.args(&self.command[1..]).arg(task).arg(folder).arg(rounds.to_string());
        command.env("RAYON_NUM_THREADS", "1");
        command
    }
}

fn cargo(folder: &Path, target: &Path, arguments: &[&str]) -> Result {
    let mut command = process::cargo(folder, &["build", "--release", "--quiet"]);
    process::run(command.args(arguments).env("CARGO_TARGET_DIR", target))
}
