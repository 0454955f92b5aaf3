//! Numbers that other programs computed: their arguments, and these as data.

use bleuprint::contract::counted;
use bleuprint::{AnyMetric, InputError, Location};
use bleuprint_harness::Harness;
use clap::{Arg, ArgAction, ArgMatches};

use crate::shared::args::{Values as _, option};
use crate::shared::failure::{Result, fail};

#[derive(Debug, Clone, Default)]
pub(crate) struct NumbersRequest {
    /// The name of a column, and one file for each system.
    pub(crate) given: Vec<(String, Vec<String>)>,
    /// The name of the system, if given, and the file.
    pub(crate) records: Vec<(Option<String>, String)>,
    /// The records are logs of this harness.
    pub(crate) harness: Option<Harness>,
    pub(crate) quiet: bool,
    pub(crate) reading: RecordsReading,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct RecordsReading {
    /// The column that names the system.
    pub(crate) system: Option<String>,
    /// The place of the records in a JSON document.
    pub(crate) place: Option<String>,
    /// The columns of the id.
    pub(crate) id: Vec<String>,
    /// Columns and required values.
    pub(crate) filters: Vec<(String, String)>,
}

pub(crate) fn options() -> Vec<Arg> {
    let of_records = |arg: Arg| arg.requires("numbers").help_heading("Numbers of other programs");
    let beside = option("given", "NAME=FILE,..").action(ArgAction::Append).help(
        "Numbers for the metric `given`, one a line, a file for each system; or one file .seg.score, which names the systems",
    );
    let numbers = option("numbers", "[SYS=]FILE")
        .num_args(1..)
        .conflicts_with_all(["references", "input", "segments", "num-refs", "source"])
        .help("Records with numbers, a file for each system: JSON Lines, JSON, CSV or TSV; see `given` for the columns");
    let logs = option("from", "HARNESS [SYS=]PATH")
        .num_args(2..)
        .conflicts_with_all(["numbers", "given", "references", "input", "segments", "num-refs", "source"])
        .help(
            "Logs of a harness (lm-eval, inspect, lighteval, evalplus, human-eval, helm, promptfoo), a file or folder for each system; -m given:name=ACC",
        );
    let choice = option("where", "COLUMN=VALUE")
        .action(ArgAction::Append)
        .help("Only records with this value, of --numbers or --from; again for more columns");
    let records = [
        option("system-column", "COLUMN")
            .help("The column that names the system of a record, in one file for all"),
        option("records", "PLACE")
            .help("The place of the records in a document of JSON, as in results.results"),
        option("id", "COLUMN,..").value_delimiter(',').help(
            "The columns that identify a segment; without them, systems have their records in one order",
        ),
    ];
    let heading = |arg: Arg| arg.help_heading("Numbers of other programs");
    let records = records.map(of_records).into_iter().chain([heading(choice)]);
    [heading(beside), heading(numbers), heading(logs)].into_iter().chain(records).collect()
}

/// `SYS=FILE`, or a file alone; an existing file may have `=` in its name.
pub(crate) fn named_file(given: String) -> (Option<String>, String) {
    let named = given
        .split_once('=')
        .filter(|(system, _)| !system.is_empty() && !std::path::Path::new(&given).exists());
    match named {
        Some((system, file)) => (Some(system.to_owned()), file.to_owned()),
        None => (None, given),
    }
}

impl RecordsReading {
    /// The columns that have a meaning here.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        let filters = self.filters.iter().map(|(column, _)| column);
        self.system.iter().chain(&self.id).chain(filters).map(String::as_str)
    }
}

impl NumbersRequest {
    pub(crate) fn new(matches: &ArgMatches) -> Result<Self> {
        let mut request = NumbersRequest {
            reading: RecordsReading {
                system: matches.text("system-column"),
                place: matches.text("records"),
                id: matches.texts("id"),
                filters: Vec::new(),
            },
            ..NumbersRequest::default()
        };
        for given in matches.texts("given") {
            let named = given.split_once('=').filter(|(name, files)| !name.is_empty() && !files.is_empty());
            let Some((name, files)) = named else { fail!("--given {given}: expected NAME=FILE,..") };
            if request.given.iter().any(|(known, _)| known == name) {
                fail!("--given {name}= is given twice");
            }
            request.given.push((name.to_owned(), files.split(',').map(str::to_owned).collect()));
        }
        let (mut numbers, mut logs) = (matches.texts("numbers"), matches.texts("from"));
        if !logs.is_empty() {
            request.harness = Some(logs.remove(0).parse()?);
            numbers = logs;
        }
        request.records = numbers.into_iter().map(named_file).collect();
        request.quiet = matches.get_flag("quiet");
        for filter in matches.texts("where") {
            let named = filter.split_once('=').filter(|(column, _)| !column.is_empty());
            let Some((column, value)) = named else { fail!("--where {filter}: expected COLUMN=VALUE") };
            request.reading.filters.push((column.to_owned(), value.to_owned()));
        }
        if let ([(column, value), ..], true) = (&request.reading.filters[..], request.records.is_empty()) {
            fail!("--where {column}={value} chooses among records: it takes --numbers or --from");
        }
        if request.reading.system.is_some() && request.records.len() != 1 {
            fail!("--system-column names the systems of one file, but {} were given", request.records.len());
        }
        if let (Some(_), [(Some(system), _)]) = (&request.reading.system, &request.records[..]) {
            fail!("--system-column names the systems, so {system}= names none");
        }
        Ok(request)
    }

    /// Of each system alone; empty without numbers.
    pub(crate) fn sides(&self) -> Result<Vec<NumbersRequest>> {
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

    pub(crate) fn files(&self) -> impl Iterator<Item = String> {
        let beside = self.given.iter().flat_map(|(_, files)| files);
        beside.chain(self.records.iter().map(|(_, file)| file)).cloned()
    }

    /// `own`: some metric reads its own data from records.
    pub(crate) fn check_looked_at(&self, metrics: &[(usize, AnyMetric)], own: bool) -> Result<()> {
        let looked_at =
            |name: &String| metrics.iter().any(|(_, one)| one.view.numbers.columns.contains(name));
        if let Some((name, _)) = self.given.iter().find(|(name, _)| !looked_at(name)) {
            fail!("no metric that was asked for looks at the numbers `{name}`; -m given:name={name} does");
        }
        match self.records.first() {
            Some((_, file)) if metrics.is_empty() && !own => {
                fail!(
                    "no metric that was asked for looks at the numbers of {file}; -m given:name=COLUMN does"
                )
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.given.is_empty() && self.records.is_empty()
    }
}

/// One file of mt-metrics-eval, which names its systems itself.
pub(crate) fn is_score_file(files: &[String]) -> bool {
    matches!(files, [file] if file.trim_end_matches(".gz").ends_with(".seg.score"))
}

pub(crate) fn in_field(error: &InputError, name: &str, location: Location) -> InputError {
    InputError::malformed(format!("{name}: {error}")).at(location)
}
