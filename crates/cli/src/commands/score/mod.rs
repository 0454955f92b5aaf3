//! The commands of evaluation: their arguments, and from arguments to work.

use std::io::Write;

use bleuprint::eval::in_threads;
use bleuprint::eval::resample::{Design, Plan, Power, Test};
use bleuprint::text::TokenBuffer;
use bleuprint::{InputError, Registry, Tokenizer};
use clap::{Arg, ArgAction, ArgMatches, Command};

use super::compare::{CompareRequest, Texts};
use super::corpus::TextCorpus;
use super::counted::Counted;
use super::options::{self, Kind, Seed, TestRequest};
use super::stats::StatsRequest;
use super::{by, compare as comparing, show as showing, stats as storing, tests, testset};
use crate::input::{Records, Streams};
use crate::request::{InputRequest, OutputRequest, ScoreRequest, output};
use crate::warn::Warnings;
use crate::{Failure, args, chosen, score};

/// `bleuprint compare`.
pub(crate) fn compare(registry: &Registry) -> Command {
    let command = Command::new("compare").about(
        "Compare systems: every pair with its interval and p-value, ranks, and for two where they differ",
    );
    args::counting(command, registry)
        .arg(args::format_option())
        .arg(args::flag("no-color").hide(true))
        .arg(args::flag("short").hide(true))
        .arg(args::flag("score-only").hide(true))
        .arg(
            Arg::new("width")
                .long("width")
                .default_value("2")
                .value_parser(clap::value_parser!(u64))
                .hide(true),
        )
        .arg(options::label())
        .arg(options::by())
        .arg(options::stats_files())
        .arg(
            Arg::new("test")
                .long("test")
                .value_parser(["bootstrap", "randomization"])
                .default_value("bootstrap")
                .help("How p-values are computed"),
        )
        .arg(number(
            "resamples",
            "Resamples, or trials [default: 1000, or 10000 by randomization; 40 for each pair at the least]",
        ))
        .arg(number("most", "Segments and n-grams listed for each system [default: 10]"))
}

/// `bleuprint stats`.
pub(crate) fn stats(registry: &Registry) -> Command {
    let command =
        Command::new("stats").about("Write the statistics of every segment of a system into a file");
    args::counting(command, registry)
        .arg(place())
        .arg(overwrite())
        .arg(args::flag("total").help("Only the total, without the segments"))
        .arg(
            Arg::new("system")
                .long("system")
                .value_name("NAME")
                .help("The name of the system [default: its file]"),
        )
        .arg(options::label())
}

/// `bleuprint merge`.
pub(crate) fn merge() -> Command {
    Command::new("merge")
        .about("Merge files of statistics: shards of one corpus")
        .args(files())
        .arg(place())
        .arg(overwrite())
}

/// `bleuprint subtract`.
pub(crate) fn subtract() -> Command {
    Command::new("subtract")
        .about("Take the segments of other files of statistics out of the first")
        .args(files())
        .arg(place())
        .arg(overwrite())
}

/// `bleuprint show`.
pub(crate) fn show(registry: &Registry) -> Command {
    let command = Command::new("show")
        .about("Finish stored statistics, under any settings that they can serve")
        .infer_long_args(true)
        .args(files())
        .arg(args::format_option().value_parser(["json", "text", "latex"]))
        .args(args::printing());
    args::metric_options(command, registry)
}

fn files() -> Option<Arg> {
    Some(Arg::new("files").value_name("FILE").num_args(1..).required(true).help("Files of statistics"))
}

fn place() -> Arg {
    Arg::new("output")
        .short('o')
        .long("output")
        .value_name("FILE")
        .required(true)
        .help("The file to write; compressed if its name ends in .zst")
}

fn overwrite() -> Arg {
    Arg::new("overwrite").long("overwrite").action(ArgAction::SetTrue).help("Write over a file that is there")
}

fn number(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name)
        .long(name)
        .value_name("N")
        .value_parser(clap::value_parser!(u64).range(1..=1_000_000_000))
        .help(help)
}

fn strings(matches: &ArgMatches, name: &str) -> Vec<String> {
    matches.get_many::<String>(name).into_iter().flatten().cloned().collect()
}

/// `bleuprint score`, with tests and groups where they are asked for.
pub(crate) fn run_score(
    registry: &Registry,
    matches: &ArgMatches,
    out: &mut (impl Write + Send),
) -> Result<(), Failure> {
    if testset::run(matches, out)? {
        return Ok(());
    }
    let (test, labels) = (TestRequest::from_matches(matches)?, strings(matches, "by"));
    let files = strings(matches, "stats");
    let sentence_level = matches.get_flag("sentence-level");
    if sentence_level && (test.is_some() || !labels.is_empty() || !files.is_empty()) {
        let message = "--sentence-level scores every segment by itself: it takes no tests, groups or files of statistics";
        return Err(Failure::Message(message.to_owned()));
    }
    if matches.contains_id("label") && labels.is_empty() {
        return Err(Failure::Message("--label has no effect without --by".to_owned()));
    }
    if test.is_none() && labels.is_empty() && files.is_empty() {
        return score::run(testset::request(registry, matches)?, out);
    }
    let paired = test.as_ref().is_some_and(|test| test.kind != Kind::Confidence);
    let threads = threads(matches);
    if !files.is_empty() {
        let output = output(matches, false);
        let counted = Counted::from_files(registry, &files.iter().collect::<Vec<_>>())?;
        return in_threads(threads, || evaluate(&counted, test.as_ref(), &labels, &output, out))?;
    }
    let request = testset::request(registry, matches)?;
    let (corpus, request, output) =
        read(request, matches, labels.iter().any(|label| label == by::LENGTH), paired)?;
    in_threads(threads, || {
        let counted = Counted::from_text(request.panel, &corpus)?;
        if let Some(recipe) = &request.recipe {
            for scored in counted.scores(0)? {
                recipe.check(&scored.signature)?;
            }
        }
        evaluate(&counted, test.as_ref(), &labels, &output, out)
    })?
}

fn evaluate(
    counted: &Counted,
    test: Option<&TestRequest>,
    labels: &[String],
    output: &OutputRequest,
    out: &mut impl Write,
) -> Result<(), Failure> {
    match (test, labels) {
        (Some(_), [_, ..]) => {
            let message = "--by shows scores; for tests of groups see `bleuprint compare --by`";
            Err(Failure::Message(message.to_owned()))
        }
        (Some(test), []) => tests::run(counted, test, output, out),
        (None, [_, ..]) => by::run(counted, labels, output, out),
        (None, []) => {
            let scores = |system: usize| Ok((counted.systems[system].clone(), counted.scores(system)?));
            let systems = (0..counted.systems.len()).map(scores).collect::<Result<Vec<_>, InputError>>()?;
            crate::output::write_systems(&systems, output, out)
        }
    }
}

/// The other commands.
pub(crate) fn run(
    registry: &Registry,
    name: &str,
    matches: &ArgMatches,
    out: &mut (impl Write + Send),
) -> Result<(), Failure> {
    match name {
        "compare" => run_compare(registry, matches, out),
        "stats" => run_stats(registry, matches, out),
        "show" => showing::run(registry, matches, &strings(matches, "files"), &output(matches, false), out),
        _ => {
            let (files, place) = (strings(matches, "files"), strings(matches, "output").concat());
            let run = if name == "merge" { storing::merge } else { storing::subtract };
            run(registry, &files, &place, matches.get_flag("overwrite"), out)
        }
    }
}

fn run_stats(
    registry: &Registry,
    matches: &ArgMatches,
    out: &mut (impl Write + Send),
) -> Result<(), Failure> {
    let stats = StatsRequest {
        output: strings(matches, "output").concat(),
        specs: chosen::spec_texts(registry, matches)?,
        system: matches.get_one::<String>("system").cloned(),
        total: matches.get_flag("total"),
        force: matches.get_flag("overwrite"),
    };
    storing::require_place(&stats.output, stats.force)?;
    let request = ScoreRequest::counting(registry, matches)?;
    let (corpus, request, _) = read(request, matches, true, false)?;
    in_threads(threads(matches), || {
        let counted = Counted::from_text(request.panel, &corpus)?;
        storing::write(&counted, &stats, out)
    })?
}

fn run_compare(
    registry: &Registry,
    matches: &ArgMatches,
    out: &mut (impl Write + Send),
) -> Result<(), Failure> {
    let test = match strings(matches, "test").concat().as_str() {
        "randomization" => Test::Randomization,
        _ => Test::Bootstrap,
    };
    let default = if test == Test::Bootstrap { Plan::RESAMPLES } else { Plan::TRIALS };
    let count = |name: &str| matches.get_one::<u64>(name).map(|&count| count as usize);
    let (seed, power) = (Seed::from_environment()?.value, Power::default());
    let (by, most) = (strings(matches, "by"), count("most").unwrap_or(10));
    let request = |systems: usize| -> Result<CompareRequest, Failure> {
        let count = options::resamples_of_pairs(count("resamples"), default, systems, power.significance)?;
        let design = Design { test, plan: Plan { seed, count }, higher_is_better: true, power };
        Ok(CompareRequest { design, by: by.clone(), most })
    };
    // Text unless JSON is asked for.
    let output = OutputRequest {
        json: matches.get_one::<String>("format").is_some_and(|format| format == "json"),
        ..output(matches, true)
    };
    let files = strings(matches, "stats");
    let threads = threads(matches);
    if !files.is_empty() {
        let counted = Counted::from_files(registry, &files.iter().collect::<Vec<_>>())?;
        let request = request(counted.systems.len())?;
        return in_threads(threads, || comparing::run(&counted, &request, None, &output, out))?;
    }
    let score = ScoreRequest::counting(registry, matches)?;
    let length = by.iter().any(|label| label == by::LENGTH);
    let (corpus, score, _) = read(score, matches, length, false)?;
    let tokenizer = score.tokens.tokenizer()?;
    let request = request(corpus.systems.len())?;
    in_threads(threads, || {
        let counted = Counted::from_text(score.panel, &corpus)?;
        let texts = Texts { corpus: &corpus, tokenizer: &*tokenizer };
        comparing::run(&counted, &request, Some(&texts), &output, out)
    })?
}

fn threads(matches: &ArgMatches) -> Option<usize> {
    let jobs = || matches.try_get_one::<u64>("paired-jobs").ok().flatten().filter(|&&jobs| jobs > 0);
    matches.get_one::<u64>("threads").or_else(jobs).map(|threads| *threads as usize)
}

/// Reads all text, with labels and, where it is wanted, the length of the first reference in tokens.
pub(crate) fn read(
    request: ScoreRequest,
    matches: &ArgMatches,
    length: bool,
    paired: bool,
) -> Result<(TextCorpus, ScoreRequest, OutputRequest), Failure> {
    let mut corpus = match &request.input {
        InputRequest::Streams(streams) => TextCorpus::from_streams(Streams::open(streams)?)?,
        InputRequest::Records { file, ids } => {
            TextCorpus::from_records(file, Records::open(file, ids)?, request.tokens.is_ids())?
        }
    };
    corpus.require_distinct_systems(paired)?;
    strings(matches, "label").iter().try_for_each(|label| corpus.add_label(label))?;
    if length {
        let tokenizer = request.tokens.tokenizer()?;
        let mut buffer = TokenBuffer::default();
        corpus.add_lengths(|text| Ok(tokenizer.tokenize(text, &mut buffer)?.len()))?;
    }
    let mut warnings = Warnings::new(&request.warnings);
    for segment in &corpus.segments {
        warnings.look_at(&segment.hypotheses, &segment.references);
    }
    warnings.say();
    let output = request.output.clone();
    Ok((corpus, request, output))
}
