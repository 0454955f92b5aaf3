//! [`PreparedChrf`]: references whose n-grams are counted once, to score many hypotheses with chrF.
//!
//! ```
//! use bleuprint_core::{Metric, Observe, Segment};
//! use bleuprint_metrics::Chrf;
//!
//! let chrf = Chrf::plus_plus();
//! let mut scratch = Default::default();
//! let references = ["The cat sat on the mat.", "A cat was sitting there."];
//! let prepared = chrf.prepare(&mut scratch, &references).unwrap();
//! for hypothesis in ["The cat sits on a mat.", "There was a cat."] {
//!     let (mut fast, mut plain) = (chrf.zero(), chrf.zero());
//!     chrf.observe_prepared(&mut scratch, &mut fast, Segment::new(hypothesis, &[]), &prepared).unwrap();
//!     chrf.observe(&mut scratch, &mut plain, Segment::new(hypothesis, &references)).unwrap();
//!     assert_eq!(fast, plain);
//! }
//! ```

use bleuprint_core::{InputError, InputErrorKind, Result};

use super::count::PreparedNgrams;
use super::{Chrf, ChrfScratch, ChrfStats, check_lengths};

#[derive(Debug, Clone)]
pub(super) struct PreparedChrf {
    texts: PreparedNgrams,
}

impl Chrf {
    pub(super) fn prepare_texts(
        &self,
        scratch: &mut ChrfScratch,
        references: &[&str],
    ) -> Result<PreparedChrf> {
        if references.is_empty() {
            return Err(InputErrorKind::NoReferences.into());
        }
        check_lengths(0, references.iter().map(|text| text.len()))?;
        Ok(PreparedChrf { texts: scratch.counter.prepare(self.orders, references) })
    }

    /// Counts the n-gram matches of a hypothesis with prepared references, whose n-grams are already counted.
    /// It rejects references that were prepared for other orders or another treatment of whitespace.
    pub(super) fn observe_prepared_texts(
        &self,
        scratch: &mut ChrfScratch,
        stats: &mut ChrfStats,
        hypothesis: &str,
        prepared: &PreparedChrf,
    ) -> Result<()> {
        let texts = &prepared.texts;
        if texts.orders() != self.orders {
            let theirs = texts.orders();
            let own = self.orders;
            return Err(InputError::malformed(format!(
                "references prepared for {theirs:?}, not for {own:?}"
            )));
        }
        check_lengths(hypothesis.len(), texts.lengths())?;
        self.observe_best(scratch, stats, texts.lengths().len(), |counter, each| {
            counter.count_prepared(hypothesis, texts, each);
        })
    }
}
