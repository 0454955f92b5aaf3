//! Files of statistics as tables in Arrow's IPC format, which query engines and notebooks can read and
//! filter.
//!
//! Each row is a segment. Its columns are the labels, `references_fingerprint`, `source_fingerprint` and the
//! counts of each metric. Two columns named by [`LEADING`] precede the counts. A metric without counts has
//! the column `state` with its state as JSON. With several metrics, column names begin with the metric, as in
//! `bleu.segments`.
//!
//! The [`Header`] is in the schema's metadata under [`METADATA`], and the last line of the text format is in
//! the metadata of the footer. The reader rebuilds the text lines and checks them like a text file. A table
//! that an engine has filtered and written has no last line; its totals are the sums of its rows.

use std::collections::HashMap;
use std::io::{Cursor, Write as _};
use std::path::Path;
use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::types::{Int64Type, UInt64Type};
use arrow_array::{Array as _, ArrayRef, Int64Array, RecordBatch, StringArray, UInt64Array};
use arrow_ipc::reader::FileReader;
use arrow_ipc::writer::FileWriter;
use arrow_schema::{ArrowError, DataType, Field, Schema};
use bleuprint_core::{InputError, Result};
use bleuprint_inference::add_row;

use super::{
    AtomicFile, Fingerprint, Header, LEADING, METADATA, StoredMetric, StoredSegment, StoredState,
    StoredStatistics, leading, required,
};

/// Key, in the metadata of the Arrow footer, under which the last line of the text format is stored.
const END: &str = "bleuprint-end";

const REFERENCES: &str = "references_fingerprint";
const SOURCE: &str = "source_fingerprint";
const STATE: &str = "state";

const BATCH: usize = 1 << 16;

impl Header {
    /// Returns the prefix of a metric's column names in an Arrow table: the metric's name and a dot, or
    /// nothing if there is only one metric.
    fn prefix(&self, metric: &StoredMetric) -> String {
        if self.metrics.len() > 1 { format!("{}.", metric.spec) } else { String::new() }
    }
}

impl StoredStatistics {
    /// Writes the statistics of the segments to a file, as an Arrow table.
    ///
    /// # Errors
    /// Returns an error if there is only a total, if a label has the name of another column, or if a count
    /// does not fit in a signed 64-bit integer. Returns [`Io`](bleuprint_core::InputErrorKind::Io) if the
    /// file cannot be written.
    pub fn write_arrow(&self, path: impl AsRef<Path>) -> Result<()> {
        let path = path.as_ref();
        let bytes = self.to_arrow()?;
        let mut file = AtomicFile::create(path)?;
        file.write_all(&bytes)
            .map_err(|error| super::write::io_error(&error, &path.display().to_string()))?;
        file.commit()
    }

    fn to_arrow(&self) -> Result<Vec<u8>> {
        // The rows of the table are the segments, so a total without segments cannot be written.
        if !self.header.each {
            return Err(InputError::malformed(
                "only a total is stored, but a table needs a row for each segment",
            ));
        }
        let schema = Arc::new(self.schema()?);
        let mut bytes = Vec::new();
        let mut writer = FileWriter::try_new(&mut bytes, &schema).map_err(of_arrow)?;
        for segments in self.segments.chunks(BATCH) {
            let batch = RecordBatch::try_new(schema.clone(), self.columns(segments)?).map_err(of_arrow)?;
            writer.write(&batch).map_err(of_arrow)?;
        }
        let lines =
            String::from_utf8(self.to_vec()?).map_err(|error| InputError::malformed(error.to_string()))?;
        writer.write_metadata(END, lines.lines().last().unwrap_or_default());
        writer.finish().map_err(of_arrow)?;
        Ok(bytes)
    }

    fn schema(&self) -> Result<Schema> {
        let mut fields: Vec<Field> =
            self.header.labels.iter().map(|label| Field::new(label, DataType::Utf8, true)).collect();
        fields.push(Field::new(REFERENCES, DataType::UInt64, false));
        fields.push(Field::new(SOURCE, DataType::UInt64, true));
        for metric in &self.header.metrics {
            let prefix = self.header.prefix(metric);
            match &metric.columns {
                None => fields.push(Field::new(format!("{prefix}{STATE}"), DataType::Utf8, false)),
                Some(names) => fields.extend(
                    LEADING
                        .into_iter()
                        .chain(names.iter().map(String::as_str))
                        .map(|name| Field::new(format!("{prefix}{name}"), DataType::Int64, false)),
                ),
            }
        }
        let twice = |at: &usize| fields[..*at].iter().any(|field| field.name() == fields[*at].name());
        if let Some(at) = (0..fields.len()).find(twice) {
            let name = fields[at].name();
            return Err(InputError::malformed(format!(
                "two columns would have the name `{name}`: rename the label"
            )));
        }
        let header =
            serde_json::to_string(&self.header).map_err(|error| InputError::malformed(error.to_string()))?;
        Ok(Schema::new_with_metadata(fields, HashMap::from([(METADATA.to_owned(), header)])))
    }

    fn columns(&self, segments: &[StoredSegment]) -> Result<Vec<ArrayRef>> {
        let mut columns: Vec<ArrayRef> = Vec::new();
        for place in 0..self.header.labels.len() {
            let label = |segment: &StoredSegment| segment.labels.get(place).cloned().flatten();
            columns.push(Arc::new(segments.iter().map(label).collect::<StringArray>()));
        }
        let references = segments.iter().map(|segment| segment.references.number());
        columns.push(Arc::new(UInt64Array::from_iter_values(references)));
        let sources = segments.iter().map(|segment| segment.source.map(Fingerprint::number));
        columns.push(Arc::new(sources.collect::<UInt64Array>()));
        for (place, metric) in self.header.metrics.iter().enumerate() {
            let states = || segments.iter().filter_map(move |segment| segment.states.get(place));
            let Some(names) = &metric.columns else {
                let texts = states().map(serde_json::to_string).collect::<Result<Vec<_>, _>>();
                let texts = texts.map_err(|error| InputError::malformed_state(error.to_string()))?;
                columns.push(Arc::new(StringArray::from(texts)));
                continue;
            };
            let of_row = leading(&metric.key, names);
            let leading: Vec<_> = states().map(|state| of_row(state.row().unwrap_or_default())).collect();
            for at in 0..LEADING.len() {
                // The values describe one segment, so they are below 2^31 and the cast is exact.
                let values = leading.iter().map(|values| values[at].cast_signed());
                columns.push(Arc::new(Int64Array::from_iter_values(values)));
            }
            for (at, name) in names.iter().enumerate() {
                let count = |state: &StoredState| {
                    let count = state.row().and_then(|row| row.get(at)).copied().unwrap_or_default();
                    let too_large =
                        || format!("the count {count} of {name} does not fit 64 bits with a sign");
                    i64::try_from(count).map_err(|_| InputError::malformed_state(too_large()))
                };
                columns.push(Arc::new(Int64Array::from(states().map(count).collect::<Result<Vec<i64>>>()?)));
            }
        }
        Ok(columns)
    }
}

/// Converts a file of statistics from an Arrow table to the lines of the text format.
pub(super) fn lines_of(bytes: Vec<u8>) -> Result<Vec<u8>, String> {
    let wrong = |error: ArrowError| format!("this file of Arrow cannot be read: {error}");
    // The Arrow reader may panic on a damaged file; the panic is caught below.
    let read = || -> Result<Vec<u8>, String> {
        let mut reader = FileReader::try_new(Cursor::new(bytes), None).map_err(wrong)?;
        let schema = reader.schema();
        let stored = schema.metadata().get(METADATA);
        let stored = stored.ok_or("this table is not one of statistics: its metadata name no metric")?;
        let mut header: Header =
            serde_json::from_str(stored).map_err(|error| format!("the header: {error}"))?;
        let end = reader.custom_metadata().get(END).cloned();
        let mut segments = Vec::new();
        let mut checked = true;
        for batch in &mut reader {
            let rows = ArrowRows { header: &header, batch: &batch.map_err(wrong)?, before: segments.len() };
            rows.read(&mut segments)?;
            checked &= header.metrics.iter().all(|metric| rows.is_checked(metric));
        }
        // The last line contains a checksum, so a file with it needs no checks of rows.
        if !checked && end.is_none() {
            header.tool.push_str(", columns unchecked");
        }
        lines(header, segments, end)
    };
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(read))
        .unwrap_or_else(|_| Err("this file of Arrow cannot be read: it is damaged".to_owned()))
}

fn lines(header: Header, segments: Vec<StoredSegment>, end: Option<String>) -> Result<Vec<u8>, String> {
    let Some(end) = end else {
        let total = header.metrics.iter().enumerate().map(|(place, metric)| sum(&segments, place, metric));
        let total = total.collect::<Result<_, _>>()?;
        return StoredStatistics::new(header, segments, total).to_vec().map_err(|error| error.to_string());
    };
    // The last line is copied as it was written, so that its checksum does not fit a table that was changed.
    let written =
        StoredStatistics::new(header, segments, Vec::new()).to_vec().map_err(|error| error.to_string())?;
    let body = written[..written.len().saturating_sub(1)]
        .iter()
        .rposition(|&byte| byte == b'\n')
        .map_or(0, |at| at + 1);
    Ok([&written[..body], end.as_bytes(), b"\n".as_slice()].concat())
}

fn sum(segments: &[StoredSegment], place: usize, metric: &StoredMetric) -> Result<StoredState, String> {
    let Some(names) = &metric.columns else {
        return Err(format!(
            "the states of {} cannot be added up, and the table has lost its end line with the total",
            metric.spec
        ));
    };
    // A filtered table has lost its total, and rows of counts simply add up.
    let mut sum = vec![0; names.len()];
    for row in segments.iter().filter_map(|segment| segment.states.get(place)?.row()) {
        add_row(&mut sum, row).map_err(|error| error.to_string())?;
    }
    Ok(StoredState::Row(sum))
}

struct ArrowRows<'b> {
    header: &'b Header,
    batch: &'b RecordBatch,
    before: usize,
}

impl ArrowRows<'_> {
    fn read(&self, segments: &mut Vec<StoredSegment>) -> Result<(), String> {
        let labels =
            self.header.labels.iter().map(|label| self.texts(label)).collect::<Result<Vec<_>, _>>()?;
        let references = self.numbers(REFERENCES)?;
        let sources = self.numbers(SOURCE)?;
        let states = self.header.metrics.iter().map(|metric| self.states(metric));
        let mut states: Vec<_> =
            states.collect::<Result<Vec<_>, _>>()?.into_iter().map(Vec::into_iter).collect();
        for row in 0..self.batch.num_rows() {
            segments.push(StoredSegment {
                references: references[row]
                    .map(Fingerprint::from_number)
                    .ok_or_else(|| self.null(REFERENCES, row))?,
                source: sources[row].map(Fingerprint::from_number),
                labels: labels.iter().map(|column| column[row].clone()).collect(),
                states: states.iter_mut().filter_map(Iterator::next).collect(),
            });
        }
        Ok(())
    }

    fn states(&self, metric: &StoredMetric) -> Result<Vec<StoredState>, String> {
        let prefix = self.header.prefix(metric);
        let Some(names) = &metric.columns else {
            let name = format!("{prefix}{STATE}");
            let state = |(row, text): (usize, Option<String>)| {
                let state = serde_json::from_str(&text.ok_or_else(|| self.null(&name, row))?);
                state
                    .map(StoredState::Other)
                    .map_err(|error| format!("{name}[{}]: {error}", self.before + row))
            };
            return self.texts(&name)?.into_iter().enumerate().map(state).collect();
        };
        let required = required(&metric.key, names);
        let checked = self.is_checked(metric);
        let leading = LEADING.into_iter().take(if checked { 2 } else { 1 });
        let names = leading.chain(names.iter().map(String::as_str));
        let names: Vec<String> = names.map(|name| format!("{prefix}{name}")).collect();
        let columns = names.iter().map(|name| self.numbers(name)).collect::<Result<Vec<_>, _>>()?;
        let state = |row: usize| {
            let counts = columns
                .iter()
                .zip(&names)
                .map(|(column, name)| column[row].ok_or_else(|| self.null(name, row)));
            let mut counts = counts.collect::<Result<Vec<u64>, _>>()?;
            let key = counts.remove(0);
            let check = checked.then(|| counts.remove(0));
            required(key, check, &counts).map_err(|error| format!("row {}: {error}", self.before + row))?;
            Ok(StoredState::Row(counts))
        };
        (0..self.batch.num_rows()).map(state).collect()
    }

    /// Returns `true` if the table has the column `check`, with checksums of a metric's counts; tables of
    /// earlier versions lack it.
    fn is_checked(&self, metric: &StoredMetric) -> bool {
        let name = format!("{}{}", self.header.prefix(metric), LEADING[1]);
        metric.columns.is_none() || self.batch.column_by_name(&name).is_some()
    }

    fn column(&self, name: &str) -> Result<&ArrayRef, String> {
        self.batch.column_by_name(name).ok_or_else(|| {
            let schema = self.batch.schema();
            let there: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
            format!("the table has no column `{name}`; it has: {}", there.join(", "))
        })
    }

    fn texts(&self, name: &str) -> Result<Vec<Option<String>>, String> {
        let column = self.column(name)?;
        let owned = |text: Option<&str>| text.map(str::to_owned);
        // An engine may write strings as any of Arrow's string types, and a column of only nulls without a
        // type.
        match column.data_type() {
            DataType::Utf8 => Ok(column.as_string::<i32>().iter().map(owned).collect()),
            DataType::LargeUtf8 => Ok(column.as_string::<i64>().iter().map(owned).collect()),
            DataType::Utf8View => Ok(column.as_string_view().iter().map(owned).collect()),
            DataType::Null => Ok(vec![None; column.len()]),
            other => Err(format!("{name} is a column of {other}, but must hold strings")),
        }
    }

    fn numbers(&self, name: &str) -> Result<Vec<Option<u64>>, String> {
        let column = self.column(name)?;
        let negative =
            |row: usize, count| format!("{name}[{}] is {count}, but must be at least 0", self.before + row);
        match column.data_type() {
            DataType::UInt64 => Ok(column.as_primitive::<UInt64Type>().iter().collect()),
            DataType::Int64 => {
                let count = |(row, count): (usize, Option<i64>)| {
                    count.map(|count| u64::try_from(count).map_err(|_| negative(row, count))).transpose()
                };
                column.as_primitive::<Int64Type>().iter().enumerate().map(count).collect()
            }
            other => Err(format!("{name} is a column of {other}, but must hold integers")),
        }
    }

    fn null(&self, name: &str, row: usize) -> String {
        format!("{name}[{}] is null, but must be there", self.before + row)
    }
}

fn of_arrow(error: ArrowError) -> InputError {
    InputError::malformed(format!("the table cannot be written: {error}"))
}

#[cfg(test)]
mod tests;
