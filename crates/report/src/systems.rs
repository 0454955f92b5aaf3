//! Tables and JSON of several systems and metrics, with the results of significance tests.

#[cfg(feature = "json")]
use serde_json::{Map, Value, json};

#[cfg(feature = "json")]
use crate::json::number;
use crate::{CellGrid, Confidence};

/// Results of one metric for every system, a column of a table of scores.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "closed: a table needs all of them")]
pub struct MetricColumn {
    /// Name that the metric is printed under.
    pub name: String,
    /// Long signature, without the name of the metric.
    pub signature: String,
    /// Short signature, without the name of the metric.
    pub short_signature: String,
    /// Number of decimals of scores in tables.
    pub decimals: usize,
    /// One result for each system, in the order of the systems.
    pub results: Vec<SystemResult>,
}

impl MetricColumn {
    fn signature_in(&self, short: bool) -> &str {
        if short { &self.short_signature } else { &self.signature }
    }
}

/// Result of one metric for one system.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct SystemResult {
    /// Score of the system.
    pub score: f64,
    /// Confidence interval of the score.
    pub interval: Option<Confidence>,
    /// P-value of the difference from the baseline.
    pub p_value: Option<f64>,
}

/// Level up to which a p-value is marked as significant.
const SIGNIFICANT: f64 = 0.05;

/// Use of colours in a table.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Colour {
    /// No colours.
    #[default]
    Off,
    /// Terminal colours.
    On,
}

impl Colour {
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

/// Format of a table.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum TableForm {
    /// Box of line-drawing characters, with or without colours.
    #[default]
    Boxed,
    /// LaTeX `tabular`.
    Latex,
    /// Markdown table.
    Markdown,
    /// Comma-separated values.
    Csv,
    /// Tab-separated values.
    Tsv,
}

impl TableForm {
    /// All formats except the box, with their names.
    pub const NAMED: [(&'static str, TableForm); 4] = [
        ("latex", TableForm::Latex),
        ("markdown", TableForm::Markdown),
        ("csv", TableForm::Csv),
        ("tsv", TableForm::Tsv),
    ];

    /// Returns `true` for data formats, with one line for each row; their header then contains the
    /// signatures.
    pub fn is_data(self) -> bool {
        matches!(self, TableForm::Csv | TableForm::Tsv)
    }

    /// Returns the table in this format.
    pub fn write(self, grid: &CellGrid) -> String {
        match self {
            TableForm::Boxed => grid.boxed(),
            TableForm::Latex => grid.latex(),
            TableForm::Markdown => grid.markdown(),
            TableForm::Csv => grid.csv(),
            TableForm::Tsv => grid.tsv(),
        }
    }
}

/// Returns the table of all systems with the signatures of the metrics. The signatures follow the table, or
/// are in its header for [data formats](TableForm::is_data). `note` is printed between the table and the
/// signatures.
///
/// ```
/// use bleuprint_report::{Colour, MetricColumn, SystemResult, TableForm, systems_table};
/// let result = |score| SystemResult { score, ..SystemResult::default() };
/// let column = MetricColumn {
///     name: "BLEU".into(), signature: "nrefs:1".into(), short_signature: "#:1".into(), decimals: 1,
///     results: vec![result(48.53), result(20.2)],
/// };
/// let systems = ["A".to_owned(), "B".to_owned()];
/// let table = systems_table(&systems, &[column], TableForm::Csv, Colour::Off, "", true);
/// assert_eq!(table, "System,BLEU|#:1\nA,48.5\nB,20.2");
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
    let (between, colour) = if form == TableForm::Boxed { ("\n", colour) } else { (" ", Colour::Off) };
    let mut grid = grid(systems, columns, between, colour);
    if form.is_data() {
        for (header, column) in grid.header.iter_mut().skip(1).zip(columns) {
            *header = format!("{header}|{}", column.signature_in(short));
        }
        return form.write(&grid);
    }
    let parts = [form.write(&grid), note.to_owned(), signature_block(columns, short)];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n")
}

fn grid(systems: &[String], columns: &[MetricColumn], between: &str, colour: Colour) -> CellGrid {
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
        let cells = of_row(index).map(|(column, result)| cell(result, column.decimals, between, colour));
        std::iter::once(name).chain(cells).collect()
    };
    CellGrid {
        header: std::iter::once(colour.paint(CYAN, "System")).chain(columns.iter().map(title)).collect(),
        rows: systems.iter().enumerate().map(row).collect(),
    }
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

/// Returns the block that lists the signatures.
pub fn signature_block(columns: &[MetricColumn], short: bool) -> String {
    let line = |column: &MetricColumn| format!(" - {:<10} {}", column.name, column.signature_in(short));
    let lines: Vec<String> = columns.iter().map(line).collect();
    format!("{}\n{}", banner("Metric signatures"), lines.join("\n"))
}

/// Returns a line of text between two dashed lines.
pub fn banner(text: &str) -> String {
    let dashes = "-".repeat(text.chars().count());
    format!("{dashes}\n{text}\n{dashes}")
}

/// Returns the systems as a JSON list. Each has `system`, and under the name of each metric `score`,
/// `p_value`, `mean`, `ci` and `signature`. Numbers have full precision; missing values are `null`.
///
/// ```
/// use bleuprint_report::{MetricColumn, SystemResult, tests_json};
/// let results = vec![SystemResult { score: 48.5, ..SystemResult::default() }];
/// let column = MetricColumn {
///     name: "BLEU".into(), signature: "nrefs:1".into(), short_signature: "#:1".into(), decimals: 1, results,
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
