//! [`zero_weights`]: finds metrics that learned a weight of 0 for every n-gram, so that even a copy of the
//! reference scores 0.

use bleuprint_core::{Accumulator, Metric as _, Observe, counted};

use super::{LikelyMistake, MistakeWording};
use crate::Panel;

/// Largest number of references that are scored against themselves to find weights of 0.
const COPIES: usize = 8;

/// Returns the names of the metrics of a panel that learned a weight of 0 for every n-gram of these
/// references. CIDEr does so if all texts have the same n-grams, for example if there is only one text.
pub fn zero_weights<'r, S: ?Sized + 'r>(
    panel: &Panel,
    references: impl IntoIterator<Item = &'r S>,
) -> Vec<String>
where
    Panel: Observe<S>,
{
    let references: Vec<&S> = references.into_iter().take(COPIES).collect();
    let learned = panel.metrics().enumerate().filter(|(_, metric)| metric.learned().is_some());
    let zero = learned.filter(|(place, metric)| {
        let Ok(only) = panel.only(*place) else { return false };
        let mut copies = Accumulator::<&Panel, S>::new(&only);
        let fine = references.iter().all(|reference| copies.push(*reference, &[*reference]).is_ok());
        fine && copies.score().is_ok_and(|scored| scored.score.value <= metric.scale().min)
    });
    zero.map(|(_, metric)| metric.identity().name()).collect()
}

impl LikelyMistake {
    /// Creates the warning that the metric with this name learned only weights of 0 from `segments` segments.
    pub fn of_zero_weights(name: &str, segments: usize, wording: MistakeWording) -> Self {
        let texts = counted(segments, "segment");
        let remedy = wording.choose(
            "`--learned FILE` takes weights of more texts, which `--save-learned` writes",
            "`learn` takes weights from more references",
        );
        let message = format!(
            "{name} learned weights that are all 0, from {texts} with the same n-grams: even a copy of a reference scores 0; {remedy}"
        );
        LikelyMistake { rule: "weights", message }
    }
}
