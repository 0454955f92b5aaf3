//! THE line: every metric that comes with bleuprint, in the order in which lists show them.

use bleuprint_core::{Entry, Registry};

use crate::{bleu, error_rate, exact_match, gleu};

/// The entries, one per metric.
pub const ENTRIES: &[Entry] = &[bleu::ENTRY, gleu::ENTRY, error_rate::ENTRY, exact_match::ENTRY];

/// The registry of all metrics that come with bleuprint. Add your own with [`Registry::add`].
///
/// ```
/// let registry = bleuprint_metrics::registry();
/// assert_eq!(registry.get("bleu").unwrap().agrees_with, "sacreBLEU 2.6.0");
/// assert!(registry.get("blue").is_err());
/// ```
pub fn registry() -> Registry {
    let registry = Registry::from_entries(ENTRIES);
    // The names are constants, and a test says that they are unique.
    registry.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use bleuprint_core::{OptionKind, Options};

    #[test]
    fn names_are_unique() {
        assert_eq!(Registry::from_entries(ENTRIES).unwrap().entries().len(), ENTRIES.len());
    }

    #[test]
    fn every_metric_is_built_from_its_defaults_and_keyed_by_its_name() {
        for entry in ENTRIES {
            let metric = entry.build(&Options::new()).unwrap();
            let key = metric.erased_state_key().to_string();
            assert!(key.starts_with(&format!("{}/", entry.name)), "{key}");
            let printed = metric.erased_signature().to_string();
            assert_eq!(printed.parse(), Ok(metric.erased_signature()), "{printed}");
        }
    }

    #[test]
    fn every_choice_is_accepted_and_everything_else_refused() {
        for entry in ENTRIES {
            let mut unknown = Options::new();
            unknown.set("no-such-option", "1");
            assert!(entry.build(&unknown).is_err());
            for spec in entry.options {
                let OptionKind::Choice(choices) = spec.kind else { continue };
                for choice in choices {
                    let mut options = Options::new();
                    options.set(spec.name, choice);
                    assert!(entry.build(&options).is_ok(), "{} {} {choice}", entry.name, spec.name);
                }
                let mut wrong = Options::new();
                wrong.set(spec.name, "no-such-choice");
                let error = entry.build(&wrong).err().map(|error| error.to_string());
                assert!(error.is_some_and(|error| error.contains(choices[0])));
            }
        }
    }
}
