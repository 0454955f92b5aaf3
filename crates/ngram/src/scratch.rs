//! Working tables for counting n-gram matches, reused from segment to segment.

use crate::claims::Room;
use crate::hashed::Hashed;
use crate::intern::Interner;
use crate::ladder::Ladder;
use crate::masks::ReferenceMasks;
use crate::rungs::Climber;
use crate::wide::WideMasks;

/// Reusable working tables for counting n-gram matches. Keep one scratch per thread and pass it to every
/// call.
///
/// It keeps no tokens, so one scratch serves segments of any token type in turn. Its memory grows to the
/// needs of the longest segment so far; after that, no call allocates. A new scratch allocates nothing.
///
/// ```
/// let mut scratch = bleuprint_ngram::Scratch::default();
/// let mut clipped = [0; 2];
/// bleuprint_ngram::overlap(&mut scratch, &["to", "be"], &[&["to", "be", "or"]], &mut clipped);
/// assert_eq!(clipped, [2, 1]);
/// bleuprint_ngram::overlap(&mut scratch, &[1u32, 2], &[&[2, 1]], &mut clipped);
/// assert_eq!(clipped, [2, 0]);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Scratch {
    pub(crate) interner: Interner,
    pub(crate) hashed: Hashed,
    pub(crate) masks: ReferenceMasks<1024>,
    pub(crate) wide_masks: WideMasks<1024>,
    pub(crate) room: Room,
    pub(crate) ladder: Ladder,
    pub(crate) climber: Climber,
}
