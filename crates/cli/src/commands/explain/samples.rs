//! Implements `explain --samples`: prints pass@k and related scores with a confidence band for each k, or
//! finds the definitions that give a reported number.

use bleuprint::families::samples::{
    CountedSamples, CurveBand, Prompt, PromptNumber, SampleTally, Samples, Threshold, band, wrong,
};
use bleuprint::inference::ResamplePlan;
use bleuprint::text::read::{EmptyReferences, FieldReader, ReadSegment, Systems};
use bleuprint::{Accumulator, AnyMetric, InputError, InputErrorKind, Location, report};
use bleuprint_inputs::own::{self, OwnKeys};
use serde_json::{Value, json};

use crate::shared::command::*;

/// Values of k, the number of drawn samples, that are tried if `--k` is absent.
const KS: [u32; 14] = [1, 2, 3, 4, 5, 8, 10, 16, 20, 32, 50, 64, 100, 128];
/// Thresholds of G-Pass@k that are tried: shares of samples that must be correct.
const THRESHOLDS: [&str; 5] = ["0.25", "0.5", "0.55", "0.75", "1"];
/// Exit code of `explain --samples` if no definition gives the reported number.
const NOTHING_FITS: u8 = 1;

pub(super) struct SamplesRequest {
    file: String,
    /// Values of k, the number of drawn samples, to try; [`KS`] if empty.
    ks: Vec<u32>,
    target: Option<String>,
    json: bool,
}

pub(super) fn arguments() -> [Arg; 2] {
    [
        option("samples", "FILE").conflicts_with_all(["references", "input", "rates", "tokenizers", "working", "most"]).help(
            "Explain pass@k in place of BLEU, from the samples of prompts as JSON Lines: the curve over k with its band, or \
             with --target the definitions and the wrong versions that give this share",
        ),
        args::number("k", 1..=10_000).num_args(1..).requires("samples").help(format!(
            "The numbers of samples drawn [default: those of {} that prompts have]",
            KS.map(|k| k.to_string()).join(" ")
        )),
    ]
}

impl SamplesRequest {
    pub(super) fn new(matches: &ArgMatches) -> Option<Self> {
        let ks = matches.get_many::<u64>("k").into_iter().flatten();
        Some(SamplesRequest {
            file: matches.text("samples")?,
            ks: ks.map(|k| *k as u32).collect(),
            target: matches.text("target"),
            json: matches.is_json(),
        })
    }

    pub(super) fn run(mut self, out: &mut Out) -> Result<()> {
        let prompts = read(&self.file)?;
        self.ks.sort_unstable();
        self.ks.dedup();
        match &self.target {
            Some(target) => self.ways(&prompts, target, out),
            None => self.curve(&prompts, out),
        }
    }

    fn curve(&self, prompts: &SampleTally<CountedSamples>, out: &mut Out) -> Result<()> {
        let fewest = prompts.iter().map(|(cell, _)| cell.n).min().unwrap_or_default();
        let ks = if self.ks.is_empty() { KS.to_vec() } else { self.ks.clone() };
        // Without --k, values above the fewest samples of a prompt are left out; with --k they are an error.
        let there = |k: &u32| *k <= fewest || !self.ks.is_empty();
        let ks: Vec<f64> = ks.iter().filter(|k| there(k)).map(|k| f64::from(*k)).collect();
        let samples = Samples::new(PromptNumber::Pass, Some(&ks), None)?;
        let points = band(&samples, prompts, ResamplePlan::new(ResamplePlan::RESAMPLES))?;
        if self.json {
            let point = |point: &CurveBand| {
                // Prompts that do not differ show no spread, and no band of width 0.
                let ends =
                    |ends: [f64; 2]| if point.standard_error > 0.0 { json!(ends) } else { Value::Null };
                json!({
                    "k": point.k, "value": point.value, "standard_error": point.standard_error,
                    "interval": ends([point.single.lower, point.single.upper]),
                    "band": ends([point.lower, point.upper]),
                })
            };
            writeln!(out, "{}", report::pretty(&points.iter().map(point).collect(), 1))?;
            return Ok(());
        }
        writeln!(out, "{:>6}  {:>7}  {:>15}  {:>15}", "k", "pass@k", "at this k", "at all k")?;
        for CurveBand { k, value, single, lower, upper, standard_error, .. } in points {
            let (alone, all) = match standard_error > 0.0 {
                true => (ends(single.lower, single.upper), ends(lower, upper)),
                false => ("none".to_owned(), "none".to_owned()),
            };
            writeln!(out, "{k:>6}  {value:>7.4}  {alone:>15}  {all:>15}")?;
        }
        Ok(())
    }

    fn ways(&self, prompts: &SampleTally<CountedSamples>, target: &str, out: &mut Out) -> Result<()> {
        let ks = if self.ks.is_empty() { &KS[..] } else { &self.ks };
        let thresholds = THRESHOLDS.iter().map(|text| text.parse::<Threshold>());
        let thresholds = thresholds.collect::<std::result::Result<Vec<_>, _>>()?;
        let ways = wrong::explain(prompts, target, ks, &thresholds)?;
        if self.json {
            let way = |way: &wrong::ReportedExplanation| json!({"way": way.way, "value": way.value, "right": way.right});
            writeln!(out, "{}", report::pretty(&ways.iter().map(way).collect::<Value>(), 1))?;
        } else if ways.is_empty() {
            writeln!(
                out,
                "nothing fits: no tried definition and no tried wrong version gives this number at these k"
            )?;
        } else {
            for wrong::ReportedExplanation { way, value, right, .. } in &ways {
                writeln!(out, "{value:>8.4}  {:<5}  {way}", if *right { "right" } else { "wrong" })?;
            }
        }
        if ways.is_empty() { Err(Failure::Verdict(NOTHING_FITS)) } else { Ok(()) }
    }
}

fn ends(lower: f64, upper: f64) -> String {
    format!("{lower:.4}..{upper:.4}")
}

fn read(file: &str) -> Result<SampleTally<CountedSamples>> {
    let samples = Samples::default();
    let mut prompts = Accumulator::<_, Prompt>::new(samples.clone());
    let metric = AnyMetric::for_own::<Prompt, _>(samples);
    let Some(form) = metric.view.form else { fail!("pass@k has no form of records") };
    let mut fields = FieldReader::open(file, None)?;
    let mut systems = Systems::new(file);
    let empty_references = EmptyReferences::default();
    while fields.advance()? {
        let [system, id, document] = ["system", "id", "document"].map(|name| fields.segment_label(name));
        let row = ReadSegment { system: system?, id: id?, document: document?, ..ReadSegment::default() };
        systems.add(&row).map_err(|error| error.at(fields.location()))?;
        let record =
            own::record(&fields, &form, OwnKeys { taken: &[], of_segments: true, empty_references })?;
        let Some(prompt) = record.hypothesis().downcast_ref::<Prompt>() else { continue };
        prompts.push(prompt, &[]).map_err(|error| error.renumbered(fields.location()))?;
    }
    if prompts.total().counts().segments == 0 {
        let empty = InputError::from(InputErrorKind::EmptyCorpus);
        return Err(empty.at(Location::file(file)).into());
    }
    Ok(prompts.total().stats().clone())
}
