//! Golden data of the testkit: checks its expected values against the oracle and against this program.

use super::bleu::BleuOptions;
use super::corpus::ParityCorpus;
use super::outcome::{CaseOutcome, FloatBits, difference};
use super::sacrebleu::question;
use super::topic::{ParityTopic, TopicNeeds, given_part};
use super::{DRIVER, ours};
use bleuprint_testkit::golden::{self, ExpectedResults, GoldenRow};
use bleuprint_testkit::tables;
use serde::Deserialize;
use serde_json::{Value, json};

/// Number of rows in one question to the oracle.
const BATCH: usize = 20;

/// Compares BLEU rows: the file with the oracle, and the oracle with this program.
pub(super) const BLEU: ParityTopic = ParityTopic {
    script: DRIVER,
    needs: TopicNeeds::Nothing,
    seed: 0,
    parts: |comparison, _| {
        let promised = comparison.given.promised;
        let summation = comparison.given.summation;
        let mut rows = Vec::new();
        for file in ["papineni", "sacrebleu", "smoothing"] {
            let valid = golden::rows(file).into_iter().filter(|row| row.expected.error.is_none());
            rows.extend(valid.map(|row| (file, row)));
        }
        let questions =
            |rows: &[(&str, GoldenRow)]| rows.iter().map(|(_, row)| row_question(row)).collect::<Value>();
        Ok(vec![given_part(rows, BATCH, questions, move |report, (file, row), theirs: CaseOutcome| {
            let name = || format!("bleu/{file}.jsonl, {}", row.name);
            // The files hold the promised bits, which another interpreter does not give.
            if promised {
                let differences = expected_differences(&row.expected, &theirs);
                report.case("golden BLEU cases against sacreBLEU", differences, name);
            }
            let options = BleuOptions::from_spec(&row.spec);
            let ours = match &row.statistics {
                Some(given) => ours::bleu_of_statistics(given, &options, summation),
                None => ours::bleu(&corpus(row), &options, summation),
            };
            let differences = theirs.differences(ours.as_ref());
            report.case("golden BLEU cases, sacreBLEU against ours", differences, name);
            Ok(())
        })])
    },
};

fn row_question(row: &GoldenRow) -> Value {
    let options = BleuOptions::from_spec(&row.spec);
    let Some(given) = &row.statistics else { return question("corpus", &corpus(row), &options) };
    let statistics = json!({
        "counts": given.counts, "totals": given.totals, "sys_len": given.sys_len, "ref_len": given.ref_len,
    });
    json!({ "question": "statistics", "statistics": statistics, "options": options })
}

fn corpus(row: &GoldenRow) -> ParityCorpus {
    // Segments with fewer references have none in the last streams.
    let streams = row.references.iter().map(Vec::len).max().unwrap_or(0);
    let stream = |index: usize| row.references.iter().map(|own| own.get(index).cloned()).collect();
    ParityCorpus { hypotheses: row.hypotheses.clone(), streams: (0..streams).map(stream).collect() }
}

/// Returns the numbers of the file that the oracle does not confirm.
fn expected_differences(expected: &ExpectedResults, theirs: &CaseOutcome) -> Vec<String> {
    let counts = |counts: &[u64]| json!(counts);
    let floats = |bits: &[FloatBits]| json!(bits.iter().map(|bits| bits.value()).collect::<Vec<_>>());
    let parts = [
        ("counts", counts(&theirs.counts)),
        ("totals", counts(&theirs.totals)),
        ("sys_len", json!(theirs.sys_len)),
        ("ref_len", json!(theirs.ref_len)),
        ("bp", json!(theirs.bp.value())),
        ("precisions", floats(&theirs.precisions)),
        ("score", json!(theirs.score.value())),
    ];
    let wrong = parts.into_iter().filter(|(key, value)| match *key {
        "score" => expected.score.is_some_and(|score| json!(score) != *value),
        key => expected.parts.get(key).is_some_and(|part| part != value),
    });
    wrong.map(|(key, _)| format!("the file's {key} is not what sacreBLEU says: {theirs:?}")).collect()
}

/// Compares tokenizer cases: the file with the oracle, and the oracle with this program.
pub(super) const TOKENIZE: ParityTopic = ParityTopic {
    script: DRIVER,
    needs: TopicNeeds::Nothing,
    seed: 0,
    parts: |_, _| {
        let mut parts = Vec::new();
        for (name, file) in tables::tokenize() {
            let tokenizer = ours::tokenizer(name)?;
            let question = move |cases: &[tables::TokenizeCase]| {
                let texts: Vec<&str> = cases.iter().map(|case| case.text.as_str()).collect();
                json!({ "question": "tokenize", "tokenizer": name, "texts": texts })
            };
            parts.push(given_part(file, BATCH, question, move |report, case, theirs: Vec<String>| {
                let ours = ours::tokens(&*tokenizer, &case.text)?;
                let differences =
                    [difference("the file", &theirs, &case.tokens), difference("tokens", &theirs, &ours)];
                let name = || format!("tokenize/{name}.toml, {}", case.name);
                report.case("golden tokenizer cases", differences.into_iter().flatten(), name);
                Ok(())
            }));
        }
        Ok(parts)
    },
};

#[derive(Deserialize)]
struct SignatureForms {
    long: String,
    short: String,
}

/// Compares BLEU signatures in the file with the oracle.
pub(super) const SIGNATURES: ParityTopic = ParityTopic {
    script: DRIVER,
    needs: TopicNeeds::Nothing,
    seed: 0,
    parts: |_, _| {
        let mut cases = tables::signatures();
        // After a bootstrap and for varying references the driver would have to do more than ask.
        cases.retain(|case| {
            case.nrefs.is_some() && case.spec.starts_with("bleu") && !case.long.contains("|bs:")
        });
        let question = |case: &tables::SignatureCase| {
            let options = BleuOptions::from_spec(&case.spec);
            json!({ "question": "signature", "nrefs": case.nrefs, "options": options })
        };
        let questions = move |cases: &[_]| cases.iter().map(question).collect::<Value>();
        Ok(vec![given_part(cases, BATCH, questions, |report, case, theirs: SignatureForms| {
            let short = case.short.as_ref().and_then(|short| difference("short form", &theirs.short, short));
            let differences = difference("the file", &theirs.long, &case.long).into_iter().chain(short);
            report.case("golden signatures against sacreBLEU", differences, || case.name.clone());
            Ok(())
        })])
    },
};
