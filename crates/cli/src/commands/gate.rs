//! Implements `bleuprint gate`: checks new output against a stored baseline and a policy. The exit code tells
//! CI whether it passed.

use bleuprint::eval::evaluation::TextCorpus;
use bleuprint::gate::{self, Policy, write};
use bleuprint::inference::in_threads;
use bleuprint::report::{Colour, pretty};
use bleuprint::text;
use bleuprint_requests::data::{CountedInput, Reading};
use bleuprint_requests::warn;

use crate::shared::catalogue;
use crate::shared::command::*;
use crate::shared::counting::CountingRequest;
use crate::shared::numbers;
use crate::shared::output;
use crate::shared::places::{self, Holds, NumberPlace, append_text, write_text};
use crate::shared::readers;
use crate::shared::sources;
use crate::shared::vectors;

pub(crate) struct Gate {
    policy: String,
    counting: CountingRequest,
    reading: Reading,
    threads: Option<usize>,
    json: Option<String>,
    junit: Option<String>,
    summary: Option<String>,
    overwrite: bool,
    colour: Colour,
}

impl Subcommand for Gate {
    const NAME: &'static str = "gate";

    fn define(command: Command, families: &Families) -> Command {
        let file = |name| option(name, "FILE");
        let output = "The new output, or several runs of one recipe; else standard input";
        command
            .about("Judge new output against a stored baseline, under a policy")
            .after_help(
                "Exit codes: 0 pass, 1 fail, 2 error, 3 inconclusive. A baseline is made by `bleuprint stats`.",
            )
            .arg(file("policy").required(true).help("The policy, TOML; paths in it start from its folder"))
            .arg(sources::references().help("Reference files, one segment per line"))
            .arg(sources::systems().value_name("NEW").help(output))
            .arg(
                sources::source().help("The source texts of the output, for metrics that use them"),
            )
            .arg(sources::segments())
            .args(sources::records())
            .args(readers::options(families))
            .arg(sources::num_refs().default_value(None))
            .args(sources::reading())
            .args(numbers::options())
            .args(vectors::options())
            .arg(args::label())
            .arg(args::threads().help("Threads [default: all cores]; they never change a verdict"))
            .arg(file("json").help("Write the verdict as JSON"))
            .arg(file("junit").help("Write the verdict as JUnit XML"))
            .arg(
                file("summary")
                    .help("Append the verdict as Markdown [default: the file of GITHUB_STEP_SUMMARY]"),
            )
            .arg(args::overwrite("Write over files that are there and are no verdicts"))
            .arg(args::quiet())
            .arg(output::no_colour())
    }

    fn request(matches: &ArgMatches, families: &Families) -> Result<Self> {
        // GitHub Actions shows what is appended to this file on the page of the run.
        let step = || std::env::var("GITHUB_STEP_SUMMARY").ok().filter(|place| !place.is_empty());
        Ok(Gate {
            policy: matches.text("policy").unwrap_or_default(),
            counting: CountingRequest {
                sources: sources::request(matches, families)?,
                quiet: matches.get_flag("quiet"),
                ..CountingRequest::default()
            },
            reading: Reading { labels: matches.texts("label"), length: true, ..Reading::default() },
            threads: matches.count("threads"),
            json: matches.text("json"),
            junit: matches.text("junit"),
            summary: matches.text("summary").or_else(step),
            overwrite: matches.get_flag("overwrite"),
            colour: output::colour(matches),
        })
    }

    fn run(mut self, program: &CommandContext<'_>, out: &mut Out) -> Result<()> {
        let policy = Policy::parse(&self.policy, &policy_text(&self.policy)?, program.registry)?;
        // The policy names the metrics, so that the command line cannot change what is judged.
        self.counting.metrics.names = policy.metrics().into_iter().map(str::to_owned).collect();
        let inputs =
            [self.counting.files(program.registry), self.reading.files(), policy_files(&policy)].concat();
        places::check(&self.places(), &inputs, self.overwrite)?;
        let Gate { counting, reading, threads, json, junit, summary, colour, .. } = self;
        let quiet = counting.quiet;
        let data = counting.read(&reading, program.families)?;
        if let (CountedInput::Text { corpus, .. }, false) = (&data, quiet) {
            // Several systems of a gate are runs of one recipe, whose variation the test uses.
            note_copies(corpus);
        }
        let judged = || Ok::<_, Failure>(gate::judge(&policy, &data.counted()?)?);
        let verdict = in_threads(threads, judged)??;
        let write = |out: &mut Out| {
            if let Some(place) = &json {
                write_text(place, &(pretty(&write::json(&verdict), 1) + "\n"), out)?;
            }
            if let Some(place) = &junit {
                write_text(place, &write::junit(&verdict), out)?;
            }
            if let Some(place) = &summary {
                append_text(place, &write::summary(&verdict))?;
            }
            for line in write::text(&verdict, colour).lines() {
                let text = line.trim_start();
                catalogue::write_text(line.len() - text.len(), text, out)?;
            }
            Ok(out.flush()?)
        };
        // The verdict decides the exit code even if the reader of the text has stopped reading.
        match write(out) {
            Ok(()) | Err(Failure::OutputClosed) => Err(Failure::Verdict(verdict.exit_code())),
            Err(other) => Err(other),
        }
    }
}

impl Gate {
    /// Returns the command's output files. Files that an earlier call of `gate` wrote may be overwritten even
    /// without `--overwrite`.
    fn places(&self) -> Vec<NumberPlace<'_>> {
        let json = |head: &str| head.contains(&format!("\"format\": \"{}\"", write::FORMAT));
        let junit = |head: &str| head.contains(write::SUITES);
        let places = [
            ("--json", &self.json, Holds::Made { what: "verdict", begins: json }),
            ("--junit", &self.junit, Holds::Made { what: "verdict", begins: junit }),
            ("--summary", &self.summary, Holds::Appended),
        ];
        let place = |(option, file, holds)| {
            let file: &Option<String> = file;
            Some(NumberPlace { option, file: file.as_deref()?, holds })
        };
        places.into_iter().filter_map(place).collect()
    }
}

/// Returns the paths of the policy and its baselines. They are input files, which no output option may name,
/// even if the policy lets the gate record a baseline.
fn policy_files(policy: &Policy) -> Vec<String> {
    let baselines = policy.baselines().into_iter().map(|place| place.display().to_string());
    baselines.chain([policy.file.clone()]).collect()
}

fn policy_text(place: &str) -> Result<String> {
    let mut text = String::new();
    let mut source = text::read::open(place)?;
    std::io::Read::read_to_string(&mut source.reader, &mut text)
        .map_err(|error| Failure::Message(format!("{place}: {error}")))?;
    Ok(text)
}

/// Prints a note if two output files are equal, because copies show no variation between repeated runs.
fn note_copies(corpus: &TextCorpus) {
    for (second, name) in corpus.systems.iter().enumerate() {
        let same = |first: &usize| {
            let segments = &corpus.segments;
            let text = |system: usize, at: usize| segments[at].hypotheses.get(system);
            // Equal numbers without texts may be a coincidence, so only texts are compared.
            (0..segments.len()).all(|at| text(*first, at).is_some() && text(*first, at) == text(second, at))
        };
        if let Some(first) = (0..second).find(same) {
            let first = &corpus.systems[first];
            warn::note(&format!("{first} and {name} are the same output, so they do not count as two runs"));
        }
    }
}
