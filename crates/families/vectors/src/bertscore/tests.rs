//! Tests of BERTScore and cosine: the properties that every metric must have, and their errors. The metrics
//! are built both directly and by name.

use bleuprint_core::{Accumulator, Metric as _, Observe, Segment, Vector};
use bleuprint_math::ln;
use bleuprint_registry::laws;
use bleuprint_registry::{AnyMetric, MetricOptions};

use super::{BertScore, PieceFrequencies};
use crate::{Cosine, CosineReferences};

const ROWS: [[f32; 3]; 4] = [[1.0, 0.5, -0.25], [0.125, -2.0, 1.0], [-1.0, 0.75, 3.0], [0.1, 0.2, 0.3]];

fn rows(raw: &[u8]) -> Vec<Vec<f32>> {
    raw.iter().chain([&0]).map(|token| ROWS[usize::from(token % 4)].to_vec()).collect()
}

#[test]
fn typed_doors_obey_the_laws() {
    laws::check_sequences::<[Vec<f32>]>(&BertScore::new(), rows);
    for references in [CosineReferences::Max, CosineReferences::Mean] {
        let cosine = Cosine::new().with_references(references);
        laws::check_sequences::<[Vec<f32>]>(&cosine, rows);
    }
}

fn built(options: &[(&str, &str)]) -> AnyMetric {
    let options = options.iter().fold(MetricOptions::default(), |all, (name, value)| all.with(name, value));
    super::ENTRY.build(&options).unwrap()
}

#[test]
fn every_option_obeys_the_laws_and_has_a_key_of_its_own() {
    let all = [
        built(&[]),
        built(&[("bertscore-idf", "yes")]),
        built(&[("bertscore-specials", "0,2")]),
        built(&[("bertscore-idf", "yes"), ("bertscore-specials", "1")]),
        built(&[("bertscore-baseline", "0.8,0.81,0.82")]),
        built(&[("bertscore-producer", "roberta-large_L17")]),
    ];
    all.iter().for_each(laws::check_any);
    laws::check_distinct(&all);
}

#[test]
fn the_run_time_door_has_the_bits_of_the_typed_one() {
    let typed = BertScore::new();
    let erased = built(&[]);
    let one = [Vector::from(&ROWS[0][..]), Vector::from(&ROWS[1][..])];
    let other = [Vector { weight: 2.0, ..Vector::from(&ROWS[2][..]) }, Vector::from(&ROWS[3][..])];
    let mut first = Accumulator::<_, [Vector<'_>]>::new(typed);
    first.push(&one, &[&other, &one[..1]]).unwrap();
    let mut second = Accumulator::<_, [Vector<'_>]>::new(erased);
    second.push(&one, &[&other, &one[..1]]).unwrap();
    assert_eq!(first.score().unwrap().score.f1.to_bits(), second.score().unwrap().value().to_bits());
}

#[test]
fn what_cannot_be_matched_is_refused() {
    let refused = |hypothesis: &[Vector<'_>], references: &[&[Vector<'_>]], expected: &str| {
        let segment = Segment::new(hypothesis, references);
        for metric in [built(&[]), AnyMetric::for_vectors(Cosine::new())] {
            let mut stats = metric.zero();
            let error = metric.observe(&mut Default::default(), &mut stats, segment).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
            assert_eq!(stats, metric.zero());
        }
    };
    let good = [Vector::from(&ROWS[0][..])];
    let of = |values: &'static [f32]| [Vector::from(values)];
    refused(&of(&[0.0; 3]), &[&good], "vector 1 of the hypothesis is zero");
    refused(&good, &[&good, &of(&[1.0, f32::NAN, 0.0])], "vector 1 of reference 2 is NaN in coordinate 2");
    refused(&good, &[&of(&[1.0, f32::INFINITY, 0.0])], "is inf in coordinate 2, but must be finite");
    refused(&good, &[&of(&[1.0, 2.0])], "the width of reference 1 is 2");
    refused(
        &[good[0], of(&[1.0])[0]],
        &[&good],
        "vector 2 of the hypothesis has 1 coordinates, but the first one has 3",
    );
    refused(
        &[Vector { weight: -1.0, ..good[0] }],
        &[&good],
        "weighs -1, but weights are finite and at least 0",
    );
    refused(&good, &[], "no reference");
    let segment = Segment::new(&good[..], &[]);
    let metric = built(&[("bertscore-specials", "3")]);
    let error = metric.observe(&mut Default::default(), &mut metric.zero(), segment).unwrap_err();
    assert!(error.to_string().contains("no reference"), "{error}");
    let cosine = Cosine::new();
    let none: &[&[f32]] = &[];
    let error = Accumulator::<_, [&[f32]]>::new(cosine).push(none, &[none]).unwrap_err();
    assert!(error.to_string().contains("the hypothesis has no vector"), "{error}");
}

#[test]
fn frequencies_give_the_weights_of_the_definition() {
    let mut frequencies = PieceFrequencies::default();
    frequencies.add([7, 7, 9]).unwrap();
    frequencies.add([9]).unwrap();
    assert_eq!((frequencies.get(7), frequencies.get(9)), (1, 2));
    let weights = [7, 9, 8].map(|piece| frequencies.weight(piece));
    assert_eq!(weights, [ln(1.5_f64), 0.0, ln(3.0_f64)]);
    let stored = serde_json::to_string(&frequencies).unwrap();
    assert_eq!(stored, r#"{"references":2,"pieces":[7,9],"counts":[1,2]}"#);
    for (from, to) in [("[7,9]", "[9,7]"), ("[1,2]", "[1,3]"), ("[1,2]", "[1]"), ("[1,2]", "[0,2]")] {
        assert!(serde_json::from_str::<PieceFrequencies>(&stored.replace(from, to)).is_err(), "{to}");
    }
}

#[test]
fn options_of_another_form_are_refused() {
    let refused = |name: &str, value: &str, expected: &str| {
        let error = super::ENTRY.build(&MetricOptions::default().with(name, value)).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    };
    refused("bertscore-baseline", "0.8", "three: of P, of R and of F");
    refused("bertscore-baseline", "0.8,1,0.8", "below 1");
    refused("bertscore-specials", "1.5", "whole numbers");
    refused("bertscore-producer", "17", "the name or signature of a program");
}
