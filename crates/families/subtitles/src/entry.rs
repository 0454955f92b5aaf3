//! The entry of the registry, with its option as data.

use bleuprint_registry::{AnyMetric, MetricEntry, Opt, Paper, Preset};
use bleuprint_text::TokenizerOptions;

use crate::{Suber, Subtitles};

pub(crate) const WORDS: Opt<&str> = Opt::word("words", &["plain", "cased"], "plain")
    .counted("words", "w")
    .help("Words in lower case without punctuation, or as they are, with punctuation as words of its own");

pub(crate) const LANGUAGE: Opt<&str> = Opt::word("language", &["none", "zh", "ja", "ko"], "none")
    .counted("language", "lang")
    .unless_default()
    .help("A language whose words are cut by sacreBLEU's zh, ja-mecab or ko-mecab; punctuation is then that of Unicode");

const WILKEN: Paper = Paper::of(include_str!("papers.bib"), "wilken-etal-2022-suber");

const PRESETS: &[Preset] = &[Preset {
    name: "suber-cased",
    options: &[("words", "cased")],
    summary: "SubER with case and punctuation",
}];

pub(crate) const SUBER: MetricEntry =
    MetricEntry::new("suber", "Edits of words and breaks of subtitles that overlap in time", |options| {
        let metric = Suber::default();
        let metric = if WORDS.of(options)? == "cased" { metric.cased() } else { metric };
        let metric = metric.language(LANGUAGE.of(options)?, &TokenizerOptions::default())?;
        Ok(AnyMetric::over_own::<Subtitles, _>(metric))
    })
    .aliases(&["SubER"])
    .presets(PRESETS)
    .papers(&[WILKEN])
    .agrees_with("subtitle-edit-rate 0.4.0")
    .options(&[WORDS.spec, LANGUAGE.spec]);
