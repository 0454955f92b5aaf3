//! TER on random corpora against sacreBLEU, and the error rates against jiwer.

use std::collections::BTreeMap;

use bleuprint::eval::{ChosenTokens, Panel};
use bleuprint::metrics::edit::{EditOperation, alignment};
use bleuprint::{
    Accumulator, AnyScore, Case, Scored, Segment,
    contract::{MetricOptions, PartValue},
    registry,
};
use bleuprint_testkit::random::Rng;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use xtask::Result;

use super::corpus::{self, ParityCorpus};
use super::ours;
use super::outcome::{FloatBits, ParityReport, difference};
use super::topic::{ParityTopic, PartSize, TopicNeeds, TopicPart};

const DRIVER: &str = include_str!("edits.py");

/// Minimum number of segments that are compared with each program.
const SEGMENTS: usize = 100_000;

/// TER of corpora and segments under all options.
pub(super) const TER: ParityTopic = ParityTopic {
    script: DRIVER,
    needs: TopicNeeds::Program("sacrebleu"),
    seed: 20_060_808,
    parts: |_, _| Ok(vec![Box::new(TerPart { turn: 0 })]),
};

struct TerPart {
    turn: usize,
}

#[derive(Debug)]
struct TerCase {
    corpus: ParityCorpus,
    options: TerOptions,
    /// Whether the corpus is scored too, which doubles the cost of the question.
    whole: bool,
}

impl TopicPart for TerPart {
    type Shared = ();
    type Case = TerCase;
    type Answer = TerAnswer;

    /// Returns a number of segments.
    fn size(&self) -> PartSize {
        PartSize::whole(SEGMENTS, 1)
    }

    fn share(&mut self, _rng: &mut Rng) -> Result {
        Ok(())
    }

    fn draw(&mut self, rng: &mut Rng, _shared: &()) -> TerCase {
        self.turn += 1;
        let turn = self.turn;
        // A third is text that the tokenizer stumbles over.
        let corpus = if turn.is_multiple_of(3) { corpus::random(rng) } else { shifted(rng) };
        // The options change only the tokenizer, so only the texts made for tokenizers vary them.
        let bits = if turn.is_multiple_of(3) { turn / 3 } else { 0 };
        let options = TerOptions {
            normalized: bits & 1 > 0,
            no_punct: bits & 2 > 0,
            asian_support: bits & 4 > 0,
            case_sensitive: bits & 8 > 0,
        };
        TerCase { corpus, options, whole: turn.is_multiple_of(8) }
    }

    fn weight(&self, case: &TerCase) -> usize {
        case.corpus.hypotheses.len()
    }

    fn question(&self, _shared: &(), cases: &[TerCase]) -> Result<Value> {
        let question = |TerCase { corpus, options, whole }: &TerCase| {
            json!({
                "question": "ter", "hypotheses": corpus.hypotheses, "references": corpus.streams,
                "whole": whole, "options": options,
            })
        };
        Ok(cases.iter().map(question).collect())
    }

    fn compare(&mut self, report: &mut ParityReport, _: &(), case: &TerCase, theirs: TerAnswer) -> Result {
        compare_ter(report, &case.corpus, case.options, &theirs)
    }
}

/// sacreBLEU's options of TER, all off by default.
#[derive(Debug, Clone, Copy, Serialize)]
struct TerOptions {
    normalized: bool,
    no_punct: bool,
    asian_support: bool,
    case_sensitive: bool,
}

#[derive(Debug, Deserialize)]
struct TerAnswer {
    /// Corpus score, which only some questions request.
    corpus: Option<TerOutcome>,
    sentences: Vec<TerOutcome>,
    signature: String,
    short: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
struct TerOutcome {
    score: FloatBits,
    num_edits: u64,
    ref_length: FloatBits,
}

fn compare_ter(
    report: &mut ParityReport,
    corpus: &ParityCorpus,
    options: TerOptions,
    answer: &TerAnswer,
) -> Result {
    let TerOptions { normalized, no_punct, asian_support, case_sensitive } = options;
    let given = [
        ("ter-normalized", normalized),
        ("ter-no-punct", no_punct),
        ("ter-asian-support", asian_support),
        ("ter-case-sensitive", case_sensitive),
    ];
    let given = given.into_iter().fold(MetricOptions::default(), |given, (name, flag)| {
        given.with(name, if flag { "yes" } else { "no" })
    });
    let segments: Vec<(&str, Vec<&str>)> =
        corpus.hypotheses.iter().enumerate().map(|(i, h)| (h.as_str(), corpus.references(i))).collect();
    for (i, theirs) in answer.sentences.iter().enumerate() {
        let ours = scores(&["ter"], &given, &segments[i..=i])?;
        let differences = ter_differences(theirs, &ours[0], true);
        let case = || corpus.describe_segment(i, "", &options);
        report.case("TER of random segments", differences, case);
    }
    let Some(theirs) = &answer.corpus else { return Ok(()) };
    let ours = &scores(&["ter"], &given, &segments)?[0];
    // With other numbers of references sacreBLEU's sum of their mean lengths depends on the order of the segments.
    let exact =
        // The mean of 1, 2 or 4 lengths is exact in binary, and sums of exact numbers have no order.
        segments.len() == 1 || segments.iter().all(|(_, references)| references.len().is_power_of_two());
    let signature = |theirs: &str, ours: String| {
        // Our signature continues with our own version after the part that both programs share.
        let shared = ours.get(..theirs.len()).filter(|_| ours[theirs.len()..].starts_with("|v"));
        difference("signature", &theirs, &shared.unwrap_or(&ours))
    };
    let differences = ter_differences(theirs, ours, exact)
        .into_iter()
        .chain(signature(&answer.signature, ours.signature.body()))
        .chain(signature(&answer.short, ours.signature.short()));
    let kind =
        if exact { "TER of random corpora" } else { "TER of random corpora with 3 references, within 1e-12" };
    report.case(kind, differences, || corpus.describe("", &options));
    Ok(())
}

fn ter_differences(theirs: &TerOutcome, ours: &Scored<AnyScore>, exact: bool) -> Vec<String> {
    let number = |key: &str| match value(ours, key) {
        Some(PartValue::Number(number)) => number,
        Some(PartValue::Count(count)) => count as f64,
        _ => f64::NAN,
    };
    let pairs = [
        ("score", theirs.score.value(), ours.score.value),
        ("num_edits", theirs.num_edits as f64, number("num_edits")),
        ("ref_length", theirs.ref_length.value(), number("ref_length")),
    ];
    let near = |theirs: f64, ours: f64| !exact && (theirs - ours).abs() <= 1e-12 * theirs.abs();
    let unlike = pairs.into_iter().filter(|&(_, theirs, ours)| !near(theirs, ours));
    unlike
        .filter_map(|(key, theirs, ours)| {
            difference(key, &FloatBits::from_value(theirs), &FloatBits::from_value(ours))
        })
        .collect()
}

/// WER, MER, WIL, WIP, CER, their counts and every alignment with jiwer.
pub(super) const RATES: ParityTopic = ParityTopic {
    script: DRIVER,
    needs: TopicNeeds::Program("jiwer"),
    seed: 20_060_809,
    parts: |_, _| {
        Ok(vec![
            Box::new(RatesPart {
                what: "random segments",
                size: PartSize::whole(SEGMENTS, 1),
                draw: short_pairs,
                characters: true,
                turn: 0,
            }),
            // rapidfuzz cuts the tables of these in halves.
            Box::new(RatesPart {
                what: "segments of 2,000 words and more",
                size: PartSize::exact(60, 1),
                draw: |rng, _| vec![long_words(rng)],
                characters: false,
                turn: 0,
            }),
        ])
    },
};

/// Corpora of some segments, each with one reference.
struct RatesPart {
    what: &'static str,
    /// Number of segments.
    size: PartSize,
    /// Draws the corpus of a turn.
    draw: fn(&mut Rng, usize) -> Pairs,
    characters: bool,
    turn: usize,
}

/// Hypotheses and references.
type Pairs = Vec<(String, String)>;

fn short_pairs(rng: &mut Rng, turn: usize) -> Pairs {
    let pair = |_| match turn % 4 {
        0 => (corpus::text(rng), corpus::text(rng)),
        _ => words(rng),
    };
    (0..40).map(pair).collect()
}

impl TopicPart for RatesPart {
    type Shared = ();
    type Case = Pairs;
    type Answer = RatesAnswer;

    fn size(&self) -> PartSize {
        self.size
    }

    fn share(&mut self, _rng: &mut Rng) -> Result {
        Ok(())
    }

    fn draw(&mut self, rng: &mut Rng, _shared: &()) -> Pairs {
        self.turn += 1;
        (self.draw)(rng, self.turn - 1)
    }

    fn weight(&self, pairs: &Pairs) -> usize {
        pairs.len()
    }

    fn question(&self, _shared: &(), corpora: &[Pairs]) -> Result<Value> {
        let question = |pairs: &Pairs| {
            let (hypotheses, references): (Vec<&String>, Vec<&String>) =
                pairs.iter().map(|(h, r)| (h, r)).unzip();
            json!({
                "question": "jiwer", "hypotheses": hypotheses, "references": references,
                "characters": self.characters,
            })
        };
        Ok(corpora.iter().map(question).collect())
    }

    fn compare(&mut self, report: &mut ParityReport, _: &(), pairs: &Pairs, theirs: RatesAnswer) -> Result {
        compare_rates(report, self.what, pairs, theirs)
    }
}

#[derive(Debug, Deserialize)]
struct RatesAnswer {
    words: RatesOutcome,
    characters: Option<RatesOutcome>,
}

#[derive(Debug, Deserialize)]
struct RatesOutcome {
    measures: BTreeMap<String, FloatBits>,
    counts: [u64; 4],
    steps: Vec<String>,
}

fn compare_rates(report: &mut ParityReport, what: &str, pairs: &Pairs, answer: RatesAnswer) -> Result {
    let segments: Vec<(&str, Vec<&str>)> =
        pairs.iter().map(|(h, r)| (h.as_str(), vec![r.as_str()])).collect();
    let outcomes = [("jiwer", "words", Some(answer.words)), ("jiwer-char", "characters", answer.characters)];
    for (tokens, name, outcome) in outcomes {
        let Some(outcome) = outcome else { continue };
        let measures: Vec<&str> = outcome.measures.keys().map(String::as_str).collect();
        let ours = scores(&measures, &MetricOptions::default(), &segments)?;
        let counts = outcome.counts.map(|count| Some(PartValue::Count(count)));
        let differences = outcome.measures.iter().zip(&ours).flat_map(|((measure, theirs), ours)| {
            let our_counts = ["hits", "substitutions", "deletions", "insertions"].map(|key| value(ours, key));
            let score = difference(measure, theirs, &FloatBits::from_value(ours.score.value));
            [score, difference(&format!("counts of {measure}"), &counts, &our_counts)]
        });
        let kind = format!("error rates of {name}, corpora of {what}");
        report.case(&kind, differences.flatten(), || format!("{segments:?}"));
        let kind = format!("alignments of {name}, {what}");
        for ((hypothesis, reference), theirs) in pairs.iter().zip(&outcome.steps) {
            let case = || format!("{hypothesis:?} {reference:?}");
            report.same(&kind, theirs, &steps(tokens, reference, hypothesis)?, case);
        }
    }
    Ok(())
}

/// Returns a letter for each step, as the driver writes them.
fn steps(tokens: &str, reference: &str, hypothesis: &str) -> Result<String> {
    let tokenizer = ours::tokenizer(tokens)?;
    let cut = |text: &str| ours::tokens(&*tokenizer, text);
    let aligned = alignment(&cut(reference)?, &cut(hypothesis)?)?;
    let letters = aligned.chunks.iter().map(|chunk| {
        let letter = match chunk.operation {
            EditOperation::Hit => "=",
            EditOperation::Substitution => "S",
            EditOperation::Deletion => "D",
            EditOperation::Insertion => "I",
        };
        // A deletion has no hypothesis words and an insertion no reference words: the longer side counts the steps.
        letter.repeat(chunk.reference.len().max(chunk.hypothesis.len()))
    });
    Ok(letters.collect())
}

fn scores(
    names: &[&str],
    options: &MetricOptions,
    segments: &[(&str, Vec<&str>)],
) -> Result<Vec<Scored<AnyScore>>> {
    let mut metrics = Vec::new();
    for name in names {
        metrics.push(registry().get(name)?.build(options)?);
    }
    let chosen = ChosenTokens::new(ours::tokenizer("none")?, Case::Mixed).asked(false, false);
    let panel = Panel::new(metrics, &chosen)?;
    let mut corpus = Accumulator::<&Panel, str>::new(&panel);
    for (hypothesis, references) in segments {
        corpus.add(Segment::new(*hypothesis, references))?;
    }
    Ok(panel.scores(corpus.total())?)
}

fn value(scored: &Scored<AnyScore>, key: &str) -> Option<PartValue> {
    scored.score.parts.iter().find(|part| part.key == key).map(|part| part.value.clone())
}

/// Returns a corpus whose hypotheses are their references with blocks moved, and words deleted and inserted.
fn shifted(rng: &mut Rng) -> ParityCorpus {
    // Few different words give many alignments of equal cost, where the order of choices decides.
    let alphabet = *rng.pick(&[1, 2, 3, 5, 12, 40]);
    let longest = if rng.chance(6) { rng.between(50, 110) } else { *rng.pick(&[3, 6, 9, 14]) };
    let mut corpus = ParityCorpus { hypotheses: Vec::new(), streams: vec![Vec::new(); rng.between(1, 3)] };
    for _ in 0..rng.between(1, 8) {
        let reference = tokens(rng, alphabet, longest);
        for stream in &mut corpus.streams {
            let other = if rng.chance(800) {
                moved(&reference, rng, alphabet)
            } else {
                tokens(rng, alphabet, longest)
            };
            stream.push(Some(text(&other)));
        }
        corpus.hypotheses.push(text(&moved(&reference, rng, alphabet)));
    }
    corpus
}

fn tokens(rng: &mut Rng, alphabet: usize, longest: usize) -> Vec<usize> {
    (0..rng.between(0, longest)).map(|_| rng.below(alphabet)).collect()
}

fn moved(words: &[usize], rng: &mut Rng, alphabet: usize) -> Vec<usize> {
    let mut words = words.to_vec();
    for _ in 0..rng.below(5) {
        let a = rng.below(words.len() + 1);
        let b = rng.below(words.len() + 1);
        let (a, b) = (a.min(b), a.max(b));
        match rng.below(4) {
            // A rotation moves a block, which TER counts as one shift.
            0 | 1 => words[a..b].rotate_left((b - a) / rng.between(2, 5)),
            2 => drop(words.drain(a..b.min(a + 3))),
            _ => drop(words.splice(a..a, tokens(rng, alphabet, 3))),
        }
    }
    words
}

fn text(words: &[usize]) -> String {
    words.iter().map(|word| format!("w{word}")).collect::<Vec<_>>().join(" ")
}

fn words(rng: &mut Rng) -> (String, String) {
    let alphabet = *rng.pick(&[1, 2, 3, 5, 12]);
    let longest = *rng.pick(&[2, 5, 9, 14, 25, 40, 70, 140]);
    let reference = tokens(rng, alphabet, longest);
    let hypothesis =
        if rng.chance(400) { tokens(rng, alphabet, longest) } else { edited(&reference, rng, alphabet, 10) };
    (text(&hypothesis), text(&reference))
}

fn long_words(rng: &mut Rng) -> (String, String) {
    // Few words make ties in the table; many words make long runs without a match.
    let alphabet = *rng.pick(&[2, 5, 30, 1000]);
    let len = rng.between(2_000, 5_000);
    let sequence = |rng: &mut Rng, len: usize| (0..len).map(|_| rng.below(alphabet)).collect::<Vec<_>>();
    let reference = sequence(rng, len);
    let hypothesis = match rng.below(3) {
        0 => {
            let len = rng.between(1_500, 6_000);
            sequence(rng, len)
        }
        1 => edited(&reference, rng, alphabet, 40),
        _ => edited(&reference, rng, alphabet, len),
    };
    (text(&hypothesis), text(&reference))
}

fn edited(words: &[usize], rng: &mut Rng, alphabet: usize, most: usize) -> Vec<usize> {
    let mut words = words.to_vec();
    for _ in 0..rng.below(most) {
        let at = rng.below(words.len() + 1);
        let to = (at + rng.below(3)).min(words.len());
        words.splice(at..to, tokens(rng, alphabet, 2));
    }
    words
}
