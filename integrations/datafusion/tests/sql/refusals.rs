//! Tests of bad input: it must be an error that names the column and the row, and never a number.

use std::sync::Arc;

use bleuprint_datafusion::Functions;
use datafusion::arrow::array::*;
use datafusion::arrow::datatypes::Int64Type;
use datafusion::common::Result;
use datafusion::prelude::{SessionConfig, SessionContext};

use crate::data::{context, floats, rows, run, states};

async fn error(context: &SessionContext, sql: &str) -> String {
    match run(context, sql).await {
        Ok(rows) => panic!("{sql}: {rows:?}"),
        Err(error) => error.strip_backtrace(),
    }
}

async fn refused(context: &SessionContext, cases: &[(&str, &[&str])]) {
    for (sql, expected) in cases {
        let error = error(context, sql).await;
        assert!(expected.iter().all(|part| error.contains(part)), "{sql}\n{error}\n{expected:?}");
    }
}

/// Creates a table with damaged rows: one partition with batches of 2 rows. `hyp` is null in row 3, `refs`
/// has a null in row 1 and is empty in row 4, `bytes` is not UTF-8 in row 2, and `ids` has -1 in row 0.
fn damaged() -> SessionContext {
    let config = SessionConfig::new().with_target_partitions(1).with_batch_size(2);
    let context = SessionContext::new_with_config(config);
    bleuprint_datafusion::register(&context).unwrap();
    let mut refs = ListBuilder::new(StringBuilder::new());
    for row in [&[Some("a b")][..], &[Some("a"), None], &[Some("c"), Some("d")], &[Some("e")], &[]] {
        refs.append_value(row.iter().copied());
    }
    let ids = [[-1, 2], [3, 4], [5, 6], [7, 8], [9, 10]].map(|ids| Some(ids.map(Some)));
    let batch = RecordBatch::try_from_iter([
        (
            "hyp",
            Arc::new(StringArray::from(vec![Some("a b"), Some("a"), Some("c"), None, Some("e")])) as ArrayRef,
        ),
        ("ref", Arc::new(StringArray::from(vec!["a b", "a", "c", "d", "e"]))),
        ("refs", Arc::new(refs.finish())),
        ("bytes", Arc::new(BinaryArray::from(vec![&b"a b"[..], b"a", b"c \xff", b"d", b"e"]))),
        ("ids", Arc::new(ListArray::from_iter_primitive::<Int64Type, _, _>(ids))),
        ("row", Arc::new(Int64Array::from(vec![0, 1, 2, 3, 4]))),
    ])
    .unwrap();
    let parts = vec![vec![batch.slice(0, 2), batch.slice(2, 2), batch.slice(4, 1)]];
    let table = datafusion::datasource::MemTable::try_new(batch.schema(), parts).unwrap();
    context.register_table("t", Arc::new(table)).unwrap();
    context
}

#[tokio::test]
async fn damaged_rows() -> Result<()> {
    let context = damaged();
    refused(
        &context,
        &[
            ("select bleu(hyp, ref) from t", &["hyp[3] is null", "FILTER (WHERE hyp IS NOT NULL)"]),
            ("select row % 2, bleu(hyp, ref) from t group by 1", &["hyp[3] is null"]),
            ("select metric_state('wer', hyp, ref) from t", &["hyp[3] is null"]),
            ("select metric_counts('wer', hyp, ref) from t", &["hyp[1] is null", "a batch of the query"]),
            ("select bleu(ref, hyp) from t", &["hyp[3] is null"]),
            ("select bleu(ref, refs) from t", &["refs[1] has a null at place 1"]),
            ("select bleu(ref, refs) from t where row <> 1", &["ref[3] in metric", "no reference"]),
            ("select bleu(bytes, ref) from t", &["bytes[2] is not UTF-8: its byte 2 is wrong"]),
            ("select bleu(ids, ids) from t", &["ids[0] has no id from 0 to 2^32 - 1 at place 0"]),
            ("select bleu(null, ref) from t", &["is null"]),
        ],
    )
    .await;
    // A row that FILTER leaves out by name stays out.
    let sql = "select bleu(hyp, ref) filter (where hyp is not null) from t";
    assert!(floats(&context, sql).await?[0].is_some());
    Ok(())
}

#[tokio::test]
async fn plans_that_cannot_be() {
    let context = context(2, &rows(60));
    refused(
        &context,
        &[
            ("select metric('blue', hyp, ref) from t", &["metric 'blue': unknown metric `blue`", "bleu"]),
            ("select metric('chrf:words=2', hyp, ref) from t", &["unknown option of chrf `words`"]),
            ("select metric('bleu:tokenize=nope', hyp, ref) from t", &["unknown tokenizer `nope`", "13a"]),
            ("select metric(hyp, hyp, ref) from t", &["the name of a metric between quotes"]),
            ("select metric_counts(hyp, hyp, ref) from t", &["the name of a metric between quotes"]),
            ("select metric_counts('distinct', hyp) from t", &["not a row of counts; use metric_state"]),
            ("select metric('cider', hyp, ref) from t", &["learns from all references first", ".learn"]),
            ("select nist(hyp, ref) from t", &["metric 'nist' learns from all references first"]),
            ("select metric('bleu:space=gpt2', hyp, ref) from t", &["the columns are text"]),
            ("select metric('bleu:tokenize=13a', ids, ref_ids) from t", &["the columns are ids"]),
            (
                "select bleu(hyp, ref_ids) from t",
                &["bleu takes (hypothesis [, reference [, source]])", "List"],
            ),
            ("select bleu(day, ref) from t", &["bleu takes (hypothesis", "Int64"]),
            ("select bleu(distinct hyp, ref) from t", &["DISTINCT"]),
            ("select bleu(hypo, ref) from t", &["hypo", "hyp"]),
            ("select metric_merge(hyp) from t", &["states are binary"]),
            ("select metric_score(hyp) from t", &["takes a state (binary) or counts (a struct)"]),
            ("select metric_sum(day) from t", &["takes counts, a struct"]),
            (
                "select metric_score('bleu', struct(day)) from t",
                &["counts with the column `key`", "named_struct"],
            ),
            ("select sari(hyp, refs) from t", &["hyp[0] in metric", "source"]),
        ],
    )
    .await;
}

#[tokio::test]
async fn states_of_others() -> Result<()> {
    let context = context(2, &rows(60));
    let one = |spec: &str| format!("select metric_state('{spec}', hyp, ref) s from t");
    let both = |one_spec: &str, other: &str| format!("({} union all {})", one(one_spec), one(other));
    let cases = [
        (
            format!("select metric_merge(s) from {}", both("bleu", "chrf")),
            "unlike states: they differ in metric",
        ),
        (format!("select metric_merge(s) from {}", both("bleu", "bleu:tokenize=char")), "they differ in tok"),
        (
            format!("select metric_merge(s) from {}", both("bleu", "bleu:smooth-method=floor")),
            "finish differently: say which",
        ),
        (format!("select metric_merge('bleu', s) from ({})", one("chrf")), "they differ in metric"),
        (
            format!("select metric_score('bleu', s) from ({})", one("bleu:tokenize=char")),
            "they differ in tok",
        ),
        ("select metric_merge(arrow_cast(hyp, 'Binary')) from t".to_owned(), "cut short"),
        ("select metric_score(arrow_cast('', 'Binary'))".to_owned(), "the file is empty"),
        ("select metric_merge(arrow_cast(null, 'Binary')) from t".to_owned(), "is null"),
    ];
    for (sql, expected) in &cases {
        let error = error(&context, sql).await;
        assert!(error.contains(expected) && error.contains('['), "{sql}\n{error}\n{expected}");
    }
    // The two differ in smoothing, so a named metric decides which number results.
    let sql = format!(
        "select metric_score('bleu', metric_merge('bleu', s)) from {}",
        both("bleu", "bleu:smooth-method=floor")
    );
    assert!(floats(&context, &sql).await?[0].is_some());
    // Every cut and every changed byte must be found.
    let state = states(&context, "select metric_state('bleu', hyp, ref) from t").await?.remove(0);
    let hexadecimal = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    for at in (0..state.len()).step_by(61) {
        let mut poisoned = state.clone();
        poisoned[at] ^= 1;
        for bytes in [&state[..at], &poisoned[..]] {
            error(&context, &format!("select metric_score(arrow_cast(x'{}', 'Binary'))", hexadecimal(bytes)))
                .await;
        }
    }
    Ok(())
}

#[tokio::test]
async fn counts_of_others() -> Result<()> {
    let context = context(2, &rows(60));
    run(&context, "create table b as select day, metric_counts('bleu', hyp, ref) c from t").await?;
    run(&context, "create table x as select day, metric_counts('bleu:tokenize=char', hyp, ref) c from t")
        .await?;
    let summed = "named_struct('key', sum(c['key']), 'segments', sum(c['segments']))";
    let cases: Vec<(String, &str)> = vec![
        ("select metric_score('bleu:tokenize=char', metric_counts('bleu', hyp, ref)) from t".into(), "they differ in tok"),
        ("select metric_score('chrf', metric_sum(metric_counts('bleu', hyp, ref))) from t".into(), "they differ in metric"),
        ("select metric_sum(c) from (select c from b union all select c from x)".into(), "another state key"),
        (format!("select metric_score('bleu', {summed}) from b"), "the counts of bleu are (key, check, segments, references"),
        ("select metric_score(named_struct('key', 1, 'segments', 1))".into(), "do not say whose they are"),
        ("select metric_sum(named_struct('key', 7, 'segments', null))".into(), "has a null in `segments`"),
        ("select metric_sum(named_struct('key', 7, 'segments', -1))".into(), "has -1 in `segments`"),
        (
            "select metric_sum(named_struct('key', 0, 'segments', 0, 'n', n)) from (values (9223372036854775807), (1)) v (n)".into(),
            "overflows the sum of `n`",
        ),
    ];
    for (sql, expected) in &cases {
        let error = error(&context, sql).await;
        assert!(error.contains(expected), "{sql}\n{error}\n{expected}");
    }
    // A row whose counts no segment can have, and a row of another key under this name.
    let names = bleuprint::contract::column_names(crate::data::panel("bleu").metrics().next().unwrap());
    let row = |change: &str| {
        let fields = ["key", "check"].into_iter().chain(names.iter().map(String::as_str));
        let fields =
            fields.map(|name| format!("'{name}', c['{name}']{}", if name == change { " + 1" } else { "" }));
        format!("select metric_score('bleu', named_struct({})) from b", fields.collect::<Vec<_>>().join(", "))
    };
    assert!(floats(&context, &row("")).await?.iter().all(Option::is_some));
    let poisoned = error(&context, &row("key")).await;
    assert!(poisoned.contains("does not hold counts of bleu") && poisoned.contains("[0]"), "{poisoned}");
    for name in names.iter().map(String::as_str).chain(["check"]) {
        let poisoned = error(&context, &row(name)).await;
        assert!(poisoned.contains("does not hold counts of bleu"), "{name}: {poisoned}");
    }
    // A file of an earlier version has no check, and its reader must state that.
    let [missing, open] =
        ["", "'check', null, "].map(|check| row("").replace("'check', c['check'], ", check));
    let missing = error(&context, &missing).await;
    assert!(missing.contains("no column `check`") && missing.contains("write 'check', null"), "{missing}");
    assert!(floats(&context, &open).await?.iter().all(Option::is_some));
    let summed = "select metric_sum(named_struct('key', 7, 'check', null, 'segments', 1))";
    assert!(error(&context, summed).await.contains("has a null in `check`"));
    Ok(())
}

#[tokio::test]
async fn a_process_with_other_tokens() -> Result<()> {
    // The plan of another process has its key in the name.
    let rows = rows(60);
    let ours = context(1, &rows);
    let key = crate::data::panel("bleu").metrics().next().unwrap().clone();
    let key = bleuprint::contract::Metric::state_key(&key).to_string();
    let sql = format!("select metric('bleu @ {key}', hyp, ref) from t");
    assert!(floats(&ours, &sql).await?[0].is_some());
    let explained = run(&ours, "explain select bleu(hyp, ref) from t").await?;
    let explained = datafusion::arrow::util::pretty::pretty_format_batches(&explained)?.to_string();
    assert!(explained.contains(&format!("bleu @ {key}")), "{explained}");
    let tokens = bleuprint::text::tokenizer("char", &Default::default()).unwrap();
    let tokens =
        bleuprint::eval::ChosenTokens::new(tokens, bleuprint::contract::Case::Mixed).asked(false, true);
    Functions::with_tokens(bleuprint::registry(), tokens)?.register(&ours);
    let refused = error(&ours, &sql).await;
    assert!(refused.contains("they differ in tok") && refused.contains("the one that runs it"), "{refused}");
    Ok(())
}
