//! `bleuprint compare`: who is better, by how much, how surely, and where.

use bleuprint::Metric as _;
use bleuprint::eval::evaluation::{
    CompareRequest, Comparison, Details, GroupDifference, LENGTH, NgramDifference, Run, Texts,
};
use bleuprint::eval::in_threads;
use bleuprint::eval::resample::{Design, Interval, Matrix, PairTest, Plan, Power, Rank, Test};
use bleuprint::report::{self, Grid};
use serde_json::{Value, json};

use crate::evaluation::data::{Data, Reading};
use crate::shared::args::number;
use crate::shared::command::*;
use crate::shared::counting::{Source, counting, stats_files};
use crate::shared::output;
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
    json: bool,
}

impl Subcommand for Compare {
    const NAME: &'static str = "compare";

    fn define(command: Command, registry: &Registry) -> Command {
        let command = command.about(
            "Compare systems: every pair with its interval and p-value, ranks, and for two where they differ",
        );
        let number = |name| number(name, 1..=1_000_000_000);
        counting(command, registry)
            .arg(args::format())
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
            json: matches.is_json(),
        })
    }

    fn run(self, program: &Program<'_>, out: &mut Out) -> Result<()> {
        let Compare { test, seed, by, most, json, .. } = self;
        let data = Data::open(self.source, &self.reading, program)?;
        let (power, systems) = (Power::default(), data.systems().len());
        let default = if test == Test::Bootstrap { Plan::RESAMPLES } else { Plan::TRIALS };
        let count = resamples_of_pairs(self.resamples, default, systems, power.significance)?;
        let design = Design { test, plan: Plan { seed, count }, higher_is_better: true, power };
        let request = CompareRequest { design, by, most };
        in_threads(self.threads, || {
            let run = data.counted()?;
            write(&run, &request, json, out)
        })?
    }
}

/// Compares, and writes what comes out.
fn write(run: &Run, request: &CompareRequest, json: bool, out: &mut Out) -> Result<()> {
    if run.systems().len() < 2 {
        fail!("a comparison needs at least two systems: -i A B ..");
    }
    let comparisons = run.compare(request)?;
    if json {
        let metrics: Vec<Value> = comparisons.iter().map(Comparison::to_json).collect();
        let value = json!({ "systems": run.systems(), "segments": run.len(), "metrics": metrics });
        writeln!(out, "{}", report::pretty(&value, 1))?;
        return Ok(());
    }
    comparisons.iter().try_for_each(|comparison| {
        write_text(run.systems(), comparison, run.len(), request, run.texts(), out)
    })
}

fn write_text(
    systems: &[String],
    comparison: &Comparison<'_>,
    segments: usize,
    request: &CompareRequest,
    texts: Option<&Texts>,
    out: &mut Out,
) -> Result<()> {
    let (name, matrix) = (comparison.metric.identity().name(), &comparison.matrix);
    writeln!(out, "{}\n", report::banner(&format!("{name}, {segments} segments")))?;
    writeln!(out, "{}\n", ranks(systems, matrix).boxed())?;
    writeln!(out, "{}", pairs(systems, matrix).boxed())?;
    writeln!(
        out,
        "p is corrected by Holm for {} pairs; \"detectable\" is the smallest difference that these segments show with \
         80 % power.\n",
        matrix.pairs.len()
    )?;
    let Some(details) = &comparison.details else { return Ok(()) };
    if !details.groups.is_empty() {
        writeln!(out, "{}\n", groups(systems, details).boxed())?;
    }
    write_segments(systems, details, request.most, texts, out)?;
    details.ngrams.as_ref().map_or(Ok(()), |best| write_ngrams(systems, best, out))
}

fn grid<R>(header: &[&str], rows: &[R], row: impl Fn(&R) -> Vec<String>) -> Grid {
    let header = header.iter().map(|&name| name.to_owned()).collect();
    Grid { header, rows: rows.iter().map(row).collect() }
}

fn ranks(systems: &[String], matrix: &Matrix) -> Grid {
    grid(&["System", "score", "rank", "cluster"], &matrix.ranks, |rank: &Rank| {
        let range = if rank.best == rank.worst {
            rank.best.to_string()
        } else {
            format!("{}-{}", rank.best, rank.worst)
        };
        let score = format!("{:.2}", matrix.scores[rank.system]);
        vec![systems[rank.system].clone(), score, range, rank.cluster.to_string()]
    })
}

fn pairs(systems: &[String], matrix: &Matrix) -> Grid {
    grid(&["Pair", "difference", "95% CI", "p", "detectable"], &matrix.pairs, |pair: &PairTest| {
        let Interval { lower, upper, .. } = pair.interval;
        vec![
            format!("{} - {}", systems[pair.first], systems[pair.second]),
            format!("{:+.2}", pair.difference),
            format!("{lower:+.2} to {upper:+.2}"),
            format!("{:.4}", pair.corrected),
            format!("{:.2}", pair.smallest_difference),
        ]
    })
}

fn groups(systems: &[String], details: &Details) -> Grid {
    let header = ["Group", "segments", &systems[0], &systems[1], "points"];
    grid(&header, &details.groups, |GroupDifference { by, label, segments, scores, points }| {
        let name = if by == LENGTH { format!("{label} tokens") } else { format!("{by}: {label}") };
        let [first, second] = scores.map(|score| format!("{score:.2}"));
        vec![name, segments.to_string(), first, second, format!("{points:+.3}")]
    })
}

fn write_segments(
    systems: &[String],
    details: &Details,
    most: usize,
    texts: Option<&Texts>,
    out: &mut Out,
) -> Result<()> {
    for (system, sign) in [(0, 1.0), (1, -1.0)] {
        let of_system = details.segments.iter().filter(|(_, points)| points * sign > 0.0);
        writeln!(out, "Segments where {} gains most (points of the difference):", systems[system])?;
        for (segment, points) in of_system.take(most) {
            writeln!(out, " {:>6}  {points:+.4}", segment + 1)?;
            let Some(texts) = texts else { continue };
            let text = &texts.segments[*segment];
            let lines = text.references.iter().map(|reference| ("reference", reference));
            for (name, line) in lines.chain(systems.iter().map(String::as_str).zip(&text.hypotheses)) {
                writeln!(out, "         {name}: {line}")?;
            }
        }
        writeln!(out)?;
    }
    Ok(())
}

fn write_ngrams(systems: &[String], best: &[Vec<NgramDifference>; 2], out: &mut Out) -> Result<()> {
    for (name, list) in systems.iter().zip(best) {
        writeln!(out, "N-grams that {name} gets right more often:")?;
        for NgramDifference { ngram, points } in list {
            let points = points.map(|points| format!("  {points:+.4}")).unwrap_or_default();
            let frequency = ngram.frequency().name();
            let (first, second) = (ngram.first, ngram.second);
            writeln!(out, "  {first:>5} : {second:<5} {frequency:<9}{points}  {}", ngram.tokens.join(" "))?;
        }
        writeln!(out)?;
    }
    Ok(())
}
