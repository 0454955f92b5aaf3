//! Registry of every metric of this crate, in the order in which lists show them.

use bleuprint_registry::{MetricEntry, Registry};

use crate::{
    bleu, chrf, cider, distinct, edit, exact_match, given, gleu, meteor, nist, repetition, rouge, sari,
    squad, ter,
};

/// Registry entries of this crate, one for each metric, in the order in which lists show them.
#[rustfmt::skip]
static ENTRIES: &[MetricEntry] = &[
    bleu::ENTRY,
    chrf::ENTRY,
    ter::ENTRY,
    gleu::ENTRY,
    rouge::ENTRY,
    meteor::ENTRY,
    edit::WER,
    edit::CER,
    edit::MER,
    edit::CMER,
    edit::WIL,
    edit::WIP,
    edit::ER,
    exact_match::ENTRY,
    squad::F1,
    squad::EM,
    distinct::ENTRY,
    repetition::ENTRY,
    nist::ENTRY,
    cider::ENTRY,
    cider::D_ENTRY,
    sari::ENTRY,
    given::ENTRY,
];

/// Returns the registry of all metrics of this crate. Add your own metrics with [`Registry::add`].
///
/// ```
/// let registry = bleuprint_metrics::registry();
/// assert_eq!(registry.get("bleu").unwrap().agrees_with, "sacreBLEU 2.6.0");
/// assert!(registry.get("blue").is_err());
/// ```
pub fn registry() -> Registry {
    match Registry::from_entries(ENTRIES) {
        Ok(registry) => registry,
        // The entries are constants, and a test adds them all, so no input reaches this line.
        Err(error) => unreachable!("the metrics of this package clash: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bleuprint_core::{Metric as _, SegmentCounts};
    use bleuprint_registry::{MetricOptions, OptionKind};

    #[test]
    fn every_metric_is_built_from_its_defaults_and_keyed_by_its_name() {
        for entry in ENTRIES {
            let metric = entry.build(&entry.example_options()).unwrap();
            let key = metric.state_key().to_string();
            assert!(key.starts_with(&format!("{}/", entry.name)), "{key}");
            let signature = metric.identity().signature(&SegmentCounts::default());
            assert_eq!(signature.to_string().parse(), Ok(signature.clone()), "{signature}");
        }
    }

    #[test]
    fn every_choice_is_accepted_and_everything_else_refused() {
        for entry in ENTRIES {
            let mut unknown = MetricOptions::default();
            unknown.set("no-such-option", "1");
            assert!(entry.build(&unknown).is_err());
            for spec in entry.options {
                let OptionKind::Choice(choices) = spec.kind else { continue };
                for choice in choices {
                    let mut options = entry.example_options();
                    options.set(spec.name, choice);
                    assert!(entry.build(&options).is_ok(), "{} {} {choice}", entry.name, spec.name);
                }
                let mut wrong = entry.example_options();
                wrong.set(spec.name, "no-such-choice");
                let error = entry.build(&wrong).err().map(|error| error.to_string());
                assert!(error.is_some_and(|error| error.contains(choices[0])));
            }
        }
    }
}
