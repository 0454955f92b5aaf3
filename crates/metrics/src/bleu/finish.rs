//! Computes BLEU from counts: brevity penalty, smoothed precisions, and their weighted geometric mean.
//!
//! The order of operations is sacreBLEU 2.6.0's, so that scores match bit for bit: logarithms of percentages
//! are summed from left to right, and the sum is divided once by the number of orders.

use super::float::Float;
use super::{Bleu, BleuScore, BleuStats, RefLen, Smoothing, Summation};
use crate::shared::{AVERAGE_UNITS, PerOrder, RefLengths};
use bleuprint_core::{InputErrorKind, Result};

/// Value that sacreBLEU and multi-bleu use as the logarithm of 0. `exp` of any mean that includes it is 0.
pub(super) const LOG_OF_ZERO: f64 = -9_999_999_999.0;

pub(super) fn finish<F: Float>(bleu: &Bleu, stats: &BleuStats, max_order: usize) -> Result<BleuScore<F>> {
    let Some(orders) = stats.orders.get(..max_order) else {
        let observed = stats.orders.len();
        let reason = format!("it has n-grams up to order {observed}, but {max_order} is asked for");
        return Err(InputErrorKind::CannotFinish { metric: "BLEU".to_owned(), reason }.into());
    };
    if bleu.ref_len() == RefLen::Average {
        require_average(&stats.ref_len)?;
    }
    let hyp_len = stats.hyp_len();
    let ref_len: F = ref_len_of(bleu.ref_len(), &stats.ref_len);
    let brevity_penalty = brevity_penalty(number(hyp_len), ref_len);
    let clipped: PerOrder<u64> = orders.iter().map(|order| order.clipped).collect();
    let total: PerOrder<u64> = orders.iter().map(|order| order.total).collect();

    let (precisions, reached) = precisions(bleu, &clipped, &total);
    // sacreBLEU returns 0 here before any smoothing, so this case must come first.
    let score = if clipped.iter().all(|&count| count == 0) {
        real(0.0)
    } else {
        brevity_penalty * mean(bleu, &precisions, reached)
    };
    Ok(BleuScore { score, precisions, brevity_penalty, clipped, total, hyp_len, ref_len })
}

pub(super) fn require_average(lengths: &RefLengths) -> Result<()> {
    if lengths.unaveraged == 0 {
        return Ok(());
    }
    let reason = format!(
        "{} of its segments have a number of references that is neither at most 16 nor a divisor of {AVERAGE_UNITS}, \
         so their mean length is not exact",
        lengths.unaveraged
    );
    let metric = "BLEU with the average reference length".to_owned();
    Err(InputErrorKind::CannotFinish { metric, reason }.into())
}

pub(crate) fn ref_len_of<F: Float>(rule: RefLen, lengths: &RefLengths) -> F {
    match rule {
        RefLen::Closest => number(lengths.closest),
        RefLen::Shortest => number(lengths.shortest),
        RefLen::Average => number::<F>(lengths.average) / number(AVERAGE_UNITS),
    }
}

/// Returns BLEU's brevity penalty for `c` hypothesis and `r` reference tokens: `exp(1 − r/c)` if `0 < c < r`,
/// 0 if `c = 0 < r`, otherwise 1.
pub(super) fn brevity_penalty<F: Float>(hyp_len: F, ref_len: F) -> F {
    if hyp_len >= ref_len {
        real(1.0)
    } else if hyp_len > real(0.0) {
        (real::<F>(1.0) - ref_len / hyp_len).portable_exp()
    } else {
        real(0.0)
    }
}

/// Returns the smoothed n-gram precisions in percent, and the number of orders whose geometric mean is taken.
///
/// If no hypothesis has an n-gram of some order, the precisions of this and all higher orders are 0. With the
/// option "effective order", only the lower orders are in the mean.
fn precisions<F: Float>(bleu: &Bleu, clipped: &[u64], total: &[u64]) -> (PerOrder<F>, usize) {
    let mut precisions: PerOrder<F> = PerOrder::filled(real(0.0), clipped.len());
    let mut reached = if bleu.effective_order() { 0 } else { clipped.len() };
    // Keeps all precisions 0 as sacreBLEU does: `exp` smoothing would otherwise fill them.
    if clipped.iter().all(|&count| count == 0) {
        return (precisions, reached);
    }
    // Shared by all orders: with `exp` smoothing, each further order without matches gets half of the one
    // before.
    let mut halved = real(1.0);
    for (index, slot) in precisions.iter_mut().enumerate() {
        let Some(precision) = precision(bleu, index, clipped[index], total[index], &mut halved) else {
            break;
        };
        if bleu.effective_order() {
            reached = index + 1;
        }
        *slot = precision;
    }
    (precisions, reached)
}

/// Returns the smoothed precision in percent of the order at `index`, or `None` if the order has no n-grams.
///
/// `halved` is 2 to the power of the number of lower orders without matches.
pub(super) fn precision<F: Float>(
    bleu: &Bleu,
    index: usize,
    clipped: u64,
    total: u64,
    halved: &mut F,
) -> Option<F> {
    let hundred: F = real(100.0);
    let (mut matches, mut ngrams): (F, F) = (number(clipped), number(total));
    // Unigrams are not smoothed (method 2 of Chen and Cherry 2014), as in sacreBLEU.
    if let (Smoothing::AddK(k), 1..) = (bleu.smoothing(), index) {
        (matches, ngrams) = (matches + real(k), ngrams + real(k));
    }
    if ngrams == real(0.0) {
        return None;
    }
    if matches != real(0.0) {
        // 100 is multiplied in before the division: that order decides the last bit.
        return Some((hundred * matches) / ngrams);
    }
    Some(match bleu.smoothing() {
        Smoothing::Exp => {
            // A doubling is exact in every float, so this matches `2 ** j`.
            *halved = *halved + *halved;
            hundred / (*halved * ngrams)
        }
        Smoothing::Floor(value) => (hundred * real(value)) / ngrams,
        Smoothing::None | Smoothing::AddK(_) => real(0.0),
    })
}

/// Returns the weighted geometric mean of the n-gram precisions of orders 1 to `reached`. If higher orders
/// are left out, the weights of these orders are rescaled to sum to 1.
fn mean<F: Float>(bleu: &Bleu, precisions: &[F], reached: usize) -> F {
    let reached_precisions = &precisions[..reached];
    let Some(weights) = bleu.weights() else {
        let logs = reached_precisions
            .iter()
            // A finite value for ln 0 keeps the sum free of infinities; `exp` of the mean is then 0 for up to
            // 1000 orders.
            .map(|&p| if p == real(0.0) { real(LOG_OF_ZERO) } else { p.portable_ln() });
        return (sum(bleu.summation(), logs) / number(reached as u64)).portable_exp();
    };
    let weights = &weights[..reached];
    let used: f64 = weights.iter().sum();
    // A weight of 0 removes its order, whatever its precision: 0 · ln 0 counts as 0. With any other weight, a
    // precision of 0 makes the score 0.
    let weighted = || reached_precisions.iter().zip(weights).filter(|(_, weight)| **weight > 0.0);
    if used <= 0.0 || weighted().any(|(&precision, _)| precision == real(0.0)) {
        return real(0.0);
    }
    let scale = if reached == precisions.len() { real(1.0) } else { real(used) };
    let logs = weighted().map(|(precision, weight)| real::<F>(*weight) * precision.portable_ln());
    (sum(bleu.summation(), logs) / scale).portable_exp()
}

pub(super) fn sum<F: Float>(summation: Summation, terms: impl Iterator<Item = F>) -> F {
    match summation {
        Summation::Plain => terms.fold(real(0.0), |sum, term| sum + term),
        Summation::Compensated => compensated_sum(terms),
    }
}

/// Returns Neumaier's compensated sum of the terms. CPython's `sum` of floats uses it from version 3.12 on.
pub(crate) fn compensated_sum<F: Float>(terms: impl Iterator<Item = F>) -> F {
    let (mut sum, mut lost): (F, F) = (real(0.0), real(0.0));
    for term in terms {
        let next = sum + term;
        // The rounding error of an addition is exact if it is taken from the larger operand.
        lost = lost + if sum.abs() >= term.abs() { (sum - next) + term } else { (term - next) + sum };
        sum = next;
    }
    // CPython drops a correction that is infinite or NaN, so that an infinite term stays infinite.
    if lost.is_finite() { sum + lost } else { sum }
}

pub(crate) fn number<F: Float>(count: u64) -> F {
    F::from(count).unwrap_or_else(F::nan)
}

pub(super) fn double<F: Float>(value: F) -> f64 {
    value.to_f64().unwrap_or(f64::NAN)
}

fn real<F: Float>(value: f64) -> F {
    F::from(value).unwrap_or_else(F::nan)
}
