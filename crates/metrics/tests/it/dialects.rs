//! Tests that compare BLEU dialects with the outputs of the original programs: on test corpora of this
//! project, and on a recorded file if it is present.
#![allow(clippy::print_stderr, reason = "the number of compared values is worth knowing")]

use std::collections::BTreeMap;

use crate::support::{Case, Value, agrees, data, run};
use bleuprint_core::Choice;
use bleuprint_metrics::bleu::dialect::DialectAgreement;
use bleuprint_metrics::{Bleu, Dialect, Summation};
use serde::Deserialize;

/// Contents of `golden.json`: test corpora, and the outputs of BLEU programs for each dialect.
#[derive(Deserialize)]
struct Golden {
    corpora: Vec<Case>,
    /// Expected outputs by method of summation, then dialect, then test corpus.
    results: BTreeMap<String, BTreeMap<String, BTreeMap<String, Value>>>,
}

/// Contents of `exceptions.toml`: cases in which a dialect deliberately differs from its program.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Exceptions {
    exception: Vec<Exception>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Exception {
    row: String,
    corpora: Vec<String>,
    reason: String,
}

/// Contents of `recorded.toml`: which dialect reproduces which row of the recorded file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Recorded {
    row: Vec<crate::support::Row>,
    unclaimed: Vec<Unclaimed>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Unclaimed {
    name: String,
    reason: String,
}

/// Compares outputs one by one, and checks that each listed exception really differs.
struct Ledger {
    exceptions: Vec<Exception>,
    equal: BTreeMap<String, usize>,
    wrong: Vec<String>,
}

impl Ledger {
    fn new() -> Self {
        let Exceptions { exception } = toml::from_str(&data("exceptions.toml")).unwrap();
        assert!(exception.iter().all(|exception| !exception.reason.is_empty()));
        Ledger { exceptions: exception, equal: BTreeMap::new(), wrong: Vec::new() }
    }

    fn compare(&mut self, row: &str, dialect: &str, corpus: &str, expected: &Value, ours: &Value) {
        let agreement = Dialect::by_name(dialect).map_or(DialectAgreement::Bits, |dialect| dialect.agreement);
        let equal = agrees(agreement, expected, ours);
        let excepted =
            self.exceptions.iter().any(|e| e.row == row && e.corpora.iter().any(|name| name == corpus));
        match (equal, excepted) {
            (true, false) => *self.equal.entry(dialect.to_owned()).or_default() += 1,
            (false, true) => {}
            (false, false) => {
                self.wrong.push(format!("{row}, {corpus}: expected {expected:?}, got {ours:?}"))
            }
            (true, true) => {
                self.wrong.push(format!("{row}, {corpus}: an exception that passes; take it off the list"))
            }
        }
    }

    fn close(self) {
        let counts: Vec<String> = self.equal.iter().map(|(name, count)| format!("{name} {count}")).collect();
        eprintln!("{} values are equal: {}", self.equal.values().sum::<usize>(), counts.join(", "));
        assert!(self.wrong.is_empty(), "{} differ:\n{}", self.wrong.len(), self.wrong.join("\n"));
    }
}

#[test]
fn our_corpora_score_as_the_programs_score_them() {
    let golden: Golden = serde_json::from_str(&data("golden.json")).unwrap();
    let mut ledger = Ledger::new();
    for (summation, dialects) in &golden.results {
        let summation = Summation::by_name("summation", summation).unwrap();
        let bleu = Bleu::builder().summation(summation).build().unwrap();
        for (name, outputs) in dialects {
            let row = crate::support::Row::of_dialect(name);
            for case in &golden.corpora {
                if let Some(expected) = outputs.get(&case.name) {
                    ledger.compare(name, &row.dialect, &case.name, expected, &run(&bleu, &row, case));
                }
            }
        }
    }
    ledger.close();
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn the_recorded_outputs_are_equal_in_all_bits() {
    let file = bleuprint_testkit::recorded::json("bleu-dialects-golden.json");
    let file: crate::support::RecordedFile = serde_json::from_value(file).unwrap();
    let recorded: Recorded = toml::from_str(&data("recorded.toml")).unwrap();
    let mut ledger = Ledger::new();
    let bleu = Bleu::default();
    for row in &recorded.row {
        for (corpus, expected) in &file.results[&row.name] {
            let case = file.cases[corpus].named(corpus);
            ledger.compare(&row.name, &row.dialect, corpus, expected, &run(&bleu, row, &case));
        }
    }
    for row in file.results.keys() {
        let claimed = recorded.row.iter().any(|claim| claim.name == *row);
        let unclaimed = recorded.unclaimed.iter().any(|one| one.name == *row && !one.reason.is_empty());
        assert!(claimed != unclaimed, "row `{row}` must be claimed or be listed with a reason");
    }
    ledger.close();
}
