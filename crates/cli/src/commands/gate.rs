//! `bleuprint gate`: new output against a stored baseline, under a policy; the verdict is the exit code.

use std::io::Write as _;
use std::path::Path;

use bleuprint::eval::evaluation::TextCorpus;
use bleuprint::eval::in_threads;
use bleuprint::eval::store::AtomicFile;
use bleuprint::gate::{self, Policy, write};
use bleuprint::report::pretty;
use bleuprint::text;

use crate::evaluation::data::{Data, Reading};
use crate::shared::command::*;
use crate::shared::counting::Counting;
use crate::shared::metrics::MetricChoice;
use crate::shared::sources::{self, Sources};
use crate::shared::tokens::TokenRequest;
use crate::shared::warn;

/// The new output, the policy, and where the verdict goes.
pub(crate) struct Gate {
    policy: String,
    counting: Counting,
    reading: Reading,
    threads: Option<usize>,
    json: Option<String>,
    junit: Option<String>,
    summary: Option<String>,
}

impl Subcommand for Gate {
    const NAME: &'static str = "gate";

    fn define(command: Command, _: &Registry) -> Command {
        let file = |name| option(name, "FILE");
        let output = "The new output, or several runs of one recipe; else standard input";
        command
            .about("Judge new output against a stored baseline, under a policy")
            .after_help(
                "Exit codes: 0 pass, 1 fail, 2 error, 3 inconclusive. A baseline is made by `bleuprint stats`.",
            )
            .arg(file("policy").required(true).help("The policy, TOML; paths in it start from its folder"))
            .arg(sources::references().help("Reference files, one segment a line"))
            .arg(sources::systems().value_name("NEW").help(output))
            .arg(
                sources::source().help("What the output was made from, for metrics that look at it"),
            )
            .arg(sources::segments())
            .arg(sources::num_refs().default_value(None))
            .args(sources::reading())
            .arg(args::label())
            .arg(args::threads().help("Threads [default: all cores]; they never change a verdict"))
            .arg(file("json").help("Write the verdict as JSON"))
            .arg(file("junit").help("Write the verdict as JUnit XML"))
            .arg(
                file("summary")
                    .help("Append the verdict as Markdown [default: the file of GITHUB_STEP_SUMMARY]"),
            )
            .arg(args::quiet())
    }

    fn request(matches: &ArgMatches, _: &Registry) -> Result<Self> {
        let step = || std::env::var("GITHUB_STEP_SUMMARY").ok().filter(|place| !place.is_empty());
        Ok(Gate {
            policy: matches.text("policy").unwrap_or_default(),
            counting: Counting {
                sources: Sources::new(matches),
                metrics: MetricChoice::default(),
                tokens: TokenRequest::default(),
                recipe: None,
                learned: None,
                shows_source: false,
                quiet: matches.get_flag("quiet"),
                force: false,
            },
            reading: Reading { labels: matches.texts("label"), length: true, paired: false },
            threads: matches.count("threads"),
            json: matches.text("json"),
            junit: matches.text("junit"),
            summary: matches.text("summary").or_else(step),
        })
    }

    /// Judges, writes what was asked for, and ends with the exit code of the verdict.
    fn run(mut self, program: &Program<'_>, out: &mut Out) -> Result<()> {
        let policy = Policy::parse(&self.policy, &policy_text(&self.policy)?, program.registry)?;
        self.counting.metrics.names = policy.metrics().into_iter().map(str::to_owned).collect();
        let quiet = self.counting.quiet;
        let data = Data::read(self.counting.open(program)?, &self.reading)?;
        if let (Data::Text { corpus, .. }, false) = (&data, quiet) {
            note_copies(corpus);
        }
        let judged = || Ok::<_, Failure>(gate::judge(&policy, &data.counted()?)?);
        let verdict = in_threads(self.threads, judged)??;
        if let Some(place) = &self.json {
            write_file(place, &(pretty(&write::json(&verdict), 1) + "\n"))?;
        }
        if let Some(place) = &self.junit {
            write_file(place, &write::junit(&verdict))?;
        }
        if let Some(place) = &self.summary {
            let file = std::fs::OpenOptions::new().create(true).append(true).open(place);
            file.and_then(|mut file| file.write_all(write::summary(&verdict).as_bytes()))
                .map_err(|error| cannot_write(place, &error))?;
        }
        // Whether or not somebody reads the text, the exit code is the verdict's.
        match out.write_all(write::text(&verdict).as_bytes()).and_then(|()| out.flush()) {
            Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(error.into()),
            _ => Err(Failure::Verdict(verdict.exit_code())),
        }
    }
}

fn write_file(place: &str, text: &str) -> Result<()> {
    let mut file = AtomicFile::create(Path::new(place))?;
    file.write_all(text.as_bytes()).map_err(|error| cannot_write(place, &error))?;
    Ok(file.commit()?)
}

fn cannot_write(place: &str, error: &std::io::Error) -> Failure {
    Failure::Message(format!("cannot write {place}: {error}"))
}

fn policy_text(place: &str) -> Result<String> {
    let mut text = String::new();
    let mut source = text::read::open(place)?;
    std::io::Read::read_to_string(&mut source.reader, &mut text)
        .map_err(|error| Failure::Message(format!("{place}: {error}")))?;
    Ok(text)
}

/// Says which runs are one output: they tell nothing of how the runs of a recipe differ.
fn note_copies(corpus: &TextCorpus) {
    for (second, name) in corpus.systems.iter().enumerate() {
        let same = |first: &usize| {
            let segments = &corpus.segments;
            segments.iter().all(|segment| segment.hypotheses[*first] == segment.hypotheses[second])
        };
        if let Some(first) = (0..second).find(same) {
            let first = &corpus.systems[first];
            warn::note(&format!("{first} and {name} are the same output, so they are no two runs"));
        }
    }
}
