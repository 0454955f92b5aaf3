//! BLEU scores under likely mistakes: means of segment scores, a single reference, swapped files, a missing
//! line, text that was tokenized before scoring.

use bleuprint_core::Result;

use super::cause::{BATCHES, Cause};
use super::choices::{NumberFinisher, NumberSettings, own_tokens, usual_finishers};
use super::counts::{ExplainedCounts, NumberExplanation, Over, finish, number};
use crate::metrics::DialectError;
use crate::text::TokenBuffer;
use crate::{
    Bleu, Case, ConfigError, InputError, State, Tokenizer, TokenizerOptions, Tokenizers, metrics::BleuStats,
    tokenizer,
};

/// Largest number of references that are tried, one by one, as the only reference.
const MOST_REFERENCES: usize = 4;

/// BLEU counts under each likely mistake (such as swapped files) with one tokenizer and case, for the
/// formulas that are commonly used with them.
pub(super) struct Causes {
    finishers: Vec<NumberFinisher>,
    segments: Vec<CauseMean>,
    batches: Vec<SizedBatches>,
    references: Vec<Over>,
    swapped: Option<Over>,
    before_last: Option<State<BleuStats>>,
    /// BLEU counts that test one possible [`Cause`] of a different score: the byte order mark at the start of
    /// a file. They keep this mark in the first segment if the normal counts remove it, and remove it
    /// otherwise. `None` if no text of the first segment begins with this mark.
    marks: Option<(Cause, State<BleuStats>)>,
}

/// Running mean of the BLEU scores of segments or batches, or the error of the first score that is undefined.
#[derive(Clone)]
struct CauseMean {
    sum: Result<f64, DialectError>,
    count: usize,
}

impl CauseMean {
    const EMPTY: CauseMean = CauseMean { sum: Ok(0.0), count: 0 };

    fn add(&mut self, score: Result<f64, DialectError>) {
        self.count += 1;
        if let Ok(sum) = &mut self.sum {
            match score {
                Ok(score) => *sum += score,
                Err(error) => self.sum = Err(error),
            }
        }
    }

    fn mean(&self) -> Result<f64, DialectError> {
        self.sum.clone().map(|sum| sum / self.count as f64)
    }
}

/// Running means of BLEU scores over consecutive batches of `size` segments.
struct SizedBatches {
    size: usize,
    filled: usize,
    batch: Option<State<BleuStats>>,
    means: Vec<CauseMean>,
}

impl Causes {
    /// Creates empty BLEU counts that test likely mistakes in scoring, such as swapped files. Returns `None`
    /// if this tokenizer and letter case are not in the list of common settings, because mistakes are tested
    /// with common settings only.
    pub(super) fn new(name: &str, case: Case) -> Option<Self> {
        let finishers = usual_finishers(name, case);
        let means = vec![CauseMean::EMPTY; finishers.len()];
        let batches = |size| SizedBatches { size, filled: 0, batch: None, means: means.clone() };
        (!finishers.is_empty()).then(|| Causes {
            segments: means.clone(),
            batches: BATCHES.map(batches).into(),
            references: Vec::new(),
            swapped: None,
            before_last: None,
            marks: None,
            finishers,
        })
    }

    /// Adds a segment with the BLEU counts `segment`. `before` is the total without this segment. `like`
    /// creates an empty BLEU counter with an equal tokenizer and case.
    pub(super) fn push(
        &mut self,
        choices: &NumberSettings,
        like: impl Fn() -> Result<Over, ConfigError>,
        (before, segment): (State<BleuStats>, &State<BleuStats>),
        (hypothesis, references): (&str, &[&str]),
    ) -> Result<()> {
        let malformed = |error: ConfigError| InputError::malformed(error.to_string());
        let of = |finisher: NumberFinisher, state: &State<BleuStats>| percent(choices, finisher, state);
        for (mean, finisher) in self.segments.iter_mut().zip(&self.finishers) {
            mean.add(of(*finisher, segment));
        }
        for batches in &mut self.batches {
            match &mut batches.batch {
                Some(batch) => batch.merge(segment)?,
                None => batches.batch = Some(segment.clone()),
            }
            batches.filled += 1;
            if batches.filled == batches.size {
                batches.close(&self.finishers, of);
            }
        }
        if references.len() > 1 {
            while self.references.len() < references.len().min(MOST_REFERENCES) {
                self.references.push(like().map_err(malformed)?);
            }
            for (alone, reference) in self.references.iter_mut().zip(references) {
                alone.push(hypothesis, &[reference])?;
            }
        }
        let swapped = match &mut self.swapped {
            Some(swapped) => swapped,
            none => none.insert(like().map_err(malformed)?),
        };
        if let Some(first) = references.first() {
            swapped.push(first, &[hypothesis])?;
        }
        if let Some((_, total)) = &mut self.marks {
            total.merge(segment)?;
        }
        // Overwritten by every segment, so that after the last one it is the total without the last line.
        self.before_last = Some(before);
        Ok(())
    }

    /// Starts the BLEU counts that test the effect of a byte order mark at the start of a file. `segment` has
    /// the counts of the first segment with the mark kept or removed, contrary to the normal score. `cause`
    /// names this difference.
    pub(super) fn set_marks(&mut self, cause: Cause, segment: State<BleuStats>) {
        self.marks = Some((cause, segment));
    }

    /// Returns the BLEU scores that would result from likely mistakes in scoring, such as swapped files or
    /// averaged sentence scores. Each mistake is combined with each common BLEU formula. `segments` is the
    /// number of segments of the corpus.
    pub(super) fn explain(&self, choices: &NumberSettings, segments: u64) -> Vec<NumberExplanation> {
        let mut rows = Vec::new();
        let with = |finisher, cause| NumberSettings { finisher, cause: Some(cause), ..choices.clone() };
        let of_mean =
            |choices, mean: &CauseMean| NumberExplanation { choices, percent: mean.mean(), scored: None };
        for (place, finisher) in self.finishers.iter().enumerate() {
            rows.push(of_mean(with(*finisher, Cause::SegmentMean), &self.segments[place]));
            // One batch with all segments is the corpus score itself and explains nothing.
            for batches in self.batches.iter().filter(|batches| (batches.size as u64) < segments) {
                let mut mean = batches.means[place].clone();
                // The last batch is usually incomplete, and programs average it with the same weight as the
                // others.
                if let Some(rest) = &batches.batch {
                    mean.add(percent(choices, *finisher, rest));
                }
                rows.push(of_mean(with(*finisher, Cause::BatchMean(batches.size)), &mean));
            }
            let states = self.references.iter().enumerate();
            let states = states.map(|(place, alone)| (Cause::Reference(place + 1), alone.total()));
            let states = states.chain(self.swapped.iter().map(|swapped| (Cause::Swapped, swapped.total())));
            let before = self.before_last.iter().filter(|before| before.counts().segments > 0);
            let states = states.chain(before.map(|before| (Cause::LastLineMissing, before)));
            let states = states.chain(self.marks.iter().map(|(cause, total)| (*cause, total)));
            // A reference stream must cover every segment to be scored alone; a shorter corpus would not be
            // comparable.
            let whole = states.filter(|(cause, state)| {
                *cause == Cause::LastLineMissing || state.counts().segments == segments
            });
            rows.extend(whole.map(|(cause, state)| finish(with(*finisher, cause), state)));
        }
        rows
    }
}

impl SizedBatches {
    fn close(
        &mut self,
        finishers: &[NumberFinisher],
        of: impl Fn(NumberFinisher, &State<BleuStats>) -> Result<f64, DialectError>,
    ) {
        let Some(batch) = self.batch.take() else { return };
        for (mean, finisher) in self.means.iter_mut().zip(finishers) {
            mean.add(of(*finisher, &batch));
        }
        self.filled = 0;
    }
}

fn percent(
    choices: &NumberSettings,
    finisher: NumberFinisher,
    state: &State<BleuStats>,
) -> Result<f64, DialectError> {
    let choices = NumberSettings { order: Bleu::DEFAULT_MAX_ORDER, finisher, ..choices.clone() };
    number(&choices, state).map(|(percent, _)| percent)
}

/// BLEU counts of a corpus of which one side, hypotheses or references, was tokenized before scoring, with
/// settings that are common with NLTK, multi-bleu and sacreBLEU.
pub(super) struct Pretokenized {
    by: Box<dyn Tokenizer>,
    buffer: TokenBuffer,
    counts: Vec<(ExplainedCounts, Cause)>,
}

impl Pretokenized {
    /// Creates empty BLEU counts for text that was tokenized before scoring, for each tokenizer in `names`
    /// that is commonly applied to such text.
    pub(super) fn new(tokenizers: &Tokenizers, names: &[&str]) -> Result<Self, ConfigError> {
        let mut counts = Vec::new();
        for finisher in [
            NumberFinisher::Dialect("nltk:method0"),
            NumberFinisher::Dialect("multi-bleu"),
            NumberFinisher::DEFAULT,
        ] {
            let (name, case) = own_tokens(finisher);
            if !names.contains(&name) {
                continue;
            }
            for cause in [Cause::HypothesesTokenized, Cause::ReferencesTokenized] {
                counts.push((ExplainedCounts::new(tokenizers, name, case)?, cause));
            }
        }
        Ok(Pretokenized {
            by: tokenizer("13a", &TokenizerOptions::default())?,
            buffer: TokenBuffer::default(),
            counts,
        })
    }

    pub(super) fn push(&mut self, hypothesis: &str, references: &[&str]) -> Result<()> {
        let by = &self.by;
        let buffer = &mut self.buffer;
        let mut tokenized = |text: &str| by.tokenize(text, buffer).map(|tokens| tokens.to_string());
        let cut = tokenized(hypothesis)?;
        let cut_references = references.iter().map(|text| tokenized(text)).collect::<Result<Vec<_>, _>>()?;
        let cut_references: Vec<&str> = cut_references.iter().map(String::as_str).collect();
        for (counts, cause) in &mut self.counts {
            match cause {
                Cause::HypothesesTokenized => counts.bleu.push(&cut, references)?,
                _ => counts.bleu.push(hypothesis, &cut_references)?,
            };
        }
        Ok(())
    }

    pub(super) fn explain(&self) -> Vec<NumberExplanation> {
        let rows = self.counts.iter().flat_map(|(counts, cause)| {
            let choices = NumberSettings { cause: Some(*cause), ..counts.choices() };
            let finishers = usual_finishers(&choices.tokenizer, choices.case);
            finishers.into_iter().map(move |finisher| {
                finish(NumberSettings { finisher, ..choices.clone() }, counts.bleu.total())
            })
        });
        rows.collect()
    }
}
