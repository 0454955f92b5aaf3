//! Generated rows of text, tables of them, and the library's scores.

use std::sync::Arc;

use bleuprint::contract::{Accumulator, Segment};
use bleuprint::eval::{ChosenTokens, Panel, Request};
use bleuprint::registry;
use datafusion::arrow::array::*;
use datafusion::arrow::datatypes::{Float64Type, Int32Type, UInt32Type};
use datafusion::common::Result;
use datafusion::datasource::MemTable;
use datafusion::prelude::{SessionConfig, SessionContext};

pub(crate) struct Row {
    pub(crate) lang: String,
    pub(crate) day: i64,
    pub(crate) hyp: String,
    pub(crate) refs: Vec<String>,
    pub(crate) source: String,
}

const WORDS: [&str; 16] = [
    "the", "The", "Haus", "größer", "кот", "3.14", "don't", "running", "ran", "cat", "a", "of", "猫が",
    "x-y", "«да»", "end",
];

pub(crate) fn rows(count: usize) -> Vec<Row> {
    let mut seed = 7u64;
    let mut next = move |limit: u64| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) % limit
    };
    let text = |next: &mut dyn FnMut(u64) -> u64| {
        let len = 3 + next(20);
        (0..len).map(|_| WORDS[next(16) as usize]).collect::<Vec<_>>().join(" ") + "."
    };
    let row = |index: usize| Row {
        lang: format!("l{}", index % 5),
        day: (index / 40) as i64,
        hyp: text(&mut next),
        refs: (0..1 + next(3)).map(|_| text(&mut next)).collect(),
        source: text(&mut next),
    };
    (0..count).map(row).collect()
}

/// References that the expected result of a query uses.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum References {
    First,
    All,
    None,
}

pub(crate) fn panel(spec: &str) -> Panel {
    let registry = registry();
    let request = Request::new(&registry, [spec], ChosenTokens::standard().unwrap()).unwrap();
    request.panel(&registry).unwrap()
}

/// Returns the score of the library's own loop, or `None` without rows.
pub(crate) fn library<'r>(
    spec: &str,
    rows: impl IntoIterator<Item = &'r Row>,
    with: References,
) -> Option<f64> {
    let panel = panel(spec);
    let mut corpus = Accumulator::<_, str>::new(&panel);
    for row in rows {
        let references: Vec<&str> = match with {
            References::First => vec![&row.refs[0]],
            References::All => row.refs.iter().map(String::as_str).collect(),
            References::None => Vec::new(),
        };
        corpus.add(Segment::with_source(row.hyp.as_str(), &references, Some(&row.source))).unwrap();
    }
    (corpus.total().counts().segments > 0).then(|| panel.scores(corpus.total()).unwrap()[0].score.value)
}

pub(crate) fn by_language(spec: &str, rows: &[Row], with: References) -> Vec<Option<f64>> {
    let of = |language: usize| rows.iter().filter(move |row| row.lang == format!("l{language}"));
    (0..5).map(|language| library(spec, of(language), with)).collect()
}

pub(crate) fn id_of(word: &str) -> u32 {
    word.bytes().fold(0, |id: u32, byte| id.wrapping_mul(31).wrapping_add(byte.into()) & 0xffff)
}

pub(crate) fn batch(rows: &[Row]) -> RecordBatch {
    let mut refs = ListBuilder::new(StringBuilder::new());
    let mut ids = ListBuilder::new(UInt32Builder::new());
    let mut ref_ids = ListBuilder::new(PrimitiveBuilder::<UInt32Type>::new());
    for row in rows {
        refs.append_value(row.refs.iter().map(Some));
        ids.append_value(row.hyp.split(' ').map(|word| Some(id_of(word))));
        ref_ids.append_value(row.refs[0].split(' ').map(|word| Some(id_of(word))));
    }
    let dictionary: DictionaryArray<Int32Type> = rows.iter().map(|row| row.hyp.as_str()).collect();
    let hyps = || rows.iter().map(|row| row.hyp.as_str());
    RecordBatch::try_from_iter([
        ("lang", Arc::new(StringArray::from_iter_values(rows.iter().map(|row| &row.lang))) as ArrayRef),
        ("day", Arc::new(Int64Array::from_iter_values(rows.iter().map(|row| row.day)))),
        ("hyp", Arc::new(StringArray::from_iter_values(hyps()))),
        ("view", Arc::new(StringViewArray::from_iter_values(hyps()))),
        ("large", Arc::new(LargeStringArray::from_iter_values(hyps()))),
        ("bytes", Arc::new(BinaryArray::from_iter_values(hyps()))),
        ("dict", Arc::new(dictionary)),
        ("ref", Arc::new(StringArray::from_iter_values(rows.iter().map(|row| &row.refs[0])))),
        ("source", Arc::new(StringArray::from_iter_values(rows.iter().map(|row| &row.source)))),
        ("refs", Arc::new(refs.finish())),
        ("ids", Arc::new(ids.finish())),
        ("ref_ids", Arc::new(ref_ids.finish())),
    ])
    .unwrap()
}

/// Creates a session with the functions, and with the rows as the table `t`.
pub(crate) fn context(partitions: usize, rows: &[Row]) -> SessionContext {
    let config = SessionConfig::new().with_target_partitions(partitions).with_batch_size(37);
    let context = SessionContext::new_with_config(config);
    bleuprint_datafusion::register(&context).unwrap();
    let batch = batch(rows);
    let size = rows.len().div_ceil(partitions);
    let part = |part: usize| vec![batch.slice(part * size, size.min(rows.len() - part * size))];
    let table = MemTable::try_new(batch.schema(), (0..partitions).map(part).collect()).unwrap();
    context.register_table("t", Arc::new(table)).unwrap();
    context
}

pub(crate) async fn run(context: &SessionContext, sql: &str) -> Result<Vec<RecordBatch>> {
    context.sql(sql).await?.collect().await
}

pub(crate) async fn floats(context: &SessionContext, sql: &str) -> Result<Vec<Option<f64>>> {
    let batches = run(context, sql).await?;
    let last = |batch: &RecordBatch| batch.column(batch.num_columns() - 1).clone();
    let floats = |batch| last(batch).as_primitive::<Float64Type>().iter().collect::<Vec<_>>();
    Ok(batches.iter().flat_map(floats).collect())
}

/// Returns the binary values of the only column.
pub(crate) async fn states(context: &SessionContext, sql: &str) -> Result<Vec<Vec<u8>>> {
    let batches = run(context, sql).await?;
    let of = |batch: &RecordBatch| {
        let column = batch.column(0).as_binary::<i32>();
        (0..column.len()).map(|row| column.value(row).to_vec()).collect::<Vec<_>>()
    };
    Ok(batches.iter().flat_map(of).collect())
}

pub(crate) fn bits(scores: &[Option<f64>]) -> Vec<Option<u64>> {
    scores.iter().map(|score| score.map(f64::to_bits)).collect()
}
