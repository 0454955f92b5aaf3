//! Error rates of random sessions against MeetEval, merged compounds against kaldialign, cuts against mweralign.

use bleuprint::eval::{ChosenTokens, Panel, PanelScratch, TokenRequest};
use bleuprint::families::meetings::Spoken;
use bleuprint::metrics::edit::Borders;
use bleuprint::resegment::Resegment;
use bleuprint::{
    Accumulator, Case, Segment,
    contract::{MetricOptions, PartValue},
    registry,
};
use bleuprint_testkit::random::Rng;
use serde::Deserialize;
use serde_json::{Value, json};
use xtask::Result;

use super::outcome::{FloatBits, ParityReport, difference, differences};
use super::topic::{ParityTopic, PartSize, SinglePart, TopicNeeds, TopicPart};
use crate::pieces;

const DRIVER: &str = include_str!("speech.py");

/// Number of pairs and of documents.
const SIZE: PartSize = PartSize::whole(20_000, 100);

const METRICS: &[&str] = &[
    "cpwer",
    "tcpwer",
    "orcwer",
    "orcwer:search=greedy",
    "tcorcwer",
    "tcorcwer:search=greedy",
    "mimower",
    "tcmimower",
    "dicpwer",
    "ditcpwer",
];

/// The errors and the assignment of sessions, ten thousand for each metric.
pub(super) const SESSIONS: ParityTopic = ParityTopic {
    script: DRIVER,
    needs: TopicNeeds::Program("meeteval"),
    seed: 20_230_722,
    parts: |_, _| Ok(vec![Box::new(SessionPart { failed: 0, missed: 0 })]),
};

struct SessionPart {
    /// Number of sessions to which MeetEval has no answer.
    failed: usize,
    /// Number of sessions whose fewest errors MeetEval misses.
    missed: usize,
}

impl TopicPart for SessionPart {
    type Shared = ();
    type Case = SpeechSession;
    type Answer = SpeechOutcome;

    fn size(&self) -> PartSize {
        PartSize::whole(10_000 * METRICS.len(), 100)
    }

    fn share(&mut self, _rng: &mut Rng) -> Result {
        Ok(())
    }

    fn draw(&mut self, rng: &mut Rng, _shared: &()) -> SpeechSession {
        SpeechSession::random(rng)
    }

    fn question(&self, _shared: &(), sessions: &[SpeechSession]) -> Result<Value> {
        let sessions: Value = sessions.iter().map(SpeechSession::question).collect();
        Ok(json!({ "question": "meeteval", "sessions": sessions }))
    }

    fn compare(
        &mut self,
        report: &mut ParityReport,
        _shared: &(),
        session: &SpeechSession,
        theirs: SpeechOutcome,
    ) -> Result {
        if theirs.failed {
            self.failed += 1;
            return Ok(());
        }
        let found = match session.outcome() {
            // The program misses the minimum at times; a brute-force reference confirms our minimum.
            Ok(ours) if session.metric == "tcmimower" && ours.is_less_than(&theirs) => {
                self.missed += 1;
                return Ok(());
            }
            // Of several ways with as few errors, the program takes one by its order of search.
            Ok(ours) if ["tcorcwer", "tcmimower"].contains(&session.metric) => {
                differences!(theirs.totals(), ours.totals(), [errors, length, rate])
            }
            Ok(ours) => differences!(theirs, &ours, [counts, rate, assignment]),
            Err(error) => vec![format!("ours refused: {error}")],
        };
        let kind = format!("{} of random sessions", session.metric);
        report.case(&kind, found, || session.question().to_string());
        Ok(())
    }

    fn end(&mut self, report: &mut ParityReport, cases: usize) {
        let missed = (self.missed * 500 > cases).then(|| {
            format!("MeetEval misses the fewest errors of {} sessions, more than one in 500", self.missed)
        });
        let failed = (self.failed * 50 > cases)
            .then(|| format!("MeetEval has no answer to {} sessions, more than one in 50", self.failed));
        report.case("random sessions that are not compared", missed.into_iter().chain(failed), String::new);
    }
}

#[derive(Debug, Deserialize)]
struct SpeechOutcome {
    counts: Vec<u64>,
    rate: Option<FloatBits>,
    /// Assignment; tcMIMO-WER has none.
    assignment: Option<Vec<[Option<String>; 2]>>,
    /// `true` if an internal check of the program stopped it.
    #[serde(default)]
    failed: bool,
}

impl SpeechOutcome {
    fn is_less_than(&self, other: &Self) -> bool {
        let own = self.totals();
        let other = other.totals();
        own.length == other.length && own.errors < other.errors
    }

    fn totals(&self) -> SpeechTotals {
        let errors = self.counts.iter().take(3).sum();
        let length = self.counts.get(3).copied();
        SpeechTotals { errors, length, rate: self.rate }
    }
}

struct SpeechTotals {
    errors: u64,
    length: Option<u64>,
    rate: Option<FloatBits>,
}

struct SpeechSession {
    metric: &'static str,
    options: Vec<(&'static str, &'static str, String)>,
    reference: Vec<Spoken>,
    hypothesis: Vec<Spoken>,
}

impl SpeechSession {
    fn random(rng: &mut Rng) -> Self {
        let metric = *rng.pick(METRICS);
        // The tables of these metrics grow with the product of all streams.
        let few = !["cpwer", "tcpwer", "dicpwer", "ditcpwer"].contains(&metric);
        let timed_metric = metric.contains("tc");
        let speakers = rng.between(1, if few { 3 } else { 6 });
        let words = if rng.chance(500) { pieces::pieces("speech-few") } else { pieces::pieces("speech") };
        let timed = timed_metric || rng.chance(700);
        let longest = if rng.chance(100) && !few { 30 } else { 5 };
        let reference = talk(rng, "r", speakers, words, if few { 6 } else { 14 }, longest, timed);
        let hypothesis = match rng.below(4) {
            0 => {
                let speakers = rng.between(1, if few { 3 } else { 6 });
                talk(rng, "h", speakers, words, if few { 6 } else { 14 }, longest, timed)
            }
            _ => heard(rng, &reference, words, if few { 3 } else { 6 }),
        };
        let mut options = Vec::new();
        if timed_metric {
            options.push(("collar", "collar", (*rng.pick(&["0", "0.25", "1", "5"])).to_owned()));
            if rng.chance(400) {
                for (theirs, ours) in [
                    ("reference_pseudo_word_level_timing", "ref-timing"),
                    ("hypothesis_pseudo_word_level_timing", "hyp-timing"),
                ] {
                    options.push((theirs, ours, (*rng.pick(pieces::pieces("speech-timings"))).to_owned()));
                }
            }
        }
        // MeetEval's ORC-WER and MIMO-WER fail where a side has no speaker.
        let filled = |spoken: Vec<Spoken>, speaker: &str| {
            if spoken.is_empty() && few {
                let times = timed.then_some([0.0, 1.0]);
                vec![Spoken { speaker: speaker.to_owned(), times, words: words[0].to_owned() }]
            } else {
                spoken
            }
        };
        let reference = filled(reference, "r0");
        let hypothesis = filled(hypothesis, "h0");
        SpeechSession { metric, options, reference, hypothesis }
    }

    fn question(&self) -> Value {
        let side = |spoken: &[Spoken]| -> Value {
            let utterance = |one: &Spoken| {
                let mut object = json!({ "session_id": "S", "speaker": one.speaker, "words": one.words });
                if let Some([start, end]) = one.times {
                    (object["start_time"], object["end_time"]) = (start.into(), end.into());
                }
                object
            };
            spoken.iter().map(utterance).collect()
        };
        let mut options = json!({});
        for (theirs, _, value) in &self.options {
            options[theirs] = value.parse::<f64>().map_or_else(|_| value.clone().into(), Value::from);
        }
        json!({
            "metric": self.metric, "options": options,
            "reference": side(&self.reference), "hypothesis": side(&self.hypothesis),
        })
    }

    fn outcome(&self) -> Result<SpeechOutcome> {
        let given = MetricOptions::default();
        let given = self.options.iter().fold(given, |given, (_, ours, value)| given.with(ours, value));
        let (name, search) = self.metric.split_once(":search=").unzip();
        let given = search.iter().fold(given, |given, search| given.with("search", search));
        let metric = registry().get(name.unwrap_or(self.metric))?.build(&given)?;
        let tokens = TokenRequest::default().choose(bleuprint::families().tokenizers())?;
        let panel = Panel::new([metric], &tokens)?;
        let [reference, hypothesis] = [&self.reference, &self.hypothesis].map(|side| Spoken::text_of(side));
        let references = [reference.as_str()];
        let segment = Segment::new(hypothesis.as_str(), &references);
        let mut corpus = Accumulator::<&Panel, str>::new(&panel);
        corpus.add(segment)?;
        let states = panel.states(corpus.total())?;
        let [state] = &states[..] else { return Err("one metric has one state".into()) };
        let pairing = panel.pairings(&mut PanelScratch::default(), segment)?;
        let pairs = pairing.into_iter().flatten().flatten();
        let pairs: Vec<[Option<String>; 2]> = pairs.collect();
        let assignment = match self.metric {
            "tcmimower" => None,
            "cpwer" | "tcpwer" | "mimower" => Some(pairs),
            "dicpwer" | "ditcpwer" => Some(in_order_of_input(&self.hypothesis, pairs, 0)),
            _ => Some(in_order_of_input(&self.reference, pairs, 1)),
        };
        let score = panel.segment_scores(corpus.total())?.remove(0).ok();
        // Behind the numbers of segments and references.
        let counts = state.row()?.split_off(3);
        Ok(SpeechOutcome {
            counts,
            rate: score.map(|scored| FloatBits::from_value(scored.score.value)),
            assignment,
            failed: false,
        })
    }
}

/// The streams or speakers of utterances: ours are in order of start, theirs in order of input, and without the utterance.
fn in_order_of_input(
    utterances: &[Spoken],
    pairs: Vec<[Option<String>; 2]>,
    side: usize,
) -> Vec<[Option<String>; 2]> {
    let start = |at: &usize| utterances[*at].times.map_or(0.0, |[start, _]| start);
    let mut order: Vec<usize> = (0..utterances.len()).collect();
    order.sort_by(|one, other| start(one).total_cmp(&start(other)));
    // Where there is no stream, theirs has a name.
    let given = |pair: [Option<String>; 2]| Some(pair[side].clone().unwrap_or_else(|| "dummy".to_owned()));
    let mut given: Vec<(usize, [Option<String>; 2])> =
        order.into_iter().zip(pairs).map(|(at, pair)| (at, [None, given(pair)])).collect();
    given.sort_by_key(|(at, _)| *at);
    given.into_iter().map(|(_, stream)| stream).collect()
}

/// Returns consecutive utterances of some speakers, some of which overlap.
fn talk(
    rng: &mut Rng,
    label: &str,
    speakers: usize,
    words: &[&str],
    most: usize,
    longest: usize,
    timed: bool,
) -> Vec<Spoken> {
    let mut now = 0.0;
    (0..rng.below(most + 1))
        .map(|_| {
            let text: Vec<&str> = (0..rng.below(longest + 1)).map(|_| *rng.pick(words)).collect();
            let start: f64 = now + hundredths(rng, 60);
            let end = start + hundredths(rng, 250);
            now = if rng.chance(200) { start } else { end };
            Spoken {
                speaker: format!("{label}{}", rng.below(speakers)),
                times: timed.then_some([start, end]),
                words: text.join(" "),
            }
        })
        .collect()
}

/// Returns at most `most` hundredths of a second, in seconds with two decimals.
fn hundredths(rng: &mut Rng, most: usize) -> f64 {
    rng.below(most + 1) as f64 / 100.0
}

/// Returns the reference as a recognizer may hear it: with other words, times, speakers and order.
fn heard(rng: &mut Rng, reference: &[Spoken], words: &[&str], most: usize) -> Vec<Spoken> {
    let speakers = rng.between(1, most);
    let mut heard: Vec<Spoken> = Vec::new();
    for spoken in reference {
        if rng.chance(80) {
            continue;
        }
        let mut text: Vec<&str> = spoken.words.split_whitespace().collect();
        for _ in 0..rng.below(3) {
            let at = rng.below(text.len() + 1);
            match rng.below(3) {
                0 => text.insert(at, *rng.pick(words)),
                1 if at < text.len() => drop(text.remove(at)),
                _ if at < text.len() => text[at] = *rng.pick(words),
                _ => {}
            }
        }
        let number: usize = spoken.speaker[1..].parse().unwrap_or_default();
        let speaker = if rng.chance(150) { rng.below(speakers) } else { number % speakers };
        let times = spoken.times.map(|[start, end]| {
            let start = (start + hundredths(rng, 40) - 0.2).max(0.0);
            [start, start.max(end + hundredths(rng, 40) - 0.2)]
        });
        heard.push(Spoken { speaker: format!("h{speaker}"), times, words: text.join(" ") });
    }
    if rng.chance(100) {
        rng.shuffle(&mut heard);
    }
    heard
}

/// The errors of pairs in which compounds are written together and apart.
pub(super) const COMPOUNDS: ParityTopic = ParityTopic {
    script: DRIVER,
    needs: TopicNeeds::Program("kaldialign"),
    seed: 20_230_723,
    parts: |_, _| {
        let options = MetricOptions::default().with("compounds", "merge");
        let metric = registry().get("wer")?.build(&options)?;
        let panel = Panel::new([metric], &ChosenTokens::standard()?)?;
        Ok(vec![Box::new(SinglePart {
            size: SIZE,
            draw: Box::new(|rng| {
                let words: Vec<&str> =
                    (0..rng.below(12)).map(|_| *rng.pick(&["a", "b", "ab", "ba", "wi", "fi"])).collect();
                [spaced(rng, &words), spaced(rng, &words)]
            }),
            question: Box::new(|pairs| json!({ "question": "compounds", "pairs": pairs })),
            compare: Box::new(move |report, [reference, hypothesis]: &[String; 2], theirs: [u64; 3]| {
                let mut corpus = Accumulator::<&Panel, str>::new(&panel);
                corpus.add(Segment::new(hypothesis, &[reference]))?;
                let scored = panel.scores(corpus.total())?.remove(0);
                let count = |key: &str| {
                    let part = scored.score.parts.iter().find(|part| part.key == key);
                    part.map_or(u64::MAX, |part| match part.value {
                        PartValue::Count(count) => count,
                        _ => u64::MAX,
                    })
                };
                let ours = ["insertions", "deletions", "substitutions"].map(count);
                let found = difference("insertions, deletions, substitutions", &theirs, &ours);
                let case = || format!("{reference:?} / {hypothesis:?}");
                report.case("merged compounds of random pairs", found, case);
                Ok(())
            }),
        })])
    },
};

/// Returns words with some spaces left out, and some words deleted, doubled or changed.
fn spaced(rng: &mut Rng, words: &[&str]) -> String {
    let mut text = String::new();
    for word in words {
        if rng.chance(100) {
            continue;
        }
        text.push_str(if rng.chance(80) { "x" } else { word });
        text.push_str(if rng.chance(300) { "" } else { " " });
    }
    text.trim().to_owned()
}

/// The pieces of documents with mweralign's, with one reference and with several.
pub(super) const PIECES: ParityTopic = ParityTopic {
    script: DRIVER,
    needs: TopicNeeds::Program("mweralign"),
    seed: 20_230_724,
    parts: |_, _| {
        Ok(vec![Box::new(SinglePart {
            size: SIZE,
            draw: Box::new(document),
            question: Box::new(|documents| json!({ "question": "pieces", "documents": documents })),
            compare: Box::new(compare_pieces),
        })])
    },
};

/// References of each segment, and the hypothesis.
type Document = (Vec<Vec<String>>, String);

fn compare_pieces(
    report: &mut ParityReport,
    (references, hypothesis): &Document,
    theirs: Vec<String>,
) -> Result {
    let cutter = || Resegment::default().with_case(Case::LowerAscii).with_unlike_lengths();
    let segments: Vec<Vec<&str>> =
        references.iter().map(|segment| segment.iter().map(String::as_str).collect()).collect();
    let cut = cutter().with_borders(Borders::AsMweralign).cut(&segments, hypothesis)?;
    let clean = cutter().cut(&segments, hypothesis)?;
    let pieces: Vec<String> = cut.pieces.iter().map(ToString::to_string).collect();
    let theirs: Vec<String> = theirs.iter().map(|piece| piece.trim().to_owned()).collect();
    let mut found = Vec::from_iter(difference("pieces", &theirs, &pieces));
    let [least, own] = [&clean, &cut].map(|cut| cut.edits.iter().sum::<u64>());
    if least > own {
        found.push(format!("our own cut has {least} edits, and theirs {own}"));
    }
    let one = references.iter().all(|segment| segment.len() == 1);
    let kind = if one { "pieces with one reference" } else { "pieces with several references" };
    report.case(kind, found, || format!("{references:?} / {hypothesis:?}"));
    Ok(())
}

/// Segments with references, of which all have as many as the first, and words that are much like them.
fn document(rng: &mut Rng) -> Document {
    const WORDS: &[&str] = &["a", "A", "b.", "the", "plan", "É"];
    let several = if rng.chance(300) { rng.between(2, 3) } else { 1 };
    let text = |rng: &mut Rng, most: usize| -> Vec<&str> {
        (0..rng.between(1, most)).map(|_| *rng.pick(WORDS)).collect()
    };
    let mut hypothesis = Vec::new();
    let references: Vec<Vec<String>> = (0..rng.between(1, 8))
        .map(|_| {
            let own = text(rng, 7);
            hypothesis.extend(own.iter().copied().filter(|_| !rng.chance(100)));
            let mut all = vec![own.join(" ")];
            all.extend((1..several).map(|_| text(rng, 7).join(" ")));
            rng.shuffle(&mut all);
            all
        })
        .collect();
    for _ in 0..rng.below(6) {
        let at = rng.below(hypothesis.len() + 1);
        hypothesis.insert(at, *rng.pick(WORDS));
    }
    if hypothesis.is_empty() {
        hypothesis.push("a");
    }
    (references, hypothesis.join(" "))
}
