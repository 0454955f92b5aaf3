//! What first passes learn: from ids as from the tokens that they stand for, and kept as bytes.

use bleuprint_core::{AnyMetric, Case, MetricOptions, TokenSpace};
use bleuprint_eval::{ChosenTokens, Panel, PanelMetric, SystemsSegment};
use bleuprint_metrics::registry;
use bleuprint_text::{TokenizerOptions, tokenizer};

const HYPOTHESES: [[u32; 3]; 2] = [[1, 2, 3], [7, 8, 3]];
const REFERENCES: [[&[u32]; 2]; 2] = [[&[1, 2, 3, 4], &[5, 2, 3]], [&[7, 8, 9], &[5, 8, 9, 3]]];

fn metric(name: &str) -> Box<dyn AnyMetric> {
    registry().get(name).unwrap().build(&MetricOptions::new()).unwrap()
}

fn over_ids(name: &str) -> Panel {
    Panel::over_ids(vec![metric(name)], &TokenSpace::default()).unwrap()
}

fn over_digits(name: &str) -> Panel {
    let ids = tokenizer("ids", &TokenizerOptions::default()).unwrap();
    Panel::new([PanelMetric::new(metric(name))], &ChosenTokens::new(ids, Case::Mixed)).unwrap()
}

fn digits(ids: &[u32]) -> String {
    ids.iter().map(u32::to_string).collect::<Vec<_>>().join(" ")
}

fn score_of_ids(name: &str) -> f64 {
    let panel = over_ids(name);
    let segments: Vec<[&[u32]; 1]> = HYPOTHESES.iter().map(|ids| [&ids[..]]).collect();
    let segments = || {
        segments.iter().zip(&REFERENCES).map(|(hypotheses, references)| SystemsSegment {
            hypotheses,
            references,
            source: None,
        })
    };
    let mut first = panel.first_pass();
    segments().for_each(|segment| first.observe_ids(segment).unwrap());
    let bytes = first.finish().learned_to_vec().unwrap();
    assert!(panel.restore_learned(&bytes[..bytes.len() - 1]).is_err());
    assert!(over_digits(name).restore_learned(&bytes).is_err(), "other tokens");
    let learned = panel.restore_learned(&bytes).unwrap();
    assert_eq!(learned.learned_to_vec().unwrap(), bytes);
    let panel = over_ids(name).second_pass(&learned).unwrap();
    let (mut scratch, mut state) = (panel.scratch(), vec![panel.zero()]);
    segments().for_each(|segment| panel.observe_ids(&mut scratch, &mut state, segment).unwrap());
    panel.scores(&state[0]).unwrap()[0].score.value
}

fn score_of_digits(name: &str) -> f64 {
    let panel = over_digits(name);
    let hypotheses = HYPOTHESES.map(|ids| digits(&ids));
    let references = REFERENCES.map(|references| references.map(digits));
    let mut first = panel.first_pass();
    let segment = |at: usize, work: &mut dyn FnMut(SystemsSegment<'_, str>)| {
        let references = [&references[at][0][..], &references[at][1][..]];
        work(SystemsSegment { hypotheses: &[&hypotheses[at]], references: &references, source: None });
    };
    (0..2).for_each(|at| segment(at, &mut |segment| first.observe(segment).unwrap()));
    let learned = first.finish();
    let panel = over_digits(name).second_pass(&learned).unwrap();
    let (mut scratch, mut state) = (panel.scratch(), vec![panel.zero()]);
    (0..2).for_each(|at| {
        segment(at, &mut |segment| panel.observe(&mut scratch, &mut state, segment).unwrap());
    });
    panel.scores(&state[0]).unwrap()[0].score.value
}

#[test]
fn ids_teach_what_their_digits_teach() {
    for name in ["nist", "cider", "cider_d"] {
        let score = score_of_ids(name);
        assert!(score > 0.0, "{name}");
        assert_eq!(score, score_of_digits(name), "{name}");
    }
}
