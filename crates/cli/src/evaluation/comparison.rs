//! `bleuprint compare`: who is better, by how much, how surely, and where.

use std::io::Write;

use bleuprint::eval::resample::{Design, Interval, Matrix, Rows};
use bleuprint::eval::{NgramWin, NgramWins, Precision, Significance, contribution_of_group, contributions};
use bleuprint::report::{self, Grid};
use bleuprint::text::TokenBuffer;
use bleuprint::{AnyMetric, Direction, Tokenizer};
use serde_json::{Value, json};

use super::by::{LENGTH, grouped};
use super::corpus::TextCorpus;
use super::counted::Counted;
use crate::Failure;
use crate::request::OutputRequest;

/// What to compare, and how much to list.
pub(crate) struct CompareRequest {
    pub(crate) design: Design,
    /// Labels to group by.
    pub(crate) by: Vec<String>,
    /// How many segments and n-grams to list for each system.
    pub(crate) most: usize,
}

/// What is known beyond the counts, where text was given.
pub(crate) struct Texts<'t> {
    pub(crate) corpus: &'t TextCorpus,
    pub(crate) tokenizer: &'t dyn Tokenizer,
}

/// The orders of n-grams that are looked at.
const MAX_ORDER: usize = 4;

/// One metric over all systems, and for two of them, where the difference comes from.
struct Comparison<'c> {
    metric: &'c dyn AnyMetric,
    matrix: Matrix,
    details: Option<Details>,
}

/// Where the difference of the first two systems comes from, in points of the first minus the second.
struct Details {
    segments: Vec<(usize, f64)>,
    groups: Vec<(String, String, usize, [f64; 2], f64)>,
}

/// Compares, and writes what comes out.
pub(crate) fn run(
    counted: &Counted,
    request: &CompareRequest,
    texts: Option<&Texts<'_>>,
    output: &OutputRequest,
    out: &mut impl Write,
) -> Result<(), Failure> {
    if counted.systems.len() < 2 {
        return Err(Failure::Message("a comparison needs at least two systems: -i A B ..".to_owned()));
    }
    let comparisons = (0..counted.metrics().len())
        .map(|place| compare(counted, request, place))
        .collect::<Result<Vec<_>, _>>()?;
    let ngrams = match (texts, counted.systems.len()) {
        (Some(texts), 2) => Some(ngram_wins(texts)?),
        _ => None,
    };
    let ngrams = ngrams.as_ref();
    if output.json {
        let value = to_json(counted, request, &comparisons, ngrams)?;
        writeln!(out, "{}", report::pretty(&value))?;
        return Ok(());
    }
    write_text(counted, request, &comparisons, ngrams, texts, out)
}

fn compare<'c>(
    counted: &'c Counted,
    request: &CompareRequest,
    place: usize,
) -> Result<Comparison<'c>, Failure> {
    let metric = counted.metrics()[place];
    let tests = Significance::new(metric, Precision::Exact)?;
    let rows = (0..counted.systems.len())
        .map(|system| counted.rows(place, system))
        .collect::<Result<Vec<_>, _>>()?;
    let systems: Vec<&Rows> = rows.iter().collect();
    let higher_is_better = metric.scale().direction == Direction::HigherIsBetter;
    let matrix = tests.compare_all(&systems, Design { higher_is_better, ..request.design })?;
    let details = match &systems[..] {
        [first, second] => Some(details(counted, request, metric, first, second)?),
        _ => None,
    };
    Ok(Comparison { metric, matrix, details })
}

fn details(
    counted: &Counted,
    request: &CompareRequest,
    metric: &dyn AnyMetric,
    first: &Rows,
    second: &Rows,
) -> Result<Details, Failure> {
    let linear = metric.require_linear("be compared")?;
    let finish = |row: &[u64]| linear.score_row(row).unwrap_or(f64::NAN);
    let points = contributions(first, second, &finish)?;
    let mut segments: Vec<(usize, f64)> = points.into_iter().enumerate().collect();
    segments.sort_by(|one, other| other.1.abs().total_cmp(&one.1.abs()));
    let mut groups = Vec::new();
    for by in &request.by {
        for (label, members) in grouped(counted, by)? {
            let score = |rows: &Rows| Ok::<f64, Failure>(finish(&rows.sum_of(members.iter().copied())?));
            let scores = [score(first)?, score(second)?];
            let points = contribution_of_group(first, second, &members, &finish)?;
            groups.push((by.clone(), label, members.len(), scores, points));
        }
    }
    Ok(Details { segments, groups })
}

fn ngram_wins(texts: &Texts<'_>) -> Result<NgramWins, Failure> {
    let mut wins = NgramWins::new(MAX_ORDER);
    let mut buffer = TokenBuffer::default();
    let mut tokens = |text: &String| -> Result<Vec<String>, Failure> {
        Ok(texts.tokenizer.tokenize(text, &mut buffer)?.iter().map(str::to_owned).collect())
    };
    for segment in &texts.corpus.segments {
        let hypotheses = segment.hypotheses.iter().map(&mut tokens).collect::<Result<Vec<_>, _>>()?;
        let references = segment.references.iter().map(&mut tokens).collect::<Result<Vec<_>, _>>()?;
        let references: Vec<Vec<&str>> = references.iter().map(|reference| as_strs(reference)).collect();
        let references: Vec<&[&str]> = references.iter().map(Vec::as_slice).collect();
        if let [first, second] = &hypotheses[..] {
            wins.add(&as_strs(first), &as_strs(second), &references);
        }
    }
    Ok(wins)
}

fn as_strs(tokens: &[String]) -> Vec<&str> {
    tokens.iter().map(String::as_str).collect()
}

/// An n-gram that the systems do not match equally often, and the points that the first would lose if it did.
struct Win {
    ngram: NgramWin,
    points: Option<f64>,
}

/// The n-grams with the largest differences for the first system, then for the second: in points for metrics that count
/// clipped matches by order, else in matches.
fn best_ngrams(
    comparison: &Comparison<'_>,
    counted: &Counted,
    place: usize,
    wins: &NgramWins,
    most: usize,
) -> Result<[Vec<Win>; 2], Failure> {
    let linear = comparison.metric.require_linear("be compared")?;
    let names = linear.column_names();
    let total = counted.rows(place, 0)?.total()?;
    let score = comparison.matrix.scores[0];
    let points = |win: &NgramWin| {
        let wanted = format!("clipped_{}", win.tokens.len());
        let column = names.iter().position(|name| *name == wanted)?;
        let mut row = total.clone();
        row[column] = (row[column] + win.second).checked_sub(win.first)?;
        Some(score - linear.score_row(&row).ok()?)
    };
    let mut all: Vec<Win> =
        wins.differing().into_iter().map(|ngram| Win { points: points(&ngram), ngram }).collect();
    all.sort_by(|one, other| {
        let size = |win: &Win| win.points.map_or(0.0, f64::abs);
        size(other).total_cmp(&size(one))
    });
    let (first, second): (Vec<Win>, Vec<Win>) =
        all.into_iter().partition(|win| win.ngram.first > win.ngram.second);
    Ok([first, second].map(|list| list.into_iter().take(most).collect()))
}

fn to_json(
    counted: &Counted,
    request: &CompareRequest,
    comparisons: &[Comparison<'_>],
    ngrams: Option<&NgramWins>,
) -> Result<Value, Failure> {
    let metric = |(place, comparison): (usize, &Comparison<'_>)| -> Result<Value, Failure> {
        let mut object = json!({
            "metric": comparison.metric.identity().name(),
            "key": comparison.metric.state_key().to_string(),
            "scores": comparison.matrix.scores,
            "pairs": comparison.matrix.pairs,
            "ranks": comparison.matrix.ranks,
        });
        if let Some(details) = &comparison.details {
            let group = |(by, label, segments, scores, points): &(String, String, usize, [f64; 2], f64)| json!({"by": by, "group": label, "segments": segments, "scores": scores, "points": points});
            let segment =
                |&(segment, points): &(usize, f64)| json!({"segment": segment + 1, "points": points});
            object["segments"] = details.segments.iter().map(segment).collect();
            object["groups"] = details.groups.iter().map(group).collect();
        }
        if let Some(wins) = ngrams {
            let ngram = |Win { ngram, points }: &Win| {
                json!({
                    "tokens": ngram.tokens, "matches": [ngram.first, ngram.second], "references": ngram.references,
                    "frequency": ngram.frequency(), "points": points,
                })
            };
            let best = best_ngrams(comparison, counted, place, wins, request.most)?;
            object["ngrams"] = best.iter().flatten().map(ngram).collect();
        }
        Ok(object)
    };
    let metrics = comparisons.iter().enumerate().map(metric).collect::<Result<Vec<_>, _>>()?;
    Ok(json!({ "systems": counted.systems, "segments": counted.len(), "metrics": metrics }))
}

fn write_text(
    counted: &Counted,
    request: &CompareRequest,
    comparisons: &[Comparison<'_>],
    ngrams: Option<&NgramWins>,
    texts: Option<&Texts<'_>>,
    out: &mut impl Write,
) -> Result<(), Failure> {
    for (place, comparison) in comparisons.iter().enumerate() {
        let name = comparison.metric.identity().name();
        writeln!(out, "{}\n", report::banner(&format!("{name}, {} segments", counted.len())))?;
        writeln!(out, "{}\n", ranks(counted, &comparison.matrix).boxed())?;
        writeln!(out, "{}", pairs(counted, &comparison.matrix).boxed())?;
        writeln!(
            out,
            "p is corrected by Holm for {} pairs; \"detectable\" is the smallest difference that these segments show with \
             80 % power.\n",
            comparison.matrix.pairs.len()
        )?;
        let Some(details) = &comparison.details else { continue };
        if !details.groups.is_empty() {
            writeln!(out, "{}\n", groups(counted, details).boxed())?;
        }
        write_segments(counted, request, details, texts, out)?;
        if let Some(wins) = ngrams {
            write_ngrams(counted, request, comparison, place, wins, out)?;
        }
    }
    Ok(())
}

fn ranks(counted: &Counted, matrix: &Matrix) -> Grid {
    let row = |rank: &bleuprint::eval::resample::Rank| {
        let range = if rank.best == rank.worst {
            rank.best.to_string()
        } else {
            format!("{}-{}", rank.best, rank.worst)
        };
        let score = format!("{:.2}", matrix.scores[rank.system]);
        vec![counted.systems[rank.system].clone(), score, range, rank.cluster.to_string()]
    };
    let header = ["System", "score", "rank", "cluster"].map(str::to_owned).to_vec();
    Grid { header, rows: matrix.ranks.iter().map(row).collect() }
}

fn pairs(counted: &Counted, matrix: &Matrix) -> Grid {
    let row = |pair: &bleuprint::eval::resample::PairTest| {
        let Interval { lower, upper, .. } = pair.interval;
        vec![
            format!("{} - {}", counted.systems[pair.first], counted.systems[pair.second]),
            format!("{:+.2}", pair.difference),
            format!("{lower:+.2} to {upper:+.2}"),
            format!("{:.4}", pair.corrected),
            format!("{:.2}", pair.smallest_difference),
        ]
    };
    let header = ["Pair", "difference", "95% CI", "p", "detectable"].map(str::to_owned).to_vec();
    Grid { header, rows: matrix.pairs.iter().map(row).collect() }
}

fn groups(counted: &Counted, details: &Details) -> Grid {
    let row = |(by, label, segments, scores, points): &(String, String, usize, [f64; 2], f64)| {
        let name = if by == LENGTH { format!("{label} tokens") } else { format!("{by}: {label}") };
        vec![
            name,
            segments.to_string(),
            format!("{:.2}", scores[0]),
            format!("{:.2}", scores[1]),
            format!("{points:+.3}"),
        ]
    };
    let header = ["Group", "segments", &counted.systems[0], &counted.systems[1], "points"];
    Grid { header: header.map(str::to_owned).to_vec(), rows: details.groups.iter().map(row).collect() }
}

fn write_segments(
    counted: &Counted,
    request: &CompareRequest,
    details: &Details,
    texts: Option<&Texts<'_>>,
    out: &mut impl Write,
) -> Result<(), Failure> {
    for (system, sign) in [(0, 1.0), (1, -1.0)] {
        let of_system = details.segments.iter().filter(|(_, points)| points * sign > 0.0);
        writeln!(out, "Segments where {} gains most (points of the difference):", counted.systems[system])?;
        for (segment, points) in of_system.take(request.most) {
            writeln!(out, " {:>6}  {points:+.4}", segment + 1)?;
            let Some(texts) = texts else { continue };
            let text = &texts.corpus.segments[*segment];
            let lines = text.references.iter().map(|reference| ("reference", reference));
            let systems = counted.systems.iter().map(String::as_str).zip(&text.hypotheses);
            for (name, line) in lines.chain(systems) {
                writeln!(out, "         {name}: {line}")?;
            }
        }
        writeln!(out)?;
    }
    Ok(())
}

fn write_ngrams(
    counted: &Counted,
    request: &CompareRequest,
    comparison: &Comparison<'_>,
    place: usize,
    wins: &NgramWins,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let best = best_ngrams(comparison, counted, place, wins, request.most)?;
    for (name, list) in counted.systems.iter().zip(&best) {
        writeln!(out, "N-grams that {name} gets right more often:")?;
        for Win { ngram, points } in list {
            let points = points.map(|points| format!("  {points:+.4}")).unwrap_or_default();
            let frequency = ngram.frequency().name();
            let (first, second) = (ngram.first, ngram.second);
            writeln!(out, "  {first:>5} : {second:<5} {frequency:<9}{points}  {}", ngram.tokens.join(" "))?;
        }
        writeln!(out)?;
    }
    Ok(())
}
