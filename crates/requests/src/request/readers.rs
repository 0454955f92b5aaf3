//! [`ReaderRequest`]: which files to read with the file reader of a metric family, and checks that the reader
//! takes its options and the metrics take its segments.

use bleuprint::text::{Families, ReadSegments, ReaderEntry, ReaderFiles, ReaderOption, SegmentKind};
use bleuprint::{AnyMetric, InputError, Metric as _};

use crate::failure::{Result, fail};
use crate::request::sources::StreamsRequest;
use crate::warn::is_for_python;

/// Files to read with the file reader of a metric family, such as `--turns` for speaker turns.
#[derive(Debug, Clone)]
pub struct ReaderRequest {
    /// Registry entry of the file reader, with its name and options.
    pub entry: &'static ReaderEntry,
    /// Files of the systems, given after the reader's option.
    pub systems: Vec<String>,
    /// Further options of the file reader, as pairs of name and value.
    pub options: Vec<(&'static str, String)>,
    /// Names of the metrics that score the segments.
    pub metrics: Vec<String>,
}

impl ReaderRequest {
    /// Creates the request from the files of the systems and the options of the reader.
    ///
    /// # Errors
    /// Returns an error if the reader does not take the value of an option.
    pub fn new(
        entry: &'static ReaderEntry,
        systems: Vec<String>,
        options: Vec<(&'static str, String)>,
    ) -> Result<Self> {
        for (name, value) in &options {
            let option = entry.options.iter().find(|option| option.name == *name);
            option.map_or(Ok(()), |option| check_choice(entry.name, option, value))?;
        }
        Ok(ReaderRequest { entry, systems, options, metrics: Vec::new() })
    }

    /// Returns the name of the file reader, which is also its option.
    pub(crate) fn name(&self) -> &'static str {
        self.entry.name
    }

    /// Returns `true` if the reader reads references from the file of `--segments`, `false` if it reads them
    /// from the argument REF.
    pub(crate) fn is_of_segments(&self) -> bool {
        self.entry.value.is_some()
    }

    /// Returns `true` if the reader's segments are plain texts, which every command can use, instead of
    /// structured data.
    pub(crate) fn is_of_texts(&self) -> bool {
        matches!(self.entry.gives, SegmentKind::Texts | SegmentKind::TextsOrForm(_))
    }

    /// Returns the paths of the systems' files and of files given as reader options.
    pub(crate) fn files(&self) -> impl Iterator<Item = String> {
        let is_file = |name: &str| {
            self.entry.options.iter().any(|option| option.name == name && option.value == Some("FILE"))
        };
        let options = self.options.iter().filter(move |(name, _)| is_file(name));
        self.systems.iter().cloned().chain(options.map(|(_, file)| file.clone()))
    }

    /// Opens the files. `texts` is `true` for metrics that take texts.
    pub(crate) fn open(
        &self,
        reference: &str,
        streams: &StreamsRequest,
        texts: bool,
    ) -> Result<ReadSegments, InputError> {
        let systems = if self.is_of_segments() {
            &self.systems[..]
        } else {
            streams.systems.as_deref().unwrap_or_default()
        };
        let ReaderRequest { options, metrics, .. } = self;
        (self.entry.open)(&ReaderFiles { reference, systems, options, metrics, texts })
    }

    /// Returns an error if a metric does not take the reader's segments, or if the reader does not take the
    /// given files.
    pub(crate) fn check<'m>(
        &self,
        streams: &StreamsRequest,
        metrics: impl IntoIterator<Item = &'m AnyMetric>,
    ) -> Result<()> {
        let metrics: Vec<&AnyMetric> = metrics.into_iter().collect();
        metrics.iter().try_for_each(|metric| self.check_view(metric))?;
        // A reader gives one kind of segments, so texts and data of the same files need two commands.
        let of_kind = |texts: bool| metrics.iter().find(|metric| is_of_text(metric) == texts);
        if let (SegmentKind::TextsOrForm(_), Some(text), Some(data)) =
            (self.entry.gives, of_kind(true), of_kind(false))
        {
            let data = data.identity().name();
            let text = text.identity().name();
            fail!("{data} takes {of} and {text} their texts: give them in two commands", of = self.entry.of);
        }
        if self.is_of_segments() {
            return Ok(());
        }
        self.check_streams(streams)?;
        let needing = metrics.iter().find(|metric| metric.identity().needs().source);
        needing.map_or(Ok(()), |metric| self.check_source(metric))
    }

    /// Returns an error if a metric observes segments of another kind than the reader gives.
    fn check_view(&self, metric: &AnyMetric) -> Result<()> {
        let ReaderEntry { name, of, metrics: others, .. } = self.entry;
        let view = &metric.view;
        let is_form = view.form.is_some_and(|own| Some(own.name) == self.entry.gives.form());
        let fits = match self.entry.gives {
            SegmentKind::Texts => is_of_text(metric),
            SegmentKind::Parted(kind) => view.parted == Some(kind),
            SegmentKind::Form(_) => is_form,
            SegmentKind::TextsOrForm(_) => is_of_text(metric) || is_form,
        };
        if fits {
            return Ok(());
        }
        let what = match (view.parted, view.kind.is_beside_text()) {
            (Some(parted), _) => parted.to_owned(),
            (None, true) => view.to_string(),
            (None, false) => "texts".to_owned(),
        };
        let metric = metric.identity().name();
        let given = if is_for_python() { "metrics" } else { "-m" };
        fail!("{metric} observes {what}, but --{name} gives {of}; give {given} {others}");
    }

    /// Returns an error unless the files are one file of references and the outputs of different systems.
    fn check_streams(&self, streams: &StreamsRequest) -> Result<()> {
        let ReaderEntry { name, of, .. } = self.entry;
        // Records identify their system by name only, so equal names cannot be told apart.
        let systems = streams.systems.as_deref().unwrap_or_default();
        let twice = (1..systems.len()).find(|&at| systems[..at].contains(&systems[at]));
        if let (Some(_), Some(at)) = (self.entry.gives.form(), twice) {
            fail!("{} is given as a system twice", systems[at]);
        }
        if streams.systems.is_none() && !self.entry.has_outputs {
            let given = if is_for_python() { "as systems" } else { "with -i" };
            fail!("--{name} reads {of} from files: give the hypothesis {given}");
        }
        if streams.num_refs > 1 {
            fail!("--num-refs cannot be combined with --{name}, which reads {of}");
        }
        match &streams.references[..] {
            [_] => Ok(()),
            [] => fail!("--{name} needs the reference: give the file REF"),
            several => fail!("{} reference files are given, but {of} have one", several.len()),
        }
    }

    /// Returns an error if the reader has an option for the sources that `metric` needs, and it was not given.
    fn check_source(&self, metric: &AnyMetric) -> Result<()> {
        let source = self.entry.options.iter().find(|option| option.has_sources);
        let source = source.filter(|option| self.options.iter().all(|(given, _)| *given != option.name));
        if let Some(ReaderOption { name, help, .. }) = source {
            let metric = metric.identity().heading();
            fail!("{metric} needs the source of every segment: give --{name} FILE. {help}");
        }
        Ok(())
    }
}

/// Returns `true` if a metric observes plain texts, neither parts of texts nor data.
fn is_of_text(metric: &AnyMetric) -> bool {
    !metric.view.kind.is_beside_text() && metric.view.parted.is_none()
}

/// Returns an error if a file format does not take the value of an option.
pub(crate) fn check_choice(format: &str, option: &ReaderOption, value: &str) -> Result<()> {
    let ReaderOption { name, choices, .. } = option;
    if choices.is_empty() || choices.contains(&value) {
        return Ok(());
    }
    if is_for_python() {
        let keyword = name.replace('-', "_");
        fail!("{keyword} is {value:?}, but must be one of: {}", choices.join(", "));
    }
    fail!("--{name} {value}: with --{format} it must be one of: {}", choices.join(", "))
}

/// Returns the file readers of all families.
pub(crate) fn reader_entries(families: &Families) -> impl Iterator<Item = &'static ReaderEntry> {
    families.list().iter().flat_map(|family| family.readers)
}

/// Returns the options of the file readers that give data of the type `form`, such as `--turns REF -i SYS, `,
/// for messages. The text is empty if no reader gives such data.
pub(crate) fn of_form(families: &Families, form: &str) -> String {
    let of = reader_entries(families).filter(|entry| entry.gives.form() == Some(form));
    of.map(|entry| match entry.value {
        _ if is_for_python() => format!("form=\"{}\" or ", entry.name),
        None => format!("--{} REF -i SYS, ", entry.name),
        Some(value) => format!("--segments FILE --{} {value}, ", entry.name),
    })
    .collect()
}
