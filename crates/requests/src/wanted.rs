//! Collects which fields of records the selected metrics need: columns of numbers, and structured data.

use bleuprint::AnyMetric;
use bleuprint::contract::{AnyForm, NumberColumns};

use crate::failure::{Result, fail};

/// Column of numbers that a metric needs in the input records, such as a column of test results. `words` maps
/// words in the column to numbers, such as `true` to 1.
pub(super) struct WantedTests<'m> {
    pub(super) name: &'m str,
    pub(super) words: &'m [(String, f64)],
}

/// Fields that the input records must have for the selected metrics: columns of numbers, and structured data
/// such as speaker turns.
pub(super) struct Wanting<'m> {
    pub(super) numbers: Vec<WantedTests<'m>>,
    pub(super) forms: Vec<AnyForm>,
}

pub(super) fn wanting<'m>(
    numbers: &'m [(usize, AnyMetric)],
    own: &[(usize, AnyMetric)],
) -> Result<Wanting<'m>> {
    Ok(Wanting { numbers: wanted(numbers)?, forms: forms(own) })
}

fn wanted(metrics: &[(usize, AnyMetric)]) -> Result<Vec<WantedTests<'_>>> {
    let mut all: Vec<WantedTests<'_>> = Vec::new();
    for (_, metric) in metrics {
        let NumberColumns { columns, words, .. } = &metric.view.numbers;
        for name in columns {
            match all.iter().find(|known| known.name == name) {
                // Two metrics may share a column only if its words mean the same numbers for both.
                Some(known) if known.words != &words[..] => {
                    fail!("the column `{name}` is used with two meanings of its words (map)");
                }
                Some(_) => {}
                None => all.push(WantedTests { name, words }),
            }
        }
    }
    Ok(all)
}

/// Returns the structured data types that the metrics take, each once.
fn forms(metrics: &[(usize, AnyMetric)]) -> Vec<AnyForm> {
    let mut forms: Vec<AnyForm> = Vec::new();
    for form in metrics.iter().filter_map(|(_, metric)| metric.view.form) {
        if !forms.contains(&form) {
            forms.push(form);
        }
    }
    forms
}
