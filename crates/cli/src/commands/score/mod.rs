//! `bleuprint score`: one number per system and metric, or one per segment, group or test, with parts and signature.

mod by;
mod tests;
mod testset;

use bleuprint::eval::evaluation::{LENGTH, Run};
use bleuprint::eval::in_threads;

use self::testset::{Question, TestSet};
use crate::evaluation::data::{Data, Reading};
use crate::evaluation::significance::TestRequest;
use crate::shared::command::*;
use crate::shared::counting::{Source, counting, stats_files};
use crate::shared::output::{self, OutputRequest, printing, write_systems};
use crate::shared::places::{self, Holds, Place};
use crate::shared::recipe;
use crate::shared::scoring::{self, Pass};

/// Scores, or what is asked of test sets.
pub(crate) struct Score(Result<Scored, Question>);

/// What is scored, and how.
struct Scored {
    source: Source,
    pass: Pass,
    sentence_level: bool,
    test: Option<TestRequest>,
    /// Labels to group by.
    by: Vec<String>,
    reading: Reading,
    overwrite: bool,
    output: OutputRequest,
}

impl Subcommand for Score {
    const NAME: &'static str = "score";

    fn define(command: Command, registry: &Registry) -> Command {
        let file = |name| option(name, "FILE");
        counting(command.about("Score one system or several against references"), registry)
            .arg(
                recipe::signature()
                    .conflicts_with_all(["metrics", "lowercase", "language-pair", "stats"])
                    .help("Score with the settings of a signature, ours or sacreBLEU's, instead of -m and options of metrics"),
            )
            .arg(flag("sentence-level").help("A score for every segment instead of one [short: -sl]"))
            .arg(output::format().help("The form of the output [default: json; text with --sentence-level]"))
            .args(printing())
            .arg(args::learned())
            .arg(
                file("save-learned")
                    .conflicts_with_all(["learned", "confidence", "paired-bs", "paired-ar", "by", "stats"])
                    .help("Write what metrics of two passes learn from these references, for --learned"),
            )
            .arg(args::overwrite("Write --save-learned over a file that is there").requires("save-learned"))
            .args(tests::options())
            .args([args::label(), args::by(), stats_files()])
            .args(testset::options())
    }

    fn request(matches: &ArgMatches, registry: &Registry) -> Result<Self> {
        if let Some(question) = testset::question(matches)? {
            return Ok(Score(Err(question)));
        }
        let (test, by, labels) = (tests::request(matches)?, matches.texts("by"), matches.texts("label"));
        let sentence_level = matches.get_flag("sentence-level");
        if sentence_level && (test.is_some() || !by.is_empty() || matches.contains_id("stats")) {
            fail!(
                "--sentence-level scores every segment by itself: it takes no tests, groups or files of statistics"
            );
        }
        if !labels.is_empty() && by.is_empty() {
            fail!("--label has no effect without --by");
        }
        let output = OutputRequest::new(matches, sentence_level);
        if sentence_level && output.is_table() {
            fail!(
                "--sentence-level writes a line for each segment as it is scored: it takes -f json or text, not a table"
            );
        }
        let paired = test.as_ref().is_some_and(TestRequest::is_paired);
        let of_test_set = TestSet::new(matches)?.map(|set| set.references()).transpose()?;
        let mut source = Source::new(matches, registry)?;
        if let Source::Text(counting) = &mut source {
            if let Some(references) = of_test_set {
                counting.sources.streams.references = references;
            }
            (counting.metrics.as_given, counting.metrics.sentence_level) = (paired, sentence_level);
            (counting.recipe, counting.learned) = (recipe::given(matches)?, matches.text("learned"));
        }
        let jobs = || matches.count("paired-jobs").filter(|&jobs| jobs > 0);
        let threads = matches.count("threads").or_else(jobs);
        let length = by.iter().any(|label| label == LENGTH);
        Ok(Score(Ok(Scored {
            source,
            pass: Pass { threads, save_learned: matches.text("save-learned") },
            sentence_level,
            test,
            by,
            reading: Reading { labels, length, paired },
            overwrite: matches.get_flag("overwrite"),
            output,
        })))
    }

    fn run(self, program: &Program<'_>, out: &mut Out) -> Result<()> {
        match self.0 {
            Ok(scored) => scored.run(program, out),
            Err(question) => question.answer(out),
        }
    }
}

impl Scored {
    fn run(self, program: &Program<'_>, out: &mut Out) -> Result<()> {
        if let Some(file) = &self.pass.save_learned {
            let place = Place { option: "--save-learned", file, holds: Holds::Data };
            places::check(&[place], &self.source.files(program.registry), self.overwrite)?;
        }
        let source = match self.source {
            // In one pass, without all segments in memory.
            Source::Text(counting) if self.test.is_none() && self.by.is_empty() => {
                let counter = counting.open(program)?;
                if self.sentence_level {
                    return scoring::sentences(counter, &self.pass, &self.output, out);
                }
                return write_systems(&scoring::systems(counter, &self.pass)?, &self.output, out);
            }
            source => source,
        };
        let data = Data::open(source, &self.reading, program)?;
        let (test, by, output) = (&self.test, &self.by, &self.output);
        in_threads(self.pass.threads, || {
            let run = data.counted()?;
            write(&run, test.as_ref(), by, output, out)
        })?
    }
}

fn write(
    run: &Run,
    test: Option<&TestRequest>,
    by: &[String],
    output: &OutputRequest,
    out: &mut Out,
) -> Result<()> {
    match (test, by) {
        (Some(_), [_, ..]) => {
            fail!("--by shows scores; for tests of groups see `bleuprint compare --by`")
        }
        (Some(test), []) => tests::write(run, test, output, out),
        (None, [_, ..]) => by::write(run, by, output, out),
        (None, []) => {
            let systems: Vec<_> = run.systems().iter().cloned().zip(run.scores()?).collect();
            write_systems(&systems, output, out)
        }
    }
}
