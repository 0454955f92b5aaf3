//! Families of metrics over structured data: labels, spans, samples, turns and sessions.

use bleuprint::families::diarization::{Diarization, Regions, ScoredTime, Turn, Turns};
use bleuprint::families::labels::{LabelOptions, Labels, SpanOptions, Spans};
use bleuprint::families::meetings::{CpWer, Utterance};
use bleuprint::families::samples::{Prompt, PromptNumber, Samples};
use bleuprint::{Accumulator, Score as _, Segment};

use super::Prepared;
use crate::{Result, given};

pub(super) fn labels() -> Result<Prepared> {
    let labels = Labels::new(LabelOptions::default())?;
    let mut draws = given::Generator::new(4);
    let label = |number: usize| format!("label-{number}");
    let pairs: Vec<(String, String)> = (0..6_000)
        .map(|_| {
            let gold = draws.below(40);
            (label(if draws.below(4) == 0 { draws.below(40) } else { gold }), label(gold))
        })
        .collect();
    Ok(Box::new(move || {
        let mut all = Accumulator::<_, str>::new(&labels);
        for (predicted, gold) in &pairs {
            all.add(Segment::new(predicted.as_str(), &[gold.as_str()]))?;
        }
        Ok(all.score()?.score.value())
    }))
}

pub(super) fn spans() -> Result<Prepared> {
    let spans = Spans::new(SpanOptions::default())?;
    let pairs = given::tags(5, 800);
    Ok(Box::new(move || {
        let mut all = Accumulator::<_, str>::new(&spans);
        for (hypothesis, reference) in &pairs {
            all.add(Segment::new(hypothesis.as_str(), &[reference.as_str()]))?;
        }
        Ok(all.score()?.score.value())
    }))
}

pub(super) fn pass() -> Result<Prepared> {
    let samples = Samples::new(PromptNumber::Pass, Some(&[1.0, 10.0, 100.0]), None)?;
    let mut draws = given::Generator::new(6);
    let prompts: Vec<Prompt> =
        (0..1_000).map(|_| Prompt::Counts { n: 200, c: draws.below(201) as u32 }).collect();
    Ok(Box::new(move || {
        let mut all = Accumulator::<_, Prompt>::new(&samples);
        for prompt in &prompts {
            all.add(Segment::with_source(prompt, &[], None))?;
        }
        Ok(all.score()?.score.value())
    }))
}

/// Returns turns that follow each other with short pauses and overlaps.
fn turns(draws: &mut given::Generator, speakers: usize) -> Turns {
    // Whole hundredths of a second, as times have at most six decimal places.
    let (mut at, seconds) = (0, |hundredths: usize| hundredths as f64 / 100.0);
    let mut turn = |_| {
        let length = 100 + draws.below(400);
        let speaker = ["a", "b", "c", "d", "e"][draws.below(speakers)];
        let turn = Turn::new(speaker, seconds(at), seconds(at + length));
        at += length - 50 + draws.below(100);
        turn
    };
    Turns((0..300).map(&mut turn).collect())
}

pub(super) fn der() -> Result<Prepared> {
    let der = Diarization::der(ScoredTime::default())?;
    let mut draws = given::Generator::new(7);
    let files: Vec<(Turns, Turns)> = (0..6).map(|_| (turns(&mut draws, 5), turns(&mut draws, 4))).collect();
    let regions = Regions(vec![(0.0, 1_000.0)]);
    Ok(Box::new(move || {
        let mut all = Accumulator::<_, Turns, Turns, Regions>::new(&der);
        for (hypothesis, reference) in &files {
            all.push_segment(Segment::with_source(hypothesis, &[reference], Some(&regions)))?;
        }
        Ok(all.score()?.value())
    }))
}

/// Returns a session of three speakers who take turns.
fn session(lines: &[&str]) -> Vec<String> {
    let mut tokens = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        let words: Vec<&str> = line.split(' ').collect();
        tokens.push(Utterance::head(["A", "B", "C"][number % 3], None, words.len()));
        tokens.extend(words.into_iter().map(str::to_owned));
    }
    tokens
}

pub(super) fn cpwer() -> Result<Prepared> {
    let lines = given::sentences(8, 240);
    let sessions: Vec<(Vec<String>, Vec<String>)> = lines
        .chunks(60)
        .map(|lines| {
            let hypotheses: Vec<&str> = lines.iter().map(|(hypothesis, _)| hypothesis.as_str()).collect();
            let references: Vec<&str> = lines.iter().map(|(_, reference)| reference.as_str()).collect();
            (session(&hypotheses), session(&references))
        })
        .collect();
    Ok(Box::new(move || {
        let mut all = Accumulator::<_, [&str]>::new(CpWer::untimed());
        for (hypothesis, reference) in &sessions {
            let [hypothesis, reference] =
                [hypothesis, reference].map(|tokens| tokens.iter().map(String::as_str).collect::<Vec<_>>());
            all.push(&hypothesis, &[&reference])?;
        }
        Ok(all.score()?.score.score)
    }))
}
