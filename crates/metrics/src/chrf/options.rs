//! The options of chrF, each declared once.

use bleuprint_registry::Opt;

use super::MAX_ORDER_LIMIT;

pub(super) const CHAR_ORDER: Opt<usize> = Opt::integer("chrf-char-order", 6)
    .limits(0, MAX_ORDER_LIMIT as u64)
    .counted("nc", "nc")
    .help("The highest order of character n-grams");

pub(super) const WORD_ORDER: Opt<usize> = Opt::integer("chrf-word-order", 0)
    .limits(0, MAX_ORDER_LIMIT as u64)
    .counted("nw", "nw")
    .help("The highest order of word n-grams; 2 makes it chrF++");

/// As in sacreBLEU the name shows it. The square of the greatest leaves a score its digits.
pub(super) const BETA: Opt<f64> = {
    let mut option = Opt::number("chrf-beta", 2.0)
        .limits(0, 1_000_000)
        .counted("beta", "beta")
        .help("How many times as important recall is as precision");
    option.spec.field.in_name = true;
    option
};

pub(super) const WHITESPACE: Opt<bool> =
    Opt::flag("chrf-whitespace").counted("space", "s").help("Count whitespace as characters");

pub(super) const LOWERCASE: Opt<bool> = Opt::flag("chrf-lowercase").help("Lower-case the texts first");

pub(super) const EPS_SMOOTHING: Opt<bool> = Opt::flag("chrf-eps-smoothing")
    .counted("eff", "e")
    .words("no", "yes")
    .help("Average the F-scores of all orders, with an epsilon where there is nothing");
