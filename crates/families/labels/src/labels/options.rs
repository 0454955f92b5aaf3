//! Options of the metric `labels`, and their names on the command line, in Python and in SQL.

use bleuprint_core::{Choice, ConfigError};
use bleuprint_registry::{MetricOptions, Opt, settings};

use crate::agreement::KappaWeights;
use crate::average::{Average, ZeroQuotient};
use crate::names;
use crate::read::{SegmentLabels, Separator};
use crate::row::RowKind;
use crate::show::averaged;

bleuprint_core::choice! {
    /// The number that becomes the score of the metric [`Labels`](crate::Labels), such as F or accuracy. A
    /// score that is one of precision, recall and F also reports the other two.
    pub enum LabelScore {
        /// The average over labels of F, the harmonic mean of precision and recall.
        F = "f",
        /// The average over labels of the precision.
        Precision = "precision",
        /// The average over labels of the recall.
        Recall = "recall",
        /// The share of segments, or of positions in segments, whose label is right.
        Accuracy = "accuracy",
        /// Balanced accuracy: the mean recall of the labels that occur in the references.
        Balanced = "balanced",
        /// Matthews' correlation of predictions and references.
        Mcc = "mcc",
        /// Cohen's kappa, the agreement of predictions and references beyond chance.
        Kappa = "kappa",
    }
}

impl LabelScore {
    /// Returns `true` if the score is an average over labels.
    pub(crate) fn is_average(self) -> bool {
        matches!(self, LabelScore::F | LabelScore::Precision | LabelScore::Recall)
    }
}

/// Options of the metric [`Labels`](crate::Labels), such as which number is the score and how it is averaged.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct LabelOptions {
    /// How the labels of a segment are written in its text: one label, one per word, or a set.
    pub items: SegmentLabels,
    /// All possible labels in their order, if they are declared; any other label is then an error.
    pub labels: Option<Vec<String>>,
    /// `true` to count each pair of reference label and predicted label, for the confusion matrix.
    pub confusion: bool,
    /// The number that becomes the score, for example F or accuracy.
    pub score: LabelScore,
    /// How precision, recall and F are averaged over labels.
    pub average: Average,
    /// β of the F-score, which sets the weight of recall relative to precision; from 1e-6 to 1e6.
    pub beta: f64,
    /// Value of a precision, recall or F whose denominator is 0.
    pub zero: ZeroQuotient,
    /// The labels over which precision, recall and F are averaged; `None` for all labels.
    pub only: Option<Vec<String>>,
    /// How much a wrong label costs in Cohen's kappa.
    pub weights: KappaWeights,
    /// `true` to show precision, recall and F of every label in the text output, too.
    pub per_label: bool,
}

impl Default for LabelOptions {
    fn default() -> Self {
        LabelOptions {
            items: SegmentLabels::One,
            labels: None,
            confusion: false,
            score: LabelScore::F,
            average: Average::Macro,
            beta: 1.0,
            zero: ZeroQuotient::Zero,
            only: None,
            weights: KappaWeights::None,
            per_label: false,
        }
    }
}

settings! {
    /// The options as users give them, from which [`LabelOptions`] follow.
    pub(super) struct LabelSettings {
        /// The number that is the score
        score: LabelScore = Opt::choice("labels-score").finished("of", "of");
        /// The average over labels of precision, recall and F
        average: Average = Opt::choice("labels-average").finished("average", "avg");
        /// All labels, in order, with / between: counts are a row then, and any other label is an error
        labels: Option<String> = Opt::name("labels-labels", "any").counted("labels", "l");
        /// The labels that averages are over, with / between
        only: Option<String> = Opt::name("labels-only", "all").finished("only", "o");
        /// A set of labels: `json` for arrays in text, `list` for arrays in records, `space`, or the characters between two
        multilabel: Option<String> = Opt::name("labels-multilabel", "one label").counted("multilabel", "ml");
        /// A label for each word of a text, as tags of tokens
        tokens: bool = Opt::flag("labels-tokens").counted("tokens", "tokens").words("yes", "");
        /// Count pairs of labels, for the confusion matrix
        confusion: bool = Opt::flag("labels-confusion").counted("confusion", "cm").words("yes", "");
        /// The cost of unlike labels in kappa, by their distance in labels=..
        weights: KappaWeights = Opt::choice("labels-weights").finished("weights", "w");
        /// The weight of recall in F
        beta: f64 = Opt::number("labels-beta", 1.0).magnitude(1e-6, 1e6).finished("beta", "b").unless_default();
        /// The value of a quotient whose denominator is 0; nan leaves it out of the average
        zero: ZeroQuotient = Opt::choice("labels-zero").finished("zero", "z");
        /// Show precision, recall and F of every label
        per_label: bool = Opt::either("labels-per", &["all", "label"]);
    }
}

impl LabelOptions {
    /// Reads the options of the metric over labels from the user's settings.
    ///
    /// # Errors
    /// Returns an error for a value that an option rejects, or if both `multilabel` and `tokens` are set.
    pub(super) fn given(options: &MetricOptions) -> Result<Self, ConfigError> {
        let given = LabelSettings::from_options(options)?;
        let list = |option: Opt<Option<String>>, value: Option<String>| {
            value.map(|text| names::read(option.spec.name, &text)).transpose()
        };
        let items = match (given.multilabel, given.tokens) {
            (Some(_), true) => {
                return conflict("labels are sets (multilabel=..) or tags (tokens=yes), not both");
            }
            (Some(separator), false) => SegmentLabels::Set(Separator::named(&separator)?),
            (None, true) => SegmentLabels::Tokens,
            (None, false) => SegmentLabels::One,
        };
        Ok(LabelOptions {
            items,
            labels: list(LabelSettings::OPTION.labels, given.labels)?,
            confusion: given.confusion,
            score: given.score,
            average: given.average,
            beta: given.beta,
            zero: given.zero,
            only: list(LabelSettings::OPTION.only, given.only)?,
            weights: given.weights,
            per_label: given.per_label,
        })
    }

    /// Returns an error if options contradict each other.
    pub(super) fn check(&self) -> Result<(), ConfigError> {
        LabelSettings::OPTION.beta.check(self.beta)?;
        let sets = matches!(self.items, SegmentLabels::Set(_));
        let samples = self.score.is_average() && self.average == Average::Samples;
        // A sample average needs the sizes of every set, which a row of declared labels does not store and
        // which no choice of labels can change afterwards.
        if samples && (!sets || self.labels.is_some() || self.only.is_some()) {
            return conflict(
                "average=samples is for sets of labels (multilabel=..), without labels=.. and only=..",
            );
        }
        if self.only.is_some() && !self.score.is_average() {
            return conflict("only=.. is for averages: set score=f, precision or recall");
        }
        // Distances exist only between labels with a declared order.
        if self.weights != KappaWeights::None && (self.labels.is_none() || self.score != LabelScore::Kappa) {
            return conflict("weights=.. is for score=kappa with the order of labels: set labels=a/b/c");
        }
        // Matthews' correlation, kappa and the confusion matrix pair one label with one; sets have no such
        // pairs.
        if sets && (self.confusion || !self.score.is_average() && self.score != LabelScore::Accuracy) {
            return conflict(
                "sets of labels have averages and accuracy: leave out confusion, set another score",
            );
        }
        Ok(())
    }

    /// Returns the column heading of the score in result tables, for example `accuracy`.
    pub(super) fn heading(&self) -> String {
        match self.score {
            LabelScore::F if self.beta == 1.0 => averaged("F1", self.average),
            LabelScore::F => averaged(&format!("F{}", self.beta), self.average),
            LabelScore::Precision => averaged("precision", self.average),
            LabelScore::Recall => averaged("recall", self.average),
            LabelScore::Accuracy => "accuracy".to_owned(),
            LabelScore::Balanced => "balanced accuracy".to_owned(),
            LabelScore::Mcc => "MCC".to_owned(),
            LabelScore::Kappa if self.weights == KappaWeights::None => "kappa".to_owned(),
            LabelScore::Kappa => format!("{} kappa", self.weights.name()),
        }
    }

    /// Returns which extra columns a row of label counts has. Every row has three columns for each declared
    /// label; sets of labels and single labels need different columns after these.
    pub(super) fn row_kind(&self) -> RowKind {
        if matches!(self.items, SegmentLabels::Set(_)) { RowKind::Sets } else { RowKind::Ordered }
    }
}

fn conflict<T>(message: &str) -> Result<T, ConfigError> {
    Err(ConfigError::Conflict(message.to_owned()))
}
