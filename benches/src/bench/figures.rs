//! Figures next to the rows of the engines. The scripts in `benches/peers` and the sections of `targets`
//! print them as lines of JSON, each with its target.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde::{Deserialize, Serialize};
use xtask::process::{self, output};
use xtask::{Result, root};

use super::row::{finely, time};
use super::tried;

/// Program that measures a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MeasuredProgram {
    /// Script that runs the program.
    Script(&'static str),
    /// Script that runs the program with the grammars of CodeBLEU.
    WithCode(&'static str),
    /// Section of `targets`.
    Targets,
}

use MeasuredProgram::{Script, Targets, WithCode};

/// Tasks, under the names that the scripts and `targets` use.
#[rustfmt::skip]
pub(crate) const TASKS: &[(&str, MeasuredProgram)] = &[
    ("steady", Script("doors")), ("json-lines", Script("doors")), ("two-lines", Script("doors")), ("python-sentences", Script("doors")),
    ("call-by-call", Script("calls")),
    ("second-core-score", Script("threads")), ("second-core-tests", Script("threads")),
    ("second-core-sessions", Script("threads")), ("second-core-python", Script("threads")),
    ("alignments", Script("speech")), ("normalizers", Script("speech")), ("speakers", Script("speech")),
    ("meetings", Script("speech")), ("turns", Script("speech")), ("alternatives", Script("speech")),
    ("keywords", Script("speech")), ("segments", Script("speech")),
    ("rouge-skip", Script("catalogue")), ("cosine", Script("catalogue")), ("bertscore", Script("catalogue")),
    ("captions", Script("catalogue")), ("meteor15", Script("catalogue")), ("ptb", Script("catalogue")), ("code", WithCode("catalogue")),
    ("ids", Targets), ("long-lines", Targets), ("rewards", Targets), ("sentences", Targets), ("threads", Targets),
];

/// Names of the tasks that need our wheel.
pub(crate) const WHEEL: [&str; 3] = ["python-sentences", "call-by-call", "second-core-python"];

/// Measured figure: a ratio of times, a rate or a time.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Figure {
    pub(crate) task: String,
    pub(crate) workload: String,
    /// Name and version of the peer; empty if the figure concerns only our program.
    pub(crate) peer: String,
    pub(crate) theirs: Option<f64>,
    pub(crate) ours: Option<f64>,
    /// Value of the figure; `None` if the peer is absent, and then `answers` has the reason.
    pub(crate) figure: Option<f64>,
    #[serde(default)]
    pub(crate) unit: String,
    pub(crate) wanted: Option<f64>,
    #[serde(default)]
    pub(crate) at_least: bool,
    pub(crate) answers: String,
}

/// Measures the figures of the wanted tasks. `data` is the folder of a corpus, with `{}` in place of the
/// corpus's name.
pub(crate) fn measure(
    python: &Path,
    program: impl Fn(&[&str]) -> Result<PathBuf>,
    data: &str,
    wants: impl Fn(&str) -> bool,
) -> Result<Vec<Figure>> {
    let chosen = |source| TASKS.iter().filter(move |(_, own)| *own == source).map(|(task, _)| *task);
    let mut figures = Vec::new();
    let sources = [
        WithCode("catalogue"),
        Script("doors"),
        Script("calls"),
        Script("threads"),
        Script("speech"),
        Script("catalogue"),
        Targets,
    ];
    for source in sources {
        let tasks: Vec<&str> = chosen(source).filter(|task| wants(task)).collect();
        if tasks.is_empty() {
            continue;
        }
        println!("  {}", tasks.join(", "));
        let mut command = match source {
            Targets => {
                let bench = ["bench", "--quiet", "--profile", "release", "--package", "bleuprint-benches"];
                let mut command = process::cargo(&root(), &bench);
                command.args(["--bench", "targets", "--", "--rows"]);
                command
            }
            Script(script) | WithCode(script) => {
                let features: &[&str] = if source == Script(script) { &[] } else { &["--features", "code"] };
                // Writing compiled Python files would change the checkout, so `-B` is set.
                let mut command = Command::new(python);
                command.args(["-B", "-X", "utf8"]).arg(root().join(format!("benches/peers/{script}.py")));
                command.args(["--rows", "--data", data]).arg(program(features)?);
                command
            }
        };
        // Every library has its own variable for the number of threads; all programs are compared in one
        // thread.
        let threads = ["RAYON_NUM_THREADS", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"];
        command.args(&tasks).envs(threads.map(|name| (name, "1")));
        // A script that fails is reported, and does not stop the other scripts.
        let found = output(&mut command).and_then(|said| parse(&said)).unwrap_or_else(|error| {
            println!("    {error}");
            tasks.iter().map(|task| Figure::failed(task)).collect()
        });
        found.iter().for_each(Figure::print);
        figures.extend(found);
    }
    Ok(figures)
}

fn parse(said: &str) -> Result<Vec<Figure>> {
    // Scripts may print remarks between the rows, so other lines are skipped.
    let rows = said.lines().filter(|line| line.starts_with('{'));
    let row = |line| {
        serde_json::from_str(line).map_err(|error| format!("a row has another shape: {error}: {line}"))
    };
    Ok(rows.map(row).collect::<std::result::Result<_, _>>()?)
}

/// Returns the section of the record, or an empty text without figures.
pub(crate) fn markdown(figures: &[Figure]) -> String {
    if figures.is_empty() {
        return String::new();
    }
    let mut text = "\n**beside the engines: our program from files to the output and the calls of peers, and `targets`**\n\n\
                    | workload | beside | its time | ours | figure | wanted | met | answers |\n\
                    |---|---|--:|--:|--:|--:|---|---|\n"
        .to_owned();
    figures.iter().for_each(|figure| text.push_str(&figure.markdown()));
    text
}

/// Returns a target as shown in a table, and whether the figure meets it. Both are empty if there is no
/// target.
pub(crate) fn bound(figure: f64, wanted: Option<f64>, at_least: bool) -> (String, &'static str) {
    let Some(wanted) = wanted else { return Default::default() };
    let met = if at_least { figure >= wanted } else { figure <= wanted };
    (format!("{} {wanted}", if at_least { "≥" } else { "≤" }), if met { "yes" } else { "**no**" })
}

impl Figure {
    fn failed(task: &str) -> Figure {
        Figure {
            task: task.to_owned(),
            workload: task.to_owned(),
            peer: String::new(),
            theirs: None,
            ours: None,
            figure: None,
            unit: String::new(),
            wanted: None,
            at_least: false,
            answers: "absent: failed".to_owned(),
        }
    }

    fn print(&self) {
        print!("    {}", self.markdown());
    }

    fn markdown(&self) -> String {
        let seconds = |seconds: Option<f64>| seconds.map_or_else(String::new, time);
        let (wanted, met) =
            self.figure.map_or_else(Default::default, |figure| bound(figure, self.wanted, self.at_least));
        // A speed is meaningful only if the results are equal.
        let met = if self.answers == "different" { "**no**" } else { met };
        let met = tried::linked(met, &self.task);
        let unit = if ["times", "x"].contains(&self.unit.as_str()) { "×" } else { &self.unit };
        let figure = self.figure.map_or_else(String::new, |figure| format!("{} {unit}", finely(figure)));
        format!(
            "| {} | {} | {} | {} | {figure} | {wanted} | {met} | {} |\n",
            self.workload,
            self.peer,
            seconds(self.theirs),
            seconds(self.ours),
            self.answers.replace('|', "/").replace('\n', " "),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_and_shown() {
        let said = "an interpreter's remark\n\
            {\"task\": \"segments\", \"workload\": \"resegment\", \"peer\": \"mweralign 1.4.1\", \"theirs\": 0.5, \"ours\": 0.01, \
             \"figure\": 50.0, \"unit\": \"times\", \"wanted\": 50, \"at_least\": true, \"answers\": \"equal\"}\n\
            {\"task\": \"bertscore\", \"workload\": \"bertscore\", \"peer\": \"torch\", \"answers\": \"absent: not installed\"}\n";
        let figures = parse(said).unwrap();
        assert_eq!(
            figures.iter().map(Figure::markdown).collect::<Vec<_>>(),
            [
                "| resegment | mweralign 1.4.1 | 500.0 ms | 10.0 ms | 50 × | ≥ 50 | yes | equal |\n",
                "| bertscore | torch |  |  |  |  |  | absent: not installed |\n",
            ]
        );
        let differs = Figure { answers: "different".to_owned(), ..figures[0].clone() };
        assert!(
            differs.markdown().ends_with("| **no** ([tried](../README.md#resegmentation)) | different |\n")
        );
        assert!(parse("{}").is_err());
    }

    #[test]
    fn bounds_are_from_both_sides() {
        assert_eq!(bound(1.2, Some(1.15), false), ("≤ 1.15".to_owned(), "**no**"));
        assert_eq!(bound(1.2, Some(1.15), true), ("≥ 1.15".to_owned(), "yes"));
        assert_eq!(bound(1.2, None, true), (String::new(), ""));
    }

    #[test]
    fn the_scripts_have_the_tasks() {
        for (task, source) in TASKS {
            let file = match source {
                Script(script) | WithCode(script) => format!("peers/{script}.py"),
                Targets => "targets/main.rs".to_owned(),
            };
            let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(&file)).unwrap();
            let named = if *source == Targets {
                format!("(\"{task}\", ")
            } else {
                format!("def {}(", task.replace('-', "_"))
            };
            assert!(text.contains(&named), "{task} in {file}");
        }
    }
}
