//! [`units`]: the parts of a text between which a cut splits no word.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation as _;

use crate::script::has_no_spaces;
use crate::whitespace;

/// The words between whitespace and, within them, every grapheme cluster of a script without spaces between words: Han, Kana,
/// Thai, Lao, Khmer, Burmese. As ranges of bytes.
///
/// ```
/// let text = "see you 明日、 ok";
/// let units: Vec<&str> = bleuprint_text::units(text).map(|unit| &text[unit]).collect();
/// assert_eq!(units, ["see", "you", "明", "日", "、", "ok"]);
/// ```
pub fn units(text: &str) -> impl Iterator<Item = Range<usize>> {
    whitespace::split(text).flat_map(move |word| {
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        if !word.chars().any(has_no_spaces) {
            return std::iter::once(start..start + word.len()).collect();
        }
        let mut units: Vec<Range<usize>> = Vec::new();
        let mut in_run = false;
        for (at, cluster) in word.grapheme_indices(true) {
            let (from, to) = (start + at, start + at + cluster.len());
            let alone = cluster.chars().next().is_some_and(has_no_spaces);
            match units.last_mut().filter(|_| in_run && !alone) {
                Some(run) => run.end = to,
                None => units.push(from..to),
            }
            in_run = !alone;
        }
        units
    })
}
