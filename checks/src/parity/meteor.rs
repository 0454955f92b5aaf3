//! METEOR of random sentences against NLTK: without synonyms, with our own small WordNet database, and with the real
//! one where it is installed.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bleuprint::metrics::meteor::{Meteor, Synonyms, WordNet};
use bleuprint_testkit::random::Rng;
use serde_json::{Value, json};
use xtask::Result;

use super::outcome::{FloatBits, ParityReport};
use super::topic::{AnyPart, ParityTopic, PartSize, TopicNeeds, TopicPart, given_part};
use super::{corpus, ours};
use crate::pieces;

const SMALL: &str = "crates/testkit/data/meteor/wordnet";

/// The folder of version 3.0 in Debian's package `wordnet-base`.
const REAL: &str = "/usr/share/wordnet";

const BATCH: usize = 500;

const SEED: u64 = 20_050_629;

pub(super) const TOPIC: ParityTopic = ParityTopic {
    script: include_str!("meteor.py"),
    needs: TopicNeeds::Versions("METEOR of NLTK ", "nltk"),
    seed: SEED,
    parts: |comparison, _| {
        let words = || pieces::pieces("meteor").iter().map(|&word| word.to_owned()).collect();
        let small = comparison.given.root.join(SMALL);
        let mut parts: Vec<Box<dyn AnyPart>> = vec![
            Box::new(MeteorPart::new("METEOR without synonyms", None, words())?),
            Box::new(MeteorPart::new("METEOR with our own synonyms", Some(small), words())?),
        ];
        let real = PathBuf::from(REAL);
        if real.is_dir() {
            let mut rng = comparison.rng(SEED);
            let words = words_of(&real, &mut rng)?;
            let few = (0..3_000).map(|_| rng.pick(&words).clone()).collect();
            parts.push(Box::new(MeteorPart::new("METEOR with WordNet 3.0", Some(real.clone()), few)?));
            parts.push(synonyms_part(real, words)?);
        } else {
            println!("  skipped: METEOR with WordNet 3.0, because {REAL} is not there");
        }
        Ok(parts)
    },
};

/// METEOR of sentences of some words, with the synonyms of a folder.
struct MeteorPart {
    kind: &'static str,
    folder: Option<PathBuf>,
    synonyms: Option<Arc<WordNet>>,
    words: Vec<String>,
}

impl MeteorPart {
    fn new(kind: &'static str, folder: Option<PathBuf>, words: Vec<String>) -> Result<Self> {
        let synonyms = folder.as_deref().map(load).transpose()?;
        Ok(MeteorPart { kind, folder, synonyms, words })
    }
}

impl TopicPart for MeteorPart {
    /// The weights alpha, beta and gamma.
    type Shared = (f64, f64, f64);
    type Case = (Vec<String>, Vec<Vec<String>>);
    type Answer = FloatBits;

    fn size(&self) -> PartSize {
        PartSize::whole(60_000, BATCH)
    }

    fn share(&mut self, rng: &mut Rng) -> Result<Self::Shared> {
        Ok(*rng.pick(&[(0.9, 3.0, 0.5), (0.9, 3.0, 0.5), (0.85, 2.0, 0.25), (0.5, 0.7, 1.0)]))
    }

    fn draw(&mut self, rng: &mut Rng, _weights: &Self::Shared) -> Self::Case {
        texts(rng, &self.words)
    }

    fn question(&self, weights: &Self::Shared, cases: &[Self::Case]) -> Result<Value> {
        Ok(json!({ "cases": cases, "weights": weights, "wordnet": self.folder }))
    }

    fn compare(
        &mut self,
        report: &mut ParityReport,
        weights: &Self::Shared,
        case: &Self::Case,
        theirs: FloatBits,
    ) -> Result {
        let mut meteor = Meteor::new(weights.0, weights.1, weights.2)?;
        if let Some(synonyms) = &self.synonyms {
            meteor = meteor.with_synonyms(Arc::clone(synonyms) as Arc<dyn Synonyms>);
        }
        let references = case.1.iter().map(|reference| ours::strs(reference)).collect();
        let ours = ours::observed(&meteor, &[(ours::strs(&case.0), references)])?.score()?.score.score;
        report.same(self.kind, &theirs, &FloatBits::from_value(ours), || format!("{case:?}, {weights:?}"));
        Ok(())
    }
}

/// Returns the comparison of the synonyms of words in the database and of their inflected forms.
fn synonyms_part(folder: PathBuf, words: Vec<String>) -> Result<Box<dyn AnyPart>> {
    let wordnet = load(&folder)?;
    let question = move |words: &[String]| json!({ "synonyms": words, "wordnet": folder });
    Ok(given_part(words, BATCH, question, move |report, word, theirs: Vec<String>| {
        let mut ours = Vec::new();
        wordnet.synonyms(word, &mut |synonym| ours.push(synonym.to_owned()));
        ours.sort_unstable();
        ours.dedup();
        report.same("synonyms of WordNet 3.0", &theirs, &ours, || format!("{word:?}"));
        Ok(())
    }))
}

fn load(folder: &Path) -> Result<Arc<WordNet>> {
    let mut unread = None;
    let wordnet = WordNet::parse(|name| {
        std::fs::read_to_string(folder.join(name)).or_else(|error| {
            unread = Some(format!("cannot read {name}: {error}"));
            Ok(String::new())
        })
    });
    match unread {
        Some(error) => Err(error.into()),
        None => Ok(Arc::new(wordnet?)),
    }
}

/// Returns words of the index, every third of them in another form.
fn words_of(folder: &Path, rng: &mut Rng) -> Result<Vec<String>> {
    let mut words = Vec::new();
    for part in ["noun", "verb", "adj", "adv"] {
        let text = std::fs::read_to_string(folder.join(format!("index.{part}")));
        let text = text.map_err(|error| format!("cannot read the index of {part}: {error}"))?;
        let lemmas = text.lines().filter(|line| !line.starts_with(' '));
        let lemmas = lemmas.filter_map(|line| line.split(' ').next()).filter(|word| !word.contains('_'));
        words.extend(lemmas.map(str::to_owned));
    }
    rng.shuffle(&mut words);
    words.truncate(30_000);
    let endings = ["s", "es", "ies", "ed", "ing", "er", "est", "men", "ves"];
    let mut stem = String::new();
    for word in words.iter_mut().step_by(3) {
        *word = match rng.below(3) {
            0 => format!("{word}{}", rng.pick(&endings)),
            1 => format!("{}{}", &word[..word.len() - 1], rng.pick(&endings)),
            _ => {
                bleuprint::stem::porter(word, &mut stem);
                stem.clone()
            }
        };
    }
    Ok(words)
}

/// Returns a hypothesis and one to three references, most of them made from it, all with few words.
fn texts(rng: &mut Rng, words: &[String]) -> (Vec<String>, Vec<Vec<String>>) {
    let words = ours::strs(words);
    let text = |rng: &mut Rng| -> Vec<&str> {
        let few: Vec<&str> = (0..8).map(|_| *rng.pick(&words)).collect();
        (0..rng.below(16)).map(|_| *rng.pick(&few)).collect()
    };
    let hypothesis = text(rng);
    let references = corpus::references(&hypothesis, &words, text, rng);
    let owned = |words: Vec<&str>| words.into_iter().map(str::to_owned).collect();
    (owned(hypothesis), references.into_iter().map(owned).collect())
}
