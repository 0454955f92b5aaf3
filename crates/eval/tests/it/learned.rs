//! What first passes learn: from ids as from the tokens that they stand for, and kept as bytes.

use bleuprint_core::{Accumulator, Case, TokenSpace};
use bleuprint_eval::{ChosenTokens, Panel, PanelState, SystemsSegment};
use bleuprint_metrics::registry;
use bleuprint_registry::AnyMetric;
use bleuprint_text::{TokenizerOptions, tokenizer};

const HYPOTHESES: [[u32; 3]; 2] = [[1, 2, 3], [7, 8, 3]];
const REFERENCES: [[&[u32]; 2]; 2] = [[&[1, 2, 3, 4], &[5, 2, 3]], [&[7, 8, 9], &[5, 8, 9, 3]]];

fn metric(name: &str) -> AnyMetric {
    registry().build(name).unwrap()
}

fn over_ids(name: &str) -> Panel {
    Panel::over_ids([metric(name)], &TokenSpace::default()).unwrap()
}

fn over_digits(name: &str) -> Panel {
    let ids = tokenizer("ids", &TokenizerOptions::default()).unwrap();
    Panel::new([metric(name)], &ChosenTokens::new(ids, Case::Mixed)).unwrap()
}

fn digits(ids: &[u32]) -> String {
    ids.iter().map(u32::to_string).collect::<Vec<_>>().join(" ")
}

/// What a panel observes of the ids.
fn state_of_ids(panel: &Panel) -> PanelState {
    let mut observed = Accumulator::<&Panel, [u32]>::new(panel);
    for (hypothesis, references) in HYPOTHESES.iter().zip(&REFERENCES) {
        observed.push(hypothesis, references).unwrap();
    }
    observed.into_total()
}

fn score_of_ids(name: &str) -> f64 {
    let first = over_ids(name).first_pass().unwrap();
    let bytes = first.learned_to_vec(&state_of_ids(&first)).unwrap();
    assert!(first.restore_learned(&bytes[..bytes.len() - 1]).is_err());
    assert!(over_digits(name).first_pass().unwrap().restore_learned(&bytes).is_err(), "other tokens");
    let learned = first.restore_learned(&bytes).unwrap();
    assert_eq!(first.learned_to_vec(&learned).unwrap(), bytes);
    let panel = over_ids(name).second_pass(&learned).unwrap();
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
