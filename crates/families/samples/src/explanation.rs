//! The explanation `explain --samples`: prints pass@k and related scores with a confidence band for each k, or
//! finds the definitions that give a reported number.

use std::error::Error;
use std::fmt::Write;

use bleuprint_core::{Accumulator, InputError, InputErrorKind, Location};
use bleuprint_inference::ResamplePlan;
use bleuprint_registry::AnyMetric;
use bleuprint_text::{
    CommandAnswer, FamilyExplanation, FamilyOption, FamilyRequest, OptionValues, ProgramServices,
};
use serde_json::{Value, json};

use crate::wrong::{self, ReportedExplanation};
use crate::{CountedSamples, CurveBand, Prompt, PromptNumber, SampleTally, Samples, Threshold, band};

/// Values of k, the number of drawn samples, that are tried if `--k` is absent.
const KS: [u32; 14] = [1, 2, 3, 4, 5, 8, 10, 16, 20, 32, 50, 64, 100, 128];
/// Thresholds of G-Pass@k that are tried: shares of samples that must be correct.
const THRESHOLDS: [&str; 5] = ["0.25", "0.5", "0.55", "0.75", "1"];

/// The explanations of the family.
pub(crate) static EXPLANATIONS: &[FamilyExplanation] = &[FamilyExplanation {
    option: FamilyOption::value(
        "samples",
        "FILE",
        "Explain pass@k in place of BLEU, from the samples of prompts as JSON Lines: the curve over k with its band, or \
         with --target the definitions and the wrong versions that give this share",
    ),
    options: &[FamilyOption::value(
        "k",
        "N",
        "The numbers of samples drawn [default: those of 1 2 3 4 5 8 10 16 20 32 50 64 100 128 that prompts have]",
    )
    .takes(OptionValues::WholeNumbers(1, 10_000))],
    run,
}];

fn run(request: &FamilyRequest<'_>, out: &mut dyn Write) -> Result<CommandAnswer, Box<dyn Error>> {
    let prompts = read(request.option("samples").unwrap_or_default(), request.program)?;
    let ks = request.options_named("k").iter().map(|k| k.parse::<u32>());
    let mut ks = ks.collect::<Result<Vec<u32>, _>>()?;
    ks.sort_unstable();
    ks.dedup();
    let is_json = request.option("format") == Some("json");
    match request.option("target") {
        Some(target) => {
            let ks = if ks.is_empty() { &KS[..] } else { &ks };
            write_explanations(&explanations(&prompts, target, ks)?, is_json, request.program, out)
        }
        None => write_curve(curve(&prompts, &ks)?, is_json, request.program, out),
    }
}

/// Returns pass@k with its band for each k.
fn curve(prompts: &SampleTally<CountedSamples>, given: &[u32]) -> Result<Vec<CurveBand>, Box<dyn Error>> {
    let fewest = prompts.iter().map(|(cell, _)| cell.n).min().unwrap_or_default();
    // Without --k, values above the fewest samples of a prompt are left out; with --k they are an error.
    let ks: Vec<f64> = if given.is_empty() {
        KS.iter().filter(|k| **k <= fewest).map(|k| f64::from(*k)).collect()
    } else {
        given.iter().map(|k| f64::from(*k)).collect()
    };
    let samples = Samples::new(PromptNumber::Pass, Some(&ks), None)?;
    Ok(band(&samples, prompts, ResamplePlan::new(ResamplePlan::RESAMPLES))?)
}

fn write_curve(
    points: Vec<CurveBand>,
    is_json: bool,
    program: &dyn ProgramServices,
    out: &mut dyn Write,
) -> Result<CommandAnswer, Box<dyn Error>> {
    if is_json {
        let point = |point: &CurveBand| {
            // Prompts that do not differ show no spread, and no band of width 0.
            let ends = |ends: [f64; 2]| if point.standard_error > 0.0 { json!(ends) } else { Value::Null };
            json!({
                "k": point.k, "value": point.value, "standard_error": point.standard_error,
                "interval": ends([point.single.lower, point.single.upper]),
                "band": ends([point.lower, point.upper]),
            })
        };
        let points: Value = points.iter().map(point).collect();
        writeln!(out, "{}", program.indented_json(&points.to_string()))?;
        return Ok(CommandAnswer::Positive);
    }
    writeln!(out, "{:>6}  {:>7}  {:>15}  {:>15}", "k", "pass@k", "at this k", "at all k")?;
    for CurveBand { k, value, single, lower, upper, standard_error, .. } in points {
        let ends = |lower: f64, upper: f64| {
            if standard_error > 0.0 {
                format!("{}..{}", program.fixed(lower, 4), program.fixed(upper, 4))
            } else {
                "none".to_owned()
            }
        };
        let alone = ends(single.lower, single.upper);
        let all = ends(lower, upper);
        writeln!(out, "{k:>6}  {:>7}  {alone:>15}  {all:>15}", program.fixed(value, 4))?;
    }
    Ok(CommandAnswer::Positive)
}

/// Returns the definitions, and the wrong versions of them, that give the reported share.
fn explanations(
    prompts: &SampleTally<CountedSamples>,
    target: &str,
    ks: &[u32],
) -> Result<Vec<ReportedExplanation>, Box<dyn Error>> {
    let thresholds = THRESHOLDS.iter().map(|text| text.parse::<Threshold>());
    let thresholds = thresholds.collect::<Result<Vec<_>, _>>()?;
    Ok(wrong::explain(prompts, target, ks, &thresholds)?)
}

fn write_explanations(
    ways: &[ReportedExplanation],
    is_json: bool,
    program: &dyn ProgramServices,
    out: &mut dyn Write,
) -> Result<CommandAnswer, Box<dyn Error>> {
    if is_json {
        let way = |way: &ReportedExplanation| json!({"way": way.way, "value": way.value, "right": way.right});
        let ways: Value = ways.iter().map(way).collect();
        writeln!(out, "{}", program.indented_json(&ways.to_string()))?;
    } else if ways.is_empty() {
        writeln!(
            out,
            "nothing fits: no tried definition and no tried wrong version gives this number at these k"
        )?;
    } else {
        for ReportedExplanation { way, value, right, .. } in ways {
            let kind = if *right { "right" } else { "wrong" };
            writeln!(out, "{:>8}  {kind:<5}  {way}", program.fixed(*value, 4))?;
        }
    }
    Ok(if ways.is_empty() { CommandAnswer::Negative } else { CommandAnswer::Positive })
}

fn read(file: &str, program: &dyn ProgramServices) -> Result<SampleTally<CountedSamples>, Box<dyn Error>> {
    let samples = Samples::default();
    let mut prompts = Accumulator::<_, Prompt>::new(samples.clone());
    let metric = AnyMetric::for_own::<Prompt, _>(samples);
    let form = metric.view.form.ok_or("pass@k has no form of records")?;
    program.read_hypotheses(file, &form, &mut |data| match data.downcast_ref::<Prompt>() {
        Some(prompt) => prompts.push(prompt, &[]).map(|_| ()),
        None => Ok(()),
    })?;
    if prompts.total().counts().segments == 0 {
        let empty = InputError::from(InputErrorKind::EmptyCorpus);
        return Err(empty.at(Location::file(file)).into());
    }
    Ok(prompts.total().stats().clone())
}
