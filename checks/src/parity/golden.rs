//! Golden data of the testkit: checks its expected values against the oracle and against this program.

use bleuprint_testkit::golden::{self, ExpectedResults, GoldenRow};
use bleuprint_testkit::tables;
use serde::Deserialize;
use serde_json::json;
use xtask::Result;

use super::bleu::BleuOptions;
use super::corpus::ParityCorpus;
use super::oracle::Oracle;
use super::outcome::{CaseOutcome, FloatBits, difference};
use super::sacrebleu::question;
use super::{ParityRun, ours};

/// Compares BLEU rows: the file with the oracle, and the oracle with this program.
pub(super) fn bleu(comparison: &mut ParityRun<'_>) -> Result {
    let mut oracle = comparison.sacrebleu()?;
    for file in ["papineni", "sacrebleu", "smoothing"] {
        for row in golden::rows(file).iter().filter(|row| row.expected.error.is_none()) {
            let (theirs, ours) = both(comparison, &mut oracle, row)?;
            let name = || format!("bleu/{file}.jsonl, {}", row.name);
            // The files hold the promised bits, which another interpreter does not give.
            if comparison.given.promised {
                let differences = expected_differences(&row.expected, &theirs);
                comparison.report.case("golden BLEU cases against sacreBLEU", differences, name);
            }
            let differences = theirs.differences(ours.as_ref());
            comparison.report.case("golden BLEU cases, sacreBLEU against ours", differences, name);
        }
    }
    Ok(())
}

fn both(
    comparison: &ParityRun<'_>,
    oracle: &mut Oracle,
    row: &GoldenRow,
) -> Result<(CaseOutcome, Result<CaseOutcome>)> {
    let summation = comparison.given.summation;
    let options = BleuOptions::from_spec(&row.spec);
    if let Some(given) = &row.statistics {
        let statistics = json!({
            "counts": given.counts, "totals": given.totals, "sys_len": given.sys_len, "ref_len": given.ref_len,
        });
        let question = json!({ "question": "statistics", "statistics": statistics, "options": options });
        return Ok((oracle.ask(&question)?, ours::bleu_of_statistics(given, &options, summation)));
    }
    // Segments with fewer references have none in the last streams.
    let streams = row.references.iter().map(Vec::len).max().unwrap_or(0);
    let stream = |index: usize| row.references.iter().map(|own| own.get(index).cloned()).collect();
    let corpus =
        ParityCorpus { hypotheses: row.hypotheses.clone(), streams: (0..streams).map(stream).collect() };
    let theirs = oracle.ask(&question("corpus", &corpus, &options))?;
    Ok((theirs, ours::bleu(&corpus, &options, summation)))
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
pub(super) fn tokenize(comparison: &mut ParityRun<'_>) -> Result {
    let mut oracle = comparison.sacrebleu()?;
    for (name, file) in tables::tokenize() {
        let texts: Vec<&str> = file.iter().map(|case| case.text.as_str()).collect();
        let question = json!({ "question": "tokenize", "tokenizer": name, "texts": texts });
        let theirs: Vec<Vec<String>> = oracle.ask(&question)?;
        let tokenizer = ours::tokenizer(name)?;
        for (case, theirs) in file.iter().zip(&theirs) {
            let ours = ours::tokens(&*tokenizer, &case.text)?;
            let differences =
                [difference("the file", theirs, &case.tokens), difference("tokens", theirs, &ours)];
            let name = || format!("tokenize/{name}.toml, {}", case.name);
            comparison.report.case("golden tokenizer cases", differences.into_iter().flatten(), name);
        }
    }
    Ok(())
}

/// Compares BLEU signatures in the file with the oracle.
pub(super) fn signatures(comparison: &mut ParityRun<'_>) -> Result {
    #[derive(Deserialize)]
    struct Forms {
        long: String,
        short: String,
    }
    let mut oracle = comparison.sacrebleu()?;
    for case in tables::signatures() {
        // After a bootstrap and for varying references the driver would have to do more than ask.
        let plain = case.spec.starts_with("bleu") && !case.long.contains("|bs:");
        let (Some(nrefs), true) = (case.nrefs, plain) else { continue };
        let options = BleuOptions::from_spec(&case.spec);
        let question = json!({ "question": "signature", "nrefs": nrefs, "options": options });
        let theirs: Forms = oracle.ask(&question)?;
        let short = case.short.as_ref().and_then(|short| difference("short form", &theirs.short, short));
        let differences = difference("the file", &theirs.long, &case.long).into_iter().chain(short);
        comparison.report.case("golden signatures against sacreBLEU", differences, || case.name.clone());
    }
    Ok(())
}
