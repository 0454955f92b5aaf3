//! Implements `align --format json`: writes one line of JSON for each segment, then one line with the error
//! tables.

use bleuprint::metrics::edit::{ErrorTables, Occurrences, WordErrors};
use bleuprint_requests::words;
use serde_json::{Value, json};

use super::tables::{KINDS, PHRASES};
use super::{AlignOutcome, AlignView};
use crate::shared::command::*;

pub(super) fn write(outcome: &AlignOutcome, view: &AlignView, out: &mut Out) -> Result<()> {
    for aligned in &outcome.shown {
        let reference = &aligned.reference[..];
        let hypothesis = &aligned.hypothesis[..];
        let segment =
            words::json(aligned.number, aligned.id.as_deref(), reference, hypothesis, &aligned.alignment);
        writeln!(out, "{segment}")?;
    }
    writeln!(out, "{}", all(outcome, view))?;
    Ok(())
}

fn all(outcome: &AlignOutcome, view: &AlignView) -> Value {
    let tables = &outcome.tables;
    let top = view.top.unwrap_or(usize::MAX);
    let in_references = |word: &str| tables.word(word).map_or(0, WordErrors::in_references);
    let with = |mut row: Value, word: &str, all: &Occurrences| {
        row["count"] = json!(all.count);
        row["in_references"] = json!(in_references(word));
        row["segments"] = json!(all.segments);
        row
    };
    let confusion = |((own, other), all): &((&str, &str), &Occurrences)| {
        with(json!({ "reference": own, "hypothesis": other }), own, all)
    };
    let mut object = json!({
        "signature": outcome.signature,
        "counts": counts(tables),
        "confusions": tables.confusions().iter().take(top).map(confusion).collect::<Vec<_>>(),
    });
    for (name, kind) in KINDS {
        let rows = tables.words_of(kind);
        let rows = rows.iter().take(top).map(|(word, all)| with(json!({ "word": word }), word, all));
        object[name] = rows.collect();
    }
    let word = |(word, errors): &(&str, &WordErrors)| {
        json!({
            "word": word,
            "hits": errors.hits,
            "substituted": errors.substituted.count,
            "substitute": errors.substitute.count,
            "deleted": errors.deleted.count,
            "inserted": errors.inserted.count,
        })
    };
    object["words"] = tables.words().iter().take(top).map(word).collect();
    let phrases = PHRASES.into_iter().map(|(name, operation)| {
        let rows = tables.phrases(operation, outcome.between()).take(top);
        let rows =
            rows.map(|(own, other, count)| json!({ "reference": own, "hypothesis": other, "count": count }));
        (name.to_owned(), rows.collect::<Value>())
    });
    object["phrases"] = Value::Object(phrases.collect());
    let group = |(by, value, tables): &(String, String, ErrorTables)| {
        let mut group = counts(tables);
        (group["by"], group["group"]) = (json!(by), json!(value));
        group
    };
    object["groups"] = outcome.groups.iter().map(group).collect();
    for (name, table) in outcome.word_tables.json() {
        object[name] = table;
    }
    object
}

fn counts(tables: &ErrorTables) -> Value {
    let counts = tables.counts();
    // Without words of the reference the rate is undefined, and `null` in JSON.
    let rate = (counts.ref_len() > 0).then(|| counts.edits() as f64 / counts.ref_len() as f64);
    json!({
        "segments": tables.segments(),
        "segments_with_errors": tables.segments_with_errors(),
        "reference_length": counts.ref_len(),
        "hypothesis_length": counts.hyp_len(),
        "hits": counts.hits,
        "substitutions": counts.substitutions,
        "deletions": counts.deletions,
        "insertions": counts.insertions,
        "wer": rate,
    })
}
