//! Sessions of several speakers and re-segmentation: the numbers of MeetEval and mweralign.

use bleuprint::metrics::edit::{Borders, resegment};
use bleuprint::text::read::self_overlap;
use bleuprint::text::session::parse_session;
use bleuprint::{
    Metric as _, Observe, Result, Segment, SegmentCounts,
    contract::{Answer, Ask, Choice as _, Pairing, Utterance, Wanted},
    metrics::{CpWer, OrcWer, TimeConstraint, WordTiming},
};
use bleuprint_testkit::recorded::json;
use serde_json::Value;

/// A session of utterances: speaker, times, words.
type Spoken<'a> = Vec<(&'a str, Option<[f64; 2]>, Vec<&'a str>)>;

fn tokens(spoken: &Spoken<'_>) -> Vec<String> {
    let utterance = |(speaker, times, words): &(&str, Option<[f64; 2]>, Vec<&str>)| {
        let head = Utterance::head(speaker, *times, words.len());
        core::iter::once(head).chain(words.iter().map(ToString::to_string)).collect::<Vec<_>>()
    };
    spoken.iter().flat_map(utterance).collect()
}

/// The counts of a session, and its pairs.
fn counted<M>(metric: &M, reference: &Spoken<'_>, hypothesis: &Spoken<'_>) -> Result<(M::Stats, Pairing)>
where
    M: for<'t> Observe<[&'t str]>,
{
    let [reference, hypothesis] = [reference, hypothesis].map(tokens);
    let [reference, hypothesis] =
        [&reference, &hypothesis].map(|tokens| tokens.iter().map(String::as_str).collect::<Vec<_>>());
    let (hypotheses, references) = ([&hypothesis[..]], [&reference[..]]);
    let segment = Segment::new(hypotheses[0], &references);
    let mut stats = metric.zero();
    metric.observe(&mut M::Scratch::default(), &mut stats, segment)?;
    let ask = Ask::new(Wanted::Pairing, &hypotheses, &references);
    let answer = metric.ask(&mut M::Scratch::default(), ask)?;
    let Some(Answer::Pairing(pairing)) = answer else { panic!("no pairing") };
    Ok((stats, pairing))
}

fn spoken(list: &Value) -> Spoken<'_> {
    fn utterance(one: &Value) -> (&str, Option<[f64; 2]>, Vec<&str>) {
        let time = |key: &str| one[key].as_f64();
        let times = time("start_time").map(|start| [start, time("end_time").unwrap()]);
        (one["speaker"].as_str().unwrap(), times, one["words"].as_str().unwrap().split_whitespace().collect())
    }
    list.as_array().unwrap().iter().map(utterance).collect()
}

fn timing(options: &Value, key: &str, default: WordTiming) -> WordTiming {
    options[key].as_str().map_or(default, |name| WordTiming::by_name(key, name).unwrap())
}

/// The metric of a row of golden data, with the counts as MeetEval names them.
fn check_row(row: &Value) {
    let (reference, hypothesis, out) = (spoken(&row["reference"]), spoken(&row["hypothesis"]), &row["out"]);
    let count = |key: &str| out[key].as_u64().unwrap();
    let errors = [count("ins"), count("del"), count("sub"), count("length")];
    let name = |value: &Value| value.as_str().map(str::to_owned);
    if row["metric"] == "orcwer" {
        let (counts, pairs) = counted(&OrcWer, &reference, &hypothesis).unwrap();
        let own = [counts.insertions, counts.deletions, counts.substitutions, counts.ref_len];
        assert_eq!(own, errors, "{row}");
        // Theirs is in order of input, ours in order of start.
        let mut order: Vec<usize> = (0..reference.len()).collect();
        order.sort_by(|&a, &b| {
            let start = |at: usize| reference[at].1.map_or(0.0, |[start, _]| start);
            start(a).total_cmp(&start(b))
        });
        let given: Vec<Option<String>> = order.iter().map(|&at| name(&out["assignment"][at])).collect();
        let own: Vec<Option<String>> = pairs.pairs.iter().map(|[_, stream]| stream.clone()).collect();
        assert_eq!(own, given, "{row}");
        return;
    }
    let options = &row["options"];
    let metric = match options["collar"].as_f64() {
        None => CpWer::untimed(),
        Some(collar) => CpWer::timed(TimeConstraint::new(collar).unwrap().with_timing(
            timing(options, "reference_pseudo_word_level_timing", WordTiming::Characters),
            timing(options, "hypothesis_pseudo_word_level_timing", WordTiming::CharacterPoints),
        )),
    };
    let (counts, pairs) = counted(&metric, &reference, &hypothesis).unwrap();
    let own = [counts.insertions, counts.deletions, counts.substitutions, counts.ref_len];
    assert_eq!(own, errors, "{row}");
    let speakers = [counts.missed_speakers, counts.falarm_speakers, counts.scored_speakers];
    assert_eq!(speakers, ["missed_speaker", "falarm_speaker", "scored_speaker"].map(count), "{row}");
    let given: Vec<[Option<String>; 2]> =
        out["assignment"].as_array().unwrap().iter().map(|pair| [name(&pair[0]), name(&pair[1])]).collect();
    assert_eq!(pairs.pairs, given, "{row}");
    let score = metric.finalize(&counts, &SegmentCounts::of_segment(1));
    assert_eq!(score.ok().map(|score| score.score), out["error_rate"].as_f64(), "{row}");
}

fn golden() -> Value {
    json("speech-golden.json")
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn the_rows_of_meeteval_are_met() {
    let golden = golden();
    let metrics = ["cpwer", "tcpwer", "orcwer"];
    let rows = golden["speakers"].as_array().unwrap().iter();
    let rows: Vec<&Value> = rows.filter(|row| metrics.contains(&row["metric"].as_str().unwrap())).collect();
    let (errors, numbers): (Vec<&Value>, Vec<&Value>) =
        rows.into_iter().partition(|row| row["out"]["error"].is_string());
    numbers.iter().for_each(|row| check_row(row));
    assert_eq!((numbers.len(), errors.len()), (112 + 96 + 55, 4));
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn golden_cuts_are_met() {
    let golden = golden();
    let rows = golden["resegment"].as_array().unwrap();
    let words = |text: &Value| -> Vec<String> {
        text.as_str().unwrap().split_whitespace().map(str::to_ascii_lowercase).collect()
    };
    let mut not_minimal = 0;
    for row in rows {
        let owned: Vec<Vec<Vec<String>>> = row["references"]
            .as_array()
            .unwrap()
            .iter()
            .map(|segment| segment.as_array().unwrap().iter().map(words).collect())
            .collect();
        let references: Vec<Vec<&[String]>> =
            owned.iter().map(|segment| segment.iter().map(Vec::as_slice).collect()).collect();
        let hypothesis = words(&row["hypothesis"]);
        for (borders, key) in [(Borders::Words, "clean"), (Borders::AsMweralign, "mweralign")] {
            let cut = resegment(&references, &hypothesis, borders).unwrap();
            let pieces: Vec<Vec<String>> = row[key].as_array().unwrap().iter().map(words).collect();
            let own: Vec<Vec<String>> = cut.pieces().map(|piece| hypothesis[piece].to_vec()).collect();
            assert_eq!(own, pieces, "{key}: {row}");
            assert_eq!(
                cut.edits.iter().sum::<u64>(),
                row[format!("{key}_edits")].as_u64().unwrap(),
                "{key}: {row}"
            );
        }
        not_minimal += usize::from(row["clean_edits"] != row["mweralign_edits"]);
    }
    assert_eq!((rows.len(), not_minimal), (170, 17));
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn self_overlap_is_meetevals() {
    let golden = golden();
    let mut compared = 0;
    for row in golden["speakers"].as_array().unwrap() {
        for side in ["reference", "hypothesis"] {
            let Some(theirs) = row["out"][format!("{side}_self_overlap")].as_array() else { continue };
            let own = self_overlap(&parse_session(&row[side].to_string()).unwrap());
            for (own, theirs) in own.iter().zip(theirs) {
                assert!((own - theirs.as_f64().unwrap()).abs() < 1e-9, "{row}");
            }
            compared += 1;
        }
    }
    assert!(compared > 400, "{compared}");
}
