//! [`JudgedTestSet`]: human scores and metric scores of one test set, for measuring how well the metrics
//! agree with humans.

use std::fmt;
use std::sync::Arc;

use bleuprint_core::{InputError, Result};
use bleuprint_math::exact_mean;

use super::ratings::Ratings;
use crate::{CountRows, leave_one_out};

/// Function that returns the metric's score of a sum of count rows; a higher score is better.
type Score = dyn Fn(&[u64]) -> f64 + Send + Sync;

/// Count rows of every system's segments and the function that turns a sum of rows into a score, as for
/// corpus BLEU.
#[derive(Clone)]
struct CorpusScores {
    systems: Vec<String>,
    rows: Vec<CountRows>,
    score: Arc<Score>,
}

impl fmt::Debug for CorpusScores {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CorpusScores").field("systems", &self.systems).finish_non_exhaustive()
    }
}

impl CorpusScores {
    fn of_systems(&self, keep: impl Fn(&str) -> bool) -> Self {
        let kept = self.systems.iter().zip(&self.rows).filter(|(name, _)| keep(name));
        let (systems, rows) = kept.map(|(name, rows)| (name.clone(), rows.clone())).unzip();
        CorpusScores { systems, rows, score: Arc::clone(&self.score) }
    }

    fn of_items(&self, items: &[usize]) -> Result<Self> {
        let rows = self.rows.iter().map(|rows| part(rows, items)).collect::<Result<_>>()?;
        Ok(CorpusScores { rows, ..self.clone() })
    }
}

fn part(rows: &CountRows, items: &[usize]) -> Result<CountRows> {
    let mut part = CountRows::with_columns(rows.columns());
    items.iter().try_for_each(|&item| part.push(rows.row(item)))?;
    Ok(part)
}

/// Scores of one metric for all systems and items of a test set.
#[derive(Debug, Clone)]
pub struct MetricScores {
    /// Name of the metric, as result tables show it.
    pub name: String,
    /// Scores of the items of each system; a higher score is better.
    pub scores: Ratings,
    corpus: Option<CorpusScores>,
    /// Signature of the metric's settings, if Bleuprint computed the metric's scores.
    pub signature: Option<String>,
}

impl MetricScores {
    /// Creates the scores of a metric from its scores of items. The score of a system is the mean of its item
    /// scores.
    pub fn new(name: impl Into<String>, scores: Ratings) -> Self {
        MetricScores { name: name.into(), scores, corpus: None, signature: None }
    }

    /// Sets count rows from which the scores of systems are computed, for metrics such as corpus BLEU whose
    /// system scores are not means. `systems` has the name and the rows of every system, one row for each
    /// item. `score` returns the score of a sum of rows; a higher score is better.
    #[must_use]
    pub fn with_corpus(
        self,
        systems: impl IntoIterator<Item = (String, CountRows)>,
        score: impl Fn(&[u64]) -> f64 + Send + Sync + 'static,
    ) -> Self {
        let mut systems: Vec<(String, CountRows)> = systems.into_iter().collect();
        // The same order as `Ratings`, so that an index addresses one system in both.
        systems.sort_by(|one, other| one.0.cmp(&other.0));
        let (systems, rows) = systems.into_iter().unzip();
        MetricScores { corpus: Some(CorpusScores { systems, rows, score: Arc::new(score) }), ..self }
    }

    fn of_systems(&self, keep: impl Fn(&str) -> bool) -> Self {
        let corpus = self.corpus.as_ref().map(|corpus| corpus.of_systems(&keep));
        MetricScores { scores: self.scores.of_systems(keep), corpus, ..self.clone() }
    }

    fn of_items(&self, items: &[usize]) -> Result<Self> {
        let corpus = self.corpus.as_ref().map(|corpus| corpus.of_items(items)).transpose()?;
        Ok(MetricScores { scores: self.scores.of_items(items), corpus, ..self.clone() })
    }

    /// Returns the score of each system over the items that people rated.
    ///
    /// # Errors
    /// Returns an error if a rated item has no score, if sums of counts overflow, or if a score is not
    /// finite.
    pub(super) fn of_rated(&self, human: &Ratings) -> Result<Vec<f64>> {
        let system = |system: usize| match &self.corpus {
            None => Ok(exact_mean(&self.rated(human, system)?)),
            Some(corpus) => {
                let rows = part(&corpus.rows[system], &rated(human, system))?;
                finite(&self.name, (corpus.score)(&rows.total()?))
            }
        };
        (0..human.systems().len()).map(system).collect()
    }

    /// Returns the metric's scores of one system for the items that people rated.
    fn rated(&self, human: &Ratings, system: usize) -> Result<Vec<f64>> {
        let score = |item: usize| {
            self.scores.get(system, item).ok_or_else(|| {
                let name = &self.name;
                let system = &human.systems()[system];
                let message = format!(
                    "{name} has no score for item {} of system `{system}`, which people rated",
                    item + 1
                );
                InputError::malformed(message)
            })
        };
        rated(human, system).into_iter().map(score).collect()
    }

    /// Returns one number for each human-rated item of each system, so that the mean of a system's numbers is
    /// (nearly) its score. Permutation tests swap these numbers between metrics.
    ///
    /// For metrics that score items, they are the item scores. For corpus metrics they are the jackknife
    /// values `n θ − (n − 1) θ_without`. Here `n` is the number of items, `θ` the score of all items, and
    /// `θ_without` the score of all items but one.
    pub(super) fn shares(&self, human: &Ratings) -> Result<Vec<Vec<f64>>> {
        let system = |system: usize| match &self.corpus {
            None => self.rated(human, system),
            Some(corpus) => {
                let rows = part(&corpus.rows[system], &rated(human, system))?;
                let all = (corpus.score)(&rows.total()?);
                let count = rows.len() as f64;
                let share = |left: f64| finite(&self.name, count * all - (count - 1.0) * left);
                leave_one_out(&rows, &*corpus.score)?.into_iter().map(share).collect()
            }
        };
        (0..human.systems().len()).map(system).collect()
    }

    /// Returns the count rows of every system and the function that scores their sums, or `None` if the
    /// metric has item scores only.
    pub(super) fn rows(&self) -> Option<(&[CountRows], &Score)> {
        self.corpus.as_ref().map(|corpus| (&corpus.rows[..], &*corpus.score))
    }
}

pub(super) fn rated(human: &Ratings, system: usize) -> Vec<usize> {
    let rated = human.row(system).iter().enumerate().filter(|(_, cell)| cell.is_some());
    rated.map(|(item, _)| item).collect()
}

fn finite(name: &str, score: f64) -> Result<f64> {
    if score.is_finite() {
        Ok(score)
    } else {
        Err(InputError::no_score(name, "it is undefined for a system over the items that people rated"))
    }
}

/// Test set with human scores and metric scores for the same systems and items.
///
/// ```
/// use bleuprint_inference::agreement::{MetricScores, Ratings, JudgedTestSet};
/// let human = Ratings::new([("a", vec![Some(1.0), None]), ("b", vec![None, None]), ("c", vec![Some(0.0), Some(2.0)])])?;
/// let scores = |c| Ratings::new([("a", vec![Some(0.5); 2]), ("b", vec![Some(0.5); 2]), (c, vec![Some(0.1); 2])]);
/// let set = JudgedTestSet::new("en-de", human.clone(), vec![MetricScores::new("BLEU", scores("c")?)])?;
/// assert_eq!((set.human.systems().len(), &set.unrated[..]), (2, &["b".to_owned()][..]));
/// let error = JudgedTestSet::new("en-de", human, vec![MetricScores::new("BLEU", scores("d")?)]).unwrap_err();
/// assert_eq!(error.to_string(), "en-de: BLEU has no system `c`, which people rated");
/// # Ok::<(), bleuprint_core::InputError>(())
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct JudgedTestSet {
    /// Name of the test set, such as a language pair.
    pub name: String,
    /// Human ratings of all systems that have at least one rating.
    pub human: Ratings,
    /// Metrics with their scores of the human-rated systems.
    pub metrics: Vec<MetricScores>,
    /// Names of the systems that nobody rated.
    pub unrated: Vec<String>,
}

impl JudgedTestSet {
    /// Combines human ratings with the scores of metrics. Systems without any rating are left out.
    ///
    /// # Errors
    /// Returns an error in these cases:
    /// - There is no rating or no metric.
    /// - A metric's name occurs twice.
    /// - A metric has no scores for a rated system.
    /// - A metric has a system that is not in `human`.
    /// - A metric has a number of items that differs from `human`.
    pub fn new(name: impl Into<String>, human: Ratings, metrics: Vec<MetricScores>) -> Result<Self> {
        let name = name.into();
        let wrong = |message: String| Err(InputError::malformed(format!("{name}: {message}")));
        if human.rated() == 0 {
            return wrong("people rated nothing".to_owned());
        }
        if metrics.is_empty() {
            return wrong("no metric".to_owned());
        }
        let is_rated = |system: &str| human.system(system).is_some_and(|at| !rated(&human, at).is_empty());
        for (place, metric) in metrics.iter().enumerate() {
            let label = &metric.name;
            let scores = &metric.scores;
            if metrics[..place].iter().any(|other| other.name == *label) {
                return wrong(format!("the metric {label} comes twice"));
            }
            if scores.items() != human.items() {
                return wrong(format!(
                    "{label} has scores for {} items, but people for {}",
                    scores.items(),
                    human.items()
                ));
            }
            let lacks =
                human.systems().iter().find(|system| is_rated(system) && scores.system(system).is_none());
            if let Some(system) = lacks {
                return wrong(format!("{label} has no system `{system}`, which people rated"));
            }
            if let Some(system) = scores.systems().iter().find(|system| human.system(system).is_none()) {
                return wrong(format!("{label} has the system `{system}`, which the people do not have"));
            }
        }
        // Metrics and ratings drop the same systems, so that an index addresses one system in both.
        let metrics = metrics.iter().map(|metric| metric.of_systems(is_rated)).collect();
        let unrated = human.systems().iter().filter(|system| !is_rated(system)).cloned().collect();
        Ok(JudgedTestSet { human: human.of_systems(is_rated), name, metrics, unrated })
    }

    /// Returns a new test set with only the given items, selected by index, under the name `name`.
    ///
    /// # Errors
    /// Returns the errors of [`JudgedTestSet::new`], for example if none of the items is rated.
    pub fn of_items(&self, name: impl Into<String>, items: &[usize]) -> Result<Self> {
        let metrics = self.metrics.iter().map(|metric| metric.of_items(items)).collect::<Result<_>>()?;
        Self::new(name, self.human.of_items(items), metrics)
    }
}
