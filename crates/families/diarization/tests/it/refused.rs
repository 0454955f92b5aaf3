//! Rejected data and choices with their messages, and singular cases.

use bleuprint_core::{Accumulator, Segment};
use bleuprint_diarization::{
    Diarization, DiarizationProgram, ENTRIES, Regions, ScoredTime, Turn, Turns, Uem, recordings,
};
use bleuprint_registry::Registry;

use crate::{observed, turns};

fn error_of(reference: Turns, regions: Option<Regions>) -> String {
    let metric = Diarization::der(ScoredTime::default()).unwrap();
    let mut all = Accumulator::<_, Turns, Turns, Regions>::new(metric);
    let (hypothesis, references) = (Turns::default(), [&reference]);
    let segment = Segment::with_source(&hypothesis, &references, regions.as_ref());
    let error = all.push_segment(segment).unwrap_err().to_string();
    assert_eq!(all.total().stats(), &Default::default());
    error
}

#[test]
fn wrong_turns_and_regions_change_nothing() {
    let whole = || Some(Regions(vec![(0.0, 9.0)]));
    let one = |start, end| turns(&[("A", start, end)]);
    let many = Turns((0..101).map(|speaker| Turn::new(speaker.to_string(), 0.0, 1.0)).collect());
    for (reference, regions, message) in [
        (one(-0.5, 1.0), whole(), "the start of turn 1 of the reference is -0.5, but must be from 0"),
        (one(0.0, f64::NAN), whole(), "the end of turn 1 of the reference is NaN"),
        (one(0.0, f64::INFINITY), whole(), "the end of turn 1 of the reference is inf"),
        (one(0.0, 1.2345678), whole(), "of at most six decimal places; times=rounded"),
        (one(2.0, 1.0), whole(), "turn 1 of the reference ends at 1, before its start at 2"),
        (many, whole(), "the number of speakers of the reference is 101, but must be at most 100"),
        (one(0.0, 1.0), None, "no source: this metric needs the source of every segment"),
        (one(0.0, 1.0), Some(Regions(vec![(3.0, 3.0)])), "region 1 goes from 3 to 3"),
        (one(0.0, 1.0), Some(Regions(vec![(0.0, 3.0), (2.5, 4.0)])), "two regions overlap at 2.5 s"),
    ] {
        let error = error_of(reference, regions);
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn choices_that_no_program_has_are_refused() {
    let registry = Registry::from_entries(ENTRIES).unwrap();
    for (name, message) in [
        ("der:like=simpleder", "uem=extent"),
        ("der:like=simpleder,uem=extent,overlap=skip", "overlap=keep"),
        ("der:like=spyder,overlap=skip", "overlap=nonoverlap"),
        ("der:overlap=only", "like=spyder"),
        ("der:collar=0.0000001", "at most six decimal places"),
        ("jer:like=md-eval", "jer has no like=md-eval; it has none, pyannote, dscore"),
        ("jer:like=dscore", "mapping=jaccard"),
        ("jer:like=pyannote,mapping=jaccard", "mapping=overlap"),
        ("jer:like=dscore,mapping=jaccard,collar=0.25", "collar=0"),
        ("detection:like=spyder", "detection has no like=spyder"),
        ("purity:like=pyannote", "uem=extent"),
    ] {
        let error = registry.build(name).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains(message), "{name}: {error}");
    }
}

#[test]
fn a_total_of_nothing_is_as_in_the_program() {
    let short = turns(&[("A", 1.0, 1.3)]);
    let regions = Some(Regions(vec![(0.0, 9.0)]));
    let score = |like, hypothesis: &Turns| {
        let choices = ScoredTime::default().like(like).collar(0.4).unwrap();
        let choices = if like == DiarizationProgram::SimpleDer { choices.uem(Uem::Extent) } else { choices };
        let files = [(short.clone(), hypothesis.clone(), regions.clone())];
        observed(Diarization::der(choices).unwrap(), &files).score().ok().map(|scored| scored.value())
    };
    let (none, late) = (turns(&[]), turns(&[("x", 3.0, 4.0)]));
    for (like, of_none, of_late) in [
        (DiarizationProgram::None, None, None),
        (DiarizationProgram::MdEval, None, None),
        (DiarizationProgram::SimpleDer, Some(0.0), Some(0.0)),
        (DiarizationProgram::Spyder, Some(0.0), Some(0.0)),
    ] {
        assert_eq!((score(like, &none), score(like, &late)), (of_none, of_late), "{like:?}");
    }
}

#[test]
fn many_overlapping_turns_are_counted_in_time() {
    let many = |speakers: usize| {
        Turns(
            (0..100_000)
                .map(|place| {
                    let hundredths = place / 100;
                    let [start, end] = [hundredths, hundredths + 5000].map(|time| time as f64 / 100.0);
                    Turn::new((place % speakers).to_string(), start, end)
                })
                .collect(),
        )
    };
    let files = [(many(20), many(7), Some(Regions(vec![(0.0, 100.0)])))];
    let times = *observed(Diarization::der(ScoredTime::default()).unwrap(), &files).total().stats();
    assert_eq!(times.correct + times.miss, 20 * 2 * 59_990_000);
}

fn read(rttm: &str, other: &str, uem: Option<&str>) -> Result<usize, String> {
    let folder = bleuprint_testkit::Folder::new();
    let path = |name: &str, text: &str| folder.file(name, text).display().to_string();
    let uem = uem.map(|text| path("all.uem", text));
    let all = recordings(&path("ref.rttm", rttm), &path("hyp.rttm", other), uem.as_deref(), false, false);
    all.map(|all| all.len()).map_err(|error| error.to_string())
}

#[test]
fn files_are_refused_with_the_line() {
    let line = |file: &str, start: &str, duration: &str| {
        format!("SPEAKER {file} 1 {start} {duration} <NA> <NA> A <NA> <NA>\n")
    };
    let good = line("f", "0", "1.5");
    assert_eq!(read(&format!("; x\n\nSPKR-INFO f 1\n{good}"), &good, Some("f 1 0 2\nf 1 2 3\n")), Ok(1));
    let speakers: String =
        (0..200).map(|name| format!("SPEAKER f 1 0 1 <NA> <NA> s{name} <NA> <NA>\n")).collect();
    for (rttm, uem, message) in [
        (line("f", "-1", "1"), None, "ref.rttm: line 1: the start is -1"),
        (line("f", "0", "-1"), None, "line 1: the duration is -1"),
        (line("f", "nan", "1"), None, "line 1: the start is NaN"),
        (line("f", "0", "1e300"), None, "line 1: the duration is 1e300, but must be from 0 to 1e7 seconds"),
        (good.clone(), Some("f 1 0 1e300\n"), "all.uem: line 1: the end is 1e300, but must be"),
        (line("f", "x", "1"), None, "line 1: the start `x` is no number of seconds"),
        (good.clone() + "SPEAKER f 1 0\n", None, "line 2: 4 fields, but a line of RTTM has 8 to 10"),
        (good.clone() + "SPEAKER f 1 0 1 <NA> <NA> Ann Lee <NA> <NA>\n", None, "line 2: 11 fields"),
        (good.clone() + "NOSCORE f 1 0 1\n", None, "line 2: a stretch of NOSCORE"),
        (speakers, None, "line 101: the number of speakers of the file is 101"),
        ("\n".to_owned(), None, "ref.rttm: no line of SPEAKER"),
        (good.clone() + &line("g", "0", "1"), None, "ref.rttm: line 2: "),
        (line("f.x", "0", "1"), None, "has no turn of `f`"),
        (good.clone(), Some("f 1 0\n"), "all.uem: line 1: 3 fields, but a line of UEM has 4"),
        (good.clone(), Some("f 1 2 2\n"), "line 1: the region goes from 2 to 2"),
        (good.clone(), Some("f 1 0 2\nf 1 1 3\n"), "line 2: the region overlaps that from 0 to 2"),
        (good.clone(), Some("f.wav 1 0 2\n"), "no file of the UEM is in"),
    ] {
        let error = read(&rttm, &good, uem).unwrap_err();
        assert!(error.contains(message), "{error}");
    }
    let both = good.clone() + &line("g.h", "0", "1");
    let error = read(&both, &both, Some("f 1 0 2\n")).unwrap_err();
    assert!(error.contains("line 2: the UEM") && error.contains("has no region of `g.h`"), "{error}");
}
