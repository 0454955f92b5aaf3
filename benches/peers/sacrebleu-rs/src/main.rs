//! Engine of the crate sacrebleu-rs: `peer-sacrebleu-rs TASK FOLDER ROUNDS` does a task and prints one JSON
//! object. The crate takes lists of tokens as strings joined by spaces, with the tokenizer `none`.

use std::fs::read_to_string;

use sacrebleu_rs::{Bleu, tokenize_13a};
use serde_json::{Value, json};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let answer = match arguments[..] {
        [task, folder, rounds] => run(task, folder, rounds),
        _ => Err("usage: peer-sacrebleu-rs TASK FOLDER ROUNDS".into()),
    };
    match answer {
        Ok(answer) => println!("{answer}"),
        Err(message) => {
            eprintln!("error: {message}");
            std::process::exit(1);
        }
    }
}

type Failure = Box<dyn std::error::Error>;

fn read(folder: &str, suffix: &str) -> std::io::Result<(Vec<String>, Vec<Vec<String>>)> {
    let lines = |text: String| -> Vec<String> { text.lines().map(|line| line.trim_end().to_owned()).collect() };
    let mut streams = Vec::new();
    while let Ok(text) = read_to_string(format!("{folder}/ref{}{suffix}", streams.len())) {
        streams.push(lines(text));
    }
    Ok((lines(read_to_string(format!("{folder}/hyp{suffix}"))?), streams))
}

fn bleu(tokenize: &str, effective_order: bool) -> Bleu {
    Bleu {
        lowercase: false,
        smooth_method: "exp".to_owned(),
        smooth_value: None,
        max_ngram_order: 4,
        effective_order,
        tokenize: tokenize.to_owned(),
        spm_model: None,
    }
}

fn run(task: &str, folder: &str, rounds: &str) -> Result<Value, Failure> {
    let (seconds, result) = match task {
        "corpus-files" => timed(rounds, || {
            let (hypotheses, streams) = read(folder, "")?;
            Ok(corpus(&bleu("13a", false), &hypotheses, &streams))
        })?,
        "corpus-tokens" => {
            let (hypotheses, streams) = read(folder, ".tok")?;
            timed(rounds, || Ok(corpus(&bleu("none", false), &hypotheses, &streams)))?
        }
        "sentence-tokens" => {
            let (hypotheses, streams) = read(folder, ".tok")?;
            let references: Vec<Vec<String>> = (0..hypotheses.len())
                .map(|index| streams.iter().map(|stream| stream[index].clone()).collect())
                .collect();
            timed(rounds, || {
                let bleu = bleu("none", true);
                let segments = hypotheses.iter().zip(&references);
                let scores = segments.map(|(hypothesis, own)| bleu.sentence_score(hypothesis, own).score);
                Ok(json!({ "scores": scores.collect::<Vec<f64>>() }))
            })?
        }
        "tokenize" => {
            let (hypotheses, streams) = read(folder, "")?;
            timed(rounds, || {
                let lines = hypotheses.iter().chain(streams.iter().flatten());
                let lines = lines.map(|line| tokenize_13a(line)).collect::<Vec<String>>();
                Ok(json!({ "lines": lines }))
            })?
        }
        _ => return Err(format!("unknown task `{task}`").into()),
    };
    Ok(json!({ "version": "0.1.0", "seconds": seconds, "result": result }))
}

fn corpus(bleu: &Bleu, hypotheses: &[String], streams: &[Vec<String>]) -> Value {
    let score = bleu.corpus_score(hypotheses, streams);
    json!({
        "score": score.score,
        "counts": score.counts,
        "totals": score.totals,
        "sys_len": score.sys_len,
        "ref_len": score.ref_len,
    })
}

/// Runs a task once unmeasured, and then `rounds` times. Returns the seconds of each round, and the result.
fn timed(rounds: &str, mut task: impl FnMut() -> Result<Value, Failure>) -> Result<(Vec<f64>, Value), Failure> {
    let mut result = task()?;
    let mut seconds = Vec::new();
    for _ in 0..rounds.parse()? {
        let start = cpu_seconds();
        result = task()?;
        seconds.push(cpu_seconds() - start);
    }
    Ok((seconds, result))
}

/// Returns the processor time of this process in seconds, which excludes other work on the machine.
fn cpu_seconds() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}
