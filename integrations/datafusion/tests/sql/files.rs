//! Tests of Parquet, CSV, JSON and Arrow files, and of the program that reads them.

use std::path::Path;
use std::process::{Command, Output};

use datafusion::arrow::ipc::writer::FileWriter;
use datafusion::common::Result;
use tempfile::TempDir;

use crate::data::{References, batch, bits, by_language, context, floats, rows, run};

fn path(folder: &TempDir, name: &str) -> String {
    folder.path().join(name).display().to_string()
}

fn program(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_bleuprint-sql")).args(args).current_dir(folder).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[tokio::test]
async fn every_kind_of_file() -> Result<()> {
    let rows = rows(150);
    let context = context(2, &rows);
    let folder = TempDir::new()?;
    for kind in ["parquet", "csv", "json"] {
        let sql =
            format!("copy (select lang, hyp, ref from t) to '{}' stored as {kind}", path(&folder, kind));
        run(&context, &sql).await?;
        let from = Path::new(&path(&folder, kind)).join(format!("*.{kind}"));
        let context = context.clone().enable_url_table();
        let from = if std::fs::metadata(path(&folder, kind)).unwrap().is_dir() {
            from.display().to_string()
        } else {
            path(&folder, kind)
        };
        let sql = format!("select lang, chrf(hyp, ref) from '{from}' group by lang order by lang");
        let expected = bits(&by_language("chrf", &rows, References::First));
        assert_eq!(bits(&floats(&context, &sql).await?), expected, "{kind}");
    }
    let all = batch(&rows);
    let all = all.project(&[0, 2, 7])?;
    let mut writer = FileWriter::try_new(std::fs::File::create(path(&folder, "t.arrow"))?, &all.schema())?;
    writer.write(&all)?;
    writer.finish()?;
    let out = program(
        folder.path(),
        &[
            "-f",
            "csv",
            "-p",
            "3",
            "SELECT lang, chrf(hyp, ref) AS c FROM 't.arrow' GROUP BY lang ORDER BY lang",
        ],
    );
    assert!(out.status.success(), "{}", text(&out.stderr));
    let scores = text(&out.stdout)
        .lines()
        .skip(1)
        .map(|line| line.split(',').nth(1).and_then(|score| score.parse().ok()))
        .collect::<Vec<Option<f64>>>();
    assert_eq!(bits(&scores), bits(&by_language("chrf", &rows, References::First)));
    Ok(())
}

#[tokio::test]
async fn states_and_counts_in_files() -> Result<()> {
    let rows = rows(150);
    let context = context(2, &rows);
    let folder = TempDir::new()?;
    let (states, counts) = (path(&folder, "states.parquet"), path(&folder, "counts.parquet"));
    run(
        &context,
        &format!("copy (select lang, metric_state('bleu', hyp, ref) s from t group by lang) to '{states}'"),
    )
    .await?;
    run(&context, &format!("copy (select lang, metric_counts('bleu', hyp, ref) c from t) to '{counts}'"))
        .await?;
    let expected = bits(&by_language("bleu", &rows, References::First));
    let context = context.enable_url_table();
    for (from, score) in
        [(&states, "metric_score(metric_merge(s))"), (&counts, "metric_score('bleu', metric_sum(c))")]
    {
        let sql = format!("select lang, {score} from '{from}' group by lang order by lang");
        assert_eq!(bits(&floats(&context, &sql).await?), expected, "{sql}");
    }
    // Files lose the metric of their counts, unless the metadata of fields is read.
    let bare = format!("select metric_score(metric_sum(c)) from '{counts}'");
    assert!(floats(&context, &bare).await.unwrap_err().to_string().contains("whose they are"));
    run(&context, "set datafusion.execution.parquet.skip_metadata = false").await?;
    assert!(floats(&context, &bare).await?[0].is_some());
    Ok(())
}

#[test]
fn the_program() {
    let folder = TempDir::new().unwrap();
    std::fs::write(
        path(&folder, "a.csv"),
        "lang,hyp,ref\nde,The dog bit the man.,The dog bit the man.\nfr,a b,c d\n",
    )
    .unwrap();
    let query = "SELECT lang, chrf(hyp, ref) AS chrf FROM 'a.csv' GROUP BY lang ORDER BY lang";
    for (format, expected) in [
        ("table", "| lang | chrf  |\n+------+-------+\n| de   | 100.0 |\n"),
        ("csv", "lang,chrf\nde,100.0\nfr,0.0\n"),
        ("tsv", "lang\tchrf\nde\t100.0\nfr\t0.0\n"),
        ("json", "{\"lang\":\"de\",\"chrf\":100.0}\n{\"lang\":\"fr\",\"chrf\":0.0}\n"),
    ] {
        let out = program(folder.path(), &["-f", format, query]);
        assert!(out.status.success() && text(&out.stdout).contains(expected), "{format}: {out:?}");
    }
    std::fs::write(path(&folder, "b.csv"), b"hyp,ref\na,\xff\n").unwrap();
    for (sql, expected) in [
        ("SELECT bleu(hyp, ref) FROM 'none.parquet'", "none.parquet"),
        ("SELECT bleu(hyp, rref) FROM 'a.csv'", "rref"),
        ("SELECT bleu(hyp, ref) FROM 'b.csv'", "UTF-8"),
        ("SELEC", "SELEC"),
    ] {
        let out = program(folder.path(), &[sql]);
        assert!(out.status.code() == Some(2) && out.stdout.is_empty(), "{sql}: {out:?}");
        assert!(text(&out.stderr).contains(expected), "{sql}: {}", text(&out.stderr));
    }
    assert!(text(&program(folder.path(), &["--help"]).stdout).starts_with("bleuprint-sql [-f FORMAT]"));
    let several = "CREATE TABLE t AS SELECT * FROM 'a.csv'; SELECT count(*) AS n FROM t WHERE hyp <> 'x;y'";
    assert_eq!(text(&program(folder.path(), &["-f", "csv", several]).stdout), "n\n2\n");
    let other = program(folder.path(), &["--tokenize", "nope", query]);
    assert!(text(&other.stderr).contains("unknown tokenizer `nope`"));
}
