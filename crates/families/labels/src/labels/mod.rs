//! Metric over labels: accuracy, precision, recall, F, MCC and kappa, of one label, a set or a tag per token.
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
//! Here `tp`, `predicted` and `gold` are the numbers of right predictions, predictions and references of a
//! label. `p_k` and `g_k` are the numbers of predictions and references of label k, and `C_ij` counts
//! reference label i predicted as label j.
//!
//! Means are over labels that occur in a hypothesis or a reference; they are exact and rounded once. Labels
//! are compared byte for byte: `A` and `a` differ, and so do `a` and `a `. In a set with a separator, white
//! space beside the separator is not part of a label. A set counts each label once. The statistics are three
//! integers for each label, from which every score, average, β and weight is computed. With `confusion` the
//! statistics count pairs of labels, from which all scores follow. Declared labels (`labels=a/b`) make the
//! statistics a row of numbers with two more columns, the distances of labels.
//!
//! | singular case | result |
//! |---|---|
//! | a quotient without a denominator | 0, or 1 by `zero`; F only if the label is neither predicted nor in a reference |
//! | a label of `only` that is not seen | counts as one whose counts are 0; `unseen` is the number of such labels |
//! | no label of `only` is seen | no score |
//! | an empty text | the label `""`; the empty set; no tag |
//! | a single label in all references, or in all predictions | MCC 0; kappa has no score if both sides have the same single label |
//! | weighted, and no reference has a label; nothing observed | no score |
//! | a text of several tags, as `B-PER O` | error, unless each is a label (`tokens`) |
//! | different numbers of tags, a label that is not declared, several references, no reference | error |
//!
//! Range 0 to 1, of MCC and kappa -1 to 1; higher is better. Source: the definitions of scikit-learn 1.9.1.
//! Numbers match it within 1e-15 (kappa within 1e-14, because scikit-learn adds floats). Papers: Cohen 1960,
//! 1968 (kappa); Matthews 1975 and Gorodkin 2004 (MCC). Observing takes linear time in the labels of a
//! segment, and finishing in the labels of the corpus.
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
mod remarks;

use std::sync::Arc;

use bleuprint_core::{
    Composition, ConfigError, Identity, InputError, InputErrorKind, Metric, Observe, PlainScore, Result,
    Scale, ScorePart, Segment, SegmentCounts, Stats as _,
};
use bleuprint_registry::{AnyMetric, DataRemarks, MetricEntry, MetricOptions, Spelling};
use bleuprint_text::whitespace;

use crate::agreement::{KappaWeights, kappa, mcc, weighted_kappa};
use crate::average::{AverageRule, average, balanced, chosen};
use crate::counts::LabelCounts;
use crate::list::TextList;
use crate::names;
use crate::read::{SegmentLabels, SegmentSets, Separator, one, places};
use crate::row::LabelColumns;
use crate::seen::{CountsView, SeenLabels};
use crate::show;
use crate::tally::{FRule, LabelSums, LabelTally, Prf, quotient};
use options::LabelSettings;
pub use options::{LabelOptions, LabelScore};
use remarks::OnlyRemarks;

/// The metric that compares predicted labels with reference labels; [the module](self) has the definition.
#[derive(Debug, Clone, Default)]
pub struct Labels {
    options: LabelOptions,
    /// Columns of the counts of the declared labels; `None` if the options declare no labels.
    layout: Option<Arc<LabelColumns>>,
    remarks: OnlyRemarks,
}

impl Labels {
    /// Creates the metric over labels with these options.
    ///
    /// # Errors
    /// Returns an error if options contradict each other, or if more than 4,096 labels are declared.
    pub fn new(options: LabelOptions) -> Result<Self, ConfigError> {
        options.check()?;
        let layout = |names: &Vec<String>| LabelColumns::new("labels-labels", names, options.row_kind());
        let layout = options.labels.as_ref().map(layout).transpose()?.map(Arc::new);
        let remarks = OnlyRemarks::new(options.only.as_deref().unwrap_or_default());
        Ok(Labels { options, layout, remarks })
    }

    /// Returns the names of the labels and the confusion matrix of these counts. The matrix has a row for
    /// each reference label and a column for each predicted label, in the order of the names.
    ///
    /// # Errors
    /// Returns an error if the metric does not count pairs of labels; the option `confusion` enables that.
    pub fn confusion(&self, stats: &LabelCounts) -> Result<(Vec<String>, Vec<Vec<u64>>)> {
        if !self.options.confusion {
            let reason = "it has no pairs of labels: set confusion=yes".to_owned();
            return Err(InputErrorKind::CannotFinish { metric: self.identity().name(), reason }.into());
        }
        let CountsView { labels, pairs, .. } = stats.view();
        let seen = || labels.iter().map(|(label, _)| (*label).to_owned()).collect();
        let names: Vec<String> = self.options.labels.clone().unwrap_or_else(seen);
        let place = |label: &str| names.iter().position(|name| name == label).unwrap_or_default();
        let mut rows = vec![vec![0; names.len()]; names.len()];
        for ((gold, predicted), times) in pairs {
            rows[place(gold)][place(predicted)] = times;
        }
        Ok((names, rows))
    }

    /// Returns the columns of the declared labels if the counts are stored as a row. `None` with a confusion
    /// matrix, which needs the counts of label pairs.
    fn row(&self) -> Option<&Arc<LabelColumns>> {
        // A confusion matrix needs counts of pairs, which a row of three columns for each label does not
        // have.
        self.layout.as_ref().filter(|_| !self.options.confusion)
    }

    fn rule(&self) -> AverageRule {
        AverageRule { f: FRule::OfCounts(self.options.beta), zero: self.options.zero.value() }
    }

    /// Returns the number of labels of `only` that occur on neither side; such a label is probably
    /// misspelled.
    fn unseen(&self, view: &CountsView<'_>) -> usize {
        let seen = |name: &&String| {
            let place = view.labels.binary_search_by_key(&name.as_str(), |(known, _)| *known);
            place.is_ok_and(|at| view.labels[at].1.predicted > 0 || view.labels[at].1.gold > 0)
        };
        let only = self.options.only.as_deref().unwrap_or_default();
        only.len() - only.iter().filter(seen).count()
    }

    fn average(&self, view: &CountsView<'_>) -> Result<Option<Prf>> {
        // Without a label that occurs, the average would be the value of 0/0, whatever the systems did.
        if self.options.only.as_ref().is_some_and(|only| self.unseen(view) == only.len()) {
            return Ok(None);
        }
        let labels = chosen(view, self.options.only.as_deref());
        average(self.options.average, &labels, &view.sets, self.rule())
    }

    fn accuracy(&self, view: &CountsView<'_>, segments: u64) -> Option<f64> {
        let (right, all) = match self.options.items {
            // A set is right as a whole: scikit-learn's subset accuracy.
            SegmentLabels::Set(_) => (view.equal.into(), segments.into()),
            SegmentLabels::One | SegmentLabels::Tokens => {
                let LabelSums { right, gold, .. } = sums(view);
                (right, gold)
            }
        };
        (all > 0).then(|| quotient(right, all, 0.0))
    }

    fn kappa(&self, view: &CountsView<'_>) -> Result<Option<f64>> {
        let (Some(layout), weights) = (&self.layout, self.options.weights) else {
            return kappa(&view.labels);
        };
        // Without a weight, kappa follows from the counts of labels alone. Weighted kappa needs the distances
        // of pairs: a row has their sums, and a confusion matrix has the pairs.
        let seen = match (weights, view.distances) {
            (KappaWeights::None, _) => return kappa(&view.labels),
            (KappaWeights::Linear, Some([distance, _])) => distance.into(),
            (KappaWeights::Quadratic, Some([_, squared])) => squared.into(),
            (_, None) => view.pairs.iter().try_fold(0_u128, |sum, ((gold, predicted), times)| {
                let distance = layout.place(gold)?.abs_diff(layout.place(predicted)?) as u64;
                Ok::<_, InputError>(
                    sum.saturating_add(weights.weight(distance).saturating_mul((*times).into())),
                )
            })?,
        };
        weighted_kappa(layout.names(), weights, &view.labels, seen)
    }

    /// Returns the number that is the score. Also returns the average precision, recall and F if the score is
    /// one of them.
    fn headline(&self, view: &CountsView<'_>, segments: u64) -> Result<(f64, Option<Prf>)> {
        let average = if self.options.score.is_average() { self.average(view)? } else { None };
        let (number, reason) = match self.options.score {
            LabelScore::F => (average.map(|prf| prf.f), NO_LABEL),
            LabelScore::Precision => (average.map(|prf| prf.precision), NO_LABEL),
            LabelScore::Recall => (average.map(|prf| prf.recall), NO_LABEL),
            LabelScore::Accuracy => (self.accuracy(view, segments), NO_LABEL),
            LabelScore::Balanced => (balanced(&view.labels)?, NO_LABEL),
            // MCC is 0 if one side has a single label, but an empty corpus has no score.
            LabelScore::Mcc => (Some(mcc(&view.labels)?).filter(|_| !view.labels.is_empty()), NO_LABEL),
            LabelScore::Kappa => {
                (self.kappa(view)?, "all references and predictions are one label, or there are none")
            }
        };
        let number = number.filter(|number| !number.is_nan());
        let number = number.ok_or_else(|| InputError::no_score(self.identity().name(), reason))?;
        Ok((number, average))
    }
}

const NO_LABEL: &str = "no reference has a label to average over, or no label of only=.. occurs";

fn sums(view: &CountsView<'_>) -> LabelSums {
    LabelSums::from_tallies(view.labels.iter().map(|(_, tally)| *tally))
}

impl Metric for Labels {
    type Stats = LabelCounts;
    type Score = PlainScore;
    type Scratch = ();

    fn identity(&self) -> Identity {
        // The options of finishing are added only if the chosen score uses them, so that equal numbers have
        // equal signatures.
        let options = &self.options;
        let agreement = matches!(options.score, LabelScore::Mcc | LabelScore::Kappa);
        let scale = if agreement { Scale::higher_is_better(-1.0, 1.0) } else { Scale::UNIT };
        let separator = match &options.items {
            SegmentLabels::Set(separator) => Some(separator.name().to_owned()),
            SegmentLabels::One | SegmentLabels::Tokens => None,
        };
        let mut identity = Identity::new("labels", 1, scale)
            .needing(|needs| (needs.one_reference, needs.labels) = (true, true))
            .option(LabelSettings::OPTION.multilabel, separator)
            .option(LabelSettings::OPTION.tokens, options.items == SegmentLabels::Tokens)
            .option(LabelSettings::OPTION.labels, options.labels.as_deref().map(names::print))
            .option(LabelSettings::OPTION.confusion, options.confusion)
            .option(LabelSettings::OPTION.score, options.score);
        if options.score.is_average() {
            identity = identity
                .option(LabelSettings::OPTION.average, options.average)
                .option(LabelSettings::OPTION.only, options.only.as_deref().map(names::print))
                .option(LabelSettings::OPTION.zero, options.zero);
        }
        if options.score == LabelScore::F {
            identity = identity.option(LabelSettings::OPTION.beta, options.beta);
        }
        if options.score == LabelScore::Kappa {
            identity = identity.option(LabelSettings::OPTION.weights, options.weights);
        }
        let one_label = options.items == SegmentLabels::One && options.score == LabelScore::Accuracy;
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
        let unseen = self.unseen(&view) as u64;
        if unseen > 0 {
            score = score.with_count("unseen", unseen);
        }
        score = show::each(score, "label", &view.labels, self.rule(), self.options.per_label, 1);
        Ok(show::confusion(score, &view.pairs))
    }

    fn number(&self, stats: &LabelCounts, counts: &SegmentCounts) -> Result<f64> {
        Ok(self.headline(&stats.view(), counts.segments)?.0)
    }

    fn check(&self, stats: &LabelCounts, counts: &SegmentCounts) -> Result<()> {
        stats.check(counts)?;
        stats.require_layout(self.row())?;
        let view = stats.view();
        view.check(self.options.confusion, matches!(self.options.items, SegmentLabels::Set(_)))?;
        let sums = sums(&view);
        let segments = counts.segments;
        let refuse = |message: String| Err(InputError::malformed_state(message));
        if let SegmentLabels::Set(_) = self.options.items {
            // A set has a label at most once, so that no label can occur in more sets than there are
            // segments.
            let most = view.labels.iter().map(|(_, tally)| tally.predicted.max(tally.gold)).max();
            InputError::require_at_most("a label of sets", most.unwrap_or_default(), "segments", segments)?;
            InputError::require_at_most("equal sets", view.equal, "segments", segments)?;
            return if self.layout.is_some() { Ok(()) } else { view.check_sets(segments) };
        }
        // Single labels and tags come in pairs, one on each side.
        if sums.predicted != sums.gold
            || self.options.items == SegmentLabels::One && sums.gold != segments.into()
        {
            let LabelSums { gold, predicted, .. } = sums;
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
            SegmentLabels::One => {
                let pair = one(gold, predicted)?;
                // The common case allocates nothing: the labels are borrowed from the texts.
                let labels: &[(&str, LabelTally)] = if gold == predicted {
                    &[(gold, LabelTally::RIGHT)]
                } else {
                    &[(gold, LabelTally::GOLD), (predicted, LabelTally::PREDICTED)]
                };
                self.add(stats, SeenLabels { labels, pairs: &[(pair, 1)], ..SeenLabels::default() })
            }
            SegmentLabels::Tokens => {
                let [gold, predicted] =
                    [gold, predicted].map(|text| whitespace::split(text).collect::<Vec<_>>());
                self.add_places(stats, &gold, &predicted)
            }
            SegmentLabels::Set(separator) => {
                self.add_sets(stats, &SegmentSets::of_texts(separator, gold, predicted)?)
            }
        }
    }
}

/// Reads the labels from a list: as a set of labels, or as one label for each position.
impl Observe<TextList> for Labels {
    fn observe(&self, (): &mut (), stats: &mut LabelCounts, segment: Segment<'_, TextList>) -> Result<()> {
        let gold = segment.one_reference("labels")?;
        let predicted = segment.hypothesis;
        match self.options.items {
            SegmentLabels::Set(_) => {
                self.add_sets(stats, &SegmentSets::new(gold.0.clone(), predicted.0.clone()))
            }
            SegmentLabels::Tokens => self.add_places(stats, &gold.strs(), &predicted.strs()),
            SegmentLabels::One => {
                Err(InputError::malformed("labels are single ones, but a list is given: set multilabel=list"))
            }
        }
    }
}

impl Labels {
    fn add_places(&self, stats: &mut LabelCounts, gold: &[&str], predicted: &[&str]) -> Result<()> {
        let pairs = places(gold, predicted)?;
        let labels = crate::seen::labels_of(&pairs);
        self.add(stats, SeenLabels { labels: &labels, pairs: &pairs, ..SeenLabels::default() })
    }

    fn add_sets(&self, stats: &mut LabelCounts, sets: &SegmentSets) -> Result<()> {
        self.add(
            stats,
            SeenLabels { labels: &sets.labels(), set: Some(sets.sizes()), ..SeenLabels::default() },
        )
    }

    fn add(&self, stats: &mut LabelCounts, seen: SeenLabels<'_>) -> Result<()> {
        // Check all labels before any count changes, so that an undeclared label leaves the statistics as
        // they were.
        if let Some(layout) = &self.layout {
            seen.labels.iter().try_for_each(|(label, _)| layout.place(label).map(drop))?;
        }
        self.remarks.look_at(seen.labels);
        stats.observe(SeenLabels { confusion: self.options.confusion, ..seen })
    }
}

fn build(options: &MetricOptions) -> Result<AnyMetric, ConfigError> {
    let options = LabelOptions::given(options)?;
    let lists = options.items == SegmentLabels::Set(Separator::List);
    let labels = Labels::new(options)?;
    let remarks = labels.remarks.clone();
    let mut metric =
        if lists { AnyMetric::for_own::<TextList, _>(labels) } else { AnyMetric::for_text(labels) };
    metric.view.remarks = DataRemarks::new(move || remarks.sentences());
    Ok(metric)
}

pub(crate) const ENTRY: MetricEntry = MetricEntry::new(
    "labels",
    "Labels against labels: accuracy, precision, recall, F, MCC and kappa, of one label or sets",
    build,
)
.spellings(&[
    Spelling::new("accuracy", "labels:score=accuracy"),
    Spelling::ambiguous(
        "f1",
        "choose squad_f1 for the words of answers, labels:score=f for labels, or spans for spans",
    ),
])
.agrees_with("scikit-learn 1.9.1")
.rows_with("labels=a/b, all labels in their order")
.papers(&[crate::paper("cohen-1960-kappa"), crate::paper("gorodkin-2004-correlation")])
.options(LabelSettings::SPECS)
.example(r#"{"hypothesis": "cat", "reference": "cat"}"#);

#[cfg(test)]
mod tests;
