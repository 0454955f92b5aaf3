//! Keywords and lists of hypotheses of random texts against texterrors, entities against agwer, and confidences against
//! uncertainty-calibration and scikit-learn.

use std::sync::Arc;

use bleuprint::contract::Segment;
use bleuprint::{Accumulator, Metric as _};
use bleuprint_recognition::{
    AlignmentProgram, CalibrationError, CalibrationOf, OracleWer, RankedHypotheses, Rate, TermCer, TermList,
    Terms, WordConfidence, WordConfidences,
};
use bleuprint_testkit::random::Rng;
use serde::{Deserialize, Serialize};
use serde_json::json;
use xtask::Result;

use super::corpus;
use super::outcome::{FloatBits, ParityReport, difference};
use super::topic::{ParityTopic, PartSize, SinglePart, TopicNeeds};

/// Place of the F-score among agwer's four numbers.
const F_SCORE: usize = 2;

/// Both lists of words have some of these; similar ones are substitutions that cost little where characters decide.
const WORDS: &[&str] = &[
    "zanzibar", "bar", "the", "ardea", "are", "nebraska", "alaska", "tolstoi", "toll", "eustace", "used",
    "to", "a", "day", "saw",
];

#[derive(Deserialize)]
struct RecognitionAnswer {
    /// The number of keywords in references and hypotheses, and of hits; words of the other list, errors of these, and edits and
    /// number of their characters.
    plain: Option<[u64; 7]>,
    chars: Option<[u64; 7]>,
    /// Recall, precision, F and error.
    agwer: Option<[Option<FloatBits>; 4]>,
    oracle: Option<FloatBits>,
    /// Expected calibration error and Brier score.
    calibration: Option<[Option<f64>; 2]>,
}

#[derive(Serialize)]
struct RecognitionCase {
    refs: Vec<String>,
    hyps: Vec<String>,
    /// Lists of hypotheses, one for each reference.
    lists: Vec<Vec<String>>,
    terms: Vec<&'static str>,
    others: Vec<&'static str>,
    sure: Vec<f64>,
    right: Vec<u8>,
    bins: usize,
}

pub(super) const TOPIC: ParityTopic = ParityTopic {
    script: include_str!("recognition.py"),
    needs: TopicNeeds::Versions("", "programs"),
    seed: 36_002,
    parts: |_, _| {
        Ok(vec![Box::new(SinglePart {
            size: PartSize::whole(10_000, 100),
            draw: Box::new(RecognitionCase::random),
            question: Box::new(|cases| json!(cases)),
            compare: Box::new(|report, case, theirs| case.compare(report, &theirs)),
        })])
    },
};

impl RecognitionCase {
    fn random(rng: &mut Rng) -> Self {
        let some = |rng: &mut Rng| -> Vec<&'static str> {
            let count = rng.between(1, 5);
            let mut some: Vec<_> = (0..count).map(|_| *rng.pick(WORDS)).collect();
            some.sort_unstable();
            some.dedup();
            some
        };
        let terms = some(rng);
        let others = some(rng);
        let mut refs = Vec::new();
        let mut hyps = Vec::new();
        let mut lists = Vec::new();
        for _ in 0..rng.between(1, 4) {
            let words: Vec<&str> = (0..rng.between(1, 14)).map(|_| *rng.pick(WORDS)).collect();
            let noisy = |rng: &mut Rng| corpus::edited(&words, WORDS, 5, rng).join(" ");
            hyps.push(noisy(rng));
            lists.push((0..rng.between(1, 4)).map(|_| noisy(rng)).collect());
            refs.push(words.join(" "));
        }
        let items = rng.between(1, 40);
        let sure = (0..items).map(|_| rng.between(0, 1000) as f64 / 1e3).collect();
        let right = (0..items).map(|_| rng.below(2) as u8).collect();
        let bins = rng.between(1, 20);
        RecognitionCase { refs, hyps, lists, terms, others, sure, right, bins }
    }

    /// Returns the occurrences of a list in references and hypotheses and the hits; then recall, precision, F
    /// and error.
    fn ours(&self, words: &[&str], like: AlignmentProgram) -> Result<([u64; 3], [Option<FloatBits>; 4])> {
        let list = Arc::new(TermList::parse("terms", &words.join("\n"))?);
        let terms = Terms::new(list).like(like);
        let mut all = Accumulator::<_, [&str]>::new(terms.clone());
        for (hypothesis, reference) in self.hyps.iter().zip(&self.refs) {
            let [own, other] =
                [hypothesis, reference].map(|text| text.split_whitespace().collect::<Vec<&str>>());
            all.push(&own, &[&other])?;
        }
        let stats = all.total().stats();
        let counts = all.total().counts();
        let rates = [Rate::Recall, Rate::Precision, Rate::F1, Rate::Error].map(|rate| {
            let number = terms.clone().rate(rate).number(stats, counts);
            number.ok().map(FloatBits::from_value)
        });
        Ok((stats.counts().first().copied().unwrap_or_default(), rates))
    }

    fn compare(&self, report: &mut ParityReport, theirs: &RecognitionAnswer) -> Result {
        let shown = || json!(self).to_string();
        for (kind, like, theirs) in [
            ("texterrors", AlignmentProgram::Texterrors, theirs.plain),
            ("texterrors --use-chardiff", AlignmentProgram::CharDiff, theirs.chars),
        ] {
            let Some(theirs) = theirs else { continue };
            let [references, hypotheses, hits] = self.ours(&self.terms, like)?.0;
            let [others, _, found] = self.ours(&self.others, like)?.0;
            let mut chars = Accumulator::<_, [&str]>::new(
                TermCer::new(like).with_list(Arc::new(TermList::parse("terms", &self.others.join("\n"))?))?,
            );
            for (hypothesis, reference) in self.hyps.iter().zip(&self.refs) {
                let [own, other] =
                    [hypothesis, reference].map(|text| text.split_whitespace().collect::<Vec<&str>>());
                chars.push(&own, &[&other])?;
            }
            let chars = chars.total().stats();
            // The edits of a pair of words are not always the fewest there: rarely one more.
            let fewest = chars.edits..=chars.edits + others;
            let edits = if fewest.contains(&theirs[5]) { theirs[5] } else { chars.edits };
            let ours = [references, hypotheses, hits, others, others - found, edits, chars.chars];
            report.same(kind, &theirs, &ours, shown);
        }
        if let Some(theirs) = &theirs.agwer {
            let ours = self.ours(&self.terms, AlignmentProgram::Jiwer)?.1;
            // It takes recall from 1, we divide: the error is of whole counts.
            let near = |theirs: &Option<FloatBits>, ours: &Option<FloatBits>| match (theirs, ours) {
                (Some(theirs), Some(ours)) => (theirs.value() - ours.value()).abs() <= 1e-15,
                (theirs, ours) => theirs.is_none() == ours.is_none(),
            };
            // Without a hit agwer has no F-score, ours is 0, as 2·hits/(R + H) is.
            let no_hit = |place: usize, theirs: &Option<FloatBits>, ours: &Option<FloatBits>| {
                place == F_SCORE && theirs.is_none() && ours.is_some_and(|ours| ours.value() == 0.0)
            };
            let mut pairs = theirs.iter().zip(&ours).enumerate();
            let alike =
                pairs.all(|(place, (theirs, ours))| near(theirs, ours) || no_hit(place, theirs, ours));
            let line = (!alike).then(|| format!("theirs {theirs:?}, ours {ours:?}"));
            report.case("agwer", line, shown);
        }
        for (of, theirs) in [CalibrationOf::Ece, CalibrationOf::Brier]
            .into_iter()
            .zip(theirs.calibration.into_iter().flatten())
        {
            let Some(theirs) = theirs else { continue };
            let pairs = self.sure.iter().zip(&self.right);
            let items = pairs.map(|(sure, right)| WordConfidence::Known(*sure, *right == 1)).collect();
            let mut all = Accumulator::<_, WordConfidences, String>::new(
                CalibrationError::new(of, self.bins)?.of_given(),
            );
            all.push_segment(Segment::with_source(&WordConfidences(items), &[], None))?;
            let ours = all.score()?.value();
            let line = ((ours - theirs).abs() > 1e-12).then(|| format!("theirs {theirs}, ours {ours}"));
            report.case("calibration", line, shown);
        }
        if let Some(theirs) = &theirs.oracle {
            let mut all = Accumulator::<_, RankedHypotheses, String>::new(OracleWer::new(None));
            for (list, reference) in self.lists.iter().zip(&self.refs) {
                all.push_segment(Segment::with_source(&RankedHypotheses(list.clone()), &[reference], None))?;
            }
            let ours = FloatBits::from_value(all.score()?.value());
            report.case("texterrors --oracle-wer", difference("rate", theirs, &ours), shown);
        }
        Ok(())
    }
}
