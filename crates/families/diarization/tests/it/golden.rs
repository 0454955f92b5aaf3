//! Compares with numbers of other programs for hand-written turns (`data/README.md`).

use bleuprint_core::Metric as _;
use bleuprint_diarization::{
    Diarization, DiarizationProgram, Jer, JerMapping, Overlap, Purity, Regions, ScoredTime, Turns, Uem,
};
use serde_json::Value;

use crate::observed;

fn near(ours: Option<f64>, theirs: &Value, what: &str) {
    let (Some(ours), Some(theirs)) = (ours, theirs.as_f64()) else { panic!("{what}: {ours:?} and {theirs}") };
    assert!((ours - theirs).abs() <= 1e-6, "{what}: {ours}, not {theirs}");
}

#[test]
fn turns_have_the_numbers_of_the_programs() {
    for line in include_str!("../../data/golden.jsonl").lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let turns = |key: &str| serde_json::from_value::<Turns>(row[key].clone()).unwrap();
        let regions: Option<Regions> = serde_json::from_value(row["uem"].clone()).unwrap();
        let uem = if regions.is_some() { Uem::Given } else { Uem::Extent };
        let file = [(turns("ref"), turns("hyp"), regions)];
        let skip = if row["skip"] == true { Overlap::Skip } else { Overlap::Keep };
        let of = |like| {
            let choices = ScoredTime::default().like(like).uem(uem);
            choices.collar(row["collar"].as_f64().unwrap()).unwrap()
        };
        let der = |choices: ScoredTime| {
            let metric = Diarization::der(choices).unwrap();
            let all = observed(metric, &file);
            metric.number(all.total().stats(), all.total().counts()).ok()
        };
        let pyannote = &row["pyannote"];
        near(der(of(DiarizationProgram::Pyannote).overlap(skip)), &pyannote[0], &format!("pyannote {line}"));
        let jer = observed(Jer::new(of(DiarizationProgram::Pyannote), JerMapping::Overlap).unwrap(), &file);
        near(jer.score().ok().map(|scored| scored.value()), &pyannote[1], &format!("JER {line}"));
        let detection = observed(Diarization::detection(of(DiarizationProgram::Pyannote)).unwrap(), &file);
        near(detection.score().ok().map(|scored| scored.value()), &pyannote[2], &format!("detection {line}"));
        let whole = ScoredTime::default().like(DiarizationProgram::Pyannote).uem(Uem::Extent);
        let purity = observed(Purity::new(whole).unwrap(), &file).score().unwrap().score;
        near(Some(purity.purity), &pyannote[3], &format!("purity {line}"));
        near(Some(purity.coverage), &pyannote[4], &format!("coverage {line}"));
        near(
            der(of(DiarizationProgram::SimpleDer).uem(Uem::Extent)),
            &row["simpleder"][0],
            &format!("simpleder {line}"),
        );
        let kinds = [Overlap::Keep, Overlap::Single, Overlap::Only, Overlap::NonOverlap];
        for (overlap, theirs) in kinds.into_iter().zip(row["spyder"].as_array().unwrap()) {
            if !theirs.is_null() {
                near(
                    der(of(DiarizationProgram::Spyder).overlap(overlap)),
                    theirs,
                    &format!("spyder {overlap:?} {line}"),
                );
            }
        }
        if let Some(theirs) = row["md_eval"].as_array() {
            let all =
                observed(Diarization::der(of(DiarizationProgram::MdEval).overlap(skip)).unwrap(), &file);
            let times = *all.total().stats();
            let ours = [times.total(), times.miss, times.false_alarm, times.confusion];
            for (ours, theirs) in ours.into_iter().zip(theirs) {
                assert!(
                    (ours as f64 / 2e6 - theirs.as_f64().unwrap()).abs() < 0.0101,
                    "md-eval {line}: {times:?}"
                );
            }
        }
    }
}
