//! What the page holds of texts: themselves with the borders of their tokens, n-grams won and lost, identical outputs.

use bleuprint::eval::{NgramWin, NgramWins, contributions};
use bleuprint::report::page::{self, PageNgrams, PageTexts, PageWin};
use bleuprint::text::TokenBuffer;

use super::Texts;
use crate::Failure;
use crate::evaluation::counted::Counted;

/// The greatest order of n-grams.
const MAX_ORDER: usize = 4;

/// How many n-grams are listed for each system of a pair.
const MOST: usize = 15;

/// With more systems, n-grams are listed for the pairs of the first alone.
const ALL_PAIRS: usize = 4;

/// Characters that are seldom in texts and have no width, to stand between tokens that touch.
const GLUES: [char; 4] = ['\u{2063}', '\u{2064}', '\u{e000}', '\u{f8ff}'];

/// How many outputs of each system equal a reference.
pub(super) fn identical(texts: &Texts<'_>) -> Vec<u64> {
    let equal = |system: usize| {
        let segments = texts.corpus.segments.iter();
        let equal = segments.filter(|segment| segment.references.contains(&segment.hypotheses[system]));
        equal.count() as u64
    };
    (0..texts.corpus.systems.len()).map(equal).collect()
}

/// The texts; those of the segments with the largest shares alone where a sample is asked for.
pub(super) fn glued(
    texts: &Texts<'_>,
    counted: &Counted,
    sample: Option<usize>,
) -> Result<PageTexts, Failure> {
    let segments = &texts.corpus.segments;
    let all = || segments.iter().flat_map(|one| one.references.iter().chain(&one.hypotheses));
    let unused = |glue: &&char| !all().any(|text| text.contains(**glue));
    let Some(&glue) = GLUES.iter().find(unused) else {
        let message = "the texts have all characters that could mark borders of tokens (U+2063, U+2064, U+E000, U+F8FF)";
        return Err(Failure::Message(message.to_owned()));
    };
    let kept = kept(counted, sample)?;
    let mut buffer = TokenBuffer::default();
    let mut list = |texts_of: &dyn Fn(usize) -> Option<String>| -> Result<Vec<Option<String>>, Failure> {
        let mut list = Vec::with_capacity(segments.len());
        for (segment, kept) in kept.iter().enumerate() {
            list.push(match texts_of(segment).filter(|_| *kept) {
                None => None,
                Some(text) => {
                    let tokens: Vec<&str> = texts.tokenizer.tokenize(&text, &mut buffer)?.iter().collect();
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
    let hypotheses = (0..texts.corpus.systems.len())
        .map(|system| list(&|segment| segments[segment].hypotheses.get(system).cloned()))
        .collect::<Result<Vec<_>, _>>()?;
    // A source is read, not compared: it is in another language, whose tokens are none of ours.
    let source = segments.iter().any(|segment| segment.source.is_some()).then(|| {
        let source = |(segment, kept): (&crate::evaluation::corpus::TextSegment, &bool)| {
            segment.source.clone().filter(|_| *kept)
        };
        segments.iter().zip(&kept).map(source).collect()
    });
    Ok(PageTexts { glue, whole: kept.iter().all(|kept| *kept), references, hypotheses, source })
}

/// Which segments keep their texts: those with the largest shares of the difference of the first two systems under the
/// first metric; without one that can be left out of, the first segments.
fn kept(counted: &Counted, sample: Option<usize>) -> Result<Vec<bool>, Failure> {
    let segments = counted.len();
    let Some(sample) = sample.filter(|&sample| sample < segments) else { return Ok(vec![true; segments]) };
    let metric = counted.metrics().into_iter().next().and_then(|metric| metric.linear());
    let shares = match metric {
        Some(linear) if counted.systems.len() > 1 => {
            let finish = |row: &[u64]| linear.score_row(row).unwrap_or(f64::NAN);
            contributions(&counted.rows(0, 0)?, &counted.rows(0, 1)?, &finish)?
        }
        _ => vec![0.0; segments],
    };
    let mut order: Vec<(usize, f64)> = shares.into_iter().map(f64::abs).enumerate().collect();
    order.sort_by(|one, other| other.1.total_cmp(&one.1));
    let mut kept = vec![false; segments];
    order.iter().take(sample).for_each(|(segment, _)| kept[*segment] = true);
    Ok(kept)
}

/// The n-grams that one system of a pair matches more often than the other.
pub(super) fn ngrams(texts: &Texts<'_>) -> Result<Vec<PageNgrams>, Failure> {
    let systems = texts.corpus.systems.len();
    let mut buffer = TokenBuffer::default();
    let mut tokens = |text: &String| -> Result<Vec<String>, Failure> {
        Ok(texts.tokenizer.tokenize(text, &mut buffer)?.iter().map(str::to_owned).collect())
    };
    let mut segments: Vec<[Vec<Vec<String>>; 2]> = Vec::new();
    for segment in &texts.corpus.segments {
        let hypotheses = segment.hypotheses.iter().map(&mut tokens).collect::<Result<Vec<_>, _>>()?;
        let references = segment.references.iter().map(&mut tokens).collect::<Result<Vec<_>, _>>()?;
        segments.push([hypotheses, references]);
    }
    let pairs = (0..systems).flat_map(|first| (first + 1..systems).map(move |second| (first, second)));
    let pairs = pairs.filter(|(first, _)| systems <= ALL_PAIRS || *first == 0);
    Ok(pairs.map(|(first, second)| pair(&segments, first, second)).collect())
}

fn pair(segments: &[[Vec<Vec<String>>; 2]], first: usize, second: usize) -> PageNgrams {
    let mut wins = NgramWins::new(MAX_ORDER);
    let strs = |tokens: &Vec<String>| tokens.iter().map(|token| token.to_owned()).collect::<Vec<String>>();
    for [hypotheses, references] in segments {
        let [one, other] = [first, second].map(|system| strs(&hypotheses[system]));
        let one: Vec<&str> = one.iter().map(String::as_str).collect();
        let other: Vec<&str> = other.iter().map(String::as_str).collect();
        let references: Vec<Vec<&str>> =
            references.iter().map(|reference| reference.iter().map(String::as_str).collect()).collect();
        let references: Vec<&[&str]> = references.iter().map(Vec::as_slice).collect();
        wins.add(&one, &other, &references);
    }
    let (mut firsts, mut seconds): (Vec<NgramWin>, Vec<NgramWin>) =
        wins.differing().into_iter().partition(|win| win.first > win.second);
    PageNgrams { first, second, first_wins: surest(&mut firsts), second_wins: surest(&mut seconds) }
}

/// The differences that chance explains least, `|a − b|/√(a + b)`; a part of a longer n-gram with its counts is left out.
fn surest(wins: &mut [NgramWin]) -> Vec<PageWin> {
    let sureness =
        |win: &NgramWin| win.first.abs_diff(win.second) as f64 / ((win.first + win.second) as f64).sqrt();
    wins.sort_by(|one, other| {
        let longer = other.tokens.len().cmp(&one.tokens.len());
        sureness(other).total_cmp(&sureness(one)).then(longer).then_with(|| one.tokens.cmp(&other.tokens))
    });
    let mut listed: Vec<&NgramWin> = Vec::new();
    for win in wins.iter() {
        let part = |longer: &&&NgramWin| {
            (longer.first, longer.second) == (win.first, win.second)
                && longer.tokens.windows(win.tokens.len()).any(|part| part == win.tokens)
        };
        if listed.iter().find(part).is_none() {
            listed.push(win);
        }
        if listed.len() == MOST {
            break;
        }
    }
    listed.iter().map(|win| PageWin(win.tokens.join(" "), win.first, win.second, win.references)).collect()
}
