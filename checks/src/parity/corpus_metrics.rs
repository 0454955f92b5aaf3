//! NIST, CIDEr-D and SARI on random corpora, against NLTK, pycocoevalcap, and the functions of HF evaluate's SARI.
//!
//! HF evaluate downloads its script when it is used; gem-metrics-fork has the same functions on PyPI, and is used where it
//! is installed: `pip install --no-deps gem-metrics-fork==0.1.dev0` and `pip install sacremoses` in the environment of
//! this comparison. EASSE is not on PyPI. mteval is a Perl script that is not on PyPI either.

use bleuprint::metrics::cider::ReferenceDocuments;
use bleuprint::metrics::nist::{Information, NistArithmetic, ReferenceNgrams};
use bleuprint::{
    Accumulator, InputError, Observe, Score, Segment,
    metrics::{Cider, Nist, Sari},
};
use bleuprint_testkit::random::Rng;
use serde::Serialize;
use serde_json::{Value, json};
use xtask::Result;

use super::corpus;
use super::outcome::{FloatBits, ParityReport};
use super::topic::{AnyPart, ParityTopic, PartSize, TopicNeeds, TopicPart};
use crate::pieces;

struct CorpusProgram {
    name: &'static str,
    /// Largest accepted difference, relative if the score is above 1; 0 requires equal bits.
    tolerance: f64,
    ours: fn(&MetricCorpus) -> Result<Vec<f64>>,
}

const PROGRAMS: &[CorpusProgram] = &[
    CorpusProgram { name: "nist", tolerance: 1e-12, ours: nist },
    CorpusProgram { name: "cider_d", tolerance: 1e-9, ours: cider },
    CorpusProgram { name: "sari", tolerance: 0.0, ours: sari },
];

#[derive(Debug, Serialize)]
struct MetricCorpus {
    sources: Vec<String>,
    hypotheses: Vec<String>,
    references: Vec<Vec<String>>,
    order: usize,
}

type Output = std::result::Result<Vec<FloatBits>, String>;

/// Compares random corpora of a tiny alphabet, with ragged references, short and empty segments.
pub(super) const TOPIC: ParityTopic = ParityTopic {
    script: include_str!("corpus_metrics.py"),
    needs: TopicNeeds::Nothing,
    seed: 20_020_324,
    parts: |_, oracle| {
        let installed = PROGRAMS.iter().filter(|program| oracle.has(program.name));
        let part = |program: &'static CorpusProgram| -> Box<dyn AnyPart> {
            let kind = format!("{} of {}", program.name, oracle.about["programs"][program.name]);
            Box::new(CorpusPart { program, kind })
        };
        Ok(installed.map(part).collect())
    },
};

struct CorpusPart {
    program: &'static CorpusProgram,
    kind: String,
}

impl TopicPart for CorpusPart {
    type Shared = ();
    type Case = MetricCorpus;
    type Answer = Output;

    /// Returns a number of scores.
    fn size(&self) -> PartSize {
        PartSize::whole(100_000, 500)
    }

    fn share(&mut self, _rng: &mut Rng) -> Result {
        Ok(())
    }

    fn draw(&mut self, rng: &mut Rng, _shared: &()) -> MetricCorpus {
        corpus(rng)
    }

    fn weight(&self, corpus: &MetricCorpus) -> usize {
        if self.program.name == "nist" { 1 } else { corpus.hypotheses.len() }
    }

    fn question(&self, _shared: &(), corpora: &[MetricCorpus]) -> Result<Value> {
        Ok(json!({ "program": self.program.name, "corpora": corpora }))
    }

    fn compare(
        &mut self,
        report: &mut ParityReport,
        _: &(),
        corpus: &MetricCorpus,
        theirs: Output,
    ) -> Result {
        for difference in differences(&theirs, &(self.program.ours)(corpus), self.program.tolerance) {
            report.case(&self.kind, difference, || json!(corpus).to_string());
        }
        Ok(())
    }
}

/// Returns the difference for each score; two errors agree.
fn differences(theirs: &Output, ours: &Result<Vec<f64>>, tolerance: f64) -> Vec<Option<String>> {
    match (theirs, ours) {
        (Err(_), Err(_)) => vec![None],
        (Ok(theirs), Ok(ours)) if theirs.len() == ours.len() => {
            let one = |(&theirs, &ours): (&FloatBits, &f64)| {
                let value = theirs.value();
                let near = tolerance > 0.0 && (value - ours).abs() <= tolerance * value.abs().max(1.0);
                let equal = theirs == FloatBits::from_value(ours) || near || value == 0.0 && ours == 0.0;
                (!equal).then(|| format!("theirs {value:?}, ours {ours:?}"))
            };
            theirs.iter().zip(ours).map(one).collect()
        }
        _ => vec![Some(format!("theirs {theirs:?}, ours {ours:?}"))],
    }
}

type Words<'a> = Vec<&'a str>;

fn words(text: &str) -> Words<'_> {
    text.split_whitespace().collect()
}

/// Returns the result of `look` for each segment.
fn each<'a, R>(
    corpus: &'a MetricCorpus,
    mut look: impl FnMut(Segment<'_, [&'a str]>) -> std::result::Result<R, InputError>,
) -> Result<Vec<R>> {
    let texts = corpus.sources.iter().zip(&corpus.hypotheses).zip(&corpus.references);
    let one = |((source, hypothesis), references): ((&'a String, &'a String), &'a Vec<String>)| {
        let source = words(source);
        let hypothesis = words(hypothesis);
        let references: Vec<Words<'_>> = references.iter().map(|text| words(text)).collect();
        let references: Vec<&[&str]> = references.iter().map(Vec::as_slice).collect();
        look(Segment::with_source(&hypothesis[..], &references, Some(&source[..])))
    };
    Ok(texts.map(one).collect::<std::result::Result<_, _>>()?)
}

fn nist(corpus: &MetricCorpus) -> Result<Vec<f64>> {
    let order = ReferenceNgrams::new(corpus.order).unwrap_or_default();
    let mut first = Accumulator::<_, [&str]>::new(order);
    each(corpus, |segment| first.add(segment))?;
    let mut second =
        Accumulator::new(Nist::new(Information::new(first.total().stats(), NistArithmetic::Nltk)));
    each(corpus, |segment| second.add(segment))?;
    Ok(vec![second.score()?.score.value()])
}

fn cider(corpus: &MetricCorpus) -> Result<Vec<f64>> {
    let mut first = Accumulator::<_, [&str]>::new(ReferenceDocuments::default());
    each(corpus, |segment| first.add(segment))?;
    of_segments(Cider::d(first.total().stats()), corpus)
}

fn sari(corpus: &MetricCorpus) -> Result<Vec<f64>> {
    of_segments(Sari, corpus)
}

fn of_segments<'a, M>(metric: M, corpus: &'a MetricCorpus) -> Result<Vec<f64>>
where
    M: Observe<[&'a str]>,
    M::Score: Score,
{
    let mut observed = Accumulator::new(&metric);
    let states = each(corpus, |segment| observed.push_segment(segment))?;
    states.into_iter().map(|state| Ok(state.score(&metric)?.score.value())).collect()
}

fn corpus(rng: &mut Rng) -> MetricCorpus {
    let segments = if rng.chance(300) { 1 } else { rng.between(2, 6) };
    let number = rng.between(1, 3);
    let mut corpus = MetricCorpus {
        sources: Vec::new(),
        hypotheses: Vec::new(),
        references: Vec::new(),
        order: *rng.pick(&[1, 2, 3, 4, 5, 5, 5]),
    };
    for _ in 0..segments {
        let source = tokens(rng);
        let mut like = || {
            let like = if rng.chance(750) { source.clone() } else { tokens(rng) };
            corpus::edited(&like, pieces::pieces("letters-and-0"), 4, rng).join(" ")
        };
        corpus.hypotheses.push(like());
        corpus.references.push((0..number).map(|_| like()).collect());
        corpus.sources.push(source.join(" "));
    }
    corpus
}

fn tokens(rng: &mut Rng) -> Vec<&'static str> {
    let len = match rng.below(12) {
        0 => 0,
        1..=3 => rng.between(1, 4),
        _ => rng.between(4, 20),
    };
    (0..len).map(|_| *rng.pick(pieces::pieces("letters-and-0"))).collect()
}
