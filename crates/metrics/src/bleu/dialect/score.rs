//! [`Bleu::finalize_with`]: statistics in, the number of another program out.

use bleuprint_core::{
    InputErrorKind, Observed, Part, PartValue, Scale, Score, Scored, Show, Signature, Stats,
};

use super::super::finish::ref_len_of;
use super::super::stats::AVERAGE_UNITS;
use super::super::{Bleu, BleuStats, RefLen};
use super::{Accepts, Dialect, DialectError, DialectInput};

/// The number a program gives, on the program's own scale, and the counts it is made of.
#[derive(Debug, Clone, PartialEq)]
pub struct DialectScore {
    /// The name of the dialect.
    pub dialect: &'static str,
    /// The number, on the scale of the program.
    pub value: f64,
    /// The scale of the program: 0 to 1 or 0 to 100.
    pub scale: Scale,
    /// Clipped counts per order, unsmoothed.
    pub clipped: Vec<u64>,
    /// Total counts per order, unsmoothed.
    pub total: Vec<u64>,
    /// Tokens of the hypotheses.
    pub hyp_len: u64,
    /// Effective reference length under the dialect's rule, in tokens.
    pub ref_len: f64,
}

impl DialectScore {
    /// The number as a percentage, to be compared with other dialects.
    pub fn percent(&self) -> f64 {
        if self.scale == Scale::PERCENT { self.value } else { self.value * 100.0 }
    }
}

impl Score for DialectScore {
    fn value(&self) -> f64 {
        self.value
    }

    fn scale(&self) -> Scale {
        self.scale
    }

    fn parts(&self) -> Vec<Part> {
        let part = |key, show, value| Part { key, show, value };
        let ref_len = match self.ref_len as u64 {
            whole if whole as f64 == self.ref_len => PartValue::Count(whole),
            _ => PartValue::Number(self.ref_len),
        };
        vec![
            part("counts", Show::Hidden, PartValue::Counts(self.clipped.clone())),
            part("totals", Show::Hidden, PartValue::Counts(self.total.clone())),
            part("sys_len", Show::Labelled("hyp_len", 3), PartValue::Count(self.hyp_len)),
            part("ref_len", Show::Labelled("ref_len", 3), ref_len),
        ]
    }
}

impl Bleu {
    /// The number that another program gives for what was observed.
    ///
    /// The order, the weights and the summation are this configuration's (the last for programs that add with
    /// Python's `sum`); smoothing, effective order and the rule of reference length are the dialect's. The
    /// statistics may hold more orders than this configuration has.
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
    /// [`DialectError`]: nothing observed, data that the program does not take, or a case in which it fails.
    pub fn finalize_with(
        &self,
        dialect: &Dialect,
        observed: &Observed<BleuStats>,
    ) -> Result<Scored<DialectScore>, DialectError> {
        let score = finish(self, dialect, observed, self.max_order())?;
        Ok(Scored { score, signature: self.signature_with(dialect).with_references(&observed.references) })
    }

    /// BLEU-1 to BLEU-N as another program gives them, with uniform weights.
    ///
    /// # Errors
    /// Those of [`Bleu::finalize_with`].
    pub fn finalize_orders_with(
        &self,
        dialect: &Dialect,
        observed: &Observed<BleuStats>,
    ) -> Result<Vec<DialectScore>, DialectError> {
        let uniform = self.unweighted();
        (1..=self.max_order()).map(|order| finish(&uniform, dialect, observed, order)).collect()
    }

    /// The mean of the segments' numbers, which some programs report as the BLEU of a corpus: ignite by default,
    /// the "smooth BLEU" of CodeXGLUE, Texygen (`nltk:method1`). It does not merge: every segment counts alike,
    /// however long it is. Added from left to right.
    ///
    /// # Errors
    /// Those of [`Bleu::finalize_with`], for the first segment that has one.
    pub fn mean_with<'o>(
        &self,
        dialect: &Dialect,
        segments: impl IntoIterator<Item = &'o Observed<BleuStats>>,
    ) -> Result<Scored<DialectScore>, DialectError> {
        let mut total = Observed { references: Default::default(), stats: BleuStats::zero(self.max_order()) };
        let mut sum = 0.0;
        for segment in segments {
            sum += finish(self, dialect, segment, self.max_order())?.value;
            total.merge(segment);
        }
        let input = self.dialect_input(dialect, &total, self.max_order())?;
        let score = described(dialect, &input, sum / total.references.segments as f64);
        let signature = self.signature_with(dialect).with("mean", "mean", "segments");
        Ok(Scored { score, signature: signature.with_references(&total.references) })
    }

    /// What a score in a dialect depends on; what the dialect replaces is not in it.
    fn signature_with(&self, dialect: &Dialect) -> Signature {
        let weights = self.weights().map(|w| w.iter().map(f64::to_string).collect::<Vec<_>>().join(","));
        Signature::new("BLEU")
            .with("case", "c", "mixed")
            .with("tok", "tok", "unspecified")
            .with("dialect", "d", dialect.name)
            .with_option("order", (self.max_order() != Self::DEFAULT_MAX_ORDER).then_some(self.max_order()))
            .with_option("weights", weights)
            .with_option("sum", (self.summation() != Default::default()).then_some(self.summation().name()))
    }

    /// The statistics as a dialect reads them, refused where the program would not take them.
    fn dialect_input<'i>(
        &'i self,
        dialect: &Dialect,
        observed: &'i Observed<BleuStats>,
        max_order: usize,
    ) -> Result<DialectInput<'i>, DialectError> {
        let Observed { references, stats } = observed;
        let name = dialect.name;
        if references.segments == 0 {
            return Err(DialectError::Input(InputErrorKind::EmptyCorpus.into()));
        }
        if self.weights().is_some() && !dialect.weighted {
            return Err(DialectError::NoWeights { dialect: name });
        }
        if dialect.accepts == Accepts::OneReference && references.references != references.segments {
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
            references,
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

/// The score of `dialect` over the first `max_order` orders.
fn finish(
    bleu: &Bleu,
    dialect: &Dialect,
    observed: &Observed<BleuStats>,
    max_order: usize,
) -> Result<DialectScore, DialectError> {
    let input = bleu.dialect_input(dialect, observed, max_order)?;
    if dialect.accepts == Accepts::OneSegment && input.references.segments != 1 {
        return Err(DialectError::NotOneSegment {
            dialect: dialect.name,
            segments: input.references.segments,
        });
    }
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

/// The effective reference length, or an error where the state holds no exact average.
pub(super) fn exact_ref_len(rule: RefLen, stats: &BleuStats) -> Result<f64, DialectError> {
    if rule == RefLen::Average && stats.ref_len.unaveraged > 0 {
        return Err(DialectError::Input(
            InputErrorKind::Limit {
                what: "the number of references averaged".to_owned(),
                given: format!("another in {} segments", stats.ref_len.unaveraged),
                limit: format!("at most 16 or a divisor of {AVERAGE_UNITS}"),
            }
            .into(),
        ));
    }
    Ok(ref_len_of(rule, &stats.ref_len))
}
