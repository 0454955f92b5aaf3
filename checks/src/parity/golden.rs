//! The golden data of the testkit: what its files expect is what the oracle says, and what we say.

use bleuprint_testkit::golden::{self, BleuCase, Expected, Reference};
use serde::Deserialize;
use serde_json::json;
use xtask::Result;

use super::corpus::Corpus;
use super::oracle::Oracle;
use super::outcome::{Bits, Outcome, difference};
use super::sacrebleu::{as_json, question};
use super::{Comparison, ours};

/// BLEU cases: the file against the oracle, and the oracle against us.
pub(super) fn bleu(comparison: &mut Comparison<'_>) -> Result {
    let mut oracle = comparison.sacrebleu()?;
    for (file, cases) in golden::all_bleu() {
        for case in cases.cases.iter().filter(|case| case.expected.error.is_none()) {
            let (theirs, ours) = both(comparison, &mut oracle, case)?;
            let name = || format!("bleu/{file}.toml, {}", case.name);
            // The files hold the promised bits, which another interpreter does not give.
            if comparison.given.promised {
                let differences = expected_differences(&case.expected, &theirs);
                comparison.report.case("golden BLEU cases against sacreBLEU", differences, name);
            }
            let differences = theirs.differences(ours.as_ref());
            comparison.report.case("golden BLEU cases, sacreBLEU against ours", differences, name);
        }
    }
    Ok(())
}

fn both(
    comparison: &Comparison<'_>,
    oracle: &mut Oracle,
    case: &BleuCase,
) -> Result<(Outcome, Result<Outcome>)> {
    let summation = comparison.given.summation;
    if let Some(given) = &case.statistics {
        let statistics = json!({
            "counts": given.counts, "totals": given.totals, "sys_len": given.sys_len, "ref_len": given.ref_len,
        });
        let options = as_json(&case.options);
        let question = json!({ "question": "statistics", "statistics": statistics, "options": options });
        return Ok((oracle.ask(&question)?, ours::bleu_of_statistics(given, &case.options, summation)));
    }
    let text = |reference: &Reference| reference.text().map(str::to_owned);
    let streams = case.references.iter().flatten();
    let corpus = Corpus {
        hypotheses: case.hypotheses.clone().unwrap_or_default(),
        streams: streams.map(|stream| stream.iter().map(text).collect()).collect(),
    };
    let theirs = oracle.ask(&question("corpus", &corpus, &case.options))?;
    Ok((theirs, ours::bleu(&corpus, &case.options, summation)))
}

/// The fields that the file states and the oracle does not confirm.
fn expected_differences(expected: &Expected, theirs: &Outcome) -> impl Iterator<Item = String> {
    let bits = |floats: &[f64]| floats.iter().copied().map(Bits::of).collect::<Vec<_>>();
    let checks = [
        ("counts", expected.counts.as_ref().is_none_or(|counts| *counts == theirs.counts)),
        ("totals", expected.totals.as_ref().is_none_or(|totals| *totals == theirs.totals)),
        ("sys_len", expected.sys_len.is_none_or(|len| len == theirs.sys_len)),
        ("ref_len", expected.ref_len.is_none_or(|len| len == theirs.ref_len)),
        ("bp", expected.bp.is_none_or(|bp| Bits::of(bp) == theirs.bp)),
        ("precisions", expected.precisions.as_deref().is_none_or(|p| bits(p) == theirs.precisions)),
        ("score", expected.score.is_none_or(|score| Bits::of(score) == theirs.score)),
    ];
    let wrong = checks.into_iter().filter(|(_, right)| !right);
    wrong.map(move |(field, _)| format!("the file's {field} is not what sacreBLEU says: {theirs:?}"))
}

/// Tokenizer cases: the file against the oracle, and the oracle against us.
pub(super) fn tokenize(comparison: &mut Comparison<'_>) -> Result {
    let mut oracle = comparison.sacrebleu()?;
    for (name, file) in golden::all_tokenize() {
        let texts: Vec<&str> = file.cases.iter().map(|case| case.text.as_str()).collect();
        let question = json!({ "question": "tokenize", "tokenizer": name, "texts": texts });
        let theirs: Vec<Vec<String>> = oracle.ask(&question)?;
        let tokenizer = ours::tokenizer(name)?;
        for (case, theirs) in file.cases.iter().zip(&theirs) {
            let ours = ours::tokens(&*tokenizer, &case.text)?;
            let differences =
                [difference("the file", theirs, &case.tokens), difference("tokens", theirs, &ours)];
            let name = || format!("tokenize/{name}.toml, {}", case.name);
            comparison.report.case("golden tokenizer cases", differences.into_iter().flatten(), name);
        }
    }
    Ok(())
}

/// Signatures of BLEU: the file against the oracle.
pub(super) fn signatures(comparison: &mut Comparison<'_>) -> Result {
    #[derive(Deserialize)]
    struct Forms {
        long: String,
        short: String,
    }
    let mut oracle = comparison.sacrebleu()?;
    for case in golden::signatures().cases {
        // After a bootstrap and for varying references the driver would have to do more than ask.
        let plain = !case.long.contains("|bs:");
        let (Some(nrefs), Some(options), true) = (case.nrefs, &case.options, plain) else { continue };
        let question = json!({ "question": "signature", "nrefs": nrefs, "options": as_json(options) });
        let theirs: Forms = oracle.ask(&question)?;
        let short = case.short.as_ref().and_then(|short| difference("short form", &theirs.short, short));
        let differences = difference("the file", &theirs.long, &case.long).into_iter().chain(short);
        comparison.report.case("golden signatures against sacreBLEU", differences, || case.name.clone());
    }
    Ok(())
}
