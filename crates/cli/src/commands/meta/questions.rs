//! Defines which agreement statistics `bleuprint meta` computes: chosen ones, or the statistics of the WMT
//! metrics task of a year, with their weights in an average.

use bleuprint::inference::agreement::{
    Agreement, AgreementLevel, AgreementQuestion, Grouping, JudgedTestSet, MetaRequest, SoftTies, Statistic,
    Swap,
};
use bleuprint::{ConfigError, contract::Choice as _};
use bleuprint_requests::failure::Result;

use super::sets::MetaData;

pub(super) struct AskedQuestion {
    questions: Vec<AgreementQuestion>,
    averaged: bool,
}

pub(super) struct AnsweredQuestion {
    pub(super) agreement: Agreement,
    weight: Option<f64>,
    /// Worst possible value of the agreement statistic. Averages map it to 0, and the best value 1 to 1.
    least: f64,
}

impl AskedQuestion {
    pub(super) fn new(
        statistics: &[String],
        level: AgreementLevel,
        grouping: Grouping,
        swap: Swap,
    ) -> Result<Self, ConfigError> {
        // Soft pairwise accuracy and calibrated accuracy are WMT's statistics since 2024.
        let default = ["spa".to_owned(), "acc-eq".to_owned()];
        let names = if statistics.is_empty() { &default[..] } else { statistics };
        let question = |name: &String| {
            let statistic = name.parse()?;
            Ok(AgreementQuestion { statistic, level, grouping, swap })
        };
        let questions = names.iter().map(question).collect::<Result<_, ConfigError>>()?;
        Ok(AskedQuestion { questions, averaged: false })
    }

    /// Returns the agreement statistics of the WMT metrics task of a year. Significance tests swap single
    /// scores between two metrics; for calibrated accuracy they swap decisions on pairs instead.
    pub(super) fn of_year(year: &str) -> Self {
        let ask = |statistic, level, grouping, swap| AgreementQuestion { statistic, level, grouping, swap };
        let acc_eq = ask(Statistic::AccEq, AgreementLevel::Segment, Grouping::Item, Swap::Pairs);
        let questions = match year {
            "2023" => vec![
                ask(Statistic::Accuracy, AgreementLevel::System, Grouping::None, Swap::Cells),
                ask(Statistic::Pearson, AgreementLevel::System, Grouping::None, Swap::Cells),
                ask(Statistic::Pearson, AgreementLevel::Segment, Grouping::None, Swap::Cells),
                acc_eq,
            ],
            _ => vec![
                ask(Statistic::Spa(SoftTies::Counted), AgreementLevel::System, Grouping::None, Swap::Cells),
                acc_eq,
            ],
        };
        AskedQuestion { questions, averaged: true }
    }

    /// Computes every requested agreement statistic on every test set. Accuracy is computed once over all
    /// test sets together.
    pub(super) fn answers(&self, data: &MetaData, request: &MetaRequest) -> Result<Vec<AnsweredQuestion>> {
        let mut answers = Vec::new();
        for &question in &self.questions {
            let mut answer = |sets: &[&JudgedTestSet], weight: usize, averaged: bool| -> Result<()> {
                let agreement = Agreement::from_sets(sets, question, request)?;
                let weight = (averaged && self.averaged).then_some(weight as f64);
                answers.push(AnsweredQuestion { agreement, weight, least: question.statistic.least() });
                Ok(())
            };
            let sets: Vec<&JudgedTestSet> = data.sets.iter().collect();
            match question.statistic {
                // One pooled answer weighs as much as the sets together, so each statistic weighs the same.
                Statistic::Accuracy => answer(&sets, sets.len(), true)?,
                _ => sets.iter().try_for_each(|set| answer(&[set], 1, true))?,
            }
            data.groups.iter().try_for_each(|set| answer(&[set], 1, false))?;
        }
        Ok(answers)
    }
}

/// Returns the weighted mean of each metric's agreement statistics, each mapped to the range 0 to 1; the best
/// metric comes first. Returns an empty list unless an average was requested.
pub(super) fn average(answers: &[AnsweredQuestion]) -> Vec<(String, f64)> {
    let used: Vec<(&AnsweredQuestion, f64)> =
        answers.iter().filter_map(|answer| Some((answer, answer.weight?))).collect();
    let Some((first, _)) = used.first() else { return Vec::new() };
    let all: f64 = used.iter().map(|(_, weight)| weight).sum();
    let mean = |name: &String| {
        let mut sum = 0.0;
        for (answer, weight) in &used {
            // A metric that lacks a value anywhere has no average, rather than one over easier tasks.
            let found = answer.agreement.metrics.iter().find(|metric| metric.name == *name)?;
            sum += weight * (found.value? - answer.least) / (1.0 - answer.least);
        }
        Some((name.clone(), sum / all))
    };
    let mut means: Vec<(String, f64)> =
        first.agreement.metrics.iter().filter_map(|metric| mean(&metric.name)).collect();
    // Ties are ordered by name, so the output does not depend on the order of files.
    means.sort_by(|one, other| other.1.total_cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    means
}

pub(super) fn test_words(agreement: &Agreement, request: &MetaRequest) -> String {
    let Agreement { swap, .. } = agreement;
    if request.williams {
        "Williams' test".to_owned()
    } else if *swap == Swap::Pairs {
        "pairs swapped in all ways".to_owned()
    } else {
        format!("seed {}, {} trials, swapped by {}", request.seed, request.trials, swap.name())
    }
}
