//! The command-line reader of test sets with mark-up, for the option `--markup`.

use bleuprint_core::{Location, Result};
use bleuprint_text::read::{Findings, LeftOut, ReadSegment, SegmentReader};
use bleuprint_text::{ReadSegments, ReaderEntry, ReaderOption, SegmentKind};

use crate::sets::{TestSetFiles, TestSets};

pub(crate) static READERS: &[ReaderEntry] = &[ReaderEntry {
    name: "markup",
    help: "REF and SYS are SGML of mteval or XML of WMT; a file REF with the outputs of systems needs no -i",
    of: "test sets with mark-up",
    metrics: "bleu or other metrics of text",
    gives: SegmentKind::Texts,
    value: None,
    has_outputs: true,
    options: &[
        ReaderOption {
            name: "source-set",
            value: Some("FILE"),
            choices: &[],
            has_sources: false,
            help: "The sources of --markup, where REF has none: a source set of mteval",
        },
        ReaderOption {
            name: "translator",
            value: Some("NAME"),
            choices: &[],
            has_sources: false,
            help: "The translator whose references are used alone, with --markup [default: all references]",
        },
        ReaderOption {
            name: "missing",
            value: Some("MODE"),
            choices: &["error", "empty"],
            has_sources: false,
            help: "A segment that a system lacks: error [default], or empty, an empty output",
        },
    ],
    open: |files| {
        let TestSets { rows, left_out } = TestSets::open(&TestSetFiles {
            reference: files.reference,
            systems: files.systems,
            sources: files.option("source-set"),
            translator: files.option("translator"),
            empty: files.option("missing") == Some("empty"),
        })?;
        let rows = rows.into_iter();
        Ok(ReadSegments::Texts(Box::new(TestSetTexts { rows, at: Location::default(), left_out })))
    },
}];

/// Reader of the segments of all systems.
struct TestSetTexts {
    rows: std::vec::IntoIter<ReadSegment>,
    at: Location,
    left_out: Vec<LeftOut>,
}

impl SegmentReader for TestSetTexts {
    fn next(&mut self, segment: &mut ReadSegment) -> Result<bool> {
        let Some(row) = self.rows.next() else { return Ok(false) };
        self.at = row.system.as_deref().map_or_else(Location::default, Location::file);
        *segment = row;
        Ok(true)
    }

    fn location(&self) -> Location {
        self.at.clone()
    }

    fn findings(&self) -> Findings {
        Findings { left_out: self.left_out.clone(), ..Findings::default() }
    }
}
