//! The files that segments come from.

use bleuprint::contract::counted;
use bleuprint::eval::Panel;
use bleuprint::text::Encoding;
use bleuprint::text::read::EmptyReferences;
use bleuprint::{Identity, Metric as _};

use crate::failure::{Result, fail};
use crate::request::numbers::NumbersRequest;
use crate::request::readers::ReaderRequest;
use crate::request::vectors::VectorsRequest;

/// Parallel files.
#[derive(Debug, Clone, Default)]
pub struct StreamsRequest {
    /// One file for each system; standard input if absent.
    pub systems: Option<Vec<String>>,
    /// One file for each stream, or one with columns.
    pub references: Vec<String>,
    /// The number of columns of references.
    pub num_refs: usize,
    /// The file of sources.
    pub source: Option<String>,
    /// Whitespace at the ends of lines is left to the tokenizer.
    pub raw_lines: bool,
    /// The encoding of all files.
    pub encoding: Encoding,
    /// The meaning of empty references.
    pub empty_references: EmptyReferences,
    /// No warnings.
    pub quiet: bool,
}

impl StreamsRequest {
    /// Standard input is `-`.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        let standard_input = self.systems.is_none().then_some("-");
        let systems = self.systems.iter().flatten().map(String::as_str);
        let others = self.references.iter().chain(&self.source).map(String::as_str);
        standard_input.into_iter().chain(systems).chain(others)
    }
}

/// All files of segments.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    /// Its options hold for records too.
    pub streams: StreamsRequest,
    /// One file with everything, instead of the streams; the references of a reader.
    pub records: Option<String>,
    /// The reader of a family for them.
    pub reader: Option<ReaderRequest>,
    /// Numbers beside texts, or alone.
    pub numbers: NumbersRequest,
    /// Vectors beside texts, or alone.
    pub vectors: VectorsRequest,
    /// Cut outputs into the segments of the references first.
    pub resegment: Option<Unlike>,
    /// References and sources that the metrics require.
    pub needs: Needs,
}

/// Outputs whose length is far from that of the references.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unlike {
    /// An error.
    Refused,
    /// Cut all the same.
    Cut,
}

/// The first metric that needs each field.
#[derive(Debug, Clone, Default)]
pub struct Needs {
    /// Of references.
    pub references: Option<String>,
    /// Of the source.
    pub source: Option<String>,
}

impl Needs {
    /// Those of the metrics of a panel.
    pub fn of(panel: &Panel) -> Self {
        let first = |needs: fn(&Identity) -> bool| {
            let mut identities = panel.metrics().map(|metric| metric.identity());
            identities.find(needs).map(|identity| identity.name().to_owned())
        };
        Needs {
            references: first(|identity| identity.needs().references),
            source: first(|identity| identity.needs().source),
        }
    }
}

impl Sources {
    /// The segments are texts without parts.
    pub fn is_of_texts(&self) -> bool {
        self.reader.as_ref().is_none_or(ReaderRequest::is_of_texts)
    }

    /// Numbers or vectors alone.
    pub fn is_without_text(&self) -> bool {
        let no_text = self.streams.systems.is_none() && self.records.is_none();
        let beside = !self.numbers.is_empty() || !self.vectors.is_empty();
        beside && no_text && self.streams.references.is_empty()
    }

    /// Each system with its own references and numbers, by place.
    pub(crate) fn sides(&self) -> Result<Vec<Sources>> {
        let (numbers, vectors) = (self.numbers.sides()?, self.vectors.sides()?);
        let beside = |place: usize| Sources {
            numbers: numbers.get(place).cloned().unwrap_or_default(),
            vectors: vectors.get(place).cloned().unwrap_or_default(),
            ..self.clone()
        };
        if self.is_without_text() {
            let (numbers, vectors) = (numbers.len(), vectors.len());
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
            if count != systems.len() && count > 0 || systems.is_empty() {
                fail!(
                    "--unpaired takes one of the {what} for each system, in the order of -i, but {count} were given for {} \
                     systems; several references of a segment stand in one file (--num-refs)",
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

    /// All of them.
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
