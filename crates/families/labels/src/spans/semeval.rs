//! Pairs of overlapping spans, as SemEval 2013 (task 9.1) counts them: a predicted span may be right in part, or have
//! another type.

use crate::tally::{CheckedCount as _, LabelTally};

use super::scheme::Span;

bleuprint_core::choice! {
    /// When a predicted span is right.
    pub enum SpanMatch {
        /// The reference has a span with the same type and the same ends, as in conlleval and seqeval.
        Equal = "equal",
        /// As `equal`, by the pairs of SemEval 2013.
        Strict = "strict",
        /// Both ends are the same; the type may differ.
        Exact = "exact",
        /// The spans overlap, whatever their types; other ends make the span half right.
        Partial = "partial",
        /// The spans overlap and have the same type.
        Type = "type",
    }
}

/// How a predicted span and the span of its pair agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct SpanAgreement {
    same_ends: bool,
    same_type: bool,
}

impl SpanMatch {
    /// Returns the count of a pair in halves: 2 for a right pair, 1 for one that is half right.
    fn halves(self, SpanAgreement { same_ends, same_type }: SpanAgreement) -> u64 {
        let right = match self {
            SpanMatch::Equal | SpanMatch::Strict => same_ends && same_type,
            SpanMatch::Exact => same_ends,
            SpanMatch::Type => same_type,
            SpanMatch::Partial => return if same_ends { 2 } else { 1 },
        };
        2 * u64::from(right)
    }
}

/// Returns the counts of each type of spans in halves, so that a half right span is a whole number. Each predicted
/// span is paired with a span of the reference that no earlier one took: with a right one, else with the first that it
/// overlaps. A pair counts under the type of the reference; other spans are missed or spurious.
pub(super) fn tallies<'t>(
    gold: &[Span<'t>],
    predicted: &[Span<'t>],
    rule: SpanMatch,
) -> Vec<(&'t str, LabelTally)> {
    let mut gold = gold.to_vec();
    gold.sort_by_key(ends);
    let mut predicted = predicted.to_vec();
    predicted.sort_by_key(ends);
    let mut taken = vec![false; gold.len()];
    let mut types: Vec<(&str, LabelTally)> = Vec::new();
    for span in predicted {
        let Some(at) = pair(&gold, &taken, &span, rule) else {
            types.push((span.0, LabelTally { right: 0, predicted: 2, gold: 0 }));
            continue;
        };
        taken[at] = true;
        let own = gold[at];
        let agreement = SpanAgreement { same_ends: ends(&own) == ends(&span), same_type: own.0 == span.0 };
        types.push((own.0, LabelTally { right: rule.halves(agreement), predicted: 2, gold: 2 }));
    }
    let missed = gold.iter().zip(&taken).filter(|(_, taken)| !**taken);
    types.extend(missed.map(|(span, _)| (span.0, LabelTally { right: 0, predicted: 0, gold: 2 })));
    types.sort_unstable_by_key(|(kind, _)| *kind);
    types.dedup_by(|(kind, more), (own, tally)| {
        let same = kind == own;
        if same {
            *tally = tally.plus(*more, 1).unwrap_or(*tally);
        }
        same
    });
    types
}

fn ends(span: &Span<'_>) -> (usize, usize) {
    (span.1, span.2)
}

/// Returns the index of the span that a predicted span is paired with, among those that are not `taken`.
fn pair(gold: &[Span<'_>], taken: &[bool], span: &Span<'_>, rule: SpanMatch) -> Option<usize> {
    let free =
        || gold.iter().enumerate().filter(|(at, own)| !taken[*at] && own.1 <= span.2 && span.1 <= own.2);
    let right = match rule {
        // Of several spans with the type, the one with the nearest ends; ties go to the first.
        SpanMatch::Type => free()
            .filter(|(_, own)| own.0 == span.0)
            .min_by_key(|(_, own)| own.1.abs_diff(span.1) + own.2.abs_diff(span.2)),
        SpanMatch::Equal | SpanMatch::Strict => free().find(|(_, own)| *own == span),
        SpanMatch::Exact | SpanMatch::Partial => free().find(|(_, own)| ends(own) == ends(span)),
    };
    right.or_else(|| free().next()).map(|(at, _)| at)
}
