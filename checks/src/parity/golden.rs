//! The golden data of the testkit: what its files expect is what the oracle says, and what we say.

use bleuprint_testkit::golden::{self, BleuCase, Expected, Options, Reference};
use serde::Deserialize;
use serde_json::json;

use super::Comparison;
use super::corpus::Corpus;
use super::ours;
use super::outcome::Outcome;

/// BLEU cases: the file against the oracle, and the oracle against us.
pub(super) fn bleu(comparison: &mut Comparison) -> Result<(), String> {
    for (file, cases) in golden::all_bleu() {
        for case in cases.cases.iter().filter(|case| case.expected.error.is_none()) {
            let (theirs, ours) = both(comparison, case)?;
            let name = || format!("bleu/{file}.toml, {}", case.name);
            // The files hold the promised bits, which another interpreter does not give.
            if comparison.promised {
                let differences = expected_differences(&case.expected, &theirs);
                comparison.report.case("golden BLEU cases against sacreBLEU", &differences, name);
            }
            let differences = match ours {
                Ok(ours) => theirs.differences(&ours),
                Err(error) => vec![format!("ours refused: {error}")],
            };
            comparison.report.case("golden BLEU cases, sacreBLEU against ours", &differences, name);
        }
    }
    Ok(())
}

fn both(comparison: &mut Comparison, case: &BleuCase) -> Result<(Outcome, Result<Outcome, String>), String> {
    let options = super::options_as_json(&case.options);
    if let Some(given) = &case.statistics {
        let statistics = json!({
            "counts": given.counts, "totals": given.totals, "sys_len": given.sys_len, "ref_len": given.ref_len,
        });
        let question = json!({ "question": "statistics", "statistics": statistics, "options": options });
        return Ok((comparison.ask(&question)?, comparison.ours.finish(given, &case.options)));
    }
    let streams = case.references.iter().flatten();
    let text = |reference: &Reference| reference.text().map(str::to_owned);
    let corpus = Corpus {
        hypotheses: case.hypotheses.clone().unwrap_or_default(),
        streams: streams.map(|stream| stream.iter().map(text).collect()).collect(),
    };
    let question = json!({
        "question": "corpus", "hypotheses": corpus.hypotheses, "references": corpus.streams, "options": options,
    });
    Ok((comparison.ask(&question)?, comparison.ours.corpus(&corpus, &case.options)))
}

/// The fields that the file states and the oracle does not confirm.
fn expected_differences(expected: &Expected, theirs: &Outcome) -> Vec<String> {
    let bits = |floats: &[f64]| floats.iter().map(|float| float.to_bits()).collect::<Vec<_>>();
    let checks = [
        ("counts", expected.counts.as_ref().is_none_or(|counts| *counts == theirs.counts)),
        ("totals", expected.totals.as_ref().is_none_or(|totals| *totals == theirs.totals)),
        ("sys_len", expected.sys_len.is_none_or(|len| len == theirs.sys_len)),
        ("ref_len", expected.ref_len.is_none_or(|len| len == theirs.ref_len)),
        ("bp", expected.bp.is_none_or(|bp| bp.to_bits() == theirs.bp)),
        ("precisions", expected.precisions.as_deref().is_none_or(|p| bits(p) == theirs.precisions)),
        ("score", expected.score.is_none_or(|score| score.to_bits() == theirs.score)),
    ];
    let wrong = checks.into_iter().filter(|(_, right)| !right);
    wrong.map(|(field, _)| format!("the file's {field} is not what sacreBLEU says: {theirs:?}")).collect()
}

/// Tokenizer cases: the file against the oracle, and the oracle against us.
pub(super) fn tokenize(comparison: &mut Comparison) -> Result<(), String> {
    for (name, file) in golden::all_tokenize() {
        let texts: Vec<String> = file.cases.iter().map(|case| case.text.clone()).collect();
        let theirs: Vec<Vec<String>> =
            comparison.ask(&json!({ "question": "tokenize", "tokenizer": name, "texts": texts }))?;
        let ours = ours::tokenize(name, &texts)?;
        for ((case, theirs), ours) in file.cases.iter().zip(&theirs).zip(&ours) {
            let mut differences = Vec::new();
            if case.tokens != *theirs {
                differences.push(format!("the file has {:?}, sacreBLEU says {theirs:?}", case.tokens));
            }
            if ours != theirs {
                differences.push(format!("sacreBLEU {theirs:?}, ours {ours:?}"));
            }
            let case = || format!("tokenize/{name}.toml, {}", case.name);
            comparison.report.case("golden tokenizer cases", &differences, case);
        }
    }
    Ok(())
}

/// Signatures of BLEU: the file against the oracle.
pub(super) fn signatures(comparison: &mut Comparison) -> Result<(), String> {
    #[derive(Deserialize)]
    struct Forms {
        long: String,
        short: String,
    }
    for case in golden::signatures().cases {
        // After a bootstrap and for varying references the driver would have to do more than ask.
        let plain = !case.long.contains("|bs:");
        let (Some(nrefs), Some(options), true) = (case.nrefs, &case.options, plain) else { continue };
        let options: &Options = options;
        let question =
            json!({ "question": "signature", "nrefs": nrefs, "options": super::options_as_json(options) });
        let theirs: Forms = comparison.ask(&question)?;
        let mut differences = Vec::new();
        if theirs.long != case.long || case.short.as_ref().is_some_and(|short| *short != theirs.short) {
            differences.push(format!("the file has {}, sacreBLEU says {}", case.long, theirs.long));
        }
        comparison.report.case("golden signatures against sacreBLEU", &differences, || case.name.clone());
    }
    Ok(())
}
