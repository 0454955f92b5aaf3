//! Formats tables of text as sacreBLEU prints them: in boxes, or in LaTeX with horizontal rules. The first
//! column is flush right, the others are centred; a cell may have several lines. The same cells can be
//! written as Markdown, HTML and separated values.

use crate::escape;

/// Table of text: a header row, and rows of cells.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "closed: a header and rows")]
pub struct CellGrid {
    /// Names of the columns, which form the header row.
    pub header: Vec<String>,
    /// Rows of the table below the header, with one cell for each column.
    pub rows: Vec<Vec<String>>,
}

/// Smallest number of spaces by which a column is wider than its name.
const MIN_PADDING: usize = 2;

impl CellGrid {
    /// Returns the table as text, framed by line-drawing characters.
    ///
    /// ```
    /// use bleuprint_report::CellGrid;
    /// let grid = CellGrid { header: vec!["System".into(), "BLEU".into()], rows: vec![vec!["a".into(), "53.0".into()]] };
    /// assert!(grid.boxed().contains("│        a │  53.0  │"));
    /// ```
    pub fn boxed(&self) -> String {
        let widths = self.widths();
        let rule = |[left, line, middle, right]: [char; 4]| {
            let parts: Vec<String> = widths.iter().map(|width| line.to_string().repeat(width + 2)).collect();
            format!("{left}{}{right}", parts.join(&middle.to_string()))
        };
        let mut lines = vec![rule(['╒', '═', '╤', '╕'])];
        lines.extend(row_lines(&self.header, &widths).map(|cells| format!("│ {} │", cells.join(" │ "))));
        for (index, row) in self.rows.iter().enumerate() {
            lines.push(rule(if index == 0 {
                ['╞', '═', '╪', '╡']
            } else {
                ['├', '─', '┼', '┤']
            }));
            lines.extend(row_lines(row, &widths).map(|cells| format!("│ {} │", cells.join(" │ "))));
        }
        lines.push(rule(['╘', '═', '╧', '╛']));
        lines.join("\n")
    }

    /// Returns the table as text in framed parts of at most `width` characters, below each other. Each part begins
    /// with the first column. A single column that is wider is not broken.
    ///
    /// ```
    /// use bleuprint_report::CellGrid;
    /// let header = ["System", "BLEU", "chrF"].map(str::to_owned).to_vec();
    /// let grid = CellGrid { header, rows: vec![["a", "53.0", "61.2"].map(str::to_owned).to_vec()] };
    /// assert_eq!(grid.boxed_within(40), grid.boxed());
    /// let parts = grid.boxed_within(24);
    /// assert!(parts.contains("│        a │  53.0  │\n") && parts.contains("│        a │  61.2  │\n"));
    /// ```
    pub fn boxed_within(&self, width: usize) -> String {
        let widths = self.widths();
        // Two spaces and a frame beside each cell, and the last frame.
        let room = |columns: &[usize]| columns.iter().map(|&column| widths[column] + 3).sum::<usize>() + 1;
        let mut parts: Vec<Vec<usize>> = Vec::new();
        for (column, own) in widths.iter().enumerate().skip(1) {
            match parts.last_mut() {
                Some(part) if room(part) + own + 3 <= width => part.push(column),
                _ => parts.push(vec![0, column]),
            }
        }
        if parts.len() < 2 {
            return self.boxed();
        }
        let part = |columns: &Vec<usize>| {
            let cells = |row: &Vec<String>| {
                columns.iter().map(|&column| row.get(column).cloned().unwrap_or_default()).collect()
            };
            CellGrid { header: cells(&self.header), rows: self.rows.iter().map(cells).collect() }.boxed()
        };
        parts.iter().map(part).collect::<Vec<String>>().join("\n")
    }

    /// Returns the table as a LaTeX `tabular` with the rules of `booktabs`. Characters that LaTeX would take
    /// for commands are escaped after the cells are padded.
    ///
    /// ```
    /// use bleuprint_report::CellGrid;
    /// let grid = CellGrid { header: vec!["System".into(), "95%".into()], rows: vec![vec!["a_1".into(), "2".into()]] };
    /// assert!(grid.latex().contains("a\\_1 &   2   \\\\"));
    /// ```
    pub fn latex(&self) -> String {
        let widths = self.widths();
        let line = |row: &[String]| {
            // The padding counts the characters that are printed, so the escapes come after it.
            let escaped =
                |cells: Vec<String>| cells.iter().map(|cell| latex_escaped(cell)).collect::<Vec<_>>();
            let lines = row_lines(row, &widths).map(|cells| format!(" {} \\\\", escaped(cells).join(" & ")));
            lines.collect::<Vec<_>>().join("\n")
        };
        let columns = "c".repeat(self.header.len().saturating_sub(1));
        let mut lines = vec![format!("\\begin{{tabular}}{{r{columns}}}"), "\\toprule".to_owned()];
        lines.push(line(&self.header));
        lines.push("\\midrule".to_owned());
        lines.extend(self.rows.iter().map(|row| line(row)));
        lines.extend(["\\bottomrule".to_owned(), "\\end{tabular}".to_owned()]);
        lines.join("\n")
    }

    /// Returns the table as Markdown, with one line for each row; line breaks within cells become spaces.
    ///
    /// ```
    /// use bleuprint_report::CellGrid;
    /// let grid = CellGrid { header: vec!["System".into(), "BLEU".into()], rows: vec![vec!["a|b".into(), "53.0".into()]] };
    /// assert_eq!(grid.markdown(), "| System | BLEU |\n|---|--:|\n| a\\|b | 53.0 |");
    /// ```
    pub fn markdown(&self) -> String {
        let line = |row: &Vec<String>| {
            let escaped = |cell: &String| {
                // A minus sign begins a list, but a number is none.
                if cell.parse::<f64>().is_ok() { cell.clone() } else { escape::markdown(cell) }
            };
            let cells: Vec<String> = row.iter().map(escaped).collect();
            format!("| {} |", cells.join(" | "))
        };
        let rule = format!("|---|{}", "--:|".repeat(self.header.len().saturating_sub(1)));
        let rows = self.rows.iter().map(line);
        [line(&self.header), rule].into_iter().chain(rows).collect::<Vec<_>>().join("\n")
    }

    /// Returns the table as an HTML `<table>` element without CSS styles.
    ///
    /// ```
    /// use bleuprint_report::CellGrid;
    /// let grid = CellGrid { header: vec!["System".into(), "BLEU".into()], rows: vec![vec!["a<b".into(), "53.0".into()]] };
    /// let rows = "<tr><th>System</th><th>BLEU</th></tr></thead><tbody><tr><th>a&lt;b</th><td>53.0</td></tr>";
    /// assert_eq!(grid.html(), format!("<table><thead>{rows}</tbody></table>"));
    /// ```
    pub fn html(&self) -> String {
        let line = |row: &[String], cell: &str| {
            let cell = |(column, text): (usize, &String)| {
                let kind = if column == 0 { "th" } else { cell };
                format!("<{kind}>{}</{kind}>", escape::html(text))
            };
            format!("<tr>{}</tr>", row.iter().enumerate().map(cell).collect::<String>())
        };
        let rows: String = self.rows.iter().map(|row| line(row, "td")).collect();
        format!("<table><thead>{}</thead><tbody>{rows}</tbody></table>", line(&self.header, "th"))
    }

    /// Returns the table as comma-separated values, quoted as in RFC 4180. Line breaks within cells become
    /// spaces, so each row is one line.
    ///
    /// ```
    /// use bleuprint_report::CellGrid;
    /// let grid = CellGrid { header: vec!["System".into()], rows: vec![vec!["a,b".into()]] };
    /// assert_eq!(grid.csv(), "System\n\"a,b\"");
    /// ```
    pub fn csv(&self) -> String {
        self.separated(",", escape::csv)
    }

    /// Returns the table as tab-separated values. Tabs and line breaks within cells become spaces.
    pub fn tsv(&self) -> String {
        self.separated("\t", escape::tsv)
    }

    fn separated(&self, by: &str, escape: fn(&str) -> String) -> String {
        let line = |row: &Vec<String>| row.iter().map(|cell| escape(cell)).collect::<Vec<_>>().join(by);
        std::iter::once(&self.header).chain(&self.rows).map(line).collect::<Vec<_>>().join("\n")
    }

    fn widths(&self) -> Vec<usize> {
        let of_cell = |cell: &String| cell.lines().map(width).max().unwrap_or(0);
        let of_column = |(column, name): (usize, &String)| {
            let cells = self.rows.iter().filter_map(|row| row.get(column)).map(of_cell);
            cells.max().unwrap_or(0).max(width(name) + MIN_PADDING)
        };
        self.header.iter().enumerate().map(of_column).collect()
    }
}

fn row_lines(row: &[String], widths: &[usize]) -> impl Iterator<Item = Vec<String>> {
    let cells: Vec<Vec<&str>> = row.iter().map(|cell| cell.lines().collect()).collect();
    // A row of empty cells is still one line.
    let height = cells.iter().map(Vec::len).max().unwrap_or(0).max(1);
    let line = move |number: usize| {
        let cell = |(column, (lines, &width)): (usize, (&Vec<&str>, &usize))| {
            let text = lines.get(number).copied().unwrap_or_default();
            if column == 0 { flush_right(text, width) } else { centred(text, width) }
        };
        cells.iter().zip(widths).enumerate().map(cell).collect::<Vec<_>>()
    };
    (0..height).map(line).collect::<Vec<_>>().into_iter()
}

fn flush_right(text: &str, full: usize) -> String {
    format!("{}{text}", " ".repeat(full.saturating_sub(width(text))))
}

/// Centres `text` in a column of `full` characters. If the number of spaces is odd, the extra space is on the
/// right.
fn centred(text: &str, full: usize) -> String {
    let spaces = full.saturating_sub(width(text));
    let left = spaces / 2;
    format!("{}{text}{}", " ".repeat(left), " ".repeat(spaces - left))
}

/// Counts the characters of `text` without its terminal colour escape sequences.
fn width(text: &str) -> usize {
    let mut width = 0;
    let mut escape = false;
    for c in text.chars() {
        match (escape, c) {
            (false, '\u{1b}') => escape = true,
            (true, 'm') => escape = false,
            (true, _) => {}
            (false, _) => width += 1,
        }
    }
    width
}

fn latex_escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => escaped.extend(['\\', c]),
            '^' => escaped.push_str("\\^{}"),
            '~' => escaped.push_str("\\textasciitilde{}"),
            '\\' => escaped.push_str("\\textbackslash{}"),
            '<' => escaped.push_str("\\ensuremath{<}"),
            '>' => escaped.push_str("\\ensuremath{>}"),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(header: &[&str], rows: &[&[&str]]) -> CellGrid {
        let strings = |cells: &[&str]| cells.iter().map(|&cell| cell.to_owned()).collect();
        CellGrid { header: strings(header), rows: rows.iter().map(|row| strings(row)).collect() }
    }

    #[test]
    fn a_box_has_cells_of_several_lines() {
        let text = grid(
            &["System", "BLEU (μ ± 95% CI)"],
            &[&["Baseline: h1", "48.5 (48.9 ± 46.8)"], &["h2", "20.2 (19.4 ± 5.8)\n(p = 0.1485)"]],
        )
        .boxed();
        let expected = "\
╒══════════════╤═════════════════════╕
│       System │  BLEU (μ ± 95% CI)  │
╞══════════════╪═════════════════════╡
│ Baseline: h1 │ 48.5 (48.9 ± 46.8)  │
├──────────────┼─────────────────────┤
│           h2 │  20.2 (19.4 ± 5.8)  │
│              │    (p = 0.1485)     │
╘══════════════╧═════════════════════╛";
        assert_eq!(text, expected);
    }

    #[test]
    fn latex_has_rules() {
        let text = grid(&["System", "BLEU"], &[&["a", "53.0"], &["b", "36.0"]]).latex();
        let expected = "\
\\begin{tabular}{rc}
\\toprule
   System &  BLEU  \\\\
\\midrule
        a &  53.0  \\\\
        b &  36.0  \\\\
\\bottomrule
\\end{tabular}";
        assert_eq!(text, expected);
    }

    #[test]
    fn colours_have_no_width() {
        assert_eq!(width("\u{1b}[31m(p = 1)\u{1b}[0m"), 7);
        assert_eq!(grid(&["S"], &[]).boxed().lines().count(), 3);
    }
}
