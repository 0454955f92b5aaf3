//! Dialects of BLEU that reproduce sacreBLEU: one for each of its smoothing methods, with the method's
//! default value. They compute what [`Bleu`](crate::Bleu) computes with these options.

use bleuprint_core::Scale;

use super::super::Smoothing;
use super::super::finish::finish;
use super::{Bleu, Dialect, DialectError, DialectInput};

pub(super) const EXP: Dialect = Dialect {
    name: "sacrebleu:exp",
    aliases: &["sacrebleu"],
    program: "sacreBLEU",
    version: "2.6.0",
    summary: "sacreBLEU's default: closest reference, halving smoothing",
    differences: "A perfect match is 100.00000000000004; if all hypotheses are shorter than 4 tokens, the score is 0.",
    scale: Scale::PERCENT,
    finish: |input| sacrebleu(input, Smoothing::Exp, false),
    tokenizer: "13a",
    python_sum: true,
    ..Dialect::COMMON
};

pub(super) const NONE: Dialect = Dialect {
    name: "sacrebleu:none",
    aliases: &[],
    summary: "Closest reference, no smoothing",
    finish: |input| sacrebleu(input, Smoothing::None, false),
    ..EXP
};

pub(super) const FLOOR: Dialect = Dialect {
    name: "sacrebleu:floor",
    aliases: &[],
    summary: "Zero matches become 0.1",
    finish: |input| sacrebleu(input, FLOOR_BY_DEFAULT, false),
    ..EXP
};

pub(super) const ADD_K: Dialect = Dialect {
    name: "sacrebleu:add-k",
    aliases: &[],
    summary: "Add one to orders from 2 on",
    finish: |input| sacrebleu(input, ONE, false),
    ..EXP
};

pub(super) const EXP_EFF: Dialect = Dialect {
    name: "sacrebleu:exp:eff",
    aliases: &["sacrebleu:sentence"],
    summary: "sacreBLEU's default for sentences: halving smoothing, orders longer than the hypothesis left out",
    differences: "A perfect match is 100.00000000000004.",
    finish: |input| sacrebleu(input, Smoothing::Exp, true),
    ..EXP
};

pub(super) const NONE_EFF: Dialect = Dialect {
    name: "sacrebleu:none:eff",
    aliases: &[],
    summary: "No smoothing, orders longer than the hypothesis left out",
    finish: |input| sacrebleu(input, Smoothing::None, true),
    ..EXP_EFF
};

pub(super) const FLOOR_EFF: Dialect = Dialect {
    name: "sacrebleu:floor:eff",
    aliases: &[],
    summary: "Zero matches become 0.1, orders longer than the hypothesis left out",
    finish: |input| sacrebleu(input, FLOOR_BY_DEFAULT, true),
    ..EXP_EFF
};

pub(super) const ADD_K_EFF: Dialect = Dialect {
    name: "sacrebleu:add-k:eff",
    aliases: &[],
    summary: "Add one to orders from 2 on; no order is left out then",
    finish: |input| sacrebleu(input, ONE, true),
    ..EXP_EFF
};

const FLOOR_BY_DEFAULT: Smoothing = Smoothing::Floor(Smoothing::DEFAULT_FLOOR);
const ONE: Smoothing = Smoothing::AddK(Smoothing::DEFAULT_K);

/// Returns sacreBLEU's score, 0 to 100, computed as in [`crate::bleu`]. The highest n-gram order and the
/// method of summation are those of the configuration.
///
/// The score is 0 under every smoothing if nothing matches.
fn sacrebleu(
    input: &DialectInput<'_>,
    smoothing: Smoothing,
    effective_order: bool,
) -> Result<f64, DialectError> {
    let bleu = Bleu { smoothing, effective_order, summation: input.summation, ..Bleu::default() };
    Ok(finish::<f64>(&bleu, input.stats, input.orders.len())?.score)
}
