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

use crate::calls::plain::{FEW_BYTES, PlainCounts, counted, pairs};
use crate::errors::OrRaise as _;
use crate::metric::engine::{MetricEngine, texts as read_texts};
use crate::run::{WatchPlan, short, whole};
use crate::segments::lists::require_equal;
use crate::values::count::{ListedItems, WholeNumber};

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
    let cut = || {
        let mut scratch = EncoderScratch::default();
        let mut tokens = |(at, text): (usize, &str)| {
            let texts = [text];
            let lists = encoder.tokens(&mut scratch, EncoderTexts::new(&texts, 1, 0));
            let lists = lists.map_err(|error| error.at(Location::segment(at as u64 + 1)))?;
            Ok(lists.get(0).iter().map(|&token| token.to_owned()).collect())
        };
        texts.iter().enumerate().map(&mut tokens).collect()
    };
    in_the_fewest_threads(py, texts.data().len(), cut)
}

/// Runs `work` on texts of this many bytes: in the calling thread if they are few.
fn in_the_fewest_threads<R: Send>(
    py: Python<'_>,
    bytes: usize,
    work: impl FnOnce() -> Result<R> + Send,
) -> PyResult<R> {
    if bytes <= FEW_BYTES { short(py, work) } else { whole(py, &WatchPlan::default(), |_| work()) }
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
    let sides = [&references, &hypotheses].into_iter().flat_map(|side| &side.0).flat_map(|words| &words.0);
    let bytes = sides.map(String::len).sum();
    in_the_fewest_threads(py, bytes, || {
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
        let sums = [counts.hits, counts.substitutions, counts.deletions, counts.insertions];
        Ok::<_, InputError>((all, sums, rates(&counts)?))
    })
}

/// Returns WER, MER, WIL and WIP of summed counts, which are rates of the corpus, as in jiwer.
fn rates(counts: &EditCounts) -> Result<[f64; 4]> {
    let rate =
        |metric: EditRate| -> Result<f64> { Ok(metric.finalize(counts, &SegmentCounts::default())?.score) };
    let [wer, mer, wil, wip] = [EditRate::WER, EditRate::MER, EditRate::WIL, EditRate::WIP].map(rate);
    Ok([wer?, mer?, wil?, wip?])
}

/// Returns WER, MER, WIL and WIP of texts without their alignments, from the edits that the metric of `engine`
/// counts. Returns None if the texts are not two `str` or two lists of `str` of equal length.
#[pyfunction]
pub(crate) fn error_rates(
    py: Python<'_>,
    engine: &MetricEngine,
    references: &Bound<'_, PyAny>,
    hypotheses: &Bound<'_, PyAny>,
) -> PyResult<Option<[f64; 4]>> {
    let counted = counted(py, engine, pairs(references, hypotheses), "keep", true, true)?;
    let Some(PlainCounts { panel, state, .. }) = counted else { return Ok(None) };
    // jiwer does not warn of texts without words.
    if panel.has_emptied() {
        panel.emptied().iter().for_each(|(.., emptied)| _ = emptied.take());
    }
    let Some(stats) = state.stats().members.first() else { return Ok(None) };
    stats.typed().and_then(rates).map(Some).or_raise()
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
