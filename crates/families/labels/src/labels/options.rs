//! The options of `labels`, and their names for doors.

use bleuprint_core::{Choice, ConfigError};
use bleuprint_registry::{MetricOptions, Opt};

use crate::agreement::Weights;
use crate::average::Average;
use crate::names;
use crate::read::{Items, Separator};
use crate::row::RowKind;
use crate::show::averaged;

bleuprint_core::choice! {
    /// The number that is the score; all others of its kind are parts.
    pub enum LabelScore {
        /// F of the average.
        F = "f",
        /// Precision of the average.
        Precision = "precision",
        /// Recall of the average.
        Recall = "recall",
        /// The share of segments, or places, that are right.
        Accuracy = "accuracy",
        /// The mean recall of the labels that the references have.
        Balanced = "balanced",
        /// Matthews' correlation.
        Mcc = "mcc",
        /// Cohen's kappa.
        Kappa = "kappa",
    }
}

impl LabelScore {
    /// Whether it is of an average over labels.
    pub(crate) fn is_average(self) -> bool {
        matches!(self, LabelScore::F | LabelScore::Precision | LabelScore::Recall)
    }
}

/// The options of [`Labels`](crate::Labels).
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct LabelOptions {
    /// The labels of a segment.
    pub items: Items,
    /// All labels there are, in their order; any other is an error then.
    pub labels: Option<Vec<String>>,
    /// Whether pairs of labels are counted, for the confusion matrix.
    pub confusion: bool,
    /// The number that is the score.
    pub score: LabelScore,
    /// The average of precision, recall and F.
    pub average: Average,
    /// The weight of recall in F, above 0.
    pub beta: f64,
    /// Whether a quotient without a denominator is 1, in place of 0.
    pub zero_is_one: bool,
    /// The labels that averages are over; by default all.
    pub only: Option<Vec<String>>,
    /// The weights of kappa.
    pub weights: Weights,
    /// Whether the line of text has the parts of every label.
    pub per_label: bool,
}

impl Default for LabelOptions {
    fn default() -> Self {
        LabelOptions {
            items: Items::One,
            labels: None,
            confusion: false,
            score: LabelScore::F,
            average: Average::Macro,
            beta: 1.0,
            zero_is_one: false,
            only: None,
            weights: Weights::None,
            per_label: false,
        }
    }
}

pub(super) const MULTILABEL: Opt<Option<String>> = Opt::name("labels-multilabel", "one label")
    .counted("multilabel", "ml")
    .help("A set of labels: `json` for arrays in text, `list` for arrays in records, `space`, or the characters between two");
pub(super) const TOKENS: Opt<bool> = Opt::flag("labels-tokens")
    .counted("tokens", "tokens")
    .words("yes", "")
    .help("A label for each word of a text, as tags of tokens");
pub(super) const LABELS: Opt<Option<String>> = Opt::name("labels-labels", "any")
    .counted("labels", "l")
    .help("All labels, in order, with / between: counts are a row then, and any other label is an error");
pub(super) const CONFUSION: Opt<bool> = Opt::flag("labels-confusion")
    .counted("confusion", "cm")
    .words("yes", "")
    .help("Count pairs of labels, for the confusion matrix");
pub(super) const SCORE: Opt<LabelScore> =
    Opt::choice("labels-score").finished("of", "of").help("The number that is the score");
pub(super) const AVERAGE: Opt<Average> = Opt::choice("labels-average")
    .finished("average", "avg")
    .help("The average over labels of precision, recall and F");
pub(super) const BETA: Opt<f64> = Opt::number("labels-beta", 1.0)
    .above(0)
    .finished("beta", "b")
    .unless_default()
    .help("The weight of recall in F");
pub(super) const ZERO: Opt<&str> = Opt::word("labels-zero", &["0", "1"], "0")
    .finished("zero", "z")
    .help("The value of a quotient whose denominator is 0");
pub(super) const ONLY: Opt<Option<String>> = Opt::name("labels-only", "all")
    .finished("only", "o")
    .help("The labels that averages are over, with / between");
pub(super) const WEIGHTS: Opt<Weights> = Opt::choice("labels-weights")
    .finished("weights", "w")
    .help("The cost of unlike labels in kappa, by their distance in labels=..");
pub(super) const PER: Opt<&str> =
    Opt::word("labels-per", &["all", "label"], "all").help("Show precision, recall and F of every label");

impl LabelOptions {
    /// The options that a door was given.
    ///
    /// # Errors
    /// Values that the options do not take.
    pub(super) fn given(options: &MetricOptions) -> Result<Self, ConfigError> {
        let list = |option: &Opt<Option<String>>| {
            option.of(options)?.map(|text| names::read(option.spec.name, &text)).transpose()
        };
        let items = match (MULTILABEL.of(options)?, TOKENS.of(options)?) {
            (Some(_), true) => {
                return conflict("labels are sets (multilabel=..) or tags (tokens=yes), not both");
            }
            (Some(separator), false) => Items::Set(Separator::named(&separator)?),
            (None, true) => Items::Tokens,
            (None, false) => Items::One,
        };
        Ok(LabelOptions {
            items,
            labels: list(&LABELS)?,
            confusion: CONFUSION.of(options)?,
            score: SCORE.of(options)?,
            average: AVERAGE.of(options)?,
            beta: BETA.of(options)?,
            zero_is_one: ZERO.of(options)? == "1",
            only: list(&ONLY)?,
            weights: WEIGHTS.of(options)?,
            per_label: PER.of(options)? == "label",
        })
    }

    /// Refuses options that contradict each other.
    pub(super) fn check(&self) -> Result<(), ConfigError> {
        BETA.check(self.beta)?;
        let sets = matches!(self.items, Items::Set(_));
        let samples = self.score.is_average() && self.average == Average::Samples;
        if samples && (!sets || self.labels.is_some() || self.only.is_some()) {
            return conflict(
                "average=samples is for sets of labels (multilabel=..), without labels=.. and only=..",
            );
        }
        if self.only.is_some() && !self.score.is_average() {
            return conflict("only=.. is for averages: set score=f, precision or recall");
        }
        if self.weights != Weights::None && (self.labels.is_none() || self.score != LabelScore::Kappa) {
            return conflict("weights=.. is for score=kappa with the order of labels: set labels=a/b/c");
        }
        if sets && (self.confusion || !self.score.is_average() && self.score != LabelScore::Accuracy) {
            return conflict(
                "sets of labels have averages and accuracy: leave out confusion, set another score",
            );
        }
        Ok(())
    }

    /// The name of the score in tables.
    pub(super) fn heading(&self) -> String {
        match self.score {
            LabelScore::F if self.beta == 1.0 => averaged("F1", self.average),
            LabelScore::F => averaged(&format!("F{}", self.beta), self.average),
            LabelScore::Precision => averaged("precision", self.average),
            LabelScore::Recall => averaged("recall", self.average),
            LabelScore::Accuracy => "accuracy".to_owned(),
            LabelScore::Balanced => "balanced accuracy".to_owned(),
            LabelScore::Mcc => "MCC".to_owned(),
            LabelScore::Kappa if self.weights == Weights::None => "kappa".to_owned(),
            LabelScore::Kappa => format!("{} kappa", self.weights.name()),
        }
    }

    /// The columns that rows of declared labels share.
    pub(super) fn row_kind(&self) -> RowKind {
        if matches!(self.items, Items::Set(_)) { RowKind::Sets } else { RowKind::Ordered }
    }
}

fn conflict<T>(message: &str) -> Result<T, ConfigError> {
    Err(ConfigError::Conflict(message.to_owned()))
}
