//! [`DialectBleu`]: BLEU as another program computes it, usable like any metric. [`Bleu::finalize_with`]
//! computes such a score from existing statistics.

use core::fmt;
use core::hash::Hash;

use bleuprint_core::{
    ConfigError, Identity, InputErrorKind, Metric, Observe, PartValue, Result, Scale, Score, ScorePart,
    Scored, Segment, SegmentCounts, ShowPart, State, StateKey,
};
use bleuprint_ngram::Scratch;

use super::super::finish::{ref_len_of, require_average};
use super::super::options::BleuSettings;
use super::super::{Bleu, BleuStats, RefLen};
use super::{Accepts, Dialect, DialectError, DialectInput};
use crate::shared::serves_orders_from;

/// BLEU score by another program's formula (a dialect), on that program's scale, with the counts it is
/// computed from.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct DialectScore {
    /// Name of the BLEU dialect, for example `nltk:method1`.
    pub dialect: &'static str,
    /// BLEU score, on the scale of the program that the dialect reproduces: 0 to 1 or 0 to 100.
    pub value: f64,
    /// Scale of the reproduced program's scores: 0 to 1 or 0 to 100.
    pub scale: Scale,
    /// Number of hypothesis n-grams of each order that match a reference, clipped by the counts of the
    /// reference and unsmoothed.
    pub clipped: Vec<u64>,
    /// Number of hypothesis n-grams of each order, unsmoothed.
    pub total: Vec<u64>,
    /// Number of tokens of the hypotheses.
    pub hyp_len: u64,
    /// Effective reference length, in tokens, by the dialect's rule for several references.
    pub ref_len: f64,
}

impl DialectScore {
    /// Returns the score as a percentage, so that scores of dialects with different scales can be compared.
    pub fn percent(&self) -> f64 {
        if self.scale == Scale::PERCENT { self.value } else { self.value * 100.0 }
    }
}

impl Score for DialectScore {
    fn value(&self) -> f64 {
        self.value
    }

    fn parts(&self) -> Vec<ScorePart> {
        let part = ScorePart::new;
        let ref_len = match self.ref_len as u64 {
            whole if whole as f64 == self.ref_len => PartValue::Count(whole),
            _ => PartValue::Number(self.ref_len),
        };
        vec![
            part("counts", ShowPart::Hidden, PartValue::Counts(self.clipped.clone())),
            part("totals", ShowPart::Hidden, PartValue::Counts(self.total.clone())),
            part("sys_len", ShowPart::Labelled("hyp_len".into(), 3), PartValue::Count(self.hyp_len)),
            part("ref_len", ShowPart::Labelled("ref_len".into(), 3), ref_len),
        ]
    }
}

/// Writes only the value of the score, at full precision unless the format requests fewer decimals.
impl fmt::Display for DialectScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

/// Metric that counts n-grams like BLEU and computes the score by another program's formula;
/// [`Bleu::in_dialect`] creates it.
///
/// The highest order, the weights and the summation come from the BLEU metric it is created from. The
/// summation only matters to programs that add with Python's `sum`. The dialect sets smoothing, effective
/// order and reference length rule.
#[derive(Debug, Clone)]
pub struct DialectBleu {
    bleu: Bleu,
    dialect: &'static Dialect,
    counting: Bleu,
}

impl Metric for DialectBleu {
    type Stats = BleuStats;
    type Score = DialectScore;
    type Scratch = Scratch;

    /// Returns the identity (name and settings) of this metric. It is BLEU's identity, without the settings
    /// that the dialect replaces.
    fn identity(&self) -> Identity {
        let summation = if self.dialect.python_sum {
            self.bleu.summation()
        } else {
            BleuSettings::OPTION.summation.default()
        };
        Identity::new("bleu", 1, self.dialect.scale)
            .named("BLEU")
            // Part of the state key, but never printed: the number of counted orders does not change the
            // score.
            .keyed(BleuSettings::OPTION.max_order.spec.field.key, self.counting.max_order())
            .option(BleuSettings::OPTION.dialect, Some(self.dialect.name.to_owned()))
            .option(
                BleuSettings::OPTION.max_order.finished("order", "order").unless_default(),
                self.bleu.max_order(),
            )
            .option(BleuSettings::OPTION.weights, self.bleu.weights().map(<[f64]>::to_vec))
            .option(BleuSettings::OPTION.summation, summation)
    }
    fn zero(&self) -> BleuStats {
        self.counting.zero()
    }

    /// Computes the dialect's score from BLEU's statistics.
    ///
    /// # Errors
    /// Returns [`NoScore`](InputErrorKind::NoScore) if the program does not accept the data or fails on it.
    fn finalize(&self, stats: &BleuStats, counts: &SegmentCounts) -> Result<DialectScore> {
        Ok(finish(&self.bleu, self.dialect, stats, counts, self.bleu.max_order())?)
    }

    fn check(&self, stats: &BleuStats, counts: &SegmentCounts) -> Result<()> {
        self.counting.check(stats, counts)
    }

    /// Checks that saved BLEU statistics with this key count all n-gram orders up to this metric's highest
    /// order. If the dialect's formula reads even higher orders, `finalize` checks that they are present.
    fn serves(&self, key: &StateKey) -> Result<()> {
        serves_orders_from(self.bleu.max_order(), &self.state_key(), key)
    }
}

impl<T: Hash + Eq> Observe<[T]> for DialectBleu {
    fn observe(&self, scratch: &mut Scratch, stats: &mut BleuStats, segment: Segment<'_, [T]>) -> Result<()> {
        self.counting.observe(scratch, stats, segment)
    }
}

impl Bleu {
    /// Creates a metric that counts n-grams with the options of this BLEU and computes the score by the
    /// dialect's formula.
    ///
    /// # Errors
    /// Returns [`ConfigError::Conflict`] if weights are set and the program does not support them.
    pub fn in_dialect(&self, dialect: &'static Dialect) -> Result<DialectBleu, ConfigError> {
        if self.weights().is_some() && !dialect.weighted {
            return Err(ConfigError::Conflict(DialectError::NoWeights { dialect: dialect.name }.to_string()));
        }
        let order = dialect.order_to_observe(self.max_order());
        let counting = Bleu::builder().max_order(order).ref_len(dialect.ref_len).build()?;
        Ok(DialectBleu { bleu: self.clone(), dialect, counting })
    }

    /// Returns the BLEU score that another program (the dialect) would give, computed from statistics counted
    /// earlier. The statistics must include every n-gram order up to this configuration's highest.
    ///
    /// ```
    /// use bleuprint_core::Accumulator;
    /// use bleuprint_metrics::{Bleu, Dialect};
    ///
    /// let bleu = Bleu::default();
    /// let mut corpus = Accumulator::<_, [&str]>::new(&bleu);
    /// corpus.push(&["the", "cat", "was", "on", "the", "mat"], &[&["the", "cat", "is", "on", "the", "mat"]]).unwrap();
    ///
    /// let nltk = bleu.finalize_with(Dialect::by_name("nltk:method1").unwrap(), corpus.total()).unwrap();
    /// assert_eq!(nltk.score.value, 0.25406637407730737);
    /// assert_eq!(nltk.signature.get("dialect"), Some("nltk:method1"));
    /// ```
    ///
    /// # Errors
    /// Returns [`DialectError`] in four cases:
    /// - nothing was observed;
    /// - the statistics are of another metric;
    /// - the program does not accept the data;
    /// - the program fails on the data.
    pub fn finalize_with(
        &self,
        dialect: &'static Dialect,
        state: &State<BleuStats>,
    ) -> Result<Scored<DialectScore>, DialectError> {
        let unweighted = || DialectError::NoWeights { dialect: dialect.name };
        let metric = self.in_dialect(dialect).map_err(|_| unweighted())?;
        metric.serves(state.key())?;
        // Called first for its typed errors: `State::score` would turn the same errors into text.
        finish(self, dialect, state.stats(), state.counts(), self.max_order())?;
        Ok(state.score(&metric)?)
    }

    fn dialect_input<'i>(
        &'i self,
        dialect: &Dialect,
        stats: &'i BleuStats,
        counts: &'i SegmentCounts,
        max_order: usize,
    ) -> Result<DialectInput<'i>, DialectError> {
        let name = dialect.name;
        if counts.segments == 0 {
            return Err(DialectError::Input(InputErrorKind::EmptyCorpus.into()));
        }
        if self.weights().is_some() && !dialect.weighted {
            return Err(DialectError::NoWeights { dialect: name });
        }
        if dialect.accepts == Accepts::OneReference && counts.references != counts.segments {
            return Err(DialectError::SeveralReferences { dialect: name });
        }
        let Some((orders, beyond)) = stats.orders.split_at_checked(max_order) else {
            let observed = stats.orders.len();
            return Err(DialectError::OrderNotObserved { dialect: name, needed: max_order, observed });
        };
        let weights = match self.weights() {
            Some(weights) => weights.to_vec(),
            None => vec![1.0 / max_order as f64; max_order],
        };
        let uniform = self.weights().is_none();
        let ref_len = exact_ref_len(dialect.ref_len, stats)?;
        let summation = self.summation();
        Ok(DialectInput {
            dialect: name,
            counts,
            stats,
            orders,
            beyond,
            weights,
            uniform,
            ref_len,
            summation,
        })
    }
}

fn finish(
    bleu: &Bleu,
    dialect: &Dialect,
    stats: &BleuStats,
    counts: &SegmentCounts,
    max_order: usize,
) -> Result<DialectScore, DialectError> {
    let input = bleu.dialect_input(dialect, stats, counts, max_order)?;
    if dialect.accepts == Accepts::OneSegment && input.counts.segments != 1 {
        return Err(DialectError::NotOneSegment { dialect: dialect.name, segments: input.counts.segments });
    }
    // All checks precede the formula, so a formula may index and divide freely.
    let value = (dialect.finish)(&input)?;
    Ok(described(dialect, &input, value))
}

fn described(dialect: &Dialect, input: &DialectInput<'_>, value: f64) -> DialectScore {
    DialectScore {
        dialect: dialect.name,
        value,
        scale: dialect.scale,
        clipped: input.orders.iter().map(|order| order.clipped).collect(),
        total: input.orders.iter().map(|order| order.total).collect(),
        hyp_len: input.stats.hyp_len(),
        ref_len: input.ref_len,
    }
}

pub(super) fn exact_ref_len(rule: RefLen, stats: &BleuStats) -> Result<f64, DialectError> {
    if rule == RefLen::Average {
        require_average(&stats.ref_len)?;
    }
    Ok(ref_len_of(rule, &stats.ref_len))
}
