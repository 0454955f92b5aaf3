//! `score --confidence`, `--paired-bs` and `--paired-ar`: intervals and p-values next to the scores.

use bleuprint::eval::evaluation::Run;
use bleuprint::inference::Precision;
use bleuprint::inference::ResamplePlan;
use bleuprint::report::{self, MetricColumn, TableForm, banner, short_names, tests_json};
use bleuprint_requests::failure::{Result, fail};
use bleuprint_requests::resampling::Seed;
use bleuprint_requests::significance::{TestKind, TestRequest};
use clap::{Arg, ArgMatches};

use crate::shared::args::{self, ArgumentValues as _, flag, number};
use crate::shared::command::Out;
use crate::shared::output::{OutputRequest, column, tell_apart, write_columns, write_system};

pub(super) fn options() -> impl Iterator<Item = Arg> {
    // For sacreBLEU 0 is the default of a paired test, and no interval at all.
    let count = |name| number(name, 1..=1_000_000_000);
    [
        flag("confidence").help("The 95 % interval of every score, by bootstrap [short: -ci]"),
        count("confidence-n").help("Resamples for --confidence [short: -cin] [default: 1000]"),
        flag("paired-bs")
            .conflicts_with("paired-ar")
            .help("Compare every system with the first by paired bootstrap [short: -pbs]"),
        count("paired-bs-n").help("Resamples for --paired-bs [short: -pbsn] [default: 1000]"),
        flag("paired-ar")
            .help("Compare every system with the first by paired approximate randomization [short: -par]"),
        count("paired-ar-n").help("Trials for --paired-ar [short: -parn] [default: 10000]"),
        flag("exact").help(
            "Use exact arithmetic in place of sacreBLEU's float32; it differs in late digits, and if a sum exceeds 2^24",
        ),
        number("paired-jobs", 0..=1024).short('j').hide(true).help("As --threads; 0 is all cores"),
    ]
    .into_iter()
    .map(|arg| arg.help_heading(args::STATISTICS))
}

pub(super) fn request(matches: &ArgMatches) -> Result<Option<TestRequest>> {
    let precision = if matches.get_flag("exact") { Precision::Exact } else { Precision::Sacrebleu };
    let kinds = [
        (TestKind::Confidence, "confidence", "confidence-n", ResamplePlan::RESAMPLES),
        (TestKind::Bootstrap, "paired-bs", "paired-bs-n", ResamplePlan::RESAMPLES),
        (TestKind::Randomization, "paired-ar", "paired-ar-n", ResamplePlan::TRIALS),
    ];
    for (_, flag, count, _) in kinds {
        if matches.contains_id(count) && !matches.get_flag(flag) {
            fail!("--{count} has no effect without --{flag}");
        }
    }
    let mut asked = kinds.into_iter().filter(|(_, flag, ..)| matches.get_flag(flag));
    let (kind, _, count, default) = match (asked.next(), asked.next()) {
        (None, _) if precision == Precision::Exact => {
            fail!("--exact has no effect without --confidence, --paired-bs or --paired-ar")
        }
        (None, _) => return Ok(None),
        (Some(one), None) => one,
        _ => fail!("--confidence is part of --paired-bs, and --paired-ar has no intervals: give one"),
    };
    let count = matches.count(count).unwrap_or(default);
    Ok(Some(TestRequest { kind, count, seed: Seed::from_environment()?, precision }))
}

pub(super) fn write(run: &Run, request: &TestRequest, output: &OutputRequest, out: &mut Out) -> Result<()> {
    let systems = run.systems().len();
    if request.is_paired() && systems < 2 {
        fail!("a paired test compares systems: give at least two (-i BASELINE SYSTEM ..)");
    }
    let scores = run.scores()?;
    let tested = |(place, first)| {
        let results = request.results(run, place)?;
        Ok(column(first, &request.signed_of(run, &first.signature), output, results))
    };
    let mut columns = scores[0].iter().enumerate().map(tested).collect::<Result<Vec<_>>>()?;
    match (request.kind, systems) {
        (TestKind::Confidence, 1) if output.json || !output.shows_one_as_table() => {
            write_single(run, request, &columns, output, out)
        }
        _ => {
            tell_apart(&mut columns);
            write_systems(run, request, &columns, output, out)
        }
    }
}

fn write_single(
    run: &Run,
    request: &TestRequest,
    columns: &[MetricColumn],
    output: &OutputRequest,
    out: &mut Out,
) -> Result<()> {
    let mut scores = run.scores()?.swap_remove(0);
    for scored in &mut scores {
        scored.signature = request.signed_of(run, &scored.signature);
    }
    let confidences = columns.iter().map(|column| column.results[0].interval);
    write_system(scores.iter().zip(confidences), output, out)
}

fn write_systems(
    run: &Run,
    request: &TestRequest,
    columns: &[MetricColumn],
    output: &OutputRequest,
    out: &mut Out,
) -> Result<()> {
    let paired = request.is_paired();
    let named = |names: &[String]| if paired { with_baseline(names) } else { names.to_vec() };
    if output.json {
        writeln!(out, "{}", report::pretty(&tests_json(&named(run.systems()), columns), 4))?;
        return Ok(());
    }
    let names = named(&short_names(run.systems()));
    let note = if paired { explanation(request, &names[0], output.table) } else { String::new() };
    write_columns(&names, columns, &note, output, out)
}

/// Returns the names of systems, with the first system as the baseline. Unnamed systems are numbered from the
/// second.
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

fn explanation(request: &TestRequest, baseline: &str, form: TableForm) -> String {
    let count = request.count;
    let (title, shown, p) = match request.kind {
        TestKind::Randomization => (
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
    let title = if form == TableForm::Markdown { title } else { banner(&title) };
    format!(
        "{title}\n - Every system is compared with {baseline}.\n   Shown {shown}.\n\n - p is {p}.\n   \
         A difference with p <= 0.05 is marked with \"*\": the choice of segments alone hardly explains it.\n\n - \
         A mark says that two systems differ on such segments, not how much the difference matters to readers."
    )
}
