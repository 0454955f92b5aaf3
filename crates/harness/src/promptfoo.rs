//! A reader of results of the evaluation tool promptfoo: each combination of provider and prompt is a system,
//! and each test is an item.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

use bleuprint_core::{InputError, Location, Result};
use bleuprint_text::read::FieldReader;
use serde_json::{Value, json};

use crate::{Log, LogRecord, LogTexts, LogValue, document, files};

/// The value of promptfoo's field `failureReason` for a run that failed without an answer.
const FAILED_RUN: u64 = 2;

/// The names of the numbers that promptfoo writes for every sample.
const OWN: [&str; 2] = ["success", "score"];

/// The fields of a promptfoo test case that, besides its variables, distinguish it from other test cases.
const OF_A_TEST: [&str; 4] = ["description", "assert", "options", "threshold"];

/// Result of one test run in a promptfoo log, before repetitions of the same test are grouped.
struct PromptfooResult {
    provider: String,
    prompt: String,
    test: u64,
    /// The variables and asserts of the test as text; `None` if the log has neither.
    identity: Option<String>,
    record: LogRecord,
}

pub(crate) fn read(path: &Path) -> Result<Log> {
    let is_log = |name: &str| name.ends_with(".json") || name.ends_with(".jsonl");
    let file = files::only(path, is_log, "*.json or *.jsonl, which --output writes")?;
    if !file.to_str().is_some_and(is_log) {
        let message = "only the output in JSON is read: `promptfoo eval --output results.json` writes it";
        return Err(InputError::malformed(message).at(document::file(&file)));
    }
    let mut results = Vec::new();
    if file.extension().is_some_and(|end| end == "jsonl") {
        let mut fields = FieldReader::open(&file, None)?;
        while fields.advance()? {
            let line = Value::Object(fields.record()?.into_owned());
            results.push(result(&line, fields.location())?);
        }
    } else {
        let document = document::read(&file)?;
        // Version 3 of the format has the list one level deeper.
        let place = if document["results"].is_array() { "/results" } else { "/results/results" };
        for one in document::array(&document, place, &file)? {
            results.push(result(one, document::file(&file))?);
        }
    }
    Ok(Log { records: records(results), ..Log::default() })
}

fn result(one: &Value, location: Location) -> Result<PromptfooResult> {
    let provider = &one["provider"];
    // A provider is a text, or an object with a label or only an id.
    let provider = document::label(provider)
        .or_else(|| document::label(&provider["label"]))
        .or_else(|| document::label(&provider["id"]))
        .unwrap_or_default();
    let prompt = document::required(one, "promptIdx", &location)?;
    let test = one["testIdx"].as_u64().ok_or_else(|| {
        let message = format!("`testIdx` is {}, but must be a whole number from 0", one["testIdx"]);
        InputError::malformed(message).at(location.clone())
    })?;
    let of_test = OF_A_TEST.map(|name| &one["testCase"][name]);
    let is_known = !one["vars"].is_null() || of_test.iter().any(|value| !value.is_null());
    Ok(PromptfooResult {
        provider,
        prompt,
        test,
        identity: is_known.then(|| json!([one["vars"], of_test]).to_string()),
        record: LogRecord {
            group: document::group(&one["vars"]).or_else(|| document::group(&one["metadata"])),
            asserts: asserts(&one["testCase"]["assert"]),
            values: values(one),
            texts: LogTexts::of_promptfoo(one),
            location,
            ..LogRecord::default()
        },
    })
}

/// Converts results to records: assigns names to the systems and items, and numbers the samples of each item.
fn records(mut results: Vec<PromptfooResult>) -> Vec<LogRecord> {
    let mut prompts: HashMap<String, BTreeSet<String>> = HashMap::new();
    for result in &results {
        prompts.entry(result.provider.clone()).or_default().insert(result.prompt.clone());
    }
    let items = items(&results);
    // Results are written when they are complete, so repetitions are ordered by the number of their test.
    results.sort_by_key(|result| result.test);
    let mut samples: HashMap<(String, u64), u64> = HashMap::new();
    let record = |PromptfooResult { provider, prompt, test, record, .. }: PromptfooResult| {
        let alone = prompts.get(&provider).is_none_or(|prompts| prompts.len() == 1);
        let system = if alone { provider } else { format!("{provider}|{prompt}") };
        let item = items.get(&test).copied().unwrap_or(test);
        let next = samples.entry((system.clone(), item)).or_default();
        let sample = *next;
        *next += 1;
        LogRecord { system: Some(system), id: item.to_string(), sample, ..record }
    };
    results.into_iter().map(record).collect()
}

/// Returns the item of each test, or an empty map if each test is an item. In logs of version 0.121, each
/// repetition by `--repeat` counts as a test: tests with equal variables and asserts are then one item. Items
/// are counted from 0, as the tests are in a log without repetitions.
fn items(results: &[PromptfooResult]) -> HashMap<u64, u64> {
    // All systems run the same tests, so one result tells what a test is.
    let mut identities: BTreeMap<u64, &str> = BTreeMap::new();
    for result in results {
        if let Some(identity) = &result.identity {
            identities.entry(result.test).or_insert(identity);
        }
    }
    let mut first: HashMap<&str, u64> = HashMap::new();
    for (test, identity) in &identities {
        first.entry(identity).or_insert(*test);
    }
    if first.len() == identities.len() {
        return HashMap::new();
    }
    let tests: BTreeSet<u64> = results.iter().map(|result| result.test).collect();
    let first_of = |test: u64| identities.get(&test).and_then(|own| first.get(own)).copied().unwrap_or(test);
    let distinct: BTreeSet<u64> = tests.iter().map(|&test| first_of(test)).collect();
    let ranks: HashMap<u64, u64> = distinct.into_iter().zip(0..).collect();
    tests.into_iter().map(|test| (test, ranks[&first_of(test)])).collect()
}

/// Returns the distinct pairs of an assert's type and the name of its score, in order of occurrence.
fn asserts(all: &Value) -> Vec<(String, Option<String>)> {
    fn collect(all: &Value, found: &mut BTreeSet<(String, Option<String>)>) {
        for one in all.as_array().into_iter().flatten() {
            found
                .insert((document::label(&one["type"]).unwrap_or_default(), document::label(&one["metric"])));
            // An `assert-set` holds further asserts.
            collect(&one["assert"], found);
        }
    }
    let mut found = BTreeSet::new();
    collect(all, &mut found);
    found.into_iter().collect()
}

fn values(one: &Value) -> Vec<(String, LogValue)> {
    // Without a `failureReason`, an `error` shows that the run failed.
    let failed = one["failureReason"].as_u64() == Some(FAILED_RUN)
        || one["failureReason"].is_null() && !one["error"].is_null();
    let own = OWN.map(|name| {
        let value = if failed { LogValue::Missing("error") } else { LogValue::from_json(&one[name]) };
        (name.to_owned(), value)
    });
    let named = one["namedScores"].as_object().into_iter().flatten();
    let named = named.filter(|_| !failed).map(|(name, value)| {
        // A named score must not replace the number of the same name.
        let name = if OWN.contains(&&**name) { format!("namedScores.{name}") } else { name.clone() };
        (name, LogValue::from_json(value))
    });
    own.into_iter().chain(named).collect()
}
