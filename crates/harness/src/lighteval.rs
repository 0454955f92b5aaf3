//! A reader of result details of the harness lighteval: a Parquet file for each task, with a row for each
//! item.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bleuprint_core::{InputError, Result};
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field, Row};
use parquet::schema::types::Type;
use serde_json::{Number, Value};

use crate::{Log, LogRecord, LogTexts, LogValue, document, files};

/// Maximum depth of folders between the given folder and the log files: `details`, an organisation, a model,
/// a time stamp.
const DEEPEST: usize = 4;

pub(crate) fn read(path: &Path) -> Result<Log> {
    let mut log = Log::default();
    let mut found = Vec::new();
    collect(path, DEEPEST, &mut found)?;
    if found.is_empty() {
        return Err(files::none(path, "details_TASK_STAMP.parquet, which --save-details writes"));
    }
    // The path of a file ends in MODEL/STAMP/FILE, so the model is two levels up.
    let models: BTreeSet<&Path> = found.iter().filter_map(|file| file.parent()?.parent()).collect();
    if models.len() > 1 {
        let name = |model: &Path| format!("`{}`", model.strip_prefix(path).unwrap_or(model).display());
        return Err(files::several_models(path, &models.into_iter().map(name).collect::<Vec<_>>()));
    }
    for (task, file) in files::newest(found.into_iter().map(files::run_of), path, &mut log.warnings) {
        let before = log.records.len();
        log.records.extend(records(&file, &task)?);
        log.note_empty(before, &file);
    }
    Ok(log)
}

fn collect(folder: &Path, deeper: usize, found: &mut Vec<PathBuf>) -> Result<()> {
    let is_log = |name: &str| name.starts_with("details_") && name.ends_with(".parquet");
    found.extend(files::matching(folder, is_log)?);
    if deeper > 0 && folder.is_dir() {
        for entry in files::entries(folder)?.into_iter().filter(|entry| entry.is_dir()) {
            collect(&entry, deeper - 1, found)?;
        }
    }
    Ok(())
}

/// Reads all rows of a lighteval Parquet file as records of the task `task`.
fn records(file: &Path, task: &str) -> Result<Vec<LogRecord>> {
    let wrong = |message: String| InputError::malformed(message).at(document::file(file));
    let no_table = |reason: &dyn std::fmt::Display| wrong(format!("no details of lighteval: {reason}"));
    let open = File::open(file).map_err(|error| wrong(format!("cannot be read: {error}")))?;
    let read = || -> parquet::errors::Result<Vec<Result<LogRecord>>> {
        let reader = SerializedFileReader::new(open)?;
        let schema = reader.metadata().file_metadata().schema();
        // Only two columns are read, because the columns with the model's answers are large.
        let wanted = schema.get_fields().iter().filter(|column| ["doc", "metric"].contains(&column.name()));
        let wanted: Vec<Arc<Type>> = wanted.map(Arc::clone).collect();
        require_distinct(&wanted)?;
        let wanted = Type::group_type_builder(schema.name()).with_fields(wanted).build()?;
        let rows = reader.get_row_iter(Some(wanted))?.enumerate();
        rows.map(|(place, row)| Ok(record(&object(row?), place, task, file))).collect()
    };
    // The Parquet reader panics on some damaged files; the panic becomes an error.
    let read = std::panic::catch_unwind(std::panic::AssertUnwindSafe(read));
    let read = read.map_err(|_| no_table(&"the file is damaged"))?.map_err(|error| no_table(&error))?;
    read.into_iter().collect()
}

/// Rejects columns with equal names, and fields with equal names in a column: only one of them could be read.
fn require_distinct(columns: &[Arc<Type>]) -> parquet::errors::Result<()> {
    let mut names = BTreeSet::new();
    for column in columns {
        if !names.insert(column.name()) {
            return Err(ParquetError::General(format!("the column `{}` is there twice", column.name())));
        }
        if column.is_group() {
            require_distinct(column.get_fields())?;
        }
    }
    Ok(())
}

fn object(row: Row) -> Value {
    row.into_columns().into_iter().map(|(name, field)| (name, value(field))).collect()
}

fn value(field: Field) -> Value {
    match field {
        Field::Null => Value::Null,
        Field::Bool(verdict) => verdict.into(),
        Field::Byte(number) => number.into(),
        Field::Short(number) => number.into(),
        Field::Int(number) => number.into(),
        Field::Long(number) => number.into(),
        Field::UByte(number) => number.into(),
        Field::UShort(number) => number.into(),
        Field::UInt(number) => number.into(),
        Field::ULong(number) => number.into(),
        Field::Float16(number) => float(number.into()),
        Field::Float(number) => float(number.into()),
        Field::Double(number) => float(number),
        Field::Group(row) => object(row),
        Field::ListInternal(list) => list.elements().iter().cloned().map(value).collect(),
        Field::Str(text) => text.into(),
        other => other.to_string().into(),
    }
}

/// Converts a float to JSON. NaN and infinities become texts, since JSON has no such numbers: readers treat
/// `NaN` as missing and reject the others.
fn float(number: f64) -> Value {
    Number::from_f64(number).map_or_else(|| number.to_string().into(), Value::Number)
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
        values: metrics.iter().map(|(name, value)| (name.clone(), LogValue::from_json(value))).collect(),
        // Items are paired by their row, so the id of the document shows whether a row is the same item in
        // all logs.
        data: document::label(&row["doc"]["id"]),
        texts: LogTexts::of_lighteval(&row["doc"]),
        location,
        ..LogRecord::default()
    })
}
