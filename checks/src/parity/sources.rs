//! Summaries against their sources and tokens against their texts, random, next to lighteval and to counts of Python.

use bleuprint::contract::{Accumulator, Observe, Segment};
use bleuprint::{Score as _, Tokenizer};
use bleuprint_sources::{Extractive, Fertility, FertilityStats, FertilityUnit, Novel};
use bleuprint_testkit::random::Rng;
use serde_json::json;
use xtask::Result;

use super::outcome::{FloatBits, difference};
use super::topic::{ParityTopic, PartSize, SinglePart, TopicNeeds};
use super::{corpus, ours};
use crate::pieces;

const SIZE: PartSize = PartSize::whole(10_000, 250);

pub(super) const TOPIC: ParityTopic = ParityTopic {
    script: include_str!("sources.py"),
    needs: TopicNeeds::Versions("lighteval ", "lighteval"),
    seed: 20_180_601,
    parts: |_, _| {
        let tokens = ours::tokenizer("13a")?;
        Ok(vec![
            Box::new(SinglePart {
                size: SIZE,
                draw: Box::new(pair),
                question: Box::new(|pairs| json!({ "of": "extractive", "cases": pairs })),
                compare: Box::new(|report, pair, theirs: [Option<FloatBits>; 4]| {
                    let [coverage, density, compression] =
                        fragments(pair)?.map(|value| Some(FloatBits::from_value(value)));
                    let ours = [coverage, density, compression, novel(pair)?];
                    report.same("texts against sources", &theirs, &ours, || format!("{pair:?}"));
                    Ok(())
                }),
            }),
            Box::new(SinglePart {
                size: SIZE,
                draw: Box::new(|rng| -> Vec<String> {
                    (0..rng.between(1, 4)).map(|_| corpus::text(rng)).collect()
                }),
                question: Box::new(|texts| json!({ "of": "fertility", "cases": texts })),
                compare: Box::new(move |report, texts, theirs| {
                    let lines = fertility(&*tokens, texts, &theirs)?;
                    report.case("fertility", lines, || format!("{texts:?}"));
                    Ok(())
                }),
            }),
        ])
    },
};

/// Summary, source and order of n-grams.
type Pair = (Vec<&'static str>, Vec<&'static str>, usize);

/// Returns a summary of few words whose pieces are mostly in the source, so that runs overlap.
fn pair(rng: &mut Rng) -> Pair {
    let list = *rng.pick(&["letters", "letters-and-0", "code-names", "rouge"]);
    let list = pieces::pieces(list);
    let words = |rng: &mut Rng, most| -> Vec<&'static str> {
        (0..rng.below(most)).map(|_| *rng.pick(list)).collect()
    };
    let source = words(rng, 60);
    let mut summary = Vec::new();
    for _ in 0..rng.below(5) {
        let from = rng.below(source.len() + 1);
        let until = rng.between(from, source.len());
        summary.extend_from_slice(&source[from..until.min(from + 8)]);
        summary.extend(words(rng, 3));
    }
    (corpus::edited(&summary, list, 3, rng), source, rng.between(1, 4))
}

fn fragments((summary, source, _): &Pair) -> Result<[f64; 3]> {
    let lower = |words: &[&str]| words.iter().map(|word| ours::lower(word)).collect::<Vec<_>>();
    let score = scored(Extractive::default(), &lower(summary), &lower(source))?.score()?.score;
    Ok([score.coverage, score.density, score.compression])
}

/// Returns the share of novel n-grams of a summary, or `None` if the summary has no n-grams.
fn novel((summary, source, order): &Pair) -> Result<Option<FloatBits>> {
    let scored = scored(Novel::new(*order)?, summary, source)?.score();
    Ok(scored.ok().map(|scored| FloatBits::from_value(scored.score.value())))
}

fn scored<T, M: Observe<[T]>>(metric: M, summary: &[T], source: &[T]) -> Result<Accumulator<M, [T]>> {
    let mut all = Accumulator::new(metric);
    all.push_segment(Segment::with_source(summary, &[], Some(source)))?;
    Ok(all)
}

/// Returns the quotients of the metric with this name, and of tokens that were counted before.
fn fertility(
    tokens: &dyn Tokenizer,
    texts: &[String],
    theirs: &[Option<FloatBits>; 4],
) -> Result<Vec<String>> {
    let mut lines = Vec::new();
    for (per, theirs) in [FertilityUnit::Word, FertilityUnit::Byte, FertilityUnit::Char, FertilityUnit::Token]
        .into_iter()
        .zip(theirs)
    {
        let mut all = Accumulator::<_, str>::new(Fertility::new("13a", per)?);
        let mut counted = FertilityStats::default();
        for text in texts {
            all.push(text, &[])?;
            let own = FertilityStats::from_text(text, ours::tokens(tokens, text)?.len() as u64);
            bleuprint::contract::Stats::merge(&mut counted, &own)?;
        }
        let named = all.score().ok().map(|scored| FloatBits::from_value(scored.score.value()));
        lines.extend(difference(&format!("{per:?}"), theirs, &named));
        lines.extend(difference(
            &format!("{per:?} of counts"),
            theirs,
            &counted.quotient(per).map(FloatBits::from_value),
        ));
    }
    Ok(lines)
}
