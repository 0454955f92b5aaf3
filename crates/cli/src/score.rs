//! `bleuprint score`: one number per system and metric, or one per segment, with parts and signature.

use std::io::Write;

use bleuprint::eval::{Encoder, Panel};
use bleuprint::report::{self, LineStyle};
use bleuprint::text::Text;
use bleuprint::{AnyScore, Case, ConfigError, Location, Registry, Scored, TokenizerOptions, tokenizer};
use clap::ArgMatches;

use crate::input::System;
use crate::{Failure, args, input, warn};

/// How the output looks.
struct Output {
    json: bool,
    score_only: bool,
    style: LineStyle,
}

pub(crate) fn run(registry: &Registry, matches: &ArgMatches, out: &mut impl Write) -> Result<(), Failure> {
    let sentence_level = matches.get_flag("sentence-level");
    let panel = panel(registry, matches, sentence_level)?;
    let num_refs = matches.get_one::<u64>("num-refs").copied().unwrap_or(1);
    let reference_files: Vec<&String> = matches.get_many("references").into_iter().flatten().collect();
    let references = input::references(&reference_files, usize::try_from(num_refs).unwrap_or(usize::MAX))?;
    let systems = input::systems(matches.get_many("input").map(Iterator::collect))?;
    input::require_parallel(&systems, &references)?;
    if !matches.get_flag("quiet") && !matches.get_flag("force") {
        systems.iter().for_each(|system| warn::tokenized_periods(&system.hypotheses));
    }
    let output = output(matches, sentence_level);
    if sentence_level {
        write_segments(&panel, &systems, &references, &output, out)
    } else {
        let scores = score_systems(&panel, &systems, &references)?;
        write_systems(&scores, &output, out)
    }
}

fn output(matches: &ArgMatches, sentence_level: bool) -> Output {
    let format = matches.get_one::<String>("format").cloned();
    let from_environment = || std::env::var("SACREBLEU_FORMAT").ok().map(|format| format.to_lowercase());
    let known = |format: &String| format == "json" || format == "text";
    let width = matches.get_one::<u64>("width").copied().unwrap_or(1);
    let format = format.or_else(|| from_environment().filter(known));
    Output {
        json: format.map_or(!sentence_level, |format| format == "json"),
        score_only: matches.get_flag("score-only"),
        style: LineStyle { width: width as usize, short: matches.get_flag("short") },
    }
}

/// The metrics and the encoder that were asked for.
fn panel(registry: &Registry, matches: &ArgMatches, sentence_level: bool) -> Result<Panel, ConfigError> {
    let mut chosen: Vec<&'static str> = Vec::new();
    for name in matches.get_many::<String>("metrics").into_iter().flatten() {
        let entry = registry.get(name)?;
        if !chosen.contains(&entry.name) {
            chosen.push(entry.name);
        }
    }
    args::refuse_foreign_options(registry, matches, &chosen)?;
    let build = |name: &&'static str| {
        let entry = registry.get(name)?;
        entry.build(&args::metric_options(matches, entry.options, sentence_level))
    };
    let metrics = chosen.iter().map(build).collect::<Result<_, _>>()?;
    Ok(Panel::new(metrics, encoder(matches)?))
}

/// How text becomes tokens: by `--tokenize`, else by the target language, else 13a.
pub(crate) fn encoder(matches: &ArgMatches) -> Result<Encoder<Box<dyn bleuprint::Tokenizer>>, ConfigError> {
    let by_language = match matches.get_one::<String>("language-pair") {
        Some(pair) => bleuprint::text::tokenizer_for_pair(pair)?,
        None => "13a",
    };
    let name = matches.get_one::<String>("tokenize").map_or(by_language, String::as_str);
    let case = if matches.get_flag("lowercase") { Case::Lower } else { Case::Mixed };
    Encoder::new(tokenizer(name, &tokenizer_options(matches))?, case)
}

pub(crate) fn tokenizer_options(matches: &ArgMatches) -> TokenizerOptions {
    TokenizerOptions {
        model: matches.get_one("tokenizer-model").cloned(),
        dictionary: matches.get_one("dictionary").cloned(),
        ..TokenizerOptions::default()
    }
}

type SystemScores = (String, Vec<Scored<AnyScore>>);

fn score_systems(
    panel: &Panel,
    systems: &[System],
    references: &[Text],
) -> Result<Vec<SystemScores>, Failure> {
    let mut scratch = panel.scratch();
    let mut stats = vec![panel.zero(); systems.len()];
    for segment in 0..systems.first().map_or(0, |system| system.hypotheses.len()) {
        let hypotheses: Vec<&str> = systems.iter().map(|system| system.hypotheses.line(segment)).collect();
        let references: Vec<&str> = references.iter().map(|stream| stream.line(segment)).collect();
        panel
            .observe(&mut scratch, &mut stats, &hypotheses, &references)
            .map_err(|error| error.at(Location::segment(segment as u64 + 1)))?;
    }
    let score = |(system, stats): (&System, _)| Ok((system.name.clone(), panel.scores(stats)?));
    systems.iter().zip(&stats).map(score).collect()
}

fn write_systems(systems: &[SystemScores], output: &Output, out: &mut impl Write) -> Result<(), Failure> {
    match systems {
        [(_, scores)] if output.score_only => {
            for scored in scores {
                writeln!(out, "{}", report::score_only(&scored.score, output.style))?;
            }
        }
        [(_, scores)] if !output.json => {
            for line in aligned(scores.iter().map(|scored| report::line(scored, output.style)).collect()) {
                writeln!(out, "{line}")?;
            }
        }
        [(_, scores)] => match &scores[..] {
            [scored] => writeln!(out, "{}", report::pretty(&report::json(scored)))?,
            _ => {
                let objects: Vec<String> =
                    scores.iter().map(|scored| report::pretty(&report::json(scored))).collect();
                writeln!(out, "[\n{}\n]", objects.join(",\n"))?;
            }
        },
        _ if output.json => writeln!(out, "{}", report::pretty(&report::json_systems(systems)))?,
        _ => writeln!(out, "{}", report::table(systems, output.style))?,
    }
    Ok(())
}

/// Pads lines on the left so that their ` = ` stand below each other, as sacreBLEU does for several metrics.
fn aligned(lines: Vec<String>) -> Vec<String> {
    let head = |line: &String| line.find(" = ").map_or(0, |at| line[..at].chars().count());
    let widest = lines.iter().map(head).max().unwrap_or(0);
    lines.into_iter().map(|line| format!("{:pad$}{line}", "", pad = widest - head(&line))).collect()
}

/// One line per segment: of text, or of JSON with every metric and system.
fn write_segments(
    panel: &Panel,
    systems: &[System],
    references: &[Text],
    output: &Output,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let [system] = systems else {
        let message = format!("--sentence-level takes one system, but {} were given", systems.len());
        return Err(Failure::Message(message));
    };
    let mut scratch = panel.scratch();
    for segment in 0..system.hypotheses.len() {
        let mut stats = [panel.zero()];
        let references: Vec<&str> = references.iter().map(|stream| stream.line(segment)).collect();
        panel
            .observe(&mut scratch, &mut stats, &[system.hypotheses.line(segment)], &references)
            .map_err(|error| error.at(Location::segment(segment as u64 + 1)))?;
        for scored in panel.scores(&stats[0])? {
            match output {
                Output { score_only: true, style, .. } => {
                    writeln!(out, "{}", report::score_only(&scored.score, *style))?;
                }
                Output { json: true, .. } => {
                    let mut object = report::json(&scored);
                    object["segment"] = (segment + 1).into();
                    writeln!(out, "{object}")?;
                }
                Output { style, .. } => writeln!(out, "{}", report::line(&scored, *style))?,
            }
        }
    }
    Ok(())
}
