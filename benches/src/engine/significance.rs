//! Tasks of significance: systems of one corpus are tested against the first one, from text to p-values.

use std::path::Path;

use bleuprint::inference::{CountRows, ResamplePlan};
use bleuprint::text::FileText;
use bleuprint::{Case, Result, TokenizerOptions, registry, tokenizer};
use bleuprint::{
    eval::{ChosenTokens, Panel, SystemsSegment, observe_systems},
    inference::{self, Precision, Significance, Tested, rows_of},
};

use super::answer::{Task, TaskAnswer};
use super::catalogue::open;

/// Number of resamples, sacreBLEU's default; also the number of trials, which is below its default.
const COUNT: usize = 1_000;

/// Prepares the task of this name, or returns `None` if this module does not have it.
pub(crate) fn prepare(task: &str, folder: &Path) -> Option<Result<Task, String>> {
    let test: Test = match task {
        "paired-bs" | "bootstrap" => |tests, plan| tests.paired(inference::Test::Bootstrap, plan, None),
        "paired-ar" => |tests, plan| tests.paired(inference::Test::Randomization, plan, None),
        _ => return None,
    };
    Some(prepare_test(task, folder, test).map_err(|error| error.to_string()))
}

fn prepare_test(task: &str, folder: &Path, test: Test) -> Result<Task, Box<dyn std::error::Error>> {
    let (systems, streams) = systems(folder)?;
    let panel = panel()?;
    if task == "bootstrap" {
        // Counting is outside of the timed work here, because this task measures the test alone.
        let rows = rows(&panel, &systems, &streams)?;
        return Ok(Box::new(move || score(&panel, &rows, test).map_err(|error| error.to_string())));
    }
    Ok(Box::new(move || {
        let scored = rows(&panel, &systems, &streams).and_then(|rows| score(&panel, &rows, test));
        scored.map_err(|error| error.to_string())
    }))
}

fn systems(folder: &Path) -> Result<(Vec<FileText>, Vec<FileText>)> {
    let (first, streams) = open(folder, "")?;
    let mut systems = vec![first];
    loop {
        let file = folder.join(format!("sys{}", systems.len()));
        if !file.exists() {
            return Ok((systems, streams));
        }
        systems.push(FileText::open(file, Default::default())?);
    }
}

type Test = fn(&Significance<'_, Panel>, ResamplePlan) -> Result<Vec<Tested>>;

fn panel() -> Result<Panel, Box<dyn std::error::Error>> {
    let chosen = ChosenTokens::new(tokenizer("13a", &TokenizerOptions::default())?, Case::Mixed);
    Ok(Panel::new([registry().build("bleu")?], &chosen)?)
}

fn rows(panel: &Panel, systems: &[FileText], streams: &[FileText]) -> Result<Vec<CountRows>> {
    let hypotheses = lines(systems);
    let references = lines(streams);
    let segment = |(hypotheses, references)| SystemsSegment { hypotheses, references, source: None };
    let pairs = hypotheses.iter().map(Vec::as_slice).zip(references.iter().map(Vec::as_slice));
    let segments: Vec<SystemsSegment<'_, str>> = pairs.map(segment).collect();
    let states = observe_systems(panel, &segments)?;
    let rows = |system: usize| rows_of(panel, states.iter().map(|of_segment| &of_segment[system]));
    (0..systems.len()).map(rows).collect()
}

fn score(panel: &Panel, rows: &[CountRows], test: Test) -> Result<TaskAnswer> {
    let tests = Significance::of_rows(panel, rows, Precision::Sacrebleu)?;
    let tested = test(&tests, ResamplePlan::new(COUNT))?;
    // The form is sacreBLEU's: the first system has no p-value.
    let numbers = |one: &Tested| {
        let interval = one.interval.map(|interval| [interval.mean, interval.half_width]);
        [one.score].into_iter().chain(interval.into_iter().flatten()).chain(one.p_value).collect::<Vec<f64>>()
    };
    Ok(TaskAnswer::Sentences(tested.iter().flat_map(numbers).collect()))
}

fn lines(texts: &[FileText]) -> Vec<Vec<&str>> {
    let segments = texts.first().map_or(0, FileText::len);
    (0..segments).map(|segment| texts.iter().map(|text| text.line(segment)).collect()).collect()
}
