//! [`FileForm`]: a file format with its options, for interfaces that request files without a command line.

use bleuprint::eval::TokenRequest;
use bleuprint::text::read::SegmentColumns;
use bleuprint::text::{Encoding, Families, ReaderEntry, ReaderOption};

use crate::failure::{Failure, Result, fail};
use crate::request::counting::CountingRequest;
use crate::request::metrics::MetricChoice;
use crate::request::readers::{ReaderRequest, check_choice, reader_entries};
use crate::request::sources::{Sources, StreamsRequest};

const fn option_with_value(
    name: &'static str,
    value: &'static str,
    choices: &'static [&'static str],
) -> ReaderOption {
    ReaderOption { name, value: Some(value), choices, has_sources: false, help: "" }
}

const OF_SEGMENTS: &[ReaderOption] = &[
    option_with_value("columns", "PART=COLUMN", &[]),
    option_with_value("bad-lines", "MEANING", &["error", "skip"]),
];
const OF_LINES: &[ReaderOption] = &[
    option_with_value("source", "FILE", &[]),
    option_with_value("encoding", "NAME", &Encoding::NAMES),
    ReaderOption { name: "plain", value: None, choices: &[], has_sources: false, help: "" },
];
/// Option of every format, because metrics over any references follow it.
const REFERENCES: &ReaderOption = &option_with_value("references", "FORM", &["alternatives", "plain"]);

/// File format with its options: `segments` (one file of records), `lines` (one text on each line), or the format
/// of a reader of a family.
pub struct FileForm {
    /// Name of the format, such as `turns`.
    pub name: &'static str,
    /// Options of the format.
    pub options: Vec<&'static ReaderOption>,
    reader: Option<&'static ReaderEntry>,
}

impl FileForm {
    /// Returns all file formats of a program with these families.
    pub fn all(families: &Families) -> Vec<FileForm> {
        let with = |name, own: &'static [ReaderOption], reader| {
            let options = own.iter().chain([REFERENCES]).collect();
            FileForm { name, options, reader }
        };
        let general = [with("segments", OF_SEGMENTS, None), with("lines", OF_LINES, None)];
        let readers = reader_entries(families).map(|entry| with(entry.name, entry.options, Some(entry)));
        general.into_iter().chain(readers).collect()
    }

    /// Creates a request to count the files of this format. `options` are pairs of name and value; the value of a
    /// flag is empty. The option `columns` may be given several times.
    ///
    /// # Errors
    /// Returns an error if the format does not take the files or the value of an option.
    ///
    /// ```
    /// use bleuprint_requests::request::FileForm;
    /// use bleuprint_requests::{CountedFiles, data::Reading};
    ///
    /// let folder = bleuprint_testkit::Folder::new();
    /// let turns = |name: &str, end: u32| {
    ///     folder.file(name, format!("SPEAKER a 1 0 {end} <NA> <NA> ann <NA> <NA>\n")).display().to_string()
    /// };
    /// let families = bleuprint::families();
    /// let form = FileForm::all(&families).into_iter().find(|form| form.name == "turns").unwrap();
    /// let files = vec![turns("new.rttm", 9)];
    /// let metrics = vec!["der:uem=extent".to_owned()];
    /// let request = || form.request(turns("ref.rttm", 10), files, &[], metrics, Default::default());
    /// let counted = CountedFiles::new(request, &Reading::default(), &families).unwrap();
    /// assert_eq!(counted.run.scores().unwrap()[0][0].value(), 0.1);
    /// ```
    pub fn request(
        &self,
        reference: String,
        systems: Vec<String>,
        options: &[(&'static str, String)],
        metrics: Vec<String>,
        tokens: TokenRequest,
    ) -> Result<CountingRequest> {
        for value in values_of(options, REFERENCES.name) {
            check_choice(self.name, REFERENCES, value)?;
        }
        let sources = match self.reader {
            Some(entry) => of_reader(entry, reference, systems, options.to_vec())?,
            None if self.name == "segments" => {
                if !systems.is_empty() {
                    fail!("the form `segments` is one file, which has the systems");
                }
                of_segments(reference, options)?
            }
            None => of_lines(reference, systems, options)?,
        };
        let alternatives = values_of(options, REFERENCES.name).any(|value| value == "alternatives");
        let metrics = MetricChoice { names: metrics, given: true, alternatives, ..MetricChoice::default() };
        Ok(CountingRequest { sources, metrics, tokens, ..CountingRequest::default() })
    }
}

fn values_of<'o>(options: &'o [(&'static str, String)], name: &str) -> impl Iterator<Item = &'o String> {
    options.iter().filter(move |(known, _)| *known == name).map(|(_, value)| value)
}

fn of_reader(
    entry: &'static ReaderEntry,
    reference: String,
    systems: Vec<String>,
    options: Vec<(&'static str, String)>,
) -> Result<Sources> {
    let is_of_segments = entry.value.is_some();
    let records = Some(reference.clone());
    if is_of_segments {
        if systems.is_empty() {
            fail!("the form `{}` needs systems: the file of each system", entry.name);
        }
        let reader = Some(ReaderRequest::new(entry, systems, options)?);
        return Ok(Sources { records, reader, ..Sources::default() });
    }
    let streams = StreamsRequest {
        // Some formats have the outputs in the file of the references.
        systems: Some(systems).filter(|systems| !systems.is_empty()),
        references: vec![reference],
        num_refs: 1,
        ..StreamsRequest::default()
    };
    let reader = Some(ReaderRequest::new(entry, Vec::new(), options)?);
    Ok(Sources { streams, records, reader, ..Sources::default() })
}

fn of_segments(file: String, options: &[(&'static str, String)]) -> Result<Sources> {
    let [columns, bad_lines] = OF_SEGMENTS else { return Ok(Sources::default()) };
    for value in values_of(options, bad_lines.name) {
        check_choice("segments", bad_lines, value)?;
    }
    let parsed = SegmentColumns::parse(values_of(options, columns.name));
    Ok(Sources {
        records: Some(file),
        columns: parsed.map_err(|error| Failure::Message(format!("columns: {error}")))?,
        skips_bad_lines: values_of(options, bad_lines.name).any(|value| value == "skip"),
        ..Sources::default()
    })
}

fn of_lines(reference: String, systems: Vec<String>, options: &[(&'static str, String)]) -> Result<Sources> {
    let given = |name: &str| values_of(options, name).next();
    if systems.is_empty() {
        fail!("the form `lines` needs systems: the file of each system");
    }
    let streams = StreamsRequest {
        systems: Some(systems),
        references: vec![reference],
        num_refs: 1,
        source: given("source").cloned(),
        encoding: given("encoding").map(|name| name.parse()).transpose()?.unwrap_or_default(),
        plain: given("plain").is_some(),
        ..StreamsRequest::default()
    };
    Ok(Sources { streams, ..Sources::default() })
}
