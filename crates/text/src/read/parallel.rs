//! [`Parallel`]: a hypothesis stream and its reference streams, line by line.

use super::columns::Columns;
use super::findings::Findings;
use super::lines::Lines;
use super::once::check_read_once;
use super::segment::{EmptyReferences, Segment, SegmentReader, reuse};
use bleuprint_core::{InputError, InputErrorKind, Location, Result};
use std::path::Path;

/// Reads the n-th line of every stream as the n-th segment. Streams of unequal length are an error; nothing is cut.
///
/// ```
/// use bleuprint_text::{Lines, read::{Parallel, Segment, SegmentReader}};
/// let stream = |text: &'static str, name: &str| Lines::new(text.as_bytes(), name);
/// let mut parallel = Parallel::new(stream("a\nb\n", "sys"), vec![stream("c\nd\n", "ref1"), stream("e\n", "ref2")])?;
/// let mut segment = Segment::default();
/// assert!(parallel.next(&mut segment)?);
/// assert_eq!(segment.present_references().collect::<Vec<_>>(), ["c", "e"]);
/// let error = parallel.next(&mut segment).unwrap_err();
/// assert_eq!(error.to_string(), "sys has 2 segments, but ref2 has 1");
/// # Ok::<(), bleuprint_core::InputError>(())
/// ```
#[derive(Debug)]
pub struct Parallel {
    hypothesis: Lines,
    references: References,
    empty: EmptyReferences,
}

#[derive(Debug)]
enum References {
    Streams(Vec<Lines>),
    Columns { columns: Box<Columns>, cells: Vec<String> },
}

impl Parallel {
    /// Reads one hypothesis stream and at least one reference stream.
    ///
    /// # Errors
    ///
    /// No reference stream.
    pub fn new(hypothesis: Lines, references: Vec<Lines>) -> Result<Self> {
        if references.is_empty() {
            return Err(InputErrorKind::NoReferences.into());
        }
        Ok(Self::over(hypothesis, References::Streams(references)))
    }

    /// Opens the files, compressed or not.
    ///
    /// # Errors
    ///
    /// No reference file, a file that cannot be opened, or a stream given twice.
    pub fn open(hypothesis: impl AsRef<Path>, references: &[impl AsRef<Path>]) -> Result<Self> {
        check_read_once(std::iter::once(hypothesis.as_ref()).chain(references.iter().map(AsRef::as_ref)))?;
        let references = references.iter().map(Lines::open).collect::<Result<_, _>>()?;
        Self::new(Lines::open(hypothesis)?, references)
    }

    /// Reads the references from the columns of one stream.
    pub fn with_columns(hypothesis: Lines, references: Columns) -> Self {
        Self::over(hypothesis, References::Columns { columns: Box::new(references), cells: Vec::new() })
    }

    fn over(hypothesis: Lines, references: References) -> Self {
        Parallel { hypothesis, references, empty: EmptyReferences::default() }
    }

    /// Sets what an empty reference beside others means.
    #[must_use]
    pub fn with_empty_references(mut self, meaning: EmptyReferences) -> Self {
        self.empty = meaning;
        self
    }

    /// Treats empty references beside others as was chosen.
    fn treat_empty(&self, references: &mut [Option<String>]) -> Result<()> {
        let empty = |text: &Option<String>| {
            text.as_deref().is_some_and(|text| crate::whitespace::strip(text).is_empty())
        };
        if references.iter().all(empty) {
            return Ok(());
        }
        for (index, reference) in references.iter_mut().enumerate().filter(|(_, reference)| empty(reference))
        {
            let (what, place) = match &self.references {
                References::Streams(streams) => {
                    ("the line".to_owned(), streams.get(index).map(Lines::location))
                }
                References::Columns { columns, .. } => {
                    (format!("column {}", index + 1), Some(columns.location()))
                }
            };
            let keeps = self.empty.keeps(&what);
            if !keeps.map_err(|error| place.map_or(error.clone(), |place| error.at(place)))? {
                *reference = None;
            }
        }
        Ok(())
    }

    /// The error of streams of unequal length: reads all of them to the end, for the true lengths.
    fn mismatch(&mut self) -> InputError {
        let streams = match &mut self.references {
            References::Streams(streams) => streams.iter_mut().collect(),
            References::Columns { columns, .. } => vec![columns.lines()],
        };
        let left = self.hypothesis.name().to_string();
        let left_len = match self.hypothesis.count_rest() {
            Ok(len) => len,
            Err(error) => return error,
        };
        for stream in streams {
            let right = stream.name().to_string();
            match stream.count_rest() {
                Ok(right_len) if right_len == left_len => {}
                Ok(right_len) => {
                    return InputErrorKind::LengthMismatch { left, left_len, right, right_len }.into();
                }
                Err(error) => return error,
            }
        }
        InputError::malformed("the streams changed while they were read")
    }
}

impl SegmentReader for Parallel {
    fn next(&mut self, segment: &mut Segment) -> Result<bool> {
        segment.clear_all_but_texts();
        let more = self.hypothesis.next(reuse(&mut segment.hypothesis))?;
        let mut together = true;
        match &mut self.references {
            References::Streams(streams) => {
                segment.references.resize(streams.len(), None);
                for (stream, reference) in streams.iter_mut().zip(&mut segment.references) {
                    together &= stream.next(reuse(reference))? == more;
                }
            }
            References::Columns { columns, cells } => {
                together = columns.next(cells)? == more;
                segment.references.resize(cells.len(), None);
                for (cell, reference) in cells.iter().zip(&mut segment.references) {
                    reuse(reference).push_str(cell);
                }
            }
        }
        if !together {
            return Err(self.mismatch());
        }
        if more {
            self.treat_empty(&mut segment.references)?;
        }
        Ok(more)
    }

    fn findings(&self) -> Findings {
        self.hypothesis.findings().clone()
    }

    fn location(&self) -> Location {
        self.hypothesis.location()
    }
}
