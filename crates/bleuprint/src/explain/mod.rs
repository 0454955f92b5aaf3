//! [`Explainer`]: computes BLEU with many tokenizers and formulas in one pass over a corpus, to find the
//! settings behind a reported score.
//!
//! It answers the question "Why is your BLEU different from mine?". It counts once for each tokenizer and
//! case, and applies every formula to these counts. A user who has a score can find the settings that produce
//! it. For common settings it also tries likely [causes](Cause) that are not settings: the mean of sentence
//! scores, a single reference, swapped files, and others.

mod cause;
mod causes;
mod choices;
mod counts;
mod rank;
mod rates;
mod working;

use bleuprint_core::{Choice as _, Result};
use bleuprint_inference::{Interrupt, map_mut};

use crate::metrics::Dialect;
use crate::{
    Bleu, Case, ConfigError, InputError, InputErrorKind, Tokenizers,
    contract::Location,
    metrics::{RefLen, Smoothing},
};

pub use bleuprint_text::RoundedTarget;
pub use cause::Cause;
use causes::{Causes, Pretokenized};
pub use choices::{NumberFinisher, NumberSettings, TOKENIZERS};
use counts::{ExplainedCounts, finish, over};
pub use counts::{MAX_ORDER, NumberExplanation};
pub use rates::{NORMALIZERS, RateExplainer, RateExplanation};
pub use working::{ExplainedNgram, Working, WorkingError};

/// Byte order mark, as a character.
const MARK: char = '\u{feff}';

/// BLEU scores of a corpus with several tokenizers (each with and without lower-casing) and many formulas, to
/// find the settings behind a reported score.
///
/// ```
/// use bleuprint::explain::{Explainer, NumberExplanation, NumberFinisher, RoundedTarget};
/// let mut explainer = Explainer::new(&["13a", "char"]).unwrap();
/// explainer.push("The cat was on the mat.", &["the cat is on the mat."]).unwrap();
/// let all = explainer.explain().unwrap();
/// assert_eq!(all[0].choices.finisher, NumberFinisher::Options(bleuprint::metrics::Smoothing::Exp, bleuprint::metrics::RefLen::Closest));
/// let percent = all[0].percent.clone().unwrap();
/// let target = RoundedTarget::parse(&format!("{percent:.2}")).unwrap();
/// let (groups, _) = NumberExplanation::ranked(all, target);
/// assert!(groups[0][0].choices.changes().is_empty());
/// ```
pub struct Explainer {
    tokenizers: Tokenizers,
    counts: Vec<ExplainedCounts>,
    causes: Vec<Option<Causes>>,
    pretokenized: Pretokenized,
    drops_marks: bool,
}

/// One of several kinds of BLEU counts; threads update them in parallel, one kind per thread.
enum ExplainedCountsKind<'e> {
    Tokens((&'e mut ExplainedCounts, &'e mut Option<Causes>)),
    Pretokenized(&'e mut Pretokenized),
}

/// Adds a segment to the BLEU counts with one tokenizer and letter case. Also adds it to `causes`, the counts
/// that test likely mistakes in scoring (such as swapped files), if there are any.
fn push_kind(
    tokenizers: &Tokenizers,
    counts: &mut ExplainedCounts,
    causes: &mut Option<Causes>,
    hypothesis: &str,
    references: &[&str],
) -> Result<()> {
    let Some(causes) = causes else {
        return counts.bleu.push(hypothesis, references).map(drop);
    };
    // The copy costs little next to counting n-grams, and it gives the score without the last line in one
    // pass.
    let before = counts.bleu.total().clone();
    let segment = counts.bleu.push(hypothesis, references)?;
    let like = || over(tokenizers, &counts.tokenizer, counts.case);
    causes.push(&counts.choices(), like, (before, &segment), (hypothesis, references))
}

impl Explainer {
    /// Creates an explainer of BLEU scores that tries the built-in tokenizers with these names.
    ///
    /// # Errors
    /// Returns an error if a tokenizer is unknown, or cannot be built without a dictionary or model.
    pub fn new(names: &[&str]) -> Result<Self, ConfigError> {
        Self::with_tokenizers(&Tokenizers::default(), names)
    }

    /// Creates an explainer of BLEU scores that tries the tokenizers in `tokenizers` with these names.
    ///
    /// # Errors
    /// Returns the errors of [`Explainer::new`].
    pub fn with_tokenizers(tokenizers: &Tokenizers, names: &[&str]) -> Result<Self, ConfigError> {
        let mut counts = Vec::new();
        for name in names {
            // The cases that programs use: multi-bleu lower-cases ASCII letters only, mteval has versions of
            // both kinds, and all other programs lower-case all letters.
            let cases = match *name {
                "mteval" => &[Case::Mixed, Case::LowerAscii, Case::Lower][..],
                "ascii-space" => &[Case::Mixed, Case::LowerAscii],
                _ => &[Case::Mixed, Case::Lower],
            };
            for &case in cases {
                counts.push(ExplainedCounts::new(tokenizers, name, case)?);
            }
        }
        let causes = counts.iter().map(|counts| Causes::new(&counts.tokenizer, counts.case)).collect();
        let pretokenized = Pretokenized::new(tokenizers, names)?;
        Ok(Explainer { tokenizers: tokenizers.clone(), counts, causes, pretokenized, drops_marks: false })
    }

    /// Sets whether byte order marks at the start of the first segment are removed. The opposite treatment is
    /// tried as a mistake that explains the score ([`Cause`]).
    #[must_use]
    pub fn drop_marks(mut self, drop: bool) -> Self {
        self.drops_marks = drop;
        self
    }

    /// Adds one segment to the BLEU counts of all tokenizers.
    ///
    /// # Errors
    /// Returns an error if there is no reference, if a tokenizer rejects the text, or on an
    /// [interruption](crate::inference::interruptible). The counts are unusable after an error.
    pub fn push(&mut self, hypothesis: &str, references: &[&str]) -> Result<()> {
        Interrupt::of_thread().check()?;
        let first = self.counts.iter().all(|counts| counts.bleu.total().counts().segments == 0);
        if !first || ![hypothesis].iter().chain(references).any(|text| text.starts_with(MARK)) {
            return self.push_segment(hypothesis, references);
        }
        let unmarked = |text: &str| text.strip_prefix(MARK).unwrap_or(text).to_owned();
        let unmarked_references: Vec<String> = references.iter().map(|text| unmarked(text)).collect();
        let dropped: (&str, &[&str]) =
            (&unmarked(hypothesis), &unmarked_references.iter().map(String::as_str).collect::<Vec<_>>());
        let kept = (hypothesis, references);
        let (own, other, cause) = if self.drops_marks {
            (dropped, kept, Cause::MarkKept)
        } else {
            (kept, dropped, Cause::MarkDropped)
        };
        self.push_segment(own.0, own.1)?;
        for (counts, causes) in self.counts.iter().zip(&mut self.causes) {
            let Some(causes) = causes else { continue };
            let like = over(&self.tokenizers, &counts.tokenizer, counts.case);
            let mut like = like.map_err(|error| InputError::malformed(error.to_string()))?;
            causes.set_marks(cause, like.push(other.0, other.1)?);
        }
        Ok(())
    }

    fn push_segment(&mut self, hypothesis: &str, references: &[&str]) -> Result<()> {
        for (counts, causes) in self.counts.iter_mut().zip(&mut self.causes) {
            push_kind(&self.tokenizers, counts, causes, hypothesis, references)?;
        }
        self.pretokenized.push(hypothesis, references)
    }

    /// Adds segments, each a hypothesis with its references, to the BLEU counts of all tokenizers. Each
    /// tokenizer runs in a separate thread of the current thread pool. The result equals the result of
    /// [`Explainer::push`] for each segment.
    ///
    /// # Errors
    /// Returns the errors of [`Explainer::push`] with the number of the segment. If several segments fail,
    /// the first one is reported.
    pub fn push_each(&mut self, segments: &[(&str, Vec<&str>)]) -> Result<()> {
        let located = |at: usize| move |error: InputError| error.at(Location::segment(at as u64 + 1));
        // The first segment is counted alone, since it may begin with byte order marks.
        let Some(((hypothesis, references), rest)) = segments.split_first() else { return Ok(()) };
        self.push(hypothesis, references).map_err(located(0))?;
        let interrupt = Interrupt::of_thread();
        let tokenizers = &self.tokenizers;
        let mut kinds: Vec<ExplainedCountsKind<'_>> =
            self.counts.iter_mut().zip(&mut self.causes).map(ExplainedCountsKind::Tokens).collect();
        kinds.push(ExplainedCountsKind::Pretokenized(&mut self.pretokenized));
        // Threads divide the kinds of tokens, not the segments, so no counts have to be merged.
        interrupt.expect(kinds.len() * rest.len());
        let failed = map_mut(&mut kinds, |_, kind| {
            for (at, (hypothesis, references)) in (1..).zip(rest) {
                let pushed = interrupt.check().and_then(|()| match kind {
                    ExplainedCountsKind::Tokens((counts, causes)) => {
                        push_kind(tokenizers, counts, causes, hypothesis, references)
                    }
                    ExplainedCountsKind::Pretokenized(pretokenized) => {
                        pretokenized.push(hypothesis, references)
                    }
                });
                if let Err(error) = pushed {
                    return Some((at, error));
                }
                interrupt.advance(1);
            }
            None
        });
        match failed.into_iter().flatten().min_by_key(|(at, _)| *at) {
            Some((at, error)) => Err(located(at)(error)),
            None => Ok(()),
        }
    }

    /// Returns the BLEU scores of all settings, ordered by the number of changes from sacreBLEU's defaults.
    ///
    /// # Errors
    /// Returns [`EmptyCorpus`](InputErrorKind::EmptyCorpus) if no segment was counted.
    pub fn explain(&self) -> Result<Vec<NumberExplanation>> {
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
                    finish(NumberSettings::plain(&counts.tokenizer, counts.case, order, finisher), total)
                }));
            }
            all.extend(causes.iter().flat_map(|causes| causes.explain(&counts.choices(), segments)));
        }
        all.extend(self.pretokenized.explain());
        all.sort_by_key(|explanation| explanation.choices.distance());
        Ok(all)
    }
}

/// Returns sacreBLEU's formulas: every smoothing with every rule for choosing the reference length if there
/// are several references.
fn options() -> Vec<NumberFinisher> {
    // The default smoothing first; the others keep their order behind it.
    let smoothings =
        Smoothing::ALL.iter().copied().cycle().skip(Smoothing::DEFAULT).take(Smoothing::ALL.len());
    let ref_lens = [RefLen::Closest, RefLen::Shortest, RefLen::Average];
    let with = |smoothing| ref_lens.map(|ref_len| NumberFinisher::Options(smoothing, ref_len));
    smoothings.flat_map(with).collect()
}

/// Returns the BLEU formulas of other programs if `order` is at most 4, otherwise none. These programs report
/// scores up to BLEU-4.
fn dialects(order: usize) -> impl Iterator<Item = NumberFinisher> {
    let reported = order <= Bleu::DEFAULT_MAX_ORDER;
    Dialect::all().iter().filter(move |_| reported).map(|dialect| NumberFinisher::Dialect(dialect.name))
}
