//! Tests through the public API: hostile sessions, and the order of the metrics. `tests/rows` has numbers of MeetEval.

use bleuprint_core::{Answer, Ask, InputError, Observe, Pairing, Segment, Wanted};
use bleuprint_meetings::{CpWer, DiCpWer, MimoWer, OrcCounts, OrcWer, SpeakerCounts};
use bleuprint_meetings::{StreamSearch, TimeConstraint, Utterance};

mod hostile;
mod interrupted;
mod order;
mod overlap;

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

/// Returns the outcome of a metric by its name: insertions, deletions, substitutions and
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

fn talk(utterances: &[(&str, [f64; 2], &str)]) -> Spoken {
    let utterance = |(speaker, times, words): &(&str, [f64; 2], &str)| {
        (speaker.to_string(), Some(*times), words.split_whitespace().map(str::to_owned).collect())
    };
    utterances.iter().map(utterance).collect()
}
