//! The definitions, the limits, and naive twins.

use bleuprint_core::{Answer, Ask, Observe, Pairing, Segment, Utterance, Wanted};
use quickcheck::quickcheck;

use super::grid::{Grid, Stop};
use super::lazily::{assign, assign_lazily};
use super::timed::{TimedWords, timed_errors};
use super::*;
use crate::edit::EditCounts;

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
    let (hypotheses, references) = ([&hypothesis[..]], [&reference[..]]);
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
    let error = counted(&OrcWer, &many, &many).unwrap_err().to_string();
    assert_eq!(error, "the number of streams of the hypothesis of a session is 21, but must be at most 10");
    let back: Spoken<'_> = vec![("A", Some([2.0, 1.0]), vec!["a"])];
    let error = counted(&CpWer::untimed(), &back, &back).unwrap_err().to_string();
    assert!(error.contains("an utterance of `A` is from 2 to 1"), "{error}");
    // MeetEval ends with an assertion.
    let (counts, pairs) = counted(&OrcWer, &vec![("A", None, vec!["a", "b"])], &Vec::new()).unwrap();
    assert_eq!((counts.deletions, counts.ref_len), (2, 2));
    assert_eq!(pairs.pairs, [[Some("A".to_owned()), None]]);
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
    let error = counted(&OrcWer, &long, &long).unwrap_err().to_string();
    let (what, limit) = error.split_once(" words, in bytes is ").unwrap();
    assert_eq!(what, "the memory of ORC-WER for 3 utterances and streams of 1000 x 1000 x 1000");
    let (bytes, limit) = limit.split_once(", but must be at most 2147483648; ").unwrap();
    assert!(bytes.parse::<u64>().unwrap() > 1 << 31, "{bytes}");
    assert_eq!(limit, "cpwer has no such limit, and shorter sessions need less");
}

/// Three streams of thousands of words: the whole grid has 10^10 cells.
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
    let (counts, pairs) = counted(&OrcWer, &reference, &hypothesis).unwrap();
    assert_eq!((counts.substitutions, counts.insertions, counts.deletions), (wrong, 0, 0));
    assert!(pairs.pairs.iter().all(|[one, other]| one == other));
}

#[test]
fn all_obey_the_laws() {
    use bleuprint_registry::{AnyMetric, laws};
    let timed = CpWer::timed(TimeConstraint::new(0.5).unwrap());
    let all = [
        AnyMetric::over_sessions(CpWer::untimed()),
        AnyMetric::over_sessions(timed),
        AnyMetric::over_sessions(OrcWer),
    ];
    all.iter().for_each(laws::check_any);
}

fn naive_timed(reference: &TimedWords, hypothesis: &TimedWords) -> EditCounts {
    let overlap = |i: usize, j: usize| {
        let ([start, end], [from, to]) = (reference.times[i], hypothesis.times[j]);
        start < to && end > from
    };
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
                options.push(match reference.words[i - 1] == hypothesis.words[j - 1] {
                    true => (cost, EditCounts { hits: counts.hits + 1, ..counts }),
                    false => (cost + 1, EditCounts { substitutions: counts.substitutions + 1, ..counts }),
                });
            }
            // The first of the least.
            let best = options.into_iter().reduce(|best, next| if next.0 < best.0 { next } else { best });
            table[i].push(best.unwrap_or_default());
        }
    }
    table.pop().and_then(|mut row| row.pop()).unwrap().1
}

fn timed_words(raw: &[(u8, u8, u8)], sorted: bool) -> TimedWords {
    let mut raw = raw.to_vec();
    if sorted {
        raw.sort_by_key(|(_, start, _)| *start);
    }
    TimedWords {
        words: raw.iter().map(|(word, ..)| u32::from(word % 3)).collect(),
        times: raw
            .iter()
            .map(|(_, start, len)| [f64::from(start % 30), f64::from(start % 30) + f64::from(len % 8)])
            .collect(),
    }
}

fn naive_streams(utterances: &[&[u32]], streams: &[&[u32]]) -> Vec<usize> {
    use std::collections::HashMap;
    type Cell = Vec<usize>;
    /// The cost, the stream and the cell before.
    type Reached = (usize, (usize, Cell));
    let mut cells: Vec<Cell> = vec![Vec::new()];
    for stream in streams {
        cells =
            cells.iter().flat_map(|cell| (0..=stream.len()).map(|at| [&cell[..], &[at]].concat())).collect();
    }
    let mut state: HashMap<Vec<usize>, usize> =
        cells.iter().map(|cell| (cell.clone(), cell.iter().sum())).collect();
    let mut origins: Vec<HashMap<Cell, (usize, Cell)>> = Vec::new();
    for words in utterances {
        let mut best: HashMap<Cell, Reached> = HashMap::new();
        for (number, stream) in streams.iter().enumerate() {
            for start in cells.iter().filter(|cell| cell[number] == 0) {
                let at = |position: usize| {
                    let mut cell = start.clone();
                    cell[number] = position;
                    cell
                };
                let mut row: Vec<(usize, usize)> = (0..=stream.len()).map(|x| (state[&at(x)], x)).collect();
                for word in *words {
                    let above = row.clone();
                    row[0].0 += 1;
                    for x in 1..row.len() {
                        row[x] = if stream[x - 1] == *word {
                            above[x - 1]
                        } else {
                            let mut least = row[x - 1];
                            for other in [above[x], above[x - 1]] {
                                least = if other.0 < least.0 { other } else { least };
                            }
                            (least.0 + 1, least.1)
                        };
                    }
                }
                for (x, (cost, from)) in row.into_iter().enumerate() {
                    let known = best.get(&at(x)).map(|(cost, _)| *cost);
                    if known.is_none_or(|known| cost < known) {
                        best.insert(at(x), (cost, (number, at(from))));
                    }
                }
            }
        }
        state = best.iter().map(|(cell, (cost, _))| (cell.clone(), *cost)).collect();
        origins.push(best.into_iter().map(|(cell, (_, origin))| (cell, origin)).collect());
    }
    let mut cell: Vec<usize> = streams.iter().map(|stream| stream.len()).collect();
    let mut given: Vec<usize> = Vec::new();
    for origins in origins.iter().rev() {
        let (stream, from) = origins[&cell].clone();
        given.push(stream);
        cell = from;
    }
    given.reverse();
    given
}

quickcheck! {
    fn timed_errors_are_those_of_the_whole_table(one: Vec<(u8, u8, u8)>, other: Vec<(u8, u8, u8)>, sorted: bool) -> bool {
        let (one, other) = (timed_words(&one, sorted), timed_words(&other, sorted));
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
        // Some of them are exact from the beginning.
        let is_pair = |row: usize, column: usize| !(row + column).is_multiple_of(4);
        let mixed: Vec<Vec<u64>> = (0..n)
            .map(|row| (0..n).map(|at| if is_pair(row, at) { low[row][at] } else { exact[row][at] }).collect())
            .collect();
        assign_lazily(mixed, is_pair, |row, column| exact[row][column]) == assign(&exact)
    }

    fn streams_are_those_of_the_naive_grid(utterances: Vec<Vec<u8>>, streams: Vec<Vec<u8>>, long: bool) -> bool {
        let ids = |raw: &Vec<u8>, most: usize| raw.iter().take(most).map(|id| u32::from(id % 3)).collect::<Vec<u32>>();
        let mut utterances: Vec<Vec<u32>> = utterances.iter().take(5).map(|raw| ids(raw, 6)).collect();
        if let (true, Some(first)) = (long, utterances.first_mut()) {
            // More words than are worked on at a time.
            *first = first.iter().cycle().take(40 * usize::from(!first.is_empty())).copied().collect();
        }
        let streams: Vec<Vec<u32>> = streams.iter().take(3).map(|raw| ids(raw, 9)).collect();
        if streams.is_empty() {
            return true;
        }
        let utterances: Vec<&[u32]> = utterances.iter().map(Vec::as_slice).collect();
        let streams: Vec<&[u32]> = streams.iter().map(Vec::as_slice).collect();
        let expected = naive_streams(&utterances, &streams);
        let limited = match Grid::of(&streams, 3, 600).give(&utterances) {
            Err(Stop::TooLarge(bytes)) => bytes > 600,
            given => given.unwrap() == expected,
        };
        limited && Grid::of(&streams, 3, u128::MAX).give(&utterances).unwrap() == expected
    }
}
