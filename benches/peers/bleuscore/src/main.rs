//! Engine of the crate bleuscore: `peer-bleuscore TASK FOLDER ROUNDS` does a task and prints one JSON
//! object.
//!
//! The crate caches the tokens of every line, so only the first round on a text shows the cost of a score.
//! The program therefore rejects more than one round, and its unmeasured warm-up call uses another text.

use std::fs::read_to_string;

use bleuscore::tokenizer::{Tokenizer, Tokenizer13a};
use bleuscore::{RefLenMethod, compute_score};
use serde_json::{Value, json};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let answer = match arguments[..] {
        ["corpus-files", folder, "1"] => corpus_files(folder),
        ["tokenize", folder, "1"] => tokenize(folder),
        _ => Err("usage: peer-bleuscore corpus-files|tokenize FOLDER 1".into()),
    };
    match answer {
        Ok(answer) => println!("{answer}"),
        Err(message) => {
            eprintln!("error: {message}");
            std::process::exit(1);
        }
    }
}

type Answer = Result<Value, Box<dyn std::error::Error>>;

/// Reads the hypotheses, and the references of each segment, in the form that the crate takes.
fn read(folder: &str) -> std::io::Result<(Vec<String>, Vec<Vec<String>>)> {
    let lines = |text: String| -> Vec<String> { text.lines().map(|line| line.trim_end().to_owned()).collect() };
    let hypotheses = lines(read_to_string(format!("{folder}/hyp"))?);
    let mut references = vec![Vec::new(); hypotheses.len()];
    for stream in 0.. {
        let Ok(text) = read_to_string(format!("{folder}/ref{stream}")) else { break };
        references.iter_mut().zip(lines(text)).for_each(|(references, line)| references.push(line));
    }
    Ok((hypotheses, references))
}

fn score(hypotheses: &[String], references: &[Vec<String>]) -> bleuscore::bleu::BleuScore {
    compute_score(references, hypotheses, 4, false, RefLenMethod::Closest)
}

fn corpus_files(folder: &str) -> Answer {
    score(&["Once, 1.5-2 & so on.".to_owned()], &[vec!["Twice.".to_owned()]]);
    let start = cpu_seconds();
    let (hypotheses, references) = read(folder)?;
    let score = score(&hypotheses, &references);
    let seconds = cpu_seconds() - start;
    let result = json!({
        "score": score.bleu * 100.0,
        "precisions": score.precisions,
        "sys_len": score.translation_length,
        "ref_len": score.reference_length,
    });
    Ok(json!({ "version": "0.2.0", "seconds": [seconds], "result": result }))
}

fn tokenize(folder: &str) -> Answer {
    let (hypotheses, references) = read(folder)?;
    let streams = references.first().map_or(0, Vec::len);
    let tokenizer = Tokenizer13a::new();
    tokenizer.tokenize("Once, 1.5-2 & so on.");
    let texts = hypotheses
        .iter()
        .chain((0..streams).flat_map(|stream| references.iter().map(move |references| &references[stream])));
    let start = cpu_seconds();
    let lines: Vec<Vec<String>> = texts.map(|line| tokenizer.tokenize(line)).collect();
    let seconds = cpu_seconds() - start;
    let lines: Vec<String> = lines.iter().map(|tokens| tokens.join(" ")).collect();
    Ok(json!({ "version": "0.2.0", "seconds": [seconds], "result": { "lines": lines } }))
}

/// Returns the processor time of this process in seconds, which excludes other work on the machine.
fn cpu_seconds() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}
