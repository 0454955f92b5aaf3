//! Collects word alignments and the most frequent word errors for the report page, for metrics such as WER
//! that count errors of aligned words.

use std::collections::BTreeSet;

use bleuprint_core::{InputError, Location, Metric as _, Result};
use bleuprint_eval::evaluation::{Run, RunTexts};
use bleuprint_eval::{Encoder, EncoderScratch, EncoderTexts as SegmentTexts, SharedTokenizer};
use bleuprint_metrics::EditRate;
use bleuprint_metrics::edit::{
    Aligner, Alignment, AlignmentRule, EditOperation, ErrorTables, Occurrences, WordErrors,
};
use bleuprint_report::page::{PageAlignment, PageError, PageErrorKind, PageMetric, PageTokens, PageWords};

/// Error rates that are computed from one alignment of words. The report page shows edits of this alignment.
const ALIGNED: [EditRate; 5] = [EditRate::WER, EditRate::CER, EditRate::MER, EditRate::WIL, EditRate::WIP];

/// Returns the aligned words for the report, one entry for each distinct tokenization. Stores in each metric
/// the index of the entry that it uses.
pub(super) fn all(
    run: &Run,
    texts: &RunTexts,
    kept: &[bool],
    metrics: &mut [PageMetric],
) -> Result<Vec<PageWords>> {
    let mut all = Vec::new();
    let mut spaces = Vec::new();
    for (place, (metric, shown)) in run.metrics().iter().zip(metrics).enumerate() {
        let Some(encoder) = texts.encoder(place) else { continue };
        let space = encoder.token_space();
        let is_of = |rate: &EditRate| rate.identity().over(space).key() == *metric.state_key();
        if !ALIGNED.iter().any(is_of) {
            continue;
        }
        // Metrics over the same tokens have the same alignments; storing them once keeps the page small.
        let known = spaces.iter().position(|known| known == space);
        if known.is_none() {
            spaces.push(space.clone());
            all.push(of_space(texts, run.systems().len(), encoder, kept)?);
        }
        shown.words = known.or(Some(all.len() - 1));
    }
    Ok(all)
}

fn of_space(
    texts: &RunTexts,
    systems: usize,
    encoder: &Encoder<SharedTokenizer>,
    kept: &[bool],
) -> Result<PageWords> {
    let streams = texts.segments.iter().map(|segment| segment.references.len()).max().unwrap_or(0);
    let mut words = PageWords {
        characters: ["jiwer-char", "char", "grapheme"].contains(&encoder.token_space().label()),
        references: vec![Vec::new(); streams],
        hypotheses: vec![Vec::new(); systems],
        alignments: vec![Vec::new(); systems],
        errors: Vec::new(),
    };
    let mut tables = vec![ErrorTables::default(); systems];
    let mut scratch = EncoderScratch::default();
    let mut aligner = Aligner::default();
    for (place, (segment, &kept)) in texts.segments.iter().zip(kept).enumerate() {
        let at = |error: InputError| error.at(Location::segment(place as u64 + 1));
        let all: Vec<&str> =
            segment.hypotheses.iter().chain(&segment.references).map(String::as_str).collect();
        let references = segment.references.len();
        let lists = encoder.tokens(&mut scratch, SegmentTexts::new(&all, systems, references)).map_err(at)?;
        let own: Vec<&[&str]> = (0..references).map(|index| lists.get(systems + index)).collect();
        for (index, stream) in words.references.iter_mut().enumerate() {
            stream.push(own.get(index).filter(|_| kept).map(|tokens| PageTokens::from_tokens(tokens)));
        }
        for (system, tables) in tables.iter_mut().enumerate() {
            let hypothesis = lists.get(system);
            let (chosen, alignment) =
                aligner.preferred(AlignmentRule::Jiwer, &own, hypothesis).map_err(at)?;
            tables.add(place + 1, &alignment, own[chosen], hypothesis)?;
            words.hypotheses[system].push(kept.then(|| PageTokens::from_tokens(hypothesis)));
            words.alignments[system].push(kept.then(|| PageAlignment(chosen, steps(&alignment))));
        }
    }
    words.errors = errors(&tables);
    Ok(words)
}

fn steps(alignment: &Alignment) -> String {
    let run = |chunk: &bleuprint_metrics::edit::Chunk| {
        let letter = match chunk.operation {
            EditOperation::Hit => '=',
            EditOperation::Substitution => 'S',
            EditOperation::Deletion => 'D',
            EditOperation::Insertion => 'I',
        };
        format!("{}{letter}", chunk.reference.len().max(chunk.hypothesis.len()))
    };
    alignment.chunks.iter().map(run).collect()
}

/// A word error: its kind, the word in the reference and the word in the hypothesis.
type Key<'t> = (PageErrorKind, &'t str, &'t str);

/// Returns the most frequent word errors of every system, each with its counts in all systems.
fn errors(tables: &[ErrorTables]) -> Vec<PageError> {
    // A union over systems, so that every listed error can be compared; the set orders and deduplicates them.
    let mut listed: BTreeSet<Key<'_>> = BTreeSet::new();
    for tables in tables {
        let confusions = tables.confusions().into_iter().take(PageWords::MOST);
        listed.extend(confusions.map(|((own, other), _)| (PageErrorKind::Substitution, own, other)));
        let words = |kind: fn(&WordErrors) -> &Occurrences| {
            tables.words_of(kind).into_iter().take(PageWords::MOST).map(|(word, _)| word)
        };
        listed.extend(words(|errors| &errors.deleted).map(|word| (PageErrorKind::Deletion, word, "")));
        listed.extend(words(|errors| &errors.inserted).map(|word| (PageErrorKind::Insertion, "", word)));
    }
    let error = |&(kind, own, other): &Key<'_>| {
        let word = if kind == PageErrorKind::Insertion { other } else { own };
        let of = |tables: &ErrorTables| {
            let errors = tables.word(word);
            let times = match kind {
                PageErrorKind::Substitution => tables.confused(own, other),
                PageErrorKind::Deletion => errors.map_or(0, |errors| errors.deleted.count),
                PageErrorKind::Insertion => errors.map_or(0, |errors| errors.inserted.count),
            };
            (times, errors.map_or(0, WordErrors::in_references))
        };
        let (times, in_references) = tables.iter().map(of).unzip();
        PageError {
            kind,
            reference: (kind != PageErrorKind::Insertion).then(|| own.to_owned()),
            hypothesis: (kind != PageErrorKind::Deletion).then(|| other.to_owned()),
            times,
            in_references,
        }
    };
    listed.iter().map(error).collect()
}
