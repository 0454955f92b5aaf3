//! Details of lighteval: a Parquet file for each task, with a row for each item.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bleuprint_core::{InputError, Result};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field, Row};
use parquet::schema::types::Type;
use serde_json::Value;

use crate::{Log, LogRecord, LogValue, document, files};

/// Folders between the one that is given and its files: `details`, an organisation, a model, a stamp.
const DEEPEST: usize = 4;

pub(crate) fn read(path: &Path) -> Result<Log> {
    let mut log = Log::default();
    let mut found = if path.is_dir() { Vec::new() } else { vec![path.to_owned()] };
    if path.is_dir() {
        collect(path, DEEPEST, &mut found)?;
    }
    if found.is_empty() {
        return Err(files::none(path, "details_TASK_STAMP.parquet, which --save-details writes"));
    }
    // MODEL/STAMP/FILE.
    let models: BTreeSet<&Path> = found.iter().filter_map(|file| file.parent()?.parent()).collect();
    if models.len() > 1 {
        let name = |model: &Path| format!("`{}`", model.strip_prefix(path).unwrap_or(model).display());
        return Err(files::several_models(path, &models.into_iter().map(name).collect::<Vec<_>>()));
    }
    let named = found.into_iter().map(|file| {
        let (task, stamp) = files::task_and_stamp(&files::name(&file));
        (task, stamp, file)
    });
    for (task, file) in files::newest(named.collect(), path, &mut log.warnings) {
        for (place, row) in rows(&file)?.into_iter().enumerate() {
            log.records.push(record(&row, place, &task, &file)?);
        }
    }
    Ok(log)
}

fn collect(folder: &Path, deeper: usize, found: &mut Vec<PathBuf>) -> Result<()> {
    let is_log = |name: &str| name.starts_with("details_") && name.ends_with(".parquet");
    found.extend(files::matching(folder, is_log)?);
    if deeper > 0 {
        for entry in files::entries(folder)?.into_iter().filter(|entry| entry.is_dir()) {
            collect(&entry, deeper - 1, found)?;
        }
    }
    Ok(())
}

/// The columns `doc` and `metric` of all rows; those of the model's answers are large.
fn rows(file: &Path) -> Result<Vec<Value>> {
    let no_table = |reason: &dyn std::fmt::Display| {
        InputError::malformed(format!("no details of lighteval: {reason}")).at(document::file(file))
    };
    let open = File::open(file).map_err(|error| no_table(&error))?;
    let read = move || -> parquet::errors::Result<Vec<Value>> {
        let reader = SerializedFileReader::new(open)?;
        let schema = reader.metadata().file_metadata().schema();
        let wanted = schema.get_fields().iter().filter(|column| ["doc", "metric"].contains(&column.name()));
        let wanted =
            Type::group_type_builder(schema.name()).with_fields(wanted.map(Arc::clone).collect()).build()?;
        reader.get_row_iter(Some(wanted))?.map(|row| Ok(object(row?))).collect()
    };
    // The reader of the format panics at some damaged files.
    let read = std::panic::catch_unwind(std::panic::AssertUnwindSafe(read));
    read.map_err(|_| no_table(&"the file is damaged"))?.map_err(|error| no_table(&error))
}

fn object(row: Row) -> Value {
    row.into_columns().into_iter().map(|(name, field)| (name, value(field))).collect()
}

fn value(field: Field) -> Value {
    match field {
        Field::Null => Value::Null,
        Field::Bool(verdict) => verdict.into(),
        Field::Int(number) => number.into(),
        Field::Long(number) => number.into(),
        Field::Float(number) => number.into(),
        Field::Double(number) => number.into(),
        Field::Group(row) => object(row),
        Field::ListInternal(list) => list.elements().iter().cloned().map(value).collect(),
        Field::Str(text) => text.into(),
        other => other.to_string().into(),
    }
}

fn record(row: &Value, place: usize, task: &str, file: &Path) -> Result<LogRecord> {
    let location = document::file(file);
    let Some(metrics) = row["metric"].as_object() else {
        let message = format!("row {} has no column `metric` with the numbers of the item", place + 1);
        return Err(InputError::malformed(message).at(location));
    };
    Ok(LogRecord {
        task: Some(task.to_owned()).filter(|task| !task.is_empty()),
        id: place.to_string(),
        group: document::group(&row["doc"]["specific"]),
        values: metrics.iter().map(|(name, value)| (name.clone(), LogValue::of(value))).collect(),
        // Rows are paired by their place: this is the same item in all logs.
        data: document::label(&row["doc"]["id"]),
        location,
        ..LogRecord::default()
    })
}
