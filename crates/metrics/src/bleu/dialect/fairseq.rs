//! fairseq's libbleu, and its trimming of ids before it counts ([`FairseqIds`]).

use bleuprint_core::Scale;
use bleuprint_math::exp;

use super::arithmetic::{add_one_from, any_zero, mean_of_logs, penalty, precisions};
use super::{Accepts, Dialect, DialectError, DialectInput, OrderCounts};

pub(super) const FAIRSEQ: Dialect = Dialect {
    name: "fairseq",
    aliases: &[],
    program: "fairseq libbleu",
    version: "3d262bb",
    summary: "One reference, no smoothing, in percent",
    differences: "Over ids: trim them with FairseqIds first, where an empty segment is one end-of-sentence token.",
    scale: Scale::PERCENT,
    accepts: Accepts::OneReference,
    finish: |input| finish(input, input.orders),
    python_sum: true,
    ..Dialect::COMMON
};

pub(super) const ONE_INIT: Dialect = Dialect {
    name: "fairseq:one-init",
    summary: "As fairseq, but matches and n-grams of orders from 2 on start at 1",
    finish: |input| finish(input, &add_one_from(2, input.orders)),
    ..FAIRSEQ
};

/// `BP · exp((Σ ln p_n)/N) · 100`, added by Python's `sum`; `BP = min(1, exp(1 − r/c))`. 0 to 100.
///
/// 0 if a precision is 0. Empty hypotheses divide by zero, which over trimmed ids cannot be.
fn finish(input: &DialectInput<'_>, orders: &[OrderCounts]) -> Result<f64, DialectError> {
    let hyp_len = input.hyp_len();
    if hyp_len == 0.0 {
        return Err(input.raises("ZeroDivisionError without any token; trimmed ids have at least one each"));
    }
    let precisions = precisions(orders);
    if any_zero(&precisions) {
        return Ok(0.0);
    }
    Ok(penalty(hyp_len, input.ref_len) * exp(mean_of_logs(input.summation, &precisions)) * 100.0)
}

/// fairseq's trimming of ids before it counts n-grams.
///
/// Leading padding goes, then trailing padding and end-of-sentence, but never the last token that is left. Unknown
/// words of a reference match nothing, not even unknown words of the hypothesis. Nothing left (an empty sequence,
/// or padding alone, which is undefined there) becomes one end-of-sentence token.
///
/// ```
/// use bleuprint_metrics::bleu::dialect::FairseqIds;
///
/// let ids = FairseqIds { pad: 1, eos: 2, unk: 3 };
/// assert_eq!(ids.hypothesis(&[1, 1, 7, 3, 2, 1]), [7, 3]);
/// assert_eq!(ids.reference(&[7, 3, 2]), [7, -999]);
/// assert_eq!(ids.hypothesis(&[2]), [2]);
/// assert_eq!(ids.reference(&[]), [2]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FairseqIds {
    /// Padding.
    pub pad: u32,
    /// End of sentence.
    pub eos: u32,
    /// The unknown word.
    pub unk: u32,
}

impl FairseqIds {
    /// The id of an unknown word of a reference, which no hypothesis has.
    const NEVER: i64 = -999;

    /// The ids of a hypothesis as fairseq counts them.
    pub fn hypothesis(&self, ids: &[u32]) -> Vec<i64> {
        self.trimmed(ids).iter().map(|&id| id.into()).collect()
    }

    /// The ids of a reference as fairseq counts them.
    pub fn reference(&self, ids: &[u32]) -> Vec<i64> {
        let known = |&id: &u32| if id == self.unk { Self::NEVER } else { id.into() };
        self.trimmed(ids).iter().map(known).collect()
    }

    fn trimmed<'a>(&'a self, ids: &'a [u32]) -> &'a [u32] {
        let start = ids.iter().take_while(|&&id| id == self.pad).count();
        let mut rest = &ids[start..];
        while let [before @ .., last] = rest
            && (*last == self.pad || *last == self.eos)
            && !before.is_empty()
        {
            rest = before;
        }
        if rest.is_empty() { core::slice::from_ref(&self.eos) } else { rest }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const IDS: FairseqIds = FairseqIds { pad: 1, eos: 2, unk: 3 };

    #[test]
    fn one_token_is_always_left() {
        assert_eq!(IDS.hypothesis(&[2, 2, 1]), [2]);
        assert_eq!(IDS.hypothesis(&[1, 1]), [2]);
        assert_eq!(IDS.hypothesis(&[]), [2]);
    }

    #[test]
    fn only_the_ends_are_trimmed() {
        assert_eq!(IDS.hypothesis(&[1, 5, 1, 2, 6, 2]), [5, 1, 2, 6]);
        assert_eq!(IDS.hypothesis(&[2, 5]), [2, 5]);
    }

    #[test]
    fn an_unknown_word_of_a_reference_matches_nothing() {
        assert_ne!(IDS.hypothesis(&[3]), IDS.reference(&[3]));
        assert_eq!(IDS.hypothesis(&[4]), IDS.reference(&[4]));
    }
}
