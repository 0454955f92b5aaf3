//! Dialect of BLEU that follows the definition in the paper by Papineni et al. (2002).

use bleuprint_math::exp;

use super::arithmetic::{any_zero, penalty, precisions, weighted_logs};
use super::{Dialect, DialectAgreement, DialectError, DialectInput, Summation};

pub(super) const PAPINENI: Dialect = Dialect {
    name: "papineni",
    aliases: &["paper"],
    program: "Papineni et al. 2002",
    version: "ACL 2002",
    summary: "The paper's definition: closest reference length, no smoothing",
    differences: "There is no program. The paper leaves ties of length open (here the shorter) and the tokens (here 13a), and folds case.",
    agreement: DialectAgreement::Definition,
    weighted: true,
    finish: papineni,
    tokenizer: "13a",
    case: "lc",
    ..Dialect::COMMON
};

/// Returns the paper's BLEU, `BP · exp(Σ w_n ln p_n)`, 0 to 1, for the weights `w_n` and precisions `p_n` of
/// the n-gram orders. `BP` is 1 if `c > r`, otherwise `exp(1 − r/c)`, for `c` hypothesis and `r` reference
/// tokens.
///
/// The score is 0 if an order has no matches or no n-grams, whatever the weight of the order.
fn papineni(input: &DialectInput<'_>) -> Result<f64, DialectError> {
    let precisions = precisions(input.orders);
    if any_zero(&precisions) {
        return Ok(0.0);
    }
    let penalty = penalty(input.hyp_len(), input.ref_len);
    Ok(penalty * exp(weighted_logs(Summation::Plain, &input.weights, &precisions)))
}
