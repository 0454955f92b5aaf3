//! Help that fits a screen: options of metrics are said with their metric, where the program shows them.

use crate::common::{commands_of_help, parsed, stdout};

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
fn help_fits_a_terminal() {
    let mut pages = vec![stdout(&["--help"]), stdout(&["list", "metrics"]), stdout(&["list", "tokenizers"])];
    for command in commands_of_help().into_iter().filter(|command| command != "help") {
        pages.extend(["-h", "--help"].map(|help| stdout(&[&command, help])));
    }
    for metric in ["bleu", "der", "coco", "nist", "meteor"] {
        pages.push(stdout(&["help", metric]));
    }
    // A word without spaces, such as a name with its options, cannot be wrapped.
    let is_wide = |line: &&str| line.chars().count() > 80 && line.trim().contains(' ');
    let wide: Vec<&str> = pages.iter().flat_map(|page| page.lines()).filter(is_wide).collect();
    assert!(wide.is_empty(), "{wide:#?}");
}

#[test]
fn hidden_options_are_described_with_a_metric() {
    let score = stdout(&["score", "--help"]);
    let (_, hidden) = score.split_once("Options of single metrics").unwrap();
    let hidden = hidden.lines().skip(1).take_while(|line| !line.is_empty()).flat_map(str::split_whitespace);
    let registry = bleuprint::registry();
    let pages: String = registry.entries().iter().map(|entry| stdout(&["help", &*entry.name])).collect();
    for option in hidden.map(|option| option.split('=').next().unwrap()).filter(|name| *name != "--overwrite")
    {
        assert!(pages.contains(&format!("{option} ")) || pages.contains(&format!("{option}\n")), "{option}");
        assert!(stdout(&["man", "score"]).contains(&option.replace('-', "\\-")), "{option}");
    }
}

#[test]
fn pages_of_the_manual_name_pages_that_exist() {
    let folder = crate::common::Folder::new();
    let place = folder.path(".");
    stdout(&["man", "--output", &place]);
    let root = std::fs::read_to_string(folder.path("bleuprint.1")).unwrap();
    let named: Vec<String> =
        root.lines().filter_map(|line| line.strip_suffix("(1)")).map(|name| name.replace('\\', "")).collect();
    assert!(named.len() > 20, "{root}");
    for name in named {
        let page = std::fs::read_to_string(folder.path(&format!("{name}.1"))).unwrap();
        assert!(page.contains(&format!(".TH {name} 1")), "{name}");
    }
}

#[test]
fn short_help_has_what_most_people_want() {
    // Continuations of descriptions are indented further.
    let is_option = |line: &&str| {
        line.starts_with("  ") && line.trim_start().starts_with('-') && !line.starts_with("       ")
    };
    let options = |help: &str| help.lines().filter(is_option).count();
    let (short, long) = (stdout(&["score", "-h"]), stdout(&["score", "--help"]));
    // Eight, and that of the help itself.
    assert_eq!(options(&short), 9, "{short}");
    assert!(short.lines().count() <= 40 && short.contains("Examples:"), "{short}");
    assert!(options(&long) <= 50, "{}", options(&long));
    for group in ["Input:", "Metrics:", "Tokens:", "Output:", "Intervals and tests:"] {
        assert!(long.lines().any(|line| line == group), "{group}");
    }
}
