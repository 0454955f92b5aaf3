//! Signatures as recipes: every metric of the registry, under every choice of its options, is built again from what it
//! prints; what cannot be reproduced is refused by name.

use bleuprint::eval::{PanelMetric, TokenRequest};
use bleuprint::recipe::Recipe;
use bleuprint::{Case, ConfigError, Metric as _, Panel, Stats as _, contract::OptionKind, registry};

/// The signature that the metric prints over its own tokens, else over 13a.
fn signature(metric: bleuprint::AnyMetric, name: Option<&str>, case: Option<Case>) -> bleuprint::Signature {
    if metric.view.kind.is_beside_text() {
        return metric.identity().signature(&bleuprint::SegmentCounts::of_segment(0));
    }
    let mut spec = registry().parse("bleu").unwrap();
    spec.tokenizer = name.map(str::to_owned);
    let metric = case.into_iter().fold(PanelMetric::from((metric, &spec)), PanelMetric::with_case);
    let tokens = TokenRequest::default().choose(bleuprint::families().tokenizers()).unwrap();
    let panel = Panel::new([metric], &tokens).unwrap();
    let metric = panel.metrics().next().unwrap();
    metric.identity().signature(&bleuprint::SegmentCounts::of_segment(2))
}

#[test]
fn every_metric_is_built_again_from_its_signature() {
    let registry = registry();
    let mut tried = 0;
    for entry in registry.entries() {
        let mut all = vec![entry.example_options()];
        for option in entry.options {
            let values: Vec<&str> = match option.kind {
                OptionKind::Choice(choices) => choices.to_vec(),
                OptionKind::Flag => vec!["yes"],
                OptionKind::Integer => vec!["2", "3"],
                OptionKind::Number => vec!["0.25", "3"],
                OptionKind::Numbers => vec!["0.5,0.25,0.25"],
                OptionKind::Name => vec!["nltk:method1", "hf", "mteval:v13a"],
                _ => vec![],
            };
            all.extend(values.into_iter().map(|value| entry.example_options().with(option.name, value)));
        }
        for options in all {
            let Ok(metric) = entry.build(&options) else { continue };
            let (learns, form) = (metric.first_pass().is_some(), metric.view.form);
            let printed = signature(metric, None, None);
            for text in [printed.to_string(), format!("{}|{}", printed.metric(), printed.short())] {
                let recipe: Recipe = text.parse().unwrap();
                let settings = recipe.settings(&registry).unwrap_or_else(|error| panic!("{text}: {error}"));
                let again = registry.build(&settings.spec()).unwrap();
                // Lists of tags and lines of tags have one signature: it does not say how the data come.
                if again.view.form != form {
                    continue;
                }
                let again = signature(again, settings.tokenizer.as_deref(), settings.case);
                assert!(learns || again == printed, "{text} became {again} by {}", settings.spec());
                assert!(learns || recipe.check(&again) == Ok(()), "{text}");
                tried += 1;
            }
        }
    }
    assert!(tried > 100, "{tried} signatures");
}

#[test]
fn whole_numbers_are_refused_by_name_or_give_a_state_that_memory_holds() {
    let (mut taken, mut refused) = (0, 0);
    for entry in registry().entries() {
        for option in entry.options.iter().filter(|option| option.kind == OptionKind::Integer) {
            for value in ["-1", "0", "64", "65535", "4294967296", "18446744073709551615"] {
                let what = format!("{}:{}={value}", entry.name, option.name);
                match entry.build(&entry.example_options().with(option.name, value)) {
                    Ok(metric) => {
                        let zero = metric.zero();
                        assert!(!zero.is_row() || zero.column_names().len() < 1_000, "{what}");
                        taken += 1;
                    }
                    Err(error) => {
                        let error = error.to_string();
                        assert!(error.contains(option.name), "{what}: {error}");
                        refused += 1;
                    }
                }
            }
        }
    }
    assert!(taken > 10 && refused > 40, "{taken} taken, {refused} refused");
}

#[test]
fn tokens_and_case_are_those_of_the_signature() {
    for (text, name, case) in [
        ("BLEU|nrefs:1|case:lc|eff:no|tok:intl|smooth:exp|version:2.0.0", Some("intl"), Some(Case::Lower)),
        (
            "BLEU|nrefs:1|case:mixed|eff:no|tok:ja-mecab-0.996-IPA|smooth:exp|version:2.4.0",
            Some("ja-mecab"),
            None,
        ),
        ("BLEU|nrefs:1|case:mixed|eff:no|tok:spm|smooth:exp|version:2.1.0", Some("flores101"), None),
        ("TER|nrefs:1|case:mixed|tok:tercom|norm:yes|punct:no|asian:yes|version:2.3.1", None, None),
        ("TER+tok.tercom-norm-nopunct-asian-cased+version.1.5.1", None, None),
        ("chrF3++|nrefs:1|case:lc|eff:no|nc:5|nw:2|space:yes|version:2.6.0", None, None),
        ("chrF2+numchars.6+space.false+version.1.4.14", None, None),
    ] {
        let settings = text.parse::<Recipe>().unwrap().settings(&registry());
        let settings = settings.unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!((settings.tokenizer.as_deref(), settings.case), (name, case), "{text}");
    }
}

#[test]
fn what_cannot_be_reproduced_is_named() {
    for (text, words) in [
        ("BLEU|nrefs:1|case:mixed|eff:no|tok:13b|smooth:exp|version:2.3.1", "`tok:13b`"),
        ("BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exponential|version:2.3.1", "`smooth:exponential`"),
        ("BLEU|nrefs:1|case:mixed|eff:perhaps|tok:13a|smooth:exp|version:2.3.1", "`eff:perhaps`"),
        ("BLEU|nrefs:1|case:upper|eff:no|tok:13a|smooth:exp|version:2.3.1", "`upper`"),
        ("BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|foo:1|version:2.3.1", "`foo:1`"),
        ("chrF2|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|tok:13a|version:2.3.1", "`tok:13a`"),
        ("COMET|nrefs:1|version:2.3.1", "`COMET`"),
        ("BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:1.3.0", "`1.3.0`"),
    ] {
        let error = text.parse().and_then(|recipe: Recipe| recipe.settings(&registry()));
        let message = error.map(|settings| settings.spec()).unwrap_err().to_string();
        assert!(message.contains(words), "{text}: {message}");
    }
    let recipe: Recipe = "BLEU|nrefs:2|case:mixed|eff:no|tok:13a|smooth:exp|version:2.3.1".parse().unwrap();
    let other = bleuprint::Signature::new("BLEU").with("nrefs", "#", 1);
    let Err(ConfigError::Conflict(message)) = recipe.check(&other) else { panic!("accepted") };
    assert!(message.contains("`nrefs:2`") && message.contains("`nrefs:1`"), "{message}");
}

#[test]
fn versions_that_computed_otherwise_are_noted() {
    let notes = |text: &str| text.parse::<Recipe>().unwrap().notes().join("; ");
    assert_eq!(notes("BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.3.1"), "");
    assert!(notes("chrF2+numchars.6+space.false+version.1.5.1").contains("printed a fraction"));
    assert!(notes("BLEU+case.mixed+numrefs.1+smooth.exp+tok.intl+version.1.5.1").contains("`intl`"));
    assert!(
        notes("BLEU+case.mixed+numrefs.1+smooth.floor+tok.13a+version.1.4.14").contains("smoothing values")
    );
    assert!(
        notes("BLEU+case.mixed+lang.en-de+numrefs.1+smooth.exp+test.wmt14+tok.13a+version.1.4.14")
            .contains("`test:wmt14`")
    );
    assert!(
        notes("BLEU|nrefs:1|bs:1000|seed:12345|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0")
            .contains("`seed:12345`")
    );
    assert!(
        notes("BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:9.0.0")
            .contains("newer than sacreBLEU 2.6.0")
    );
    assert!(
        notes("BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:bleuprint-0.0.1")
            .contains("changelog")
    );
}
