//! Adds further numbers to the scores of labels: the average, the numbers of every label, and the confusion
//! matrix.

use bleuprint_core::Choice as _;
use bleuprint_core::{PartValue, PlainScore, ScorePart, ShowPart};

use crate::average::{Average, AverageRule};
use crate::seen::Pair;
use crate::tally::{LabelTally, Prf};

/// Returns the column heading of a number with its kind of average over labels, for example `macro F1`.
pub(crate) fn averaged(name: &str, average: Average) -> String {
    format!("{} {name}", average.name())
}

/// Adds the average precision, recall and F over labels to the parts of a score.
pub(crate) fn prf(score: PlainScore, Prf { precision, recall, f }: Prf) -> PlainScore {
    // A number that is left out has no value to show.
    let numbers = [("precision", precision), ("recall", recall), ("f", f)].into_iter();
    numbers
        .filter(|(_, number)| !number.is_nan())
        .fold(score, |score, (name, number)| score.with(ScorePart::number(name, number, 4)))
}

/// Adds precision, recall, F and support of every label to a score. JSON output always has them, text output
/// only if `shown`. `unit` is the count of one case, which is 2 if counts are in halves.
pub(crate) fn each(
    score: PlainScore,
    what: &str,
    labels: &[(&str, LabelTally)],
    rule: AverageRule,
    shown: bool,
    unit: u64,
) -> PlainScore {
    labels.iter().fold(score, |score, (label, tally)| {
        let Prf { precision, recall, f } = rule.precision_recall_f(*tally);
        let numbers = [("precision", precision), ("recall", recall), ("f", f)].into_iter();
        let score = numbers.filter(|(_, number)| !number.is_nan()).fold(score, |score, (name, number)| {
            let key = format!("{what}.{label}.{name}");
            let show = if shown { ShowPart::Labelled(key.clone().into(), 4) } else { ShowPart::Hidden };
            score.with(ScorePart::new(key, show, PartValue::Number(number)))
        });
        let key = format!("{what}.{label}.support");
        let support = PartValue::Count(tally.gold / unit);
        score.with(ScorePart::new(key, ShowPart::Hidden, support))
    })
}

/// Adds the nonzero cells of the confusion matrix to a score, if pairs of labels are counted.
pub(crate) fn confusion(score: PlainScore, pairs: &[(Pair<'_>, u64)]) -> PlainScore {
    if pairs.is_empty() {
        return score;
    }
    let cell =
        |((gold, predicted), times): &(Pair<'_>, u64)| ((*gold).to_owned(), (*predicted).to_owned(), *times);
    let cells = PartValue::Pairs(pairs.iter().map(cell).collect());
    score.with(ScorePart::new("confusion", ShowPart::Labelled("confusion".into(), 0), cells))
}
