//! Converts logs of evaluation harnesses, such as lm-evaluation-harness, to a [`TextCorpus`]. Systems are
//! matched by task, item and sample.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use bleuprint::contract::counted;
use bleuprint::eval::evaluation::{ITEM, TextCorpus};
use bleuprint::text::read::FieldReader;
use bleuprint::{InputError, Location};
use bleuprint_harness::{Harness, LogRecord, LogValue};
use serde_json::{Map, Value, json};

use crate::defined::{DefinedNumbers, LeftOut, is_of, name_runs};
use crate::failure::{Result, fail};
use crate::records::{self, InputRecord, RecordSystems};
use crate::request::numbers::{NumbersRequest, RecordsReading};
use crate::wanted::{WantedTests, Wanting};
use crate::warn;

/// Key in the command-line option `--where metric=NAME`, which selects one of the numbers in an evaluation
/// log. Metrics such as pass@k combine all samples of an item; they use this number as the result of each
/// sample.
const METRIC: &str = "metric";
/// Log field with the index of a sample (one answer of a model) among all samples of the same item, from 0.
const SAMPLE: &str = "sample";
/// Names of log fields that become labels of the segments if a record has them.
const LABELS: [&str; 6] = ["task", "group", "filter", "perturbation", "id", ITEM];

/// System that was evaluated in a log, with its records.
struct System {
    name: String,
    file: String,
    records: Vec<LogRecord>,
}

/// Reads the logs of the request as a corpus, in which the systems have the same segments.
pub(super) fn together(
    request: &NumbersRequest,
    harness: Harness,
    wanting: &Wanting<'_>,
    labels: &[String],
) -> Result<TextCorpus> {
    let mut filters = request.reading.filters.clone();
    let metric =
        filters.iter().position(|(column, _)| column == METRIC).map(|place| filters.swap_remove(place).1);
    let reading = RecordsReading { filters, ..RecordsReading::default() };
    let systems = read_systems(request, harness, &reading)?;
    let is_of_samples = !wanting.numbers.is_empty();
    let is_of_items = !wanting.forms.is_empty();
    if is_of_samples && is_of_items {
        fail!("metrics of single samples and of all samples of an item are asked for: one kind at a time");
    }
    let several = systems.iter().any(has_several);
    let reading = RecordsReading { id: id_of(&systems, several && is_of_samples), ..reading };
    let defined = DefinedNumbers::from_records(systems.iter().flat_map(|system| &system.records));
    let mut left_out = LeftOut::default();
    let mut rows = Vec::new();
    for system in &systems {
        rows.push(if is_of_items {
            of_items(system, metric.as_deref(), &defined, &mut left_out)?
        } else {
            of_samples(system)
        });
    }
    let columns = columns_of(&rows, labels, is_of_samples)?;
    let mut log = LogReading { reading, wanting, columns, defined, left_out };
    let mut read = RecordSystems::default();
    for (system, rows) in systems.iter().zip(rows) {
        if read.all.iter().any(|known| known.name == system.name) {
            fail!("{} is given as a system twice", system.name);
        }
        require_numbers(wanting, system)?;
        read.entry(&system.name, &system.file).records = log.records(system, rows)?;
    }
    let LogReading { reading, columns, left_out, .. } = log;
    if !request.quiet {
        left_out.notes().iter().for_each(|note| warn::note(note));
    }
    let mut corpus = records::corpus(&read.all, &reading, wanting, &columns)?;
    // Shards of one sample each know its number too, so that their merge is no duplicate.
    if is_of_samples
        && !several
        && !corpus.facts.ids.is_empty()
        && corpus.labels.names.iter().any(|name| name == SAMPLE)
    {
        corpus.facts.ids.push(SAMPLE.to_owned());
    }
    Ok(corpus)
}

/// Reads the systems of all logs, with the records that the user wants, and checks that they have the same data.
fn read_systems(request: &NumbersRequest, harness: Harness, reading: &RecordsReading) -> Result<Vec<System>> {
    let mut systems = Vec::new();
    for (name, path) in &request.records {
        let known = request.log.iter().flatten().find(|(known, _)| known == path);
        let log = known.map_or_else(|| harness.read(path), |(_, log)| Ok(log.clone()))?;
        if !request.quiet {
            log.warnings.iter().for_each(|warning| warn::note(warning));
        }
        systems.extend(by_system(name.as_deref(), path, log.records)?);
    }
    for system in &mut systems {
        keep_wanted(system, reading)?;
    }
    name_runs(systems.iter_mut().map(|system| &mut system.records[..]).collect());
    require_one_filter(&systems)?;
    require_the_same_data(&systems, request.quiet)?;
    Ok(systems)
}

/// Returns the fields that identify a segment. Without the sample, an item with several samples would be a
/// duplicate.
fn id_of(systems: &[System], with_sample: bool) -> Vec<String> {
    let has_task = systems.iter().flat_map(|system| &system.records).any(|record| record.task.is_some());
    let task = has_task.then_some("task");
    let sample = with_sample.then_some(SAMPLE);
    task.into_iter().chain(["id"]).chain(sample).map(str::to_owned).collect()
}

/// Returns the columns of the labels: those that the user defined, and the fields of the log that become labels.
fn columns_of(
    rows: &[Vec<(Location, Map<String, Value>)>],
    labels: &[String],
    with_sample: bool,
) -> Result<Vec<(String, String)>> {
    let mut columns = records::label_columns(&RecordsReading::default(), labels)?;
    let is_there = |name: &str| rows.iter().flatten().any(|(_, row)| row.contains_key(name));
    // The number of a sample is no property of a row of all samples.
    let sample = with_sample.then_some(SAMPLE);
    for name in LABELS.into_iter().chain(sample).filter(|name| is_there(name)) {
        // A label that the user defined has precedence over the field of the same name.
        if columns.iter().all(|(known, _)| known != name) {
            columns.push((name.to_owned(), name.to_owned()));
        }
    }
    Ok(columns)
}

/// How the rows of a log are read, and the numbers that are left out.
struct LogReading<'w> {
    reading: RecordsReading,
    wanting: &'w Wanting<'w>,
    columns: Vec<(String, String)>,
    defined: DefinedNumbers,
    left_out: LeftOut,
}

impl LogReading<'_> {
    fn records(
        &mut self,
        system: &System,
        rows: Vec<(Location, Map<String, Value>)>,
    ) -> Result<Vec<InputRecord>> {
        let is_of_samples = !self.wanting.numbers.is_empty();
        let mut fields = FieldReader::of_rows(rows);
        let mut of_log = system.records.iter();
        let mut kept = Vec::new();
        while fields.advance()? {
            let mut record = records::record(&fields, &self.reading, self.wanting, &self.columns, None)?;
            // A row is a record of the log, unless it has all samples of an item.
            if let Some(log) = of_log.next().filter(|_| is_of_samples) {
                self.add_log(&mut record, log);
                // An item that no metric reads is in no score, so it must not be a segment.
                if record.outside.iter().all(|outside| *outside) {
                    continue;
                }
            }
            kept.push(record);
        }
        Ok(kept)
    }

    /// Adds the texts of the log to a record, and notes the numbers that are not defined for its item.
    fn add_log(&mut self, record: &mut InputRecord, log: &LogRecord) {
        record.texts = log.texts.clone();
        for WantedTests { name, .. } in &self.wanting.numbers {
            let is_outside = !self.defined.has(log, name);
            self.left_out.look_at(name, log, is_outside);
            record.outside.push(is_outside);
        }
    }
}

/// Reads the logs of a request once, so that the metrics can be chosen by the numbers in them.
///
/// # Errors
/// Returns the errors of the readers.
pub(crate) fn read_logs(request: &mut NumbersRequest) -> Result<()> {
    if let (Some(harness), None) = (request.harness, &request.log) {
        let read = |(_, path): &(Option<String>, String)| Ok((path.clone(), harness.read(path)?));
        request.log = Some(request.records.iter().map(read).collect::<Result<_>>()?);
    }
    Ok(())
}

/// Groups the records of a log by the system that they name. Records without a system get the name `name` if
/// it is given, else the path.
fn by_system(name: Option<&str>, path: &str, records: Vec<LogRecord>) -> Result<Vec<System>> {
    let mut systems: Vec<System> = Vec::new();
    for record in records {
        let own = record.system.as_deref().or(name).unwrap_or(path);
        match systems.iter_mut().find(|system| system.name == own) {
            Some(system) => system.records.push(record),
            None => {
                systems.push(System { name: own.to_owned(), file: path.to_owned(), records: vec![record] })
            }
        }
    }
    match (name, &mut systems[..]) {
        (Some(name), [one]) => one.name = name.to_owned(),
        (Some(name), [_, ..]) => {
            let names: Vec<String> = systems.iter().map(|system| format!("`{}`", system.name)).collect();
            fail!(
                "{path}: the log has the systems {}, so `{name}=` cannot name one: give the path alone",
                names.join(", ")
            );
        }
        _ => {}
    }
    Ok(systems)
}

fn keep_wanted(system: &mut System, reading: &RecordsReading) -> Result<()> {
    if reading.filters.is_empty() {
        return Ok(());
    }
    let rows = system.records.iter().map(|record| (record.location.clone(), record.row())).collect();
    let mut fields = FieldReader::of_rows(rows);
    let mut kept = Vec::new();
    while fields.advance()? {
        kept.push(records::is_wanted(&fields, reading)?);
    }
    let mut kept = kept.into_iter();
    system.records.retain(|_| kept.next() == Some(true));
    if system.records.is_empty() {
        fail!("{}: no record of system {}{}", system.file, system.name, records::of_filters(reading));
    }
    Ok(())
}

/// Returns the choice of records with this value, as the user of this interface writes it.
fn where_of(column: &str, value: &str) -> String {
    if warn::is_for_python() {
        format!("where={{\"{column}\": \"{value}\"}}")
    } else {
        format!("--where {column}={value}")
    }
}

fn require_one_filter(systems: &[System]) -> Result<()> {
    let all = systems.iter().flat_map(|system| &system.records);
    let filters: BTreeSet<&str> = all.filter_map(|record| record.filter.as_deref()).collect();
    if filters.len() > 1 {
        let names: Vec<String> = filters.iter().map(|name| where_of("filter", name)).collect();
        fail!(
            "the log has a number of each item for {}: choose with {}",
            counted(filters.len(), "filter"),
            names.join(" or ")
        );
    }
    Ok(())
}

/// Returns an error if an item has different data hashes in two logs. If only the prompts differ, a note is
/// printed.
fn require_the_same_data(systems: &[System], quiet: bool) -> Result<()> {
    let mut first: HashMap<(Option<&str>, &str), (&LogRecord, &str)> = HashMap::new();
    let mut prompts = 0;
    for system in systems {
        for record in &system.records {
            let (known, of) =
                *first.entry((record.task.as_deref(), &record.id)).or_insert((record, &system.name));
            if known.data != record.data {
                let item = [record.task.as_deref().unwrap_or_default(), &record.id].join(" ");
                let message =
                    format!("item `{}` has other data than in {of}: the task was changed", item.trim());
                return Err(InputError::malformed(message).at(record.location.clone()).into());
            }
            prompts += u64::from(known.prompt != record.prompt);
        }
    }
    if prompts > 0 && !quiet {
        warn::note(&format!(
            "{} had another prompt than in the first system",
            counted(prompts as usize, "record")
        ));
    }
    Ok(())
}

fn has_several(system: &System) -> bool {
    let mut items = BTreeSet::new();
    !system.records.iter().all(|record| items.insert((&record.task, &record.id, &record.perturbation)))
}

/// Returns one row of fields for each sample of the system, with its location in the log.
fn of_samples(system: &System) -> Vec<(Location, Map<String, Value>)> {
    let row = |record: &LogRecord| {
        let mut row = record.row();
        // Items of different tasks may have the same id, so the label contains the task.
        let task = row.get("task").and_then(Value::as_str).map(|task| format!("{task}/"));
        row.insert(ITEM.to_owned(), format!("{}{}", task.unwrap_or_default(), record.id).into());
        (record.location.clone(), row)
    };
    system.records.iter().map(row).collect()
}

/// Returns one row of fields for each item of the system, with its location in the log. The row's hypothesis
/// is a list with the number `metric` of each sample of the item, or the item's log-likelihood.
fn of_items(
    system: &System,
    metric: Option<&str>,
    defined: &DefinedNumbers,
    left_out: &mut LeftOut,
) -> Result<Vec<(Location, Map<String, Value>)>> {
    let names: BTreeSet<&str> =
        system.records.iter().flat_map(|record| &record.values).map(|(name, _)| name.as_str()).collect();
    let metric = match (metric, names.len()) {
        (Some(metric), _) if names.contains(metric) => metric,
        (None, 1) => names.first().copied().unwrap_or_default(),
        (given, _) => {
            let names: Vec<String> = names.iter().map(|name| where_of(METRIC, name)).collect();
            let what = given.map_or("more than one number".to_owned(), |name| format!("no number `{name}`"));
            fail!("{}: the log has {what}: choose with {}", system.file, names.join(" or "));
        }
    };
    let mut items: BTreeMap<[Option<&str>; 3], Vec<&LogRecord>> = BTreeMap::new();
    for record in &system.records {
        let outside = !defined.has(record, metric);
        left_out.look_at(metric, record, outside);
        if outside {
            continue;
        }
        let item = [record.task.as_deref(), Some(&*record.id), record.perturbation.as_deref()];
        items.entry(item).or_default().push(record);
    }
    let row = |mut samples: Vec<&LogRecord>| {
        samples.sort_by_key(|record| record.sample);
        let first = samples[0];
        let mut row = LogRecord { values: Vec::new(), ..first.clone() }.row();
        row.insert("hypothesis".to_owned(), of_item(&samples, metric)?);
        Ok((first.location.clone(), row))
    };
    items.into_values().map(row).collect()
}

fn of_item(samples: &[&LogRecord], metric: &str) -> Result<Value, InputError> {
    let value = |record: &LogRecord| {
        record.values.iter().find(|(name, _)| name == metric).map(|(_, value)| value.clone())
    };
    // A quotient is a log-likelihood with its number of words or bytes.
    if let [one] = samples
        && let Some(LogValue::Quotient { numerator, denominator }) = value(one)
    {
        if denominator.fract() != 0.0 || denominator < 0.0 {
            let message = format!("{metric}: the denominator is {denominator}, but must be a whole number");
            return Err(InputError::malformed(message).at(one.location.clone()));
        }
        return Ok(json!({ "loglik": numerator, "weight": denominator as u64 }));
    }
    let of_sample = |record: &&LogRecord| match value(record) {
        // A failed sample stays in the list as a missing number.
        None | Some(LogValue::Missing(_)) => Ok(Value::Null),
        Some(LogValue::Number(number)) => Ok(number.into()),
        Some(other) => {
            let message =
                format!("{metric} of item `{}` is {other:?}, where a number is expected", record.id);
            Err(InputError::malformed(message).at(record.location.clone()))
        }
    };
    samples.iter().map(of_sample).collect::<Result<Vec<_>, _>>().map(Value::Array)
}

/// Returns an error if no record of a log has a requested number, because its name is probably misspelled.
fn require_numbers(wanting: &Wanting<'_>, system: &System) -> Result<()> {
    let values = system.records.iter().flat_map(|record| &record.values);
    let names: BTreeSet<&str> = values.map(|(name, _)| name.as_str()).collect();
    for column in &wanting.numbers {
        let known = names.iter().any(|name| is_of(column.name, name));
        // If there is no number at all, every sample has failed.
        if !known && !names.is_empty() {
            let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            fail!("{}: no number `{}`; the log has {}", system.file, column.name, names.join(", "));
        }
    }
    Ok(())
}
