//! `rate FILE.parquet [ROWS] [TURNS]`: measures queries and the library's own loop over the same strings, in
//! turns, by processor time.
//!
//! The file is written if it does not exist. Every query has one partition, and its scores must equal the
//! loop's bit for bit.
#![allow(clippy::print_stdout, reason = "a program for a terminal")]

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use bleuprint::contract::{Accumulator, Segment};
use bleuprint::eval::{ChosenTokens, Panel, Request};
use bleuprint::registry;
use datafusion::arrow::array::{ArrayRef, AsArray, Int64Array, RecordBatch, StringArray};
use datafusion::arrow::datatypes::Float64Type;
use datafusion::common::{Result, exec_err};
use datafusion::datasource::MemTable;
use datafusion::prelude::{ParquetReadOptions, SessionConfig, SessionContext};

const METRICS: [&str; 5] = ["bleu", "chrf", "ter", "rougeL", "wer"];

/// Returns the processor time so far in seconds, or the wall-clock time if the system does not report it.
fn processor(start: Instant) -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks: Vec<f64> = fields.skip(11).take(2).filter_map(|ticks| ticks.parse().ok()).collect();
    match ticks[..] {
        [user, system] => (user + system) / 100.0,
        _ => start.elapsed().as_secs_f64(),
    }
}

/// Returns segments of about 20 words, whose references differ in a third of the words.
fn table(rows: usize) -> Result<RecordBatch> {
    let mut seed = 7u64;
    let mut next = move |limit: u64| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) % limit
    };
    // The product of two draws makes a few of the words frequent.
    let word = |next: &mut dyn FnMut(u64) -> u64| {
        let rank = next(64) * next(64);
        let letters = 2 + rank % 7;
        (0..letters)
            .map(|at| char::from(b'a' + ((rank * 7 + at * (rank / 3 + 5)) % 26) as u8))
            .collect::<String>()
    };
    let (mut hyps, mut refs) = (Vec::with_capacity(rows), Vec::with_capacity(rows));
    for _ in 0..rows {
        let line: Vec<String> = (0..8 + next(24)).map(|_| word(&mut next)).collect();
        let other: Vec<String> =
            line.iter().map(|own| if next(3) == 0 { word(&mut next) } else { own.clone() }).collect();
        hyps.push(format!("The {}, he said.", line.join(" ")));
        refs.push(format!("The {}, said he.", other.join(" ")));
    }
    let langs = (0..rows).map(|row| ["a", "b", "c"][row % 3]);
    Ok(RecordBatch::try_from_iter([
        ("lang", Arc::new(StringArray::from_iter_values(langs)) as ArrayRef),
        ("id", Arc::new(Int64Array::from_iter_values(0..rows as i64))),
        ("hyp", Arc::new(StringArray::from(hyps))),
        ("ref", Arc::new(StringArray::from(refs))),
    ])?)
}

/// Returns the scores of the library's own loop: a state for each language, over the strings of the batches.
fn library(spec: &str, batches: &[RecordBatch]) -> Vec<f64> {
    let registry = registry();
    let request = Request::new(&registry, [spec], ChosenTokens::standard().expect("13a"));
    let panel = request.and_then(|request| request.panel(&registry)).expect("a metric");
    let mut corpora: BTreeMap<String, Accumulator<&Panel, str>> = BTreeMap::new();
    for batch in batches {
        let [lang, hyp, reference] = [0, 1, 2].map(|at| batch.column(at).as_string_view());
        for row in 0..batch.num_rows() {
            if !corpora.contains_key(lang.value(row)) {
                corpora.insert(lang.value(row).to_owned(), Accumulator::new(&panel));
            }
            if let Some(corpus) = corpora.get_mut(lang.value(row)) {
                let references = [reference.value(row)];
                corpus.add(Segment::new(hyp.value(row), &references)).expect("a segment");
            }
        }
    }
    let score =
        |corpus: &Accumulator<&Panel, str>| panel.scores(corpus.total()).expect("a score")[0].score.value;
    corpora.values().map(score).collect()
}

struct Query {
    metric: &'static str,
    what: &'static str,
    sql: String,
    seconds: Vec<f64>,
}

fn queries() -> Vec<Query> {
    let mut all = Vec::new();
    let mut add = |metric, what, sql: String| all.push(Query { metric, what, sql, seconds: Vec::new() });
    for metric in METRICS {
        for (table, what) in [("p", "Parquet"), ("m", "memory")] {
            let sql =
                format!("SELECT lang, metric('{metric}', hyp, ref) FROM {table} GROUP BY lang ORDER BY lang");
            add(metric, what, sql);
        }
    }
    let states = "(SELECT lang, metric_state('bleu', hyp, ref) AS s FROM m GROUP BY lang, id % 1000)";
    add(
        "bleu",
        "3,000 states merged",
        format!("SELECT lang, metric_score(metric_merge(s)) FROM {states} GROUP BY lang ORDER BY lang"),
    );
    let counts = "metric_score(metric_sum(metric_counts('bleu', hyp, ref)))";
    add("bleu", "counts summed", format!("SELECT lang, {counts} FROM m GROUP BY lang ORDER BY lang"));
    add(
        "bleu",
        "groups of 3",
        "SELECT id / 3 AS g, bleu(hyp, ref) FROM m GROUP BY g ORDER BY g LIMIT 1".to_owned(),
    );
    add("", "reading alone", "SELECT sum(octet_length(hyp) + octet_length(ref)) FROM p".to_owned());
    all
}

fn median(seconds: &[f64]) -> f64 {
    let mut seconds = seconds.to_vec();
    seconds.sort_by(f64::total_cmp);
    seconds.get(seconds.len() / 2).copied().unwrap_or(f64::NAN)
}

#[tokio::main]
async fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number =
        |at: usize, default: usize| args.get(at).and_then(|text| text.parse().ok()).unwrap_or(default);
    let Some(path) = args.first() else { return exec_err!("rate FILE.parquet [ROWS] [TURNS]") };
    let (rows, turns) = (number(1, 200_000), number(2, 3));
    let context = SessionContext::new_with_config(SessionConfig::new().with_target_partitions(1));
    bleuprint_datafusion::register(&context)?;
    if !std::fs::exists(path)? {
        context.read_batch(table(rows)?)?.write_parquet(path, Default::default(), None).await?;
    }
    context.register_parquet("p", path, ParquetReadOptions::default()).await?;
    let all = context.sql("SELECT * FROM p").await?.collect().await?;
    let rows: usize = all.iter().map(RecordBatch::num_rows).sum();
    context.register_table("m", Arc::new(MemTable::try_new(all[0].schema(), vec![all])?))?;
    let batches = context.sql("SELECT lang, hyp, ref FROM p").await?.collect().await?;
    let (mut queries, start) = (queries(), Instant::now());
    let mut own: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    // The first turn warms up and compares scores; it is not measured.
    for turn in 0..=turns {
        for metric in METRICS.into_iter().chain([""]) {
            let before = processor(start);
            let expected = if metric.is_empty() { Vec::new() } else { library(metric, &batches) };
            own.entry(metric).or_default().extend((turn > 0).then(|| processor(start) - before));
            for query in queries.iter_mut().filter(|query| query.metric == metric) {
                let before = processor(start);
                let found = context.sql(&query.sql).await?.collect().await?;
                query.seconds.extend((turn > 0).then(|| processor(start) - before));
                if query.sql.ends_with("ORDER BY lang") {
                    let scores = found
                        .iter()
                        .flat_map(|batch| batch.column(1).as_primitive::<Float64Type>().values().to_vec());
                    let same = scores.map(f64::to_bits).eq(expected.iter().map(|score| score.to_bits()));
                    assert!(same, "{}: {found:?} {expected:?}", query.sql);
                }
            }
        }
    }
    println!("  {rows} rows, {turns} turns, segments a second of the processor (medians)");
    for metric in METRICS {
        let library = median(&own[metric]);
        println!("  {metric}: the library's loop {:.0}", rows as f64 / library);
        for query in queries.iter().filter(|query| query.metric == metric) {
            let seconds = median(&query.seconds);
            println!(
                "  {metric}: {} {:.0} ({:.0} %)",
                query.what,
                rows as f64 / seconds,
                library / seconds * 100.0
            );
        }
    }
    if let Some(reading) = queries.last() {
        println!("  {}: {:.0}", reading.what, rows as f64 / median(&reading.seconds));
    }
    Ok(())
}
