//! [`Likelihoods`]: the metric that computes perplexity and similar scores from log-likelihoods, and its
//! errors.

use bleuprint_core::{
    ExactSum, Identity, InputError, Metric, Observe, PerSegment, PlainScore, Result, Scale, Segment,
    SegmentCounts, Stats as _,
};
use bleuprint_registry::{Opt, settings};
use bleuprint_text::whitespace;

use crate::units::pieces;
use crate::{
    Base, Likelihood, LikelihoodScore, LikelihoodStats, LikelihoodUnit, Loglik, MissingLikelihood, TextWords,
};

settings! {
    /// The metric of negative log-likelihood, perplexity or bits per unit, such as a token or a byte. The [crate
    /// documentation](crate) has the formulas.
    #[derive(Eq)]
    pub struct Likelihoods {
        /// The number: the negative log-likelihood, the perplexity or the bits of a unit
        finish: LikelihoodScore = Opt::choice("of").finished("of", "of");
        /// The unit: tokens, or bytes, characters or words of the text, or the field weight
        per: LikelihoodUnit = Opt::choice("per").counted("per", "per");
        /// The words of a text: all pieces between runs of white space, as lm-eval counts, or those that are not empty
        #[setter(pub)]
        words: TextWords = Opt::choice("words").counted("words", "w").unless_default();
        /// The base of the given logarithms
        #[setter(pub)]
        base: Base = Opt::choice("base").counted("base", "b");
        /// A log-likelihood above 0, as densities have: an error, or allowed
        #[setter(pub)]
        positive: bool = Opt::either("positive", &["error", "allow"]).counted("positive", "pos").unless_default();
        /// A segment without a log-likelihood, or with NaN or an infinity: an error, or left out and counted
        #[setter(pub)]
        missing: MissingLikelihood = Opt::choice("missing").counted("missing", "m").unless_default();
        /// The signature of the program that computed the log-likelihoods
        #[setter(pub)]
        producer: Option<String> = Opt::name("producer", "none").counted("producer", "p");
    }
}

impl Likelihoods {
    /// Creates a metric over given log-likelihoods. `finish` selects the score, such as perplexity, and `per`
    /// the unit over which it is averaged, such as a token.
    pub fn new(finish: LikelihoodScore, per: LikelihoodUnit) -> Self {
        Likelihoods { finish, per, ..Likelihoods::default() }
    }

    fn name(&self) -> &'static str {
        bleuprint_core::Choice::name(self.finish)
    }

    /// Returns a metric whose score is the mean of the perplexities of single segments, or 0 without
    /// segments.
    pub(crate) fn mean_of_perplexities(
        self,
    ) -> PerSegment<impl Fn(Segment<'_, Likelihood>) -> Result<f64> + Send + Sync + 'static> {
        let identity = Identity::new("mean_perplexity", 1, Scale::lower_is_better(0.0, f64::INFINITY));
        let metric =
            Likelihoods { finish: LikelihoodScore::Perplexity, missing: MissingLikelihood::Error, ..self };
        let identity = metric.with_fields(identity);
        PerSegment::new(identity, move |segment: Segment<'_, Likelihood>| {
            require_number(segment.hypothesis, "")?;
            let mut stats = LikelihoodStats::default();
            metric.add(&mut stats, segment.hypothesis)?;
            metric.value(&stats)
        })
    }

    fn with_fields(&self, identity: Identity) -> Identity {
        identity
            .option(Self::OPTION.per, self.per)
            .option(Self::OPTION.words, self.words)
            .option(Self::OPTION.base, self.base)
            .option(Self::OPTION.positive, self.positive)
            .option(Self::OPTION.missing, self.missing)
            .option(Self::OPTION.producer, self.producer.clone())
            .reference_free()
            .for_form::<Likelihood>()
    }

    /// Adds the log-likelihoods of a segment to the statistics, unless the segment is skipped. After an error
    /// the statistics are invalid.
    fn add(&self, stats: &mut LikelihoodStats, segment: &Likelihood) -> Result<()> {
        // The count of the sum grows by one for each token, so that its growth is the number of
        // log-likelihoods of this segment.
        let tokens = stats.loglik.count();
        match (require_number(segment, "; missing=skip leaves such segments out"), self.missing) {
            (Ok(()), _) => {}
            (Err(_), MissingLikelihood::Skip) => return Ok(()),
            (Err(error), MissingLikelihood::Error) => return Err(error),
        }
        match &segment.loglik {
            Loglik::Missing => return Ok(()),
            Loglik::Sum(sum) => stats.loglik.add(ExactSum::nearest(self.checked(*sum)?))?,
            Loglik::Tokens(tokens) => {
                for token in tokens {
                    match token {
                        Some(token) => stats.loglik.add(ExactSum::nearest(self.checked(*token)?))?,
                        None => plus("nulls", &mut stats.nulls, 1)?,
                    }
                }
            }
        }
        plus("units", &mut stats.units, self.units(segment, stats.loglik.count() - tokens)?)?;
        plus("scored", &mut stats.scored, 1)
    }

    fn checked(&self, loglik: f64) -> Result<f64> {
        let limit = match loglik {
            _ if loglik > 0.0 && !self.positive => "at most 0; positive=allow takes densities",
            _ => return Ok(loglik),
        };
        Err(InputError::limit("a log-likelihood", loglik, limit))
    }

    /// Returns the number of units, such as tokens or bytes, of a segment. `list` is its number of
    /// log-likelihoods.
    fn units(&self, segment: &Likelihood, list: u64) -> Result<u64> {
        let lacks = |field: &str| {
            let per = bleuprint_core::Choice::name(self.per);
            InputError::malformed(format!("per={per} needs the field `{field}` of the segment"))
        };
        let text = || segment.text.as_deref().ok_or_else(|| lacks("text"));
        match (self.per, &segment.loglik) {
            (LikelihoodUnit::Token, Loglik::Tokens(_)) => match segment.tokens {
                // Nulls are not counted: `tokens` is the number of tokens that have a log-likelihood.
                Some(given) if given != list => Err(InputError::malformed(format!(
                    "{given} tokens, but {list} log-likelihoods of tokens"
                ))),
                _ => Ok(list),
            },
            (LikelihoodUnit::Token, _) => segment.tokens.ok_or_else(|| lacks("tokens")),
            (LikelihoodUnit::Byte, _) => Ok(text()?.len() as u64),
            (LikelihoodUnit::Char, _) => Ok(text()?.chars().count() as u64),
            (LikelihoodUnit::Word, _) => Ok(match self.words {
                TextWords::LmEval => pieces(text()?),
                TextWords::Split => whitespace::count(text()?),
            }),
            (LikelihoodUnit::Segment, _) => Ok(1),
            (LikelihoodUnit::Weight, _) => segment.weight.ok_or_else(|| lacks("weight")),
        }
    }

    fn value(&self, stats: &LikelihoodStats) -> Result<f64> {
        let no_score = |reason: &str| Err(InputError::no_score(self.name(), reason));
        if stats.units == 0 {
            let reason =
                if stats.scored == 0 { "no segment has a log-likelihood" } else { "there is no unit" };
            return no_score(reason);
        }
        // Subtracting from zero turns a negative zero into zero.
        let nll = 0.0 - stats.loglik.to_f64() / stats.units as f64;
        let value = match (self.finish, self.base) {
            (LikelihoodScore::Nll, _) | (LikelihoodScore::Bits, Base::Two) => nll,
            (LikelihoodScore::Bits, Base::E) => nll / core::f64::consts::LN_2,
            (LikelihoodScore::Bits, Base::Ten) => nll / core::f64::consts::LOG10_2,
            (LikelihoodScore::Perplexity, Base::E) => bleuprint_math::exp(nll),
            (LikelihoodScore::Perplexity, Base::Two) => bleuprint_math::pow(2.0, nll),
            (LikelihoodScore::Perplexity, Base::Ten) => bleuprint_math::pow(10.0, nll),
        };
        // The exponential of a large mean overflows although the logarithm is an ordinary number.
        if value.is_finite() {
            Ok(value)
        } else {
            no_score("it is beyond the greatest number; of=nll has its logarithm")
        }
    }
}

/// Rejects a segment that has no log-likelihood, or whose log-likelihoods include a number that is not
/// finite. The remaining numbers of such a segment would not represent the whole segment. `hint` is the end
/// of the error message.
fn require_number(segment: &Likelihood, hint: &str) -> Result<()> {
    let wrong = match &segment.loglik {
        Loglik::Missing => {
            return Err(InputError::malformed(format!("the segment has no log-likelihood{hint}")));
        }
        Loglik::Sum(sum) => Some(*sum).filter(|sum| !sum.is_finite()),
        Loglik::Tokens(tokens) => tokens.iter().flatten().copied().find(|token| !token.is_finite()),
    };
    match wrong {
        None => Ok(()),
        Some(number) => Err(InputError::limit("a log-likelihood", number, format!("finite{hint}"))),
    }
}

/// Adds `more` to the count `own`. Returns an error that names `column` if the count exceeds 64 bits.
fn plus(column: &str, own: &mut u64, more: u64) -> Result<()> {
    *own = own.checked_add(more).ok_or_else(|| InputError::count_range(column, *own, '+', more))?;
    Ok(())
}

impl Metric for Likelihoods {
    type Stats = LikelihoodStats;
    type Score = PlainScore;
    type Scratch = ();

    fn identity(&self) -> Identity {
        // Log-likelihoods of densities can be positive: nll then has no lower limit, and a perplexity only 0.
        let least = match (self.finish, self.positive) {
            (LikelihoodScore::Perplexity, false) => 1.0,
            (LikelihoodScore::Perplexity, true) | (_, false) => 0.0,
            (_, true) => f64::NEG_INFINITY,
        };
        let identity = Identity::new("likelihood", 1, Scale::lower_is_better(least, f64::INFINITY));
        self.with_fields(identity.headed(self.name()).option(Self::OPTION.finish, self.finish))
    }

    fn finalize(&self, stats: &LikelihoodStats, counts: &SegmentCounts) -> Result<PlainScore> {
        let unit = bleuprint_core::Choice::name(self.per);
        let mut score = PlainScore::new(self.value(stats)?).with_count(format!("{unit}s"), stats.units);
        for (name, count) in [("nulls", stats.nulls), ("missing", stats.missing(counts))] {
            if count > 0 {
                score = score.with_count(name, count);
            }
        }
        Ok(score)
    }

    fn number(&self, stats: &LikelihoodStats, _: &SegmentCounts) -> Result<f64> {
        self.value(stats)
    }

    fn check(&self, stats: &LikelihoodStats, counts: &SegmentCounts) -> Result<()> {
        stats.check(counts)?;
        let values = stats.loglik.count();
        // A forged state must not report a mean that no real log-likelihoods have.
        let most = if self.positive { f64::INFINITY } else { 0.0 };
        Scale::higher_is_better(f64::NEG_INFINITY, most).check_mean(&stats.loglik, values)?;
        let wrong = |message: String| Err(InputError::malformed_state(message));
        if self.missing == MissingLikelihood::Error && stats.scored != counts.segments {
            return wrong(format!("{} log-likelihoods of {} segments", stats.scored, counts.segments));
        }
        if stats.scored == 0 && *stats != LikelihoodStats::default() {
            return wrong(format!("{values} log-likelihoods and {} units of no segment", stats.units));
        }
        if self.per == LikelihoodUnit::Segment && stats.units != stats.scored {
            return wrong(format!("{} units of {} segments", stats.units, stats.scored));
        }
        Ok(())
    }
}

impl<R: ?Sized, C: ?Sized> Observe<Likelihood, R, C> for Likelihoods {
    fn observe(
        &self,
        (): &mut (),
        stats: &mut LikelihoodStats,
        segment: Segment<'_, Likelihood, R, C>,
    ) -> Result<()> {
        // Work on a copy: an error in the middle of a list of tokens must not leave a part of it in the sum.
        let mut next = *stats;
        self.add(&mut next, segment.hypothesis)?;
        *stats = next;
        Ok(())
    }
}
