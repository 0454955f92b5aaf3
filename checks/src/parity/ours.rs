//! Our side: the calls into the facade that the comparisons need, the same that a user would write.

use bleuprint::report::{LineStyle, number, verbose};
use bleuprint::{
    Accumulator, AnyScore, Bleu, BleuScore, BleuStats, Case, RefLengths, Scored, Segments, Smoothing,
    Summation, Tokenized, Tokenizer, TokenizerOptions, metrics, text, tokenizer,
};
use bleuprint_testkit::golden::{Options, Statistics};

use super::corpus::Corpus;
use super::outcome::Outcome;

/// BLEU over text, the metric under comparison.
type TextBleu = Tokenized<Bleu, Box<dyn Tokenizer>>;

/// Entries of our signature that sacreBLEU's does not have: it leaves the options out, and has its own version.
const OUR_OWN: &[&str] = &["order", "sv", "len", "weights", "sum", "version"];

/// Our BLEU with the summation of the oracle's interpreter.
pub(crate) struct Ours {
    pub(crate) summation: Summation,
}

impl Ours {
    /// The outcome of the corpus.
    pub(crate) fn corpus(&self, corpus: &Corpus, options: &Options) -> Result<Outcome, String> {
        let mut bleu = Accumulator::<TextBleu, str>::new(self.metric(options)?);
        bleu.push_batch(segments(corpus)?.iter()).map_err(|error| error.to_string())?;
        outcome(&bleu.score().map_err(|error| error.to_string())?)
    }

    /// The outcome of each segment by itself.
    pub(crate) fn sentences(&self, corpus: &Corpus, options: &Options) -> Result<Vec<Outcome>, String> {
        let mut bleu = Accumulator::<TextBleu, str>::new(self.metric(options)?);
        let mut outcomes = Vec::with_capacity(corpus.hypotheses.len());
        for (hypothesis, references) in segments(corpus)?.iter() {
            let segment = bleu.push(hypothesis, references).map_err(|error| error.to_string())?;
            outcomes.push(outcome(&bleu.score_of(&segment).map_err(|error| error.to_string())?)?);
        }
        Ok(outcomes)
    }

    /// The outcome of given statistics, which have no signature.
    pub(crate) fn finish(&self, given: &Statistics, options: &Options) -> Result<Outcome, String> {
        let orders = given.counts.iter().zip(&given.totals);
        let order = |(&clipped, &total)| metrics::bleu::OrderCounts { clipped, total, short: 0 };
        let stats = BleuStats {
            ref_len: RefLengths { closest: given.ref_len, ..RefLengths::default() },
            orders: orders.map(order).collect(),
        };
        let score = self.bleu(options)?.finalize_as(&stats).map_err(|error| error.to_string())?;
        numbers(&score)
    }

    fn metric(&self, options: &Options) -> Result<TextBleu, String> {
        let case = if options.lowercase { Case::Lower } else { Case::Mixed };
        Tokenized::new(self.bleu(options)?, build_tokenizer(&options.tokenize)?, case)
            .map_err(|error| error.to_string())
    }

    fn bleu(&self, options: &Options) -> Result<Bleu, String> {
        let smoothing = Smoothing::by_name(&options.smooth, options.smooth_value);
        Bleu::builder()
            .max_order(options.max_order)
            .smoothing(smoothing.map_err(|error| error.to_string())?)
            .effective_order(options.effective_order)
            .summation(self.summation)
            .build()
            .map_err(|error| error.to_string())
    }
}

/// The tokens of each text.
pub(crate) fn tokenize(name: &str, texts: &[String]) -> Result<Vec<Vec<String>>, String> {
    let tokenizer = build_tokenizer(name)?;
    let mut buffer = text::TokenBuffer::default();
    let mut all = Vec::with_capacity(texts.len());
    for text in texts {
        let tokens = tokenizer.tokenize(text, &mut buffer).map_err(|error| error.to_string())?;
        all.push(tokens.iter().map(str::to_owned).collect());
    }
    Ok(all)
}

/// The text in small letters.
pub(crate) fn lower(text: &str) -> String {
    let mut lowered = String::new();
    text::lowercase(text, &mut lowered);
    lowered
}

fn build_tokenizer(name: &str) -> Result<Box<dyn Tokenizer>, String> {
    tokenizer(name, &TokenizerOptions::default()).map_err(|error| error.to_string())
}

/// From streams to segments, by the conversion that checks lengths.
fn segments(corpus: &Corpus) -> Result<Segments<'_, str>, String> {
    let streams: Vec<&[Option<String>]> = corpus.streams.iter().map(Vec::as_slice).collect();
    Segments::from_sparse_streams(&corpus.hypotheses, &streams).map_err(|error| error.to_string())
}

fn outcome(scored: &Scored<BleuScore>) -> Result<Outcome, String> {
    let body = scored.signature.body();
    let shared = |entry: &&str| !OUR_OWN.contains(&entry.split(':').next().unwrap_or_default());
    let signature = body.split('|').filter(shared).collect::<Vec<_>>().join("|");
    Ok(Outcome { signature: Some(signature), ..numbers(&scored.score)? })
}

fn numbers(score: &BleuScore) -> Result<Outcome, String> {
    let ref_len = score.ref_len as u64;
    if ref_len as f64 != score.ref_len {
        return Err(format!("the reference length is {}, not a whole number", score.ref_len));
    }
    Ok(Outcome {
        counts: score.clipped.to_vec(),
        totals: score.total.to_vec(),
        sys_len: score.hyp_len,
        ref_len,
        bp: score.brevity_penalty.to_bits(),
        precisions: score.precisions.iter().map(|precision| precision.to_bits()).collect(),
        score: score.score.to_bits(),
        line: printed(score)?,
        signature: None,
    })
}

/// The score and its parts as a report prints them, with two digits.
fn printed(score: &BleuScore) -> Result<String, String> {
    let score = AnyScore::of(&Bleu::default(), score).map_err(|error| error.to_string())?;
    let parts = verbose(&score.parts).unwrap_or_default();
    Ok(format!("{} = {} {parts}", score.name, number(&score, None, LineStyle { decimals: 2, short: false })))
}
