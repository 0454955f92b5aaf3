//! Converts records of other programs (JSON Lines, CSV, logs) to columns of a [`TextCorpus`]. Systems are
//! aligned by ids or by order, or have separate segments.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use bleuprint::eval::evaluation::{ITEM, NumberColumn, SystemNumbers, TextCorpus, TextSegment};
use bleuprint::text::ReadSegments;
use bleuprint::text::read::{EmptyReferences, FieldReader, LeftOut, ReadSegment, Systems, check_read_once};
use bleuprint::{AnyMetric, InputError, InputErrorKind, Location};
use bleuprint_harness::LogTexts;

use crate::failure::{Result, fail};
use crate::input::BadLines;
use crate::own::{self, OwnKeys, OwnRecord};
use crate::request::numbers::{NumbersRequest, RecordsReading, in_field};
use crate::request::sources::Sources;
use crate::wanted::{WantedTests, Wanting, wanting};
use crate::warn;

/// Adds columns of numbers and structured data that the metrics need, from the records that also contain the
/// texts. Columns that were read from `--given` files are not read again.
pub(super) fn add_of_segments(
    corpora: &mut [TextCorpus],
    file: &str,
    metrics: &[(usize, AnyMetric)],
    own: &[(usize, AnyMetric)],
    sources: &Sources,
) -> Result<()> {
    let mut wanting = wanting(metrics, own)?;
    let known =
        |name: &str| corpora.iter().flat_map(|corpus| &corpus.numbers).any(|column| column.name == name);
    wanting.numbers.retain(|column| !known(column.name));
    wanting.forms.retain(|form| !corpora.iter().flat_map(|corpus| &corpus.own).any(|own| own.form == *form));
    if wanting.numbers.is_empty() && wanting.forms.is_empty() {
        return Ok(());
    }
    // The texts have consumed standard input already.
    if file == "-" {
        fail!("other data beside texts are read from files, as standard input is read once");
    }
    // A line that is bad for the texts alone would shift the other data.
    if sources.skips_bad_lines {
        fail!("--bad-lines skip takes metrics of texts or of other data, and not both in one command");
    }
    let names: Vec<String> = corpora.iter().flat_map(|corpus| corpus.systems.clone()).collect();
    let reading = RecordsReading::default();
    let mut fields = FieldReader::open(file, None)?.with_columns(&sources.columns)?;
    let mut systems = RecordSystems::default();
    while fields.advance()? {
        let system = match &names[..] {
            [one] => one.clone(),
            _ => label(&fields, "system")?.unwrap_or_default(),
        };
        let record = record(&fields, &reading, &wanting, &[], Some(sources.streams.empty_references))?;
        systems.entry(&system, file).records.push(record);
    }
    for corpus in corpora {
        // The texts were read from the same rows, so every system has the same number of records, in the same
        // order.
        let of_corpus = corpus.systems.iter().filter_map(|name| systems.take(name));
        let of_corpus: Vec<SystemRecords> = of_corpus.collect();
        let rows: Vec<Vec<Option<&InputRecord>>> =
            of_corpus.iter().map(|system| system.records.iter().map(Some).collect()).collect();
        own::add(corpus, &wanting.forms, &of_corpus, &rows)?;
        for (place, column) in wanting.numbers.iter().enumerate() {
            let numbers = of_corpus.iter().zip(&rows).map(|(system, rows)| system.numbers(rows, place));
            let systems = numbers.collect();
            corpus.add_column(NumberColumn {
                name: column.name.to_owned(),
                systems,
                ..NumberColumn::default()
            })?;
        }
    }
    Ok(())
}

/// Record of one system for one segment, with the values that the metrics need.
pub(super) struct InputRecord {
    /// Id of the record; an empty text if the records have no ids.
    id: String,
    pub(super) line: u64,
    /// Value in each column of numbers that the metrics need; `None` if the value is missing.
    numbers: Vec<Option<f64>>,
    /// Flag of each column of numbers: `true` if no record of this record's task has a number in the column.
    /// The list is empty if every record has all columns.
    pub(super) outside: Vec<bool>,
    /// Structured data of the record, in each data type that the metrics need.
    pub(super) own: Vec<OwnRecord>,
    /// Texts of the record that are displayed beside its numbers.
    pub(super) texts: LogTexts,
    labels: Vec<Option<String>>,
}

/// Records of one system, in the order of the file.
pub(super) struct SystemRecords {
    pub(super) name: String,
    pub(super) file: Arc<str>,
    pub(super) records: Vec<InputRecord>,
}

impl SystemRecords {
    fn numbers(&self, records: &[Option<&InputRecord>], place: usize) -> SystemNumbers {
        let values = records.iter().map(|record| record.and_then(|record| record.numbers[place]));
        let line = |record: &InputRecord| if record.line == 0 { SystemNumbers::NO_LINE } else { record.line };
        let lines = records.iter().map(|record| record.map_or(0, line));
        SystemNumbers { origin: Some((self.file.clone(), lines.collect())), ..SystemNumbers::new(values) }
    }

    fn places(&self) -> Result<HashMap<&str, usize>, InputError> {
        let mut places = HashMap::with_capacity(self.records.len());
        for (place, record) in self.records.iter().enumerate() {
            if let Some(first) = places.insert(record.id.as_str(), place) {
                let id = &record.id;
                let system = &self.name;
                // Records of one document have no line numbers.
                let (first, at) = match self.records[first].line {
                    0 => (String::new(), Location::file(self.file.clone())),
                    line => {
                        (format!(", first on line {line}"), Location::line(self.file.clone(), record.line))
                    }
                };
                let message = format!(
                    "the id `{id}` comes twice in system {system}{first}: further columns of --id tell repetitions \
                     apart, --where chooses among them"
                );
                return Err(InputError::malformed(message).at(at));
            }
        }
        Ok(places)
    }
}

/// Records of all systems, in the order of each system's first record.
#[derive(Default)]
pub(super) struct RecordSystems {
    pub(super) all: Vec<SystemRecords>,
    by_name: HashMap<String, usize>,
}

impl RecordSystems {
    pub(super) fn entry(&mut self, name: &str, file: &str) -> &mut SystemRecords {
        let place = match self.by_name.get(name) {
            Some(&place) => place,
            None => {
                let file = if file == "-" { "<stdin>" } else { file };
                self.all.push(SystemRecords {
                    name: name.to_owned(),
                    file: file.into(),
                    records: Vec::new(),
                });
                self.by_name.insert(name.to_owned(), self.all.len() - 1);
                self.all.len() - 1
            }
        };
        &mut self.all[place]
    }

    fn take(&mut self, name: &str) -> Option<SystemRecords> {
        let system = &mut self.all[*self.by_name.get(name)?];
        let name = system.name.clone();
        let file = system.file.clone();
        Some(SystemRecords { name, file, records: std::mem::take(&mut system.records) })
    }
}

pub(super) fn together(
    request: &NumbersRequest,
    wanting: &Wanting<'_>,
    labels: &[String],
) -> Result<TextCorpus> {
    let labels = label_columns(&request.reading, labels)?;
    corpus(&read(request, wanting, &labels)?, &request.reading, wanting, &labels)
}

pub(super) fn sides(
    request: &NumbersRequest,
    metrics: &[(usize, AnyMetric)],
    own: &[(usize, AnyMetric)],
    labels: &[String],
) -> Result<Vec<TextCorpus>> {
    check_read_once(request.files().collect::<Vec<_>>().iter())?;
    let wanting = wanting(metrics, own)?;
    let labels = label_columns(&request.reading, labels)?;
    let systems = read(request, &wanting, &labels)?;
    systems.chunks(1).map(|system| corpus(system, &request.reading, &wanting, &labels)).collect()
}

/// Reads the records of all systems from a file of segments without text. With `apart`, each system has
/// separate segments and gets its own corpus; otherwise they share one.
pub(super) fn of_segments(
    file: &str,
    sources: &Sources,
    metrics: &[(usize, AnyMetric)],
    own: &[(usize, AnyMetric)],
    apart: bool,
) -> Result<Vec<TextCorpus>> {
    let wanting = wanting(metrics, own)?;
    let reading = RecordsReading::default();
    let reader = sources.reader.as_ref();
    let mut fields = match reader.map(|reader| reader.open(file, &sources.streams, false)).transpose()? {
        None => FieldReader::open(file, None)?.with_columns(&sources.columns)?,
        Some(ReadSegments::Records(fields)) => fields,
        Some(ReadSegments::Texts(_)) => fail!("{file}: the file has texts, and not data for one metric"),
    };
    let mut systems = RecordSystems::default();
    let labels = own::LABELS.iter().filter(|name| fields.may_have(name));
    let labels: Vec<_> = labels.map(|name| ((*name).to_owned(), (*name).to_owned())).collect();
    let mut known = SegmentsOfSystems::new(file, apart);
    let empty = Some(sources.streams.empty_references);
    let mut bad_lines = BadLines::default();
    loop {
        let read = match fields.advance() {
            Ok(false) => break,
            Ok(true) => record(&fields, &reading, &wanting, &labels, empty),
            Err(error) => Err(error),
        };
        let record = match read {
            Err(error) if sources.skips_bad_lines && fields.recovers() => {
                bad_lines.add(&error);
                continue;
            }
            read => read?,
        };
        bad_lines.good += 1;
        let system = known.add(&fields, &record)?;
        let of = if reader.is_some() { &system } else { file };
        systems.entry(&system, of).records.push(record);
    }
    let systems = systems.all;
    if systems.is_empty() {
        return Err(InputError::from(InputErrorKind::EmptyCorpus).at(Location::file(file)).into());
    }
    known.check(&systems).map_err(|error| error.at(Location::file(file)))?;
    let left_out: Vec<LeftOut> = fields.left_out().iter().cloned().chain(bad_lines.left_out()).collect();
    if !sources.streams.quiet {
        left_out.iter().for_each(|left_out| warn::note(&left_out.to_string()));
    }
    let each = if apart { 1 } else { systems.len() };
    let corpora = systems.chunks(each).map(|systems| {
        // A label that no segment has is left out.
        let mut corpus = corpus(systems, &reading, &wanting, &labels)?;
        let has = |place: usize| corpus.labels.values.iter().any(|values| values[place].is_some());
        let kept: Vec<bool> = (0..labels.len()).map(has).collect();
        corpus.labels.names = keep(&corpus.labels.names, &kept);
        corpus.labels.values.iter_mut().for_each(|values| *values = keep(values, &kept));
        corpus.facts.left_out.clone_from(&left_out);
        Ok(corpus)
    });
    corpora.collect()
}

/// Systems in a file of segments, for checks: a system must not have a segment twice. All systems must have
/// the same segments in the same order, unless `apart` is set.
struct SegmentsOfSystems {
    file: String,
    apart: bool,
    /// Groups of systems that must have the same segments. All systems are in one group; with `apart`, each
    /// system is a separate group with its name.
    known: Vec<(Option<String>, Systems)>,
    /// Id and document of each segment, for each system.
    ids: HashMap<String, Vec<[Option<String>; 2]>>,
}

impl SegmentsOfSystems {
    fn new(file: &str, apart: bool) -> Self {
        SegmentsOfSystems { file: file.to_owned(), apart, known: Vec::new(), ids: HashMap::new() }
    }

    /// Adds the current record as a segment of its system, and returns the name of the system.
    fn add(&mut self, fields: &FieldReader, record: &InputRecord) -> Result<String, InputError> {
        let system = fields.segment_label("system")?;
        let [id, document] = [fields.segment_label("id")?, fields.segment_label("document")?];
        let printed = record.own.first().map(OwnRecord::printed);
        let (references, source) = printed.unwrap_or_default();
        let row = ReadSegment {
            system: system.clone(),
            id: id.clone(),
            document: document.clone(),
            references: references.iter().cloned().map(Some).collect(),
            source: source.map(str::to_owned),
            ..ReadSegment::default()
        };
        let side = system.clone().filter(|_| self.apart);
        let place = match self.known.iter().position(|(name, _)| *name == side) {
            Some(place) => place,
            None => {
                self.known.push((side, Systems::new(self.file.clone())));
                self.known.len() - 1
            }
        };
        self.known[place].1.add(&row).map_err(|error| error.at(fields.location()))?;
        let name = system.unwrap_or_else(|| self.file.clone());
        self.ids.entry(name.clone()).or_default().push([id, document]);
        Ok(name)
    }

    /// Checks that systems have the same segments, in the same order.
    fn check(&self, systems: &[SystemRecords]) -> Result<(), InputError> {
        if let (true, [(first, _), (other, _), ..]) = (self.apart, &self.known[..])
            && first.is_some() != other.is_some()
        {
            return Err(InputError::malformed("some rows name a system, and others name none"));
        }
        self.known.iter().try_for_each(|(_, systems)| systems.check())?;
        let Some((first, others)) = systems.split_first().filter(|_| !self.apart) else { return Ok(()) };
        let ids = |system: &SystemRecords| self.ids.get(&system.name).map_or(&[][..], Vec::as_slice);
        for other in others {
            if let Some(at) = ids(first).iter().zip(ids(other)).position(|(one, other)| one != other) {
                let number = at + 1;
                let (left, right) = (&first.name, &other.name);
                return Err(InputError::malformed(format!(
                    "segment {number} of {left} and segment {number} of {right} differ in their id"
                )));
            }
        }
        Ok(())
    }
}

fn keep<T: Clone>(all: &[T], kept: &[bool]) -> Vec<T> {
    all.iter().zip(kept).filter(|(_, kept)| **kept).map(|(one, _)| one.clone()).collect()
}

fn read(
    request: &NumbersRequest,
    wanting: &Wanting<'_>,
    labels: &[(String, String)],
) -> Result<Vec<SystemRecords>> {
    let reading = &request.reading;
    let mut systems = RecordSystems::default();
    let mut keys: Option<Vec<String>> = None;
    for (name, file) in &request.records {
        let own = name.as_deref().unwrap_or(file);
        if systems.by_name.contains_key(own) {
            fail!("{own} is given as a system twice");
        }
        if reading.system.is_none() {
            systems.entry(own, file);
        }
        let mut fields = FieldReader::open(file, reading.place.as_deref())?;
        while fields.advance()? {
            if !is_wanted(&fields, reading)? {
                continue;
            }
            let system = match &reading.system {
                None => own.to_owned(),
                Some(column) => required(&fields, column)?,
            };
            let record = record(&fields, reading, wanting, labels, None)?;
            if keys.is_none() {
                keys = Some(fields.record()?.keys().cloned().collect());
            }
            systems.entry(&system, file).records.push(record);
        }
    }
    let systems = systems.all;
    require_numbers(&systems, wanting, keys.as_deref().unwrap_or_default())?;
    // A system without records usually means a misspelled filter, so the error shows the filters.
    if let Some(empty) = systems.iter().find(|system| system.records.is_empty()) {
        fail!("{}: no record of system {}{}", empty.file, empty.name, of_filters(reading));
    }
    if systems.is_empty() {
        return Err(InputError::from(InputErrorKind::EmptyCorpus).into());
    }
    Ok(systems)
}

/// Returns an error for a number that no record has, which is more likely misspelled than missing everywhere.
/// `keys` are the keys of the first record.
fn require_numbers(systems: &[SystemRecords], wanting: &Wanting<'_>, keys: &[String]) -> Result<()> {
    for (place, column) in wanting.numbers.iter().enumerate() {
        let mut records = systems.iter().flat_map(|system| &system.records);
        // A path with dots leads into a value, whose keys are not listed.
        let is_key = column.name.contains('.') || keys.iter().any(|key| key == column.name);
        if !is_key && !keys.is_empty() && records.all(|record| record.numbers[place].is_none()) {
            fail!("no record has `{}`; the first one has: {}", column.name, keys.join(", "));
        }
    }
    Ok(())
}

pub(super) fn corpus(
    systems: &[SystemRecords],
    reading: &RecordsReading,
    wanting: &Wanting<'_>,
    labels: &[(String, String)],
) -> Result<TextCorpus> {
    let rows = if reading.id.is_empty() { aligned_by_order(systems)? } else { aligned_by_id(systems)? };
    let segments = rows.first().map_or(0, Vec::len);
    let mut corpus = TextCorpus::of_numbers(systems.iter().map(|system| &system.name), segments);
    for (place, column) in wanting.numbers.iter().enumerate() {
        let numbers = systems.iter().zip(&rows).map(|(system, rows)| system.numbers(rows, place)).collect();
        let is_outside = |segment: usize| {
            let records = || rows.iter().filter_map(|rows| rows[segment]);
            records().all(|record| record.outside.get(place) == Some(&true)) && records().next().is_some()
        };
        let outside = (0..segments).map(is_outside).collect();
        corpus.add_column(NumberColumn { name: column.name.to_owned(), systems: numbers, outside })?;
    }
    // A segment that one system lacks takes its id and its labels from another system.
    let of_segment = |segment: usize| rows.iter().filter_map(move |rows| rows[segment]);
    if !reading.id.is_empty() {
        let id = |segment| of_segment(segment).next().map(|record| record.id.clone()).unwrap_or_default();
        corpus.set_ids((0..segments).map(id))?;
    }
    own::add(&mut corpus, &wanting.forms, systems, &rows)?;
    for (place, (name, _)) in labels.iter().enumerate() {
        let mut values = Vec::with_capacity(segments);
        for segment in 0..segments {
            let mut all =
                of_segment(segment).map(|record| record.labels[place].as_deref().unwrap_or_default());
            let value = all.next().unwrap_or_default();
            // Labels describe the segment, not the system, so all systems must agree.
            if let Some(other) = all.find(|other| *other != value) {
                let what = corpus
                    .ids
                    .get(segment)
                    .map_or(format!("segment {}", segment + 1), |id| format!("`{id}`"));
                fail!("the label {name} of {what} is `{value}` in one system and `{other}` in another");
            }
            values.push(value);
        }
        corpus.add_label(name, values)?;
    }
    corpus.shown = shown(&rows);
    // The ids of records are labels too, unless the user has given such a label another meaning.
    let is_label = |column: &String| labels.iter().any(|(name, own)| name == column && own == column);
    if reading.id.iter().all(is_label) {
        corpus.facts.ids.clone_from(&reading.id);
    }
    add_items(&mut corpus)?;
    Ok(corpus)
}

/// Returns the texts of all segments for display, or an empty list if no record has any. The question and the
/// target are each taken from the first system that has one.
fn shown(rows: &[Vec<Option<&InputRecord>>]) -> Vec<TextSegment> {
    let segments = rows.first().map_or(0, Vec::len);
    let of_segment = |segment: usize| rows.iter().map(move |rows| rows[segment].map(|record| &record.texts));
    let segment = |segment: usize| {
        let first =
            |text: fn(&LogTexts) -> Option<&String>| of_segment(segment).flatten().find_map(text).cloned();
        let response = |texts: Option<&LogTexts>| texts.and_then(|texts| texts.response.clone());
        TextSegment {
            hypotheses: of_segment(segment).map(|texts| response(texts).unwrap_or_default()).collect(),
            references: first(|texts| texts.target.as_ref()).into_iter().collect(),
            source: first(|texts| texts.question.as_ref()),
        }
    };
    let any = (0..segments).any(|segment| of_segment(segment).flatten().any(|texts| !texts.is_empty()));
    if any { (0..segments).map(segment).collect() } else { Vec::new() }
}

/// Names of id columns that number the samples of an item, such as repeated runs. The id columns before such
/// a column identify the item.
const SAMPLES: [&str; 8] = ["sample", "epoch", "repeat", "repetition", "trial", "attempt", "run", "seed"];

/// Adds a label with the item of each segment, if the last id column numbers the samples of an item.
fn add_items(corpus: &mut TextCorpus) -> Result<(), InputError> {
    let Some((sample, item)) = corpus.facts.ids.split_last() else { return Ok(()) };
    let has_item = corpus.labels.names.iter().any(|name| name == ITEM);
    if item.is_empty() || has_item || !SAMPLES.contains(&sample.as_str()) {
        return Ok(());
    }
    let columns = item.iter().map(|name| corpus.labels.values_of(name)).collect::<Result<Vec<_>, _>>()?;
    // Slashes within a part are escaped, so that different parts never join to the same item.
    let part = |part: &str| {
        if columns.len() > 1 { part.replace('\\', "\\\\").replace('/', "\\/") } else { part.to_owned() }
    };
    let of =
        |segment: usize| columns.iter().map(|column| part(column[segment])).collect::<Vec<_>>().join("/");
    let items: Vec<String> = (0..corpus.segments.len()).map(of).collect();
    corpus.add_label(ITEM, items)
}

fn aligned_by_order(systems: &[SystemRecords]) -> Result<Vec<Vec<Option<&InputRecord>>>, InputError> {
    for pair in systems.windows(2) {
        let [one, other] =
            [&pair[0], &pair[1]].map(|system| (system.name.clone(), system.records.len() as u64));
        if one.1 != other.1 {
            let (left, left_len) = one;
            let (right, right_len) = other;
            return Err(InputErrorKind::LengthMismatch { left, left_len, right, right_len }.into());
        }
    }
    Ok(systems.iter().map(|system| system.records.iter().map(Some).collect()).collect())
}

/// Aligns the records of all systems by id, and returns one row of records for each segment. A record is
/// `None` if its system lacks the id.
fn aligned_by_id<'r>(systems: &'r [SystemRecords]) -> Result<Vec<Vec<Option<&'r InputRecord>>>, InputError> {
    let places = systems.iter().map(SystemRecords::places).collect::<Result<Vec<_>, _>>()?;
    // The order depends on the ids alone, so that the same ids in other files are the same segments. Ids that
    // are numbers are in numerical order.
    let ids: BTreeSet<(Option<u64>, &str)> =
        places.iter().flat_map(HashMap::keys).map(|id| (id.parse().ok(), *id)).collect();
    let of_system = |(system, places): (&'r SystemRecords, &HashMap<&str, usize>)| {
        ids.iter().map(|(_, id)| places.get(id).map(|place| &system.records[*place])).collect()
    };
    Ok(systems.iter().zip(&places).map(of_system).collect())
}

pub(super) fn label_columns(reading: &RecordsReading, labels: &[String]) -> Result<Vec<(String, String)>> {
    let mut all: Vec<(String, String)> = Vec::new();
    for label in labels {
        let named = label.split_once('=').filter(|(name, column)| !name.is_empty() && !column.is_empty());
        let Some((name, column)) = named else { fail!("--label {label}: expected NAME=COLUMN") };
        all.push((name.to_owned(), column.to_owned()));
    }
    for column in &reading.id {
        if all.iter().all(|(name, _)| name != column) {
            all.push((column.clone(), column.clone()));
        }
    }
    Ok(all)
}

pub(super) fn of_filters(reading: &RecordsReading) -> String {
    let filters = reading.filters.iter().map(|(column, value)| format!(" {column}={value}"));
    let filters: String = filters.collect();
    if filters.is_empty() { filters } else { format!(" with{filters}") }
}

pub(super) fn is_wanted(fields: &FieldReader, reading: &RecordsReading) -> Result<bool, InputError> {
    for (column, value) in &reading.filters {
        // An absent value equals the empty value.
        if label(fields, column)?.unwrap_or_default() != *value {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Reads the values that the metrics need from the current record. `of_segments` is the rule for empty
/// references in a file of `--segments`; it is `None` for records of other programs.
pub(super) fn record(
    fields: &FieldReader,
    reading: &RecordsReading,
    wanting: &Wanting<'_>,
    labels: &[(String, String)],
    of_segments: Option<EmptyReferences>,
) -> Result<InputRecord, InputError> {
    let number = |column: &WantedTests<'_>| {
        let number = fields.field(column.name)?.number(column.words);
        number.map_err(|error| in_field(&error, column.name, fields.location()))
    };
    let taken: Vec<&str> = reading.names().chain(wanting.numbers.iter().map(|column| column.name)).collect();
    let taken = [&taken[..], &labels.iter().map(|(_, column)| &**column).collect::<Vec<_>>()].concat();
    let keys = OwnKeys {
        taken: &taken,
        of_segments: of_segments.is_some(),
        empty_references: of_segments.unwrap_or(EmptyReferences::Missing),
    };
    // Labels of segments have the rules of texts; those of other programs may have spaces around them.
    let label_of = |column: &String| match of_segments {
        Some(_) => fields.segment_label(column),
        None => label(fields, column),
    };
    let part = |column: &String| required(fields, column);
    let mut parts = reading.id.iter().map(part).collect::<Result<Vec<_>, _>>()?;
    if parts.len() > 1 {
        // Commas within a part are escaped, so that different parts never join to the same id.
        parts.iter_mut().for_each(|part| *part = part.replace('\\', "\\\\").replace(',', "\\,"));
    }
    Ok(InputRecord {
        id: parts.join(","),
        line: fields.location().line.unwrap_or_default(),
        numbers: wanting.numbers.iter().map(number).collect::<Result<_, _>>()?,
        outside: Vec::new(),
        own: wanting.forms.iter().map(|form| own::record(fields, form, keys)).collect::<Result<_, _>>()?,
        texts: LogTexts::default(),
        labels: labels.iter().map(|(_, column)| label_of(column)).collect::<Result<_, _>>()?,
    })
}

fn label(fields: &FieldReader, column: &str) -> Result<Option<String>, InputError> {
    let label = fields.field(column)?.label();
    label.map_err(|error| in_field(&error, column, fields.location()))
}

fn required(fields: &FieldReader, column: &str) -> Result<String, InputError> {
    let missing = || InputError::malformed(format!("the record has no `{column}`")).at(fields.location());
    label(fields, column)?.ok_or_else(missing)
}
