//! Help that fits a screen: options of metrics are said with their metric, where the program shows them.

use crate::common::{parsed, stdout};

#[test]
fn every_metric_is_listed() {
    let all = parsed(&["list", "metrics", "-f", "json"]);
    let listed = |name: &str| all.as_array().unwrap().iter().any(|metric| metric["name"] == name);
    assert!(bleuprint::registry().entries().iter().all(|entry| listed(&entry.name)), "{all}");
}

#[test]
fn examples_of_metrics_are_metrics() {
    let registry = bleuprint::registry();
    for entry in registry.entries() {
        let help = stdout(&["help", &*entry.name]);
        let Some((_, rest)) = help.split_once("Options, as in -m ") else {
            assert!(entry.options.is_empty(), "{help}");
            continue;
        };
        let example = rest.lines().next().unwrap().trim_end_matches(':');
        registry.build(example).unwrap_or_else(|error| panic!("{example}: {error}"));
    }
}

#[test]
fn short_help_has_what_most_people_want() {
    let options = |help: &str| help.lines().filter(|line| line.trim_start().starts_with('-')).count();
    let (short, long) = (stdout(&["score", "-h"]), stdout(&["score", "--help"]));
    // Eight, and that of the help itself.
    assert_eq!(options(&short), 9, "{short}");
    assert!(short.lines().count() <= 40 && short.contains("Examples:"), "{short}");
    assert!(options(&long) < 91, "{}", options(&long));
    for group in ["Input:", "Metrics:", "Tokens:", "Output:", "Intervals and tests:"] {
        assert!(long.lines().any(|line| line == group), "{group}");
    }
}
