//! Compares CodeBLEU with results of the original program and with its definition, and checks the properties
//! that every metric must have.

mod program;
mod twin;

use bleuprint_core::{Accumulator, Choice as _, Metric as _, Observe as _, Score as _, Segment};
use bleuprint_registry::{AnyMetric, MetricOptions, Registry, laws};

use bleuprint_testkit::draws;

use crate::{CodeBleu, CodeBleuScore, CodeBleuScratch, ENTRY, FlowZero, Language, NameColumns};

fn score(metric: CodeBleu, hypothesis: &str, references: &[&str]) -> CodeBleuScore {
    let mut codebleu = Accumulator::<_, str>::new(metric);
    codebleu.push(hypothesis, references).unwrap();
    codebleu.score().unwrap().score
}

#[cfg(any(feature = "go", feature = "ruby"))]
fn stats(language: Language, text: &str) -> crate::CodeBleuStats {
    let mut codebleu = Accumulator::<_, str>::new(of(language));
    codebleu.push(text, &[text]).unwrap();
    *codebleu.total().stats()
}

fn of(language: Language) -> CodeBleu {
    CodeBleu::builder(language).build().unwrap()
}

/// Builds CodeBLEU by name for every language and with several options, and checks the properties that every
/// metric must have. By default only the last few of these metrics are checked; the nightly run checks all.
#[test]
fn every_language_obeys_the_laws() {
    let mut all = Vec::new();
    for language in Language::NAMES {
        let options = || MetricOptions::default().with("codebleu-lang", language);
        all.push(ENTRY.build(&options()).unwrap());
    }
    let options = || ENTRY.example_options();
    for choice in ["zero", "drop"] {
        all.push(ENTRY.build(&options().with("codebleu-flow-zero", choice)).unwrap());
    }
    all.push(ENTRY.build(&options().with("codebleu-columns", "characters")).unwrap());
    all.push(ENTRY.build(&options().with("codebleu-weights", "0.1,0.1,0.4,0.4")).unwrap());
    let asked = draws(all.len(), 3);
    all[all.len() - asked..].iter().for_each(laws::check_any);
    laws::check_distinct(&all);
}

/// Checks the properties that every metric must have with texts that resemble programs. Most of these texts
/// have syntax errors, which take time, so they are short. By default one language in five is checked; the
/// nightly run checks all.
#[test]
fn programs_obey_the_laws() {
    const LINES: [&str; 5] =
        ["x = y + 1;\n", "if (x) { y = x; }\n", "// é 'a'\n", "for (i = 0; ) { x += i }\n", "\"s\" "];
    let lines = draws(usize::MAX, 3);
    let line = |byte: &u8| LINES[usize::from(byte % 5)];
    let program = |raw: &[u8]| raw.iter().take(lines).map(line).collect::<String>();
    for language in Language::ALL.iter().step_by(draws(1, 5)) {
        laws::check_sequences::<str>(&of(*language), program);
    }
}

/// Observes programs one after the other in one working memory, where neighbours often have equal references.
/// The reference implementation has a new working memory for each segment. Metrics with other options use the
/// same memory.
#[test]
fn references_that_systems_share_are_parsed_once() {
    const PROGRAMS: [&str; 5] =
        ["x = y + 1;", " x = y + 1;\n", "é = x; if (é) { y = é; }", "", "a = b; c = a;"];
    let language = Language::ALL[0];
    let other = Language::ALL[Language::ALL.len() - 1];
    let metrics = [
        of(language),
        CodeBleu::builder(language).columns(NameColumns::Characters).build().unwrap(),
        of(other),
    ];
    let mut scratch = CodeBleuScratch::default();
    for step in 0..150 {
        let program = |at: usize| PROGRAMS[(step / at + step % at) % 5];
        let metric = &metrics[step / 3 % 3];
        let references = [program(4), program(9)];
        let segment = Segment::new(program(2), &references[..step / 5 % 2 + 1]);
        let observed = |scratch: &mut CodeBleuScratch| {
            let mut stats = metric.zero();
            metric.observe(scratch, &mut stats, segment).unwrap();
            stats
        };
        let expected = observed(&mut CodeBleuScratch::default());
        assert_eq!(observed(&mut scratch), expected, "{step}");
        let parsed = |scratch: &CodeBleuScratch| scratch.last.as_ref().unwrap().references.as_ptr();
        let before = parsed(&scratch);
        assert_eq!(observed(&mut scratch), expected, "{step}");
        assert_eq!(parsed(&scratch), before, "{step}: the references were parsed again");
    }
}

#[test]
fn what_cannot_be_built_is_refused() {
    let registry = Registry::from_entries(&[ENTRY]).unwrap();
    let error = |text: &str| registry.build(text).err().unwrap().to_string();
    assert!(error("codebleu").starts_with("codebleu needs the language of the programs"));
    assert!(error("codebleu").contains(&Language::NAMES.join(", ")));
    let lang = Language::NAMES[0];
    let unknown = error("codebleu:lang=perl");
    assert!(unknown.contains(&format!("unknown codebleu-lang `perl`; expected one of: {lang}")), "{unknown}");
    assert!(error(&format!("codebleu:lang={lang},weights=1/1")).contains("2 numbers, but must be 4"));
    assert!(error(&format!("codebleu:lang={lang},weights=1/1/1/-1")).contains("at least 0"));
    assert!(error(&format!("codebleu:lang={lang},weights=0/0/0/0")).contains("above 0"));
    assert!(error(&format!("codebleu:lang={lang},weights=0/0/0/1,flow-zero=drop")).contains("`drop`"));
}

#[test]
fn signatures_name_language_and_grammar_as_the_manifest_has_them() {
    let manifest = include_str!("../Cargo.toml");
    for language in Language::ALL {
        let name = language.name().replace('_', "-");
        let version = language.grammar_version();
        let pinned = format!("tree-sitter-{name} = {{ version = \"={version}\"");
        assert!(manifest.contains(&pinned), "{pinned}");
        let signature =
            AnyMetric::for_text(of(*language)).identity().signature(&Default::default()).to_string();
        let fields = format!("|lang:{}|grammar:{version}|flow_zero:one|", language.name());
        assert!(signature.contains(&fields), "{signature}");
    }
}

#[cfg(feature = "python")]
#[test]
fn a_flow_of_0_counts_as_the_option_says() {
    let build = |zero| CodeBleu::builder(Language::Python).flow_zero(zero).build().unwrap();
    // There is no flow to find, and all else is equal.
    let text = "pass ; pass ; pass ; pass";
    let [one, zero, drop] =
        [FlowZero::One, FlowZero::Zero, FlowZero::Drop].map(|zero| score(build(zero), text, &[text]));
    assert_eq!((one.codebleu, zero.codebleu, drop.codebleu), (1.0, 0.75, 1.0));
    assert_eq!((one.data_flow, one.syntax, one.ngram), (0.0, 1.0, 1.0));
    // There is a flow to find, and none is found: 1 in the program, else 0.
    let [one, zero, drop] = [FlowZero::One, FlowZero::Zero, FlowZero::Drop]
        .map(|zero| score(build(zero), "pass", &["x = y"]).codebleu);
    assert_eq!((one - 0.25, zero), (drop, drop));
}

#[cfg(feature = "java")]
#[test]
fn columns_are_bytes_unless_the_programs_are_asked_for() {
    let text = |word: &str| format!("int f(int k) {{ String s = \"{word}\"; int n = k; return n; }}");
    let hypothesis = text("e");
    let reference = text("\u{e9}");
    let flow = |columns| {
        let metric = CodeBleu::builder(Language::Java).columns(columns).build().unwrap();
        score(metric, &hypothesis, &[&reference]).data_flow
    };
    assert_eq!(flow(NameColumns::Bytes), 1.0);
    assert!(flow(NameColumns::Characters) < 1.0);
}

#[cfg(feature = "python")]
#[test]
fn code_that_does_not_parse_counts_and_is_told_of() {
    let broken = score(of(Language::Python), "def f(:\n  return", &["def f():\n    return x", "x = = 1"]);
    let part = |name: &str| broken.parts().into_iter().find(|part| part.key == name).unwrap();
    let count = |name: &str| part(name).value;
    assert_eq!(count("broken_hypotheses"), bleuprint_core::PartValue::Count(1));
    assert_eq!(count("broken_references"), bleuprint_core::PartValue::Count(1));
    assert_ne!(part("broken_references").show, bleuprint_core::ShowPart::Hidden);
    assert!(broken.syntax < 1.0);
}

#[cfg(feature = "go")]
#[test]
fn a_loop_without_an_update_has_its_flow() {
    let text = "package main\nfunc f(xs []int) { for i := 0; i < len(xs); { s = xs[i] } }";
    let stats = stats(Language::Go, text);
    assert_eq!((stats.flow_matched, stats.flow_total, stats.flows_given_up), (7, 7, 0));
}

/// Assigns a string of two quotation marks to two names. The original program takes the string apart, and its
/// search for data flow then fails.
#[cfg(feature = "ruby")]
#[test]
fn names_of_the_marks_of_a_string_end_the_walk() {
    let [marks, whole] =
        ["x = 1\na, b = \"\"\nx", "x = 1\na, b = \"s\"\nx"].map(|text| stats(Language::Ruby, text));
    assert_eq!((marks.flow_total, whole.flow_total), (0, 6));
    assert_eq!((marks.flows_given_up, whole.flows_given_up), (2, 0));
}

/// Checks that deep trees need no deep stack, and that nested loops end. Every second language runs here, and
/// all in the nightly run.
#[test]
fn nothing_overflows() {
    let run = || {
        for language in Language::ALL.iter().step_by(draws(1, 2)) {
            let metric = of(*language);
            for (open, close, times) in
                [("(", ")", 50_000), ("{", "}", 20_000), ("if (x) { ", "}", 3_000), ("", " + 1", 20_000)]
            {
                let deep = format!("x = {}1{};", open.repeat(times), close.repeat(times));
                score(metric.clone(), &deep, &["x = 1;"]);
                let scored = score(metric.clone(), &deep, &[&deep]);
                // A long text that is incomplete in its language is given up, and matches nothing.
                assert!([0.0, 1.0].contains(&scored.syntax), "{} {open}", language.name());
            }
            let loops =
                "while (x) { for (int i = 0; i < 9; i++) { ".repeat(30) + "x = i;" + &"} }".repeat(30);
            score(metric, &loops, &[&loops]);
        }
    };
    std::thread::Builder::new().stack_size(1 << 20).spawn(run).unwrap().join().unwrap();
}

#[cfg(feature = "python")]
#[test]
fn a_walk_that_is_given_up_is_told_of() {
    let nested: String = (0..40).map(|level| format!("{}while x:\n", " ".repeat(level))).collect();
    let text = nested + &" ".repeat(40) + "x = y\n";
    let scored = score(of(Language::Python), &text, &[&text]);
    let told = scored.parts().into_iter().find(|part| part.key == "flows_given_up").unwrap();
    assert_eq!((told.value, scored.data_flow), (bleuprint_core::PartValue::Count(2), 0.0));
}

/// Checks that hostile texts are given up, for which the parser alone would take gigabytes, hours, or more
/// stack than a thread has.
#[cfg(all(feature = "c", feature = "java"))]
#[test]
fn a_parse_that_is_given_up_is_told_of() {
    for (language, shape) in [(Language::Java, "a<"), (Language::Java, "|-"), (Language::C, "%w(")] {
        let hostile = shape.repeat(80_000 / shape.len());
        let scored = score(of(language), &hostile, &[&hostile, "int a = b;"]);
        let parts = scored.parts();
        let count = |key: &str| parts.iter().find(|part| part.key == key).unwrap().value.clone();
        for (key, given_up) in [("broken_hypotheses", 1), ("broken_references", 1), ("flows_given_up", 2)] {
            assert_eq!(count(key), bleuprint_core::PartValue::Count(given_up), "{key}");
        }
        assert_eq!(scored.syntax, 0.0);
    }
}

/// Checks that a whole program may be long, that a long program with an open bracket is given up, and that a
/// program beyond the maximum length is an error.
#[test]
fn long_programs_are_parsed_if_they_are_complete() {
    use crate::parser::{MAX_BYTES, MAX_UNCHECKED};
    for &language in Language::ALL {
        let (opening, line) = match language.name() {
            "go" => ("package main\n", "var b = 3\n"),
            "php" => ("<?php\n", "$b = f(3);\n"),
            "rust" => ("", "fn b() { c(3) }\n"),
            "python" | "ruby" => ("", "b = f(3)\n"),
            _ => ("", "int b = 3;\n"),
        };
        let long = opening.to_owned() + &line.repeat(MAX_UNCHECKED / line.len() + 1);
        let tree = |text: &str| crate::tree::SyntaxTree::parse(language, text).unwrap();
        assert!(!tree(&long).given_up && !tree(&long[..MAX_UNCHECKED]).given_up, "{}", language.name());
        assert!(tree(&(long + "f(")).given_up, "{}", language.name());
        let error = crate::tree::SyntaxTree::parse(language, &" ".repeat(MAX_BYTES + 1)).unwrap_err();
        let limit = "the program has 16777217 bytes, but CodeBLEU parses at most 16777216 bytes";
        assert!(error.to_string().contains(limit), "{error}");
    }
}

#[test]
fn prepared_references_serve_several_hypotheses() {
    use bleuprint_core::Observe as _;
    let metric = of(Language::ALL[0]);
    let mut scratch = Default::default();
    let references = ["x = y; z = x;", "x = 1;"];
    let prepared = metric.prepare(&mut scratch, &references).unwrap();
    for hypothesis in ["x = y;", "", "z = x; y = (z;"] {
        let mut alone = metric.zero();
        let mut shared = metric.zero();
        let segment = Segment::new(hypothesis, &references);
        metric.observe(&mut scratch, &mut alone, segment).unwrap();
        metric.observe_prepared(&mut scratch, &mut shared, segment, &prepared).unwrap();
        assert_eq!(alone, shared);
    }
}
