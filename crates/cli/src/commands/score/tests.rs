//! `score --confidence`, `--paired-bs` and `--paired-ar`: intervals and p-values beside the scores.

use std::io::Write;

use bleuprint::eval::Significance;
use bleuprint::eval::resample::{Interval, Rows};
use bleuprint::report::{
    self, Confidence, MetricColumn, SystemResult, banner, json_with_confidence, line_with_confidence,
    score_with_confidence, signature_block, systems_json, systems_latex, systems_table,
};
use bleuprint::{AnyScore, InputErrorKind, Scored, Signature};

use super::counted::Counted;
use super::options::{Kind, TestRequest};
use crate::Failure;
use crate::output::{aligned, write_list};
use crate::request::OutputRequest;

/// Tests, and writes what comes out.
pub(crate) fn run(
    counted: &Counted,
    request: &TestRequest,
    output: &OutputRequest,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let systems = counted.systems.len();
    if request.kind != Kind::Confidence && systems < 2 {
        let message = "a paired test compares systems: give at least two (-i BASELINE SYSTEM ..)";
        return Err(Failure::Message(message.to_owned()));
    }
    let columns = columns(counted, request, output)?;
    match (request.kind, systems) {
        (Kind::Confidence, 1) => write_single(counted, request, &columns, output, out),
        _ => write_systems(counted, request, &columns, output, out),
    }
}

fn columns(
    counted: &Counted,
    request: &TestRequest,
    output: &OutputRequest,
) -> Result<Vec<MetricColumn>, Failure> {
    let scores =
        (0..counted.systems.len()).map(|system| counted.scores(system)).collect::<Result<Vec<_>, _>>()?;
    let column = |place: usize| {
        let first = &scores[0][place];
        let results = tested(counted, request, place, &scores)?;
        let signature = signed(&first.signature, request);
        Ok(MetricColumn {
            name: first.score.name.clone(),
            signature: signature.body(),
            short_signature: signature.short(),
            decimals: report::decimals(&first.score.scale, output.style),
            results,
        })
    };
    (0..counted.metrics().len()).map(column).collect()
}

/// The signature with the test, as sacreBLEU prints it.
fn signed(signature: &Signature, request: &TestRequest) -> Signature {
    let test = if request.kind == Kind::Randomization { "ar" } else { "bs" };
    signature.clone().with(test, test, request.count).with("seed", "rs", &request.seed.printed)
}

fn tested(
    counted: &Counted,
    request: &TestRequest,
    place: usize,
    scores: &[Vec<Scored<AnyScore>>],
) -> Result<Vec<SystemResult>, Failure> {
    let metric = counted.metrics()[place];
    let score = |system: usize| scores[system][place].score.value;
    let tests = match Significance::new(metric, request.precision) {
        Ok(tests) => tests,
        // With other metrics beside it, a metric that cannot be tested shows its score.
        Err(error)
            if matches!(error.kind(), InputErrorKind::NotLinear { .. }) && counted.metrics().len() > 1 =>
        {
            let untested =
                |system| SystemResult { score: score(system), untested: true, ..SystemResult::default() };
            return Ok((0..scores.len()).map(untested).collect());
        }
        Err(error) => return Err(error.into()),
    };
    let rows = (0..scores.len()).map(|system| counted.rows(place, system)).collect::<Result<Vec<_>, _>>()?;
    let systems: Vec<&Rows> = rows.iter().collect();
    let interval = |interval: Interval| (interval.mean, interval.half_width);
    let results = match request.kind {
        Kind::Confidence => {
            let result = |(system, rows): (usize, &&Rows)| {
                let of_system = tests.confidence(rows, request.plan())?;
                Ok(SystemResult {
                    score: score(system),
                    interval: Some(interval(of_system)),
                    ..Default::default()
                })
            };
            return systems.iter().enumerate().map(result).collect();
        }
        Kind::Bootstrap => tests.paired_bootstrap(&systems, request.plan())?,
        Kind::Randomization => tests.paired_randomization(&systems, request.plan())?,
    };
    let result = |tested: &bleuprint::eval::Tested| SystemResult {
        score: tested.score,
        interval: tested.interval.map(interval),
        p_value: tested.p_value,
        untested: false,
    };
    Ok(results.iter().map(result).collect())
}

/// One system: lines or JSON as without a test, with the interval.
fn write_single(
    counted: &Counted,
    request: &TestRequest,
    columns: &[MetricColumn],
    output: &OutputRequest,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let mut scores = counted.scores(0)?;
    for scored in &mut scores {
        scored.signature = signed(&scored.signature, request);
    }
    let with = |column: &MetricColumn| {
        let (mean, half_width) = column.results[0].interval.unwrap_or_default();
        Confidence { mean, half_width }
    };
    let all = || scores.iter().zip(columns.iter().map(with));
    let style = output.style;
    if output.score_only {
        let numbers =
            all().map(|(scored, confidence)| score_with_confidence(&scored.score, confidence, style));
        return write_list(numbers.collect(), output, out);
    }
    if output.json {
        let objects = all()
            .map(|(scored, confidence)| report::pretty(&json_with_confidence(scored, confidence, style)));
        return write_list(objects.collect(), output, out);
    }
    let lines = all().map(|(scored, confidence)| line_with_confidence(scored, confidence, style));
    for line in aligned(lines.collect()) {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// Several systems: a table or a list, and what the test was.
fn write_systems(
    counted: &Counted,
    request: &TestRequest,
    columns: &[MetricColumn],
    output: &OutputRequest,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let paired = request.kind != Kind::Confidence;
    let names = if paired { with_baseline(&counted.systems) } else { counted.systems.clone() };
    if output.json {
        writeln!(out, "{}", report::pretty_systems(&systems_json(&names, columns)))?;
        return Ok(());
    }
    if output.latex {
        writeln!(out, "{}\n", systems_latex(&names, columns))?;
    } else {
        writeln!(out, "{}\n", systems_table(&names, columns, output.colour))?;
    }
    if paired {
        writeln!(out, "{}\n", explanation(request, &names[0]))?;
    }
    writeln!(out, "{}", signature_block(columns, output.style.short))?;
    Ok(())
}

/// The first system is the baseline, by its file or, of standard input, alone; the others are then counted from it.
fn with_baseline(systems: &[String]) -> Vec<String> {
    let unnamed = systems.iter().enumerate().all(|(index, name)| *name == format!("System {}", index + 1));
    let name = |(index, name): (usize, &String)| match (index, unnamed) {
        (0, true) => "Baseline".to_owned(),
        (0, false) => format!("Baseline: {name}"),
        (_, true) => format!("System {index}"),
        (_, false) => name.clone(),
    };
    systems.iter().enumerate().map(name).collect()
}

fn explanation(request: &TestRequest, baseline: &str) -> String {
    let count = request.count;
    let (title, shown, p) = match request.kind {
        Kind::Randomization => (
            format!("Paired approximate randomization test with {count} trials"),
            "is the score",
            "the share of trials in which swapping the outputs of the two systems at random gives a larger\n   \
             difference than the one seen",
        ),
        _ => (
            format!("Paired bootstrap resampling test with {count} resampling trials"),
            "are the score, and in parentheses the mean of the resampled scores with half of their 95% interval",
            "the share of resamples whose difference exceeds the mean difference by more than the one seen",
        ),
    };
    format!(
        "{}\n - Every system is compared with {baseline}.\n   Shown {shown}.\n\n - p is {p}.\n   \
         A difference with p <= 0.05 is marked with \"*\": the choice of segments alone hardly explains it.\n\n - \
         A mark says that two systems differ on such segments, not how much the difference matters to readers.",
        banner(&title)
    )
}
