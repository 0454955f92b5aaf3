//! ROUGE of random texts against rouge_score, all eleven kinds, with and without stems, one reference and several; and
//! S, SU and W against rouge-metric.

use bleuprint::metrics::{FScore, ReferencesRule, Rouge, SentenceRouge};
use bleuprint::{Accumulator, Metric, Observe, Tokenizer, contract::Choice as _};
use bleuprint_testkit::random::Rng;
use serde_json::{Value, json};
use xtask::Result;

use super::outcome::{FloatBits, ParityReport, difference};
use super::topic::{ParityTopic, PartSize, TopicNeeds, TopicPart};
use super::{corpus, ours};
use crate::pieces;

type Numbers = [FloatBits; 3];

type Texts = (String, Vec<String>);

/// The tokens of the sentences of a hypothesis and of its references.
type Sentences = (Vec<Vec<String>>, Vec<Vec<Vec<String>>>);

pub(super) const TOPIC: ParityTopic = ParityTopic {
    script: include_str!("rouge.py"),
    needs: TopicNeeds::Versions("ROUGE of rouge_score ", "rouge_score"),
    seed: 20_040_725,
    parts: |_, oracle| {
        let kinds = serde_json::from_value(oracle.about["kinds"].take())?;
        let ours = [OurRouge::new(false)?, OurRouge::new(true)?];
        Ok(vec![Box::new(RougePart { kinds, ours, number: 0 })])
    },
};

/// Segments, each under all kinds.
struct RougePart {
    kinds: Vec<String>,
    /// Without and with stems.
    ours: [OurRouge; 2],
    /// Number of questions.
    number: usize,
}

struct RougeSetting {
    stem: bool,
    over: ReferencesRule,
}

impl TopicPart for RougePart {
    type Shared = RougeSetting;
    type Case = Texts;
    /// The numbers of each kind for every rotation of the references, those of pairs and runs, and the tokens.
    type Answer = (Vec<Vec<Numbers>>, Option<[[f64; 3]; 5]>, String);

    fn size(&self) -> PartSize {
        PartSize::whole(100_000, 250)
    }

    fn share(&mut self, _rng: &mut Rng) -> Result<RougeSetting> {
        let number = self.number;
        self.number += 1;
        let over = if number % 4 < 2 { ReferencesRule::Sum } else { ReferencesRule::BestRecall };
        Ok(RougeSetting { stem: number % 2 == 1, over })
    }

    fn draw(&mut self, rng: &mut Rng, _setting: &RougeSetting) -> Texts {
        texts(rng)
    }

    fn question(&self, setting: &RougeSetting, cases: &[Texts]) -> Result<Value> {
        let ours = &self.ours[usize::from(setting.stem)];
        let case = |case: &Texts| Ok(json!([case.0, case.1, ours.sentences(case)?]));
        let cases = cases.iter().map(case).collect::<Result<Vec<Value>>>()?;
        Ok(json!({ "stem": setting.stem, "over": setting.over.name(), "cases": cases }))
    }

    fn compare(
        &mut self,
        report: &mut ParityReport,
        &RougeSetting { stem, over }: &RougeSetting,
        case: &Texts,
        (rotations, skips, tokens): Self::Answer,
    ) -> Result {
        let our = &self.ours[usize::from(stem)];
        for (at, kind) in self.kinds.iter().enumerate() {
            let mut name = format!("ROUGE, {kind}{}", if stem { ", stemmed" } else { "" });
            let ours = our.score(kind, case)?;
            let theirs = rotations[0][at];
            let mut found = difference(kind, &theirs, &ours);
            // Of references with equal F it takes the first listed, ours the one with the best recall.
            if ours[0] == theirs[0] && found.is_some() && case.1.len() > 1 {
                name = "ROUGE of references that tie, in the order of their recall".to_owned();
                if rotations.iter().any(|rotation| rotation[at] == ours) {
                    found = None;
                }
            }
            report.case(&name, found, || format!("{case:?}"));
        }
        if let Some((theirs, sentences)) = skips.zip(our.sentences(case)?) {
            let found = skip_difference(over, &sentences, &theirs)?;
            report.case("ROUGE-S, -SU, -W within 1e-12", found, || format!("{sentences:?}"));
        }
        let kind = if stem { "tokens of rouge-stem" } else { "tokens of rouge" };
        let ours = ours::tokens(&*our.tokenizer, &case.0)?.join(" ");
        report.same(kind, &tokens, &ours, || format!("{:?}", case.0));
        Ok(())
    }
}

/// ROUGE-S4, -SU4, -S, -SU and -W of weight 1.2, within 1e-12. Of references with equal recall the program takes the first
/// listed: with the best one, only recall is compared. For W it finds the best by the recall that is printed, ROUGE-1.5.5 by
/// the one before the reference's total is weighted once more: W is compared by sums only.
fn skip_difference(
    over: ReferencesRule,
    (hypothesis, references): &Sentences,
    theirs: &[[f64; 3]; 5],
) -> Result<Option<String>> {
    let numbers_of = |FScore { f1, precision, recall, .. }: FScore| [f1, precision, recall];
    let flat: Vec<Vec<String>> = references.iter().map(|sentences| sentences.concat()).collect();
    let hypothesis_words = hypothesis.concat();
    let words = [(ours::strs(&hypothesis_words), flat.iter().map(|words| ours::strs(words)).collect())];
    let mut ours = Vec::new();
    for rouge in [Rouge::s(Some(4)), Rouge::su(Some(4)), Rouge::s(None), Rouge::su(None)] {
        ours.push(numbers_of(ours::observed(rouge.with_references(over), &words)?.score()?.score));
    }
    let runs = SentenceRouge::w(1.2)?.with_references(over);
    let mut weighted = Accumulator::<_, [Vec<String>]>::new(runs);
    weighted.push(hypothesis, &references.iter().map(Vec::as_slice).collect::<Vec<_>>())?;
    ours.push(numbers_of(weighted.score()?.score));
    let (kinds, numbers) = if over == ReferencesRule::Sum { (5, 0) } else { (4, 2) };
    let near = ours.iter().zip(theirs).take(kinds).all(|(ours, theirs)| {
        ours.iter().zip(theirs).skip(numbers).all(|(ours, theirs)| (ours - theirs).abs() <= 1e-12)
    });
    Ok((!near).then(|| format!("theirs {theirs:?}, ours {ours:?}")))
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

    /// Returns the tokens of the sentences, or `None` if a text is empty: the program divides by the length of an empty reference.
    fn sentences(&self, (hypothesis, references): &Texts) -> Result<Option<Sentences>> {
        let cut = |text: &String| -> Result<Vec<Vec<String>>> {
            let tokens = ours::tokens(&*self.of_lines, text)?;
            let lines = tokens.split(|token| token == "\n").filter(|line| !line.is_empty());
            Ok(lines.map(<[String]>::to_vec).collect())
        };
        let hypothesis = cut(hypothesis)?;
        let references = references.iter().map(cut).collect::<Result<Vec<_>>>()?;
        let full = !hypothesis.is_empty() && references.iter().all(|reference| !reference.is_empty());
        Ok(full.then_some((hypothesis, references)))
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
