//! `bleuprint explain`: the BLEU that every dialect and every main choice gives for the same data.

use std::io::Write;

use bleuprint::explain::{Explainer, Explanation, TOKENIZERS};
use bleuprint::report;
use clap::ArgMatches;
use serde_json::{Value, json};

use crate::Failure;
use crate::input::{Row, Streams};
use crate::request::StreamsRequest;

pub(crate) fn run(matches: &ArgMatches, out: &mut impl Write) -> Result<(), Failure> {
    let tokenizers: Vec<&str> = match matches.get_many::<String>("tokenizers") {
        Some(names) => names.map(String::as_str).collect(),
        None => TOKENIZERS.to_vec(),
    };
    let mut explainer = Explainer::new(&tokenizers)?;
    let system = matches.get_one::<String>("input").map(|file| vec![file.clone()]);
    let mut streams = Streams::open(&StreamsRequest::new(matches, system))?;
    let mut row = Row::default();
    while streams.next(&mut row)? {
        let [hypothesis] = &row.hypotheses[..] else {
            let message = format!("explain takes one system, but {} were given", row.hypotheses.len());
            return Err(Failure::Message(message));
        };
        let references: Vec<&str> = row.references.iter().map(String::as_str).collect();
        explainer.push(hypothesis, &references).map_err(|error| error.at(streams.location()))?;
    }
    let all = explainer.explain()?;
    let default = all.first().and_then(|first| first.percent.clone().ok()).unwrap_or(0.0);
    let target = matches.get_one::<f64>("target").copied();
    let most = matches.get_one::<u64>("most").map(|most| *most as usize);
    let rows: Vec<Explanation> = match target {
        // With a number in hand every combination is a candidate; without one, what each single choice does.
        Some(target) => Explainer::nearest(all, target).into_iter().take(most.unwrap_or(20)).collect(),
        None => {
            let single = all.into_iter().filter(|row| row.choices.changes().len() <= 1);
            single.take(most.unwrap_or(usize::MAX)).collect()
        }
    };
    match matches.get_one::<String>("format").map(String::as_str) {
        Some("json") => {
            let rows: Vec<Value> = rows.iter().map(|row| object(row, default, target)).collect();
            writeln!(out, "{}", report::pretty(&Value::Array(rows)))?;
        }
        _ => {
            writeln!(
                out,
                "{:>8}  {:>7}  settings",
                "score",
                if target.is_some() { "off by" } else { "change" }
            )?;
            for row in &rows {
                writeln!(out, "{}", line(row, target.unwrap_or(default)))?;
            }
        }
    }
    Ok(())
}

/// The score in percent, its difference from the default or the target, and what makes it.
fn line(row: &Explanation, from: f64) -> String {
    let changes = row.choices.changes();
    let settings = if changes.is_empty() { "default".to_owned() } else { changes.join(" ") };
    match &row.percent {
        Ok(percent) => format!("{percent:8.2}  {:+7.2}  {settings}", percent - from),
        Err(error) => format!("{:>8}  {:>7}  {settings}  ({error})", "-", ""),
    }
}

/// The same as data, unrounded, with the number on the program's own scale and its signature.
fn object(row: &Explanation, default: f64, target: Option<f64>) -> Value {
    let mut object = json!({
        "settings": row.choices.changes(),
        "tokenize": row.choices.tokenizer,
        "case": row.choices.case.as_str(),
        "order": row.choices.order,
    });
    match (&row.percent, &row.scored) {
        (Ok(percent), Some(scored)) => {
            object["percent"] = json!(percent);
            object["score"] = json!(scored.score.value);
            object["signature"] = json!(scored.signature.body());
            object["change"] = json!(percent - default);
            if let Some(target) = target {
                object["off_by"] = json!(percent - target);
            }
        }
        (Err(error), _) => object["error"] = json!(error.to_string()),
        _ => {}
    }
    object
}
