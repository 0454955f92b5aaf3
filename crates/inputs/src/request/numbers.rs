//! Requests for numbers that other programs computed.

use bleuprint::contract::counted;
use bleuprint::{AnyMetric, InputError, Location};
use bleuprint_harness::Harness;

use crate::failure::{Result, fail};

/// Files with numbers, such as segment scores, that other programs computed.
#[derive(Debug, Clone, Default)]
pub struct NumbersRequest {
    /// The name of each column, with one file for each system.
    pub given: Vec<(String, Vec<String>)>,
    /// The name of each system, if it was given, with its file of records.
    pub records: Vec<(Option<String>, String)>,
    /// The harness whose logs the records are.
    pub harness: Option<Harness>,
    /// `true` to print no notes.
    pub quiet: bool,
    /// The meaning of the columns of records.
    pub reading: RecordsReading,
}

/// The meaning of the columns of records.
#[derive(Debug, Clone, Default)]
pub struct RecordsReading {
    /// The column that names the system.
    pub system: Option<String>,
    /// The path of the records in a JSON document.
    pub place: Option<String>,
    /// The columns that form the id.
    pub id: Vec<String>,
    /// Columns with their required values; other records are skipped.
    pub filters: Vec<(String, String)>,
}

impl RecordsReading {
    /// Returns the columns that have a meaning for the reader.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        let filters = self.filters.iter().map(|(column, _)| column);
        self.system.iter().chain(&self.id).chain(filters).map(String::as_str)
    }
}

impl NumbersRequest {
    /// Returns a request for each system alone. The list is empty if there are no numbers.
    pub(crate) fn sides(&self) -> Result<Vec<NumbersRequest>> {
        // Such a file has all systems over one list of segments, which is a paired design.
        if let Some((_, files)) = self.given.iter().find(|(_, files)| is_score_file(files)) {
            fail!("{}: its systems have the same segments, so they are pairs: without --unpaired", files[0]);
        }
        let alone = |given, records| NumbersRequest { given, records, ..self.clone() };
        let records = self.records.iter().map(|one| alone(Vec::new(), vec![one.clone()]));
        let files = self.given.first().map_or(0, |(_, files)| files.len());
        if let Some((name, other)) = self.given.iter().find(|(_, of_name)| of_name.len() != files) {
            let other = counted(other.len(), "file");
            fail!("--given {name}= has {other}, but the first numbers have {files}");
        }
        let given = (0..files).map(|place| {
            alone(
                self.given
                    .iter()
                    .map(|(name, of_name)| (name.clone(), vec![of_name[place].clone()]))
                    .collect(),
                Vec::new(),
            )
        });
        Ok(records.chain(given).collect())
    }

    /// Returns the files of numbers and of records.
    pub fn files(&self) -> impl Iterator<Item = String> {
        let beside = self.given.iter().flat_map(|(_, files)| files);
        beside.chain(self.records.iter().map(|(_, file)| file)).cloned()
    }

    /// Returns an error if no metric uses the numbers. `own` is `true` if a metric reads data of a form from
    /// records.
    pub fn check_looked_at(&self, metrics: &[(usize, AnyMetric)], own: bool) -> Result<()> {
        let looked_at =
            |name: &String| metrics.iter().any(|(_, one)| one.view.numbers.columns.contains(name));
        if let Some((name, _)) = self.given.iter().find(|(name, _)| !looked_at(name)) {
            fail!("no selected metric uses the numbers `{name}`; -m given:name={name} does");
        }
        match self.records.first() {
            Some((_, file)) if metrics.is_empty() && !own => {
                fail!("no selected metric uses the numbers of {file}; -m given:name=COLUMN does")
            }
            _ => Ok(()),
        }
    }

    /// Returns `true` if there are no files.
    pub fn is_empty(&self) -> bool {
        self.given.is_empty() && self.records.is_empty()
    }
}

/// Returns `true` if `files` is a single score file of the toolkit mt-metrics-eval, by its file name. Such a
/// file contains the names of its systems, so that the user need not give them.
pub(crate) fn is_score_file(files: &[String]) -> bool {
    matches!(files, [file] if file.trim_end_matches(".gz").ends_with(".seg.score"))
}

pub(crate) fn in_field(error: &InputError, name: &str, location: Location) -> InputError {
    InputError::malformed(format!("{name}: {error}")).at(location)
}
