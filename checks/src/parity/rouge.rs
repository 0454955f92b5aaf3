//! ROUGE of random texts against rouge_score, all eleven kinds, with and without stems, one reference and several; and
//! S, SU and W against rouge-metric.

use bleuprint::metrics::{FScore, ReferencesRule, Rouge, SentenceRouge};
use bleuprint::{Accumulator, Metric, Observe, Tokenizer, contract::Choice as _};
use bleuprint_testkit::random::Rng;
use serde_json::json;
use xtask::Result;

use super::oracle::Oracle;
use super::outcome::{FloatBits, difference};
use super::{ParityRun, corpus, ours};
use crate::pieces;

/// Segments, each under all kinds, and number in one question to the oracle.
const SEGMENTS: usize = 100_000;
const BATCH: usize = 250;

const SEED: u64 = 20_040_725;

type Numbers = [FloatBits; 3];

type Texts = (String, Vec<String>);

pub(super) fn random(comparison: &mut ParityRun<'_>) -> Result {
    let mut oracle = comparison.oracle(include_str!("rouge.py"))?;
    println!("  ROUGE of rouge_score {}", oracle.about["rouge_score"]);
    let kinds: Vec<String> = serde_json::from_value(oracle.about["kinds"].take())?;
    let mut rng = comparison.rng(SEED);
    for number in 0..comparison.cases(SEGMENTS).div_ceil(BATCH) {
        let stem = number % 2 == 1;
        let ours = OurRouge::new(stem)?;
        let cases: Vec<Texts> = (0..BATCH).map(|_| texts(&mut rng)).collect();
        let theirs: Vec<Vec<Numbers>> = oracle.ask(&json!({ "stem": stem, "cases": cases }))?;
        for (case, theirs) in cases.iter().zip(&theirs) {
            for (at, (kind, theirs)) in kinds.iter().zip(theirs).enumerate() {
                let mut name = format!("ROUGE, {kind}{}", if stem { ", stemmed" } else { "" });
                let ours = ours.score(kind, case)?;
                let mut found = difference(kind, theirs, &ours);
                // Of references with equal F it takes the first listed, ours the one with the best recall.
                if ours[0] == theirs[0] && found.is_some() && case.1.len() > 1 {
                    name = "ROUGE of references that tie, in the order of their recall".to_owned();
                    if in_some_order(&mut oracle, stem, at, case, ours)? {
                        found = None;
                    }
                }
                comparison.report.case(&name, found, || format!("{case:?}"));
            }
        }
        let over = if number % 4 < 2 { ReferencesRule::Sum } else { ReferencesRule::BestRecall };
        skips(comparison, &mut oracle, &*ours.of_lines, over, &cases)?;
        let texts: Vec<&str> = cases.iter().map(|(hypothesis, _)| hypothesis.as_str()).collect();
        let theirs: Vec<String> = oracle.ask(&json!({ "stem": stem, "texts": texts }))?;
        let kind = if stem { "tokens of rouge-stem" } else { "tokens of rouge" };
        for (text, theirs) in texts.iter().zip(&theirs) {
            let ours = ours::tokens(&*ours.tokenizer, text)?.join(" ");
            comparison.report.same(kind, theirs, &ours, || format!("{text:?}"));
        }
    }
    Ok(())
}

/// ROUGE-S4, -SU4, -S, -SU and -W of weight 1.2, within 1e-12. Of references with equal recall the program takes the first
/// listed: with the best one, only recall is compared. For W it finds the best by the recall that is printed, ROUGE-1.5.5 by
/// the one before the reference's total is weighted once more: W is compared by sums only.
fn skips(
    comparison: &mut ParityRun<'_>,
    oracle: &mut Oracle,
    of_lines: &dyn Tokenizer,
    over: ReferencesRule,
    cases: &[Texts],
) -> Result {
    let cut = |text: &String| -> Result<Vec<Vec<String>>> {
        let tokens = ours::tokens(of_lines, text)?;
        let lines = tokens.split(|token| token == "\n").filter(|line| !line.is_empty());
        Ok(lines.map(<[String]>::to_vec).collect())
    };
    let mut sentences = Vec::new();
    for (hypothesis, references) in cases {
        let case = (cut(hypothesis)?, references.iter().map(cut).collect::<Result<Vec<_>>>()?);
        // The program divides by the length of an empty reference.
        if !case.0.is_empty() && case.1.iter().all(|reference| !reference.is_empty()) {
            sentences.push(case);
        }
    }
    let theirs: Vec<[[f64; 3]; 5]> = oracle.ask(&json!({ "over": over.name(), "sentences": sentences }))?;
    let pairs = [Rouge::s(Some(4)), Rouge::su(Some(4)), Rouge::s(None), Rouge::su(None)];
    let pairs = pairs.map(|rouge| rouge.with_references(over));
    let runs = SentenceRouge::w(1.2)?.with_references(over);
    let numbers_of = |FScore { f1, precision, recall, .. }: FScore| [f1, precision, recall];
    for (case, theirs) in sentences.iter().zip(&theirs) {
        let flat = |text: &Vec<Vec<String>>| text.concat();
        let hypothesis = flat(&case.0);
        let references = case.1.iter().map(flat).collect::<Vec<_>>();
        let references = references.iter().map(|reference| ours::strs(reference)).collect();
        let words = [(ours::strs(&hypothesis), references)];
        let mut ours = Vec::new();
        for rouge in pairs {
            ours.push(numbers_of(ours::observed(rouge, &words)?.score()?.score));
        }
        let mut weighted = Accumulator::<_, [Vec<String>]>::new(runs);
        weighted.push(&case.0, &case.1.iter().map(Vec::as_slice).collect::<Vec<_>>())?;
        ours.push(numbers_of(weighted.score()?.score));
        let (kinds, numbers) = if over == ReferencesRule::Sum { (5, 0) } else { (4, 2) };
        let near = ours.iter().zip(theirs).take(kinds).all(|(ours, theirs)| {
            ours.iter().zip(theirs).skip(numbers).all(|(ours, theirs)| (ours - theirs).abs() <= 1e-12)
        });
        let found = (!near).then(|| format!("theirs {theirs:?}, ours {ours:?}"));
        comparison.report.case("ROUGE-S, -SU, -W within 1e-12", found, || format!("{case:?}"));
    }
    Ok(())
}

/// Returns `true` if our result equals theirs for some order of the references.
fn in_some_order(
    oracle: &mut Oracle,
    stem: bool,
    kind: usize,
    (hypothesis, references): &Texts,
    ours: Numbers,
) -> Result<bool> {
    let rotations = (0..references.len()).map(|by| {
        let mut rotated = references.clone();
        rotated.rotate_left(by);
        (hypothesis, rotated)
    });
    let cases: Vec<_> = rotations.collect();
    let theirs: Vec<Vec<Numbers>> = oracle.ask(&json!({ "stem": stem, "cases": cases }))?;
    Ok(theirs.iter().any(|one| one.get(kind) == Some(&ours)))
}

struct OurRouge {
    tokenizer: Box<dyn Tokenizer>,
    of_lines: Box<dyn Tokenizer>,
}

impl OurRouge {
    fn new(stem: bool) -> Result<Self> {
        let name = if stem { "rouge-stem" } else { "rouge" };
        Ok(OurRouge {
            tokenizer: ours::tokenizer(name)?,
            of_lines: ours::tokenizer(&format!("lines:{name}"))?,
        })
    }

    fn score(&self, kind: &str, texts: &Texts) -> Result<Numbers> {
        match kind.trim_start_matches("rouge") {
            "Lsum" => score(SentenceRouge::lsum(), &*self.of_lines, texts),
            "L" => score(Rouge::l(), &*self.tokenizer, texts),
            order => score(Rouge::n(order.parse()?)?, &*self.tokenizer, texts),
        }
    }
}

fn score<M>(metric: M, tokenizer: &dyn Tokenizer, (hypothesis, references): &Texts) -> Result<Numbers>
where
    M: Metric<Score = FScore> + for<'a> Observe<[&'a str]>,
{
    let hypothesis = ours::tokens(tokenizer, hypothesis)?;
    let tokens = references.iter().map(|text| ours::tokens(tokenizer, text)).collect::<Result<Vec<_>>>()?;
    let segment = (ours::strs(&hypothesis), tokens.iter().map(|tokens| ours::strs(tokens)).collect());
    let FScore { f1, precision, recall, .. } = ours::observed(metric, &[segment])?.score()?.score;
    Ok([f1, precision, recall].map(FloatBits::from_value))
}

/// Returns texts with one to three references, most of them made from the hypothesis; a few have sentences
/// beyond 64 tokens.
fn texts(rng: &mut Rng) -> Texts {
    let words = if rng.chance(500) { pieces::pieces("letters") } else { pieces::pieces("rouge") };
    let longest = if rng.chance(10) { 300 } else { 24 };
    let line_feeds = *rng.pick(&[0, 0, 100, 300]);
    let text = |rng: &mut Rng| -> Vec<&str> { (0..rng.below(longest)).map(|_| *rng.pick(words)).collect() };
    let hypothesis = text(rng);
    let references = corpus::references(&hypothesis, words, text, rng);
    let mut joined = |words: &[&str]| {
        let mut text = String::new();
        for word in words {
            text.push_str(word);
            text.push(if rng.chance(line_feeds) { '\n' } else { ' ' });
        }
        text
    };
    (joined(&hypothesis), references.iter().map(|reference| joined(reference)).collect())
}
