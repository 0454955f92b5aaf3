//! `--trec`: judgements and runs as TREC has them, as rankings for `ndcg`.

use std::collections::BTreeMap;

use bleuprint::contract::Form as _;
use bleuprint::text::read::FieldReader;
use bleuprint::text::{Encoding, LineReader, ReadSegments, ReaderEntry, SegmentKind, whitespace};
use bleuprint::{InputError, Location, Result};
use serde_json::{Map, Value, json};

use crate::metrics::ndcg::Ranking;

pub static READERS: &[ReaderEntry] = &[ReaderEntry {
    name: "trec",
    help: "REF are judgements (query 0 document grade), SYS runs (query Q0 document rank score name); for ndcg",
    of: "rankings",
    metrics: "ndcg",
    gives: SegmentKind::Form(Ranking::NAME),
    value: None,
    has_outputs: false,
    options: &[],
    open: |files| {
        let mut judged: BTreeMap<String, Map<String, Value>> = BTreeMap::new();
        read(files.reference, |[query, _, document, grade]: [&str; 4]| {
            let grade: u64 = number("grade", grade)?;
            judged.entry(query.to_owned()).or_default().insert(document.to_owned(), grade.into());
            Ok(())
        })?;
        let mut rows = Vec::new();
        for system in files.systems {
            let mut runs: BTreeMap<String, Vec<(u64, String)>> = BTreeMap::new();
            read(system, |[query, _, document, rank, _, _]: [&str; 6]| {
                let place = (number("rank", rank)?, document.to_owned());
                runs.entry(query.to_owned()).or_default().push(place);
                Ok(())
            })?;
            for (query, grades) in &judged {
                let mut run = runs.remove(query).unwrap_or_default();
                run.sort();
                let documents: Vec<String> = run.into_iter().map(|(_, document)| document).collect();
                let fields = [
                    ("system", json!(system)),
                    ("id", json!(query)),
                    ("hypothesis", json!({ "docs": documents })),
                    ("reference", json!(grades)),
                    ("source", json!(query)),
                ];
                let row = fields.map(|(name, value)| (name.to_owned(), value)).into_iter().collect();
                rows.push((Location::file(&**system), row));
            }
        }
        Ok(ReadSegments::Records(FieldReader::of_rows(rows)))
    },
}];

/// Hands the fields of each line to `each`.
fn read<const N: usize>(path: &str, mut each: impl FnMut([&str; N]) -> Result<()>) -> Result<()> {
    let mut lines = LineReader::open(path, Encoding::Utf8Sig)?;
    while lines.advance()? {
        let fields: Vec<&str> = whitespace::split(lines.line()).collect();
        let exactly = || InputError::malformed(format!("{} fields, but {N} are expected", fields.len()));
        let fields = <[&str; N]>::try_from(&fields[..]).map_err(|_| exactly());
        fields.and_then(&mut each).map_err(|error| error.at(lines.location()))?;
    }
    Ok(())
}

fn number(what: &str, field: &str) -> Result<u64> {
    field.parse().map_err(|_| InputError::malformed(format!("the {what} `{field}` is no whole number")))
}
