//! Metrics for a web page: a question and its answer are JSON, with one function for each kind of question.
//!
//! Counts and scores come from the library, and equal the program's bit for bit.

use std::num::NonZeroUsize;

use bleuprint::eval::evaluation::{Evaluation, Run, TextCorpus};
use bleuprint::eval::{ChosenTokens, Request, TokenRequest};
use bleuprint::explain::{Explainer, NumberExplanation, RoundedTarget, TOKENIZERS, Working};
use bleuprint::page::{PageRequest, page_of};
use bleuprint::report::{self, LineStyle};
use bleuprint::text::LineReader;
use bleuprint::{Case, TokenizerOptions, Tokenizers, registry, tokenizer};
use serde::Deserialize;
use serde_json::{Value, json};
use wasm_bindgen::prelude::wasm_bindgen;

type Error = Box<dyn std::error::Error>;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    systems: Vec<NamedText>,
    references: Vec<String>,
    /// Metrics with their options, separated by spaces.
    metrics: String,
    /// Tokenizer of all metrics that name none; empty for each metric's default.
    tokenize: String,
    lowercase: bool,
    /// Number to explain, in percent; empty if there is none.
    target: String,
    /// Number of the segment that is shown step by step, counted from 1.
    segment: Option<NonZeroUsize>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct NamedText {
    name: String,
    text: String,
}

/// Returns every score with its line, and the scores of single segments.
#[wasm_bindgen]
pub fn score(question: &str) -> String {
    answer(question, |question| {
        let run = question.run(false)?;
        // Single sentences have other defaults, such as smoothing, so they are a separate run.
        let alone = question.run(true)?;
        let scores = run.scores()?;
        let systems = run.systems().iter().zip(&scores).map(|(name, scores)| {
            let metrics = scores.iter().map(|scored| {
                let line = report::line(scored, None, LineStyle::default());
                json!({ "name": scored.score.name, "value": scored.score.value, "line": line })
            });
            json!({ "name": name, "metrics": metrics.collect::<Vec<_>>() })
        });
        let segments = (0..run.systems().len()).map(|system| {
            let of = |metric| alone.sentence_scores(metric, system);
            let value = |scored: bleuprint::Result<bleuprint::Scored<bleuprint::AnyScore>>| match scored {
                Ok(scored) => json!(scored.score.value),
                Err(error) => json!(error.to_string()),
            };
            let columns = (0..run.metrics().len()).map(of);
            columns.map(|column| column.into_iter().map(value).collect::<Vec<_>>()).collect::<Vec<_>>()
        });
        Ok(json!({ "systems": systems.collect::<Vec<_>>(), "segments": segments.collect::<Vec<_>>() }))
    })
}

/// Returns the BLEU of the first system under every dialect and every main setting. With a target, the
/// settings that fit it come first.
#[wasm_bindgen]
pub fn explain(question: &str) -> String {
    answer(question, |question| {
        let (hypotheses, references) = question.first()?;
        let mut explainer = Explainer::new(TOKENIZERS)?;
        for (at, hypothesis) in hypotheses.iter().enumerate() {
            let row: Vec<&str> = references.iter().map(|stream| stream[at].as_str()).collect();
            explainer.push(hypothesis, &row)?;
        }
        let all = explainer.explain()?;
        let target = question.target.trim();
        if target.is_empty() {
            // Without a number to explain, all combinations would be too many rows; one change at a time
            // shows the effect of each setting.
            let single = all.iter().filter(|row| row.choices.distance() <= 1);
            return Ok(json!({ "fits": 0, "rows": single.map(row).collect::<Vec<_>>() }));
        }
        let target = RoundedTarget::parse(target).ok_or_else(|| format!("`{target}` is not a number"))?;
        let (groups, others) = NumberExplanation::ranked(all, target);
        let fits: Vec<Value> = groups.iter().flatten().map(row).collect();
        let nearest = others.iter().take(NEAREST).map(row);
        Ok(json!({ "fits": fits.len(), "rows": fits.iter().cloned().chain(nearest).collect::<Vec<_>>() }))
    })
}

const NEAREST: usize = 5;

/// Returns the sentence BLEU of a segment of the first system, step by step.
#[wasm_bindgen]
pub fn working(question: &str) -> String {
    answer(question, |question| {
        let (hypotheses, references) = question.first()?;
        let number = question.segment.ok_or("no segment is named")?.get();
        let hypothesis = hypotheses
            .get(number - 1)
            .ok_or_else(|| format!("segment {number} of {} segments", hypotheses.len()))?;
        let row: Vec<&str> = references.iter().map(|stream| stream[number - 1].as_str()).collect();
        let name = if question.tokenize.is_empty() { TOKENIZERS[0] } else { &question.tokenize };
        let case = question.case();
        let tokens = tokenizer(name, &TokenizerOptions { case, ..TokenizerOptions::default() })?;
        let working = Working::new(tokens, case, hypothesis, &row)?;
        let ngrams = working.orders.iter().map(|order| {
            let listed =
                order.iter().map(|one| json!([one.ngram, one.hypothesis, one.references, one.clipped()]));
            listed.collect::<Vec<_>>()
        });
        Ok(json!({
            "hypothesis": working.hypothesis, "references": working.references,
            "orders": ngrams.collect::<Vec<_>>(), "score": working.scored.score.score, "text": working.to_string(),
        }))
    })
}

/// Returns the report on all systems, as a separate page.
#[wasm_bindgen]
pub fn report(question: &str) -> String {
    answer(question, |question| {
        let page = page_of(&question.run(false)?, &PageRequest::default())?;
        Ok(json!({ "html": report::page::html(&page) }))
    })
}

/// Returns the names that a question may contain.
#[wasm_bindgen]
pub fn names() -> String {
    let registry = registry();
    let metrics: Vec<&str> = registry.entries().iter().map(|entry| &*entry.name).collect();
    let known = Tokenizers::default();
    let tokenizers: Vec<&str> = known.entries().iter().map(|entry| entry.name).collect();
    json!({ "metrics": metrics, "tokenizers": tokenizers, "version": env!("CARGO_PKG_VERSION") }).to_string()
}

impl Question {
    fn case(&self) -> Case {
        if self.lowercase { Case::Lower } else { Case::Mixed }
    }

    /// Counts every segment; with the defaults for single sentences if `alone`.
    fn run(&self, alone: bool) -> Result<Run, Error> {
        let registry = registry();
        let tokens = self.tokens()?;
        let names = self.metrics.split_whitespace().flat_map(|name| registry.expand(name));
        let mut request = Request::new(&registry, names, tokens)?;
        if alone {
            request = request.for_sentences(&registry)?;
        }
        let tokenizer = request.tokens.tokenizer().clone();
        let metrics = request.build(&registry)?;
        let evaluation = Evaluation::new(request.specs, metrics, tokenizer.clone());
        let systems =
            self.systems.iter().map(|system| Ok((system.name.clone(), lines(&system.text, &system.name)?)));
        let mut corpus = TextCorpus::new(systems.collect::<Result<Vec<_>, Error>>()?, self.references()?)?;
        corpus.add_lengths(&tokenizer)?;
        Ok(evaluation.run(corpus)?)
    }

    fn tokens(&self) -> Result<ChosenTokens, Error> {
        let tokenizer = Some(self.tokenize.clone()).filter(|name| !name.is_empty());
        let lowercase = self.lowercase.then_some(true);
        let request = TokenRequest { tokenizer, lowercase, ..TokenRequest::default() };
        Ok(request.choose(&Tokenizers::default())?)
    }

    fn references(&self) -> Result<Vec<Vec<String>>, Error> {
        let numbered = (1..).zip(&self.references);
        numbered.map(|(number, text)| lines(text, &format!("reference {number}"))).collect()
    }

    /// Returns the hypotheses of the first system, and references with the same number of lines.
    fn first(&self) -> Result<(Vec<String>, Vec<Vec<String>>), Error> {
        let system = self.systems.first().ok_or("there is no output")?;
        let hypotheses = lines(&system.text, &system.name)?;
        let references = self.references()?;
        // The same check as for scores, so that the error has the same words.
        TextCorpus::new([(system.name.clone(), hypotheses.clone())], references.clone())?
            .settle_references()?;
        Ok((hypotheses, references))
    }
}

fn lines(text: &str, name: &str) -> Result<Vec<String>, Error> {
    let mut lines = LineReader::new(std::io::Cursor::new(text.to_owned().into_bytes()), name);
    let mut line = String::new();
    let mut all = Vec::new();
    while lines.next(&mut line)? {
        all.push(line.clone());
    }
    Ok(all)
}

fn row(explanation: &NumberExplanation) -> Value {
    let settings = explanation.choices.changes();
    match &explanation.percent {
        Ok(percent) => json!({ "percent": percent, "settings": settings }),
        Err(error) => json!({ "error": error.to_string(), "settings": settings }),
    }
}

/// Returns the answer to a question, or `{"error": ..}`.
fn answer(question: &str, with: impl FnOnce(Question) -> Result<Value, Error>) -> String {
    let question = serde_json::from_str(question).map_err(Error::from);
    question.and_then(with).unwrap_or_else(|error| json!({ "error": error.to_string() })).to_string()
}
