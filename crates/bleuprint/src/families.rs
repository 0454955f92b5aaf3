//! [`families`]: the groups of metrics (such as metrics over samples or speech) that this build includes,
//! each enabled by a Cargo feature of its name.

use std::sync::LazyLock;

#[cfg(feature = "samples")]
use crate::best_of;
use crate::eval::{ChosenTokens, TokenRequest};
use crate::text::{Families, Family};
use crate::{ConfigError, Registry, Tokenizers};

#[cfg(feature = "captions")]
pub use bleuprint_captions as captions;
#[cfg(feature = "code")]
pub use bleuprint_codebleu as codebleu;
#[cfg(feature = "diarization")]
pub use bleuprint_diarization as diarization;
#[cfg(feature = "labels")]
pub use bleuprint_labels as labels;
#[cfg(feature = "latency")]
pub use bleuprint_latency as latency;
#[cfg(feature = "likelihood")]
pub use bleuprint_likelihood as likelihood;
#[cfg(feature = "meetings")]
pub use bleuprint_meetings as meetings;
#[cfg(feature = "recognition")]
pub use bleuprint_recognition as recognition;
#[cfg(feature = "samples")]
pub use bleuprint_samples as samples;
#[cfg(feature = "sclite")]
pub use bleuprint_sclite as sclite;
#[cfg(feature = "similarity")]
pub use bleuprint_similarity as similarity;
#[cfg(feature = "sources")]
pub use bleuprint_sources as sources;
#[cfg(feature = "subtitles")]
pub use bleuprint_subtitles as subtitles;
#[cfg(feature = "testsets")]
pub use bleuprint_testsets as testsets;
#[cfg(feature = "vectors")]
pub use bleuprint_vectors as vectors;

struct ListedFamily {
    feature: &'static str,
    /// Names of the metrics and metric groups that the feature enables. Builds without the feature know them
    /// too, for their error messages.
    names: &'static [&'static str],
    family: Option<fn() -> Family>,
}

macro_rules! families {
    ($($feature:literal: $package:ident, $($name:literal)*;)*) => {
        const LIST: &[ListedFamily] = &[$(ListedFamily {
            feature: $feature,
            names: &[$($name),*],
            #[cfg(feature = $feature)]
            family: Some($package::family),
            #[cfg(not(feature = $feature))]
            family: None,
        }),*];
    };
}

// Each line has the feature, the package behind it, and all names. The manifests of the program and of the
// wheel select features.
families! {
    "samples": best_of, "samples" "pass" "passhat" "gpass" "mgpass" "avg" "best" "worst" "maj" "cons";
    "likelihood": bleuprint_likelihood, "likelihood" "nll" "perplexity" "bits" "mean_perplexity";
    "similarity": bleuprint_similarity, "edit_similarity" "edit_sim" "levenshtein_similarity" "fuzz_ratio" "difflib_ratio" "jaro" "jaro_winkler"
        "ned" "anls" "eed" "character" "ribes";
    "sources": bleuprint_sources, "extractive" "novel" "novel_ngrams" "fertility";
    "labels": bleuprint_labels, "labels" "spans" "squad2" "squad2_best" "drop";
    "meetings": bleuprint_meetings, "cpwer" "cpWER" "tcpwer" "tcpWER" "orcwer" "ORC-WER" "tcorcwer" "tcORC-WER"
        "mimower" "MIMO-WER" "tcmimower" "tcMIMO-WER" "dicpwer" "DI-cpWER" "ditcpwer" "DI-tcpWER";
    "diarization": bleuprint_diarization, "der" "jer" "detection" "speech_detection" "purity" "bcubed";
    "latency": bleuprint_latency, "al" "laal" "ap" "dal" "yaal" "latency";
    "subtitles": bleuprint_subtitles, "suber" "SubER" "suber-cased";
    "testsets": bleuprint_testsets,;
    "sclite": bleuprint_sclite, "sclite" "alternatives_wer" "alternatives_mer" "alternatives_wil" "alternatives_wip" "nce";
    "captions": bleuprint_captions, "meteor15" "spice" "coco";
    "recognition": bleuprint_recognition, "bwer" "uwer" "terms" "oracle_wer" "per" "bow" "ece" "brier" "boundaries" "term_cer" "span_recall" "substitutions";
    "vectors": bleuprint_vectors, "bertscore" "cosine";
    "code": bleuprint_codebleu, "codebleu";
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
