//! [`TagRemarks`]: counts tags without a prefix of a scheme, which are likely no tags of spans.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use bleuprint_core::counted;

use super::scheme::{TagAffix, has_prefix};

/// Number of tags that are examined. More would cost time and find no other kind of mistake.
const MOST: u64 = 1 << 14;

/// Counts of examined tags, shared by all copies of a metric.
#[derive(Debug, Clone, Default)]
pub(super) struct TagRemarks(Arc<TagCounts>);

#[derive(Debug, Default)]
struct TagCounts {
    tags: AtomicU64,
    bare: AtomicU64,
    example: Mutex<Option<String>>,
}

impl TagRemarks {
    /// Examines the tags of one side of a segment.
    pub(super) fn look_at<'t>(&self, tags: impl Iterator<Item = &'t str>, affix: TagAffix) {
        if self.0.tags.load(Ordering::Relaxed) >= MOST {
            return;
        }
        let mut count = 0;
        let mut bare = 0;
        for tag in tags {
            count += 1;
            if !has_prefix(tag, affix) {
                bare += 1;
                if let Ok(mut example) = self.0.example.lock() {
                    example.get_or_insert_with(|| tag.to_owned());
                }
            }
        }
        self.0.tags.fetch_add(count, Ordering::Relaxed);
        self.0.bare.fetch_add(bare, Ordering::Relaxed);
    }

    /// Returns a sentence if some tags have no prefix.
    pub(super) fn sentences(&self) -> Vec<String> {
        let bare = self.0.bare.load(Ordering::Relaxed);
        let example = self.0.example.lock().ok().and_then(|example| example.clone());
        let Some(example) = example.filter(|_| bare > 0) else { return Vec::new() };
        let of = self.0.tags.load(Ordering::Relaxed);
        vec![format!(
            "{bare} of the first {} have no prefix, such as `{example}`: spans are read from tags such as B-PER and \
             I-PER; affix=suffix reads PER-B, and labels:tokens=yes compares tags without spans",
            counted(of, "tag")
        )]
    }
}
