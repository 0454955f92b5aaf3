//! BLEU counts with one tokenizer and case, and the scores computed from them.

use std::sync::Arc;

use bleuprint_core::Result;

use super::choices::{NumberFinisher, NumberSettings};
use crate::metrics::{Dialect, DialectError};
use crate::{
    Accumulator, AnyScore, Bleu, Case, ConfigError, InputError, Scored, State, Tokenized, Tokenizer,
    TokenizerOptions, Tokenizers, metrics::BleuStats,
};

/// Highest n-gram order that is counted and tried as an explanation of a BLEU score.
pub const MAX_ORDER: usize = 6;

/// One BLEU score and the settings that produce it.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct NumberExplanation {
    /// Settings that produce this BLEU score.
    pub choices: NumberSettings,
    /// BLEU score in percent, or the reason why it is undefined.
    pub percent: Result<f64, DialectError>,
    /// BLEU score on the scale of the program that uses this formula, with its signature; `None` if it is
    /// undefined.
    pub scored: Option<Scored<AnyScore>>,
}

/// BLEU counter over the tokens of one tokenizer, with its counts so far.
pub(super) type Over = Accumulator<Tokenized<Bleu, Arc<dyn Tokenizer>>, str>;

pub(super) struct ExplainedCounts {
    pub(super) tokenizer: String,
    pub(super) case: Case,
    pub(super) bleu: Over,
}

impl ExplainedCounts {
    pub(super) fn new(tokenizers: &Tokenizers, name: &str, case: Case) -> Result<Self, ConfigError> {
        Ok(ExplainedCounts { tokenizer: name.to_owned(), case, bleu: over(tokenizers, name, case)? })
    }

    /// Returns sacreBLEU's default settings with the tokenizer and letter case of `self`.
    pub(super) fn choices(&self) -> NumberSettings {
        NumberSettings::plain(&self.tokenizer, self.case, Bleu::DEFAULT_MAX_ORDER, NumberFinisher::DEFAULT)
    }
}

pub(super) fn over(tokenizers: &Tokenizers, name: &str, case: Case) -> Result<Over, ConfigError> {
    let bleu = Bleu::builder().max_order(MAX_ORDER).build()?;
    let tokenizer = tokenizers.build(name, &TokenizerOptions { case, ..TokenizerOptions::default() })?;
    Ok(Accumulator::new(Tokenized::new(bleu, Arc::from(tokenizer), case)?))
}

pub(super) fn finish(choices: NumberSettings, state: &State<BleuStats>) -> NumberExplanation {
    match number(&choices, state) {
        Ok((percent, scored)) => NumberExplanation { choices, percent: Ok(percent), scored: Some(scored) },
        Err(error) => NumberExplanation { choices, percent: Err(error), scored: None },
    }
}

/// Computes the BLEU score with these settings from the counts. Returns two numbers for the same score: in
/// percent, and with its signature on the scale of the program whose formula is used (such as 0 to 1).
pub(super) fn number(
    choices: &NumberSettings,
    state: &State<BleuStats>,
) -> Result<(f64, Scored<AnyScore>), DialectError> {
    let malformed = |error: ConfigError| DialectError::Input(InputError::malformed(error.to_string()));
    // One set of counts up to the highest order serves all orders and finishers: lower orders only ignore
    // columns.
    let builder = Bleu::builder().max_order(choices.order);
    match choices.finisher {
        NumberFinisher::Options(smoothing, ref_len) => {
            let bleu = builder.smoothing(smoothing).ref_len(ref_len).build().map_err(malformed)?;
            let Scored { score, signature } = state.score(&bleu)?;
            Ok((score.score, Scored { score: AnyScore::from_score(&bleu, &score)?, signature }))
        }
        NumberFinisher::Dialect(name) => {
            let dialect = Dialect::by_name(name).map_err(malformed)?;
            let bleu = builder.build().map_err(malformed)?;
            let Scored { score, signature } = bleu.finalize_with(dialect, state)?;
            let metric = bleu.in_dialect(dialect).map_err(malformed)?;
            Ok((score.percent(), Scored { score: AnyScore::from_score(&metric, &score)?, signature }))
        }
    }
}
