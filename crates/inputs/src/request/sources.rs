//! Requests for the files that contain segments.

use bleuprint::contract::counted;
use bleuprint::eval::Panel;
use bleuprint::text::Encoding;
use bleuprint::text::read::EmptyReferences;
use bleuprint::{Identity, Metric as _};

use crate::failure::{Result, fail};
use crate::request::numbers::NumbersRequest;
use crate::request::readers::ReaderRequest;
use crate::request::vectors::VectorsRequest;

/// Parallel files of texts, in which line k of every file belongs to segment k.
#[derive(Debug, Clone, Default)]
pub struct StreamsRequest {
    /// One file of outputs for each system, or `None` for standard input.
    pub systems: Option<Vec<String>>,
    /// One file for each stream of references, or one file with columns.
    pub references: Vec<String>,
    /// The number of columns with references.
    pub num_refs: usize,
    /// The file with the source texts.
    pub source: Option<String>,
    /// `true` if the tokenizer handles whitespace at the ends of lines.
    pub raw_lines: bool,
    /// The encoding of all files.
    pub encoding: Encoding,
    /// The treatment of empty references.
    pub empty_references: EmptyReferences,
    /// `true` to print no warnings.
    pub quiet: bool,
}

impl StreamsRequest {
    /// Returns all files; standard input is `-`.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        let standard_input = self.systems.is_none().then_some("-");
        let systems = self.systems.iter().flatten().map(String::as_str);
        let others = self.references.iter().chain(&self.source).map(String::as_str);
        standard_input.into_iter().chain(systems).chain(others)
    }
}

/// All files of segments, with the data that belongs to them.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    /// The parallel files. Their options apply to records too.
    pub streams: StreamsRequest,
    /// One file with whole segments, in place of the parallel files. For a reader, the file of its
    /// references.
    pub records: Option<String>,
    /// The reader of a metric family for these files.
    pub reader: Option<ReaderRequest>,
    /// Numbers, in addition to texts or without texts.
    pub numbers: NumbersRequest,
    /// Vectors, in addition to texts or without texts.
    pub vectors: VectorsRequest,
    /// The rule for splitting outputs into the segments of the references, if they must be split first.
    pub resegment: Option<Unlike>,
    /// The references and sources that the metrics require.
    pub needs: FieldNeeds,
}

/// The treatment of outputs whose length differs much from the references.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unlike {
    /// Such outputs are an error.
    Refused,
    /// Such outputs are split nevertheless.
    Cut,
}

/// The first metric that needs each field.
#[derive(Debug, Clone, Default)]
pub struct FieldNeeds {
    /// The first metric that needs references.
    pub references: Option<String>,
    /// The first metric that needs the source.
    pub source: Option<String>,
}

impl FieldNeeds {
    /// Returns the needs of the metrics of a panel.
    pub fn from_panel(panel: &Panel) -> Self {
        let first = |needs: fn(&Identity) -> bool| {
            let mut identities = panel.metrics().map(|metric| metric.identity());
            identities.find(needs).map(|identity| identity.name().to_owned())
        };
        FieldNeeds {
            references: first(|identity| identity.needs().references),
            source: first(|identity| identity.needs().source),
        }
    }
}

impl Sources {
    /// Returns `true` if the segments are texts without parts.
    pub fn is_of_texts(&self) -> bool {
        self.reader.as_ref().is_none_or(ReaderRequest::is_of_texts)
    }

    /// Returns `true` if there are only numbers or vectors, and no texts.
    pub fn is_without_text(&self) -> bool {
        let no_text = self.streams.systems.is_none() && self.records.is_none();
        let beside = !self.numbers.is_empty() || !self.vectors.is_empty();
        beside && no_text && self.streams.references.is_empty()
    }

    /// Returns the sources of each system, with separate references and numbers, by position.
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

    /// Returns all files of the request.
    pub fn files(&self) -> impl Iterator<Item = String> {
        let of_streams = self.reader.as_ref().is_some_and(|reader| !reader.is_of_segments());
        let of_records = self.records.clone().filter(|_| !of_streams);
        let streams = self.streams.files().filter(|_| of_records.is_none() && !self.is_without_text());
        let streams: Vec<String> = streams.filter(|file| *file != "-").map(str::to_owned).collect();
        let of_reader = self.reader.iter().flat_map(ReaderRequest::files);
        let others = of_reader.chain(self.numbers.files()).chain(self.vectors.files());
        streams.into_iter().chain(of_records).chain(others)
    }
}
