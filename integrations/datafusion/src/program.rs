//! Shared work of `bleuprint-sql` on one machine and on a cluster: arguments, the queries of a session, and
//! rows as text.

use std::future::Future;
use std::io::Write as _;
use std::process::ExitCode;

use bleuprint::eval::TokenRequest;
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::arrow::{csv, json};
use datafusion::common::Result;
use datafusion::prelude::SessionContext;
use datafusion::sql::parser::DFParser;

use crate::Functions;

/// Help text for the options of [`Request::parse`].
pub const OPTIONS: &str = "\
  SQL         one statement, or several with `;` between; the rows of the last are printed
  FROM        'file.parquet', 'folder/*.csv', 'lines.json' (JSON Lines), 'file.arrow', or a table of CREATE EXTERNAL TABLE
  -f          how rows are printed: table (default), csv, tsv or json (binary is hexadecimal)
  -p          how many partitions a query has (default: one for each core)
  --tokenize  the tokens of metrics that name none and have none of their own (default: 13a)

Functions: metric('chrf:word-order=2', hyp, ref [, source]), metric_state, metric_merge, metric_counts, metric_sum, metric_score,
and short names for defaults: bleu, chrf, chrfpp, ter, wer, rouge_l, ..
";

const FORMATS: [&str; 4] = ["table", "csv", "tsv", "json"];

/// Query with its options.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// SQL statements.
    pub sql: String,
    /// Format in which rows are printed: table, csv, tsv or json.
    pub format: String,
    /// Number of partitions of a query.
    pub partitions: Option<usize>,
    /// Tokenizer of the metrics that name none.
    pub tokenize: Option<String>,
}

impl Request {
    /// Parses the arguments after the name of the program.
    ///
    /// # Errors
    /// Returns a message if an option is unknown or has no value, or if there is not exactly one SQL text.
    pub fn parse(args: impl IntoIterator<Item = String>) -> Result<Self, String> {
        let mut args = args.into_iter();
        let mut sql = None;
        let mut format = "table".to_owned();
        let mut partitions = None;
        let mut tokenize = None;
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or_else(|| format!("{arg} needs a value"));
            match arg.as_str() {
                "-f" => format = value()?,
                "-p" => {
                    let count = value()?;
                    let read = count.parse().ok().filter(|&count: &usize| count > 0);
                    partitions =
                        Some(read.ok_or_else(|| format!("-p is {count}, but must be a number from 1"))?);
                }
                "--tokenize" => tokenize = Some(value()?),
                _ if arg.starts_with('-') => {
                    return Err(format!("unknown option `{arg}`; expected one of: -f, -p, --tokenize"));
                }
                _ if sql.is_some() => return Err(format!("one SQL is meant, but a second follows: {arg}")),
                _ => sql = Some(arg),
            }
        }
        if !FORMATS.contains(&format.as_str()) {
            return Err(format!("unknown format `{format}`; expected one of: {}", FORMATS.join(", ")));
        }
        Ok(Request { sql: sql.ok_or("the SQL is missing")?, format, partitions, tokenize })
    }

    /// Returns the rows of the last statement in this session, as text.
    ///
    /// # Errors
    /// Returns the errors of DataFusion and of the functions, as messages.
    pub async fn answer(&self, context: SessionContext) -> Result<String, String> {
        let context = context.enable_url_table();
        functions(self.tokenize.as_deref())?.register(&context);
        let rows = rows(&context, &self.sql).await;
        rows.and_then(|rows| written(&rows, &self.format)).map_err(|error| error.strip_backtrace())
    }
}

/// Returns the functions of all metrics, with the tokens of this tokenizer.
///
/// # Errors
/// Returns a message if the tokenizer is unknown.
pub fn functions(tokenize: Option<&str>) -> Result<Functions, String> {
    let families = bleuprint::families();
    let tokens = TokenRequest { tokenizer: tokenize.map(str::to_owned), ..TokenRequest::default() };
    let tokens = tokens.choose(families.tokenizers()).map_err(|error| error.to_string())?;
    Functions::with_tokens(families.registry().clone(), tokens.asked(false, false))
        .map_err(|error| error.strip_backtrace())
}

/// Runs a program: prints its answer, or prints its error and exits with code 2.
pub fn main(answer: impl Future<Output = Result<String, String>> + Send + 'static) -> ExitCode {
    // Plans of long queries are deeply nested, so threads get a large stack.
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().thread_stack_size(32 << 20).build();
    let answer = runtime.map_err(|error| error.to_string()).and_then(|runtime| {
        runtime.block_on(async { tokio::spawn(answer).await.unwrap_or_else(|error| Err(error.to_string())) })
    });
    let (text, code) = match &answer {
        Ok(text) => (text, ExitCode::SUCCESS),
        Err(text) => (text, ExitCode::from(2)),
    };
    // A reader such as `head` may close the pipe early, which is no error.
    let _ = match answer {
        Ok(_) => std::io::stdout().write_all(text.as_bytes()),
        Err(_) => writeln!(std::io::stderr(), "{text}"),
    };
    code
}

async fn rows(context: &SessionContext, sql: &str) -> Result<Vec<RecordBatch>> {
    // All statements run, but only the rows of the last one are printed, as in other SQL shells.
    let mut rows = Vec::new();
    for statement in DFParser::parse_sql(sql)? {
        let plan = context.state().statement_to_plan(statement).await?;
        rows = context.execute_logical_plan(plan).await?.collect().await?;
    }
    Ok(rows)
}

fn written(rows: &[RecordBatch], format: &str) -> Result<String> {
    let mut out = Vec::new();
    match format {
        "json" => {
            let mut writer = json::LineDelimitedWriter::new(&mut out);
            rows.iter().try_for_each(|batch| writer.write(batch))?;
            writer.finish()?;
        }
        "csv" | "tsv" => {
            let delimiter = if format == "csv" { b',' } else { b'\t' };
            let mut writer = csv::WriterBuilder::new().with_delimiter(delimiter).build(&mut out);
            rows.iter().try_for_each(|batch| writer.write(batch))?;
        }
        _ => return Ok(format!("{}\n", pretty_format_batches(rows)?)),
    }
    Ok(String::from_utf8_lossy(&out).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_read_strictly() {
        let parse = |args: &[&str]| Request::parse(args.iter().map(|arg| (*arg).to_owned()));
        let request = parse(&["-f", "json", "select 1", "-p", "2"]).unwrap();
        assert_eq!(
            (request.sql.as_str(), request.format.as_str(), request.partitions),
            ("select 1", "json", Some(2))
        );
        let wrong: [(&[&str], &str); 6] = [
            (&[], "the SQL is missing"),
            (&["a", "b"], "one SQL is meant, but a second follows: b"),
            (&["-p", "0", "a"], "-p is 0, but must be a number from 1"),
            (&["a", "-p"], "-p needs a value"),
            (&["-f", "xml", "a"], "unknown format `xml`; expected one of: table, csv, tsv, json"),
            (&["--wat", "a"], "unknown option `--wat`"),
        ];
        for (args, expected) in wrong {
            assert!(parse(args).unwrap_err().starts_with(expected), "{args:?}");
        }
    }
}
