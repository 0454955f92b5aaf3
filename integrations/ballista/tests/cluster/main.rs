//! Tests of a cluster of processes on this machine: a scheduler and two executors. States must equal those
//! of one process byte for byte, even if an executor dies; executors with other functions must be rejected.
#![allow(clippy::print_stdout, reason = "a harness of its own")]

mod processes;

use std::path::Path;
use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, RecordBatch, StringArray};
use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::common::Result;
use datafusion::prelude::{ParquetReadOptions, SessionConfig, SessionContext};
use tempfile::TempDir;

use processes::Cluster;

const METRICS: [&str; 5] = ["bleu", "chrf", "ter", "rougeL", "wer"];
const PARTITIONS: [usize; 3] = [1, 2, 7];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(4).enable_all().build().unwrap();
    runtime.block_on(async {
        match words[..] {
            ["scheduler", port] => processes::scheduler(port.parse().unwrap()).await,
            ["executor", port, role, folder] => {
                processes::executor(port.parse().unwrap(), role, Path::new(folder)).await;
            }
            _ => all().await.unwrap(),
        }
    });
}

async fn all() -> Result<()> {
    let folder = TempDir::new()?;
    write(folder.path()).await?;
    same_states(folder.path()).await?;
    println!("two executors: the states of one process, on {PARTITIONS:?} partitions");
    an_executor_dies(folder.path()).await?;
    println!("an executor died: the same states");
    others_are_refused(folder.path()).await?;
    println!("executors with other functions were refused");
    Ok(())
}

/// Writes the rows as 1, 2 and 7 files.
async fn write(folder: &Path) -> Result<()> {
    const WORDS: [&str; 12] =
        ["the", "The", "Haus", "größer", "кот", "3.14", "don't", "running", "cat", "猫が", "x-y", "end"];
    let mut seed = 7u64;
    let mut next = |limit: u64| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) % limit
    };
    let mut text = || (0..3 + next(20)).map(|_| WORDS[next(12) as usize]).collect::<Vec<_>>().join(" ");
    let rows: Vec<[String; 3]> = (0..300).map(|row| [format!("l{}", row % 3), text(), text()]).collect();
    let column =
        |at: usize| -> ArrayRef { Arc::new(StringArray::from_iter_values(rows.iter().map(|row| &row[at]))) };
    let batch = RecordBatch::try_from_iter([("lang", column(0)), ("hyp", column(1)), ("ref", column(2))])?;
    let context = SessionContext::new();
    for parts in PARTITIONS {
        let below = folder.join(parts.to_string());
        std::fs::create_dir_all(&below)?;
        for part in 0..parts {
            let (start, end) = (rows.len() * part / parts, rows.len() * (part + 1) / parts);
            let path = below.join(format!("{part}.parquet")).display().to_string();
            let frame = context.read_batch(batch.slice(start, end - start))?;
            frame.write_parquet(&path, Default::default(), None).await?;
        }
    }
    Ok(())
}

/// Returns the result as a table of text: states in hexadecimal, scores to the last digit.
async fn answer(context: &SessionContext, folder: &Path, parts: usize, sql: &str) -> Result<String> {
    let path = folder.join(parts.to_string()).display().to_string();
    context.deregister_table("t")?;
    context.register_parquet("t", path, ParquetReadOptions::default()).await?;
    Ok(pretty_format_batches(&context.sql(sql).await?.collect().await?)?.to_string())
}

async fn alone(folder: &Path, sql: &str) -> Result<String> {
    let context = SessionContext::new_with_config(SessionConfig::new().with_target_partitions(1));
    bleuprint_datafusion::register(&context)?;
    answer(&context, folder, 1, sql).await
}

/// Returns a query of all metrics by language: states, scores of summed counts, a set and a short name.
fn query(from: &str) -> String {
    let of = |(at, metric): (usize, &&str)| {
        let counts = format!("metric_counts('{metric}', hyp, ref)");
        format!(
            "metric_state('{metric}', hyp, ref) AS state{at}, metric_score(metric_sum({counts})) AS score{at}"
        )
    };
    let columns: Vec<String> = METRICS.iter().enumerate().map(of).collect();
    let columns = columns.join(", ");
    format!(
        "SELECT lang, {columns}, metric_state('distinct', hyp) AS words, bleu(hyp, ref) AS short FROM {from} GROUP BY lang \
         ORDER BY lang"
    )
}

async fn same_states(folder: &Path) -> Result<()> {
    let expected = alone(folder, &query("t")).await?;
    let cluster = Cluster::start(&["one", "two"], folder);
    let context = cluster.client()?;
    for parts in PARTITIONS {
        assert_eq!(answer(&context, folder, parts, &query("t")).await?, expected, "{parts} partitions");
    }
    Ok(())
}

async fn an_executor_dies(folder: &Path) -> Result<()> {
    let expected = alone(folder, &query("t")).await?;
    let mut cluster = Cluster::start(&["doomed", "sound"], folder);
    let context = cluster.client()?;
    let dying = query("(SELECT lang, one_dies(hyp) AS hyp, ref FROM t)");
    assert_eq!(answer(&context, folder, 7, &dying).await?, expected);
    assert_eq!(cluster.alive(), 2, "the doomed executor lives");
    Ok(())
}

async fn others_are_refused(folder: &Path) -> Result<()> {
    // An executor that does not know a function names it only in its log, so the message here is general.
    for (role, part) in [("characters", "they differ in tok"), ("bare", "rejected by executor")] {
        let cluster = Cluster::start(&[role], folder);
        let sql = "SELECT lang, bleu(hyp, ref) FROM t GROUP BY lang";
        match answer(&cluster.client()?, folder, 2, sql).await {
            Ok(found) => panic!("an executor with other functions ({role}) answered:\n{found}"),
            Err(error) => assert!(error.to_string().contains(part), "{role}: {error}"),
        }
    }
    Ok(())
}
