//! [`RateExplainer`]: word and character error rates of a corpus under several text normalizers and likely
//! mistakes, to find the settings behind a reported rate.

use bleuprint_core::{Case, ConfigError, InputErrorKind, Metric as _, Result, SegmentCounts, Stats as _};
use bleuprint_eval::{Encoder, EncoderScratch, EncoderTexts, SharedTokenizer};
use bleuprint_inference::Interrupt;
use bleuprint_metrics::edit::{Aligner, AlignmentRule};
use bleuprint_metrics::{EditCounts, EditRate};
use bleuprint_text::{TokenizerOptions, Tokenizers};

/// Names of the text normalizers that are tried by default; the first leaves the text unchanged.
pub const NORMALIZERS: [&str; 7] =
    ["none", "lower", "lower+punct", "whisper-basic", "whisper-en", "open-asr-en", "jiwer-standardize"];

/// Error rate of a corpus, with the settings and the mistake that produce it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct RateExplanation {
    /// Settings and mistake that produce the error rate, such as `norm lower`. The list is empty for the word
    /// error rate of the unchanged texts.
    pub settings: Vec<String>,
    /// Error rate of the corpus in percent.
    pub percent: f64,
    /// Signature (printed settings) of the error rate. `None` if the error rate was computed with a mistake,
    /// such as swapped files, which no signature can describe.
    pub signature: Option<String>,
}

/// Word and character error counts of a corpus under several text normalizers, to find the settings behind a
/// reported error rate.
///
/// ```
/// use bleuprint::explain::RateExplainer;
/// let mut explainer = RateExplainer::new(&["none", "lower"]).unwrap();
/// explainer.push("the cat sat", &["The cat sat"]).unwrap();
/// explainer.push("a", &["b"]).unwrap();
/// let all = explainer.explain().unwrap();
/// let percent = |settings: &[&str]| all.iter().find(|row| row.settings == settings).unwrap().percent;
/// assert_eq!((percent(&[]), percent(&["norm lower"])), (50.0, 25.0));
/// assert_eq!(percent(&["norm lower", "the mean of the rates of segments"]), 50.0);
/// ```
pub struct RateExplainer {
    counts: Vec<RateCounts>,
    scratch: EncoderScratch,
    aligner: Aligner,
}

/// Word or character error counts of a corpus with one text normalizer.
struct RateCounts {
    rate: EditRate,
    /// Settings with which the errors were counted, such as `characters` and `norm lower`. The list is empty
    /// for words of the unchanged text.
    settings: Vec<String>,
    encoder: Encoder<SharedTokenizer>,
    segments: Vec<EditCounts>,
    counts: SegmentCounts,
}

impl RateExplainer {
    /// Creates an explainer of error rates that tries these text normalizers. A chain of several is joined by
    /// `+`; `none` leaves the text unchanged.
    ///
    /// # Errors
    /// Returns an error if a normalizer is unknown.
    pub fn new(normalizers: &[&str]) -> Result<Self, ConfigError> {
        Self::with_tokenizers(&Tokenizers::default(), normalizers)
    }

    /// Creates an explainer of error rates that tries these text normalizers, found by name in `tokenizers`.
    ///
    /// # Errors
    /// Returns the errors of [`RateExplainer::new`].
    pub fn with_tokenizers(tokenizers: &Tokenizers, normalizers: &[&str]) -> Result<Self, ConfigError> {
        let mut counts = Vec::new();
        for (rate, name) in [(EditRate::WER, "jiwer"), (EditRate::CER, "jiwer-char")] {
            for &chain in normalizers {
                let tokenizer: SharedTokenizer = tokenizers.build(name, &TokenizerOptions::default())?.into();
                let mut encoder = Encoder::new(tokenizer, Case::Mixed)?;
                let mut settings = Vec::new();
                if rate == EditRate::CER {
                    settings.push("characters".to_owned());
                }
                if chain != "none" {
                    encoder = encoder.with_normalizer(tokenizers.normalizers.build(chain)?)?;
                    settings.push(format!("norm {chain}"));
                }
                let segments = Vec::new();
                let of = SegmentCounts::default();
                counts.push(RateCounts { rate, settings, encoder, segments, counts: of });
            }
        }
        Ok(RateExplainer { counts, scratch: EncoderScratch::default(), aligner: Aligner::default() })
    }

    /// Adds one segment to the error counts of all normalizers.
    ///
    /// # Errors
    /// Returns an error if there is no reference, or on an [interruption](crate::inference::interruptible).
    pub fn push(&mut self, hypothesis: &str, references: &[&str]) -> Result<()> {
        Interrupt::of_thread().check()?;
        let texts: Vec<&str> = [hypothesis].into_iter().chain(references.iter().copied()).collect();
        for counts in &mut self.counts {
            let texts = EncoderTexts::new(&texts, 1, references.len());
            let lists = counts.encoder.tokens(&mut self.scratch, texts)?;
            let own: Vec<&[&str]> = (1..=references.len()).map(|index| lists.get(index)).collect();
            let (_, aligned) = self.aligner.preferred(AlignmentRule::Jiwer, &own, lists.get(0))?;
            // Counts of single segments are kept, since several mistakes average or drop segments.
            counts.segments.push(aligned.counts());
            counts.counts.merge(&SegmentCounts::of_segment(references.len()))?;
        }
        Ok(())
    }

    /// Returns the word error rate for each text normalizer in order, then the character error rates. The
    /// rates under likely mistakes follow each of them.
    ///
    /// # Errors
    /// Returns [`EmptyCorpus`](InputErrorKind::EmptyCorpus) if no segment was counted.
    pub fn explain(&self) -> Result<Vec<RateExplanation>> {
        if self.counts.iter().any(|counts| counts.segments.is_empty()) {
            return Err(InputErrorKind::EmptyCorpus.into());
        }
        let mut all = Vec::new();
        for counts in &self.counts {
            counts.explain(&mut all)?;
        }
        Ok(all)
    }
}

/// Name of a mistake in computing an error rate, and the function that computes the rate with this mistake,
/// or `None` if it is undefined.
type Mistake = (&'static str, fn(&[EditCounts]) -> Option<f64>);

/// Mistakes in computing error rates that were found in published programs and results.
const MISTAKES: [Mistake; 7] = [
    ("the mean of the rates of segments", |segments| mean(segments, f64::INFINITY)),
    ("the mean of the rates of segments, none above 1", |segments| mean(segments, 1.0)),
    // Swapping the sides keeps the number of edits and changes only the divisor, so no new alignment is
    // needed.
    ("the sides swapped", |segments| quotient(segments, EditCounts::hyp_len)),
    ("divided by all steps of the alignment, which is MER", |segments| {
        quotient(segments, |counts| counts.hits.saturating_add(counts.edits()))
    }),
    ("without the segments that have no output", |segments| without(segments, |one| one.hyp_len() == 0)),
    ("without the segments that have no reference", |segments| without(segments, |one| one.ref_len() == 0)),
    ("the share of segments with an error", |segments| {
        let wrong = segments.iter().filter(|one| one.edits() > 0).count();
        Some(wrong as f64 / segments.len() as f64)
    }),
];

fn mean(segments: &[EditCounts], most: f64) -> Option<f64> {
    let rates = segments.iter().filter(|one| one.ref_len() > 0);
    let rates: Vec<f64> = rates.map(|one| (one.edits() as f64 / one.ref_len() as f64).min(most)).collect();
    (!rates.is_empty()).then(|| rates.iter().sum::<f64>() / rates.len() as f64)
}

fn quotient(segments: &[EditCounts], below: fn(&EditCounts) -> u64) -> Option<f64> {
    let sum = |of: fn(&EditCounts) -> u64| segments.iter().map(of).fold(0, u64::saturating_add);
    let above = sum(EditCounts::edits);
    let below = sum(below);
    (below > 0).then(|| above as f64 / below as f64)
}

/// Returns the error rate without the segments that `is_out` selects, or `None` if it selects none.
fn without(segments: &[EditCounts], is_out: fn(&EditCounts) -> bool) -> Option<f64> {
    let kept: Vec<EditCounts> = segments.iter().filter(|one| !is_out(one)).copied().collect();
    if kept.len() < segments.len() { quotient(&kept, EditCounts::ref_len) } else { None }
}

impl RateCounts {
    fn explain(&self, all: &mut Vec<RateExplanation>) -> Result<()> {
        let mut total = EditCounts::default();
        self.segments.iter().try_for_each(|one| total.merge(one))?;
        let score = self.rate.finalize(&total, &self.counts)?.score;
        let signature = self.rate.identity().over(self.encoder.token_space()).signature(&self.counts);
        let settings = self.settings.clone();
        let signature = Some(signature.to_string());
        all.push(RateExplanation { settings, percent: 100.0 * score, signature });
        for (mistake, of) in MISTAKES {
            // A mistake that does not change the rate explains nothing.
            if let Some(rate) = of(&self.segments).filter(|rate| *rate != score) {
                let settings = self.settings.iter().cloned().chain([mistake.to_owned()]).collect();
                all.push(RateExplanation { settings, percent: 100.0 * rate, signature: None });
            }
        }
        Ok(())
    }
}
