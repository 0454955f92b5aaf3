//! [`families`]: the groups of metrics (such as metrics over samples or speech) that this build includes,
//! each enabled by a Cargo feature of its name.

use std::sync::LazyLock;

use crate::eval::{ChosenTokens, TokenRequest};
use crate::text::{Families, Family};
use crate::{ConfigError, Registry, Tokenizers};

struct ListedFamily {
    feature: &'static str,
    /// Names of the metrics and metric groups that the feature enables. Builds without the feature know them
    /// too, for their error messages.
    names: &'static [&'static str],
    family: Option<fn() -> Family>,
}

macro_rules! families {
    ($($feature:literal: $package:ident, $($name:literal)*;)*) => {
        $(
            #[cfg(feature = $feature)]
            pub use ::$package;
        )*

        const LIST: &[ListedFamily] = &[$(ListedFamily {
            feature: $feature,
            names: &[$($name),*],
            #[cfg(feature = $feature)]
            family: Some(::$package::family),
            #[cfg(not(feature = $feature))]
            family: None,
        }),*];
    };
}

// Each line has the feature, the dependency behind it, and all names of its metrics and of its sets of metrics.
families! {
    "samples": samples, "samples" "pass" "passhat" "gpass" "mgpass" "avg" "best" "worst" "maj" "cons";
    "likelihood": likelihood, "likelihood" "nll" "perplexity" "bits" "mean_perplexity";
    "similarity": similarity, "edit_similarity" "edit_sim" "levenshtein_similarity" "fuzz_ratio" "difflib_ratio" "jaro" "jaro_winkler"
        "ned" "anls" "eed" "character" "ribes";
    "sources": sources, "extractive" "novel" "novel_ngrams" "fertility";
    "labels": labels, "labels" "spans" "squad2" "squad2_best" "drop";
    "meetings": meetings, "cpwer" "cpWER" "tcpwer" "tcpWER" "orcwer" "ORC-WER" "tcorcwer" "tcORC-WER"
        "mimower" "MIMO-WER" "tcmimower" "tcMIMO-WER" "dicpwer" "DI-cpWER" "ditcpwer" "DI-tcpWER";
    "diarization": diarization, "der" "jer" "detection" "speech_detection" "purity" "bcubed";
    "latency": latency, "al" "laal" "ap" "dal" "yaal" "latency";
    "subtitles": subtitles, "suber" "SubER" "suber-cased";
    "testsets": testsets,;
    "sclite": sclite, "sclite" "alternatives_wer" "alternatives_mer" "alternatives_wil" "alternatives_wip" "nce";
    "captions": captions, "meteor15" "spice" "coco";
    "recognition": recognition, "bwer" "uwer" "terms" "oracle_wer" "per" "bow" "ece" "brier" "boundaries" "term_cer" "span_recall" "substitutions";
    "vectors": vectors, "bertscore" "cosine";
    "code": codebleu, "codebleu";
}

/// Returns all metrics and tokenizers of this build: the groups that Cargo features enable, and the metrics
/// and tokenizers that are always included.
///
/// ```
/// use bleuprint::{AnyMetric, ExactMatch, MetricEntry, text::Family};
///
/// static METRICS: &[MetricEntry] = &[MetricEntry::new("same", "Equal texts", |_| AnyMetric::for_ids(ExactMatch))];
/// let families = bleuprint::families().with(Family::new("mine", "Of my own").metrics(METRICS)).unwrap();
/// assert!(families.registry().build("same").is_ok());
/// ```
pub fn families() -> Families {
    FAMILIES.clone()
}

static FAMILIES: LazyLock<Families> = LazyLock::new(|| match listed() {
    Ok(families) => families,
    // The entries are constants, and a test adds all of them, so no input can cause this error.
    Err(error) => unreachable!("the families of this package clash: {error}"),
});

/// Returns all metrics of this build, which can be chosen by name. You can add metrics with
/// [`Registry::add`].
///
/// ```
/// let registry = bleuprint::registry();
/// assert_eq!(registry.get("bleu").unwrap().agrees_with, "sacreBLEU 2.6.0");
/// assert!(registry.get("blue").is_err());
/// ```
pub fn registry() -> Registry {
    FAMILIES.registry().clone()
}

/// Returns the tokenizer and letter case of metrics that set none themselves, chosen from the tokenizers of
/// [`families`].
pub(crate) fn standard_tokens() -> Result<ChosenTokens, ConfigError> {
    TokenRequest::default().choose(FAMILIES.tokenizers())
}

fn listed() -> Result<Families, ConfigError> {
    let mut families = Families::new(crate::metrics::registry(), Tokenizers::default());
    families.set_text_scorer(crate::text_scorer::text_scorer);
    for ListedFamily { feature, names, family } in LIST {
        match family {
            Some(family) => families = families.with(family())?,
            None => families.lack(names, feature),
        }
    }
    Ok(families)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_do_not_clash() {
        assert!(listed().is_ok());
    }

    #[test]
    fn the_list_has_the_names_of_the_families() {
        for listed in LIST {
            let Some(family) = listed.family.map(|family| family()) else { continue };
            let metrics = family.metrics.iter().flat_map(|entry| entry.names());
            let names: Vec<&str> = metrics.chain(family.sets.iter().map(|set| set.name)).collect();
            assert_eq!(names, listed.names, "{}", listed.feature);
            assert_eq!(family.name, listed.feature);
        }
    }

    #[test]
    fn the_metrics_of_sets_are_known() {
        let registry = registry();
        for set in registry.sets() {
            assert!(set.metrics.iter().all(|metric| registry.parse(metric).is_ok()), "{}", set.name);
        }
    }

    #[test]
    fn a_metric_that_a_build_lacks_is_known_with_its_feature() {
        let lacks = |listed: &&ListedFamily| listed.family.is_none() && !listed.names.is_empty();
        for listed in LIST.iter().filter(lacks) {
            let error = registry().parse(listed.names[0]).unwrap_err().to_string();
            assert!(error.contains(&format!("the feature `{}` of bleuprint", listed.feature)), "{error}");
        }
    }
}
