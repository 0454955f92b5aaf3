//! Supports `bleuprint.adapters.jiwer`: returns the tokens after normalization, and the word alignments from
//! which WER is computed.

use bleuprint::eval::{Encoder, EncoderScratch, EncoderTexts, SharedTokenizer};
use bleuprint::metrics::edit::{EditOperation, alignment};
use bleuprint::text::Normalizers;
use bleuprint::{
    Case, EditRate, InputError, Location, Metric as _, Result, SegmentCounts, Stats as _, TokenizerOptions,
    metrics::EditCounts, tokenizer,
};
use pyo3::prelude::*;

use crate::count::{ListedItems, WholeNumber};
use crate::engine::texts as read_texts;
use crate::errors::OrRaise as _;
use crate::lists::require_equal;
use crate::run::{WatchPlan, whole};

#[pyfunction]
#[pyo3(signature = (texts, tokenize, norm=None))]
pub(crate) fn tokenized(
    py: Python<'_>,
    texts: &Bound<'_, PyAny>,
    tokenize: &str,
    norm: Option<&str>,
) -> PyResult<Vec<Vec<String>>> {
    let texts = read_texts(texts, "texts")?;
    let shared: SharedTokenizer = tokenizer(tokenize, &TokenizerOptions::default()).or_raise()?.into();
    let mut encoder = Encoder::new(shared, Case::Mixed).or_raise()?;
    if let Some(norm) = norm {
        encoder = encoder.with_normalizer(Normalizers::default().build(norm).or_raise()?).or_raise()?;
    }
    whole(py, &WatchPlan::default(), |_| {
        let mut scratch = EncoderScratch::default();
        let mut tokens = |(at, text): (usize, &str)| {
            let texts = [text];
            let lists = encoder.tokens(&mut scratch, EncoderTexts::new(&texts, 1, 0));
            let lists = lists.map_err(|error| error.at(Location::segment(at as u64 + 1)))?;
            Ok(lists.get(0).iter().map(|&token| token.to_owned()).collect())
        };
        texts.iter().enumerate().map(&mut tokens).collect()
    })
}

/// Run of consecutive alignment steps of one kind, such as substitutions: jiwer's name of the kind, start and
/// end in the reference, start and end in the hypothesis.
type Chunk = (&'static str, usize, usize, usize, usize);

/// Alignment of each hypothesis with its reference; total hits, substitutions, deletions and insertions; WER,
/// MER, WIL and WIP.
type Aligned = (Vec<Vec<Chunk>>, [u64; 4], [f64; 4]);

#[pyfunction]
pub(crate) fn aligned(
    py: Python<'_>,
    references: ListedItems<ListedItems<String>>,
    hypotheses: ListedItems<ListedItems<String>>,
) -> PyResult<Aligned> {
    require_equal("the hypotheses", hypotheses.0.len(), "the references", references.0.len()).or_raise()?;
    whole(py, &WatchPlan::default(), |_| {
        let mut all = Vec::new();
        let mut counts = EditCounts::default();
        for (at, (ListedItems(reference), ListedItems(hypothesis))) in
            references.0.iter().zip(&hypotheses.0).enumerate()
        {
            let located = |error: InputError| error.at(Location::segment(at as u64 + 1));
            let aligned = alignment(reference, hypothesis).map_err(located)?;
            counts.merge(&aligned.counts())?;
            let chunk = |chunk: &bleuprint::metrics::edit::Chunk| {
                let own = &chunk.reference;
                let other = &chunk.hypothesis;
                (name(chunk.operation), own.start, own.end, other.start, other.end)
            };
            all.push(aligned.chunks.iter().map(chunk).collect());
        }
        // The rates follow from the summed counts, so they are rates of the corpus, as in jiwer.
        let rate = |metric: EditRate| -> Result<f64> {
            Ok(metric.finalize(&counts, &SegmentCounts::default())?.score)
        };
        let rates = [EditRate::WER, EditRate::MER, EditRate::WIL, EditRate::WIP];
        let [wer, mer, wil, wip] = rates.map(rate);
        let sums = [counts.hits, counts.substitutions, counts.deletions, counts.insertions];
        Ok::<_, InputError>((all, sums, [wer?, mer?, wil?, wip?]))
    })
}

#[pyfunction]
#[pyo3(signature = (reference, hypothesis, between, width=None))]
pub(crate) fn aligned_lines(
    reference: ListedItems<String>,
    hypothesis: ListedItems<String>,
    between: &str,
    width: Option<WholeNumber>,
) -> PyResult<String> {
    let width = width.map(|width| width.at_most("line_width", usize::MAX)).transpose()?;
    let aligned: Result<_> = alignment(&reference.0, &hypothesis.0);
    let aligned = aligned.or_raise()?;
    let mut lines = aligned.lines(&reference.0, &hypothesis.0, between);
    lines.width = width.unwrap_or(usize::MAX);
    Ok(lines.to_string())
}

fn name(operation: EditOperation) -> &'static str {
    match operation {
        EditOperation::Hit => "equal",
        EditOperation::Substitution => "substitute",
        EditOperation::Deletion => "delete",
        EditOperation::Insertion => "insert",
    }
}
