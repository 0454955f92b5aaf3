//! `bleuprint explain`: the BLEU that every dialect and every main choice gives for the same data.

use std::io::Write;

use bleuprint::explain::{Explainer, Explanation, TOKENIZERS};
use bleuprint::report;
use clap::ArgMatches;
use serde_json::{Value, json};

use crate::Failure;
use crate::input::{Row, Streams};
use crate::request::StreamsRequest;

/// A number in percent, and how many decimals were written.
fn target(matches: &ArgMatches) -> Result<Option<(f64, usize)>, Failure> {
    let Some(text) = matches.get_one::<String>("target") else { return Ok(None) };
    let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
    let number = number
        .ok_or_else(|| Failure::Message(format!("--target is `{text}`, but must be a number in percent")))?;
    let decimals = text
        .split_once('.')
        .map_or(0, |(_, decimals)| decimals.bytes().take_while(u8::is_ascii_digit).count());
    Ok(Some((number, decimals)))
}

pub(crate) fn run(matches: &ArgMatches, out: &mut impl Write) -> Result<(), Failure> {
    let target = target(matches)?;
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
    let most = matches.get_one::<u64>("most").map(|most| *most as usize);
    let mut fitting = None;
    let target_number = target.map(|(number, _)| number);
    let rows: Vec<Explanation> = match target {
        // With a number in hand every combination is a candidate; without one, what each single choice does.
        Some((target, decimals)) => {
            let (fits, rows) = Explainer::ranked(all, target, decimals);
            fitting = Some(fits);
            rows.into_iter().take(most.unwrap_or(20)).collect()
        }
        None => {
            let single = all.into_iter().filter(|row| row.choices.changes().len() <= 1);
            single.take(most.unwrap_or(usize::MAX)).collect()
        }
    };
    match matches.get_one::<String>("format").map(String::as_str) {
        Some("json") => {
            let rows: Vec<Value> = rows.iter().map(|row| object(row, default, target_number)).collect();
            writeln!(out, "{}", report::pretty(&Value::Array(rows)))?;
        }
        _ => {
            if fitting == Some(0) {
                writeln!(
                    out,
                    "nothing fits: no setting that is tried gives this number. Other causes: the mean of sentence or batch \
                     scores, other references, hypotheses and references swapped, text tokenized before, a line missing, \
                     or a number from 0 to 1. The nearest:"
                )?;
            } else if let Some(fits) = fitting {
                writeln!(
                    out,
                    "{fits} settings round to this number, the most usual first; then the nearest others:"
                )?;
            }
            writeln!(
                out,
                "{:>8}  {:>7}  settings",
                "score",
                if target.is_some() { "off by" } else { "change" }
            )?;
            for row in &rows {
                writeln!(out, "{}", line(row, target_number.unwrap_or(default)))?;
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
