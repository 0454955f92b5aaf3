//! Dialects of BLEU on random corpora, against NLTK, bleuscore, pycocoevalcap and sacreBLEU from PyPI.
//!
//! HF evaluate is not among them: its BLEU is a script that it downloads when it is used.

use std::collections::BTreeMap;

use bleuprint::Bleu;
use bleuprint::metrics::bleu::dialect::DialectAgreement;
use bleuprint::metrics::gleu::GleuTies;
use bleuprint::metrics::{Dialect, Gleu, Summation};
use bleuprint_testkit::random::Rng;
use serde_json::{Value, json};
use xtask::Result;

use super::outcome::FloatBits;
use super::topic::{ParityTopic, PartSize, SinglePart, TopicNeeds};
use super::{corpus, ours};
use crate::pieces;

type Corpus = Vec<ours::Words<'static>>;

type Output = std::result::Result<FloatBits, String>;

/// Compares random corpora of a tiny alphabet, with ragged references, short and empty segments; each is scored in every dialect
/// at one order.
pub(super) const TOPIC: ParityTopic = ParityTopic {
    script: include_str!("dialects.py"),
    needs: TopicNeeds::Nothing,
    seed: 20_140_603,
    parts: |comparison, oracle| {
        for (package, _) in oracle.about["programs"].as_object().into_iter().flatten() {
            oracle.has(package);
        }
        let summation = comparison.given.summation;
        Ok(vec![Box::new(SinglePart {
            size: PartSize::exact(2_000, 50),
            draw: Box::new(|rng| (corpus(rng), *rng.pick(&[1, 2, 3, 4, 4, 4, 4, 5, 6, 7]))),
            question: Box::new(|cases| cases.iter().map(question).collect()),
            compare: Box::new(move |report, (corpus, order), theirs: BTreeMap<String, Output>| {
                for (name, theirs) in &theirs {
                    let ours = ours(corpus, *order, summation, name);
                    let case = || format!("{corpus:?}, order {order}");
                    report.case(&format!("dialect {name}"), difference(name, theirs, &ours), case);
                }
                Ok(())
            }),
        })])
    },
};

fn question((corpus, order): &(Corpus, usize)) -> Value {
    let (hypotheses, references): (Vec<_>, Vec<_>) = corpus.iter().cloned().unzip();
    json!({"hypotheses": hypotheses, "references": references, "order": order})
}

/// Returns a random corpus. One in three is a single sentence, so that sentence dialects are tested, too.
fn corpus(rng: &mut Rng) -> Corpus {
    let segments = if rng.chance(333) { 1 } else { rng.between(2, 8) };
    let segment = |_| {
        let hypothesis = tokens(rng);
        let references = corpus::references(&hypothesis, pieces::pieces("letters"), tokens, rng);
        (hypothesis, references)
    };
    (0..segments).map(segment).collect()
}

fn tokens(rng: &mut Rng) -> Vec<&'static str> {
    let len = match rng.below(10) {
        0 => 0,
        1..=3 => rng.between(1, 4),
        _ => rng.between(4, 24),
    };
    (0..len).map(|_| *rng.pick(pieces::pieces("letters"))).collect()
}

fn ours(corpus: &Corpus, order: usize, summation: Summation, name: &str) -> Result<f64> {
    if name == "gleu" {
        // Of references that tie NLTK takes the first listed.
        let gleu = Gleu::new(1, order)?.ties(GleuTies::First);
        return Ok(ours::observed(gleu, corpus)?.score()?.score.score);
    }
    let dialect = Dialect::by_name(name)?;
    let bleu = Bleu::builder().max_order(order).summation(summation).build()?;
    let wider = Bleu::builder().max_order(dialect.order_to_observe(order)).build()?;
    Ok(bleu.finalize_with(dialect, ours::observed(wider, corpus)?.total())?.score.value)
}

/// Returns the difference beyond the agreement that the dialect promises; two errors agree.
fn difference(name: &str, theirs: &Output, ours: &Result<f64>) -> Option<String> {
    let equal = match (theirs, ours) {
        (Err(_), Err(_)) => true,
        (Ok(theirs), Ok(ours)) => match Dialect::by_name(name).map(|dialect| dialect.agreement) {
            Ok(DialectAgreement::Relative(tolerance)) => {
                let theirs = theirs.value();
                (theirs - ours).abs() <= tolerance * theirs.abs().max(ours.abs())
            }
            _ => *theirs == FloatBits::from_value(*ours),
        },
        _ => false,
    };
    (!equal).then(|| format!("{name}: theirs {theirs:?}, ours {ours:?}"))
}
