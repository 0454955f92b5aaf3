//! Detection of file formats, such as SRT or CSV, from the first lines of a file.

use std::collections::HashSet;

use super::FileKind;
use crate::read::SegmentColumns;
use crate::read::table::is_header;
use crate::whitespace;

/// Number of lines that are examined.
const MOST_LINES: usize = 16;

/// Types of the records of RTTM, as NIST lists them.
const RTTM_TYPES: [&str; 12] = [
    "SPEAKER",
    "SPKR-INFO",
    "SEGMENT",
    "NOSCORE",
    "NO_RT_METADATA",
    "LEXEME",
    "NON-LEX",
    "NON-SPEECH",
    "FILLER",
    "EDIT",
    "IP",
    "SU",
];

/// Names of columns that tables of texts usually have.
const COLUMNS: [&str; 18] = [
    "id",
    "text",
    "sentence",
    "transcript",
    "hypothesis",
    "hyp",
    "reference",
    "ref",
    "prediction",
    "predictions",
    "target",
    "source",
    "src",
    "label",
    "translation",
    "answer",
    "question",
    "score",
];

/// The first lines of a file that are not blank, without whitespace at their ends.
pub(super) struct HeadLines<'h> {
    lines: Vec<&'h str>,
}

impl<'h> HeadLines<'h> {
    pub(super) fn new(head: &'h str) -> Self {
        let head = head.strip_prefix('\u{feff}').unwrap_or(head);
        let lines = head.split('\n').map(whitespace::strip).filter(|line| !line.is_empty());
        HeadLines { lines: lines.take(MOST_LINES).collect() }
    }

    /// Returns `true` if the lines look like the format `kind`. `named` is `true` if the extension of the
    /// file is one of this format; less evidence in the lines is then enough.
    pub(super) fn look_like(&self, kind: FileKind, named: bool) -> bool {
        let [first, others @ ..] = &self.lines[..] else { return false };
        let opens = |tags: &[&str]| tags.iter().any(|tag| has_start(first, tag));
        // One line of an ordinary text can have two numbers in the places of times; several seldom have.
        let enough = named || !others.is_empty();
        match kind {
            FileKind::Html => opens(&["<!doctype html", "<html"]) || named && first.starts_with('<'),
            FileKind::Sgml => {
                let sets = ["<srcset", "<refset", "<tstset", "<mteval", "<!doctype mteval"];
                let within =
                    opens(&["<?xml", "<!"]) && self.any(|line| sets.iter().any(|set| has_start(line, set)));
                opens(&sets) || within || named && first.starts_with('<')
            }
            FileKind::Xml => {
                opens(&["<?xml", "<dataset", "<tmx", "<xliff", "<tei", "<tt "])
                    || named && first.starts_with('<')
            }
            FileKind::Vtt => first
                .strip_prefix("WEBVTT")
                .is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t'])),
            FileKind::Srt => is_number(first) && others.first().is_some_and(|line| is_cue(line)),
            FileKind::SegLst => self.opens_list() && self.any(|line| line.contains("\"session_id\"")),
            // A line of several kilobytes is cut off, and its end is not seen.
            FileKind::JsonLines => {
                self.all(is_object) || named && first.starts_with("{\"") && self.opens_object()
            }
            FileKind::Json => self.opens_list() || !is_object(first) && self.opens_object(),
            FileKind::Rttm => self.data_lines().next().is_some() && self.data_lines().all(is_turn),
            FileKind::Stm => {
                enough && self.data_lines().next().is_some() && self.data_lines().all(is_utterance)
            }
            FileKind::Ctm => {
                enough && self.data_lines().next().is_some() && self.data_lines().all(is_timed_word)
            }
            FileKind::Trn => self.are_trn(named),
            FileKind::Tsv => self.is_table('\t', named),
            FileKind::Csv => self.is_table(',', named),
        }
    }

    fn any(&self, has: impl Fn(&str) -> bool) -> bool {
        self.lines.iter().any(|line| has(line))
    }

    fn all(&self, has: impl Fn(&str) -> bool) -> bool {
        self.lines.iter().all(|line| has(line))
    }

    /// Returns the lines that are not comments of STM, CTM or RTTM.
    fn data_lines(&self) -> impl Iterator<Item = &'h str> {
        self.lines.iter().copied().filter(|line| !line.starts_with(';'))
    }

    /// Returns `true` if the lines begin a JSON list. A text such as `[noise] hello` does not.
    fn opens_list(&self) -> bool {
        let Some(rest) = self.lines.first().and_then(|first| first.strip_prefix('[')) else { return false };
        let next = match rest.trim_start() {
            "" => self.lines.get(1).copied().unwrap_or_default(),
            rest => rest,
        };
        next.starts_with(['{', '"']) || next.starts_with("[{") || next.starts_with("[\"")
    }

    /// Returns `true` if the lines begin one JSON object.
    fn opens_object(&self) -> bool {
        let Some(rest) = self.lines.first().and_then(|first| first.strip_prefix('{')) else { return false };
        let next = match rest.trim_start() {
            "" => self.lines.get(1).copied().unwrap_or_default(),
            rest => rest,
        };
        next.starts_with('"') && next.contains("\":")
    }

    fn are_trn(&self, named: bool) -> bool {
        let mut known = HashSet::new();
        let few = !named && self.lines.len() < 3;
        // A remark such as `(laughs)` is no id: ids differ, and have digits.
        !few && self.all(|line| utterance_id(line).is_some())
            && self
                .lines
                .iter()
                .filter_map(|line| utterance_id(line))
                .all(|id| known.insert(id) && (named || id.contains(|c: char| c.is_ascii_digit())))
    }

    fn is_table(&self, delimiter: char, named: bool) -> bool {
        let [header, rows @ ..] = &self.lines[..] else { return false };
        if is_header(header, delimiter, &SegmentColumns::default()) {
            return true;
        }
        let names: Vec<&str> = header.split(delimiter).map(|cell| cell.trim().trim_matches('"')).collect();
        let is_name = |cell: &&str| {
            !cell.is_empty() && cell.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'))
        };
        let known = names.iter().any(|name| COLUMNS.iter().any(|column| column.eq_ignore_ascii_case(name)));
        if names.len() < 2 {
            return false;
        }
        let same = rows.iter().all(|row| cells(row, delimiter) == names.len());
        // A text has commas too, so a table without that name needs a header with names of columns.
        let header = names.iter().all(is_name) && known && !rows.is_empty();
        if named { same || header } else { same && header }
    }
}

/// Returns the number of cells of a row. A delimiter inside double quotes does not separate cells.
fn cells(row: &str, delimiter: char) -> usize {
    let mut quoted = false;
    1 + row
        .chars()
        .filter(|&c| {
            quoted ^= c == '"';
            c == delimiter && !quoted
        })
        .count()
}

fn has_start(line: &str, start: &str) -> bool {
    line.get(..start.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(start))
}

fn is_number(field: &str) -> bool {
    !field.is_empty() && field.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_seconds(field: &str) -> bool {
    field.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') && field.parse::<f64>().is_ok()
}

/// Returns `true` for the line with the start and end time of a subtitle, such as
/// `00:00:01,000 --> 00:00:02,000`.
fn is_cue(line: &str) -> bool {
    let is_time = |time: &str| {
        let time = whitespace::strip(time);
        time.contains(':') && time.starts_with(|c: char| c.is_ascii_digit())
    };
    line.split_once("-->").is_some_and(|(start, end)| is_time(start) && is_time(end))
}

/// Returns `true` for a line that is one JSON object.
fn is_object(line: &str) -> bool {
    let inner = line.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).map(whitespace::strip);
    inner.is_some_and(|inner| {
        inner.starts_with('"') && inner.contains("\":") || inner.starts_with('"') && inner.contains("\" :")
    })
}

fn is_turn(line: &str) -> bool {
    let fields: Vec<&str> = whitespace::split(line).collect();
    let is_time = |at: usize| fields.get(at).is_some_and(|field| is_seconds(field) || *field == "<NA>");
    fields.first().is_some_and(|first| RTTM_TYPES.contains(first))
        && fields.len() >= 8
        && is_time(3)
        && is_time(4)
}

fn is_utterance(line: &str) -> bool {
    let fields: Vec<&str> = whitespace::split(line).take(5).collect();
    matches!(fields[..], [_, _, _, start, end] if is_span(start, end))
}

fn is_span(start: &str, end: &str) -> bool {
    is_seconds(start) && is_seconds(end) && start.parse::<f64>().ok() <= end.parse().ok()
}

fn is_timed_word(line: &str) -> bool {
    let fields: Vec<&str> = whitespace::split(line).take(8).collect();
    let [_, _, start, duration, word, others @ ..] = &fields[..] else { return false };
    let is_mark = word.starts_with('<') && word.ends_with('>');
    (is_mark || is_seconds(start) && is_seconds(duration)) && others.len() <= 2
}

fn utterance_id(line: &str) -> Option<&str> {
    let (_, id) = line.strip_suffix(')')?.rsplit_once('(')?;
    (!id.is_empty() && !id.contains(char::is_whitespace)).then_some(id)
}
