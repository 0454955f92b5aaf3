//! Implements `bleuprint score`: prints the score of each system under each metric, with details and
//! signature, for a corpus, its segments or groups of segments.

mod by;
mod tests;
mod testset;

use bleuprint::contract::TextChoice;
use bleuprint::eval::evaluation::{DOCUMENT, ITEM, LENGTH, Run};
use bleuprint_requests::data::Reading;
use bleuprint_requests::scoring::Pass;
use bleuprint_requests::significance::TestRequest;
use bleuprint_requests::warn;

use self::testset::TestSetQuestion;
use crate::shared::command::*;
use crate::shared::counting::{self, CountingRequest, CountingSource, counting, stats_files, with_unit};
use crate::shared::output::{self, OutputRequest, printing, write_segment, write_systems};
use crate::shared::places::{self, Holds, NumberPlace};
use crate::shared::recipe;
use crate::shared::sources::{self, Unlike};

pub(crate) struct ScoreCommand(Result<ScoredOutput, TestSetQuestion>);

struct ScoredOutput {
    source: CountingSource,
    reading: Reading,
    pass: Pass,
    question: ScoreQuestion,
    quiet: bool,
    overwrite: bool,
    output: OutputRequest,
}

/// Question of the user about the segments, which decides whether they are kept in memory.
enum ScoreQuestion {
    Systems,
    Sentences,
    Tests(TestRequest),
    /// Scores of the groups of these labels, with intervals if a test is given.
    Groups(Vec<String>, Option<TestRequest>),
}

impl Subcommand for ScoreCommand {
    const NAME: &'static str = "score";
    const SHORT_HELP: &'static [&'static str] =
        &["input", "metrics", "tokenize", "lowercase", "sentence-level", "confidence", "paired-bs", "format"];
    const EXAMPLES: &'static str = "\
        \x20 bleuprint score ref.txt -i hyp.txt\n\
        \x20 bleuprint score ref.txt -i hyp.txt -m bleu chrf++ meteor:alpha=0.8 -f text\n\
        \x20 bleuprint score ref.txt -i baseline.txt new.txt --paired-bs";

    fn define(command: Command, families: &Families) -> Command {
        counting(command.about("Score one system or several against references"), families)
            .arg(
                recipe::signature()
                    .help_heading(args::METRICS)
                    .conflicts_with_all(["lowercase", "language-pair", "stats"])
                    .help("Score with the settings of a signature, of bleuprint or sacreBLEU, in place of -m and options of metrics"),
            )
            .arg(flag("sentence-level").help("Print a score for every segment in place of one [short: -sl]"))
            .arg(output::format().help("The form of the output [default: json; text with --sentence-level]"))
            .args(printing())
            .arg(args::by())
            .next_help_heading(args::METRICS)
            .arg(args::learned())
            .arg(
                args::save_learned().conflicts_with_all([
                    "learned",
                    "confidence",
                    "paired-bs",
                    "paired-ar",
                    "by",
                    "stats",
                ]),
            )
            .arg(args::of_metrics(
                args::overwrite("Write --save-learned over a file that is there").requires("save-learned"),
            ))
            .args(tests::options())
            .next_help_heading(args::INPUT)
            .args([args::label(), args::unit(), args::weights().conflicts_with("stats"), stats_files()])
            .args(sources::resegment())
            .args(testset::options())
    }

    fn request(matches: &ArgMatches, families: &Families) -> Result<Self> {
        if let Some(question) = testset::question(matches)? {
            return Ok(ScoreCommand(Err(question)));
        }
        let test = tests::request(matches)?;
        let by = matches.texts("by");
        let labels = matches.texts("label");
        let sentence_level = matches.get_flag("sentence-level");
        if sentence_level && (test.is_some() || !by.is_empty() || matches.contains_id("stats")) {
            fail!(
                "--sentence-level scores every segment by itself: it takes no tests, groups or files of statistics"
            );
        }
        let unit = matches.contains_id("unit");
        // These labels are the unit of a test even if no option says so.
        let is_unit =
            |label: &String| [DOCUMENT, ITEM].contains(&label.split('=').next().unwrap_or_default());
        let draws = unit || test.is_some() && labels.iter().any(is_unit);
        if !labels.is_empty() && by.is_empty() && !draws {
            fail!("--label has no effect without --by or --unit");
        }
        if unit && test.is_none() {
            fail!("--unit has no effect without --confidence, --paired-bs or --paired-ar");
        }
        let output = OutputRequest::new(matches, sentence_level);
        if sentence_level && output.is_table() {
            fail!(
                "--sentence-level writes a line for each segment as it is scored: it takes -f json or text, not a table"
            );
        }
        let paired = test.as_ref().is_some_and(TestRequest::is_paired);
        if paired && !by.is_empty() {
            fail!("--by shows scores and intervals; for tests of groups see `bleuprint compare --by`");
        }
        // A test set replaces the reference files, which -t excludes.
        let of_test_set = testset::named(matches)?.map(|set| testset::references(&set)).transpose()?;
        let mut source = counting::source(matches, families)?;
        if let CountingSource::Text(counting) = &mut source {
            counting.metrics.sentence_level = sentence_level;
            // Numbers without names can only be told apart by the order in which the user named the metrics.
            counting.metrics.as_given = paired || matches.get_flag("score-only");
            add_options(counting, matches, of_test_set)?;
        }
        // sacreBLEU's 0 means all cores, which is the default here.
        let jobs = || matches.count("paired-jobs").filter(|&jobs| jobs > 0);
        let threads = matches.count("threads").or_else(jobs);
        // Lengths of references are counted only for groups by length.
        let length = by.iter().any(|label| label == LENGTH);
        let question = match test {
            _ if sentence_level => ScoreQuestion::Sentences,
            test if !by.is_empty() => ScoreQuestion::Groups(by, test),
            Some(test) => ScoreQuestion::Tests(test),
            None => ScoreQuestion::Systems,
        };
        Ok(ScoreCommand(Ok(ScoredOutput {
            source,
            pass: Pass { threads, save_learned: matches.text("save-learned"), pairs_of_data: output.json },
            question,
            reading: with_unit(
                matches,
                Reading {
                    labels,
                    length,
                    paired,
                    weights: matches.text("segment-weights"),
                    ..Reading::default()
                },
            ),
            quiet: matches.get_flag("quiet"),
            overwrite: matches.get_flag("overwrite"),
            output,
        })))
    }

    fn run(self, program: &CommandContext<'_>, out: &mut Out) -> Result<()> {
        match self.0 {
            Ok(scored) => scored.run(program, out),
            Err(question) => question.answer(out),
        }
    }
}

/// Adds the options that only `score` has to the segments to count: --resegment, the references of a test set,
/// --signature and --learned.
fn add_options(
    counting: &mut CountingRequest,
    matches: &ArgMatches,
    of_test_set: Option<Vec<String>>,
) -> Result<()> {
    let unlike = if matches.get_flag("unlike-lengths") { Unlike::Cut } else { Unlike::Refused };
    if matches.get_flag("resegment") {
        counting.sources.resegment = Some(unlike);
        // Outputs are cut by all of these, whatever the metrics do with them.
        let steps = [TextChoice::Tokenizer, TextChoice::Case, TextChoice::Normalizer];
        counting.tokens.elsewhere.extend(steps);
    }
    if let Some(references) = of_test_set {
        counting.sources.streams.references = references;
        // The languages choose the test set, whatever the metrics do with their tokenizer.
        if !matches.contains_id("tokenize") {
            counting.tokens.elsewhere.push(TextChoice::Tokenizer);
        }
    }
    counting.recipe = recipe::given(matches)?;
    counting.learned = matches.text("learned");
    Ok(())
}

impl ScoredOutput {
    fn run(self, program: &CommandContext<'_>, out: &mut Out) -> Result<()> {
        if let Some(file) = &self.pass.save_learned {
            let place = NumberPlace { option: "--save-learned", file, holds: Holds::Data };
            places::check(&[place], &self.source.files(program.registry), self.overwrite)?;
        }
        let scoring = self.source.scoring(self.reading, self.pass, program.families)?;
        let output = &self.output;
        match &self.question {
            ScoreQuestion::Systems => write_systems(&scoring.systems()?, output, out),
            ScoreQuestion::Sentences => scoring
                .sentences(&mut |scores, number, labels| write_segment(scores, number, labels, output, out)),
            ScoreQuestion::Tests(test) => scoring.with_run(|run| {
                note_units(run, self.quiet)?;
                tests::write(run, test, output, out)
            }),
            ScoreQuestion::Groups(by, test) => scoring.with_run(|run| {
                // Without a test nothing is drawn, so no segment needs the label of a unit.
                if test.is_some() {
                    note_units(run, self.quiet)?;
                }
                by::write(run, by, test.as_ref(), output, out)
            }),
        }
    }
}

/// Prints a note that says in which units segments are drawn, unless single segments are drawn.
fn note_units(run: &Run, quiet: bool) -> Result<()> {
    let note = run.unit_note()?;
    note.iter().filter(|_| !quiet).for_each(|note| warn::note(note));
    Ok(())
}
