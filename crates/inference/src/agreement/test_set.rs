//! [`JudgedTestSet`]: what people and metrics say of one test set.

use std::fmt;
use std::sync::Arc;

use bleuprint_core::{InputError, Result};
use bleuprint_math::exact_mean;

use super::ratings::Ratings;
use crate::{CountRows, leave_one_out};

/// A score of a sum of rows, higher being better.
type Score = dyn Fn(&[u64]) -> f64 + Send + Sync;

/// The rows of every system, from whose sums the scores of systems come.
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

/// The scores of a metric.
#[derive(Debug, Clone)]
pub struct MetricScores {
    /// The name, in tables.
    pub name: String,
    /// The scores of items, higher being better.
    pub scores: Ratings,
    corpus: Option<CorpusScores>,
    /// The signature, where the metric is ours.
    pub signature: Option<String>,
}

impl MetricScores {
    /// A metric of which only the scores of items are known: that of a system is their mean.
    pub fn new(name: impl Into<String>, scores: Ratings) -> Self {
        MetricScores { name: name.into(), scores, corpus: None, signature: None }
    }

    /// A metric whose scores of systems are no means, but come from the sums of rows, as of corpus BLEU: the rows of every
    /// system, one of each item, and the score of their sum, higher being better.
    #[must_use]
    pub fn with_corpus(
        self,
        systems: impl IntoIterator<Item = (String, CountRows)>,
        score: impl Fn(&[u64]) -> f64 + Send + Sync + 'static,
    ) -> Self {
        let mut systems: Vec<(String, CountRows)> = systems.into_iter().collect();
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

    /// The score of each system over the items that people rated.
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

    /// The scores of the items of a system that people rated.
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

    /// Numbers of the rated items of each system whose mean is the system's score: the scores themselves, or those of the
    /// jackknife (`n θ − (n − 1) θ without the item`), to first order.
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

    /// The rows of every system, and the score of their sum.
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
        Err(InputError::no_score(name, "a system has none over the items that people rated"))
    }
}

/// The scores of people and metrics for the same systems and items.
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
    /// The name.
    pub name: String,
    /// The ratings, of systems that have any.
    pub human: Ratings,
    /// The metrics.
    pub metrics: Vec<MetricScores>,
    /// The systems that nobody rated.
    pub unrated: Vec<String>,
}

impl JudgedTestSet {
    /// Puts scores beside ratings. Systems that nobody rated are left out.
    ///
    /// # Errors
    /// No rating, no metric, a metric's name that comes twice; a metric that lacks a rated system, that has a system which the
    /// people do not have, or another number of items.
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
        let metrics = metrics.iter().map(|metric| metric.of_systems(is_rated)).collect();
        let unrated = human.systems().iter().filter(|system| !is_rated(system)).cloned().collect();
        Ok(JudgedTestSet { human: human.of_systems(is_rated), name, metrics, unrated })
    }

    /// Some items alone, by index, under another name.
    ///
    /// # Errors
    /// Those of [`JudgedTestSet::new`]: perhaps none of them is rated.
    pub fn of_items(&self, name: impl Into<String>, items: &[usize]) -> Result<Self> {
        let metrics = self.metrics.iter().map(|metric| metric.of_items(items)).collect::<Result<_>>()?;
        Self::new(name, self.human.of_items(items), metrics)
    }
}
