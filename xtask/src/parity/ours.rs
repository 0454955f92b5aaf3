//! Our side: the few calls into bleuprint that the comparisons need.

use bleuprint_core::{Metric, Observe};
use bleuprint_metrics::bleu::OrderCounts;
use bleuprint_metrics::{Bleu, BleuScore, BleuStats, RefLengths, Smoothing, Summation};
use bleuprint_testkit::golden::{Options, Statistics};
use bleuprint_text::{TokenBuffer, Tokenizer, TokenizerOptions, lowercase, tokenizer};

use super::corpus::Corpus;
use super::outcome::Outcome;

/// Our BLEU with the summation of the oracle's interpreter.
pub(crate) struct Ours {
    pub(crate) summation: Summation,
}

impl Ours {
    /// The outcome of the corpus.
    pub(crate) fn corpus(&self, corpus: &Corpus, options: &Options) -> Result<Outcome, String> {
        let bleu = self.metric(options)?;
        let mut total = bleu.zero();
        for stats in segments(&bleu, corpus, options)? {
            bleuprint_core::Stats::merge(&mut total, &stats);
        }
        outcome(&bleu.finalize(&total))
    }

    /// The outcome of each segment by itself.
    pub(crate) fn sentences(&self, corpus: &Corpus, options: &Options) -> Result<Vec<Outcome>, String> {
        let bleu = self.metric(options)?;
        segments(&bleu, corpus, options)?.iter().map(|stats| outcome(&bleu.finalize(stats))).collect()
    }

    /// The outcome of given statistics.
    pub(crate) fn finish(&self, given: &Statistics, options: &Options) -> Result<Outcome, String> {
        let orders = given.counts.iter().zip(&given.totals);
        let stats = BleuStats {
            ref_len: RefLengths { closest: given.ref_len, ..RefLengths::default() },
            orders: orders.map(|(&clipped, &total)| OrderCounts { clipped, total, short: 0 }).collect(),
        };
        outcome(&self.metric(options)?.finalize(&stats))
    }

    fn metric(&self, options: &Options) -> Result<Bleu, String> {
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
    texts.iter().map(|text| tokens(tokenizer.as_ref(), text, false)).collect()
}

/// The names of our tokenizers.
pub(crate) fn tokenizer_names() -> Vec<&'static str> {
    bleuprint_text::tokenizers().iter().map(|entry| entry.name).collect()
}

fn build_tokenizer(name: &str) -> Result<Box<dyn Tokenizer>, String> {
    tokenizer(name, &TokenizerOptions::default()).map_err(|error| error.to_string())
}

fn tokens(tokenizer: &dyn Tokenizer, text: &str, lower: bool) -> Result<Vec<String>, String> {
    let mut lowered = String::new();
    let text = if lower {
        lowercase(text, &mut lowered);
        &lowered
    } else {
        text
    };
    let mut buffer = TokenBuffer::default();
    let tokens = tokenizer.tokenize(text, &mut buffer).map_err(|error| error.to_string())?;
    Ok(tokens.iter().map(str::to_owned).collect())
}

/// The statistics of every segment.
fn segments(bleu: &Bleu, corpus: &Corpus, options: &Options) -> Result<Vec<BleuStats>, String> {
    let tokenizer = build_tokenizer(&options.tokenize)?;
    let cut = |text: &str| tokens(tokenizer.as_ref(), text, options.lowercase);
    let mut scratch = <Bleu as Observe<[String]>>::Scratch::default();
    let mut all = Vec::with_capacity(corpus.hypotheses.len());
    for (i, hypothesis) in corpus.hypotheses.iter().enumerate() {
        let references = corpus.references(i).into_iter().map(&cut).collect::<Result<Vec<_>, _>>()?;
        let references: Vec<&[String]> = references.iter().map(Vec::as_slice).collect();
        let mut stats = bleu.zero();
        let observed = bleu.observe(&mut scratch, &mut stats, cut(hypothesis)?.as_slice(), &references);
        observed.map_err(|error| error.to_string())?;
        all.push(stats);
    }
    Ok(all)
}

fn outcome(score: &BleuScore) -> Result<Outcome, String> {
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
    })
}
