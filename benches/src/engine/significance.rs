//! The tasks of significance: systems of one corpus tested against the first, from text to p-values.

use std::path::Path;

use bleuprint::inference::{Plan, Rows};
use bleuprint::text::Text;
use bleuprint::{Case, Result, TokenizerOptions, registry, tokenizer};
use bleuprint::{
    eval::{ChosenTokens, Panel, SystemsSegment, observe_each},
    inference::{self, Precision, Significance, Tested, rows_of},
};

use super::answer::{Answer, Task};

/// The number of resamples, sacreBLEU's default; and of trials, below its default.
const COUNT: usize = 1_000;

/// The task of this name, if it is one of these.
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
        let rows = rows(&panel, &systems, &streams)?;
        return Ok(Box::new(move || score(&panel, &rows, test).map_err(|error| error.to_string())));
    }
    Ok(Box::new(move || {
        let scored = rows(&panel, &systems, &streams).and_then(|rows| score(&panel, &rows, test));
        scored.map_err(|error| error.to_string())
    }))
}

fn systems(folder: &Path) -> Result<(Vec<Text>, Vec<Text>)> {
    let (first, streams) = super::tasks::open(folder, "")?;
    let mut systems = vec![first];
    loop {
        let file = folder.join(format!("sys{}", systems.len()));
        if !file.exists() {
            return Ok((systems, streams));
        }
        systems.push(Text::open(file, Default::default())?);
    }
}

type Test = fn(&Significance<'_, Panel>, Plan) -> Result<Vec<Tested>>;

fn panel() -> Result<Panel, Box<dyn std::error::Error>> {
    let chosen = ChosenTokens::new(tokenizer("13a", &TokenizerOptions::default())?, Case::Mixed);
    Ok(Panel::new([registry().build("bleu")?], &chosen)?)
}

fn rows(panel: &Panel, systems: &[Text], streams: &[Text]) -> Result<Vec<Rows>> {
    let hypotheses = lines(systems);
    let references = lines(streams);
    let segment = |(hypotheses, references)| SystemsSegment { hypotheses, references, source: None };
    let pairs = hypotheses.iter().map(Vec::as_slice).zip(references.iter().map(Vec::as_slice));
    let segments: Vec<SystemsSegment<'_, str>> = pairs.map(segment).collect();
    let states = observe_each(panel, &segments)?;
    let rows = |system: usize| rows_of(panel, states.iter().map(|of_segment| &of_segment[system]));
    (0..systems.len()).map(rows).collect()
}

fn score(panel: &Panel, rows: &[Rows], test: Test) -> Result<Answer> {
    let tests = Significance::of_rows(panel, rows, Precision::Sacrebleu)?;
    let tested = test(&tests, Plan::of(COUNT))?;
    // In sacreBLEU's form, without what the first system lacks.
    let numbers = |one: &Tested| {
        let interval = one.interval.map(|interval| [interval.mean, interval.half_width]);
        [one.score].into_iter().chain(interval.into_iter().flatten()).chain(one.p_value).collect::<Vec<f64>>()
    };
    Ok(Answer::Sentences(tested.iter().flat_map(numbers).collect()))
}

fn lines(texts: &[Text]) -> Vec<Vec<&str>> {
    let segments = texts.first().map_or(0, Text::len);
    (0..segments).map(|segment| texts.iter().map(|text| text.line(segment)).collect()).collect()
}
