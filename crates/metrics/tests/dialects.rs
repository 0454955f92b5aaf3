//! Dialects against what their programs print: our own golden corpora, and a recorded file where it is present.
#![allow(
    clippy::print_stderr,
    reason = "how many values were compared, and what was skipped, is worth knowing"
)]

mod support;

use std::collections::BTreeMap;

use bleuprint_core::Choice;
use bleuprint_metrics::bleu::dialect::Agreement;
use bleuprint_metrics::{Bleu, Dialect, Summation};
use serde::Deserialize;
use support::{Case, Value, agrees, data, run};

/// `golden.json`: corpora and the outputs of programs, by dialect.
#[derive(Deserialize)]
struct Golden {
    corpora: Vec<Case>,
    /// Summation, then dialect, then corpus.
    results: BTreeMap<String, BTreeMap<String, BTreeMap<String, Value>>>,
}

/// `exceptions.toml`: where a dialect knowingly differs, in our corpora and in the recorded ones.
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

/// `recorded.toml`: which dialect claims which row of the recorded file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Recorded {
    row: Vec<support::Row>,
    unclaimed: Vec<Unclaimed>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Unclaimed {
    name: String,
    reason: String,
}

/// Compares one by one, and holds the list of exceptions to what it says.
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
        let agreement = Dialect::by_name(dialect).map_or(Agreement::Bits, |dialect| dialect.agreement);
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
            let row = support::Row::of_dialect(name);
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
fn the_recorded_outputs_are_equal_in_all_bits() {
    const FILE: &str = "../shared/spec/bleu-dialects-golden.json";
    let Ok(text) = std::fs::read_to_string(support::root().join(FILE)) else {
        eprintln!("skipped: there is no {FILE} beside the workspace");
        return;
    };
    let file: support::RecordedFile = serde_json::from_str(&text).unwrap();
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
