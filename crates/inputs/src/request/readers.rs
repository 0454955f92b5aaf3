//! Readers of families: the files that were given to one, and the metrics that take its segments.

use bleuprint::text::{ReadSegments, ReaderEntry, ReaderFiles, ReaderOption, SegmentKind};
use bleuprint::{AnyMetric, InputError, Metric as _};

use crate::failure::{Result, fail};
use crate::request::sources::StreamsRequest;

/// Files of a reader.
#[derive(Debug, Clone)]
pub struct ReaderRequest {
    /// The reader.
    pub entry: &'static ReaderEntry,
    /// The files of its own option.
    pub systems: Vec<String>,
    /// Its further options, by name.
    pub options: Vec<(&'static str, String)>,
}

impl ReaderRequest {
    /// The name of its option.
    pub fn name(&self) -> &'static str {
        self.entry.name
    }

    /// The references are a file of `--segments`, not REF.
    pub fn is_of_segments(&self) -> bool {
        self.entry.value.is_some()
    }

    /// Its segments are texts without parts, so that these are text for every purpose.
    pub fn is_of_texts(&self) -> bool {
        self.entry.gives == SegmentKind::Texts
    }

    /// Its files.
    pub fn files(&self) -> impl Iterator<Item = String> {
        let is_file = |name: &str| {
            self.entry.options.iter().any(|option| option.name == name && option.value == Some("FILE"))
        };
        let options = self.options.iter().filter(move |(name, _)| is_file(name));
        self.systems.iter().cloned().chain(options.map(|(_, file)| file.clone()))
    }

    pub(crate) fn open(&self, reference: &str, streams: &StreamsRequest) -> Result<ReadSegments, InputError> {
        let systems = match self.is_of_segments() {
            true => &self.systems[..],
            false => streams.systems.as_deref().unwrap_or_default(),
        };
        (self.entry.open)(&ReaderFiles { reference, systems, options: &self.options })
    }

    /// Refuses metrics that do not take its segments, and files that it does not take.
    pub fn check<'m>(
        &self,
        streams: &StreamsRequest,
        metrics: impl IntoIterator<Item = &'m AnyMetric>,
    ) -> Result<()> {
        let ReaderEntry { name, of, .. } = self.entry;
        let source = self.entry.options.iter().find(|option| option.has_sources);
        let source = source.filter(|option| self.options.iter().all(|(given, _)| *given != option.name));
        let mut needing = None;
        for metric in metrics {
            let view = &metric.view;
            let fits = match self.entry.gives {
                SegmentKind::Texts => !view.kind.is_beside_text() && view.parted.is_none(),
                SegmentKind::Parted(kind) => view.parted == Some(kind),
                SegmentKind::Form(form) => view.form.is_some_and(|own| own.name == form),
            };
            if !fits {
                let what = match (view.parted, view.kind.is_beside_text()) {
                    (Some(parted), _) => parted.to_owned(),
                    (None, true) => view.to_string(),
                    (None, false) => "texts".to_owned(),
                };
                let (metric, others) = (metric.identity().name(), self.entry.metrics);
                fail!("{metric} observes {what}, but --{name} gives {of}; give -m {others}");
            }
            if metric.identity().needs().source {
                needing.get_or_insert_with(|| metric.identity().heading());
            }
        }
        if self.is_of_segments() {
            return Ok(());
        }
        // Records know their system by its name alone.
        let systems = streams.systems.as_deref().unwrap_or_default();
        let twice = (1..systems.len()).find(|&at| systems[..at].contains(&systems[at]));
        if let (SegmentKind::Form(_), Some(at)) = (self.entry.gives, twice) {
            fail!("{} is given as a system twice", systems[at]);
        }
        match streams {
            streams if streams.systems.is_none() => {
                fail!("--{name} reads {of} from files: give the hypothesis with -i")
            }
            streams if streams.num_refs > 1 => fail!("--num-refs is for lines, and --{name} for {of}"),
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
