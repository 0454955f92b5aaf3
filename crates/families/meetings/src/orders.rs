//! [`UtteranceOrders`]: MIMO-WER's search over all orders of utterances that keep each speaker's own order.
//!
//! A state of the search is the number of finished utterances of each speaker. Each state has a box of table
//! cells ([`CellBlock`]), the positions in all streams that paths within a limit of edits reach. The limit
//! rises until a path is found, as in [`grid`](crate::grid); so the cells of all best paths are kept with
//! their least costs, and ties are those of the whole table.

use bleuprint_core::{InputError, Result, check_interrupt};

use crate::block::CellBlock;
use crate::grid::{EditLimit, GridStop, KEEP_ALL, RemainingUtterances, StreamGrid};
use crate::session::Talk;
use crate::timed::WordsWithTimes;

/// All orders of the utterances of several speakers that keep each speaker's own order. The numbers of
/// finished utterances of a state are encoded as one number, in which the first speaker varies fastest.
pub(crate) struct UtteranceOrders<'a> {
    utterances: &'a [WordsWithTimes],
    of_speakers: Vec<Vec<usize>>,
    strides: Vec<usize>,
    count: usize,
}

impl<'a> UtteranceOrders<'a> {
    pub(crate) fn from_utterances(utterances: &'a [WordsWithTimes], of_speakers: Vec<Vec<usize>>) -> Self {
        let mut count = 1;
        let mut strides = Vec::new();
        for own in &of_speakers {
            strides.push(count);
            count *= own.len() + 1;
        }
        UtteranceOrders { utterances, of_speakers, strides, count }
    }

    /// Returns how many utterances of speaker `speaker` are finished in the state `done`.
    fn finished(&self, done: usize, speaker: usize) -> usize {
        done / self.strides[speaker] % (self.of_speakers[speaker].len() + 1)
    }

    /// Returns each utterance that may have been finished last, in order of speakers, with the state before
    /// it finished. The state `done` encodes how many utterances of each speaker are finished.
    fn last(&self, done: usize) -> impl Iterator<Item = (usize, usize)> {
        self.of_speakers.iter().zip(&self.strides).enumerate().filter_map(move |(speaker, (own, stride))| {
            Some((*own.get(self.finished(done, speaker).checked_sub(1)?)?, done - stride))
        })
    }

    /// Returns the best assignment as pairs of utterance index and stream index, in the order of the best
    /// path. The first limit of edits is `slack` above a lower bound.
    ///
    /// # Errors
    /// Returns an error if the user interrupts the work.
    pub(crate) fn best_path(&self, talk: &Talk<'_>, slack: u32) -> Result<Vec<(usize, usize)>> {
        // The caller has checked the memory of the whole table.
        let mut grid = StreamGrid::over_streams(&talk.streams, talk.distinct, talk.timed, u128::MAX);
        let blocks = self.blocks(&mut grid, slack).map_err(|stop| match stop {
            GridStop::Interrupted(error) => error,
            GridStop::TooLarge(size) | GridStop::TooLong(size) => {
                InputError::limit("the table of MIMO-WER", size, format!("at most {}", u128::MAX))
            }
        })?;
        // The way back recomputes origins. Ties go to the first speaker and then the first stream, as in
        // MeetEval.
        let mut cell = grid.ends();
        let mut done = self.count - 1;
        let mut path = Vec::new();
        while done > 0 {
            let mut best: Option<(u32, usize, usize, usize, usize)> = None;
            for (number, before) in self.last(done) {
                let Some(block) = &blocks[before] else { continue };
                let origin = grid.origin(block, &self.utterances[number], None, &cell)?;
                if let Some((cost, stream, position)) = origin
                    && best.is_none_or(|(least, ..)| cost < least)
                {
                    best = Some((cost, number, before, stream, position));
                }
            }
            let Some((_, number, before, stream, position)) = best else { break };
            path.push((number, stream));
            (done, cell[stream]) = (before, position);
        }
        path.reverse();
        Ok(path)
    }

    /// Computes the box of kept table cells of each state, or `None` for a state that no path within the
    /// limit of edits reaches. The limit rises until a path is found.
    fn blocks(
        &self,
        grid: &mut StreamGrid<'_>,
        slack: u32,
    ) -> core::result::Result<Vec<Option<CellBlock>>, GridStop> {
        let rests = self.rests(grid)?;
        let ends = grid.ends();
        let all: usize = ends.iter().sum();
        let table = ends.iter().fold(self.count as u128, |cells, &end| cells.saturating_mul(end as u128 + 1));
        let lower = rests[0].lower_bound(all);
        let mut slack = slack;
        loop {
            // A path costs at most the deletion and insertion of every word. A doubled slack takes four to eight
            // times as long, so the whole table is no slower after passes over as many cells.
            let is_long = grid.cells() > table;
            let most = lower.saturating_add(slack);
            let most = if is_long { KEEP_ALL } else { most.min((rests[0].words + all) as u32) };
            if let Some(blocks) = self.pass(grid, &rests, most)? {
                return Ok(blocks);
            }
            slack = slack.saturating_mul(2).max(1);
        }
    }

    /// Returns a summary of the utterances still to be aligned, for each state.
    fn rests(&self, grid: &mut StreamGrid<'_>) -> core::result::Result<Vec<RemainingUtterances>, GridStop> {
        let mut of_speakers = Vec::new();
        for own in &self.of_speakers {
            let utterances: Vec<&WordsWithTimes> =
                own.iter().map(|&number| &self.utterances[number]).collect();
            of_speakers.push(grid.rests(&utterances)?);
        }
        let rest = |done: usize| {
            let own = of_speakers.iter().enumerate();
            let own = own.map(|(speaker, rests): (usize, &Vec<RemainingUtterances>)| {
                &rests[self.finished(done, speaker)]
            });
            RemainingUtterances::of_lists(own, grid.ends())
        };
        Ok((0..self.count).map(rest).collect())
    }

    /// Computes the box of each state, with only the cells on paths with at most `most` edits. Returns `None`
    /// if no path is within the limit.
    fn pass(
        &self,
        grid: &mut StreamGrid<'_>,
        rests: &[RemainingUtterances],
        most: u32,
    ) -> core::result::Result<Option<Vec<Option<CellBlock>>>, GridStop> {
        let ends = grid.ends();
        let mut blocks = vec![Some(CellBlock::start(vec![0; ends.len()]))];
        // A state is numbered after every state that it follows from, so one ascending pass fills all boxes.
        for (done, rest) in rests.iter().enumerate().skip(1) {
            check_interrupt()?;
            let sources = self
                .last(done)
                .filter_map(|(number, before)| Some((blocks[before].as_ref()?, &self.utterances[number])));
            let block = grid.after_any(sources, EditLimit { most, rest })?;
            blocks.push(block);
        }
        let is_within = blocks[self.count - 1].as_ref().is_some_and(|last| last.cost_at(&ends) <= most);
        Ok(is_within.then_some(blocks))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use quickcheck::quickcheck;

    use crate::MimoWer;
    use crate::block::each_cell;
    use crate::grid::FIRST_SLACK;
    use crate::session::Talk;
    use crate::tests::{Drawn, Words, naive_row, talk};
    use crate::timed::{WordsWithTimes, overlap};

    /// Finished utterances of each speaker, and the position in each stream.
    type NaiveCell = (Vec<usize>, Vec<usize>);
    /// Cost of a cell, and the utterance and stream of the last step with the cell before it.
    type Reached = (usize, Option<(usize, usize, NaiveCell)>);

    /// Fills the whole table of all states, with an origin in each cell, and returns the best path. Ties go
    /// to the first speaker and then the first stream. A stream whose words do not overlap with the utterance
    /// is left out, unless it is the last and all others were left out.
    fn naive_path(talk: &Talk<'_>) -> Vec<(usize, usize)> {
        let mut of_speakers = vec![Vec::new(); talk.speakers.len()];
        for (number, &speaker) in talk.owners.iter().enumerate() {
            if !talk.timed || !talk.utterances[number].words.is_empty() {
                of_speakers[speaker].push(number);
            }
        }
        let lens: Vec<usize> = talk.streams.iter().map(|stream| stream.words.len() + 1).collect();
        let mut cells = Vec::new();
        each_cell(&lens, |cell| cells.push(cell.to_vec()));
        let orders: Vec<usize> = of_speakers.iter().map(|own| own.len() + 1).collect();
        let mut states = Vec::new();
        each_cell(&orders, |state| states.push(state.to_vec()));
        let mut table: HashMap<NaiveCell, Reached> = HashMap::new();
        for cell in &cells {
            table.insert((states[0].clone(), cell.clone()), (cell.iter().sum(), None));
        }
        let meets = |utterance: &WordsWithTimes, stream: &WordsWithTimes| {
            stream.times.iter().any(|time| utterance.times.iter().any(|own| overlap(*own, *time)))
        };
        for state in &states[1..] {
            for speaker in (0..state.len()).filter(|speaker| state[*speaker] > 0) {
                let mut before = state.clone();
                before[speaker] -= 1;
                let number = of_speakers[speaker][before[speaker]];
                let utterance = &talk.utterances[number];
                let mut tried = false;
                for (k, stream) in talk.streams.iter().enumerate() {
                    let is_last = k + 1 == talk.streams.len() && !tried;
                    if talk.timed && !is_last && !meets(utterance, stream) {
                        continue;
                    }
                    tried = true;
                    for start in cells.iter().filter(|cell| cell[k] == 0) {
                        let at = |position: usize| {
                            let mut cell = start.clone();
                            cell[k] = position;
                            cell
                        };
                        let cost = |x: usize| table[&(before.clone(), at(x))].0;
                        let mut row: Vec<(usize, usize)> = (0..lens[k]).map(|x| (cost(x), x)).collect();
                        naive_row(&mut row, 0, utterance, stream, talk.timed);
                        for (x, (cost, from)) in row.into_iter().enumerate() {
                            let cell = (state.clone(), at(x));
                            if table.get(&cell).is_none_or(|(known, _)| cost < *known) {
                                table.insert(cell, (cost, Some((number, k, (before.clone(), at(from))))));
                            }
                        }
                    }
                }
            }
        }
        let mut cell = (states[states.len() - 1].clone(), cells[cells.len() - 1].clone());
        let mut path = Vec::new();
        while let Some((number, stream, before)) = &table[&cell].1 {
            path.push((*number, *stream));
            cell = before.clone();
        }
        path.reverse();
        path
    }

    quickcheck! {
        fn paths_are_those_of_the_whole_table(utterances: Drawn, streams: Vec<Words>, timed: bool, close: bool) -> bool {
            let mut talk = talk(&utterances, &streams, timed, 4);
            if close {
                // Streams with the words of utterances have short lists of kept cells.
                for (at, stream) in talk.streams.iter_mut().enumerate() {
                    let own = talk.utterances.iter().skip(at).step_by(2).take(2);
                    own.for_each(|utterance| stream.extend(utterance));
                    stream.words.truncate(9);
                    stream.times.truncate(9);
                }
            }
            if talk.streams.is_empty() {
                return true;
            }
            let expected = naive_path(&talk);
            // Limits that are too low at first, and a limit that keeps every cell.
            [0, 1, FIRST_SLACK, u32::MAX].into_iter().all(|slack| {
                MimoWer::untimed().path_with_slack(&talk, slack).unwrap() == expected
            })
        }
    }
}
