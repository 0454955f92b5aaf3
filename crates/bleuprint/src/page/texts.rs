//! Texts on the report page with marked token boundaries, and the number of hypotheses that equal a
//! reference.

use bleuprint_core::{InputError, Metric as _, Result, Stats as _};
use bleuprint_eval::evaluation::{Run, RunTexts, TextSegment};
use bleuprint_inference::{Precision, Significance};
use bleuprint_report::page::{self, PageTexts};
use bleuprint_text::{TokenBuffer, Tokenizer as _};

/// Candidates for the character that marks a boundary between tokens without whitespace: rare in texts and
/// mostly without width.
const GLUES: [char; 4] = ['\u{2063}', '\u{2064}', '\u{e000}', '\u{f8ff}'];

/// Returns, for each system, the number of hypotheses that equal a reference.
pub(super) fn identical(texts: &RunTexts, systems: usize) -> Vec<u64> {
    let equal = |system: usize| {
        let segments = texts.segments.iter();
        let equal = segments.filter(|segment| segment.references.contains(&segment.hypotheses[system]));
        equal.count() as u64
    };
    (0..systems).map(equal).collect()
}

/// Returns the texts of the segments that the report shows. A rare character marks every token boundary that
/// has no whitespace.
///
/// # Errors
/// Returns an error if the texts contain all candidate characters or the tokenizer rejects a text.
pub(super) fn glued(texts: &RunTexts, run: &Run, kept: &[bool]) -> Result<PageTexts> {
    let segments = &texts.segments;
    let all = || segments.iter().flat_map(|one| one.references.iter().chain(&one.hypotheses));
    let unused = |glue: &&char| !all().any(|text| text.contains(**glue));
    let Some(&glue) = GLUES.iter().find(unused) else {
        let message = "the texts contain all characters that can mark token boundaries (U+2063, U+2064, U+E000, U+F8FF): remove one";
        return Err(InputError::malformed(message));
    };
    let tokenizer = &texts.tokenizer;
    let mut buffer = TokenBuffer::default();
    let mut list = |texts_of: &dyn Fn(usize) -> Option<String>| -> Result<Vec<Option<String>>> {
        let mut list = Vec::with_capacity(segments.len());
        for (segment, kept) in kept.iter().enumerate() {
            list.push(match texts_of(segment).filter(|_| *kept) {
                None => None,
                Some(text) if texts.shown_only => Some(text),
                Some(text) => {
                    let tokens: Vec<&str> = tokenizer.tokenize(&text, &mut buffer)?.iter().collect();
                    Some(page::glued(&text, &tokens, glue))
                }
            });
        }
        Ok(list)
    };
    let references = segments.iter().map(|segment| segment.references.len()).max().unwrap_or(0);
    let references = (0..references)
        .map(|reference| list(&|segment| segments[segment].references.get(reference).cloned()))
        .collect::<Result<Vec<_>, _>>()?;
    let hypotheses = (0..run.systems().len())
        .map(|system| list(&|segment| segments[segment].hypotheses.get(system).cloned()))
        .collect::<Result<Vec<_>, _>>()?;
    // Sources are only displayed, not compared, and are in another language: the tokenizer is not meant for
    // them.
    let source = segments.iter().any(|segment| segment.source.is_some()).then(|| {
        let source = |(segment, kept): (&TextSegment, &bool)| segment.source.clone().filter(|_| *kept);
        segments.iter().zip(kept).map(source).collect()
    });
    Ok(PageTexts { glue, whole: kept.iter().all(|kept| *kept), references, hypotheses, source })
}

/// Chooses the segments whose texts the report shows: all of them, or `sample` segments if the corpus has
/// more.
///
/// It chooses the segments that contribute most to the difference between the first two systems under the
/// first metric. If the contributions are unknown, it chooses the first segments.
pub(super) fn kept(run: &Run, sample: Option<usize>) -> Result<Vec<bool>> {
    let segments = run.len();
    let Some(sample) = sample.filter(|&sample| sample < segments) else { return Ok(vec![true; segments]) };
    let metric = run.metrics().first().filter(|metric| metric.zero().is_row());
    let shares = match metric {
        Some(metric) if run.systems().len() > 1 => {
            let two = [run.rows(0, 0)?, run.rows(0, 1)?];
            Significance::of_rows(metric, &two, Precision::Exact)?.contributions()?
        }
        _ => vec![0.0; segments],
    };
    // The sort is stable, so segments with equal shares stay in order; without shares the first ones are
    // kept.
    let mut order: Vec<(usize, f64)> = shares.into_iter().map(f64::abs).enumerate().collect();
    order.sort_by(|one, other| other.1.total_cmp(&one.1));
    let mut kept = vec![false; segments];
    order.iter().take(sample).for_each(|(segment, _)| kept[*segment] = true);
    Ok(kept)
}
