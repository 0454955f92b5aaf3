//! Diarization against pyannote.metrics, simpleder, spyder and md-eval, over random sessions.

use bleuprint::contract::{AnyForm, Data};
use bleuprint::{Accumulator, AnyMetric, Registry, Score as _, Segment};
use bleuprint_diarization::ENTRIES;
use bleuprint_testkit::random::Rng;
use serde::Deserialize;
use serde_json::{Value, json};
use xtask::Result;

use super::mappings::{FilePieces, Mapped};
use super::outcome::ParityReport;
use super::topic::{ParityTopic, PartSize, TopicNeeds, TopicPart};

/// Largest accepted differences: Python's programs add 64-bit floats, spyder 32-bit floats.
const NEAR: f64 = 1e-6;
/// Half a unit of the last digit that md-eval prints, for one number and for a sum.
const PRINTED: f64 = 0.0101;

#[derive(Deserialize)]
struct DiarizationAnswer {
    pyannote: Option<Vec<f64>>,
    simpleder: Option<Vec<f64>>,
    spyder: Option<f64>,
    /// Scored time, misses, false alarms and confusion in seconds.
    md_eval: Option<[Option<f64>; 4]>,
}

pub(super) const TOPIC: ParityTopic = ParityTopic {
    script: include_str!("diarization.py"),
    needs: TopicNeeds::Versions("", "programs"),
    seed: 3_600,
    parts: |comparison, oracle| {
        comparison.has_sctk(oracle, "md-eval")?;
        Ok(vec![Box::new(DiarizationPart)])
    },
};

struct DiarizationPart;

impl TopicPart for DiarizationPart {
    type Shared = ();
    type Case = DiarizationCase;
    type Answer = DiarizationAnswer;

    fn size(&self) -> PartSize {
        PartSize::whole(10_000, 250)
    }

    fn share(&mut self, _rng: &mut Rng) -> Result {
        Ok(())
    }

    fn draw(&mut self, rng: &mut Rng, _shared: &()) -> DiarizationCase {
        DiarizationCase::random(rng)
    }

    fn question(&self, _shared: &(), cases: &[DiarizationCase]) -> Result<Value> {
        Ok(Value::Array(cases.iter().map(DiarizationCase::question).collect::<Result<_>>()?))
    }

    fn compare(
        &mut self,
        report: &mut ParityReport,
        _shared: &(),
        case: &DiarizationCase,
        theirs: DiarizationAnswer,
    ) -> Result {
        case.compare(report, &theirs)
    }
}

#[derive(Clone)]
struct DiarizationCase {
    reference: Vec<(String, f64, f64)>,
    hypothesis: Vec<(String, f64, f64)>,
    regions: Option<Vec<(f64, f64)>>,
    collar: f64,
    skip: bool,
}

/// Returns turns on a coarse grid, so that borders meet. Turns of one speaker never overlap, because programs
/// differ there on purpose.
fn turns(rng: &mut Rng, names: &[&str], grid: f64) -> Vec<(String, f64, f64)> {
    let mut turns: Vec<(String, f64, f64)> = Vec::new();
    for _ in 0..rng.below(9) {
        let start = rng.below((40.0 * grid) as usize);
        let end = start + rng.between(1, (9.0 * grid) as usize);
        // Decimals, which a sum of two is not.
        let start = start as f64 / grid;
        let end = end as f64 / grid;
        let name = *rng.pick(names);
        if !turns.iter().any(|turn| turn.0 == name && turn.1 < end && start < turn.2) {
            turns.push((name.to_owned(), start, end));
        }
    }
    turns
}

impl DiarizationCase {
    fn random(rng: &mut Rng) -> Self {
        let grid = *rng.pick(&[1.0, 2.0, 10.0, 100.0]);
        let speakers = rng.between(1, 4);
        let clusters = rng.between(1, 5);
        let reference = turns(rng, &["A", "B", "C", "D"][..speakers], grid);
        let hypothesis = turns(rng, &["v", "w", "x", "y", "z"][..clusters], grid);
        let start = rng.below(10) as f64;
        let end = start + rng.between(1, 20) as f64;
        let regions = match rng.below(4) {
            0 => None,
            1 => Some(vec![(start, end)]),
            _ => Some(vec![(start, end), (end + 1.0, end + 1.0 + rng.between(1, 20) as f64)]),
        };
        DiarizationCase {
            reference,
            hypothesis,
            regions,
            collar: *rng.pick(&[0.0, 0.0, 0.25, 0.5, 1.0]),
            skip: rng.below(3) == 0,
        }
    }

    /// Returns the question for the oracle. Its field `scored` is `false` for files without scored time, at which
    /// md-eval aborts the whole run.
    fn question(&self) -> Result<Value> {
        let mut question = self.shown();
        question["scored"] = (self.regions.is_some() && self.ours(&self.like_md_eval())?.is_some()).into();
        Ok(question)
    }

    fn shown(&self) -> Value {
        json!({
            "ref": self.reference, "hyp": self.hypothesis, "uem": self.regions, "collar": self.collar, "skip": self.skip,
        })
    }

    fn like_md_eval(&self) -> String {
        let overlap = if self.skip { "skip" } else { "keep" };
        format!("der:like=md-eval,collar={},overlap={overlap}", self.collar)
    }

    /// Returns the metric's number and the parts of its score, or `None` if it has no number.
    fn ours(&self, name: &str) -> Result<Option<(Vec<f64>, Value)>> {
        let metric: AnyMetric = Registry::from_entries(ENTRIES)?.build(name)?;
        let form: AnyForm = metric.view.form.ok_or("a metric over turns")?;
        let hypothesis = form.hypothesis(&json!(self.hypothesis))?;
        let reference = form.reference(&json!(self.reference))?;
        let source = self.regions.as_ref().map(|regions| form.source(&json!(regions))).transpose()?;
        let mut all = Accumulator::<_, Data>::new(&metric);
        let references = [&*reference];
        if all.push_segment(Segment::with_source(&*hypothesis, &references, source.as_deref())).is_err() {
            return Ok(None);
        }
        let stats = serde_json::to_value(all.total())?;
        Ok(all.score().ok().map(|scored| (scored.score.headlines(), stats)))
    }

    fn compare(&self, report: &mut ParityReport, theirs: &DiarizationAnswer) -> Result {
        let DiarizationCase { collar, .. } = self;
        let uem = if self.regions.is_some() { "given" } else { "extent" };
        let overlap = if self.skip { "skip" } else { "keep" };
        let mut pairs: Vec<(&str, String, f64, usize)> = Vec::new();
        if let Some(numbers) = &theirs.pyannote {
            let of = |metric: &str| format!("{metric}:like=pyannote,collar={collar},uem={uem}");
            let names = [
                format!("{},overlap={overlap}", of("der")),
                of("detection"),
                "purity:like=pyannote,uem=extent".to_owned(),
                "purity:like=pyannote,uem=extent".to_owned(),
            ];
            for ((name, number), headline) in names.into_iter().zip(numbers).zip([0, 0, 0, 1]) {
                pairs.push(("pyannote.metrics", name, *number, headline));
            }
            if let (Some(theirs), false) = (numbers.get(4), self.reference.is_empty()) {
                let best: Vec<f64> = self.best(collar / 2.0, false, true).iter().map(|one| one.jer).collect();
                let ours = self.ours(&of("jer"))?.map(|(numbers, _)| numbers[0]);
                self.compare_among(report, "JER of pyannote.metrics", &best, [Some(*theirs), ours], NEAR);
            }
        }
        for number in theirs.simpleder.iter().flatten() {
            pairs.push(("simpleder", format!("der:like=simpleder,collar={collar},uem=extent"), *number, 0));
        }
        // Of all speech alone, as the numbers by overlap depend on the mapping. A collar leaves turns without time, which speak
        // until the end in that program.
        if let (Some(number), true) = (theirs.spyder, *collar == 0.0) {
            pairs.push(("spyder", format!("der:like=spyder,collar=0,uem={uem},overlap=keep"), number, 0));
        }
        for (program, name, theirs, headline) in pairs {
            let ours = self.ours(&name)?.map(|(numbers, _)| numbers[headline]);
            let near = |ours: f64| (ours - theirs).abs() <= NEAR * theirs.abs().max(1.0);
            let line = match ours {
                Some(ours) if near(ours) => None,
                ours => Some(format!("{name}: theirs {theirs}, ours {ours:?}")),
            };
            report.case(program, line, || self.shown().to_string());
        }
        if let Some([Some(scored), Some(miss), Some(false_alarm), Some(confusion)]) = theirs.md_eval
            && !(self.skip && self.has_overlap_up_to_a_border())
        {
            self.compare_times(report, [scored, miss, false_alarm, confusion])?;
        }
        Ok(())
    }

    /// Returns the best mappings under a collar of half this width. If `counting` is set, only scored time
    /// decides, as in some programs.
    fn best(&self, half: f64, skip: bool, counting: bool) -> Vec<Mapped> {
        let sides = [&self.reference[..], &self.hypothesis[..]];
        let all = || sides.iter().copied().flatten();
        let extent = (
            all().map(|turn| turn.1).fold(f64::INFINITY, f64::min),
            all().map(|turn| turn.2).fold(0.0, f64::max),
        );
        let regions = self.regions.clone().unwrap_or_else(|| vec![extent]);
        FilePieces::cut_at_borders(sides, &regions, half, skip).best(counting)
    }

    /// Checks that both numbers belong to best mappings; with a single best mapping they must be equal.
    fn compare_among(
        &self,
        report: &mut ParityReport,
        what: &str,
        best: &[f64],
        both: [Option<f64>; 2],
        near: f64,
    ) {
        let is_of = |number: &Option<f64>| {
            number.is_some_and(|number| best.iter().any(|one| (one - number).abs() <= near))
        };
        let several = best.iter().any(|one| (one - best[0]).abs() > near);
        let line =
            (!both.iter().all(is_of)).then(|| format!("theirs and ours {both:?}, of best mappings {best:?}"));
        let kind = format!("{what}{}", if several { " of several mappings" } else { "" });
        report.case(&kind, line, || self.shown().to_string());
    }

    /// Returns `true` if overlap of the reference continues across a border in a way that makes md-eval's
    /// `-1` score the time after it.
    fn has_overlap_up_to_a_border(&self) -> bool {
        let turns = &self.reference;
        let before = |at: f64| turns.iter().filter(|turn| turn.1 < at && at <= turn.2).count();
        let after = |at: f64| turns.iter().filter(|turn| turn.1 <= at && at < turn.2).count();
        let ends = |at: f64| self.regions.iter().flatten().any(|region| region.1 == at);
        let starts = |at: f64| turns.iter().any(|turn| turn.1 == at);
        let whole = |region: &(f64, f64)| starts(region.0) && after(region.0) > 1 && before(region.1) > 1;
        self.regions.iter().flatten().any(whole)
            || turns
                .iter()
                .map(|turn| turn.2)
                .any(|at| before(at) > 1 && (ends(at) || starts(at) && after(at) > 1))
    }

    fn compare_times(&self, report: &mut ParityReport, theirs: [f64; 4]) -> Result {
        let name = self.like_md_eval();
        let ours = self.ours(&name)?.map(|(_, state)| {
            let of = |column: &str| state["stats"][column].as_u64().unwrap_or_default() as f64 / 2e6;
            [of("miss") + of("confusion") + of("correct"), of("miss"), of("false_alarm"), of("confusion")]
        });
        let near = |(ours, theirs): (f64, f64)| (ours - theirs).abs() <= PRINTED;
        let line = match ours {
            Some(ours) if ours.into_iter().zip(theirs).take(3).all(near) => None,
            ours => Some(format!("{name}: theirs {theirs:?}, ours {ours:?}")),
        };
        report.case("md-eval", line, || self.shown().to_string());
        let best = self.best(self.collar, self.skip, false);
        let best: Vec<f64> = best.iter().map(|one| one.confusion).collect();
        let confusions = [Some(theirs[3]), ours.map(|ours| ours[3])];
        self.compare_among(report, "confusion of md-eval", &best, confusions, PRINTED);
        Ok(())
    }
}
