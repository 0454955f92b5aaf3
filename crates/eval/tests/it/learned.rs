//! Tests first passes: ids teach the same as the tokens they encode, and learned states survive as bytes.

use std::sync::Arc;

use bleuprint_core::{Accumulator, Case, ExactSum, Identity, PerSegment, Scale, Segment, TokenSpace};
use bleuprint_eval::evaluation::{Evaluation, OwnData, Run, SystemData, TextCorpus};
use bleuprint_eval::{ChosenTokens, Panel, PanelState, Request, SystemsSegment};
use bleuprint_metrics::registry;
use bleuprint_registry::{AnyMetric, Data, MetricEntry};
use bleuprint_testkit::Folder;
use bleuprint_text::{TokenizerOptions, tokenizer};
use serde::de::IntoDeserializer;

const HYPOTHESES: [[u32; 3]; 2] = [[1, 2, 3], [7, 8, 3]];
const REFERENCES: [[&[u32]; 2]; 2] = [[&[1, 2, 3, 4], &[5, 2, 3]], [&[7, 8, 9], &[5, 8, 9, 3]]];

fn metric(name: &str) -> AnyMetric {
    registry().build(name).unwrap()
}

fn for_ids(name: &str) -> Panel {
    Panel::for_ids([metric(name)], &TokenSpace::default()).unwrap()
}

fn over_digits(name: &str) -> Panel {
    let ids = tokenizer("ids", &TokenizerOptions::default()).unwrap();
    Panel::new([metric(name)], &ChosenTokens::new(ids, Case::Mixed)).unwrap()
}

fn digits(ids: &[u32]) -> String {
    ids.iter().map(u32::to_string).collect::<Vec<_>>().join(" ")
}

fn state_of_ids(panel: &Panel) -> PanelState {
    let mut observed = Accumulator::<&Panel, [u32]>::new(panel);
    for (hypothesis, references) in HYPOTHESES.iter().zip(&REFERENCES) {
        observed.push(hypothesis, references).unwrap();
    }
    observed.into()
}

fn score_of_ids(name: &str) -> f64 {
    let first = for_ids(name).first_pass().unwrap();
    let bytes = first.learned_to_vec(&state_of_ids(&first)).unwrap();
    assert!(first.restore_learned(&bytes[..bytes.len() - 1]).is_err());
    assert!(over_digits(name).first_pass().unwrap().restore_learned(&bytes).is_err(), "other tokens");
    let learned = first.restore_learned(&bytes).unwrap();
    assert_eq!(first.learned_to_vec(&learned).unwrap(), bytes);
    let panel = for_ids(name).second_pass(&learned).unwrap();
    panel.scores(&state_of_ids(&panel)).unwrap()[0].score.value
}

fn score_of_digits(name: &str) -> f64 {
    let hypotheses = HYPOTHESES.map(|ids| digits(&ids));
    let hypotheses = hypotheses.each_ref().map(|text| [text.as_str()]);
    let references = REFERENCES.map(|references| references.map(digits));
    let references = references.each_ref().map(|own| own.each_ref().map(String::as_str));
    let segments = hypotheses.iter().zip(&references).map(|(hypotheses, references)| SystemsSegment {
        hypotheses,
        references,
        source: None,
    });
    let panel = over_digits(name).learned_from(segments.clone()).unwrap();
    let mut observed = Accumulator::<&Panel, str>::new(&panel);
    segments.for_each(|segment| observed.add(segment.of_each()[0]).unwrap());
    panel.scores(observed.total()).unwrap()[0].score.value
}

#[test]
fn ids_teach_what_their_digits_teach() {
    for name in ["nist", "cider", "cider_d"] {
        let score = score_of_ids(name);
        assert!(score > 0.0, "{name}");
        assert_eq!(score, score_of_digits(name), "{name}");
    }
}

/// Returns a metric of two passes over data in its own form: the mean absolute deviation from a mean that the
/// first pass learns.
fn deviation() -> AnyMetric {
    let second = |learned: ExactSum| {
        let identity = Identity::new("deviation", 1, Scale::ERROR_RATE).reference_free().learned(&learned);
        let mean = learned.mean(learned.count().max(1));
        AnyMetric::for_own::<f64, _>(PerSegment::new(identity, move |segment: Segment<'_, f64>| {
            Ok((segment.hypothesis - mean).abs())
        }))
    };
    let anything = Scale::higher_is_better(f64::NEG_INFINITY, f64::INFINITY);
    let first =
        PerSegment::new(Identity::new("mean", 1, anything).reference_free(), |segment: Segment<'_, f64>| {
            Ok(*segment.hypothesis)
        });
    AnyMetric::two_pass(AnyMetric::for_own::<f64, _>(first), second(ExactSum::default()), move |state| {
        Ok(second(*state.stats().typed::<ExactSum>()?))
    })
}

#[test]
fn metrics_over_own_data_keep_what_they_learned() {
    let mut registry = registry();
    registry.add(MetricEntry::new("deviation", "from the mean", |_| Ok(deviation()))).unwrap();
    let tokens = ChosenTokens::standard().unwrap();
    let corpus = |numbers: [f64; 3]| {
        let form = deviation().view.form.unwrap();
        let data = numbers.map(|number| {
            Arc::<Data>::from(
                form.hypothesis(IntoDeserializer::<serde::de::value::Error>::into_deserializer(number))
                    .unwrap(),
            )
        });
        let mut corpus = TextCorpus::of_numbers(["a"], numbers.len());
        let (systems, references) = (vec![SystemData { hypotheses: data.into(), origin: None }], Vec::new());
        corpus.add_own(OwnData { form, systems, references, sources: Vec::new() }).unwrap();
        corpus
    };
    let folder = Folder::new();
    let [weights, stats] = ["weights.json", "a.stats"].map(|name| folder.path(name).display().to_string());
    let run = Evaluation::from_parts(&registry, ["deviation"], &tokens)
        .unwrap()
        .run(corpus([1.0, 2.0, 6.0]))
        .unwrap();
    assert_eq!(run.scores().unwrap()[0][0].value(), 2.0);
    run.write_learned(&weights).unwrap();
    run.write(&stats).unwrap();
    assert_eq!(Run::read(&registry, &[&stats]).unwrap().scores().unwrap(), run.scores().unwrap());

    // Other data, measured from the mean of the data before.
    let request = Request::new(&registry, ["deviation"], tokens).unwrap();
    let metrics = request.build(&registry).unwrap().read_learned(&weights).unwrap();
    let evaluation = Evaluation::new(request.specs, metrics, request.tokens.tokenizer().clone());
    assert_eq!(evaluation.run(corpus([3.0, 4.0, 4.0])).unwrap().scores().unwrap()[0][0].value(), 2.0 / 3.0);
}
