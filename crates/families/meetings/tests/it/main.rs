//! Tests through the public API: numbers of MeetEval, hostile sessions, and the order of the metrics.

use bleuprint_core::{Answer, Ask, InputError, Observe, Pairing, Segment, Wanted};
use bleuprint_meetings::{CpWer, DiCpWer, MimoWer, OrcCounts, OrcWer, SpeakerCounts};
use bleuprint_meetings::{StreamSearch, TimeConstraint, Utterance, WordTiming};
use serde_json::Value;

mod hostile;
mod interrupted;
mod order;
mod recorded;

/// Utterances of a session: speaker, times, words.
type Spoken = Vec<(String, Option<[f64; 2]>, Vec<String>)>;

fn tokens(spoken: &Spoken) -> Vec<String> {
    let utterance = |(speaker, times, words): &(String, Option<[f64; 2]>, Vec<String>)| {
        let head = Utterance::head(speaker, *times, words.len());
        core::iter::once(head).chain(words.iter().cloned()).collect::<Vec<_>>()
    };
    spoken.iter().flat_map(utterance).collect()
}

/// Returns the counts of a session, and its pairs.
fn counted<M>(metric: &M, reference: &Spoken, hypothesis: &Spoken) -> Result<(M::Stats, Pairing), InputError>
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

/// Reads a session in the form of SegLST.
fn spoken(list: &Value) -> Spoken {
    fn utterance(one: &Value) -> (String, Option<[f64; 2]>, Vec<String>) {
        let text = |key: &str| one[key].as_str().unwrap().to_owned();
        let time = |key: &str| one[key].as_f64();
        let times = time("start_time").map(|start| [start, time("end_time").unwrap()]);
        (text("speaker"), times, text("words").split_whitespace().map(str::to_owned).collect())
    }
    list.as_array().unwrap().iter().map(utterance).collect()
}

/// Returns the time rule of a row of recorded data, or `None` for metrics without times.
fn constraint(options: &Value) -> Option<TimeConstraint> {
    let timing = |key: &str, default: WordTiming| {
        use bleuprint_core::Choice as _;
        options[key].as_str().map_or(default, |name| WordTiming::by_name(key, name).unwrap())
    };
    Some(TimeConstraint::new(options["collar"].as_f64()?).unwrap().with_timing(
        timing("reference_pseudo_word_level_timing", WordTiming::Characters),
        timing("hypothesis_pseudo_word_level_timing", WordTiming::CharacterPoints),
    ))
}

/// Returns the outcome of a metric by its name in recorded data: insertions, deletions, substitutions and
/// length, then the other counts, and the pairs.
fn outcome(
    metric: &str,
    time: Option<TimeConstraint>,
    reference: &Spoken,
    hypothesis: &Spoken,
) -> Result<(Vec<u64>, Pairing), InputError> {
    let of_orc = |(counts, pairs): (OrcCounts, Pairing)| {
        (vec![counts.insertions, counts.deletions, counts.substitutions, counts.ref_len], pairs)
    };
    let of_speakers = |(counts, pairs): (SpeakerCounts, Pairing)| {
        let SpeakerCounts { insertions, deletions, substitutions, ref_len, .. } = counts;
        let speakers = [counts.missed_speakers, counts.falarm_speakers, counts.scored_speakers];
        ([insertions, deletions, substitutions, ref_len].into_iter().chain(speakers).collect(), pairs)
    };
    let orc = time.map_or(OrcWer::untimed(), OrcWer::timed);
    Ok(match metric {
        "cpwer" | "tcpwer" => {
            let metric = time.map_or(CpWer::untimed(), CpWer::timed);
            of_speakers(counted(&metric, reference, hypothesis)?)
        }
        "orcwer" | "tcorcwer" => of_orc(counted(&orc, reference, hypothesis)?),
        "orcwer-greedy" | "orcwer:search=greedy" | "tcorcwer:search=greedy" => {
            of_orc(counted(&orc.search(StreamSearch::Greedy), reference, hypothesis)?)
        }
        "mimower" | "tcmimower" => {
            of_orc(counted(&time.map_or(MimoWer::untimed(), MimoWer::timed), reference, hypothesis)?)
        }
        "dicpwer" | "dicpwer-greedy" | "ditcpwer" => {
            of_orc(counted(&time.map_or(DiCpWer::untimed(), DiCpWer::timed), reference, hypothesis)?)
        }
        other => panic!("no metric {other}"),
    })
}

/// Requires the counts, the pairs and the rate of a row of MeetEval.
#[track_caller]
fn check(row: &Value, metric: &str, [reference, hypothesis]: [&Value; 2], expected: &Value) {
    let (reference, hypothesis) = (spoken(reference), spoken(hypothesis));
    let (counts, pairs) = outcome(metric, constraint(&row["options"]), &reference, &hypothesis).unwrap();
    let keys = [
        ["ins", "insertions"],
        ["del", "deletions"],
        ["sub", "substitutions"],
        ["length"; 2],
        ["missed_speaker"; 2],
        ["falarm_speaker"; 2],
        ["scored_speaker"; 2],
    ];
    let count = |names: &[&str; 2]| names.iter().find_map(|name| expected[name].as_u64()).unwrap();
    assert_eq!(counts, keys[..counts.len()].iter().map(count).collect::<Vec<u64>>(), "{row}");
    let rate = (counts[3] > 0).then(|| counts[..3].iter().sum::<u64>() as f64 / counts[3] as f64);
    assert_eq!(rate, expected["error_rate"].as_f64(), "{row}");
    let name = |value: &Value| value.as_str().filter(|name| *name != "dummy").map(str::to_owned);
    let Some(theirs) = expected["assignment"].as_array() else { return };
    if theirs.iter().all(Value::is_array) && metric != "orcwer" {
        let theirs: Vec<[Option<String>; 2]> =
            theirs.iter().map(|pair| [name(&pair[0]), name(&pair[1])]).collect();
        assert_eq!(pairs, theirs, "{row}");
        return;
    }
    // MeetEval lists one pair for each utterance in the order of the input; ours are in order of start.
    let of_hypothesis = metric.starts_with("di");
    let utterances = if of_hypothesis { &hypothesis } else { &reference };
    let mut order: Vec<usize> = (0..utterances.len()).collect();
    order.sort_by(|&a, &b| {
        let start = |at: usize| utterances[at].1.map_or(0.0, |[start, _]| start);
        start(a).total_cmp(&start(b))
    });
    let theirs: Vec<Option<String>> = order.iter().map(|&at| name(&theirs[at])).collect();
    let own: Vec<Option<String>> =
        pairs.iter().map(|pair| pair[usize::from(!of_hypothesis)].clone()).collect();
    assert_eq!(own, theirs, "{row}");
}

fn talk(utterances: &[(&str, [f64; 2], &str)]) -> Spoken {
    let utterance = |(speaker, times, words): &(&str, [f64; 2], &str)| {
        (speaker.to_string(), Some(*times), words.split_whitespace().map(str::to_owned).collect())
    };
    utterances.iter().map(utterance).collect()
}
