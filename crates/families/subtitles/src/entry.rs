//! The registry entry of SubER, the subtitle edit rate, with its options.

use bleuprint_registry::{AnyMetric, MetricEntry, Opt, Paper, Preset};
use bleuprint_text::TokenizerOptions;

use crate::{Suber, Subtitles};

pub(crate) const WORDS: Opt<&str> = Opt::word("words", &["plain", "cased"], "plain")
    .counted("words", "w")
    .help("Whether words are in lower case without punctuation (plain), or unchanged, with punctuation as separate words (cased)");

pub(crate) const LANGUAGE: Opt<&str> = Opt::word("language", &["none", "zh", "ja", "ko"], "none")
    .counted("language", "lang")
    .unless_default()
    .help("A language whose words are cut by sacreBLEU's zh, ja-mecab or ko-mecab; then all Unicode punctuation is removed");

const WILKEN: Paper = Paper::from_key(include_str!("papers.bib"), "wilken-etal-2022-suber");

const PRESETS: &[Preset] = &[Preset {
    name: "suber-cased",
    options: &[("words", "cased")],
    summary: "SubER with case and punctuation",
}];

pub(crate) const SUBER: MetricEntry =
    MetricEntry::new("suber", "Edits of words and breaks of subtitles that overlap in time", |options| {
        let metric = Suber::default();
        let metric = if WORDS.value_in(options)? == "cased" { metric.cased() } else { metric };
        let metric = metric.language(LANGUAGE.value_in(options)?, &TokenizerOptions::default())?;
        Ok(AnyMetric::for_own::<Subtitles, _>(metric))
    })
    .aliases(&["SubER"])
    .presets(PRESETS)
    .papers(&[WILKEN])
    .agrees_with("subtitle-edit-rate 0.4.0")
    .options(&[WORDS.spec, LANGUAGE.spec]);
