//! [`Sources`]: which files contain the segments to score, and how to read them.

use bleuprint::contract::counted;
use bleuprint::eval::Panel;
use bleuprint::text::Encoding;
use bleuprint::text::read::{EmptyReferences, SegmentColumns, TextOptions};
use bleuprint::{Identity, Metric as _};

use crate::failure::{Result, fail};
use crate::request::numbers::NumbersRequest;
use crate::request::readers::ReaderRequest;
use crate::request::vectors::VectorsRequest;

/// Parallel text files to read, in which line k of every file belongs to segment k.
#[derive(Debug, Clone, Default)]
pub struct StreamsRequest {
    /// Output files, one for each system; `None` to read one system's output from standard input.
    pub systems: Option<Vec<String>>,
    /// Reference files, one for each reference of a segment, or a single file with tab-separated columns.
    pub references: Vec<String>,
    /// Number of reference columns in the first file; 1 for a file without columns.
    pub num_refs: usize,
    /// File with the source texts; `None` if there is none.
    pub source: Option<String>,
    /// `true` to keep white space at the ends of lines, which the tokenizer then handles.
    pub raw_lines: bool,
    /// Character encoding of all files.
    pub encoding: Encoding,
    /// `true` to read every line as plain text, even if the lines look like another format.
    pub plain: bool,
    /// Rule for empty references: an error, dropped or kept.
    pub empty_references: EmptyReferences,
    /// `true` to print no warnings for the user.
    pub quiet: bool,
}

impl StreamsRequest {
    /// Returns the options for reading the files.
    pub(crate) fn text(&self) -> TextOptions {
        TextOptions::new(self.encoding, self.plain)
    }

    /// Returns the paths of all files; standard input is `-`.
    pub(crate) fn files(&self) -> impl Iterator<Item = &str> {
        let standard_input = self.systems.is_none().then_some("-");
        let systems = self.systems.iter().flatten().map(String::as_str);
        let others = self.references.iter().chain(&self.source).map(String::as_str);
        standard_input.into_iter().chain(systems).chain(others)
    }
}

/// Files that contain the segments, with additional data such as numbers and vectors.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    /// Parallel text files. Their options, such as the encoding, apply to files of records too.
    pub streams: StreamsRequest,
    /// File of records, each with the hypotheses, references and labels of a segment; it replaces the
    /// parallel text files. If `reader` is set, this file has only the references, and the reader's files
    /// have the outputs.
    pub records: Option<String>,
    /// File reader of a metric family, if the files are in its format.
    pub reader: Option<ReaderRequest>,
    /// Columns or keys of the parts of a segment, where the file of records names them otherwise.
    pub columns: SegmentColumns,
    /// `true` to leave out records that cannot be read, and to report their number.
    pub skips_bad_lines: bool,
    /// Files with numbers from other programs, in addition to texts or instead of them.
    pub numbers: NumbersRequest,
    /// Files with embedding vectors, in addition to texts or instead of them.
    pub vectors: VectorsRequest,
    /// Rule for cutting outputs into the segments of the references, if the outputs have other segments;
    /// `None` if they need not be cut.
    pub resegment: Option<Unlike>,
    /// Fields (references, source) that the selected metrics require.
    pub needs: FieldNeeds,
}

/// Rule for an output that must be cut into the segments of the references, but is much longer or shorter
/// than all references together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unlike {
    /// An output that is much longer or shorter than the references is an error.
    Refused,
    /// An output is divided into segments even if it is much longer or shorter than the references.
    Cut,
}

/// Names of metrics that need references or sources, for error messages.
#[derive(Debug, Clone, Default)]
pub struct FieldNeeds {
    /// Name of the first metric that needs references; `None` if no metric needs them.
    pub references: Option<String>,
    /// Name of the first metric that needs the source; `None` if no metric needs it.
    pub source: Option<String>,
    /// `true` if all metrics treat an empty list of references as one empty reference.
    pub no_reference_is_empty: bool,
    /// `true` if the texts of all metrics are labels, which may be whole numbers and truth values.
    pub labels: bool,
}

impl FieldNeeds {
    /// Returns the fields that the metrics of a panel (set of metrics) need.
    pub(crate) fn from_panel(panel: &Panel) -> Self {
        let first = |needs: fn(&Identity) -> bool| {
            let mut identities = panel.metrics().map(|metric| metric.identity());
            identities.find(needs).map(|identity| identity.name().to_owned())
        };
        FieldNeeds {
            references: first(|identity| identity.needs().references),
            source: first(|identity| identity.needs().source),
            labels: panel.metrics().all(|metric| metric.identity().needs().labels),
            no_reference_is_empty: panel
                .metrics()
                .all(|metric| metric.identity().needs().no_reference_is_empty),
        }
    }
}

impl Sources {
    /// Returns `true` if the segments are plain texts instead of structured data.
    pub(crate) fn is_of_texts(&self) -> bool {
        self.reader.as_ref().is_none_or(ReaderRequest::is_of_texts)
    }

    /// Returns `true` if the files have only numbers or vectors, and no texts.
    pub fn is_without_text(&self) -> bool {
        let no_text = self.streams.systems.is_none() && self.records.is_none();
        let beside = !self.numbers.is_empty() || !self.vectors.is_empty();
        beside && no_text && self.streams.references.is_empty()
    }

    /// Returns the files of each system separately. The system at position k gets the references and numbers
    /// at position k.
    pub(crate) fn sides(&self) -> Result<Vec<Sources>> {
        let numbers = self.numbers.sides()?;
        let vectors = self.vectors.sides()?;
        let beside = |place: usize| Sources {
            numbers: numbers.get(place).cloned().unwrap_or_default(),
            vectors: vectors.get(place).cloned().unwrap_or_default(),
            ..self.clone()
        };
        if self.is_without_text() {
            let numbers = numbers.len();
            let vectors = vectors.len();
            if numbers > 0 && vectors > 0 && numbers != vectors {
                fail!(
                    "--unpaired was given {} of numbers, but {vectors} of vectors",
                    counted(numbers, "file")
                );
            }
            return Ok((0..numbers.max(vectors)).map(beside).collect());
        }
        let StreamsRequest { systems, references, source, .. } = &self.streams;
        let systems = systems.as_deref().unwrap_or_default();
        // One source file cannot belong to separate segments of several systems.
        if source.is_some() {
            fail!(
                "--unpaired takes no --source, as every system has its own segments: --segments has sources"
            );
        }
        let given = [
            ("reference files", references.len()),
            ("files of numbers", numbers.len()),
            ("files of vectors", vectors.len()),
        ];
        for (what, count) in given {
            // A kind of file that was not given at all is no error.
            if count != systems.len() && count > 0 || systems.is_empty() {
                fail!(
                    "--unpaired takes one of the {what} for each system, in the order of -i, but {count} were given for {} \
                     systems; several references of a segment are in one file (--num-refs)",
                    systems.len()
                );
            }
        }
        let side = |(place, system): (usize, &String)| Sources {
            streams: StreamsRequest {
                systems: Some(vec![system.clone()]),
                references: references.get(place).cloned().into_iter().collect(),
                ..self.streams.clone()
            },
            ..beside(place)
        };
        Ok(systems.iter().enumerate().map(side).collect())
    }

    /// Returns the paths of all files that the request names.
    pub(crate) fn files(&self) -> impl Iterator<Item = String> {
        let of_streams = self.reader.as_ref().is_some_and(|reader| !reader.is_of_segments());
        let of_records = self.records.clone().filter(|_| !of_streams);
        let streams = self.streams.files().filter(|_| of_records.is_none() && !self.is_without_text());
        let streams: Vec<String> = streams.filter(|file| *file != "-").map(str::to_owned).collect();
        let of_reader = self.reader.iter().flat_map(ReaderRequest::files);
        let others = of_reader.chain(self.numbers.files()).chain(self.vectors.files());
        streams.into_iter().chain(of_records).chain(others)
    }
}
