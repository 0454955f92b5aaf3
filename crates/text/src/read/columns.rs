//! [`TabColumns`]: a reader of lines with tab-separated columns, for several references in one file or
//! several systems in one stream.

use super::lines::LineReader;
use bleuprint_core::{InputError, Result, counted};

/// A reader of lines with tab-separated columns, without quoting.
///
/// ```
/// use bleuprint_text::{LineReader, read::TabColumns};
/// let lines = LineReader::new(&b"first\tsecond\tstill second\n"[..], "refs.tsv");
/// let mut columns = TabColumns::references(lines, 2);
/// let mut cells = Vec::new();
/// assert!(columns.next(&mut cells)?);
/// assert_eq!(cells, ["first", "second\tstill second"]);
/// # Ok::<(), bleuprint_core::InputError>(())
/// ```
#[derive(Debug)]
pub struct TabColumns {
    /// The stream from which the lines are read.
    pub lines: LineReader,
    line: String,
    /// The number of columns in every line, or `None` before the first line is read.
    count: Option<usize>,
    /// `true` if the last column extends to the end of the line and may contain tabs.
    open_ended: bool,
}

impl TabColumns {
    /// Creates a reader of lines that each contain `count` references separated by tabs, as sacreBLEU's
    /// `--num-refs` reads them. Further tabs are part of the last reference. A line that ends in empty
    /// references is an error, because trailing whitespace is dropped and columns are then missing.
    pub fn references(lines: LineReader, count: usize) -> Self {
        TabColumns { lines, line: String::new(), count: Some(count.max(1)), open_ended: true }
    }

    /// Creates a reader of lines in which each tab-separated column is the output of one system, as in
    /// sacreBLEU's standard input. The first line sets the number of columns.
    pub fn systems(lines: LineReader) -> Self {
        TabColumns { lines, line: String::new(), count: None, open_ended: false }
    }

    /// Reads the next line and puts its columns into `cells`, replacing the content. Returns `false` at the
    /// end of the stream.
    ///
    /// # Errors
    /// Returns an error if the line does not have the expected number of columns: the given number of
    /// references, or else the number of columns in the first line. Also returns the errors of
    /// [`LineReader::next`].
    pub fn next(&mut self, cells: &mut Vec<String>) -> Result<bool> {
        if !self.lines.next(&mut self.line)? {
            return Ok(false);
        }
        let line = self.line.as_str();
        let count = *self.count.get_or_insert_with(|| line.split('\t').count());
        let most = if self.open_ended { count } else { usize::MAX };
        let mut found = 0;
        for cell in line.splitn(most, '\t') {
            match cells.get_mut(found) {
                Some(slot) => {
                    slot.clear();
                    slot.push_str(cell);
                }
                None => cells.push(cell.to_owned()),
            }
            found += 1;
        }
        cells.truncate(found);
        if found == count {
            return Ok(true);
        }
        let message = format!("{}, but {count} are expected", counted(found, "tab-separated column"));
        Err(InputError::malformed(message).at(self.lines.location()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &'static str) -> LineReader {
        LineReader::new(text.as_bytes(), "t")
    }

    fn all(mut columns: TabColumns) -> Result<Vec<Vec<String>>> {
        let mut rows = Vec::new();
        let mut cells = Vec::new();
        while columns.next(&mut cells)? {
            rows.push(cells.clone());
        }
        Ok(rows)
    }

    #[test]
    fn too_few_references_are_an_error_with_both_numbers() {
        let error = all(TabColumns::references(lines("a\tb\nc\t\n"), 2)).unwrap_err();
        assert_eq!(error.to_string(), "t: line 2: 1 tab-separated column, but 2 are expected");
    }

    #[test]
    fn inner_empty_references_are_references() {
        let rows = all(TabColumns::references(lines("\tb\tc\nd\t\tf\tg"), 3)).unwrap();
        assert_eq!(rows, [["", "b", "c"], ["d", "", "f\tg"]]);
    }

    #[test]
    fn the_first_line_says_how_many_systems_there_are() {
        assert_eq!(all(TabColumns::systems(lines("a\tb\nc\td\n"))).unwrap(), [["a", "b"], ["c", "d"]]);
        assert!(all(TabColumns::systems(lines("a\tb\nc\td\te\n"))).is_err());
        assert!(all(TabColumns::systems(lines(""))).unwrap().is_empty());
    }
}
