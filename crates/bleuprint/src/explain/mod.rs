//! [`Explainer`]: one reading of a corpus, and the BLEU that every dialect and every main choice gives.
//!
//! "Why is your BLEU different from mine?" is answered by counting once per tokenizer and case, and finishing these
//! counts in every way. A user who holds a number finds the settings that produce it. For the settings that many people
//! use, likely [causes](Cause) besides settings are tried too: the mean of sentence scores, one reference alone, files
//! that changed places, and so on.

mod cause;
mod causes;
mod choices;
mod counts;
mod rank;
mod working;

use bleuprint_core::Result;
use bleuprint_eval::Interrupt;

use crate::metrics::Dialect;
use crate::{Bleu, Case, ConfigError, InputErrorKind, RefLen, Smoothing, Tokenizers};

pub use cause::Cause;
use causes::{Causes, Pretokenized};
pub use choices::{Choices, Finisher, TOKENIZERS};
use counts::{Counts, finish, over};
pub use counts::{Explanation, MAX_ORDER};
pub use rank::Target;
pub use working::{NgramCounts, Working, WorkingError};

/// Counts a corpus under several tokenizers, in both cases.
///
/// ```
/// use bleuprint::explain::{Explainer, Finisher, Target};
/// let mut explainer = Explainer::new(&["13a", "char"]).unwrap();
/// explainer.push("The cat was on the mat.", &["the cat is on the mat."]).unwrap();
/// let all = explainer.explain().unwrap();
/// assert_eq!(all[0].choices.finisher, Finisher::Options(bleuprint::Smoothing::Exp, bleuprint::RefLen::Closest));
/// let percent = all[0].percent.clone().unwrap();
/// let (groups, _) = Target::parse(&format!("{percent:.2}")).unwrap().rank(all);
/// assert!(groups[0][0].choices.changes().is_empty());
/// ```
pub struct Explainer {
    tokenizers: Tokenizers,
    counts: Vec<Counts>,
    causes: Vec<Option<Causes>>,
    pretokenized: Pretokenized,
}

impl Explainer {
    /// Under these tokenizers of bleuprint.
    ///
    /// # Errors
    /// A tokenizer that is not known, or cannot be built without a dictionary or model.
    pub fn new(names: &[&str]) -> Result<Self, ConfigError> {
        Self::with_tokenizers(&Tokenizers::default(), names)
    }

    /// Under those of these tokenizers that have such names.
    ///
    /// # Errors
    /// Those of [`Explainer::new`].
    pub fn with_tokenizers(tokenizers: &Tokenizers, names: &[&str]) -> Result<Self, ConfigError> {
        let mut counts = Vec::new();
        for name in names {
            // No other programs fold ASCII alone, and of those that split as multi-bleu does none folds more.
            let cases = match *name {
                "mteval" => &[Case::Mixed, Case::LowerAscii, Case::Lower][..],
                "ascii-space" => &[Case::Mixed, Case::LowerAscii],
                _ => &[Case::Mixed, Case::Lower],
            };
            for &case in cases {
                counts.push(Counts::new(tokenizers, name, case)?);
            }
        }
        let causes = counts.iter().map(|counts| Causes::new(&counts.tokenizer, counts.case)).collect();
        let pretokenized = Pretokenized::new(tokenizers, names)?;
        Ok(Explainer { tokenizers: tokenizers.clone(), counts, causes, pretokenized })
    }

    /// Counts one segment.
    ///
    /// # Errors
    /// No references, what a tokenizer cannot take, or an [interruption](crate::eval::interruptible); what was counted is of no use then.
    pub fn push(&mut self, hypothesis: &str, references: &[&str]) -> Result<()> {
        Interrupt::of_thread().check()?;
        for (counts, causes) in self.counts.iter_mut().zip(&mut self.causes) {
            let Some(causes) = causes else {
                counts.bleu.push(hypothesis, references)?;
                continue;
            };
            let before = counts.bleu.total().clone();
            let segment = counts.bleu.push(hypothesis, references)?;
            let like = || over(&self.tokenizers, &counts.tokenizer, counts.case);
            causes.push(&counts.choices(), like, (before, &segment), (hypothesis, references))?;
        }
        self.pretokenized.push(hypothesis, references)
    }

    /// Every number: the default first, then those with one change, and so on.
    ///
    /// # Errors
    /// [`EmptyCorpus`](InputErrorKind::EmptyCorpus).
    pub fn explain(&self) -> Result<Vec<Explanation>> {
        let mut all = Vec::new();
        for (counts, causes) in self.counts.iter().zip(&self.causes) {
            let total = counts.bleu.total();
            let segments = total.counts().segments;
            if segments == 0 {
                return Err(InputErrorKind::EmptyCorpus.into());
            }
            for order in 1..=MAX_ORDER {
                let finishers = options().into_iter().chain(dialects(order));
                all.extend(finishers.map(|finisher| {
                    finish(Choices::plain(&counts.tokenizer, counts.case, order, finisher), total)
                }));
            }
            all.extend(causes.iter().flat_map(|causes| causes.explain(&counts.choices(), segments)));
        }
        all.extend(self.pretokenized.explain());
        all.sort_by_key(|explanation| explanation.choices.changes().len());
        Ok(all)
    }
}

/// Every smoothing with every rule of reference length.
fn options() -> Vec<Finisher> {
    let smoothings = [
        Smoothing::Exp,
        Smoothing::None,
        Smoothing::Floor(Smoothing::DEFAULT_FLOOR),
        Smoothing::AddK(Smoothing::DEFAULT_K),
    ];
    let ref_lens = [RefLen::Closest, RefLen::Shortest, RefLen::Average];
    let with = |smoothing| ref_lens.map(|ref_len| Finisher::Options(smoothing, ref_len));
    smoothings.into_iter().flat_map(with).collect()
}

/// The dialects, at the orders that programs report: BLEU-1 to BLEU-4.
fn dialects(order: usize) -> impl Iterator<Item = Finisher> {
    let reported = order <= Bleu::DEFAULT_MAX_ORDER;
    Dialect::all().iter().filter(move |_| reported).map(|dialect| Finisher::Dialect(dialect.name))
}
