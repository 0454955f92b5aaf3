//! Tests of the definitions and limits, and comparisons with naive reference implementations.

use core::ops::Range;
use std::collections::HashMap;

use bleuprint_core::{Answer, Ask, Observe, Pairing, Segment, Wanted};
use quickcheck::quickcheck;

use crate::grid::{GridStop, StreamGrid};
use crate::lazily::{assign, assign_lazily};
use crate::session::Talk;
use crate::timed::{Reach, WordsWithTimes, overlap, span, timed_errors};
use crate::*;
use bleuprint_metrics::{EditCounts, PairTables};

/// Words with their times and lengths, drawn at random.
pub(crate) type Words = Vec<(u8, u8, u8)>;
/// Utterances of speakers, drawn at random.
pub(crate) type Drawn = Vec<(u8, Words)>;
/// Cost of every cell of the alignment table, and for each stream the first and last position of its cells.
type Searched = (HashMap<Cell, usize>, Vec<(usize, usize)>);
type Spoken<'a> = Vec<(&'a str, Option<[f64; 2]>, Vec<&'a str>)>;

fn tokens(spoken: &Spoken<'_>) -> Vec<String> {
    let utterance = |(speaker, times, words): &(&str, Option<[f64; 2]>, Vec<&str>)| {
        let head = Utterance::head(speaker, *times, words.len());
        core::iter::once(head).chain(words.iter().map(ToString::to_string)).collect::<Vec<_>>()
    };
    spoken.iter().flat_map(utterance).collect()
}

fn counted<M>(metric: &M, reference: &Spoken<'_>, hypothesis: &Spoken<'_>) -> Result<(M::Stats, Pairing)>
where
    M: for<'t> Observe<[&'t str]>,
{
    let [reference, hypothesis] = [reference, hypothesis].map(tokens);
    let [reference, hypothesis] =
        [&reference, &hypothesis].map(|tokens| tokens.iter().map(String::as_str).collect::<Vec<_>>());
    let hypotheses = [&hypothesis[..]];
    let references = [&reference[..]];
    let segment = Segment::new(hypotheses[0], &references);
    let mut stats = metric.zero();
    metric.observe(&mut M::Scratch::default(), &mut stats, segment)?;
    let ask = Ask::new(Wanted::Pairing, &hypotheses, &references);
    let answer = metric.ask(&mut M::Scratch::default(), ask)?;
    let Some(Answer::Pairing(pairing)) = answer else { panic!("no pairing") };
    Ok((stats, pairing))
}

#[test]
fn the_errors_of_meeteval_are_errors_or_have_an_answer() {
    let spoken = |speakers: usize| -> Vec<String> { (0..speakers).map(|n| format!("s{n}")).collect() };
    let names = spoken(21);
    let many: Spoken<'_> = names.iter().map(|name| (&**name, None, vec!["a"])).collect();
    let error = counted(&CpWer::untimed(), &many, &many).unwrap_err().to_string();
    assert_eq!(error, "the number of speakers of the reference of a session is 21, but must be at most 20");
    let error = counted(&OrcWer::untimed(), &many, &many).unwrap_err().to_string();
    assert_eq!(error, "the number of streams of the hypothesis of a session is 21, but must be at most 10");
    let back: Spoken<'_> = vec![("A", Some([2.0, 1.0]), vec!["a"])];
    let error = counted(&CpWer::untimed(), &back, &back).unwrap_err().to_string();
    assert!(error.contains("an utterance of `A` is from 2 to 1"), "{error}");
    // MeetEval fails with an assertion here.
    let (counts, pairs) =
        counted(&OrcWer::untimed(), &vec![("A", None, vec!["a", "b"])], &Vec::new()).unwrap();
    assert_eq!((counts.deletions, counts.ref_len), (2, 2));
    assert_eq!(pairs, [[Some("A".to_owned()), None]]);
    let untimed: Spoken<'_> = vec![("A", None, vec!["a"])];
    let timed = CpWer::timed(TimeConstraint::new(5.0).unwrap());
    let error = counted(&timed, &untimed, &untimed).unwrap_err().to_string();
    assert_eq!(error, "tcpWER needs times, but an utterance of `A` has none");
    let words = vec![("A", Some([0.0, 1.0]), vec!["a", "b"])];
    let given = TimeConstraint::new(5.0).unwrap().with_timing(WordTiming::Given, WordTiming::Given);
    let error = counted(&CpWer::timed(given), &words, &words).unwrap_err().to_string();
    assert!(error.starts_with("an utterance has 2 words, but `none`"), "{error}");
}

#[test]
fn tables_beyond_the_limit_are_refused_with_the_estimate() {
    // Each utterance is as good in one stream as in the other, so every position is on some best path.
    let long: Spoken<'_> = ["A", "B", "C"].map(|name| (name, None, vec!["a"; 1000])).to_vec();
    let error = counted(&OrcWer::untimed(), &long, &long).unwrap_err().to_string();
    let (what, limit) = error.split_once(" words, in bytes is ").unwrap();
    assert_eq!(what, "the memory of ORC-WER for 3 utterances and streams of 1000 x 1000 x 1000");
    let (bytes, limit) = limit.split_once(", but must be at most 2147483648; ").unwrap();
    assert!(bytes.parse::<u64>().unwrap() > 1 << 31, "{bytes}");
    assert_eq!(limit, "search=greedy has no such limit, and shorter sessions need less");
}

/// Checks ORC-WER with three streams of thousands of words; the whole alignment table would have 10^10 cells.
#[test]
fn long_sessions_with_few_errors_are_counted() {
    let words: Vec<String> = (0..6000).map(|word| format!("w{}", word % 700)).collect();
    let names = ["A", "B", "C"];
    let utterances: Vec<(&str, Vec<&str>)> = words
        .chunks(15)
        .enumerate()
        .map(|(place, words)| (names[place * place % 3], words.iter().map(String::as_str).collect()))
        .collect();
    let reference: Spoken<'_> = utterances.iter().map(|(name, words)| (*name, None, words.clone())).collect();
    let mut hypothesis = reference.clone();
    let mut wrong = 0;
    for (place, (_, _, words)) in hypothesis.iter_mut().enumerate().filter(|(place, _)| place % 4 == 0) {
        words[place % 15] = "other";
        wrong += 1;
    }
    let (counts, pairs) = counted(&OrcWer::untimed(), &reference, &hypothesis).unwrap();
    assert_eq!((counts.substitutions, counts.insertions, counts.deletions), (wrong, 0, 0));
    assert!(pairs.iter().all(|[one, other]| one == other));
}

/// Builds the utterances of a session from raw bytes; most utterances have a word.
fn utterances(raw: &[u8]) -> Vec<&'static str> {
    const UTTERANCES: [&[&str]; 5] = [
        &["\u{1e}1\u{1f}0\u{1f}1\u{1f}A", "a"],
        &["\u{1e}1\u{1f}0.5\u{1f}2\u{1f}B", "the cat"],
        &["\u{1e}1\u{1f}2\u{1f}2\u{1f}A", "é"],
        &["\u{1e}1\u{1f}9\u{1f}9.5\u{1f}C", "a"],
        &["\u{1e}0\u{1f}1\u{1f}1\u{1f}D"],
    ];
    raw.iter().flat_map(|token| UTTERANCES[usize::from(token % 5)]).copied().collect()
}

#[test]
fn all_obey_the_laws() {
    fn check<M>(metric: M)
    where
        M: for<'t> Observe<[&'t str]> + 'static,
        M::Stats: bleuprint_registry::Storable,
    {
        let metric = crate::entry::over(metric);
        bleuprint_registry::laws::check_sequences::<[&str]>(&metric, utterances);
    }
    let collar = TimeConstraint::new(0.5).unwrap();
    check(CpWer::untimed());
    check(CpWer::timed(collar));
    check(OrcWer::untimed());
    check(OrcWer::untimed().search(StreamSearch::Greedy));
    check(OrcWer::timed(collar));
    check(MimoWer::untimed());
    check(MimoWer::timed(collar));
    check(DiCpWer::untimed());
    check(DiCpWer::timed(collar));
}

fn naive_timed(reference: &WordsWithTimes, hypothesis: &WordsWithTimes) -> EditCounts {
    let overlap = |i: usize, j: usize| overlap(reference.times[i], hypothesis.times[j]);
    let mut table: Vec<Vec<(u64, EditCounts)>> = Vec::new();
    for i in 0..=reference.words.len() {
        table.push(Vec::new());
        for j in 0..=hypothesis.words.len() {
            let mut options = Vec::new();
            if j > 0 {
                let (cost, counts) = table[i][j - 1];
                options.push((cost + 1, EditCounts { insertions: counts.insertions + 1, ..counts }));
            }
            if i > 0 {
                let (cost, counts) = table[i - 1][j];
                options.push((cost + 1, EditCounts { deletions: counts.deletions + 1, ..counts }));
            }
            if i > 0 && j > 0 && overlap(i - 1, j - 1) {
                let (cost, counts) = table[i - 1][j - 1];
                options.push(if reference.words[i - 1] == hypothesis.words[j - 1] {
                    (cost, EditCounts { hits: counts.hits + 1, ..counts })
                } else {
                    (cost + 1, EditCounts { substitutions: counts.substitutions + 1, ..counts })
                });
            }
            // Ties go to the first candidate.
            let best = options.into_iter().reduce(|best, next| if next.0 < best.0 { next } else { best });
            table[i].push(best.unwrap_or_default());
        }
    }
    table.pop().and_then(|mut row| row.pop()).unwrap().1
}

fn timed_words(raw: &[(u8, u8, u8)], sorted: bool) -> WordsWithTimes {
    let mut raw = raw.to_vec();
    if sorted {
        raw.sort_by_key(|(_, start, _)| *start);
    }
    WordsWithTimes {
        words: raw.iter().map(|(word, ..)| u32::from(word % 3)).collect(),
        times: raw
            .iter()
            .map(|(_, start, len)| [f64::from(start % 30), f64::from(start % 30) + f64::from(len % 8)])
            .collect(),
    }
}

type Cell = Vec<usize>;

/// Returns the range of positions that the search considers before each utterance, for each stream. It runs
/// from the first word that this or a later utterance can overlap to the last word that this or an earlier
/// one can overlap.
fn naive_windows(
    utterances: &[WordsWithTimes],
    streams: &[WordsWithTimes],
    timed: bool,
) -> Vec<Vec<(usize, usize)>> {
    let window = |at: usize, stream: &WordsWithTimes| {
        if !timed {
            return (0, stream.words.len());
        }
        let reach = Reach::from_times(&stream.times);
        let range =
            |utterance: &WordsWithTimes| span(&utterance.times).map_or(0..0, |span| reach.range(span));
        let reached = |utterances: &[WordsWithTimes]| -> Vec<Range<usize>> {
            utterances.iter().map(range).filter(|range| !range.is_empty()).collect()
        };
        let first = reached(&utterances[at..]).iter().map(|range| range.start).min();
        let first = first.unwrap_or(stream.words.len());
        let last = reached(&utterances[..=at]).iter().map(|range| range.end).max();
        (first, last.unwrap_or(0).max(first))
    };
    (0..utterances.len()).map(|at| streams.iter().map(|stream| window(at, stream)).collect()).collect()
}

/// Returns the best stream for each utterance, found with a complete table: for each cell, it keeps the least
/// cost and the first step that gives this cost.
fn naive_streams(utterances: &[WordsWithTimes], streams: &[WordsWithTimes], timed: bool) -> Vec<usize> {
    /// Cost of a cell, with the stream and the cell of the step that reached it.
    type Reached = (usize, (usize, Cell));
    let mut before: Option<Searched> = None;
    let mut origins: Vec<HashMap<Cell, (usize, Cell)>> = Vec::new();
    let windows = naive_windows(utterances, streams, timed);
    let cut = |cell: &Cell, window: &[(usize, usize)]| -> Cell {
        cell.iter().zip(window).map(|(at, (_, end))| *at.min(end)).collect()
    };
    for (number, (utterance, window)) in utterances.iter().zip(&windows).enumerate() {
        let ends = utterances[..number].iter().filter_map(|before| span(&before.times)).map(|[_, end]| end);
        let mut cells: Vec<Cell> = vec![Vec::new()];
        for (first, last) in window {
            let positions = *first..=*last;
            cells = cells
                .iter()
                .flat_map(|cell| positions.clone().map(|at| [&cell[..], &[at]].concat()))
                .collect();
        }
        let cost = |cell: &Cell| match &before {
            None => cell.iter().sum::<usize>(),
            Some((state, window)) => {
                let known = cut(cell, window);
                state[&known] + cell.iter().sum::<usize>() - known.iter().sum::<usize>()
            }
        };
        let state: HashMap<Cell, usize> = cells.iter().map(|cell| (cell.clone(), cost(cell))).collect();
        let mut best: HashMap<Cell, Reached> = HashMap::new();
        for (number, stream) in streams.iter().enumerate() {
            let end = ends.clone();
            let all = span(&utterance.times).map(|[start, own]| [start, end.fold(own, f64::max)]);
            let meets = all.is_some_and(|all| stream.times.iter().any(|time| overlap(all, *time)));
            if timed && !meets && (!best.is_empty() || number + 1 < streams.len()) {
                continue;
            }
            let (first, last) = window[number];
            for start in cells.iter().filter(|cell| cell[number] == first) {
                let at = |position: usize| {
                    let mut cell = start.clone();
                    cell[number] = position;
                    cell
                };
                let mut row: Vec<(usize, usize)> = (first..=last).map(|x| (state[&at(x)], x)).collect();
                naive_row(&mut row, first, utterance, stream, timed);
                for (x, (cost, from)) in row.into_iter().enumerate() {
                    let known = best.get(&at(first + x)).map(|(cost, _)| *cost);
                    if known.is_none_or(|known| cost < known) {
                        best.insert(at(first + x), (cost, (number, at(from))));
                    }
                }
            }
        }
        before = Some((best.iter().map(|(cell, (cost, _))| (cell.clone(), *cost)).collect(), window.clone()));
        origins.push(best.into_iter().map(|(cell, (_, origin))| (cell, origin)).collect());
    }
    let mut cell: Vec<usize> = streams.iter().map(|stream| stream.words.len()).collect();
    let mut given: Vec<usize> = Vec::new();
    for (origins, window) in origins.iter().zip(&windows).rev() {
        let (stream, from) = origins[&cut(&cell, window)].clone();
        given.push(stream);
        cell = from;
    }
    given.reverse();
    given
}

/// Aligns an utterance with a stream from position `first` on. `row` has the cost and the first position of
/// the best path to each position; ties go to insertions, then deletions, then substitutions.
pub(crate) fn naive_row(
    row: &mut [(usize, usize)],
    first: usize,
    utterance: &WordsWithTimes,
    stream: &WordsWithTimes,
    timed: bool,
) {
    for (i, word) in utterance.words.iter().enumerate() {
        let above = row.to_vec();
        row[0].0 += 1;
        for x in 1..row.len() {
            let other = first + x - 1;
            let near = !timed || overlap(utterance.times[i], stream.times[other]);
            row[x] = if near && stream.words[other] == *word {
                above[x - 1]
            } else {
                let mut least = row[x - 1];
                for option in [above[x], above[x - 1]].into_iter().take(1 + usize::from(near)) {
                    least = if option.0 < least.0 { option } else { least };
                }
                (least.0 + 1, least.1)
            };
        }
    }
}

/// Returns the fewest errors over all ways to assign utterances to streams, with the utterances in their
/// order.
fn naive_orc(talk: &Talk<'_>) -> u64 {
    let ways = talk.streams.len().pow(talk.utterances.len() as u32);
    let edits = |mut way: usize| {
        let given: Vec<(usize, usize)> = (0..talk.utterances.len())
            .map(|number| {
                let stream = way % talk.streams.len();
                way /= talk.streams.len();
                (number, stream)
            })
            .collect();
        talk.counts_of(&mut PairTables::default(), given.into_iter()).unwrap().edits()
    };
    (0..ways).map(edits).min().unwrap()
}

/// Returns the fewest errors over all ways to assign utterances to streams, in every order that keeps each
/// speaker's order.
fn naive_mimo(talk: &Talk<'_>) -> u64 {
    fn ways(talk: &Talk<'_>, done: &mut Vec<(usize, usize)>, least: &mut u64) {
        if done.len() == talk.utterances.len() {
            let counts = talk.counts_of(&mut PairTables::default(), done.clone().into_iter()).unwrap();
            *least = counts.edits().min(*least);
        }
        for speaker in 0..talk.speakers.len() {
            let is_done = |number: &usize| done.iter().any(|(known, _)| known == number);
            let mut own = (0..talk.utterances.len()).filter(|number| talk.owners[*number] == speaker);
            let Some(next) = own.find(|number| !is_done(number)) else { continue };
            for stream in 0..talk.streams.len() {
                done.push((next, stream));
                ways(talk, done, least);
                done.pop();
            }
        }
    }
    let mut least = u64::MAX;
    ways(talk, &mut Vec::new(), &mut least);
    least
}

/// Runs the greedy search directly by its definition: for each utterance it compares every stream's edit
/// distance with and without it. Returns the stream of each utterance.
fn naive_greedy(talk: &Talk<'_>, start: &[usize]) -> Vec<usize> {
    let mut given = start.to_vec();
    for cost in [2, 1] {
        for _ in 0..49 {
            let before = given.clone();
            for number in 0..given.len() {
                let more = |stream: usize| {
                    let of = |with: bool| {
                        let mut words = WordsWithTimes::default();
                        for (other, utterance) in talk.utterances.iter().enumerate() {
                            if if other == number { with } else { given[other] == stream } {
                                words.extend(utterance);
                            }
                        }
                        naive_distance(&words, &talk.streams[stream], talk.timed, cost) as i64
                    };
                    of(true) - of(false)
                };
                let all: Vec<i64> = (0..talk.streams.len()).map(more).collect();
                let least = all.iter().min().unwrap();
                if all[given[number]] > *least {
                    given[number] = all.iter().position(|more| more == least).unwrap();
                }
            }
            if given == before {
                break;
            }
        }
    }
    given
}

fn naive_distance(one: &WordsWithTimes, other: &WordsWithTimes, timed: bool, substitution: u64) -> u64 {
    let mut row: Vec<u64> = (0..=other.words.len() as u64).collect();
    for (i, word) in one.words.iter().enumerate() {
        let above = row.clone();
        row[0] += 1;
        for j in 1..row.len() {
            let near = !timed || overlap(one.times[i], other.times[j - 1]);
            let pair = if *word == other.words[j - 1] { 0 } else { substitution };
            row[j] = (row[j - 1] + 1).min(above[j] + 1);
            if near {
                row[j] = row[j].min(above[j - 1] + pair);
            }
        }
    }
    row[row.len() - 1]
}

/// Builds utterances of up to three speakers and up to three streams.
pub(crate) fn talk(
    utterances: &[(u8, Words)],
    streams: &[Vec<(u8, u8, u8)>],
    timed: bool,
    most: usize,
) -> Talk<'static> {
    let words = |raw: &[(u8, u8, u8)], most: usize| timed_words(&raw[..raw.len().min(most)], true);
    let utterances = &utterances[..utterances.len().min(most)];
    let streams: Vec<WordsWithTimes> = streams.iter().take(3).map(|raw| words(raw, 9)).collect();
    Talk {
        utterances: utterances.iter().map(|(_, raw)| words(raw, 5)).collect(),
        owners: utterances.iter().map(|(owner, _)| usize::from(owner % 3)).collect(),
        speakers: vec!["A", "B", "C"],
        stream_names: ["1", "2", "3"][..streams.len()].to_vec(),
        streams,
        distinct: 3,
        timed,
    }
}

quickcheck! {
    fn timed_errors_are_those_of_the_whole_table(one: Vec<(u8, u8, u8)>, other: Vec<(u8, u8, u8)>, sorted: bool) -> bool {
        let one = timed_words(&one, sorted);
        let other = timed_words(&other, sorted);
        timed_errors(&one, &other).unwrap() == naive_timed(&one, &other)
    }

    fn assignments_from_lower_bounds_are_those_of_all_costs(raw: Vec<(u8, u8)>, size: u8) -> bool {
        let n = usize::from(size % 6);
        let cell = |at: usize| raw.get(at % raw.len().max(1)).copied().unwrap_or_default();
        let costs = |of: &dyn Fn((u8, u8)) -> u64| -> Vec<Vec<u64>> {
            (0..n).map(|row| (0..n).map(|column| of(cell(row * n + column))).collect()).collect()
        };
        let exact = costs(&|(low, more)| u64::from(low % 5) + u64::from(more % 4));
        let low = costs(&|(low, _)| u64::from(low % 5));
        // Some of these costs are exact from the beginning.
        let is_pair = |row: usize, column: usize| !(row + column).is_multiple_of(4);
        let mixed: Vec<Vec<u64>> = (0..n)
            .map(|row| (0..n).map(|at| if is_pair(row, at) { low[row][at] } else { exact[row][at] }).collect())
            .collect();
        assign_lazily(mixed, is_pair, |row, column| exact[row][column]) == assign(&exact)
    }

    fn streams_are_those_of_the_naive_grid(utterances: Vec<Vec<(u8, u8, u8)>>, streams: Vec<Vec<(u8, u8, u8)>>, timed: bool, long: bool) -> bool {
        let words = |raw: &Vec<(u8, u8, u8)>, most: usize| timed_words(&raw[..raw.len().min(most)], true);
        let mut utterances: Vec<WordsWithTimes> = utterances.iter().take(5).map(|raw| words(raw, 6)).collect();
        if timed {
            utterances.retain(|utterance| !utterance.words.is_empty());
        }
        if let (true, Some(first)) = (long, utterances.first_mut()) {
            // More words than are worked on at a time.
            let own = first.clone();
            (0..if own.words.is_empty() { 0 } else { 40 / own.words.len() }).for_each(|_| first.extend(&own));
        }
        let streams: Vec<WordsWithTimes> = streams.iter().take(3).map(|raw| words(raw, 9)).collect();
        if streams.is_empty() {
            return true;
        }
        let expected = naive_streams(&utterances, &streams, timed);
        let utterances: Vec<&WordsWithTimes> = utterances.iter().collect();
        // Limits: too few bytes for some draws, too few to keep all cells of some, and enough for all.
        [600, 10_000, u128::MAX].into_iter().all(|most| match StreamGrid::over_streams(&streams, 3, timed, most).give(&utterances) {
            Err(GridStop::TooLarge(found) | GridStop::TooLong(found)) => found > most,
            given => given.unwrap() == expected,
        })
    }

    fn mimo_has_the_fewest_errors_of_all_orders(utterances: Drawn, streams: Vec<Vec<(u8, u8, u8)>>, timed: bool) -> bool {
        let talk = talk(&utterances, &streams, timed, 4);
        if talk.streams.is_empty() {
            return true;
        }
        let given = MimoWer::untimed().path(&talk).unwrap();
        let counts = talk.counts_of(&mut PairTables::default(), given.into_iter()).unwrap();
        counts.edits() == naive_mimo(&talk)
    }

    fn orc_has_the_fewest_errors_of_all_ways(utterances: Drawn, streams: Vec<Vec<(u8, u8, u8)>>, timed: bool) -> bool {
        let talk = talk(&utterances, &streams, timed, 5);
        if talk.streams.is_empty() {
            return true;
        }
        let given = OrcWer::untimed().exact(&talk).unwrap();
        let counts = talk.counts_of(&mut PairTables::default(), given.into_iter().enumerate()).unwrap();
        counts.edits() == naive_orc(&talk)
    }

    fn the_search_moves_as_its_definition_says(utterances: Drawn, streams: Vec<Vec<(u8, u8, u8)>>, timed: bool, far: bool) -> bool {
        let mut talk = talk(&utterances, &streams, timed, 12);
        if far {
            // Streams of more than one block.
            for stream in &mut talk.streams {
                let own = stream.clone();
                (0..5).for_each(|_| stream.extend(&own));
            }
        }
        if talk.streams.is_empty() {
            return true;
        }
        let mut pairs = PairTables::default();
        let start = greedy::start(&mut pairs, &talk).unwrap();
        greedy::give("ORC-WER", &mut pairs, &talk).unwrap() == naive_greedy(&talk, &start)
    }
}
