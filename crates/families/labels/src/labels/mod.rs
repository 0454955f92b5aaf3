//! Labels against labels: accuracy, precision, recall, F, Matthews' correlation and kappa, of one label, a set, or a tag for each token.
//!
//! ```text
//! P = tp / predicted     R = tp / gold     F_β = (1 + β²) · tp / (β² · gold + predicted)          of a label
//! micro  = quotients of summed counts      macro = mean over labels      weighted = Σ gold · x / Σ gold
//! samples = mean over segments of the quotients of their sets
//! accuracy = right / segments              balanced = mean of R over labels with gold > 0
//! MCC    = (c · n - Σ p_k g_k) / √((n² - Σ p_k²)(n² - Σ g_k²))          n segments, c right, p_k and g_k of label k
//! kappa  = 1 - n · Σ w_ij C_ij / Σ w_ij g_i p_j                         w_ij = (i ≠ j), |i - j| or (i - j)²
//! ```
//!
//! Means are over labels that are seen on either side, exact and rounded once. Labels are compared as they stand: `A` and `a` differ, and so do `a` and `a `.
//! In a set a label counts once. The counts are integers: for each label three, which one state holds for every score,
//! average, β and weight; with `confusion`, pairs of labels, from which all of that follows too. With declared labels the
//! counts are a row, with two columns more for the distances of labels.
//!
//! | singular case | result |
//! |---|---|
//! | a quotient without a denominator | 0, or 1 by `zero`; F only where the label is neither predicted nor in a reference |
//! | a label of `only` that is not seen | counts as one whose counts are 0 |
//! | an empty text | the label `""`; the empty set; no tag |
//! | one label alone in all references, or predictions | MCC 0; kappa without a score where it is one for both |
//! | weighted, and no reference has a label; nothing observed | no score |
//! | a text of several tags, as `B-PER O` | error, unless each is a label (`tokens`) |
//! | tags of unlike numbers, a label that is not declared, several references, no reference | error |
//!
//! Range 0 to 1, of MCC and kappa -1 to 1; higher is better. Source: the definitions of scikit-learn 1.9.1, whose numbers
//! these are within 1e-15 (kappa 1e-14: it adds floats); Cohen 1960, 1968 (kappa); Matthews 1975 and Gorodkin 2004 (MCC).
//! Time is linear in the labels of a segment, finishing in those of the corpus.
//!
//! ```
//! use bleuprint_core::{Accumulator, Score};
//! use bleuprint_labels::{LabelOptions, LabelScore, Labels};
//!
//! let kappa = LabelOptions { score: LabelScore::Kappa, ..LabelOptions::default() };
//! let mut labels = Accumulator::<_, str>::new(Labels::new(kappa).unwrap());
//! for (predicted, gold) in [("spam", "spam"), ("ham", "spam"), ("ham", "ham"), ("ham", "ham")] {
//!     labels.push(predicted, &[gold]).unwrap();
//! }
//! assert_eq!(labels.score().unwrap().score.value(), 0.5);
//! ```

mod options;

use std::sync::Arc;

use bleuprint_core::{
    Composition, ConfigError, Identity, InputError, InputErrorKind, Metric, Observe, PlainScore, Result,
    Scale, ScorePart, Segment, SegmentCounts, Stats as _,
};
use bleuprint_registry::{AnyMetric, MetricEntry, MetricOptions};
use bleuprint_text::whitespace;

use crate::agreement::{Weights, kappa, mcc, weighted_kappa};
use crate::average::{Rule, average, balanced, chosen};
use crate::counts::LabelCounts;
use crate::list::TextList;
use crate::names;
use crate::read::{Items, Separator, Sets, one, places};
use crate::row::Layout;
use crate::seen::{Seen, View};
use crate::show;
use crate::tally::{FRule, Prf, Sums, Tally, quotient};
use options::{AVERAGE, BETA, CONFUSION, LABELS, MULTILABEL, ONLY, PER, SCORE, TOKENS, WEIGHTS, ZERO};
pub use options::{LabelOptions, LabelScore};

/// Labels against labels; [the module](self) has the definition.
#[derive(Debug, Clone, Default)]
pub struct Labels {
    options: LabelOptions,
    /// Of declared labels.
    layout: Option<Arc<Layout>>,
}

impl Labels {
    /// The metric of these options.
    ///
    /// # Errors
    /// Options that contradict each other; more than 4,096 declared labels.
    pub fn new(options: LabelOptions) -> Result<Self, ConfigError> {
        options.check()?;
        let layout = |names: &Vec<String>| Layout::new("labels-labels", names, options.row_kind());
        let layout = options.labels.as_ref().map(layout).transpose()?.map(Arc::new);
        Ok(Labels { options, layout })
    }

    /// The confusion matrix: a row for each label of the references, a column for each prediction, in the order of the labels.
    ///
    /// # Errors
    /// Statistics without pairs of labels: set `confusion`.
    pub fn confusion(&self, stats: &LabelCounts) -> Result<(Vec<String>, Vec<Vec<u64>>)> {
        if !self.options.confusion {
            let reason = "it has no pairs of labels: set confusion=yes".to_owned();
            return Err(InputErrorKind::CannotFinish { metric: self.identity().name(), reason }.into());
        }
        let View { labels, pairs, .. } = stats.view();
        let seen = || labels.iter().map(|(label, _)| (*label).to_owned()).collect();
        let names: Vec<String> = self.options.labels.clone().unwrap_or_else(seen);
        let place = |label: &str| names.iter().position(|name| name == label).unwrap_or_default();
        let mut rows = vec![vec![0; names.len()]; names.len()];
        for ((gold, predicted), times) in pairs {
            rows[place(gold)][place(predicted)] = times;
        }
        Ok((names, rows))
    }

    /// The columns of declared labels, where the counts are a row.
    fn row(&self) -> Option<&Arc<Layout>> {
        self.layout.as_ref().filter(|_| !self.options.confusion)
    }

    fn rule(&self) -> Rule {
        let zero = if self.options.zero_is_one { 1.0 } else { 0.0 };
        Rule { f: FRule::OfCounts(self.options.beta), zero }
    }

    fn average(&self, view: &View<'_>) -> Result<Option<Prf>> {
        let labels = chosen(view, self.options.only.as_deref());
        average(self.options.average, &labels, &view.sets, self.rule())
    }

    fn accuracy(&self, view: &View<'_>, segments: u64) -> Option<f64> {
        let (right, all) = match self.options.items {
            Items::Set(_) => (view.equal.into(), segments.into()),
            Items::One | Items::Tokens => {
                let Sums { right, gold, .. } = sums(view);
                (right, gold)
            }
        };
        (all > 0).then(|| quotient(right, all, 0.0))
    }

    fn kappa(&self, view: &View<'_>) -> Result<Option<f64>> {
        let (Some(layout), weights) = (&self.layout, self.options.weights) else {
            return kappa(&view.labels);
        };
        let seen = match (weights, view.distances) {
            (Weights::None, _) => return kappa(&view.labels),
            (Weights::Linear, Some([distance, _])) => distance.into(),
            (Weights::Quadratic, Some([_, squared])) => squared.into(),
            (_, None) => view.pairs.iter().try_fold(0_u128, |sum, ((gold, predicted), times)| {
                let distance = layout.place(gold)?.abs_diff(layout.place(predicted)?) as u64;
                Ok::<_, InputError>(sum.saturating_add(weights.of(distance).saturating_mul((*times).into())))
            })?,
        };
        weighted_kappa(layout.names(), weights, &view.labels, seen)
    }

    /// The score, and the average where it is of one.
    fn headline(&self, view: &View<'_>, segments: u64) -> Result<(f64, Option<Prf>)> {
        let average = if self.options.score.is_average() { self.average(view)? } else { None };
        let (number, reason) = match self.options.score {
            LabelScore::F => (average.map(|prf| prf.f), NO_LABEL),
            LabelScore::Precision => (average.map(|prf| prf.precision), NO_LABEL),
            LabelScore::Recall => (average.map(|prf| prf.recall), NO_LABEL),
            LabelScore::Accuracy => (self.accuracy(view, segments), NO_LABEL),
            LabelScore::Balanced => (balanced(&view.labels)?, NO_LABEL),
            LabelScore::Mcc => (Some(mcc(&view.labels)?).filter(|_| !view.labels.is_empty()), NO_LABEL),
            LabelScore::Kappa => {
                (self.kappa(view)?, "all references and predictions are one label, or there are none")
            }
        };
        let number = number.ok_or_else(|| InputError::no_score(self.identity().name(), reason))?;
        Ok((number, average))
    }
}

const NO_LABEL: &str = "no reference has a label to average over";

fn sums(view: &View<'_>) -> Sums {
    Sums::of(view.labels.iter().map(|(_, tally)| *tally))
}

impl Metric for Labels {
    type Stats = LabelCounts;
    type Score = PlainScore;
    type Scratch = ();

    fn identity(&self) -> Identity {
        let options = &self.options;
        let agreement = matches!(options.score, LabelScore::Mcc | LabelScore::Kappa);
        let scale = if agreement { Scale::higher_is_better(-1.0, 1.0) } else { Scale::UNIT };
        let separator = match &options.items {
            Items::Set(separator) => Some(separator.name().to_owned()),
            Items::One | Items::Tokens => None,
        };
        let mut identity = Identity::new("labels", 1, scale)
            .needing(|needs| needs.one_reference = true)
            .option(MULTILABEL, separator)
            .option(TOKENS, options.items == Items::Tokens)
            .option(LABELS, options.labels.as_deref().map(names::print))
            .option(CONFUSION, options.confusion)
            .option(SCORE, options.score);
        if options.score.is_average() {
            identity = identity
                .option(AVERAGE, options.average)
                .option(ONLY, options.only.as_deref().map(names::print))
                .option(ZERO, if options.zero_is_one { "1" } else { "0" });
        }
        if options.score == LabelScore::F {
            identity = identity.option(BETA, options.beta);
        }
        if options.score == LabelScore::Kappa {
            identity = identity.option(WEIGHTS, options.weights);
        }
        let one_label = options.items == Items::One && options.score == LabelScore::Accuracy;
        let composition = if one_label { Composition::Rate } else { Composition::Other };
        identity.headed(options.heading()).composed(composition)
    }

    fn zero(&self) -> LabelCounts {
        LabelCounts::zero(self.row())
    }

    fn finalize(&self, stats: &LabelCounts, counts: &SegmentCounts) -> Result<PlainScore> {
        let view = stats.view();
        let (number, average) = self.headline(&view, counts.segments)?;
        let mut score = PlainScore::new(number);
        if let Some(prf) = average {
            score = show::prf(score, prf);
        }
        if let Some(accuracy) = self.accuracy(&view, counts.segments) {
            score = score.with(ScorePart::number("accuracy", accuracy, 4));
        }
        score = score.with_count("labels", view.labels.len() as u64);
        score = show::each(score, "label", &view.labels, self.rule(), self.options.per_label);
        Ok(show::confusion(score, &view.pairs))
    }

    fn number(&self, stats: &LabelCounts, counts: &SegmentCounts) -> Result<f64> {
        Ok(self.headline(&stats.view(), counts.segments)?.0)
    }

    fn check(&self, stats: &LabelCounts, counts: &SegmentCounts) -> Result<()> {
        stats.check(counts)?;
        stats.require_layout(self.row())?;
        let view = stats.view();
        view.check(self.options.confusion, matches!(self.options.items, Items::Set(_)))?;
        let (sums, segments) = (sums(&view), counts.segments);
        let refuse = |message: String| Err(InputError::malformed_state(message));
        if let Items::Set(_) = self.options.items {
            let most = view.labels.iter().map(|(_, tally)| tally.predicted.max(tally.gold)).max();
            InputError::require_at_most("a label of sets", most.unwrap_or_default(), "segments", segments)?;
            InputError::require_at_most("equal sets", view.equal, "segments", segments)?;
            return if self.layout.is_some() { Ok(()) } else { view.check_sets(segments) };
        }
        if sums.predicted != sums.gold || self.options.items == Items::One && sums.gold != segments.into() {
            let Sums { gold, predicted, .. } = sums;
            return refuse(format!(
                "{gold} labels of references and {predicted} predictions in {segments} segments"
            ));
        }
        let Some(layout) = &self.layout else { return Ok(()) };
        view.labels.iter().try_for_each(|(label, _)| layout.place(label).map(drop))?;
        view.check_distances(layout.names().len())
    }
}

impl Observe<str> for Labels {
    fn observe(&self, (): &mut (), stats: &mut LabelCounts, segment: Segment<'_, str>) -> Result<()> {
        let gold = segment.one_reference("labels")?;
        let predicted = segment.hypothesis;
        match &self.options.items {
            Items::One => {
                let pair = one(gold, predicted)?;
                let labels: &[(&str, Tally)] = match gold == predicted {
                    true => &[(gold, Tally::RIGHT)],
                    false => &[(gold, Tally::GOLD), (predicted, Tally::PREDICTED)],
                };
                self.add(stats, Seen { labels, pairs: &[(pair, 1)], ..Seen::default() })
            }
            Items::Tokens => {
                let [gold, predicted] =
                    [gold, predicted].map(|text| whitespace::split(text).collect::<Vec<_>>());
                self.add_places(stats, &gold, &predicted)
            }
            Items::Set(separator) => self.add_sets(stats, &Sets::of_texts(separator, gold, predicted)?),
        }
    }
}

/// Lists are sets of labels, or a label for each place.
impl Observe<TextList> for Labels {
    fn observe(&self, (): &mut (), stats: &mut LabelCounts, segment: Segment<'_, TextList>) -> Result<()> {
        let (gold, predicted) = (segment.one_reference("labels")?, segment.hypothesis);
        match self.options.items {
            Items::Set(_) => self.add_sets(stats, &Sets::new(gold.0.clone(), predicted.0.clone())),
            Items::Tokens => self.add_places(stats, &gold.strs(), &predicted.strs()),
            Items::One => {
                Err(InputError::malformed("labels are single ones, but a list is given: set multilabel=list"))
            }
        }
    }
}

impl Labels {
    fn add_places(&self, stats: &mut LabelCounts, gold: &[&str], predicted: &[&str]) -> Result<()> {
        let pairs = places(gold, predicted)?;
        let labels = crate::seen::labels_of(&pairs);
        self.add(stats, Seen { labels: &labels, pairs: &pairs, ..Seen::default() })
    }

    fn add_sets(&self, stats: &mut LabelCounts, sets: &Sets) -> Result<()> {
        self.add(stats, Seen { labels: &sets.labels(), set: Some(sets.sizes()), ..Seen::default() })
    }

    fn add(&self, stats: &mut LabelCounts, seen: Seen<'_>) -> Result<()> {
        if let Some(layout) = &self.layout {
            seen.labels.iter().try_for_each(|(label, _)| layout.place(label).map(drop))?;
        }
        stats.observe(Seen { confusion: self.options.confusion, ..seen })
    }
}

fn build(options: &MetricOptions) -> Result<AnyMetric, ConfigError> {
    let options = LabelOptions::given(options)?;
    let lists = options.items == Items::Set(Separator::List);
    let labels = Labels::new(options)?;
    Ok(if lists { AnyMetric::over_own::<TextList, _>(labels) } else { AnyMetric::over_text(labels) })
}

pub(crate) const ENTRY: MetricEntry = MetricEntry::new(
    "labels",
    "Labels against labels: accuracy, precision, recall, F, MCC and kappa, of one label or sets",
    build,
)
.agrees_with("scikit-learn 1.9.1")
.papers(&[crate::paper("cohen-1960-kappa"), crate::paper("gorodkin-2004-correlation")])
.options(&[
    SCORE.spec,
    AVERAGE.spec,
    LABELS.spec,
    ONLY.spec,
    MULTILABEL.spec,
    TOKENS.spec,
    CONFUSION.spec,
    WEIGHTS.spec,
    BETA.spec,
    ZERO.spec,
    PER.spec,
]);

#[cfg(test)]
mod tests;
