//! [`ReaderRequest`]: which files to read with the file reader of a metric family, and a check that the
//! metrics take its segments.

use bleuprint::text::{ReadSegments, ReaderEntry, ReaderFiles, ReaderOption, SegmentKind};
use bleuprint::{AnyMetric, InputError, Metric as _};

use crate::failure::{Result, fail};
use crate::request::sources::StreamsRequest;

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
    /// Returns the name of the file reader, which is also its option.
    pub fn name(&self) -> &'static str {
        self.entry.name
    }

    /// Returns `true` if the reader reads references from the file of `--segments`, `false` if it reads them
    /// from the argument REF.
    pub fn is_of_segments(&self) -> bool {
        self.entry.value.is_some()
    }

    /// Returns `true` if the reader's segments are plain texts, which every command can use, instead of
    /// structured data.
    pub fn is_of_texts(&self) -> bool {
        matches!(self.entry.gives, SegmentKind::Texts | SegmentKind::TextsOrForm(_))
    }

    /// Returns the paths of the systems' files and of files given as reader options.
    pub fn files(&self) -> impl Iterator<Item = String> {
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
    pub fn check<'m>(
        &self,
        streams: &StreamsRequest,
        metrics: impl IntoIterator<Item = &'m AnyMetric>,
    ) -> Result<()> {
        let ReaderEntry { name, of, .. } = self.entry;
        let source = self.entry.options.iter().find(|option| option.has_sources);
        // The option for sources counts only if it was not given.
        let source = source.filter(|option| self.options.iter().all(|(given, _)| *given != option.name));
        let mut needing = None;
        let mut kinds: Vec<(String, bool)> = Vec::new();
        for metric in metrics {
            let view = &metric.view;
            let is_text = !view.kind.is_beside_text() && view.parted.is_none();
            let is_form = view.form.is_some_and(|own| Some(own.name) == self.entry.gives.form());
            let fits = match self.entry.gives {
                SegmentKind::Texts => is_text,
                SegmentKind::Parted(kind) => view.parted == Some(kind),
                SegmentKind::Form(_) => is_form,
                SegmentKind::TextsOrForm(_) => is_text || is_form,
            };
            kinds.push((metric.identity().name().to_owned(), is_text));
            if !fits {
                let what = match (view.parted, view.kind.is_beside_text()) {
                    (Some(parted), _) => parted.to_owned(),
                    (None, true) => view.to_string(),
                    (None, false) => "texts".to_owned(),
                };
                let metric = metric.identity().name();
                let others = self.entry.metrics;
                fail!("{metric} observes {what}, but --{name} gives {of}; give -m {others}");
            }
            if metric.identity().needs().source {
                needing.get_or_insert_with(|| metric.identity().heading());
            }
        }
        // A reader gives one kind of segments, so texts and data of the same files need two commands.
        let of_kind = |texts: bool| kinds.iter().find(|(_, is_text)| *is_text == texts);
        if let (SegmentKind::TextsOrForm(_), Some((text, _)), Some((data, _))) =
            (self.entry.gives, of_kind(true), of_kind(false))
        {
            fail!("{data} takes {of} and {text} their texts: give them in two commands");
        }
        if self.is_of_segments() {
            return Ok(());
        }
        // Records identify their system by name only, so equal names cannot be told apart.
        let systems = streams.systems.as_deref().unwrap_or_default();
        let twice = (1..systems.len()).find(|&at| systems[..at].contains(&systems[at]));
        if let (Some(_), Some(at)) = (self.entry.gives.form(), twice) {
            fail!("{} is given as a system twice", systems[at]);
        }
        match streams {
            streams if streams.systems.is_none() && !self.entry.has_outputs => {
                fail!("--{name} reads {of} from files: give the hypothesis with -i")
            }
            streams if streams.num_refs > 1 => {
                fail!("--num-refs cannot be combined with --{name}, which reads {of}")
            }
            streams => match &streams.references[..] {
                [_] => match (needing, source) {
                    (Some(metric), Some(ReaderOption { name, help, .. })) => {
                        fail!("{metric} needs the source of every segment: give --{name} FILE. {help}")
                    }
                    _ => Ok(()),
                },
                [] => fail!("--{name} needs the reference: give the file REF"),
                several => fail!("{} reference files are given, but {of} have one", several.len()),
            },
        }
    }
}
