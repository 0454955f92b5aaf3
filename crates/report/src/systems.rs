//! Writes tables and JSON of several systems and metrics, with the results of significance tests.

#[cfg(feature = "json")]
use serde_json::{Map, Value, json};

#[cfg(feature = "json")]
use crate::json::number;
use crate::{CellGrid, Confidence};

/// Scores of one metric for every system, which form a column of a table.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "closed: a table needs all of them")]
pub struct MetricColumn {
    /// Name of the metric, which is the column's header.
    pub name: String,
    /// Name of the metric in its signature. It differs from `name` if the column shows another number of the
    /// metric than its score.
    pub metric: String,
    /// Long form of the metric's signature, without the metric's name.
    pub signature: String,
    /// Short form of the metric's signature, without the metric's name.
    pub short_signature: String,
    /// Number of decimals to print for the metric's scores.
    pub decimals: usize,
    /// One result for each system, in the order of the systems.
    pub results: Vec<SystemResult>,
}

impl MetricColumn {
    fn signature_in(&self, short: bool) -> &str {
        if short { &self.short_signature } else { &self.signature }
    }
}

/// Score of one system under one metric, with the results of a significance test.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct SystemResult {
    /// Score of the system under the metric.
    pub score: f64,
    /// Confidence interval of the score; `None` without resampling.
    pub interval: Option<Confidence>,
    /// P-value of the score difference from the baseline system; `None` for the baseline and without a test.
    pub p_value: Option<f64>,
}

/// Largest p-value that a table marks as significant.
const SIGNIFICANT: f64 = 0.05;

/// Switch for terminal colours in a printed table.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Colour {
    /// Colours are off: plain text without colour escape sequences.
    #[default]
    Off,
    /// Colours are on: text with colour escape sequences for terminals.
    On,
}

impl Colour {
    /// Returns the text in green for a positive answer, such as a passed check.
    pub fn good(self, text: &str) -> String {
        self.paint(GREEN, text)
    }

    /// Returns the text in red for a negative answer, such as a failed check.
    pub fn bad(self, text: &str) -> String {
        self.paint(RED, text)
    }

    /// Returns the text in yellow for an answer that is neither.
    pub fn open(self, text: &str) -> String {
        self.paint(YELLOW, text)
    }

    fn paint(self, code: u8, text: &str) -> String {
        match self {
            Colour::Off => text.to_owned(),
            Colour::On => format!("\u{1b}[{code}m{text}\u{1b}[0m"),
        }
    }
}

const RED: u8 = 31;
const GREEN: u8 = 32;
const YELLOW: u8 = 33;
const CYAN: u8 = 36;

/// Output format of a table of scores.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum TableForm {
    /// Table drawn with box-drawing characters, with or without colours.
    #[default]
    Boxed,
    /// Table drawn with box-drawing characters in parts that are at most this wide, for a terminal.
    Within(usize),
    /// LaTeX code of a `tabular` environment.
    Latex,
    /// Table in Markdown syntax.
    Markdown,
    /// Comma-separated values (CSV).
    Csv,
    /// Tab-separated values (TSV).
    Tsv,
}

impl TableForm {
    /// Table formats that users can name, with their names; the boxed table has no name, because it is the
    /// default.
    pub const NAMED: [(&'static str, TableForm); 4] = [
        ("latex", TableForm::Latex),
        ("markdown", TableForm::Markdown),
        ("csv", TableForm::Csv),
        ("tsv", TableForm::Tsv),
    ];

    /// Returns `true` for CSV and TSV, the formats for other programs. Their header row contains the
    /// signatures of the metrics.
    pub fn is_data(self) -> bool {
        matches!(self, TableForm::Csv | TableForm::Tsv)
    }

    /// Returns `true` for the tables of terminals, with colours and cells of several lines.
    pub fn is_boxed(self) -> bool {
        matches!(self, TableForm::Boxed | TableForm::Within(_))
    }

    /// Returns the table as text in this format.
    pub fn write(self, grid: &CellGrid) -> String {
        match self {
            TableForm::Boxed => grid.boxed(),
            TableForm::Within(width) => grid.boxed_within(width),
            TableForm::Latex => grid.latex(),
            TableForm::Markdown => grid.markdown(),
            TableForm::Csv => grid.csv(),
            TableForm::Tsv => grid.tsv(),
        }
    }
}

/// Returns a table of scores, with one row for each system and one column for each metric. The metrics'
/// signatures follow the table, or are in its header for [CSV and TSV](TableForm::is_data), whose numbers are not
/// rounded. `note` is printed between the table and the signatures. In LaTeX both are comments.
///
/// ```
/// use bleuprint_report::{Colour, MetricColumn, SystemResult, TableForm, systems_table};
/// let result = |score| SystemResult { score, ..SystemResult::default() };
/// let column = MetricColumn {
///     name: "BLEU".into(), metric: "BLEU".into(), signature: "nrefs:1".into(), short_signature: "#:1".into(), decimals: 1,
///     results: vec![result(48.53), result(20.2)],
/// };
/// let systems = ["A".to_owned(), "B".to_owned()];
/// let table = systems_table(&systems, &[column], TableForm::Csv, Colour::Off, "", true);
/// assert_eq!(table, "System,BLEU|#:1\nA,48.53\nB,20.2");
/// ```
pub fn systems_table(
    systems: &[String],
    columns: &[MetricColumn],
    form: TableForm,
    colour: Colour,
    note: &str,
    short: bool,
) -> String {
    // Only a terminal shows colours and cells of two lines; other formats get neither.
    let (between, colour) = if form.is_boxed() { ("\n", colour) } else { (" ", Colour::Off) };
    let mut grid = grid(systems, columns, between, colour, form.is_data());
    if form.is_data() {
        for (header, column) in grid.header.iter_mut().skip(1).zip(columns) {
            // The header is a whole signature, so it begins with the name in signatures.
            let name = header.replacen(&column.name, &column.metric, 1);
            *header = format!("{name}|{}", column.signature_in(short));
        }
        return form.write(&grid);
    }
    let (note, signatures) = match form {
        TableForm::Latex => (commented(note), commented(&signature_block(columns, short))),
        _ => (note.to_owned(), signature_block(columns, short)),
    };
    let parts = [form.write(&grid), note, signatures];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n")
}

/// Returns a text as comments of LaTeX.
fn commented(text: &str) -> String {
    text.lines().map(|line| format!("% {line}")).collect::<Vec<_>>().join("\n")
}

fn grid(
    systems: &[String],
    columns: &[MetricColumn],
    between: &str,
    colour: Colour,
    exact: bool,
) -> CellGrid {
    let title = |column: &MetricColumn| {
        let intervals = column.results.iter().any(|result| result.interval.is_some());
        let name = if intervals { format!("{} (μ ± 95% CI)", column.name) } else { column.name.clone() };
        colour.paint(CYAN, &name)
    };
    let of_row =
        |row: usize| columns.iter().filter_map(move |column| Some((column, column.results.get(row)?)));
    let row = |(index, name): (usize, &String)| {
        // sacreBLEU marks the first system as the baseline only if a test was made.
        let baseline = index == 0 && of_row(1).any(|(_, result)| result.p_value.is_some());
        let name = if baseline { colour.paint(YELLOW, name) } else { name.clone() };
        let cells = of_row(index).map(|(column, result)| {
            if exact { exact_cell(result) } else { cell(result, column.decimals, between, colour) }
        });
        std::iter::once(name).chain(cells).collect()
    };
    CellGrid {
        header: std::iter::once(colour.paint(CYAN, "System")).chain(columns.iter().map(title)).collect(),
        rows: systems.iter().enumerate().map(row).collect(),
    }
}

/// Returns the numbers of a result with all their digits, for other programs.
fn exact_cell(result: &SystemResult) -> String {
    let interval = result.interval.map(|interval| format!(" ({} ± {})", interval.mean, interval.half_width));
    let p_value = result.p_value.map(|p| format!(" (p = {p})"));
    format!("{}{}{}", result.score, interval.unwrap_or_default(), p_value.unwrap_or_default())
}

fn cell(result: &SystemResult, width: usize, between: &str, colour: Colour) -> String {
    let mut text = format!("{:.width$}", result.score);
    if let Some(Confidence { mean, half_width }) = result.interval {
        text.push(' ');
        text.push_str(&colour.paint(CYAN, &format!("({mean:.width$} ± {half_width:.width$})")));
    }
    if let Some(p) = result.p_value {
        text.push_str(between);
        let significant = p <= SIGNIFICANT;
        let mark = if significant { "*" } else { "" };
        text.push_str(&colour.paint(if significant { GREEN } else { RED }, &format!("(p = {p:.4}){mark}")));
    }
    text
}

/// Returns the text that lists the metrics' signatures, one per line, under the heading "Metric signatures".
pub fn signature_block(columns: &[MetricColumn], short: bool) -> String {
    let line = |column: &MetricColumn| format!(" - {:<10} {}", column.name, column.signature_in(short));
    let lines: Vec<String> = columns.iter().map(line).collect();
    format!("{}\n{}", banner("Metric signatures"), lines.join("\n"))
}

/// Returns a heading: a line of text between two lines of dashes.
pub fn banner(text: &str) -> String {
    let dashes = "-".repeat(text.chars().count());
    format!("{dashes}\n{text}\n{dashes}")
}

/// Returns the scores and test results of several systems as a JSON list with one object for each system. An
/// object has `system`, and under each metric's name `score`, `p_value`, `mean`, `ci` and `signature`.
/// Numbers have full precision; missing values are `null`.
///
/// ```
/// use bleuprint_report::{MetricColumn, SystemResult, tests_json};
/// let results = vec![SystemResult { score: 48.5, ..SystemResult::default() }];
/// let column = MetricColumn {
///     name: "BLEU".into(), metric: "BLEU".into(), signature: "nrefs:1".into(), short_signature: "#:1".into(), decimals: 1, results,
/// };
/// let json = tests_json(&["a".into()], &[column]);
/// assert_eq!(json[0]["BLEU"]["score"], 48.5);
/// assert!(json[0]["BLEU"]["p_value"].is_null());
/// ```
#[cfg(feature = "json")]
pub fn tests_json(systems: &[String], columns: &[MetricColumn]) -> Value {
    let number = |value: Option<f64>| value.map_or(Value::Null, number);
    let system = |(index, name): (usize, &String)| {
        let mut object = Map::new();
        object.insert("system".to_owned(), name.clone().into());
        for column in columns {
            let Some(result) = column.results.get(index) else { continue };
            let result = json!({
                "score": number(Some(result.score)),
                "p_value": number(result.p_value),
                "mean": number(result.interval.map(|interval| interval.mean)),
                "ci": number(result.interval.map(|interval| interval.half_width)),
                "signature": column.signature,
            });
            object.insert(column.name.clone(), result);
        }
        Value::Object(object)
    };
    systems.iter().enumerate().map(system).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column() -> MetricColumn {
        let baseline = SystemResult {
            score: 48.53,
            interval: Some(Confidence { mean: 48.9, half_width: 46.8 }),
            ..SystemResult::default()
        };
        let system = SystemResult {
            score: 20.2,
            interval: Some(Confidence { mean: 19.38, half_width: 5.78 }),
            p_value: Some(0.05),
        };
        MetricColumn {
            name: "BLEU".to_owned(),
            metric: "BLEU".to_owned(),
            signature: "nrefs:2|tok:13a".to_owned(),
            short_signature: "#:2|tok:13a".to_owned(),
            decimals: 1,
            results: vec![baseline, system],
        }
    }

    #[test]
    fn significant_differences_are_marked() {
        let systems = ["Baseline: a".to_owned(), "b".to_owned()];
        let show = |form, colour| systems_table(&systems, &[column()], form, colour, "", true);
        let table = show(TableForm::Boxed, Colour::Off);
        assert!(table.contains("│ Baseline: a │ 48.5 (48.9 ± 46.8)  │"), "{table}");
        assert!(table.contains("(p = 0.0500)*"), "{table}");
        let latex = show(TableForm::Latex, Colour::On);
        assert!(latex.contains("b & 20.2 (19.4 ± 5.8) (p = 0.0500)* \\\\"), "{latex}");
        assert!(latex.contains("BLEU (μ ± 95\\% CI)"), "{latex}");
        let coloured = show(TableForm::Boxed, Colour::On);
        assert!(coloured.contains("\u{1b}[32m(p = 0.0500)*\u{1b}[0m"), "{coloured}");
    }

    #[test]
    fn signatures_are_listed() {
        let block = signature_block(&[column()], true);
        assert_eq!(
            block,
            "-----------------\nMetric signatures\n-----------------\n - BLEU       #:2|tok:13a"
        );
    }
}
