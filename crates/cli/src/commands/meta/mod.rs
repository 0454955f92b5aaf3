//! Implements `bleuprint meta`: measures how well metrics agree with human judgments.

mod files;
mod own;
mod people;
mod questions;
mod ratings;
mod sets;
mod show;
#[cfg(test)]
mod tests;

use bleuprint::contract::Choice as _;
use bleuprint::inference::agreement::{AgreementLevel, Grouping, MetaRequest, NoValue, Statistic, Swap};
use bleuprint::inference::in_threads;
use bleuprint_requests::data::Reading;
use clap::{ArgAction, value_parser};

use self::people::ErrorWeights;
use self::questions::{AskedQuestion, average};
use self::sets::SetsRequest;
use crate::shared::args::number;
use crate::shared::command::*;
use crate::shared::counting::{self, CountingRequest, counting};

pub(crate) struct Meta {
    sets: SetsRequest,
    /// System outputs, and the metrics to score them with; `None` if all scores are read from files.
    counting: Option<Box<CountingRequest>>,
    asked: AskedQuestion,
    request: MetaRequest,
    by: Vec<String>,
    threads: Option<usize>,
    json: bool,
}

impl Subcommand for Meta {
    const NAME: &'static str = "meta";
    const SHORT_HELP: &'static [&'static str] =
        &["human", "scores", "input", "metrics", "statistic", "level", "wmt", "format"];
    const EXAMPLES: &'static str = "\
        \x20 bleuprint meta --human human.seg.score --scores comet=comet.seg.score\n\
        \x20 bleuprint meta --human human.seg.score ref.txt -i a.txt b.txt -m bleu chrf";

    fn define(command: Command, families: &Families) -> Command {
        let about = "Measure how well metrics agree with people: correlations, pairwise accuracies, and tests between metrics";
        let list = |name, value| option(name, value).num_args(1..).action(ArgAction::Append);
        let choice = |name: &'static str, names: &'static [&'static str]| {
            option(name, "NAME").value_parser(clap::builder::PossibleValuesParser::new(names))
        };
        counting(command.about(about), families)
            .after_help(
                "Files of scores have a line `system score` for each segment, `None` where there is no rating \
                 (*.seg.score, *.sys.score, *.domain.score); tables with a header, and JSON Lines, are ratings (system, item, score, perhaps \
                 rater, domain, document) or marked errors (system, doc, doc_id, seg_id, rater, category, severity).",
            )
            .next_help_heading(args::INPUT)
            .arg(
                option("human", "FILE")
                    .action(ArgAction::Append)
                    .required(true)
                    .help("Judgements of people, where higher is better; repeat the option for more language pairs"),
            )
            .arg(list("scores", "NAME=FILE").help(
                "Scores of metrics; or one folder for each --human, with files named METRIC-REF.LEVEL.score",
            ))
            .arg(list("refs", "REF").conflicts_with("references").help("Reference files, the same as REF"))
            .arg(
                option("docs", "FILE")
                    .action(ArgAction::Append)
                    .help("The domain and document of each segment, one file for each --human; needed for --by domain"),
            )
            .args([args::label(), args::by().help_heading(args::OUTPUT), args::format().help_heading(args::OUTPUT)])
            .next_help_heading(args::STATISTICS)
            .arg(option("statistic", "NAME").value_delimiter(',').action(ArgAction::Append).help(format!(
                "{} [default: spa,acc-eq]",
                Statistic::names().collect::<Vec<_>>().join(", ")
            )))
            .arg(choice("group", Grouping::NAMES).help("The cells that form one vector [default: item]"))
            .arg(choice("level", AgreementLevel::NAMES).help("The level of the compared scores [default: segment]"))
            .arg(choice("swap", Swap::NAMES).help(
                "The ratings that tests between metrics swap [default: items]; cells and pairs are used by WMT, but find too many differences",
            ))
            .arg(number("trials", 0..=1_000_000).help("The number of trials of tests and of spa [default: 1000]"))
            .arg(number("seed", ..).help("The seed of the random swaps [default: 4]"))
            .arg(real("alpha").help("The greatest p-value that counts as a difference [default: 0.05]"))
            .arg(flag("holm").help("Correct p-values for the number of pairs of metrics"))
            .arg(flag("williams").help("Use Williams' test in place of swapping, for Pearson's correlation of systems"))
            .arg(choice("nan", NoValue::NAMES).help("The meaning of a group without a value [default: skip]"))
            .arg(list("exclude", "SYSTEM").help("Systems to leave out, such as references that metrics used"))
            .arg(list("lower", "METRIC").help("Metrics of --scores for which lower is better"))
            .arg(list("epsilon", "[METRIC=]X").help("The difference of scores up to which they tie, in place of a calibrated one"))
            .arg(flag("standardize").help("Standardize ratings by rater before they are averaged"))
            .arg(list("weight", "SEVERITY=X").help("The weight of a severity, or severity/category, of marked errors"))
            .arg(
                choice("wmt", &["2023", "2024", "2025"])
                    .conflicts_with_all(["statistic", "group", "level", "swap", "williams"])
                    .help("The statistics, groups and swaps of that year's task"),
            )
    }

    fn request(matches: &ArgMatches, families: &Families) -> Result<Self> {
        let own = ["input", "segments", "given", "numbers"].iter().any(|name| matches.contains_id(name));
        let counting = if own {
            let mut counting = counting::request(matches, families)?;
            counting.sources.streams.references.extend(matches.texts("refs"));
            // People rate single segments, so the metrics score single segments too.
            counting.metrics.sentence_level = true;
            Some(Box::new(counting))
        } else {
            None
        };
        if !own && !matches.contains_id("scores") {
            fail!("no metric: give --scores NAME=FILE .., or outputs with -i and references");
        }
        if let Some(extra) =
            matches.texts("references").iter().chain(&matches.texts("refs")).next().filter(|_| !own)
        {
            fail!(
                "{extra} is read as a reference, but no outputs are given; join several values of an option by commas, as in --statistic spa,pearson"
            );
        }
        let mut weights = ErrorWeights::default();
        matches.texts("weight").iter().try_for_each(|weight| weights.set(weight))?;
        let sets = SetsRequest {
            human: matches.texts("human"),
            scores: matches.texts("scores"),
            docs: matches.texts("docs"),
            labels: Reading { labels: matches.texts("label"), ..Reading::default() },
            exclude: matches.texts("exclude"),
            lower: matches.texts("lower"),
            standardize: matches.get_flag("standardize"),
            weights,
        };
        let real = |name: &str| matches.get_one::<f64>(name).copied();
        let default = MetaRequest::default();
        let request = MetaRequest {
            trials: matches.count("trials").unwrap_or(default.trials),
            seed: matches.get_one::<u64>("seed").map_or(default.seed, |seed| u128::from(*seed)),
            alpha: real("alpha").unwrap_or(default.alpha),
            no_value: chosen(matches, "nan")?,
            holm: matches.get_flag("holm"),
            williams: matches.get_flag("williams"),
            epsilons: matches.texts("epsilon").iter().map(|text| epsilon(text)).collect::<Result<_>>()?,
        };
        if !(0.0..=1.0).contains(&request.alpha) {
            fail!("--alpha is {}, but must be from 0 to 1", request.alpha);
        }
        let asked = match matches.text("wmt") {
            Some(year) => AskedQuestion::of_year(&year),
            None => AskedQuestion::new(
                &matches.texts("statistic"),
                chosen(matches, "level")?,
                chosen(matches, "group")?,
                chosen(matches, "swap")?,
            )?,
        };
        let by = matches.texts("by");
        let threads = matches.count("threads");
        Ok(Meta { sets, counting, asked, request, by, threads, json: matches.is_json() })
    }

    fn run(self, program: &CommandContext<'_>, out: &mut Out) -> Result<()> {
        let Meta { sets, counting, asked, request, by, threads, json } = self;
        let data = sets.read(counting.map(|counting| *counting), &by, program, threads)?;
        in_threads(threads, || {
            let answers = asked.answers(&data, &request)?;
            let average = average(&answers);
            if json {
                writeln!(out, "{}", show::json(&data, &request, &answers, &average))?
            } else {
                show::text(&data, &request, &answers, &average, out)?
            }
            Ok(())
        })?
    }
}

fn real(name: &'static str) -> Arg {
    option(name, "X").value_parser(value_parser!(f64))
}

fn chosen<C: bleuprint::contract::Choice + Default>(matches: &ArgMatches, name: &str) -> Result<C> {
    Ok(matches.text(name).map(|text| C::by_name(name, &text)).transpose()?.unwrap_or_default())
}

/// Parses `METRIC=X` to the metric's name and the number X. `X` alone is for all metrics and gives an empty
/// name.
fn epsilon(text: &str) -> Result<(String, f64)> {
    let (name, number) = text.rsplit_once('=').unwrap_or(("", text));
    match number.parse::<f64>() {
        Ok(epsilon) if epsilon.is_finite() && epsilon >= 0.0 => Ok((name.to_owned(), epsilon)),
        _ => fail!("--epsilon {text}: `{number}` must be a number from 0"),
    }
}
