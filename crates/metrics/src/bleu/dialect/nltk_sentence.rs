//! Dialects of BLEU that reproduce NLTK's smoothing methods 5 to 7, with exact fractions, for single
//! sentences.
//!
//! For a corpus, NLTK combines the summed counts with the n-grams of the *last* segment. The score then
//! depends on the order of the segments: the same two pairs score 0.7885 or 0.8996. Merged statistics do not
//! contain that order, so a corpus is an error. Use the mean over sentences instead.

use super::nltk::{METHOD0, denominators, method4, no_unigram_matches, score};
use super::rational::{Ratio, RationalNumber};
use super::{Accepts, BleuOrderCounts, Dialect, DialectError, DialectInput};

pub(super) const METHOD5: Dialect = Dialect {
    name: "nltk:method5",
    aliases: &[],
    summary: "The mean of the precisions of the neighbouring orders",
    differences: "A perfect match of 5 tokens scores 1.1167. It scores single sentences only, and reads order 5 whatever the highest order is.",
    accepts: Accepts::OneSegment,
    reads_order: 5,
    finish: |input| finish(input, |input| neighbours(input, exact(input)?)),
    ..METHOD0
};

pub(super) const METHOD6: Dialect = Dialect {
    name: "nltk:method6",
    aliases: &[],
    summary: "Priors from the two orders below (Gao and He)",
    differences: "It fails without a trigram match, and scores single sentences only.",
    accepts: Accepts::OneSegment,
    finish: |input| finish(input, priors),
    ..METHOD0
};

pub(super) const METHOD7: Dialect = Dialect {
    name: "nltk:method7",
    aliases: &[],
    summary: "method4, then method5",
    finish: |input| finish(input, |input| neighbours(input, method4_numbers(input)?)),
    ..METHOD5
};

/// N-gram order after the highest order, for NLTK's smoothing method5. The method averages the precision of
/// each order with the precisions of the orders before and after it. After the highest order, NLTK always
/// takes order 5.
const ABOVE: usize = 5;
const ALPHA: u64 = 5;
type Smooth = fn(&DialectInput<'_>) -> Result<Vec<RationalNumber>, DialectError>;

/// Returns NLTK's BLEU `BP · exp(fsum(w_n ln p_n))` of a sentence; every precision `p_n` is exact until its
/// logarithm is taken.
fn finish(input: &DialectInput<'_>, smooth: Smooth) -> Result<f64, DialectError> {
    if no_unigram_matches(input) {
        return Ok(0.0);
    }
    let precisions: Vec<f64> = smooth(input)?.iter().map(RationalNumber::to_f64).collect();
    Ok(score(input, &input.weights, &precisions))
}

fn too_long(input: &DialectInput<'_>) -> DialectError {
    DialectError::NotExact { dialect: input.dialect }
}

fn exact(input: &DialectInput<'_>) -> Result<Vec<RationalNumber>, DialectError> {
    let exact = |order: &BleuOrderCounts| ratio(order).map(RationalNumber::Exact);
    denominators(input.orders).iter().map(exact).collect::<Option<_>>().ok_or(too_long(input))
}

fn ratio(order: &BleuOrderCounts) -> Option<Ratio> {
    Ratio::new(order.clipped, order.total)
}

/// Returns the precisions of NLTK's smoothing method4: floats for the n-gram orders without matches, exact
/// fractions for the others.
fn method4_numbers(input: &DialectInput<'_>) -> Result<Vec<RationalNumber>, DialectError> {
    let orders = denominators(input.orders);
    let smoothed = method4(input.hyp_len(), &orders);
    let choose = |(exact, (order, smoothed)): (RationalNumber, (&BleuOrderCounts, f64))| {
        if order.clipped > 0 || smoothed == 0.0 { exact } else { RationalNumber::Float(smoothed) }
    };
    Ok(exact(input)?.into_iter().zip(orders.iter().zip(smoothed)).map(choose).collect())
}

/// Returns the precisions of NLTK's smoothing method5. From the unsmoothed precisions `p_n` it computes
/// `q_n = ((q_{n-1} + p_n) + p_{n+1}) / 3`, with `q_0 = p_1 + 1`. After the highest order `N`, `p_{N+1}` is
/// the precision of order 5.
fn neighbours(
    input: &DialectInput<'_>,
    precisions: Vec<RationalNumber>,
) -> Result<Vec<RationalNumber>, DialectError> {
    let above = precision_above(input)?;
    let smooth = || {
        let one = RationalNumber::Exact(Ratio::new(1, 1)?);
        let mut below = precisions.first()?.add(&one)?;
        let mut smoothed = Vec::with_capacity(precisions.len());
        for (index, precision) in precisions.iter().enumerate() {
            let next = precisions.get(index + 1).unwrap_or(&above);
            below = below.add(precision)?.add(next)?.divide_by(3)?;
            smoothed.push(below.clone());
        }
        Some(smoothed)
    };
    smooth().ok_or(too_long(input))
}

/// Returns the precision of the n-grams of order 5. If order 5 was not counted, the numerator is 0 in two
/// cases: an order up to 4 has no matches, or the hypothesis is shorter than five tokens. Otherwise a missing
/// order 5 is an error.
fn precision_above(input: &DialectInput<'_>) -> Result<RationalNumber, DialectError> {
    let hyp_len = input.stats.hyp_len();
    let total = hyp_len.saturating_sub(ABOVE as u64 - 1).max(1);
    let observed = input.orders.iter().chain(input.beyond);
    let clipped = match observed.clone().nth(ABOVE - 1) {
        Some(order) => order.clipped,
        None if hyp_len < ABOVE as u64 || observed.clone().any(|order| order.clipped == 0) => 0,
        None => {
            let observed = observed.count();
            return Err(DialectError::OrderNotObserved { dialect: input.dialect, needed: ABOVE, observed });
        }
    };
    Ratio::new(clipped, total).map(RationalNumber::Exact).ok_or(too_long(input))
}

/// Returns the precisions of NLTK's smoothing method6. Orders 1 and 2 are unsmoothed. From order 3 on,
/// `p_n = (clipped_n + 5 prior) / (total_n + 5)` with `prior = p_{n-1}² / p_{n-2}` of the smoothed
/// precisions.
///
/// It is an error if there are fewer than three n-gram orders or if no trigram matches.
fn priors(input: &DialectInput<'_>) -> Result<Vec<RationalNumber>, DialectError> {
    match input.orders.get(2) {
        None => return Err(input.raises("method6 needs at least three orders")),
        Some(order) if order.clipped == 0 => {
            return Err(input.raises("method6 asserts that the precision of order 3 is not 0"));
        }
        Some(_) => {}
    }
    let smooth = || {
        let mut smoothed: Vec<Ratio> = Vec::with_capacity(input.orders.len());
        for (index, order) in input.orders.iter().enumerate() {
            let precision = match smoothed.as_slice() {
                [.., second, last] if index >= 2 => with_prior(order, &last.multiply(last)?.divide(second)?)?,
                _ => ratio(order)?,
            };
            smoothed.push(precision);
        }
        Some(smoothed.into_iter().map(RationalNumber::Exact).collect())
    };
    smooth().ok_or(too_long(input))
}

/// Returns the precision `(clipped + α · prior) / (total + α)` of an n-gram order, smoothed towards `prior`
/// with NLTK's constant `α`; `total` may be 0.
fn with_prior(order: &BleuOrderCounts, prior: &Ratio) -> Option<Ratio> {
    let alpha = Ratio::new(ALPHA, 1)?;
    let numerator = Ratio::new(order.clipped, 1)?.add(&alpha.multiply(prior)?)?;
    numerator.divide(&Ratio::new(order.total.checked_add(ALPHA)?, 1)?)
}
