//! [`units`]: cuts a text into words, or into characters for scripts without spaces between words.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation as _;

use crate::script::has_no_spaces;
use crate::whitespace;

/// Returns the byte ranges of the units of a text: words between whitespace, and single characters of scripts
/// without spaces. Within a word, every grapheme cluster of Han, Kana, Thai, Lao, Khmer or Burmese is a
/// separate unit.
///
/// ```
/// let text = "see you 明日、 ok";
/// let units: Vec<&str> = bleuprint_text::units(text).map(|unit| &text[unit]).collect();
/// assert_eq!(units, ["see", "you", "明", "日", "、", "ok"]);
/// ```
pub fn units(text: &str) -> impl Iterator<Item = Range<usize>> {
    whitespace::split(text).flat_map(move |word| {
        // The word is a slice of `text`, so the difference of the two addresses is its byte offset.
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        if !word.chars().any(has_no_spaces) {
            return std::iter::once(start..start + word.len()).collect();
        }
        let mut units: Vec<Range<usize>> = Vec::new();
        let mut in_run = false;
        for (at, cluster) in word.grapheme_indices(true) {
            let from = start + at;
            let to = start + at + cluster.len();
            // The first character decides for its cluster: combining marks follow their base character.
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
