//! [`Columns`]: lines cut at tabs, for several references in one file and several systems on one stream.

use super::lines::Lines;
use bleuprint_core::{InputError, Result, counted};

/// Reads lines of tab-separated columns, none of them quoted.
///
/// ```
/// use bleuprint_text::{Lines, read::Columns};
/// let lines = Lines::new(&b"first\tsecond\tstill second\n"[..], "refs.tsv");
/// let mut columns = Columns::references(lines, 2);
/// let mut cells = Vec::new();
/// assert!(columns.next(&mut cells)?);
/// assert_eq!(cells, ["first", "second\tstill second"]);
/// # Ok::<(), bleuprint_core::InputError>(())
/// ```
#[derive(Debug)]
pub struct Columns {
    /// The stream of lines below.
    pub lines: Lines,
    line: String,
    /// The number of columns; `None` before the first line.
    count: Option<usize>,
    /// Tabs beyond the last column are part of it.
    open_ended: bool,
}

impl Columns {
    /// `count` references per line, as sacreBLEU's `--num-refs` reads them: further tabs belong to the last one.
    /// Empty references at the end of a line are missing, because whitespace there is dropped: that is an error.
    pub fn references(lines: Lines, count: usize) -> Self {
        Columns { lines, line: String::new(), count: Some(count.max(1)), open_ended: true }
    }

    /// One system per column, as sacreBLEU reads them from standard input: the first line sets their number.
    pub fn systems(lines: Lines) -> Self {
        Columns { lines, line: String::new(), count: None, open_ended: false }
    }

    /// Reads the next line into `cells`, replacing its content; `false` at the end.
    ///
    /// # Errors
    /// A line with another number of columns; those of [`Lines::next`].
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

    fn lines(text: &'static str) -> Lines {
        Lines::new(text.as_bytes(), "t")
    }

    fn all(mut columns: Columns) -> Result<Vec<Vec<String>>> {
        let (mut rows, mut cells) = (Vec::new(), Vec::new());
        while columns.next(&mut cells)? {
            rows.push(cells.clone());
        }
        Ok(rows)
    }

    #[test]
    fn too_few_references_are_an_error_with_both_numbers() {
        let error = all(Columns::references(lines("a\tb\nc\t\n"), 2)).unwrap_err();
        assert_eq!(error.to_string(), "t: line 2: 1 tab-separated column, but 2 are expected");
    }

    #[test]
    fn inner_empty_references_are_references() {
        let rows = all(Columns::references(lines("\tb\tc\nd\t\tf\tg"), 3)).unwrap();
        assert_eq!(rows, [["", "b", "c"], ["d", "", "f\tg"]]);
    }

    #[test]
    fn the_first_line_says_how_many_systems_there_are() {
        assert_eq!(all(Columns::systems(lines("a\tb\nc\td\n"))).unwrap(), [["a", "b"], ["c", "d"]]);
        assert!(all(Columns::systems(lines("a\tb\nc\td\te\n"))).is_err());
        assert!(all(Columns::systems(lines(""))).unwrap().is_empty());
    }
}
