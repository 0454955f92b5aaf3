//! `bleuprint score`: one number per system and metric, or one per segment, with parts and signature.

use std::io::Write;

use bleuprint::eval::{Panel, PanelStats, TextSegment};
use bleuprint::report::{self, LineStyle};
use bleuprint::text::read::Segment;
use bleuprint::{AnyScore, InputError, InputErrorKind, Location, Registry, Scored};
use clap::ArgMatches;

use crate::dialects::DialectScorer;
use crate::input::{Records, Row, Streams};
use crate::warn::Warnings;
use crate::{Failure, panel};

/// How many segments are held at a time.
const BATCH: usize = 4096;

/// How the output looks.
pub(crate) struct Output {
    json: bool,
    score_only: bool,
    style: LineStyle,
}

/// A system's name and its scores.
pub(crate) type SystemScores = (String, Vec<Scored<AnyScore>>);

pub(crate) fn run(registry: &Registry, matches: &ArgMatches, out: &mut impl Write) -> Result<(), Failure> {
    let sentence_level = matches.get_flag("sentence-level");
    let panel = panel::panel(registry, matches, sentence_level)?;
    let output = output(matches, sentence_level);
    let mut warnings = Warnings::new(matches)?;
    if let Some(file) = matches.get_one::<String>("segments") {
        let records = Records::open(file, &crate::args::id_filter(matches))?;
        let ids = panel::tokenizer_name(matches)? == "ids";
        return match sentence_level {
            true => write_record_scores(&panel, records, ids, &output, out),
            false => write_systems(&score_records(&panel, records, ids)?, &output, out),
        };
    }
    let num_refs = matches.get_one::<u64>("num-refs").copied().unwrap_or(1);
    let references: Vec<&String> = matches.get_many("references").into_iter().flatten().collect();
    let systems = matches.get_many("input").map(Iterator::collect);
    let streams = Streams::open(systems, &references, usize::try_from(num_refs).unwrap_or(usize::MAX))?;
    if let Some(dialect) = DialectScorer::from_options(matches)? {
        let systems = dialect.run(streams, sentence_level, &output, out)?;
        return if sentence_level { Ok(()) } else { write_systems(&systems, &output, out) };
    }
    if sentence_level {
        write_segments(&panel, streams, &mut warnings, &output, out)?;
    } else {
        let threads = matches.get_one::<u64>("threads").map_or(0, |threads| *threads as usize);
        write_systems(&score_streams(&panel, streams, threads, &mut warnings)?, &output, out)?;
    }
    warnings.say();
    Ok(())
}

fn output(matches: &ArgMatches, sentence_level: bool) -> Output {
    let from_environment = || std::env::var("SACREBLEU_FORMAT").ok().map(|format| format.to_lowercase());
    let known = |format: &String| format == "json" || format == "text";
    let format = matches.get_one::<String>("format").cloned().or_else(|| from_environment().filter(known));
    let width = matches.get_one::<u64>("width").copied().unwrap_or(1) as usize;
    Output {
        json: format.map_or(!sentence_level, |format| format == "json"),
        score_only: matches.get_flag("score-only"),
        style: LineStyle { width, short: matches.get_flag("short") },
    }
}

pub(crate) fn empty_corpus() -> InputError {
    InputErrorKind::EmptyCorpus.into()
}

/// Scores every system of parallel streams, a batch at a time.
fn score_streams(
    panel: &Panel,
    mut streams: Streams,
    threads: usize,
    warnings: &mut Warnings,
) -> Result<Vec<SystemScores>, Failure> {
    let mut rows: Vec<Row> = Vec::new();
    let mut workers = Vec::new();
    loop {
        let batch = fill(&mut rows, &mut streams, warnings)?;
        let Some(first) = batch.first() else { break };
        if workers.is_empty() {
            let available = || std::thread::available_parallelism().map_or(1, usize::from);
            workers = panel.workers(if threads == 0 { available() } else { threads }, first.hypotheses.len());
        }
        let segments: Vec<TextSegment<'_>> = batch.iter().map(text_segment).collect();
        let first = streams.read() - segments.len() as u64 + 1;
        panel
            .observe_batch(&mut workers, &segments)
            .map_err(|(index, error)| error.at(Location::segment(first + index as u64)))?;
    }
    let stats = panel.gather(&workers)?;
    if stats.is_empty() {
        return Err(empty_corpus().into());
    }
    let names = streams.system_names(stats.len());
    names.into_iter().zip(&stats).map(|(name, stats)| Ok((name, panel.scores(stats)?))).collect()
}

/// Reads the next batch into rows that are used again and again; it is empty at the end.
fn fill<'r>(
    rows: &'r mut Vec<Row>,
    streams: &mut Streams,
    warnings: &mut Warnings,
) -> Result<&'r [Row], InputError> {
    for filled in 0..BATCH {
        if filled == rows.len() {
            rows.push(Row::default());
        }
        if !streams.next(&mut rows[filled])? {
            return Ok(&rows[..filled]);
        }
        warnings.look_at(&rows[filled]);
    }
    Ok(rows)
}

fn text_segment(row: &Row) -> TextSegment<'_> {
    TextSegment {
        hypotheses: row.hypotheses.iter().map(String::as_str).collect(),
        references: row.references.iter().map(String::as_str).collect(),
    }
}

/// Scores every system of a file of records, in the order in which they first occur.
fn score_records(panel: &Panel, mut records: Records, ids: bool) -> Result<Vec<SystemScores>, Failure> {
    let (mut scratch, mut segment) = (panel.scratch(), Segment::default());
    let mut systems: Vec<(String, PanelStats)> = Vec::new();
    while records.next(&mut segment)? {
        let name = records.system(&segment);
        let index = match systems.iter().position(|(known, _)| known == name) {
            Some(index) => index,
            None => {
                systems.push((name.to_owned(), panel.zero()));
                systems.len() - 1
            }
        };
        let stats = std::slice::from_mut(&mut systems[index].1);
        observe_record(panel, &mut scratch, stats, &segment, ids)
            .map_err(|error| error.at(records.location()))?;
    }
    if systems.is_empty() {
        return Err(empty_corpus().into());
    }
    systems.into_iter().map(|(name, stats)| Ok((name, panel.scores(&stats)?))).collect()
}

fn observe_record(
    panel: &Panel,
    scratch: &mut bleuprint::eval::PanelScratch,
    stats: &mut [PanelStats],
    segment: &Segment,
    ids: bool,
) -> Result<(), InputError> {
    if ids {
        let hypothesis = segment.hypothesis_ids.as_deref();
        let hypothesis =
            hypothesis.ok_or_else(|| InputError::malformed("the segment has no `hypothesis_ids`"))?;
        let references: Vec<&[u32]> = segment.present_reference_ids().collect();
        return panel.observe_ids(scratch, stats, &[hypothesis], &references);
    }
    let missing = || InputError::malformed("the segment has ids but no text; score ids with --tokenize ids");
    let hypothesis = segment.hypothesis.as_deref().ok_or_else(missing)?;
    let references: Vec<&str> = segment.present_references().collect();
    panel.observe(scratch, stats, &[hypothesis], &references)
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
                let object = |scored: &Scored<AnyScore>| report::pretty(&report::json(scored));
                writeln!(out, "[\n{}\n]", scores.iter().map(object).collect::<Vec<_>>().join(",\n"))?;
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

/// One line per segment and metric of parallel streams, written as they are read.
fn write_segments(
    panel: &Panel,
    mut streams: Streams,
    warnings: &mut Warnings,
    output: &Output,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let (mut scratch, mut number, mut row) = (panel.scratch(), 0, Row::default());
    while streams.next(&mut row)? {
        warnings.look_at(&row);
        if row.hypotheses.len() != 1 {
            let message =
                format!("--sentence-level takes one system, but {} were given", row.hypotheses.len());
            return Err(Failure::Message(message));
        }
        let (mut stats, segment) = ([panel.zero()], text_segment(&row));
        panel
            .observe(&mut scratch, &mut stats, &segment.hypotheses, &segment.references)
            .map_err(|error| error.at(streams.location()))?;
        number += 1;
        write_segment(panel, &stats[0], number, None, output, out)?;
    }
    if number == 0 { Err(empty_corpus().into()) } else { Ok(()) }
}

/// One line per record and metric.
fn write_record_scores(
    panel: &Panel,
    mut records: Records,
    ids: bool,
    output: &Output,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let (mut scratch, mut number, mut segment) = (panel.scratch(), 0, Segment::default());
    while records.next(&mut segment)? {
        let mut stats = [panel.zero()];
        observe_record(panel, &mut scratch, &mut stats, &segment, ids)
            .map_err(|error| error.at(records.location()))?;
        number += 1;
        write_segment(panel, &stats[0], number, Some(&segment), output, out)?;
    }
    if number == 0 { Err(empty_corpus().into()) } else { Ok(()) }
}

fn write_segment(
    panel: &Panel,
    stats: &PanelStats,
    number: usize,
    record: Option<&Segment>,
    output: &Output,
    out: &mut impl Write,
) -> Result<(), Failure> {
    panel.scores(stats)?.iter().try_for_each(|scored| write_scored(scored, number, record, output, out))
}

/// One score of one segment.
pub(crate) fn write_scored(
    scored: &Scored<AnyScore>,
    number: usize,
    record: Option<&Segment>,
    output: &Output,
    out: &mut impl Write,
) -> Result<(), Failure> {
    match output {
        Output { score_only: true, style, .. } => {
            writeln!(out, "{}", report::score_only(&scored.score, *style))?
        }
        Output { json: true, .. } => {
            let mut object = report::json(scored);
            object["segment"] = number.into();
            for (key, value) in record.into_iter().flat_map(labels) {
                object[key] = value.into();
            }
            writeln!(out, "{object}")?;
        }
        Output { style, .. } => writeln!(out, "{}", report::line(scored, *style))?,
    }
    Ok(())
}

/// What a record says of itself.
fn labels(record: &Segment) -> impl Iterator<Item = (&'static str, &str)> {
    let labels = [
        ("id", &record.id),
        ("system", &record.system),
        ("document", &record.document),
        ("domain", &record.domain),
    ];
    labels.into_iter().filter_map(|(key, value)| Some((key, value.as_deref()?)))
}
