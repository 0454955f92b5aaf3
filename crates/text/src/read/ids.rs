//! A parser for lines of token ids, and [`IdFilter`], which drops special ids such as padding.

use super::lines::column;
use bleuprint_core::{InputError, Result};
use std::ops::Range;

/// A filter that drops special token ids, such as padding and end-of-sequence ids, which are not counted as
/// tokens.
///
/// Rule, in this order:
///
/// 1. Padding, begin and end ids are dropped from the start, because decoders may start with any of them.
/// 2. The sequence is cut at the first remaining end id.
/// 3. Padding is dropped from the end.
/// 4. Every id in `exclude` is dropped, at any position.
///
/// ```
/// use bleuprint_text::read::IdFilter;
/// let filter = IdFilter { pad: vec![0, -100], begin: vec![1], end: vec![2], exclude: vec![9] };
/// assert_eq!(filter.apply(&[0, 1, 5, 9, 0, 6, 2, 7, -100])?, [5, 0, 6]);
/// # Ok::<(), bleuprint_core::InputError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct IdFilter {
    /// Padding token ids, which are dropped at both ends of a sequence.
    pub pad: Vec<i64>,
    /// Begin-of-sequence token ids, which are dropped at the start of a sequence.
    pub begin: Vec<i64>,
    /// End-of-sequence token ids. The first of them in a sequence and everything after it are dropped.
    pub end: Vec<i64>,
    /// Token ids that are dropped at every position of a sequence.
    pub exclude: Vec<i64>,
}

impl IdFilter {
    /// Returns the sequence of token ids without padding and other special ids.
    ///
    /// # Errors
    /// Returns an error if an id that is kept is negative or above 4294967295. For example, -100 marks
    /// ignored labels and must be in the filter.
    pub fn apply(&self, ids: &[i64]) -> Result<Vec<u32>> {
        let kept = ids.get(self.kept(ids)).unwrap_or_default();
        kept.iter().filter(|&&id| !self.exclude.contains(&id)).map(|&id| count(id)).collect()
    }

    /// Returns the index range of the token ids that are kept. Leading special ids, the end id with all ids
    /// after it, and trailing padding are outside the range. Ids in `exclude` may be inside it.
    pub fn kept(&self, ids: &[i64]) -> Range<usize> {
        let leads = |id: &i64| self.pad.contains(id) || self.begin.contains(id) || self.end.contains(id);
        let start = ids.iter().position(|id| !leads(id)).unwrap_or(ids.len());
        let rest = &ids[start..];
        let len = rest.iter().position(|id| self.end.contains(id)).unwrap_or(rest.len());
        let last = rest[..len].iter().rposition(|id| !self.pad.contains(id));
        start..start + last.map_or(0, |last| last + 1)
    }
}

fn count(id: i64) -> Result<u32> {
    let over = |_| InputError::limit("an id that is not filtered out", id, "from 0 to 4294967295");
    u32::try_from(id).map_err(over)
}

/// Calls `found` with the position and the value of every id of a line. The line has integers separated by
/// whitespace, or a JSON array.
///
/// # Errors
/// Returns an error for anything else, and for numbers with a plus sign or leading zeros.
pub(crate) fn for_each_id(line: &str, mut found: impl FnMut(Range<usize>, i64)) -> Result<()> {
    let place = |piece: &str| piece.as_ptr() as usize - line.as_ptr() as usize;
    let mut id = |piece: &str| {
        let start = place(piece);
        match parse(piece) {
            Some(value) => {
                found(start..start + piece.len(), value);
                Ok(())
            }
            None => {
                let column = column(line, start);
                let message =
                    format!("column {column}: `{piece}` is not an id, which is an integer in decimal digits");
                Err(InputError::malformed(message))
            }
        }
    };
    let text = crate::whitespace::strip(line);
    let Some(array) = text.strip_prefix('[') else {
        return crate::whitespace::split(text).try_for_each(id);
    };
    let Some(array) = array.strip_suffix(']') else {
        return Err(InputError::malformed("an array of ids that does not end in `]`"));
    };
    if crate::whitespace::strip(array).is_empty() {
        return Ok(());
    }
    array.split(',').try_for_each(|piece| id(crate::whitespace::strip(piece)))
}

fn parse(piece: &str) -> Option<i64> {
    let digits = piece.strip_prefix('-').unwrap_or(piece);
    // Only the shortest form is accepted, so that each id has one text and counts over texts and over ids
    // agree.
    let canonical = digits == "0" && piece == "0" || !digits.starts_with(['0', '+', '-']);
    if canonical { piece.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_ids(line: &str, ids: &mut Vec<i64>) -> Result<()> {
        for_each_id(line, |_, id| ids.push(id))
    }

    #[test]
    fn only_one_way_to_write_an_id_is_known() {
        for line in
            ["01", "+1", "1.0", "-0", "[1,]", "[1 2]", "[1", "--1", "99999999999999999999", "0x1", "1,2"]
        {
            assert!(parse_ids(line, &mut Vec::new()).is_err(), "{line}");
        }
        for line in ["", "  ", "[]", "[ ]"] {
            let mut ids = Vec::new();
            parse_ids(line, &mut ids).unwrap();
            assert!(ids.is_empty());
        }
    }

    #[test]
    fn what_is_no_id_is_shown_with_its_column() {
        let mut ids = Vec::new();
        parse_ids("12 7\t-100", &mut ids).unwrap();
        parse_ids("[5, 6]", &mut ids).unwrap();
        assert_eq!(ids, [12, 7, -100, 5, 6]);
        let error = parse_ids(" 12 x7 5", &mut Vec::new()).unwrap_err().to_string();
        assert_eq!(error, "column 5: `x7` is not an id, which is an integer in decimal digits");
        assert!(parse_ids("[1, ,2]", &mut Vec::new()).unwrap_err().to_string().starts_with("column 4: ``"));
    }

    #[test]
    fn filters_leave_nothing_of_padding_alone() {
        let filter = IdFilter { pad: vec![0], end: vec![2], ..Default::default() };
        assert_eq!(filter.apply(&[0, 0, 0]).unwrap(), [0; 0]);
        assert_eq!(filter.apply(&[]).unwrap(), [0; 0]);
        assert_eq!(filter.apply(&[2, 5, 0, 6, 0, 2, 5]).unwrap(), [5, 0, 6]);
        assert!(filter.apply(&[-100]).unwrap_err().to_string().contains("-100"));
    }
}
