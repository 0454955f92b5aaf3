//! [`Sessions`]: both sides of a session as ids of words, by speaker.

use core::ops::Range;

use bleuprint_core::{Result, Segment, Utterance};
use bleuprint_ngram::Interner;

use crate::edit::require_few_tokens;

pub(super) struct Session<'t> {
    pub(super) reference: Side<'t>,
    pub(super) hypothesis: Side<'t>,
    pub(super) distinct: usize,
}

pub(super) struct Side<'t> {
    pub(super) utterances: Vec<Utterance<'t>>,
    pub(super) ids: Vec<u32>,
    tokens: &'t [&'t str],
}

pub(super) struct Speaker<'t> {
    pub(super) name: &'t str,
    pub(super) words: Vec<u32>,
    pub(super) utterances: Vec<usize>,
}

impl<'t> Session<'t> {
    pub(super) fn of(interner: &mut Interner, metric: &str, segment: Segment<'t, [&'t str]>) -> Result<Self> {
        let (hypothesis, reference) = (segment.hypothesis(), segment.one_reference(metric)?);
        require_few_tokens(hypothesis, &[reference])?;
        interner.intern_segment(hypothesis, &[reference]);
        Ok(Session {
            reference: Side::of(reference, interner.reference(0))?,
            hypothesis: Side::of(hypothesis, interner.hypothesis())?,
            distinct: interner.distinct(),
        })
    }
}

impl<'t> Side<'t> {
    fn of(tokens: &'t [&'t str], ids: &[u32]) -> Result<Self> {
        Ok(Side { utterances: Utterance::all(tokens)?, ids: ids.to_vec(), tokens })
    }

    pub(super) fn speakers(&self) -> Vec<Speaker<'t>> {
        let mut speakers: Vec<Speaker<'t>> = Vec::new();
        for (index, utterance) in self.utterances.iter().enumerate() {
            let known = speakers.iter().position(|speaker| speaker.name == utterance.speaker);
            let known = known.unwrap_or_else(|| {
                speakers.push(Speaker { name: utterance.speaker, words: Vec::new(), utterances: Vec::new() });
                speakers.len() - 1
            });
            speakers[known].words.extend_from_slice(&self.ids[utterance.words.clone()]);
            speakers[known].utterances.push(index);
        }
        speakers
    }

    pub(super) fn len(&self) -> u64 {
        self.utterances.iter().map(|utterance| utterance.words.len() as u64).sum()
    }

    pub(super) fn words(&self, range: &Range<usize>) -> &'t [&'t str] {
        &self.tokens[range.clone()]
    }
}
