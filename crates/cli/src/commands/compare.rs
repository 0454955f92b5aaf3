//! `bleuprint compare`: who is better, by how much, how surely, and where.

use bleuprint::eval::evaluation::{
    CompareRequest, Comparison, Details, GroupDifference, LENGTH, NgramDifference, Run, Texts,
};
use bleuprint::eval::in_threads;
use bleuprint::eval::resample::{Design, Interval, Matrix, PairTest, Plan, Power, Rank, Test};
use bleuprint::report::{self, Grid, LineStyle, TableForm, fixed};
use bleuprint::{AnyMetric, Direction, Metric as _, column_names};
use serde_json::{Value, json};

use crate::evaluation::data::{Data, Reading};
use crate::shared::args::number;
use crate::shared::command::*;
use crate::shared::counting::{Source, counting, stats_files};
use crate::shared::output::{self, FORMATS, table_form};
use crate::shared::resampling::{Seed, resamples_of_pairs};

/// What is compared, and how.
pub(crate) struct Compare {
    source: Source,
    reading: Reading,
    test: Test,
    resamples: Option<usize>,
    seed: u128,
    by: Vec<String>,
    most: usize,
    threads: Option<usize>,
    form: Form,
}

/// The form of the output.
#[derive(Debug, Clone, Copy)]
enum Form {
    Json,
    /// Everything, with tables in this form; of data alone the pairs in one table.
    Tables(TableForm),
}

impl Subcommand for Compare {
    const NAME: &'static str = "compare";

    fn define(command: Command, registry: &Registry) -> Command {
        let command = command.about(
            "Compare systems: every pair with its interval and p-value, ranks, and for two where they differ",
        );
        let number = |name| number(name, 1..=1_000_000_000);
        counting(command, registry)
            .arg(args::format().value_parser(FORMATS))
            // What `score` takes, and what makes no difference here.
            .args(["no-color", "short", "score-only"].map(|name| flag(name).hide(true)))
            .arg(output::width(..).default_value("2").hide(true))
            .args([args::label(), args::by(), stats_files()])
            .arg(
                Arg::new("test")
                    .long("test")
                    .value_parser(["bootstrap", "randomization"])
                    .default_value("bootstrap")
                    .help("How p-values are computed"),
            )
            .arg(number("resamples").help(
                "Resamples, or trials [default: 1000, or 10000 by randomization; 40 for each pair at the least]",
            ))
            .arg(number("most").help("Segments and n-grams listed for each system [default: 10]"))
    }

    fn request(matches: &ArgMatches, registry: &Registry) -> Result<Self> {
        let randomization = matches.text("test").is_some_and(|test| test == "randomization");
        let (seed, by) = (Seed::from_environment()?.value, matches.texts("by"));
        Ok(Compare {
            source: Source::new(matches, registry)?,
            reading: Reading {
                labels: matches.texts("label"),
                length: by.iter().any(|label| label == LENGTH),
                paired: false,
            },
            test: if randomization { Test::Randomization } else { Test::Bootstrap },
            resamples: matches.count("resamples"),
            seed,
            by,
            most: matches.count("most").unwrap_or(10),
            threads: matches.count("threads"),
            form: match matches.text("format") {
                Some(format) if format == "json" => Form::Json,
                format => Form::Tables(format.map(|format| table_form(&format)).unwrap_or_default()),
            },
        })
    }

    fn run(self, program: &Program<'_>, out: &mut Out) -> Result<()> {
        let Compare { test, seed, by, most, form, .. } = self;
        let data = Data::open(self.source, &self.reading, program)?;
        let (power, systems) = (Power::default(), data.systems().len());
        let default = if test == Test::Bootstrap { Plan::RESAMPLES } else { Plan::TRIALS };
        let count = resamples_of_pairs(self.resamples, default, systems, power.significance)?;
        let design = Design { test, plan: Plan { seed, count }, higher_is_better: true, power };
        let request = CompareRequest { design, by, most };
        in_threads(self.threads, || {
            let run = data.counted()?;
            write(&run, &request, form, out)
        })?
    }
}

/// Compares, and writes what comes out.
fn write(run: &Run, request: &CompareRequest, form: Form, out: &mut Out) -> Result<()> {
    if run.systems().len() < 2 {
        fail!("a comparison needs at least two systems: -i A B ..");
    }
    let comparisons = run.compare(request)?;
    let form = match form {
        Form::Json => {
            let metrics: Vec<Value> = comparisons.iter().map(Comparison::to_json).collect();
            let value = json!({ "systems": run.systems(), "segments": run.len(), "metrics": metrics });
            writeln!(out, "{}", report::pretty(&value, 1))?;
            return Ok(());
        }
        Form::Tables(form) => form,
    };
    let systems = report::short_names(run.systems());
    let scores = run.scores()?;
    let names = report::headers(&scores[0]);
    if form.is_data() {
        let mut all = Grid { header: PAIRS.iter().map(|&name| name.to_owned()).collect(), rows: Vec::new() };
        for ((comparison, name), scored) in comparisons.iter().zip(&names).zip(&scores[0]) {
            all.rows.extend(pair_rows(&systems, comparison, name, &scored.signature.to_string()));
        }
        return Ok(writeln!(out, "{}", form.of(&all))?);
    }
    comparisons.iter().zip(&names).try_for_each(|(comparison, name)| {
        let shown = Shown { systems: &systems, name, form, digits: digits(comparison.metric) };
        shown.write(comparison, run, request, out)
    })
}

/// The columns of all pairs in one table.
const PAIRS: [&str; 11] = [
    "metric",
    "first",
    "second",
    "score of first",
    "score of second",
    "difference",
    "lower",
    "upper",
    "p",
    "detectable",
    "signature",
];

/// One row for each pair, with the signature; without a test, its score and difference alone.
fn pair_rows(
    systems: &[String],
    comparison: &Comparison<'_>,
    name: &str,
    signature: &str,
) -> Vec<Vec<String>> {
    let (digits, scores) = (digits(comparison.metric), &comparison.matrix.scores);
    let row = |first: usize, second: usize, difference: f64, test: [String; 4]| {
        let numbers = [scores[first], scores[second], difference].map(|number| fixed(number, digits));
        let names = [name.to_owned(), systems[first].clone(), systems[second].clone()];
        names.into_iter().chain(numbers).chain(test).chain([signature.to_owned()]).collect()
    };
    let tested = |pair: &PairTest| {
        let Interval { lower, upper, .. } = pair.interval;
        let p = format!("{:.4}", pair.corrected);
        let test = [fixed(lower, digits), fixed(upper, digits), p, fixed(pair.smallest_difference, digits)];
        row(pair.first, pair.second, pair.difference, test)
    };
    if comparison.tested {
        return comparison.matrix.pairs.iter().map(tested).collect();
    }
    let pairs =
        (0..systems.len()).flat_map(|first| (first + 1..systems.len()).map(move |second| (first, second)));
    let untested = ["", "", NO_TEST, ""].map(str::to_owned);
    pairs
        .map(|(first, second)| row(first, second, scores[first] - scores[second], untested.clone()))
        .collect()
}

/// The decimals of a metric's scores.
fn digits(metric: &AnyMetric) -> usize {
    report::decimals(&metric.scale(), LineStyle { decimals: 2, short: false })
}

/// A difference with its sign.
fn signed(difference: f64, digits: usize) -> String {
    let text = fixed(difference, digits);
    if text.starts_with('-') { text } else { format!("+{text}") }
}

/// How one metric is shown.
struct Shown<'s> {
    systems: &'s [String],
    /// The metric's name, which differs from those of its variants.
    name: &'s str,
    form: TableForm,
    digits: usize,
}

impl Shown<'_> {
    fn write(
        &self,
        comparison: &Comparison<'_>,
        run: &Run,
        request: &CompareRequest,
        out: &mut Out,
    ) -> Result<()> {
        let (form, matrix) = (self.form, &comparison.matrix);
        writeln!(out, "{}\n", report::banner(&format!("{}, {} segments", self.name, run.len())))?;
        if !comparison.tested {
            writeln!(out, "{}\n", form.of(&self.untested(matrix)))?;
            return Ok(());
        }
        writeln!(out, "{}\n", form.of(&self.ranks(matrix)))?;
        writeln!(out, "{}", form.of(&self.pairs(matrix)))?;
        writeln!(
            out,
            "p is corrected by Holm for {} pairs; \"detectable\" is the smallest difference that these segments show with \
             80 % power.\n",
            matrix.pairs.len()
        )?;
        let Some(details) = &comparison.details else { return Ok(()) };
        if !details.groups.is_empty() {
            writeln!(out, "{}\n", form.of(&self.groups(details)))?;
        }
        self.write_segments(comparison.metric, details, request.most, run.texts(), out)?;
        details.ngrams.as_ref().map_or(Ok(()), |best| self.write_ngrams(comparison.metric, best, out))
    }

    fn untested(&self, matrix: &Matrix) -> Grid {
        let scores: Vec<(&String, &f64)> = self.systems.iter().zip(&matrix.scores).collect();
        grid(&["System", "score", "test"], &scores, |(system, score)| {
            vec![(*system).clone(), fixed(**score, self.digits), NO_TEST.to_owned()]
        })
    }

    fn ranks(&self, matrix: &Matrix) -> Grid {
        grid(&["System", "score", "rank", "cluster"], &matrix.ranks, |rank: &Rank| {
            let range = if rank.best == rank.worst {
                rank.best.to_string()
            } else {
                format!("{}-{}", rank.best, rank.worst)
            };
            let score = fixed(matrix.scores[rank.system], self.digits);
            vec![self.systems[rank.system].clone(), score, range, rank.cluster.to_string()]
        })
    }

    fn pairs(&self, matrix: &Matrix) -> Grid {
        let (systems, digits) = (self.systems, self.digits);
        grid(&["Pair", "difference", "95% CI", "p", "detectable"], &matrix.pairs, |pair: &PairTest| {
            let Interval { lower, upper, .. } = pair.interval;
            vec![
                format!("{} - {}", systems[pair.first], systems[pair.second]),
                signed(pair.difference, digits),
                format!("{} to {}", signed(lower, digits), signed(upper, digits)),
                format!("{:.4}", pair.corrected),
                fixed(pair.smallest_difference, digits),
            ]
        })
    }

    fn groups(&self, details: &Details) -> Grid {
        let header = ["Group", "segments", &self.systems[0], &self.systems[1], "points"];
        grid(&header, &details.groups, |GroupDifference { by, label, segments, scores, points }| {
            let name = if by == LENGTH { format!("{label} tokens") } else { format!("{by}: {label}") };
            let [first, second] = scores.map(|score| fixed(score, self.digits));
            vec![name, segments.to_string(), first, second, signed(*points, self.digits + 1)]
        })
    }

    fn write_segments(
        &self,
        metric: &AnyMetric,
        details: &Details,
        most: usize,
        texts: Option<&Texts>,
        out: &mut Out,
    ) -> Result<()> {
        let better = if metric.scale().direction == Direction::LowerIsBetter { -1.0 } else { 1.0 };
        for (system, sign) in [(0, better), (1, -better)] {
            let of_system = details.segments.iter().filter(|(_, points)| points * sign > 0.0);
            let name = &self.systems[system];
            writeln!(out, "Segments where {name} gains most (points of the difference):")?;
            for (segment, points) in of_system.take(most) {
                writeln!(out, " {:>6}  {}", segment + 1, signed(*points, self.digits + 2))?;
                let Some(texts) = texts else { continue };
                let text = &texts.segments[*segment];
                let lines = text.references.iter().map(|reference| ("reference", reference));
                for (name, line) in lines.chain(self.systems.iter().map(String::as_str).zip(&text.hypotheses))
                {
                    writeln!(out, "         {name}: {line}")?;
                }
            }
            writeln!(out)?;
        }
        Ok(())
    }

    fn write_ngrams(
        &self,
        metric: &AnyMetric,
        best: &[Vec<NgramDifference>; 2],
        out: &mut Out,
    ) -> Result<()> {
        let counts_ngrams = column_names(metric).iter().any(|name| name.starts_with("clipped_"));
        let what = if counts_ngrams { "N-grams" } else { "Words" };
        for (name, list) in self.systems.iter().zip(best) {
            writeln!(out, "{what} that {name} gets right more often:")?;
            for NgramDifference { ngram, points } in list {
                let points =
                    points.map(|points| format!("  {}", signed(points, self.digits + 2))).unwrap_or_default();
                let frequency = ngram.frequency().name();
                let (first, second) = (ngram.first, ngram.second);
                writeln!(
                    out,
                    "  {first:>5} : {second:<5} {frequency:<9}{points}  {}",
                    ngram.tokens.join(" ")
                )?;
            }
            writeln!(out)?;
        }
        Ok(())
    }
}

/// In place of a test, for statistics that cannot be resampled.
const NO_TEST: &str = "(no test)";

fn grid<R>(header: &[&str], rows: &[R], row: impl Fn(&R) -> Vec<String>) -> Grid {
    let header = header.iter().map(|&name| name.to_owned()).collect();
    Grid { header, rows: rows.iter().map(row).collect() }
}
