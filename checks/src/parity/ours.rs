//! Our side: the calls into the facade that the comparisons need, the same that a user would write.

use bleuprint::report::{LineStyle, number, verbose};
use bleuprint::{
    Accumulator, AnyScore, Bleu, Case, Observe, Scored, Tokenized, Tokenizer, TokenizerOptions,
    metrics::{self, BleuScore, BleuStats, RefLengths, Smoothing, Summation},
    text,
};
use bleuprint_testkit::golden::GoldenStatistics;
use xtask::Result;

use super::bleu::BleuOptions;
use super::corpus::ParityCorpus;
use super::outcome::{CaseOutcome, FloatBits};

/// BLEU over text, the metric under comparison.
type TextBleu = Tokenized<Bleu, Box<dyn Tokenizer>>;

/// Entries of our signature that sacreBLEU's does not have: it leaves the options out, and has its own version.
const OUR_OWN: &[&str] = &["order", "sv", "len", "weights", "sum", "version"];

pub(crate) fn bleu(
    corpus: &ParityCorpus,
    options: &BleuOptions,
    summation: Summation,
) -> Result<CaseOutcome> {
    let mut bleu = Accumulator::<TextBleu, str>::new(text_bleu(options, summation)?);
    for (hypothesis, references) in segments(corpus) {
        bleu.push(hypothesis, &references)?;
    }
    outcome(&bleu.score()?)
}

pub(crate) fn bleu_of_sentences(
    corpus: &ParityCorpus,
    options: &BleuOptions,
    summation: Summation,
) -> Result<Vec<CaseOutcome>> {
    let mut bleu = Accumulator::<TextBleu, str>::new(text_bleu(options, summation)?);
    let mut outcomes = Vec::with_capacity(corpus.hypotheses.len());
    for (hypothesis, references) in segments(corpus) {
        let segment = bleu.push(hypothesis, &references)?;
        outcomes.push(outcome(&bleu.score_of(&segment)?)?);
    }
    Ok(outcomes)
}

/// Returns the outcome of given statistics, which have no signature.
pub(crate) fn bleu_of_statistics(
    given: &GoldenStatistics,
    options: &BleuOptions,
    summation: Summation,
) -> Result<CaseOutcome> {
    let orders = given.counts.iter().zip(&given.totals);
    let order = |(&clipped, &total)| metrics::bleu::BleuOrderCounts { clipped, total, short: 0 };
    let stats = BleuStats {
        ref_len: RefLengths { closest: given.ref_len, ..RefLengths::default() },
        orders: orders.map(order).collect(),
    };
    numbers(&plain_bleu(options, summation)?.finalize_as(&stats)?)
}

fn text_bleu(options: &BleuOptions, summation: Summation) -> Result<TextBleu> {
    let case = if options.lowercase { Case::Lower } else { Case::Mixed };
    Ok(Tokenized::new(plain_bleu(options, summation)?, tokenizer(&options.tokenize)?, case)?)
}

fn plain_bleu(options: &BleuOptions, summation: Summation) -> Result<Bleu> {
    let smoothing = Smoothing::by_name(&options.smooth, options.smooth_value)?;
    let bleu = Bleu::builder().max_order(options.max_order).smoothing(smoothing);
    Ok(bleu.effective_order(options.effective_order).summation(summation).build()?)
}

pub(crate) fn tokenizer(name: &str) -> Result<Box<dyn Tokenizer>> {
    Ok(bleuprint::tokenizer(name, &TokenizerOptions::default())?)
}

pub(crate) fn tokens(tokenizer: &dyn Tokenizer, text: &str) -> Result<Vec<String>> {
    let mut buffer = text::TokenBuffer::default();
    Ok(tokenizer.tokenize(text, &mut buffer)?.iter().map(str::to_owned).collect())
}

pub(crate) fn strs(tokens: &[String]) -> Vec<&str> {
    tokens.iter().map(String::as_str).collect()
}

pub(crate) fn lower(text: &str) -> String {
    let mut lowered = String::new();
    text::lowercase(text, &mut lowered);
    lowered
}

pub(crate) type Words<'a> = (Vec<&'a str>, Vec<Vec<&'a str>>);

pub(crate) fn observed<'a, M: Observe<[&'a str]>>(
    metric: M,
    segments: &[Words<'a>],
) -> Result<Accumulator<M, [&'a str]>> {
    let mut observed = Accumulator::new(metric);
    for (hypothesis, references) in segments {
        let references: Vec<&[&str]> = references.iter().map(Vec::as_slice).collect();
        observed.push(hypothesis, &references)?;
    }
    Ok(observed)
}

/// Returns the segments of streams, without missing references.
fn segments(corpus: &ParityCorpus) -> impl Iterator<Item = (&str, Vec<&str>)> {
    corpus.hypotheses.iter().enumerate().map(|(segment, hypothesis)| {
        let references = corpus.streams.iter().filter_map(|stream| stream[segment].as_deref());
        (hypothesis.as_str(), references.collect())
    })
}

fn outcome(scored: &Scored<BleuScore>) -> Result<CaseOutcome> {
    let body = scored.signature.body();
    let shared = |entry: &&str| !OUR_OWN.contains(&entry.split(':').next().unwrap_or_default());
    let signature = body.split('|').filter(shared).collect::<Vec<_>>().join("|");
    Ok(CaseOutcome { signature: Some(signature), ..numbers(&scored.score)? })
}

fn numbers(score: &BleuScore) -> Result<CaseOutcome> {
    let ref_len = score.ref_len as u64;
    if ref_len as f64 != score.ref_len {
        return Err(format!("the reference length is {}, not a whole number", score.ref_len).into());
    }
    Ok(CaseOutcome {
        counts: score.clipped.to_vec(),
        totals: score.total.to_vec(),
        sys_len: score.hyp_len,
        ref_len,
        bp: FloatBits::from_value(score.brevity_penalty),
        precisions: score.precisions.iter().copied().map(FloatBits::from_value).collect(),
        score: FloatBits::from_value(score.score),
        line: printed(score)?,
        signature: None,
    })
}

/// Returns the score and its parts as a report prints them, with two digits.
fn printed(score: &BleuScore) -> Result<String> {
    let score = AnyScore::from_score(&Bleu::default(), score)?;
    let parts = verbose(&score.parts).unwrap_or_default();
    Ok(format!("{} = {} {parts}", score.name, number(&score, None, LineStyle { decimals: 2, short: false })))
}
