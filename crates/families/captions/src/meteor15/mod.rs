//! METEOR 1.5: words aligned by form, stem, synonym and paraphrase, with tuned weights and a lower weight for
//! function words.
//!
//! ```text
//! length = delta · content words + (1 - delta) · function words
//! m      = Σ over modules of weight · (delta · matched content words + (1 - delta) · matched function words)
//! P = m(hypothesis) / length(hypothesis)      R = m(reference) / length(reference)
//! mean = 1 / ((1 - alpha) / P + alpha / R)
//! fragmentation = chunks / mean of the matched words of both sides; 0 for a text matched whole in one chunk
//! METEOR = mean · (1 - gamma · fragmentation ^ beta)
//! ```
//!
//! `P` and `R` are the weighted precision and recall of word matches. A corpus score uses the sums of these
//! counts over segments; a segment adds the counts of its best-scoring reference. A chunk is a run of matches
//! that are adjacent on both sides. English has alpha 0.85, beta 0.2, gamma 0.6, delta 0.75. Its modules
//! exact, stem, synonym and paraphrase weigh 1, 0.6, 0.8 and 0.6 ([`Task::Rank`]).
//!
//! This is METEOR as the COCO evaluation runs it, with `-l en -norm`. Tokens are joined with blanks,
//! normalized again, lowercased and split at white space. A text without tokens is a sequence of one token.
//!
//! Synonyms and paraphrases come from files that the user has installed ([`Data`]). A default module without
//! its data is left out, and the signature says so. *Such scores differ from the COCO evaluation*, which has
//! both.
//!
//! The alignment search is the original program's: a beam search over the possible matches that all modules
//! find. In this search a match of single words by stem or synonym gains nothing. Unless it is the only
//! possible match of its words, it is taken only next to other matches. If WordNet has both words, `cats` and
//! `cat` alone do not match, but `my cats` and `my cat` do. Words are compared as strings. The program
//! compares 32-bit hashes, by which `op` and `q2` are equal.
//!
//! | singular case | result |
//! |---|---|
//! | no match, an empty side | 0 |
//! | texts that are equal word for word | only the first module runs; 1 if it is exact |
//! | references of equal score | the first counts |
//! | no reference | error |
//! | nothing observed | 0 |
//! | parameters without weights | the weights of [`Task::Adq`], which are all 0 except in English, as in the program |
//! | more than 2²⁴ possible matches of a hypothesis with a reference | error |
//!
//! Range 0 to 1, higher is better. Source: Denkowski and Lavie 2014, Meteor Universal; numbers as
//! meteor-1.5.jar of pycocoevalcap 1.2. Counts are equal, and scores are within 1e-15 of one another, because
//! Java's `pow` may differ in its last bit. Other languages than English use Snowball's stemmers, and the
//! abbreviations and tables that the user has installed.
//!
//! ```
//! use bleuprint_core::Accumulator;
//! use bleuprint_captions::meteor15::{Data, Meteor15, MeteorSettings};
//!
//! let meteor = Meteor15::new(&MeteorSettings::default(), Data::default()).unwrap();
//! let mut meteor = Accumulator::<_, [&str]>::new(meteor);
//! meteor.push(&["a", "dog", "runs"], &[&["a", "cat", "sat"], &["the", "dog", "is", "running"]]).unwrap();
//! let score = meteor.score().unwrap().score.score;
//! assert!((score - 0.2446).abs() < 1e-4, "{score}");
//! ```

mod beam;
mod candidates;
mod entry;
mod fingerprint;
mod normalize;
mod options;
mod paraphrases;
mod prefixes;
mod settings;
mod stats;
mod synsets;
mod tasks;
#[cfg(test)]
mod tests;
mod words;

use std::sync::Arc;

use bleuprint_core::{
    Choice as _, ConfigError, Identity, InputErrorKind, Metric, Observe, PlainScore, Result, Scale,
    ScorePart, Segment, SegmentCounts, Stats as _,
};
use rust_stemmers::Stemmer;

use beam::{BeamSearch, spans};
use candidates::MatchCandidates;
pub(crate) use entry::ENTRY;
use normalize::{NormalizedLine, is_blank, normalize};
use options::Meteor15Options;
pub use options::{Task, TextForm};
pub use paraphrases::Paraphrases;
pub use prefixes::Prefixes;
use settings::Parameters;
pub use settings::{Language, MeteorSettings, Module};
pub use stats::Meteor15Stats;
pub use synsets::WordnetSynsets;
pub use words::FunctionWords;
use words::MatchLexicon;

/// Data files for METEOR that the user has installed; none by default. Several metrics may share them.
#[derive(Debug, Clone, Default)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct Data {
    /// WordNet synonyms, for METEOR's matching module `synonym`.
    pub synsets: Option<Arc<WordnetSynsets>>,
    /// Table of paraphrases, for METEOR's matching module `paraphrase`.
    pub paraphrases: Option<Arc<Paraphrases>>,
    /// Abbreviations that keep their full stop. English and Czech need none: the English ones are built in,
    /// and the Czech list is empty.
    pub prefixes: Option<Arc<Prefixes>>,
    /// Function words, which have a lower weight. The default is the English list, for every language.
    pub function_words: Option<Arc<FunctionWords>>,
}

/// Metric METEOR 1.5, a score of word alignments; [the module](self) has the definition.
#[derive(Clone)]
pub struct Meteor15 {
    language: Language,
    form: TextForm,
    parameters: Parameters,
    beam: usize,
    chars: bool,
    stemmer: Option<Arc<Stemmer>>,
    synsets: Option<Arc<WordnetSynsets>>,
    paraphrases: Option<Arc<Paraphrases>>,
    prefixes: Arc<Prefixes>,
    function_words: Arc<FunctionWords>,
    names: [String; 3],
}

/// Reusable tables for computing METEOR 1.5.
#[derive(Debug, Default)]
pub struct Meteor15Scratch {
    lexicon: MatchLexicon,
    line: NormalizedLine,
    text: String,
    hypothesis: Vec<u32>,
    reference: Vec<u32>,
    candidates: MatchCandidates,
    search: BeamSearch,
}

impl Meteor15 {
    /// Creates the metric METEOR 1.5 with these settings and data files.
    ///
    /// # Errors
    /// Returns [`ConfigError::OutOfRange`] if a number of `settings` is out of range. Returns
    /// [`ConfigError::Conflict`] if a module lacks its data. Also returns it if the language has no
    /// normalization, or if its abbreviations are missing.
    pub fn new(settings: &MeteorSettings, data: Data) -> Result<Self, ConfigError> {
        let language = settings.language;
        let has = |module| match module {
            Module::Exact => true,
            Module::Stem => language.stemmer().is_some(),
            Module::Synonym => data.synsets.is_some(),
            Module::Paraphrase => data.paraphrases.is_some(),
        };
        let parameters = settings.parameters(has)?;
        let runs = |module| parameters.modules.iter().any(|(running, _)| *running == module);
        let synsets = data.synsets.filter(|_| runs(Module::Synonym));
        let paraphrases = data.paraphrases.filter(|_| runs(Module::Paraphrase));
        let none = || "none".to_owned();
        let names = [
            synsets.as_ref().map_or_else(none, |synsets| synsets.name()),
            paraphrases.as_ref().map_or_else(none, |table| table.name().to_owned()),
            data.function_words.as_ref().map_or_else(String::new, |words| words.name()),
        ];
        Ok(Meteor15 {
            language,
            form: settings.form,
            beam: settings.beam,
            chars: settings.chars,
            stemmer: language
                .stemmer()
                .filter(|_| runs(Module::Stem))
                .map(|name| Stemmer::create(name).into()),
            parameters,
            synsets,
            paraphrases,
            prefixes: abbreviations(settings, data.prefixes)?,
            function_words: data.function_words.unwrap_or_default(),
            names,
        })
    }

    /// Converts a sequence of tokens to word ids in `scratch`, as the reference or as the hypothesis.
    fn read<T: AsRef<str>>(&self, scratch: &mut Meteor15Scratch, tokens: &[T], reference: bool) {
        let Meteor15Scratch { lexicon, line, text, .. } = scratch;
        text.clear();
        for token in tokens {
            text.push_str(token.as_ref());
            text.push(' ');
        }
        let text = self.formed(line, text);
        let words = text.split(is_blank).filter(|word| !word.is_empty());
        let numbers = if reference { &mut scratch.reference } else { &mut scratch.hypothesis };
        numbers.clear();
        numbers.extend(words.map(|word| lexicon.number(self, word)));
    }

    fn formed(&self, line: &mut NormalizedLine, text: &str) -> String {
        let punctuation = match self.form {
            TextForm::Given => return text.to_owned(),
            TextForm::Lower => return text.to_lowercase(),
            TextForm::Norm => true,
            TextForm::NoPunct => false,
        };
        // Normalization never splits a text of ASCII letters, digits and blanks, the most frequent case. The
        // mark for dots is the exception: it is replaced even in plain text.
        if text.bytes().all(|byte| byte == b' ' || byte.is_ascii_alphanumeric()) && !text.contains("DOTMULTI")
        {
            return text.to_ascii_lowercase();
        }
        normalize(line, self.language, &self.prefixes, punctuation, text).to_lowercase()
    }

    /// Aligns the words of the hypothesis and the reference that `scratch` holds, and returns their match
    /// counts.
    fn align(&self, scratch: &mut Meteor15Scratch) -> Result<Meteor15Stats> {
        let Meteor15Scratch { lexicon, hypothesis, reference, candidates, search, .. } = scratch;
        candidates.list(self, lexicon, hypothesis, reference)?;
        search.run(candidates, [hypothesis.len(), reference.len()], self.beam)?;
        let mut stats = Meteor15Stats::default();
        (stats.hyp_len, stats.hyp_func) = self.lengths(lexicon, hypothesis);
        (stats.ref_len, stats.ref_func) = self.lengths(lexicon, reference);
        let mut open = [usize::MAX; 2];
        for matched in &search.matches {
            let slot = &mut stats.matched[matched.module as usize];
            let sides = spans(matched);
            for (side, (words, span)) in [&*hypothesis, reference].into_iter().zip(&sides).enumerate() {
                let (all, function) = self.lengths(lexicon, &words[span.clone()]);
                slot[side] += all - function;
                slot[side + 2] += function;
            }
            let [mine, its] = sides;
            stats.hyp_matched += mine.len() as u64;
            stats.ref_matched += its.len() as u64;
            // A match continues the chunk only if it starts where the last match ended on both sides.
            stats.chunks += u64::from(open != [mine.start, its.start]);
            open = [mine.end, its.end];
        }
        // The program counts no fragmentation for a text that is matched whole, so that its score can reach
        // 1.
        if stats.is_perfect() {
            stats.chunks = 0;
        }
        Ok(stats)
    }

    /// Returns the total length of `words`, and the total length of the function words among them.
    fn lengths(&self, lexicon: &MatchLexicon, words: &[u32]) -> (u64, u64) {
        words.iter().map(|number| lexicon.word(*number)).fold((0, 0), |(all, function), word| {
            let length = if self.chars { word.units } else { 1 };
            (all + length, function + if word.function { length } else { 0 })
        })
    }
}

fn abbreviations(
    settings: &MeteorSettings,
    given: Option<Arc<Prefixes>>,
) -> Result<Arc<Prefixes>, ConfigError> {
    let MeteorSettings { language, form, .. } = settings;
    // Without normalization no full stop is split off, so that abbreviations are not needed.
    if matches!(form, TextForm::Lower | TextForm::Given) {
        return Ok(Arc::default());
    }
    match (language, given) {
        (_, Some(prefixes)) if language.file_name().is_some() => Ok(prefixes),
        (Language::English, None) => Ok(Arc::new(Prefixes::english())),
        (Language::Czech, None) => Ok(Arc::default()),
        (_, None) if language.file_name().is_some() => Err(ConfigError::Conflict(format!(
            "METEOR 1.5 normalizes `{}` by a list of abbreviations: set meteor15-data, or meteor15-norm=lower",
            language.name()
        ))),
        _ => Err(ConfigError::Conflict(format!(
            "METEOR 1.5 does not normalize `{}`: set meteor15-norm=lower or none",
            language.name()
        ))),
    }
}

impl Metric for Meteor15 {
    type Stats = Meteor15Stats;
    type Score = PlainScore;
    type Scratch = Meteor15Scratch;

    fn identity(&self) -> Identity {
        let Parameters { alpha, beta, gamma, delta, modules } = &self.parameters;
        let [synonyms, table, function_words] = self.names.clone();
        let names: Vec<&str> = modules.iter().map(|(module, _)| module.name()).collect();
        let weights = modules.iter().map(|(_, weight)| *weight).collect();
        // The choice of the best reference depends on the parameters. They change the counts, so all of them
        // are part of the key.
        let options = Meteor15Options {
            language: Some(self.language.name().to_owned()),
            form: self.form,
            modules: Some(names.join("+")),
            parameters: Some(vec![*alpha, *beta, *gamma, *delta]),
            weights: Some(weights),
            wordnet: Some(synonyms),
            table: Some(table),
            function_words: Some(function_words).filter(|name| !name.is_empty()),
            beam: self.beam,
            chars: self.chars,
            ..Meteor15Options::default()
        };
        options
            .add_to_identity(Identity::new("meteor15", 1, Scale::UNIT))
            .named("METEOR-1.5")
            .needing(|needs| needs.reference_order = true)
    }

    fn finalize(&self, stats: &Meteor15Stats, _: &SegmentCounts) -> Result<PlainScore> {
        let [precision, recall, score] = stats.score(&self.parameters);
        Ok(PlainScore::new(score)
            .with(ScorePart::number("precision", precision, 4))
            .with(ScorePart::number("recall", recall, 4))
            .with_count("matched", stats.hyp_matched)
            .with_count("chunks", stats.chunks)
            .with_count("hyp_len", stats.hyp_len)
            .with_count("ref_len", stats.ref_len))
    }
}

impl<T: AsRef<str>> Observe<[T]> for Meteor15 {
    fn observe(
        &self,
        scratch: &mut Meteor15Scratch,
        stats: &mut Meteor15Stats,
        segment: Segment<'_, [T]>,
    ) -> Result<()> {
        scratch.lexicon.begin();
        self.read(scratch, segment.hypothesis, false);
        let mut best: Option<(f64, Meteor15Stats)> = None;
        for reference in segment.references()? {
            self.read(scratch, reference, true);
            let own = self.align(scratch)?;
            let [.., score] = own.score(&self.parameters);
            // Only a strictly greater score replaces the best: the first of equal references counts, as in
            // the program.
            if best.is_none_or(|(highest, _)| score > highest) {
                best = Some((score, own));
            }
        }
        let (_, own) = best.ok_or(InputErrorKind::NoReferences)?;
        stats.merge(&own)
    }
}
