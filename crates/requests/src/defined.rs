//! Finds which numbers each task in a log defines. If a task does not define a number, its records are left
//! out for this number; they do not count as missing values.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use bleuprint::contract::counted;
use bleuprint_harness::LogRecord;

/// Name of the run argument in a harness log that gives the data set.
const DATA_SET: &str = "dataset";
/// Largest number of tasks that a note lists by name.
const NAMED: usize = 5;

/// Arguments of one run of a task in a log, as pairs of name and value.
type RunArguments<'r> = &'r [(String, String)];

/// Adds arguments to the names of tasks that a system ran several times, so that the names differ: `quiz`
/// becomes `quiz (shots=5)`. `systems` has one list of records for each system.
///
/// No more arguments than necessary are added, preferably arguments whose values all systems share. Then
/// systems that differ in other arguments can be compared on the same tasks.
pub(crate) fn name_runs(mut systems: Vec<&mut [LogRecord]>) {
    let mut tasks: BTreeMap<&str, Vec<BTreeSet<RunArguments<'_>>>> = BTreeMap::new();
    for (place, records) in systems.iter().enumerate() {
        for record in records.iter() {
            let runs = tasks.entry(record.task.as_deref().unwrap_or_default()).or_default();
            runs.resize_with(place + 1, BTreeSet::new);
            runs[place].insert(&record.arguments);
        }
    }
    let several = tasks.into_iter().filter(|(_, systems)| systems.iter().any(|runs| runs.len() > 1));
    let names: HashMap<String, Vec<String>> =
        several.map(|(task, systems)| (task.to_owned(), that_differ(&systems))).collect();
    for record in systems.iter_mut().flat_map(|records| records.iter_mut()) {
        let Some(task) = &record.task else { continue };
        let Some(names) = names.get(task) else { continue };
        let own = names.iter().filter_map(|name| Some(format!("{name}={}", value(&record.arguments, name)?)));
        record.task = Some(format!("{task} ({})", own.collect::<Vec<_>>().join("; ")));
    }
}

fn value<'r>(run: RunArguments<'r>, name: &str) -> Option<&'r str> {
    run.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
}

/// Returns the argument names that together distinguish all runs of each system. Each step adds the name that
/// distinguishes the most runs. In a tie, it adds the name with the fewest values that
/// some system lacks.
fn that_differ(systems: &[BTreeSet<RunArguments<'_>>]) -> Vec<String> {
    let all = systems.iter().flatten().flat_map(|run| run.iter());
    // The data set comes first, because it decides the items; ties go to the first name.
    let mut left: Vec<&str> = all.map(|(name, _)| name.as_str()).collect();
    left.sort_by_key(|name| (*name != DATA_SET, *name));
    left.dedup();
    let told_apart = |names: &[&str]| -> usize {
        let of_system = |runs: &BTreeSet<RunArguments<'_>>| {
            let values = runs.iter().map(|run| names.iter().map(|name| value(run, name)).collect());
            values.collect::<BTreeSet<Vec<Option<&str>>>>().len()
        };
        systems.iter().map(of_system).sum()
    };
    let lacking = |name: &str| -> usize {
        let with_runs = systems.iter().filter(|runs| !runs.is_empty());
        let values: Vec<BTreeSet<Option<&str>>> =
            with_runs.map(|runs| runs.iter().map(|run| value(run, name)).collect()).collect();
        let union = values.iter().flatten().collect::<BTreeSet<_>>().len();
        values.iter().map(|own| union - own.len()).sum()
    };
    let runs: usize = systems.iter().map(BTreeSet::len).sum();
    let mut chosen: Vec<&str> = Vec::new();
    while told_apart(&chosen) < runs {
        let gain = |name: &str| told_apart(&[&chosen[..], &[name]].concat());
        let best = left.iter().enumerate().min_by_key(|(_, name)| (runs - gain(name), lacking(name)));
        let Some((place, _)) = best else { break };
        chosen.push(left.remove(place));
    }
    chosen.into_iter().map(str::to_owned).collect()
}

/// Names of the numbers, such as `acc`, that each task of a log defines. In promptfoo logs, the asserts
/// (checks) of an item define its numbers.
#[derive(Default)]
pub(crate) struct DefinedNumbers {
    /// Names of the numbers of each group: all records with the same task and the same asserts.
    of_group: HashMap<ItemGroup, BTreeSet<String>>,
    /// Task, item id and name of every number that any system or sample has for an item with asserts.
    of_item: HashSet<(Option<String>, String, String)>,
}

/// Task and asserts (checks in promptfoo: type and name of the score) that the records of a group share.
type ItemGroup = (Option<String>, Vec<(String, Option<String>)>);

impl DefinedNumbers {
    /// Collects the names of the numbers in the records of all systems.
    pub(crate) fn from_records<'r>(records: impl Iterator<Item = &'r LogRecord>) -> Self {
        let mut defined = DefinedNumbers::default();
        for record in records {
            let names = defined.of_group.entry(group(record)).or_default();
            names.extend(record.asserts.iter().filter_map(|(_, name)| name.clone()));
            names.extend(record.values.iter().map(|(name, _)| name.clone()));
            for (name, _) in record.values.iter().filter(|_| !record.asserts.is_empty()) {
                defined.of_item.insert((record.paired_task(), record.id.clone(), name.clone()));
            }
        }
        defined
    }

    /// Returns `true` if any record of this record's task has the number that `column` names. A task without
    /// any number has failed, so the result is also `true`: its records count as missing.
    pub(crate) fn has(&self, record: &LogRecord, column: &str) -> bool {
        let names = self.of_group.get(&group(record));
        let in_group =
            names.is_none_or(|names| names.is_empty() || names.iter().any(|name| is_of(column, name)));
        let of_item =
            |name: &String| self.of_item.contains(&(record.paired_task(), record.id.clone(), name.clone()));
        in_group || column_names(column).iter().any(of_item)
    }
}

fn group(record: &LogRecord) -> ItemGroup {
    (record.paired_task(), record.asserts.clone())
}

/// Returns `true` if a column holds the number `name` or a part of it: `ppl.numerator` is a part of `ppl`.
pub(crate) fn is_of(column: &str, name: &str) -> bool {
    let column = column.strip_prefix("values.").unwrap_or(column);
    column.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// Returns the names of numbers that a column may belong to: `a` and `a.b` for the column `a.b`.
fn column_names(column: &str) -> Vec<String> {
    let column = column.strip_prefix("values.").unwrap_or(column);
    let cuts = column.match_indices('.').map(|(place, _)| &column[..place]);
    cuts.chain([column]).map(str::to_owned).collect()
}

/// Counts of left-out records, for each number (such as `acc`) that the tasks of these records do not define.
#[derive(Default)]
pub(crate) struct LeftOut {
    /// Three facts for each number, such as `acc`: how many records are left out, out of how many, and the
    /// tasks of the left-out records.
    numbers: BTreeMap<String, (usize, usize, BTreeSet<String>)>,
}

impl LeftOut {
    /// Counts a record for `number`, as left out if `is_left_out` is `true`.
    pub(crate) fn look_at(&mut self, number: &str, record: &LogRecord, is_left_out: bool) {
        let (left_out, all, tasks) = self.numbers.entry(number.to_owned()).or_default();
        *all += 1;
        if is_left_out {
            *left_out += 1;
            tasks.extend(record.paired_task());
        }
    }

    /// Returns a note for each number for which records were left out.
    pub(crate) fn notes(&self) -> Vec<String> {
        let left_out = self.numbers.iter().filter(|(_, (left_out, ..))| *left_out > 0);
        left_out.map(|(number, (left_out, all, tasks))| note(number, *left_out, *all, tasks)).collect()
    }
}

fn note(number: &str, left_out: usize, all: usize, tasks: &BTreeSet<String>) -> String {
    let all = counted(all, "record");
    if tasks.is_empty() {
        return format!(
            "{number}: {left_out} of {all} are left out, as their asserts do not give this number"
        );
    }
    let mut named: Vec<&str> = tasks.iter().take(NAMED).map(String::as_str).collect();
    if tasks.len() > NAMED {
        named.push("..");
    }
    let named = named.join(", ");
    format!(
        "{number}: {left_out} of {all} are left out, as no record of their task has this number ({named})"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records(runs: &[&str]) -> Vec<LogRecord> {
        let argument =
            |text: &str| text.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()));
        let record = |run: &&str| LogRecord {
            task: Some("quiz".to_owned()),
            arguments: run.split_whitespace().filter_map(argument).collect(),
            ..LogRecord::default()
        };
        runs.iter().map(record).collect()
    }

    fn names(systems: &[&[&str]]) -> Vec<Vec<String>> {
        let mut systems: Vec<Vec<LogRecord>> = systems.iter().map(|runs| records(runs)).collect();
        name_runs(systems.iter_mut().map(|records| &mut records[..]).collect());
        systems
            .iter()
            .map(|records| records.iter().filter_map(|record| record.task.clone()).collect())
            .collect()
    }

    #[test]
    fn a_task_with_one_run_in_each_system_keeps_its_name() {
        assert_eq!(names(&[&["shots=0 dataset=x"], &["shots=5 dataset=x"]]), [["quiz"], ["quiz"]]);
    }

    #[test]
    fn arguments_that_systems_share_name_the_runs() {
        let both: [&[&str]; 2] =
            [&["mode=law style=a", "mode=art style=b"], &["mode=law style=c", "mode=art style=d"]];
        let expected = ["quiz (mode=law)", "quiz (mode=art)"];
        assert_eq!(names(&both), [expected, expected]);
        assert_eq!(names(&[both[0], &["mode=law style=c"]])[1], ["quiz (mode=law)"]);
        // The data set suffices, and two arguments are named where one does not.
        let runs = ["mode=law dataset=l", "mode=art dataset=r"];
        assert_eq!(names(&[&runs])[0], ["quiz (dataset=l)", "quiz (dataset=r)"]);
        let four = ["a=1 b=1", "a=1 b=2", "a=2 b=1", "a=2 b=2"];
        assert_eq!(names(&[&four])[0][3], "quiz (a=2; b=2)");
    }

    #[test]
    fn a_task_without_a_number_has_failed_and_another_task_never_had_it() {
        let record = |task: &str, value: Option<&str>| LogRecord {
            task: Some(task.to_owned()),
            values: value
                .map(|name| (name.to_owned(), bleuprint_harness::LogValue::Number(1.0)))
                .into_iter()
                .collect(),
            ..LogRecord::default()
        };
        let all = [
            record("quiz", Some("acc")),
            record("quiz", None),
            record("sums", Some("em")),
            record("cut", None),
        ];
        let defined = DefinedNumbers::from_records(all.iter());
        let has: Vec<bool> = all.iter().map(|record| defined.has(record, "acc")).collect();
        assert_eq!(has, [true, true, false, true]);
        assert!(defined.has(&all[0], "acc.numerator") && !defined.has(&all[0], "accuracy"));
    }
}
