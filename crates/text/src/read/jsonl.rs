//! [`JsonLines`]: a reader of one JSON object per line. Each object is one segment: a hypothesis with its
//! references.
//!
//! | key | value |
//! |---|---|
//! | `hypothesis` (or `hyp`) | text |
//! | `references` (or `refs`) | array of texts, with `null` for a missing reference; or one text |
//! | `reference` (or `ref`) | one text |
//! | `hypothesis_ids` | array of integers |
//! | `reference_ids` | array of arrays of integers, with `null` for a missing reference |
//! | `source` (or `src`) | text |
//! | `id`, `system`, `document`, `domain`, `speaker` | text, number, true or false; a number is used as it is written |
//!
//! The hypothesis is required as text or as ids. References may be absent, for metrics that need none. A key
//! of the table that occurs twice is an error, and so is an unknown key that is similar to a key of the
//! table. [`SegmentReader::findings`] lists all other unknown keys.
//!
//! An empty reference next to others is an error, unless [`EmptyReferences`](super::EmptyReferences) allows
//! it. The values of `id`, `system`, `document` and `domain` must not have whitespace at their ends. `null`
//! has the same meaning as an absent key. The words `NaN` and `Infinity` are not valid JSON, but are accepted
//! as values of unknown keys. Blank lines are skipped.

use super::bare::{bare_words, replaced};
use super::column_names::is_displaced;
use super::findings::Findings;
use super::json::{JsonRow, Value, number_like};
use super::keys::{HYPOTHESES, renamed};
use super::lines::{LineReader, require_memory_to_parse};
use super::plain;
use super::segment::{ReadSegment, SegmentOptions, SegmentReader};
use crate::whitespace::strip;
use bleuprint_core::{InputError, Location, Result};

/// A reader of segments (a hypothesis with its references) in JSON Lines.
#[derive(Debug)]
pub(super) struct JsonLines {
    lines: LineReader,
    options: SegmentOptions,
    ignored: Findings,
    /// `true` if the current line cannot be read, but the lines after it may.
    failed: bool,
}

/// Estimated memory in bytes that parsing a short reference text from JSON takes. The parser has two copies
/// of the text and an entry in each of two lists. A list may need twice its memory while it grows.
const PER_VALUE: usize = 240;

impl JsonLines {
    pub(super) fn new(lines: LineReader, options: SegmentOptions) -> Self {
        JsonLines { lines, options, ignored: Findings::default(), failed: false }
    }

    /// Parses the current JSON line and stores its texts and ids in `segment`.
    fn fill(&mut self, segment: &mut ReadSegment) -> Result<()> {
        let line = self.lines.line();
        require_memory_to_parse(line.as_bytes(), PER_VALUE)?;
        // Nearly all lines are plain objects of texts; every other line, with its errors, is parsed value by
        // value.
        if !self.options.columns.is_empty() || !plain::fill(line, segment) {
            self.parse(segment)?;
        }
        let meaning = self.options.empty_references;
        meaning.settle(&mut segment.references, |one| Some(strip(one.as_ref()?).is_empty()))?;
        meaning.settle(&mut segment.reference_ids, |one| Some(one.as_ref()?.is_empty()))
    }

    /// Parses the current JSON line with the full parser, which accepts every valid line; a faster parser
    /// handles only plain lines.
    fn parse(&mut self, segment: &mut ReadSegment) -> Result<()> {
        // Bare words may stand where nothing is read. Numbers of the same length keep the columns of errors.
        let bare = bare_words(self.lines.line());
        let standard = (!bare.is_empty()).then(|| replaced(self.lines.line(), &bare, number_like));
        let line = standard.as_deref().unwrap_or(self.lines.line());
        let JsonRow {
            hypothesis,
            references,
            reference,
            hypothesis_ids,
            reference_ids,
            source,
            labels,
            others,
            is_null,
        } = JsonRow::parse(line, &bare, &self.options.columns)?;
        let others: Vec<_> = others.into_iter().filter(|key| !is_displaced(key)).collect();
        others.iter().for_each(|key| self.ignored.ignore(key));
        if hypothesis.is_none() && hypothesis_ids.is_none() && is_null {
            return Err(InputError::malformed("the hypothesis is null: every segment needs a text or ids"));
        }
        if hypothesis.is_none() && hypothesis_ids.is_none() {
            let keys = others.iter().map(|key| &**key);
            let hint = renamed(keys, "hypothesis", HYPOTHESES);
            return Err(InputError::malformed(format!("neither `hypothesis` nor `hypothesis_ids`{hint}")));
        }
        segment.references = match (references, reference) {
            (Some(_), Some(_)) => return Err(InputError::malformed("both `references` and `reference`")),
            // An empty list is one missing reference, which is unlike a record without the key.
            (Some(references), None) => {
                let mut texts = references.texts(self.options.labels)?;
                if texts.is_empty() {
                    texts.push(None);
                }
                texts
            }
            (None, Some(reference)) => vec![Some(reference.text_or_label(self.options.labels)?)],
            (None, None) => Vec::new(),
        };
        let reference_ids = reference_ids.map(|ids| ids.id_lists()).transpose()?.unwrap_or_default();
        segment.source = source.map(|value| value.text()).transpose()?;
        segment.hypothesis = hypothesis.map(|value| value.text_or_label(self.options.labels)).transpose()?;
        let filtered = |ids: Vec<i64>| self.options.ids.apply(&ids);
        segment.hypothesis_ids =
            hypothesis_ids.map(|value| value.ids()).transpose()?.map(filtered).transpose()?;
        segment.reference_ids.clear();
        for ids in reference_ids {
            segment.reference_ids.push(ids.map(filtered).transpose()?);
        }
        let label = |value: Option<Value<'_>>| value.map(|value| value.label()).transpose();
        let [id, system, document, domain, speaker] = labels;
        segment.id = label(id)?;
        segment.system = label(system)?;
        segment.document = label(document)?;
        segment.domain = label(domain)?;
        segment.speaker = label(speaker)?;
        Ok(())
    }
}

impl SegmentReader for JsonLines {
    fn next(&mut self, segment: &mut ReadSegment) -> Result<bool> {
        self.failed = false;
        while self.lines.advance()? {
            if !self.lines.line().is_empty() {
                let filled = self.fill(segment);
                self.failed = filled.is_err();
                return filled.map(|()| true).map_err(|error| error.at(self.location()));
            }
        }
        Ok(false)
    }

    fn location(&self) -> Location {
        self.lines.location()
    }

    fn line(&self) -> Option<u64> {
        Some(self.lines.read())
    }

    fn position(&self) -> Option<(u64, u64)> {
        self.lines.position()
    }

    fn findings(&self) -> Findings {
        Findings { ignored: self.ignored.ignored.clone(), ..self.lines.findings().clone() }
    }

    fn recovers(&self) -> bool {
        self.failed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pieces of JSON, valid and invalid, separated by `¦`. A test combines them into lines.
    const PIECES: &str = "{¦}¦[¦]¦,¦:¦, ¦: ¦ ¦\t¦null¦nul¦7¦0¦07¦-1¦1.5¦1e3¦true¦\"hypothesis\"¦\"hyp\"¦\"references\"¦\
        \"reference\"¦\"ref\"¦\"source\"¦\"id\"¦\"system\"¦\"domain\"¦\"hypothesis_ids\"¦\"lang\"¦\"\"¦\
        \"a b\"¦\" a\"¦\"\u{434}\u{4e2d}\"¦\"¦\"\\\"\\\\\\/\"¦\"\\b\\f\\n\\r\\t\"¦\"\\u0434\\u4E2d!\"¦\
        \"\\ud83d\\ude00\"¦\"\\ud83d\"¦\"\\ude00\"¦\"\\ud83dx\"¦\"\\u12g4\"¦\"\\x\"¦\"\u{1}\"¦\
        \"\u{7f}\"¦\u{a0}¦\"\\u0000\"";

    /// Builds a line of JSON for a test. `numbers` are indices into the list `PIECES` of keys, values and
    /// punctuation. If `is_object` is `true`, the line is an object of keys and values; otherwise it is the
    /// pieces one after the other.
    fn line(numbers: &[u8], is_object: bool) -> String {
        let pieces: Vec<&str> = PIECES.split('¦').collect();
        let piece = |number: u8| pieces[usize::from(number) % pieces.len()];
        if !is_object {
            return numbers.iter().map(|&number| piece(number)).collect();
        }
        let pair = |pair: &[u8]| {
            let [key, value] =
                [19 + pair[0] % 11, 30 + pair.get(1).unwrap_or(&0) % 18].map(|at| pieces[usize::from(at)]);
            let value = if pair[0] & 64 != 0 { piece(pair[0] / 2) } else { value };
            if key == "\"references\"" {
                format!("{key}: [{value}, null,{value}]")
            } else {
                format!("{key} :{value}")
            }
        };
        format!("{{{}}} ", numbers.chunks(2).map(pair).collect::<Vec<_>>().join(", "))
    }

    /// Parses the line twice, with the fast parser and with the full parser, and returns both results. Both
    /// write to a segment that already has content, which they must replace.
    fn both(line: String) -> (Option<ReadSegment>, Option<ReadSegment>) {
        let full = || Some("before".to_owned());
        let mut fast = ReadSegment {
            hypothesis: full(),
            references: vec![full(), None, full()],
            source: full(),
            hypothesis_ids: Some(vec![1]),
            reference_ids: vec![None, Some(vec![1])],
            id: full(),
            system: full(),
            document: full(),
            domain: full(),
            speaker: full(),
        };
        let mut slow = fast.clone();
        let lines = LineReader::new(std::io::Cursor::new(line), "line");
        let mut reader = JsonLines::new(lines, SegmentOptions::default());
        if !reader.lines.advance().unwrap() {
            return (None, None);
        }
        let done = plain::fill(reader.lines.line(), &mut fast);
        let parsed = reader.parse(&mut slow).is_ok();
        (done.then_some(fast), parsed.then_some(slow))
    }

    quickcheck::quickcheck! {
        fn one_pass_is_the_parse_of_each_value(numbers: Vec<u8>, is_object: bool) -> bool {
            let (fast, slow) = both(line(&numbers, is_object));
            fast.is_none() || fast == slow
        }
    }

    #[test]
    fn usual_lines_take_one_pass() {
        for line in [
            r#"{"hypothesis": "a \"b\"", "references": ["c", null, "\u00e9 \ud83d\ude00"], "id": 12}"#,
            r#" {"ref":"a","hyp":"b\/\n","src":null,"system":"x","document":"d","domain":"0"} "#,
            r#"{"hyp": "", "refs": [ ]}"#,
            r#"{"hyp": "", "refs": "one"}"#,
            r#"{"hyp": "\u0434 \u0434 \n b \\ \" ", "refs": null, "ref": ""}"#,
            r#"{"hyp": "a", "src": "b", "ref": null}"#,
        ] {
            let (fast, slow) = both(line.to_owned());
            assert!(fast.is_some() && fast == slow, "{line}");
        }
    }
}
