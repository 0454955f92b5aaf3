//! The local search of the greedy ORC-WER: each utterance is moved to the stream where it adds the fewest edits, until none moves.

use bleuprint_core::{InputError, Result};
use bleuprint_metrics::{PairTables, Work};

use crate::MOST_BYTES;
use crate::cp::assigned;
use crate::gain::{Row, Strip, most_saved};
use crate::session::Talk;
use crate::timed::TimedWords;

const MOST_ROUNDS: usize = 49;

/// For each utterance the stream that it is given to. The start is cpWER's assignment of speakers; then substitutions cost
/// two edits, and at last one.
///
/// # Errors
/// Tables beyond the limit; an interruption.
pub(crate) fn give(metric: &str, pairs: &mut PairTables, talk: &Talk<'_>) -> Result<Vec<usize>> {
    if talk.streams.len() < 2 {
        return Ok(vec![0; talk.utterances.len()]);
    }
    let mut search = Search::of(metric, talk)?;
    let mut given = start(pairs, talk)?;
    for substitutions in [false, true] {
        for _ in 0..MOST_ROUNDS {
            if !search.round(&mut given, substitutions)? {
                break;
            }
        }
    }
    Ok(given)
}

/// The utterances of each speaker in its stream, and of one without a stream in the first of the fewest edits.
pub(crate) fn start(pairs: &mut PairTables, talk: &Talk<'_>) -> Result<Vec<usize>> {
    let voices = talk.voices();
    let mut of_speakers = assigned(pairs, talk, &voices)?;
    for (voice, stream) in voices.iter().zip(&mut of_speakers) {
        if *stream >= talk.streams.len() {
            let mut best = (u64::MAX, 0);
            for (number, words) in talk.streams.iter().enumerate() {
                let edits = talk.edits(pairs, voice, words)?;
                best = best.min((edits, number));
            }
            *stream = best.1;
        }
    }
    Ok(talk.owners.iter().map(|&speaker| of_speakers[speaker]).collect())
}

struct Search<'a> {
    utterances: &'a [TimedWords],
    strips: Vec<Strip>,
    reversed: Vec<Strip>,
    work: Work,
}

impl<'a> Search<'a> {
    fn of(metric: &str, talk: &'a Talk<'_>) -> Result<Self> {
        let longest = talk.streams.iter().map(|stream| stream.words.len()).max().unwrap_or(0);
        // A quarter of a byte for each word of a stream and utterance.
        let bytes = (talk.utterances.len() as u128).saturating_mul(longest as u128) / 4;
        if bytes > MOST_BYTES {
            let utterances = talk.utterances.len();
            let what = format!(
                "the memory of the greedy {metric} for {utterances} utterances and streams of up to {longest} words, in bytes"
            );
            let limit = format!("at most {MOST_BYTES}; shorter sessions need less");
            return Err(InputError::limit(what, bytes, limit));
        }
        let strips = |reversed| -> Vec<Strip> {
            let strip = |stream| Strip::of(stream, talk.distinct, talk.timed, reversed);
            talk.streams.iter().map(strip).collect()
        };
        let (strips, reversed) = (strips(false), strips(true));
        Ok(Search { utterances: &talk.utterances, strips, reversed, work: Work::default() })
    }

    /// One look at each utterance, where those before it have moved already; true if one moved.
    fn round(&mut self, given: &mut [usize], substitutions: bool) -> Result<bool> {
        let after = self.rows_after(given, substitutions)?;
        // Of each stream, its utterances from here on, the next at the end.
        let mut to_come = vec![Vec::new(); self.strips.len()];
        given.iter().enumerate().rev().for_each(|(number, &stream)| to_come[stream].push(number));
        let nothing: Vec<Row> = self.strips.iter().map(|strip| vec![0; strip.row().len()]).collect();
        let mut rows: Vec<Row> = self.strips.iter().map(Strip::row).collect();
        // What the utterances of each stream save: that of all rows until one moves.
        let later =
            |to_come: &[usize], stream: usize| to_come.last().map_or(&nothing[stream], |&next| &after[next]);
        let mut saved: Vec<u32> = to_come
            .iter()
            .enumerate()
            .map(|(stream, own)| most_saved(&rows[stream], later(own, stream)))
            .collect();
        let mut moved = false;
        for (number, utterance) in self.utterances.iter().enumerate() {
            let own = given[number];
            to_come[own].pop();
            if utterance.words.is_empty() {
                continue;
            }
            let without = most_saved(&rows[own], later(&to_come[own], own));
            let mut best: Option<(u32, usize, u32, Row)> = None;
            for (stream, row) in rows.iter().enumerate() {
                let mut with = row.clone();
                self.strips[stream].push(&mut with, utterance, substitutions);
                self.work.add(row.len() * (utterance.words.len() + WORDS_OF_A_BLOCK))?;
                let all = if stream == own {
                    saved[own]
                } else {
                    most_saved(&with, later(&to_come[stream], stream))
                };
                let gain = all - if stream == own { without } else { saved[stream] };
                let better = best.as_ref().is_none_or(|(most, ..)| {
                    // Of equal ones its own, else the first.
                    gain > *most || gain == *most && stream == own
                });
                if better {
                    best = Some((gain, stream, all, with));
                }
            }
            let Some((_, stream, all, row)) = best else { continue };
            rows[stream] = row;
            if stream != own {
                (saved[own], saved[stream], given[number], moved) = (without, all, stream, true);
            }
        }
        Ok(moved)
    }

    /// For each utterance what it and those after it in its stream save, turned.
    fn rows_after(&mut self, given: &[usize], substitutions: bool) -> Result<Vec<Row>> {
        let mut rows: Vec<Row> = self.reversed.iter().map(Strip::row).collect();
        let mut after = vec![Row::new(); given.len()];
        for (number, &stream) in given.iter().enumerate().rev() {
            let (row, utterance) = (&mut rows[stream], &self.utterances[number]);
            self.reversed[stream].push(row, utterance, substitutions);
            self.work.add(row.len() * (utterance.words.len() + 1))?;
            after[number] = self.reversed[stream].turned(row);
        }
        Ok(after)
    }
}

/// The steps of a block that are looked at one by one.
const WORDS_OF_A_BLOCK: usize = 32;
