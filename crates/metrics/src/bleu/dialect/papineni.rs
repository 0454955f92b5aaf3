//! The paper's own BLEU.

use bleuprint_math::exp;

use super::arithmetic::{any_zero, penalty, precisions, weighted_logs};
use super::{Dialect, DialectAgreement, DialectError, DialectInput, Summation};

pub(super) const PAPINENI: Dialect = Dialect {
    name: "papineni",
    aliases: &["paper"],
    program: "Papineni et al. 2002",
    version: "ACL 2002",
    summary: "The paper's definition: closest reference length, no smoothing",
    differences: "No program: the paper leaves ties of length open (here the shorter) and the tokens (here 13a), and folds case.",
    agreement: DialectAgreement::Definition,
    weighted: true,
    finish: papineni,
    tokenizer: "13a",
    case: "lc",
    ..Dialect::COMMON
};

/// `BP · exp(Σ w_n ln p_n)`, `BP = 1` if `c > r`, else `exp(1 − r/c)`. 0 to 1.
///
/// An order without matches or without n-grams makes the score 0, whatever its weight.
fn papineni(input: &DialectInput<'_>) -> Result<f64, DialectError> {
    let precisions = precisions(input.orders);
    if any_zero(&precisions) {
        return Ok(0.0);
    }
    let penalty = penalty(input.hyp_len(), input.ref_len);
    Ok(penalty * exp(weighted_logs(Summation::Plain, &input.weights, &precisions)))
}
