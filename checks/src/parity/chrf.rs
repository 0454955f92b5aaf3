//! chrF on random corpora and on real system outputs: corpus and sentence level, every option.

use bleuprint::{Accumulator, Case, Chrf, Linear, Metric, Signature, State, TokenSpace, text};
use bleuprint_testkit::random::Rng;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::Comparison;
use super::corpus::{self, Corpus};
use super::outcome::float;
use super::sacrebleu::real_data;

/// Random corpora, half of them of words, half of characters.
const CORPORA: usize = 24_000;

const SEED: u64 = 20_150_917;

/// sacreBLEU's options, under its names.
#[derive(Debug, Clone, Copy, Serialize)]
struct Options {
    char_order: usize,
    word_order: usize,
    beta: f64,
    lowercase: bool,
    whitespace: bool,
    eps_smoothing: bool,
}

/// What both sides say; floats as the integer value of their bits.
#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Outcome {
    statistics: Vec<u64>,
    score: u64,
    sentences: Vec<u64>,
    /// With the name, and without the version.
    signature: String,
}

const CHRF: Options = Options {
    char_order: 6,
    word_order: 0,
    beta: 2.0,
    lowercase: false,
    whitespace: false,
    eps_smoothing: false,
};

/// Random corpora, each under random options.
pub(super) fn random(comparison: &mut Comparison) -> Result<(), String> {
    let mut rng = Rng::new(SEED);
    for number in 0..comparison.cases(CORPORA) {
        let corpus = if number % 2 == 0 { corpus::random(&mut rng) } else { characters(&mut rng) };
        let options = Options {
            char_order: *rng.pick(&[6, 6, 6, 1, 2, 3, 4, 8, 9]),
            word_order: *rng.pick(&[0, 0, 2, 2, 1, 3]),
            beta: *rng.pick(&[2.0, 2.0, 1.0, 3.0, 0.5, 0.0, rng_beta(rng.clone())]),
            lowercase: rng.chance(200),
            whitespace: rng.chance(300),
            eps_smoothing: rng.chance(300),
        };
        compare(comparison, "random corpora", "", &corpus, &options, true)?;
    }
    Ok(())
}

/// Real system outputs, and our own example data.
pub(super) fn real(comparison: &mut Comparison) -> Result<(), String> {
    for (name, corpus) in real_data(comparison)? {
        for (options, sentences) in [
            (CHRF, false),
            (Options { word_order: 2, ..CHRF }, true),
            (Options { eps_smoothing: true, ..CHRF }, false),
            (Options { whitespace: true, lowercase: true, ..CHRF }, false),
        ] {
            compare(comparison, "real data", &name, &corpus, &options, sentences)?;
        }
    }
    Ok(())
}

fn rng_beta(mut rng: Rng) -> f64 {
    rng.below(1 << 20) as f64 / 1e4
}

/// Runs of few characters, where n-grams repeat, long enough now and then for what the kernel declines.
fn characters(rng: &mut Rng) -> Corpus {
    let alphabets =
        ["a", "ab", "ab .", "abcde \u{a0}é", "aábcčdďeéěfghiíjk  .,(", "的一是不了人我在有 他这。"];
    let alphabet: Vec<char> = rng.pick(&alphabets).chars().collect();
    let longest = *rng.pick(&[3usize, 12, 12, 12, 60, 60, 200, 200, 700]);
    let text = |rng: &mut Rng, most: usize| -> Vec<char> {
        (0..rng.below(most + 1)).map(|_| *rng.pick(&alphabet)).collect()
    };
    let (mut hypotheses, mut streams) = (Vec::new(), vec![Vec::new(); rng.between(1, 3)]);
    for _ in 0..rng.between(1, 8) {
        let source = text(rng, longest);
        let edited = |rng: &mut Rng| {
            let mut characters = source.clone();
            for _ in 0..rng.below(8) {
                let at = rng.below(characters.len() + 1);
                let until = (at + rng.below(4)).min(characters.len());
                characters.splice(at..until, text(rng, 3));
            }
            characters.into_iter().collect::<String>()
        };
        hypotheses.push(edited(rng));
        streams.iter_mut().for_each(|stream| stream.push(Some(edited(rng))));
    }
    Corpus { hypotheses, streams }
}

fn compare(
    comparison: &mut Comparison,
    kind: &str,
    name: &str,
    corpus: &Corpus,
    options: &Options,
    sentences: bool,
) -> Result<(), String> {
    let question = json!({
        "question": "chrf",
        "sentences": sentences,
        "hypotheses": corpus.hypotheses,
        "references": corpus.streams,
        "options": options,
    });
    let theirs: Outcome = comparison.ask(&question)?;
    let mut ours = outcome(corpus, options)?;
    if !sentences {
        ours.sentences.clear();
    }
    let describe = || match corpus.hypotheses.len() {
        0..=8 => format!("{:?} {:?} {options:?}", corpus.hypotheses, corpus.streams),
        many => format!("{name}, {many} segments, {options:?}"),
    };
    let differences = theirs.differences(&ours);
    comparison.report.case(&format!("chrF of {kind}"), &differences, describe);
    for (i, (&theirs, &ours)) in theirs.sentences.iter().zip(&ours.sentences).enumerate() {
        let differences: Vec<String> = difference("score", float(theirs), float(ours)).into_iter().collect();
        comparison.report.case(&format!("chrF of {kind}, sentences"), &differences, || {
            format!("{name} segment {i}: {:?} {:?} {options:?}", corpus.hypotheses[i], corpus.references(i))
        });
    }
    Ok(())
}

fn outcome(corpus: &Corpus, options: &Options) -> Result<Outcome, String> {
    let builder = Chrf::builder()
        .char_order(options.char_order)
        .word_order(options.word_order)
        .beta(options.beta)
        .whitespace(options.whitespace)
        .eps_smoothing(options.eps_smoothing);
    let chrf = builder.build().map_err(|error| error.to_string())?;
    let case = if options.lowercase { Case::Lower } else { Case::Mixed };
    let chrf = chrf.over(TokenSpace::text(case));
    let cased = |line: &str| {
        let mut lowered = line.to_owned();
        if options.lowercase {
            text::lowercase(line, &mut lowered);
        }
        lowered
    };
    let mut total = Accumulator::<_, str>::new(&chrf);
    let mut sentences = Vec::new();
    let score = |state: &State<_>| state.score(&chrf).map(|scored| scored.score.score.to_bits());
    for (i, hypothesis) in corpus.hypotheses.iter().enumerate() {
        let references: Vec<String> = corpus.references(i).into_iter().map(cased).collect();
        let references: Vec<&str> = references.iter().map(String::as_str).collect();
        let segment = total.push(&cased(hypothesis), &references).map_err(|error| error.to_string())?;
        sentences.push(score(&segment).map_err(|error| error.to_string())?);
    }
    let scored = total.score().map_err(|error| error.to_string())?;
    Ok(Outcome {
        statistics: total.total().stats().row(),
        score: scored.score.score.to_bits(),
        sentences,
        signature: without_version(&scored.signature),
    })
}

fn without_version(signature: &Signature) -> String {
    let printed = signature.to_string();
    printed.rsplit_once("|version:").map_or(printed.clone(), |(rest, _)| rest.to_owned())
}

impl Outcome {
    fn differences(&self, ours: &Outcome) -> Vec<String> {
        let fields = [
            difference("statistics", format!("{:?}", self.statistics), format!("{:?}", ours.statistics)),
            difference("score", float(self.score), float(ours.score)),
            difference("segments", self.sentences.len().to_string(), ours.sentences.len().to_string()),
            difference("signature", self.signature.clone(), ours.signature.clone()),
        ];
        fields.into_iter().flatten().collect()
    }
}

fn difference(field: &str, theirs: String, ours: String) -> Option<String> {
    (theirs != ours).then(|| format!("{field}: sacreBLEU {theirs}, ours {ours}"))
}
