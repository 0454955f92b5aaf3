//! Computes the BLEU of texts in a single call, with sacreBLEU's defaults: for scripts and first steps.

use std::sync::Arc;

use crate::{
    Accumulator, Bleu, Case, InputError, Scored, Segment, Tokenized, Tokenizer, TokenizerOptions,
    contract::zip_streams, metrics::BleuScore, tokenizer,
};
use bleuprint_core::Result;

/// Returns the BLEU score of a corpus, equal to `sacrebleu` without options: tokenizer `13a`, mixed case,
/// orders up to 4, exponential smoothing. `references` has one or more streams, each with one reference for
/// every hypothesis.
///
/// ```
/// let hypotheses = ["The dog bit the man.", "It wasn't surprising."];
/// let references = ["The dog bit the man.", "It was not unexpected."];
/// let bleu = bleuprint::corpus_bleu(&hypotheses, &[&references]).unwrap();
/// assert_eq!(format!("{:.1}", bleu.score), "64.0");
/// assert!(bleu.signature.to_string().starts_with("BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|"));
/// ```
///
/// # Errors
/// Returns an error if there is no segment or no stream, or if the lengths differ.
pub fn corpus_bleu<T: AsRef<str>>(hypotheses: &[T], references: &[&[T]]) -> Result<Scored<BleuScore>> {
    let texts = |texts: &[T]| texts.iter().map(|text| text.as_ref().to_owned()).collect::<Vec<String>>();
    let hypotheses = texts(hypotheses);
    let streams = references.iter().map(|s| texts(s)).collect::<Vec<_>>();
    let streams: Vec<&[String]> = streams.iter().map(Vec::as_slice).collect();
    let mut corpus = Accumulator::<_, str>::new(over_13a(Bleu::default())?);
    for (hypothesis, references) in zip_streams(&hypotheses, &streams)? {
        corpus.add(Segment::new(hypothesis, &references))?;
    }
    corpus.score()
}

/// Returns the BLEU score of one segment, with the settings of [`corpus_bleu`] and the effective order (no
/// n-grams longer than the hypothesis), so that short segments have a score.
///
/// ```
/// let bleu = bleuprint::sentence_bleu("The dog barks", &["The dog barks"]).unwrap();
/// assert_eq!(format!("{:.1}", bleu.score), "100.0");
/// ```
///
/// # Errors
/// Returns an error if there is no reference.
pub fn sentence_bleu(hypothesis: &str, references: &[&str]) -> Result<Scored<BleuScore>> {
    let mut segment = Accumulator::<_, str>::new(over_13a(Bleu::default().sentence())?);
    segment.push(hypothesis, references)?;
    segment.score()
}

fn over_13a(bleu: Bleu) -> Result<Tokenized<Bleu, Arc<dyn Tokenizer>>> {
    let tokenizer = tokenizer("13a", &TokenizerOptions::default());
    let metric = tokenizer.and_then(|tokenizer| Tokenized::new(bleu, Arc::from(tokenizer), Case::Mixed));
    // The tokenizer 13a is built in and needs no file, so this cannot fail in practice.
    metric.map_err(|error| InputError::malformed(error.to_string()))
}
