//! [`NumbersRequest`]: which files contain numbers that other programs computed.

use bleuprint::contract::counted;
use bleuprint::{AnyMetric, InputError, Location};
use bleuprint_harness::{Harness, Log};

use crate::failure::{Result, fail};

/// Files with numbers, such as segment scores, that other programs computed.
#[derive(Debug, Clone, Default)]
pub struct NumbersRequest {
    /// Name of each column of numbers, with one file for each system.
    pub given: Vec<(String, Vec<String>)>,
    /// Files of records, each with the name of its system if the user gave one.
    pub records: Vec<(Option<String>, String)>,
    /// Evaluation harness, such as lm-eval, whose logs are the record files; `None` if they are not logs of a
    /// harness.
    pub harness: Option<Harness>,
    /// Logs of the harness that were read already, by their paths; `None` before.
    pub log: Option<Vec<(String, Log)>>,
    /// `true` to print no notes for the user.
    pub quiet: bool,
    /// Roles of the columns in files of records, such as the id.
    pub reading: RecordsReading,
}

/// Roles of the columns in a file of records, such as JSON Lines or CSV.
#[derive(Debug, Clone, Default)]
pub struct RecordsReading {
    /// Column that has the name of the system; `None` if each file has one system.
    pub system: Option<String>,
    /// Path to the list of records within a JSON document; `None` if the document is the list.
    pub place: Option<String>,
    /// Columns whose values together are the id of the segment.
    pub id: Vec<String>,
    /// Columns with the values that they must have; records with other values are skipped.
    pub filters: Vec<(String, String)>,
}

impl RecordsReading {
    /// Returns the names of the columns that have a role: system, id and filters.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        let filters = self.filters.iter().map(|(column, _)| column);
        self.system.iter().chain(&self.id).chain(filters).map(String::as_str)
    }
}

impl NumbersRequest {
    /// Returns an error if an option about records has no effect, because the request has no such records.
    ///
    /// # Errors
    /// Also returns an error if the column of systems and the user both name a system.
    pub fn check(&self) -> Result<()> {
        let RecordsReading { system, place, id, filters } = &self.reading;
        if let ([(column, value), ..], true) = (&filters[..], self.records.is_empty()) {
            fail!("--where {column}={value} chooses among records: it takes --numbers or --from");
        }
        let is_of_tables = !self.records.is_empty() && self.harness.is_none();
        let options =
            [("system-column", system.is_some()), ("records", place.is_some()), ("id", !id.is_empty())];
        if let (false, Some((name, _))) = (is_of_tables, options.iter().find(|(_, given)| *given)) {
            let have = if self.harness.is_some() { "; logs have systems, records and ids" } else { "" };
            fail!("--{name} is about the records of --numbers, which are not given{have}");
        }
        // With several files, the column and the files would both name systems.
        if system.is_some() && self.records.len() != 1 {
            fail!("--system-column names the systems of one file, but {} were given", self.records.len());
        }
        if let (Some(_), [(Some(system), _)]) = (system, &self.records[..]) {
            fail!("--system-column names the systems, so {system}= names none");
        }
        Ok(())
    }

    /// Splits the request into one request for each system, for systems that are compared on different
    /// segments. The list is empty if there are no files with numbers.
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

    /// Returns the paths of all files that contain numbers which other programs computed, such as segment
    /// scores.
    pub(crate) fn files(&self) -> impl Iterator<Item = String> {
        let beside = self.given.iter().flat_map(|(_, files)| files);
        beside.chain(self.records.iter().map(|(_, file)| file)).cloned()
    }

    /// Returns an error if a given file of numbers would be ignored, because no metric in `metrics` uses its
    /// numbers. `own` is `true` if another metric reads structured data from the record files.
    pub(crate) fn check_looked_at(&self, metrics: &[(usize, AnyMetric)], own: bool) -> Result<()> {
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

    /// Returns the names of the numbers in the logs that were read, in the order of their first record.
    pub(crate) fn logged_numbers(&self) -> Vec<&str> {
        let logs = self.log.iter().flatten();
        let values = logs.flat_map(|(_, log)| &log.records).flat_map(|record| &record.values);
        let mut names = Vec::new();
        for (name, _) in values {
            if !names.contains(&name.as_str()) {
                names.push(name.as_str());
            }
        }
        names
    }

    /// Returns `true` if the request names no files.
    pub(crate) fn is_empty(&self) -> bool {
        self.given.is_empty() && self.records.is_empty()
    }
}

/// Returns `true` if `files` is a single file that is named like a score file of mt-metrics-eval. Such a file
/// contains the names of its systems, so the user need not give them.
pub(crate) fn is_score_file(files: &[String]) -> bool {
    matches!(files, [file] if file.trim_end_matches(".gz").ends_with(".seg.score"))
}

pub(crate) fn in_field(error: &InputError, name: &str, location: Location) -> InputError {
    InputError::malformed(format!("{name}: {error}")).at(location)
}
