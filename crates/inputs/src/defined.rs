//! The tasks of logs, and the numbers that a task defines: an item of another task is not missing, it is no
//! item of the number.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use bleuprint::contract::counted;
use bleuprint_harness::LogRecord;

/// The argument of a run that holds its data set.
const DATA_SET: &str = "dataset";
/// Number of tasks that a note names.
const NAMED: usize = 5;

/// Adds to the name of a task the arguments that tell its runs apart, if a system has several runs of it. The
/// records of each system are a list of their own.
///
/// Arguments that are constant within every system are no part of the name: two systems may differ in them
/// and still be compared on the same task.
pub(crate) fn name_runs(mut systems: Vec<&mut [LogRecord]>) {
    let mut varying: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for records in &systems {
        let mut runs: BTreeMap<&str, BTreeSet<&[(String, String)]>> = BTreeMap::new();
        for record in records.iter() {
            runs.entry(record.task.as_deref().unwrap_or_default()).or_default().insert(&record.arguments);
        }
        for (task, runs) in runs.into_iter().filter(|(_, runs)| runs.len() > 1) {
            varying.entry(task.to_owned()).or_default().extend(that_differ(&runs));
        }
    }
    for record in systems.iter_mut().flat_map(|records| records.iter_mut()) {
        let Some(task) = &record.task else { continue };
        let Some(names) = varying.get(task) else { continue };
        let own = record.arguments.iter().filter(|(name, _)| names.contains(name));
        let own: Vec<String> = own.map(|(name, value)| format!("{name}={value}")).collect();
        record.task = Some(format!("{task} ({})", own.join("; ")));
    }
}

/// Returns the names of the arguments that tell these runs apart. The data set is one of them only if the
/// others do not suffice: it often follows from them.
fn that_differ(runs: &BTreeSet<&[(String, String)]>) -> BTreeSet<String> {
    let value = |run: &[(String, String)], name: &str| {
        run.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
    };
    let names: BTreeSet<&String> = runs.iter().flat_map(|run| run.iter()).map(|(name, _)| name).collect();
    let differs = |name: &&String| {
        runs.iter().map(|run| value(run, name)).collect::<BTreeSet<_>>().len() > 1
    };
    let mut differing: BTreeSet<String> = names.into_iter().filter(differs).cloned().collect();
    let values = |run: &&[(String, String)]| -> Vec<Option<String>> {
        differing.iter().filter(|name| *name != DATA_SET).map(|name| value(run, name)).collect()
    };
    if runs.iter().map(values).collect::<BTreeSet<_>>().len() == runs.len() {
        differing.remove(DATA_SET);
    }
    differing
}

/// The numbers that each task defines. In promptfoo, asserts define the numbers of an item.
#[derive(Default)]
pub(crate) struct DefinedNumbers {
    /// The names of the numbers of each group of items that are scored alike.
    of_group: HashMap<ItemGroup, BTreeSet<String>>,
    /// The numbers that an item has in a system or a sample.
    of_item: HashSet<(Option<String>, String, String)>,
}

/// The task, and the asserts.
type ItemGroup = (Option<String>, Vec<(String, Option<String>)>);

impl DefinedNumbers {
    /// Collects the numbers of the records of all systems.
    pub(crate) fn from_records<'r>(records: impl Iterator<Item = &'r LogRecord>) -> Self {
        let mut defined = DefinedNumbers::default();
        for record in records {
            let names = defined.of_group.entry(group(record)).or_default();
            names.extend(record.asserts.iter().filter_map(|(_, name)| name.clone()));
            names.extend(record.values.iter().map(|(name, _)| name.clone()));
            for (name, _) in record.values.iter().filter(|_| !record.asserts.is_empty()) {
                defined.of_item.insert((record.task.clone(), record.id.clone(), name.clone()));
            }
        }
        defined
    }

    /// Returns `true` if the task of a record has the number of a column anywhere. A task without any number
    /// has failed as a whole; its records are missing.
    pub(crate) fn has(&self, record: &LogRecord, column: &str) -> bool {
        let names = self.of_group.get(&group(record));
        let in_group = names.is_none_or(|names| names.is_empty() || names.iter().any(|name| is_of(column, name)));
        let of_item = |name: &String| {
            self.of_item.contains(&(record.task.clone(), record.id.clone(), name.clone()))
        };
        in_group || column_names(column).iter().any(of_item)
    }
}

fn group(record: &LogRecord) -> ItemGroup {
    (record.task.clone(), record.asserts.clone())
}

/// Returns `true` if a column is the number of this name, or a part of it, such as `ppl.numerator`.
pub(crate) fn is_of(column: &str, name: &str) -> bool {
    let column = column.strip_prefix("values.").unwrap_or(column);
    column.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// Returns the names of numbers that a column can be of: `a.b`, and `a`.
fn column_names(column: &str) -> Vec<String> {
    let column = column.strip_prefix("values.").unwrap_or(column);
    let cuts = column.match_indices('.').map(|(place, _)| &column[..place]);
    cuts.chain([column]).map(str::to_owned).collect()
}

/// The records that are no items of a number, for one note for each number.
#[derive(Default)]
pub(crate) struct LeftOut {
    /// Records that are left out, all records, and the tasks of the former, by number.
    numbers: BTreeMap<String, (usize, usize, BTreeSet<String>)>,
}

impl LeftOut {
    /// Counts a record of a number.
    pub(crate) fn look_at(&mut self, number: &str, record: &LogRecord, is_left_out: bool) {
        let (left_out, all, tasks) = self.numbers.entry(number.to_owned()).or_default();
        *all += 1;
        if is_left_out {
            *left_out += 1;
            tasks.extend(record.task.clone());
        }
    }

    /// Returns a sentence for each number that some tasks do not have.
    pub(crate) fn notes(&self) -> Vec<String> {
        let left_out = self.numbers.iter().filter(|(_, (left_out, ..))| *left_out > 0);
        left_out.map(|(number, (left_out, all, tasks))| note(number, *left_out, *all, tasks)).collect()
    }
}

fn note(number: &str, left_out: usize, all: usize, tasks: &BTreeSet<String>) -> String {
    let all = counted(all, "record");
    if tasks.is_empty() {
        return format!("{number}: {left_out} of {all} are left out, as their asserts do not give this number");
    }
    let mut named: Vec<&str> = tasks.iter().take(NAMED).map(String::as_str).collect();
    if tasks.len() > NAMED {
        named.push("..");
    }
    let named = named.join(", ");
    format!("{number}: {left_out} of {all} are left out, as no record of their task has this number ({named})")
}
