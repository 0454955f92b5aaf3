//! Comparison of speech detection and identification with numbers and mappings of pyannote (`data/README.md`).

use bleuprint_core::{Answer, Ask, Observe, Wanted};
use bleuprint_diarization::{
    Diarization, DiarizationProgram, Jer, JerMapping, MappingSearch, Overlap, Regions, ScoredTime,
    SpeechDetection, Turns,
};
use serde_json::Value;

use crate::observed;

/// Returns the names of the hypothesis that `metric` maps to names of the reference.
fn mapped<M: Observe<Turns, Turns, Regions, Scratch = ()>>(
    metric: &M,
    (reference, hypothesis, regions): &(Turns, Turns, Option<Regions>),
) -> serde_json::Map<String, Value> {
    let (hypotheses, references) = ([hypothesis], [reference]);
    let ask = Ask::<Turns>::new(Wanted::Pairing, &hypotheses, &references);
    let ask = ask.with_sequences(&hypotheses, &references, regions.as_ref());
    let Some(Answer::Pairing(pairs)) = metric.ask(&mut (), ask).unwrap() else { panic!("no pairing") };
    pairs.into_iter().filter_map(|[one, other]| Some((one?, other?.into()))).collect()
}

#[test]
fn speech_detection_and_identification_have_the_numbers_of_pyannote() {
    let mut compared = [0; 3];
    for line in include_str!("../../data/speech.jsonl").lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let turns = |key: &str| serde_json::from_value::<Turns>(row[key].clone()).unwrap();
        let regions: Regions = serde_json::from_value(row["uem"].clone()).unwrap();
        let file = [(turns("ref"), turns("hyp"), Some(regions.clone()))];
        let near = |ours: f64, theirs: &Value, what: &str| {
            let theirs = theirs.as_f64().unwrap();
            assert!((ours - theirs).abs() <= 1e-12, "{what} {line}: {ours}, not {theirs}");
        };
        let choices = ScoredTime::default().like(DiarizationProgram::Pyannote);
        let choices = choices.collar(row["collar"].as_f64().unwrap()).unwrap();
        let speech = |beta: f64, weights: [f64; 2]| {
            let metric = SpeechDetection::new(choices, beta, weights).unwrap();
            observed(metric, &file).score().unwrap().score
        };
        for (at, ours) in speech(1.0, [0.75, 0.25]).into_iter().enumerate() {
            near(ours, &row["detection"][at], &format!("number {at}"));
        }
        near(speech(2.0, [0.75, 0.25])[3], &row["f2"], "F2");
        near(speech(1.0, [0.5, 0.5])[4], &row["even"], "cost");
        let skip = row["skip"] == true;
        let choices = choices.overlap(if skip { Overlap::Skip } else { Overlap::Keep });
        let identification = Diarization::der(choices.search(MappingSearch::Names)).unwrap();
        near(observed(identification, &file).score().unwrap().score.score, &row["identification"], "IER");
        compared[0] += 1;
        // Their method maps before collars and overlap are removed, and their metric after it.
        // Regions cut turns of different speakers to equal times, and their choice between equal mappings
        // depends on the rounding of floats.
        if !skip && row["collar"] == 0.0 && regions.0.len() == 1 && regions.0[0].1 > 20.0 {
            let theirs = row["mapping"].as_object().unwrap();
            assert_eq!(&mapped(&Diarization::der(choices).unwrap(), &file[0]), theirs, "{line}");
            // JER leaves out a speaker of the reference without scored time.
            let jer = mapped(&Jer::new(choices, JerMapping::Overlap).unwrap(), &file[0]);
            assert!(jer.iter().all(|(one, other)| theirs.get(one) == Some(other)), "{line}");
            compared[1] += theirs.len();
            compared[2] += jer.len();
        }
    }
    assert!(compared[0] == 120 && compared[1] >= 6 && compared[2] >= 5, "{compared:?}");
}
