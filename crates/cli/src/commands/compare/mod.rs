//! Implements `bleuprint compare`: compares systems by the differences of their scores, with significance
//! tests and the segments that cause the differences.

mod show;
mod unpaired;

use bleuprint::contract::Choice as _;
use bleuprint::eval::evaluation::{CompareRequest, LENGTH, Run};
use bleuprint::inference::{Correction, Design, Power, ResamplePlan, Test, in_threads};
use bleuprint_requests::data::{CountedInput, Reading};
use bleuprint_requests::resampling::{Seed, resamples_of_pairs};

use self::show::{ShownForm, ShownSubject, write};
use self::unpaired::{Apart, UnpairedOptions, require_two};
use crate::shared::args::number;
use crate::shared::command::*;
use crate::shared::counting::{self, CountingSource, counting, stats_files, with_unit};
use crate::shared::output::{self, FORMATS, table_form};

pub(crate) struct Compare {
    source: CountingSource,
    reading: Reading,
    test: Option<Test>,
    unpaired: Option<UnpairedOptions>,
    resamples: Option<usize>,
    seed: u128,
    by: Vec<String>,
    headline: Vec<String>,
    correction: Option<Correction>,
    most: usize,
    threads: Option<usize>,
    form: ShownForm,
}

impl Subcommand for Compare {
    const NAME: &'static str = "compare";
    const SHORT_HELP: &'static [&'static str] =
        &["input", "metrics", "tokenize", "lowercase", "test", "by", "stats", "format"];
    const EXAMPLES: &'static str = "\
        \x20 bleuprint compare ref.txt -i baseline.txt new.txt -m chrf\n\
        \x20 bleuprint compare --stats baseline.jsonl new.jsonl -f markdown";

    fn define(command: Command, families: &Families) -> Command {
        let command = command.about(
            "Compare systems: each pair with its interval and p-value, ranks, and for two systems the segments where they differ",
        );
        let number = |name| number(name, 1..=1_000_000_000);
        counting(command, families)
            .arg(args::format().value_parser(FORMATS))
            // Options of `score` without an effect here.
            .args(["no-color", "short", "score-only"].map(|name| flag(name).hide(true)))
            .arg(output::width(..).default_value("2").hide(true))
            .arg(number("most").help("Segments and n-grams listed for each system [default: 10]"))
            .arg(args::by())
            .args([args::label().help_heading(args::INPUT), stats_files()])
            .arg(args::weights().conflicts_with_all(["stats", "unpaired"]).help_heading(args::INPUT))
            .next_help_heading(args::STATISTICS)
            .arg(args::headline())
            .arg(
                Arg::new("test")
                    .long("test")
                    .value_parser(["bootstrap", "randomization", "welch", "permutation"])
                    .help(
                        "How p-values and intervals are computed [default: by the metric: rates by Tango and McNemar, means over units by \
                         the t interval, sets by randomization, others by bootstrap]; with --unpaired welch, bootstrap or permutation \
                         [default: rates by Miettinen and Nurminen, other means and quotients by welch, others by bootstrap]",
                    ),
            )
            .arg(args::unit())
            .arg(
                Arg::new("correction").long("correction").value_parser(clap::builder::PossibleValuesParser::new(Correction::NAMES)).requires("by").help(
                    "The correction of p of the groups of --by of two systems: holm (any false finding) [default] or bh (Benjamini \
                     and Hochberg: the share of false findings)",
                ),
            )
            .args(unpaired::options())
            .arg(number("resamples").help(
                "Resamples, or trials [default: 1000, or 10000 by randomization; 80 for each pair at the least]",
            ))
    }

    fn request(matches: &ArgMatches, families: &Families) -> Result<Self> {
        let unpaired = UnpairedOptions::new(matches)?;
        let test = match matches.text("test").as_deref() {
            _ if unpaired.is_some() => None,
            Some("bootstrap") => Some(Test::Bootstrap),
            Some("randomization") => Some(Test::Randomization),
            Some(test) => fail!("--test {test} compares systems on different segments: it takes --unpaired"),
            None => None,
        };
        let seed = Seed::from_environment()?.value;
        let by = matches.texts("by");
        Ok(Compare {
            source: counting::source(matches, families)?,
            reading: with_unit(
                matches,
                Reading {
                    labels: matches.texts("label"),
                    length: by.iter().any(|label| label == LENGTH),
                    weights: matches.text("segment-weights"),
                    ..Reading::default()
                },
            ),
            test,
            unpaired,
            resamples: matches.count("resamples"),
            seed,
            by,
            headline: matches.texts("headline"),
            correction: matches
                .text("correction")
                .map(|name| Correction::by_name("correction", &name))
                .transpose()?,
            most: matches.count("most").unwrap_or(10),
            threads: matches.count("threads"),
            form: match matches.text("format") {
                Some(format) if format == "json" => ShownForm::Json,
                format => ShownForm::Tables(format.map_or_else(output::boxed, |format| table_form(&format))),
            },
        })
    }

    fn run(self, program: &CommandContext<'_>, out: &mut Out) -> Result<()> {
        let Compare { test, seed, by, correction, most, form, headline, .. } = self;
        let (power, given) = (Power::default(), self.resamples);
        let plan = |systems: usize, default: usize| {
            let count = resamples_of_pairs(given, default, systems, power.significance)?;
            Ok::<ResamplePlan, Failure>(ResamplePlan { seed, count })
        };
        if let Some(options) = self.unpaired {
            let sides = self.source.open_sides(&self.reading, program.families)?;
            let request = options.request(plan(sides.len(), options.trials())?, self.reading.unit.clone());
            return in_threads(self.threads, || {
                let counted = |side: CountedInput| Ok(side.counted()?.headlined(&headline)?);
                let runs = sides.into_iter().map(counted).collect::<Result<Vec<Run>>>()?;
                let comparisons = options.compare(&runs, &request)?;
                let unit = comparisons.first().and_then(|comparison| comparison.unit.clone());
                let unit = unit.as_deref();
                let names = runs.iter().flat_map(|run| run.systems().to_vec()).collect();
                let scores =
                    runs.iter().map(|run| Ok(run.scores()?.swap_remove(0))).collect::<Result<_>>()?;
                let apart = Some(Apart { lengths: runs.iter().map(Run::len).collect() });
                let subject = ShownSubject {
                    names,
                    scores,
                    length: 0,
                    unit,
                    apart,
                    texts: None,
                    labels: None,
                    correction: None,
                    most,
                };
                write(&comparisons, &subject, form, out)
            })?;
        }
        let data = self.source.open(&self.reading, program.families).map_err(unpaired::named)?;
        let default =
            if test == Some(Test::Randomization) { ResamplePlan::TRIALS } else { ResamplePlan::RESAMPLES };
        let plan = plan(data.systems().len(), default)?;
        let design = Design { test, plan, higher_is_better: true, power };
        if correction.is_some() && data.systems().len() != 2 {
            fail!("--correction tests the groups of two systems, but there are {}", data.systems().len());
        }
        // A p-value of one group among many would be found by chance without a correction.
        let two = data.systems().len() == 2 && !by.is_empty();
        let correction = correction.or(two.then_some(Correction::Holm));
        let request = CompareRequest { design, unit: None, by, most, correction };
        in_threads(self.threads, || {
            let run = data.counted()?.headlined(&headline)?;
            require_two(run.systems().len())?;
            let subject = ShownSubject {
                names: run.systems().to_vec(),
                scores: run.scores()?,
                length: run.len(),
                unit: run.unit(),
                apart: None,
                texts: run.texts.as_ref(),
                labels: Some(&run.labels),
                correction,
                most: request.most,
            };
            write(&run.compare(&request)?, &subject, form, out)
        })?
    }
}

impl Compare {
    /// Reads the input and returns the counts of all systems.
    pub(crate) fn counted(self, families: &Families) -> Result<Run> {
        self.source.open(&self.reading, families)?.counted()
    }
}
