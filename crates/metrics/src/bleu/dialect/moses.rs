//! Dialects of BLEU that reproduce Moses' multi-bleu.perl and the sentence BLEU that Moses uses in tuning.

use bleuprint_core::Scale;
use bleuprint_math::exp;

use super::arithmetic::{add_one_from, any_zero, log_penalty, mean_of_logs, penalty, precisions};
use super::{Dialect, DialectAgreement, DialectError, DialectInput, Summation};

pub(super) const MULTI_BLEU: Dialect = Dialect {
    name: "multi-bleu",
    aliases: &["moses"],
    program: "Moses multi-bleu.perl",
    version: "3445289",
    summary: "Closest reference, no smoothing, in percent",
    differences: "Fails on empty hypotheses or references, and lower-cases A to Z only. Its length rule fails above \
                  9999 tokens; bleuprint's does not.",
    scale: Scale::PERCENT,
    tokenizer: "ascii-space",
    lower_case: "lc-ascii",
    finish: multi_bleu,
    ..Dialect::COMMON
};

pub(super) const MULTI_BLEU_DETOK: Dialect = Dialect {
    name: "multi-bleu-detok",
    aliases: &[],
    program: "Moses multi-bleu-detok.perl",
    summary: "Like multi-bleu, over the tokens of mteval-v13a",
    differences: "Fails on empty hypotheses or references. The script drops the last character of a file that does not \
                  end in a line feed; bleuprint does not.",
    tokenizer: "mteval",
    lower_case: "lc",
    ..MULTI_BLEU
};

/// Returns the score of multi-bleu, `100 · (BP · exp((((L1+L2)+L3)+L4)/4))`, 0 to 100. `L_n = ln p_n` is the
/// logarithm of the precision of n-gram order `n`. `BP` is `exp(1 − r/c)` if `c < r`, for `c` hypothesis and
/// `r` reference tokens.
///
/// The program's logarithm of 0 is -9999999999, which makes the score 0. For empty references it prints 0 and
/// exits with status 1; for empty hypotheses it divides by zero. Both are errors here.
fn multi_bleu(input: &DialectInput<'_>) -> Result<f64, DialectError> {
    let hyp_len = input.hyp_len();
    let ref_len = input.ref_len;
    if ref_len == 0.0 {
        return Err(input.raises("multi-bleu exits with status 1 when the effective reference length is 0"));
    }
    if hyp_len == 0.0 {
        return Err(input.raises("multi-bleu divides by zero when the hypotheses are empty"));
    }
    let precisions = precisions(input.orders);
    if any_zero(&precisions) {
        return Ok(0.0);
    }
    Ok(penalty(hyp_len, ref_len) * exp(mean_of_logs(Summation::Plain, &precisions)) * 100.0)
}

pub(super) const SENTENCE_BLEU: Dialect = Dialect {
    name: "moses:sentence-bleu",
    aliases: &["mert"],
    program: "Moses mert sentence-bleu",
    version: "3445289",
    summary: "Closest reference, add one to all orders, in f32",
    differences: "Unigrams are smoothed too: a segment without any match scores above 0.",
    agreement: DialectAgreement::Relative(1e-6),
    tokenizer: "ascii-space",
    finish: |input| Ok(sentence_bleu(input)),
    ..Dialect::COMMON
};

/// Returns the sentence BLEU of Moses, `exp((Σ ln((clipped_n + 1)/(total_n + 1)))/N + min(0, 1 − r/c))`,
/// 0 to 1. In each of the `N` n-gram orders, `clipped_n` of `total_n` hypothesis n-grams match. `c` and `r` are
/// the numbers of hypothesis and reference tokens. Empty hypotheses score 0.
fn sentence_bleu(input: &DialectInput<'_>) -> f64 {
    if input.hyp_len() == 0.0 {
        return 0.0;
    }
    let mean = mean_of_logs(Summation::Plain, &precisions(&add_one_from(1, input.orders)));
    exp(mean + log_penalty(input.hyp_len(), input.ref_len))
}
