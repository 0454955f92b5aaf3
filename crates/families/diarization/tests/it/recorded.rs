//! Checks every recorded row of diarization in the specification's data.

use bleuprint_core::{Accumulator, Metric, Observe, Segment, Stats as _};
use bleuprint_diarization::{
    BCubed, Diarization, DiarizationProgram, DiarizationTimes, Jer, JerMapping, MappingSearch, Overlap,
    Purity, Regions, ScoredTime, Turns, Uem,
};
use bleuprint_registry::Registry;
use bleuprint_testkit::recorded;
use serde_json::{Value, json};

type Recorded = (String, (Turns, Turns, Option<Regions>));

fn files(input: &Value) -> Vec<Recorded> {
    let one = |name: &str, input: &Value| {
        let turns = |key: &str| serde_json::from_value::<Turns>(input[key].clone()).unwrap();
        let regions = serde_json::from_value(input["uem"].clone()).unwrap();
        (name.to_owned(), (turns("ref"), turns("hyp"), regions))
    };
    match input["files"].as_object() {
        Some(files) => files.iter().map(|(name, file)| one(name, file)).collect(),
        None => vec![one("f", input)],
    }
}

fn choices(row: &Value, files: &[Recorded]) -> ScoredTime {
    let options = &row["options"];
    let named = |key: &str| options[key].as_str().unwrap_or_default();
    let like = match named("like") {
        "md-eval" => DiarizationProgram::MdEval,
        "pyannote" => DiarizationProgram::Pyannote,
        "simpleder" => DiarizationProgram::SimpleDer,
        "spyder" => DiarizationProgram::Spyder,
        other => panic!("{other}"),
    };
    let overlap = match (named("overlap"), named("regions")) {
        ("skip", _) => Overlap::Skip,
        (_, "single") => Overlap::Single,
        (_, "overlap") => Overlap::Only,
        (_, "nonoverlap") => Overlap::NonOverlap,
        _ => Overlap::Keep,
    };
    let search = if named("mapping") == "greedy" { MappingSearch::Greedy } else { MappingSearch::Best };
    let given = files.iter().all(|(_, file)| file.2.is_some());
    let choices = ScoredTime::default().like(like).overlap(overlap).search(search);
    let choices = choices.collar(options["collar"].as_f64().unwrap_or_default()).unwrap();
    choices.uem(if given { Uem::Given } else { Uem::Extent })
}

/// Returns the statistics of each file and of all files, or `None` if the metric rejects a file.
fn stats<M: Observe<Turns, Turns, Regions> + Clone>(metric: &M, files: &[Recorded]) -> Option<Vec<M::Stats>>
where
    M::Stats: Clone,
{
    let mut all = metric.zero();
    let mut each = Vec::new();
    for (_, (reference, hypothesis, regions)) in files {
        let mut own = Accumulator::<_, Turns, Turns, Regions>::new(metric.clone());
        own.push_segment(Segment::with_source(hypothesis, &[reference], regions.as_ref())).ok()?;
        all.merge(own.total().stats()).unwrap();
        each.push(own.total().stats().clone());
    }
    each.push(all);
    Some(each)
}

fn number<M: Metric>(metric: &M, stats: &M::Stats) -> Option<f64> {
    metric.number(stats, &Default::default()).ok()
}

fn seconds(ticks: u64) -> f64 {
    ticks as f64 / 2e6
}

fn near(found: f64, expected: &Value, tolerance: f64, what: &str) {
    let expected = expected.as_f64().unwrap_or_else(|| panic!("{what}: {expected}"));
    assert!((found - expected).abs() <= tolerance, "{what}: {found}, not {expected}");
}

fn require_times(times: &DiarizationTimes, rate: Option<f64>, expected: &Value, tolerance: f64, what: &str) {
    let shares = tolerance == 1e-6;
    let errors = times.miss + times.false_alarm + times.confusion;
    for (name, ticks) in [
        ("scored", times.total()),
        ("total", times.total()),
        ("miss", times.miss),
        ("false_alarm", times.false_alarm),
        ("confusion", times.confusion),
        ("correct", times.correct),
        ("error", errors),
    ] {
        // spyder's parts are shares of the total.
        let whole = if shares && name != "scored" { seconds(times.total()).max(1e-9) } else { 1.0 };
        if let Some(expected) = expected.get(name) {
            near(seconds(ticks) / whole, expected, tolerance, &format!("{what} {name}"));
        }
    }
    for (name, factor, tolerance) in
        [("der", 1.0, tolerance), ("rate", 1.0, tolerance), ("der_percent", 100.0, 0.0101)]
    {
        if let Some(expected) = expected.get(name) {
            near(factor * rate.unwrap_or(f64::NAN), expected, tolerance, &format!("{what} {name}"));
        }
    }
}

fn der(row: &Value) {
    let (files, expected) = (files(&row["input"]), &row["expected"]);
    let (tolerance, id) = (row["tolerance"].as_f64().unwrap(), row["id"].as_str().unwrap());
    let choices = choices(row, &files);
    let choices = if row["options"]["like"] == "simpleder" { choices.uem(Uem::Extent) } else { choices };
    let metric = match row["metric"].as_str() {
        Some("detection") => Diarization::detection(choices),
        _ => Diarization::der(choices),
    };
    let metric = metric.unwrap();
    let stats = stats(&metric, &files);
    if expected.get("error").is_some_and(Value::is_string) {
        let value = stats.and_then(|stats| number(&metric, &stats[0]));
        assert_eq!(value, None, "{id}");
        return;
    }
    let stats = stats.unwrap_or_else(|| panic!("{id} is refused"));
    let (all, each) = stats.split_last().unwrap();
    if let Some(per_file) = expected.get("per_file") {
        for ((name, _), own) in files.iter().zip(each) {
            require_times(own, number(&metric, own), &per_file[name], tolerance, &format!("{id} {name}"));
        }
        near(number(&metric, all).unwrap(), &expected["der"], tolerance, id);
        let jer = Jer::new(choices, JerMapping::Overlap).unwrap();
        let stats = self::stats(&jer, &files).unwrap();
        near(number(&jer, stats.last().unwrap()).unwrap(), &expected["jer"], tolerance, id);
        return;
    }
    if expected.get("files").is_none() {
        return require_times(all, number(&metric, all), expected, tolerance, id);
    }
    for ((name, file), own) in files.iter().zip(each) {
        let what = format!("{id} {name}");
        // md-eval does not print files that the reference lacks.
        if let Some(expected) = expected["files"].get(name) {
            require_times(own, number(&metric, own), expected, tolerance, &what);
        }
        if let Some(expected) = expected["mapping"].get(name) {
            assert_eq!(&mapping(&metric, file), expected, "{what}");
        }
    }
    require_times(all, number(&metric, all), &expected["files"]["ALL"], tolerance, id);
}

fn mapping(
    metric: &Diarization,
    (reference, hypothesis, regions): &(Turns, Turns, Option<Regions>),
) -> Value {
    let (hypotheses, references) = ([hypothesis], [reference]);
    let ask = bleuprint_core::Ask::<Turns>::new(bleuprint_core::Wanted::Pairing, &hypotheses, &references);
    let ask = ask.with_sequences(&hypotheses, &references, regions.as_ref());
    let answer = metric.ask(&mut (), ask).unwrap();
    let Some(bleuprint_core::Answer::Pairing(pairing)) = answer else { panic!("no pairing") };
    let pairs = pairing.iter().filter_map(|[one, other]| Some((one.clone()?, json!(other.as_ref()?))));
    Value::Object(pairs.collect())
}

fn jer(row: &Value) {
    let files = files(&row["input"]);
    let jer = Jer::new(choices(row, &files), JerMapping::Overlap).unwrap();
    let stats = stats(&jer, &files).unwrap();
    let (sum, tolerance, id) =
        (&stats[0].errors, row["tolerance"].as_f64().unwrap(), row["id"].as_str().unwrap());
    near(sum.count() as f64, &row["expected"]["speakers"], 0.0, id);
    near(sum.to_f64(), &row["expected"]["error"], tolerance, id);
    near(number(&jer, &stats[0]).unwrap(), &row["expected"]["jer"], tolerance, id);
}

fn purity(row: &Value) {
    let files = files(&row["input"]);
    let purity = Purity::new(choices(row, &files).uem(Uem::Extent)).unwrap();
    let stats = stats(&purity, &files).unwrap();
    let score = purity.finalize(&stats[0], &Default::default()).unwrap();
    let (tolerance, id) = (row["tolerance"].as_f64().unwrap(), row["id"].as_str().unwrap());
    near(score.purity, &row["expected"]["purity"], tolerance, id);
    near(score.coverage, &row["expected"]["coverage"], tolerance, id);
}

/// Checks a row of dscore, which has numbers for a file without reference time where this crate has none.
fn dscore(row: &Value) {
    let (files, id) = (files(&row["input"]), row["id"].as_str().unwrap());
    let given = files.iter().all(|(_, file)| file.2.is_some());
    let uem = if given { Uem::Given } else { Uem::Extent };
    let base = ScoredTime::default().uem(uem);
    let like = base.like(DiarizationProgram::Dscore);
    let der = Diarization::der(like.collar(row["options"]["collar"].as_f64().unwrap()).unwrap()).unwrap();
    let (jer, table) = (Jer::new(like, JerMapping::Jaccard).unwrap(), BCubed::new(base).unwrap());
    let (ders, jers, tables) =
        (stats(&der, &files).unwrap(), stats(&jer, &files).unwrap(), stats(&table, &files).unwrap());
    for place in 0..=files.len() {
        let name = files.get(place).map_or("overall", |(name, _)| name);
        let expected =
            if place < files.len() { &row["expected"]["files"][name] } else { &row["expected"]["overall"] };
        let require =
            |key: &str, found: f64| near(found, &expected[key], 1e-6, &format!("{id} {name} {key}"));
        if let Some(der) = number(&der, &ders[place]) {
            require("der", 100.0 * der);
        }
        if let Some(jer) = number(&jer, &jers[place]) {
            require("jer", 100.0 * jer);
        }
        let score = table.finalize(&tables[place], &Default::default()).unwrap();
        require("bcubed_precision", score.precision);
        require("bcubed_recall", score.recall);
        require("bcubed_f1", score.f1);
        require("tau_ref_sys", score.tau[0]);
        require("tau_sys_ref", score.tau[1]);
        require("ce_ref_sys", score.entropy[0]);
        require("ce_sys_ref", score.entropy[1]);
        require("mi", score.information);
        require("nmi", score.normalized);
    }
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn recorded_rows_of_diarization_have_their_values() {
    assert!(Registry::from_entries(bleuprint_diarization::ENTRIES).is_ok());
    let text = std::fs::read_to_string(recorded::path("spec/speech-two-golden.jsonl")).unwrap();
    let (mut rows, mut failed) = (0, Vec::new());
    for line in text.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let check: fn(&Value) = match row["metric"].as_str().unwrap() {
            "der" | "detection" => der,
            "jer" => jer,
            "purity" => purity,
            "dscore" => dscore,
            _ => continue,
        };
        rows += 1;
        if std::panic::catch_unwind(|| check(&row)).is_err() {
            failed.push(row["id"].clone());
        }
    }
    assert!(failed.is_empty(), "{} of {rows}: {failed:?}", failed.len());
    assert_eq!(rows, 441);
}
