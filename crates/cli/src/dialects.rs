//! BLEU's dialects from the shell: their catalogue, and `score --dialect`.

use std::io::Write;

use bleuprint::report;
use bleuprint::{
    Accumulator, AnyScore, Bleu, BleuStats, ConfigError, Dialect, Observed, Scored, Smoothing, Tokenized,
    Tokenizer,
};
use clap::ArgMatches;
use serde_json::{Value, json};

use crate::input::{Row, Streams};
use crate::score::{Output, SystemScores};
use crate::{Failure, panel};

/// `bleuprint dialects`: what there is, with the program and how near we come.
pub(crate) fn catalogue(matches: &ArgMatches, out: &mut impl Write) -> Result<(), Failure> {
    if matches.get_one::<String>("format").is_some_and(|format| format == "json") {
        let object = |dialect: &Dialect| {
            json!({
                "name": dialect.name,
                "aliases": dialect.aliases,
                "program": dialect.program,
                "version": dialect.version,
                "summary": dialect.summary,
                "differences": dialect.differences,
                "agreement": dialect.agreement.to_string(),
                "max": dialect.scale.max,
                "ref_len": dialect.ref_len.name(),
            })
        };
        writeln!(out, "{}", report::pretty(&Value::Array(Dialect::all().iter().map(object).collect())))?;
        return Ok(());
    }
    for dialect in Dialect::all() {
        let program = format!("{} {}", dialect.program, dialect.version);
        writeln!(out, "{:<26} {} [{program}; {}]", dialect.name, dialect.summary, dialect.agreement)?;
    }
    Ok(())
}

/// Options of BLEU that a dialect decides itself.
const DECIDED: &[&str] = &["smooth-method", "smooth-value", "ref-len"];

/// BLEU over text, and the dialect that finishes it.
pub(crate) struct DialectScorer {
    bleu: Tokenized<Bleu, Box<dyn Tokenizer>>,
    /// What finishes: the highest order that was asked for, and its weights.
    finisher: Bleu,
    dialect: &'static Dialect,
}

impl DialectScorer {
    /// The scorer of `--dialect`, if that was given.
    pub(crate) fn from_options(matches: &ArgMatches) -> Result<Option<Self>, ConfigError> {
        let Some(name) = matches.get_one::<String>("dialect") else { return Ok(None) };
        let dialect = Dialect::by_name(name)?;
        let metrics: Vec<&String> = matches.get_many("metrics").into_iter().flatten().collect();
        if metrics.iter().any(|metric| metric.to_lowercase() != "bleu") {
            return Err(ConfigError::Conflict(
                "--dialect is a way of finishing bleu, and of no other metric".to_owned(),
            ));
        }
        let given = |name: &&&str| matches.value_source(name) == Some(clap::parser::ValueSource::CommandLine);
        if let Some(decided) = DECIDED.iter().chain(&["effective-order"]).find(given) {
            return Err(ConfigError::Conflict(format!("--{decided} is decided by the dialect `{name}`")));
        }
        let options = crate::args::bleu_options(matches);
        let mut builder = Bleu::builder().smoothing(Smoothing::None);
        if let Some(order) = options.parse("max-order", "a whole number")? {
            builder = builder.max_order(order);
        }
        if let Some(weights) = options.parse_list("weights")? {
            builder = builder.weights(weights);
        }
        if let Some(summation) = options.get("summation") {
            builder = builder.summation(bleuprint::Summation::by_name(summation)?);
        }
        let finisher = builder.build()?;
        let observed = Bleu::builder().max_order(dialect.order_to_observe(finisher.max_order())).build()?;
        let bleu = Tokenized::new(observed, panel::chosen_tokenizer(matches)?, panel::case(matches))?;
        Ok(Some(DialectScorer { bleu, finisher, dialect }))
    }

    fn score(&self, observed: &Observed<BleuStats>) -> Result<Scored<AnyScore>, Failure> {
        let scored = self.finisher.finalize_with(self.dialect, observed);
        let Scored { score, signature } = scored.map_err(|error| Failure::Message(error.to_string()))?;
        let score = AnyScore::new(signature.metric(), &score);
        Ok(Scored { score, signature: signature.over(self.bleu.token_space()) })
    }

    /// Scores every system, or every segment as its lines are read.
    pub(crate) fn run(
        &self,
        mut streams: Streams,
        sentence_level: bool,
        output: &Output,
        out: &mut impl Write,
    ) -> Result<Vec<SystemScores>, Failure> {
        let mut systems: Vec<Accumulator<_, str>> = Vec::new();
        let mut number = 0;
        let mut row = Row::default();
        while streams.next(&mut row)? {
            systems.resize_with(row.hypotheses.len(), || Accumulator::new(&self.bleu));
            let references: Vec<&str> = row.references.iter().map(String::as_str).collect();
            number += 1;
            for (system, hypothesis) in systems.iter_mut().zip(&row.hypotheses) {
                let segment = system.push(hypothesis, &references)?;
                if sentence_level {
                    crate::score::write_scored(&self.score(&segment)?, number, None, output, out)?;
                }
            }
        }
        if systems.is_empty() {
            return Err(crate::score::empty_corpus().into());
        }
        if sentence_level {
            return Ok(Vec::new());
        }
        let names = streams.system_names(systems.len());
        names
            .into_iter()
            .zip(&systems)
            .map(|(name, system)| Ok((name, vec![self.score(system.total())?])))
            .collect()
    }
}
