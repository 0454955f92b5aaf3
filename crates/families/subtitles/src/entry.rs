//! The registry entry of SubER, the subtitle edit rate, with its options.

use bleuprint_registry::{AnyMetric, MetricEntry, Opt, Paper, Preset, settings};
use bleuprint_text::TokenizerOptions;

use crate::{Suber, Subtitles};

settings! {
    pub(crate) struct SuberSettings {
        /// Whether words are in lower case without punctuation (plain), or unchanged, with punctuation as separate words
        /// (cased)
        pub(crate) cased: bool = Opt::either("words", &["plain", "cased"]).counted("words", "w");
        /// A language whose words are cut by sacreBLEU's zh, ja-mecab or ko-mecab; then all Unicode punctuation is removed
        pub(crate) language: &'static str =
            Opt::word("language", &["none", "zh", "ja", "ko"], "none").counted("language", "lang").unless_default();
    }
}

const WILKEN: Paper = Paper::from_key(include_str!("papers.bib"), "wilken-etal-2022-suber");

const PRESETS: &[Preset] = &[Preset {
    name: "suber-cased",
    options: &[("words", "cased")],
    summary: "SubER with case and punctuation",
}];

/// A subtitle that is a second too short and has another word, as the example of the metric.
const EXAMPLE: &str = concat!(
    r#"{"hypothesis": [{"start": 1, "end": 3, "text": "good day"}], "#,
    r#""references": [[{"start": 1, "end": 4, "text": "good morning"}]]}"#,
);

pub(crate) const SUBER: MetricEntry =
    MetricEntry::new("suber", "Edits of words and breaks of subtitles that overlap in time", |options| {
        let SuberSettings { cased, language } = SuberSettings::from_options(options)?;
        let metric = if cased { Suber::default().cased() } else { Suber::default() };
        let metric = metric.language(language, &TokenizerOptions::default())?;
        Ok(AnyMetric::for_own::<Subtitles, _>(metric))
    })
    .aliases(&["SubER"])
    .presets(PRESETS)
    .papers(&[WILKEN])
    .agrees_with("subtitle-edit-rate 0.4.0")
    .options(SuberSettings::SPECS)
    .example(EXAMPLE);
