//! Comparison of JER's sum of errors with every recorded row of pyannote.metrics in the specification's data.

use bleuprint_diarization::{DiarizationProgram, Jer, JerMapping, Regions, ScoredTime, Turns, Uem};
use bleuprint_testkit::recorded;
use serde_json::Value;

use crate::observed;

#[test]
#[ignore = "needs the data beside the checkout"]
fn recorded_rows_have_their_speakers_and_errors() {
    let text = std::fs::read_to_string(recorded::path("spec/speech-two-golden.jsonl")).unwrap();
    let rows = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let rows: Vec<Value> = rows.filter(|row| row["metric"] == "jer").collect();
    for row in &rows {
        let turns = |key: &str| serde_json::from_value::<Turns>(row["input"][key].clone()).unwrap();
        let regions: Option<Regions> = serde_json::from_value(row["input"]["uem"].clone()).unwrap();
        let uem = if regions.is_some() { Uem::Given } else { Uem::Extent };
        let choices = ScoredTime::default().like(DiarizationProgram::Pyannote).uem(uem);
        let choices = choices.collar(row["options"]["collar"].as_f64().unwrap_or_default()).unwrap();
        let jer = Jer::new(choices, JerMapping::Overlap).unwrap();
        let all = observed(jer, &[(turns("ref"), turns("hyp"), regions)]);
        let errors = &all.total().stats().errors;
        let near = |found: f64, name: &str, tolerance: f64| {
            let expected = row["expected"][name].as_f64().unwrap();
            assert!((found - expected).abs() <= tolerance, "{name}: {found}, not {expected}: {row}");
        };
        let tolerance = row["tolerance"].as_f64().unwrap();
        near(errors.count() as f64, "speakers", 0.0);
        near(errors.to_f64(), "error", tolerance);
        near(all.score().unwrap().value(), "jer", tolerance);
    }
    assert_eq!(rows.len(), 32);
}
