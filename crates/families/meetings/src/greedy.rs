//! Implements the greedy local search of ORC-WER: moves each utterance to the stream of words (output
//! channel) where it adds the fewest edits, until no utterance moves.

use bleuprint_core::{InputError, Result};
use bleuprint_metrics::{KernelWork, PairTables};

use crate::MOST_BYTES;
use crate::cp::assigned;
use crate::gain::{Row, Strip, most_saved};
use crate::session::Talk;
use crate::timed::WordsWithTimes;

// MeetEval's bound for the rounds of one phase.
const MOST_ROUNDS: usize = 49;

/// Assigns each utterance to a stream by greedy search and returns the stream indices. The search starts from
/// cpWER's pairing of speakers with streams. A substitution costs two edits in the first phase and one in the
/// second.
///
/// # Errors
/// Returns an error if the tables exceed the limit, or if the user interrupts the work.
pub(crate) fn give(metric: &str, pairs: &mut PairTables, talk: &Talk<'_>) -> Result<Vec<usize>> {
    if talk.streams.len() < 2 {
        return Ok(vec![0; talk.utterances.len()]);
    }
    let mut search = GreedySearch::from_talk(metric, talk)?;
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

/// Returns the initial stream of each utterance: the stream that is paired with its speaker. For a speaker
/// without a paired stream, it is the first stream with the fewest edits.
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

struct GreedySearch<'a> {
    utterances: &'a [WordsWithTimes],
    strips: Vec<Strip>,
    reversed: Vec<Strip>,
    work: KernelWork,
}

impl<'a> GreedySearch<'a> {
    fn from_talk(metric: &str, talk: &'a Talk<'_>) -> Result<Self> {
        let longest = talk.streams.iter().map(|stream| stream.words.len()).max().unwrap_or(0);
        // Each utterance keeps one row, which has a quarter of a byte for each word of a stream.
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
            let strip = |stream| Strip::from_stream(stream, talk.distinct, talk.timed, reversed);
            talk.streams.iter().map(strip).collect()
        };
        let (strips, reversed) = (strips(false), strips(true));
        Ok(GreedySearch { utterances: &talk.utterances, strips, reversed, work: KernelWork::default() })
    }

    /// Moves each utterance in turn to the stream of words (output channel) where it adds the fewest edits.
    /// Returns `true` if an utterance moved.
    fn round(&mut self, given: &mut [usize], substitutions: bool) -> Result<bool> {
        let after = self.rows_after(given, substitutions)?;
        // The utterances from here on, for each stream; the next one is at the end of the list.
        let mut to_come = vec![Vec::new(); self.strips.len()];
        given.iter().enumerate().rev().for_each(|(number, &stream)| to_come[stream].push(number));
        let nothing: Vec<Row> = self.strips.iter().map(|strip| vec![0; strip.row().len()]).collect();
        let mut rows: Vec<Row> = self.strips.iter().map(Strip::row).collect();
        // Edits saved by the utterances of each stream. Rows of later utterances stay valid until one of
        // them moves, and only earlier ones move before they are read.
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
            // Gains are differences with and without the utterance, so both sides of the split enter through
            // `most_saved`.
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
                    // Ties go to the current stream, else to the first.
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

    /// Returns an alignment row for each utterance, which covers the utterance and all later ones of its
    /// stream. For each stream position, the row counts the edits saved by aligning these utterances with the
    /// words after the position. Deleting and inserting every word saves none.
    fn rows_after(&mut self, given: &[usize], substitutions: bool) -> Result<Vec<Row>> {
        let mut rows: Vec<Row> = self.reversed.iter().map(Strip::row).collect();
        let mut after = vec![Row::new(); given.len()];
        for (number, &stream) in given.iter().enumerate().rev() {
            let row = &mut rows[stream];
            let utterance = &self.utterances[number];
            self.reversed[stream].push(row, utterance, substitutions);
            self.work.add(row.len() * (utterance.words.len() + 1))?;
            after[number] = self.reversed[stream].turned(row);
        }
        Ok(after)
    }
}

/// Assumed time to read 64 bits of an alignment row, in units of the time to update them by one utterance
/// word. The search checks for an interrupt by the user after a fixed number of these units.
const WORDS_OF_A_BLOCK: usize = 32;
