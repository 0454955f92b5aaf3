//! Tests that tokenized metrics and panels obey the laws of wrappers and keep the faster methods of the inner
//! metric.

use bleuprint_core::Case;
use bleuprint_eval::{ChosenTokens, Panel, Tokenized};
use bleuprint_metrics::{Bleu, Chrf, Distinct, Rouge};
use bleuprint_registry::AnyMetric;
use bleuprint_registry::laws;
use bleuprint_text::{Tokenizer, TokenizerOptions, tokenizer};

fn words() -> Box<dyn Tokenizer> {
    tokenizer("13a", &TokenizerOptions::default()).unwrap()
}

fn ids(tokens: &[u8]) -> Vec<u32> {
    tokens.iter().map(|token| u32::from(token % 3)).collect()
}

fn text(tokens: &[u8]) -> String {
    tokens.iter().map(|token| ["a", "cat", "sat"][usize::from(token % 3)]).collect::<Vec<_>>().join(" ")
}

fn panel(metrics: impl IntoIterator<Item = AnyMetric>) -> Panel {
    Panel::new(metrics, &ChosenTokens::new(words(), Case::Mixed)).unwrap()
}

#[test]
fn text_in_front_of_tokens() {
    let bleu = Bleu::default().sentence();
    let for_text = Tokenized::new(bleu.clone(), words(), Case::Mixed).unwrap();
    laws::check_wrapper::<[u32], _, _, str, _, _>(&bleu, ids, &for_text, text);
    let rouge = Rouge::n(2).unwrap();
    let for_text = Tokenized::new(rouge, words(), Case::Mixed).unwrap();
    laws::check_wrapper::<[u32], _, _, str, _, _>(&rouge, ids, &for_text, text);
}

#[test]
fn panels() {
    let bleu = AnyMetric::for_ids(Bleu::default().sentence()).unwrap();
    laws::check_wrapper::<[u32], _, _, str, _, _>(&bleu, ids, &panel([bleu.clone()]), text);
    let chrf = AnyMetric::for_text(Chrf::default());
    laws::check_wrapper::<str, _, _, str, _, _>(&chrf, text, &panel([chrf.clone()]), text);
    // A panel of several metrics is not a wrapper of one, but it obeys the laws, also those of storage. A set
    // among the statistics means that they are not a row.
    let rows = panel([bleu.clone(), chrf.clone()]);
    laws::check_sequences::<str>(&rows, text);
    let with_a_set = panel([bleu, AnyMetric::for_tokens(Distinct::default()), chrf]);
    laws::check_sequences::<str>(&with_a_set, text);
}
