//! Computes human scores, for each system and segment, from ratings and marked errors.

use std::collections::{BTreeMap, HashMap};

use bleuprint::contract::ExactSum;
use bleuprint::{ConfigError, InputError, Location, Result};
use bleuprint_math::exact_mean;

use super::ratings::{MarkedError, Rating};

/// Returns system, item and mean rating for each rated output. The mean is `None` if none of its ratings has
/// a score.
pub(super) fn averaged(ratings: &[Rating]) -> Vec<(String, String, Option<f64>)> {
    let mut cells: BTreeMap<(&str, &str), Vec<f64>> = BTreeMap::new();
    for rating in ratings {
        cells.entry((&rating.system, &rating.item)).or_default().extend(rating.score);
    }
    let mean = |((system, item), scores): ((&str, &str), Vec<f64>)| {
        let mean = (!scores.is_empty()).then(|| exact_mean(&scores));
        (system.to_owned(), item.to_owned(), mean)
    };
    cells.into_iter().map(mean).collect()
}

/// Standardizes ratings: subtracts the mean of the rater's scores, and divides by their standard deviation
/// (of `n − 1`), as published for direct assessment. Drops ratings of raters with fewer than two ratings or
/// with only equal ones, and returns the number of dropped ratings second.
///
/// # Errors
/// Returns an error with the line of a rating without a rater.
pub(super) fn standardized_ratings(ratings: &[Rating]) -> Result<(Vec<Rating>, usize)> {
    let mut raters: HashMap<&str, Vec<f64>> = HashMap::new();
    for rating in ratings {
        let Some(rater) = &rating.rater else {
            let place = Location { line: Some(rating.line), ..Location::default() };
            return Err(InputError::malformed("the rating has no rater: --standardize needs one").at(place));
        };
        raters.entry(rater).or_default().extend(rating.score);
    }
    let moments = |scores: &Vec<f64>| {
        let mean = exact_mean(scores);
        // The two-pass formula loses no digits if the ratings are large and close together.
        let squares: f64 = scores.iter().map(|score| (score - mean) * (score - mean)).sum();
        let deviation = (squares / (scores.len() as f64 - 1.0)).sqrt();
        (scores.len() > 1 && deviation > 0.0).then_some((mean, deviation))
    };
    let moments: HashMap<&str, Option<(f64, f64)>> =
        raters.iter().map(|(rater, scores)| (*rater, moments(scores))).collect();
    let standardize = |rating: &Rating| {
        let (mean, deviation) = moments.get(rating.rater.as_deref()?).copied().flatten()?;
        Some(Rating { score: rating.score.map(|score| (score - mean) / deviation), ..rating.clone() })
    };
    let kept: Vec<Rating> = ratings.iter().filter_map(standardize).collect();
    let dropped = ratings.len() - kept.len();
    Ok((kept, dropped))
}

/// Weights of the errors that people mark (MQM), keyed by `severity/category/subcategory`,
/// `severity/category` or `severity`. The most specific key is used; keys ignore case.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ErrorWeights {
    weights: HashMap<String, f64>,
}

impl Default for ErrorWeights {
    /// Returns Google's MQM weights: 5 for major errors, 1 for minor ones, 0.1 for minor punctuation, 25 for
    /// a text that is not a translation, and 0 for neutral remarks and no error.
    fn default() -> Self {
        let weights = [
            ("major", 5.0),
            ("minor", 1.0),
            ("neutral", 0.0),
            ("no-error", 0.0),
            ("major/non-translation!", 25.0),
            ("minor/fluency/punctuation", 0.1),
        ];
        ErrorWeights { weights: weights.map(|(name, weight)| (name.to_owned(), weight)).into() }
    }
}

impl ErrorWeights {
    /// Sets the weight of a kind of error from text such as `Critical=10` or `Major/Fluency=3`.
    ///
    /// # Errors
    /// Returns an error if the text is not `NAME=NUMBER`, or the number is not from 0 to 1,000,000.
    pub(super) fn set(&mut self, given: &str) -> Result<(), ConfigError> {
        let wrong =
            || ConfigError::out_of_range("weight", given, "NAME=NUMBER, with a number from 0 to 1000000");
        let (name, weight) = given.rsplit_once('=').ok_or_else(wrong)?;
        let weight: f64 = weight.parse().map_err(|_| wrong())?;
        if name.is_empty() || !(0.0..=1e6).contains(&weight) {
            return Err(wrong());
        }
        self.weights.insert(name.to_lowercase(), weight);
        Ok(())
    }

    fn weight(&self, error: &MarkedError) -> Result<f64> {
        let mut name = format!("{}/{}", error.severity, error.category).to_lowercase();
        // The key loses its last part until a weight is known: subcategory, category, severity.
        loop {
            if let Some(weight) = self.weights.get(&name) {
                return Ok(*weight);
            }
            match name.rsplit_once('/') {
                Some((shorter, _)) => name = shorter.to_owned(),
                None => break,
            }
        }
        let severity = &error.severity;
        let message =
            format!("the severity `{severity}` has no weight; give one with --weight {severity}=NUMBER");
        Err(InputError::malformed(message).at(Location { line: Some(error.line), ..Location::default() }))
    }
}

/// Output of a system for one segment, with a score computed from the errors that people marked.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct MarkedCell {
    /// Name of the system that produced the output.
    pub(super) system: String,
    /// Name of the document that contains the segment.
    pub(super) document: String,
    /// Number of the segment within its document, counted from 1.
    pub(super) within: u64,
    /// Number of the segment in the test set, from 1.
    pub(super) segment: u64,
    /// Sum of the weights of the marked errors, averaged over raters and negated, so that higher is better.
    pub(super) score: f64,
}

/// Computes a score for each output from its marked errors, and returns them sorted by system, document and
/// segment.
///
/// # Errors
/// Returns an error for a severity without a weight, with its line, and for a gap in the segments of a
/// document.
pub(super) fn marked_scores(errors: &[MarkedError], weights: &ErrorWeights) -> Result<Vec<MarkedCell>> {
    type Raters<'e> = (u64, BTreeMap<&'e str, ExactSum>);
    let mut cells: BTreeMap<(&str, &str, u64), Raters<'_>> = BTreeMap::new();
    for error in errors {
        let (_, raters) = cells
            .entry((&error.system, &error.document, error.within))
            .or_insert_with(|| (error.segment, BTreeMap::new()));
        raters.entry(&error.rater).or_default().add(weights.weight(error)?)?;
    }
    let mut last: Option<(&str, &str, u64)> = None;
    for &(system, document, within) in cells.keys() {
        let before = last.filter(|last| (last.0, last.1) == (system, document)).map_or(0, |last| last.2);
        // Raters mark each segment, if only by no-error; a gap means that rows are lost.
        if within != before + 1 {
            let message = format!(
                "system `{system}`, document `{document}`: segment {} is missing, but segment {within} is there",
                before + 1
            );
            return Err(InputError::malformed(message));
        }
        last = Some((system, document, within));
    }
    let scored = |((system, document, within), (segment, raters)): ((&str, &str, u64), Raters<'_>)| {
        // Each rater judges the whole segment, so errors are summed by rater before the mean.
        let sums: Vec<f64> = raters.values().map(ExactSum::to_f64).collect();
        let system = system.to_owned();
        let document = document.to_owned();
        MarkedCell { system, document, within, segment, score: -exact_mean(&sums) }
    };
    Ok(cells.into_iter().map(scored).collect())
}
