//! Implements `bleuprint turns`: converts RTTM and UEM files (speaker turns) to segments for other commands.
//! Also prints the diarization error rates that several programs compute for such files.

use bleuprint::explain::RoundedTarget;
use bleuprint::families::diarization::{Explained, explain, notes, recordings};
use bleuprint::report;
use bleuprint_inputs::warn;
use serde_json::{Value, json};

use crate::shared::command::*;
use crate::shared::explanation::target;

/// Number of closest error rates that are shown if no program's rate equals the reported one.
const NEAREST: usize = 5;

/// Exit code if no program's error rate equals the reported one.
const NOTHING_FITS: u8 = 1;

pub(crate) struct TurnsCommand {
    files: [String; 2],
    uem: Option<String>,
    empty: bool,
    rounded: bool,
    quiet: bool,
    explained: Option<Explaining>,
    collar: f64,
}

struct Explaining {
    target: Option<RoundedTarget>,
    json: bool,
}

impl Subcommand for TurnsCommand {
    const NAME: &'static str = "turns";
    const SHORT_HELP: &'static [&'static str] = &["input", "uem", "missing", "explain"];
    const EXAMPLES: &'static str = "  bleuprint turns ref.rttm -i hyp.rttm --uem all.uem\n  \
         bleuprint turns ref.rttm -i hyp.rttm --uem all.uem --explain 13.94 --collar 0.25";

    fn define(command: Command, _: &Families) -> Command {
        command
            .about("Convert RTTM and UEM files of speaker turns to segments, or show the DER that every program computes")
            .arg(Arg::new("reference").value_name("REF.rttm").required(true).help("The turns of the reference"))
            .arg(option("input", "HYP.rttm").short('i').required(true).help("The turns of the system"))
            .arg(option("uem", "FILE").help("The scored regions; without the file, `uem=extent` scores the extent of the turns"))
            .arg(
                option("missing", "MODE")
                    .value_parser(["error", "empty"])
                    .default_value("error")
                    .help("The meaning of a recording that one side lacks: an error, or a recording without turns"),
            )
            .arg(flag("round-times").help("Round times of more than six decimal places to the microsecond"))
            .arg(
                option("explain", "PERCENT")
                    .num_args(0..=1)
                    .allow_hyphen_values(true)
                    .default_missing_value("")
                    .help("Show the DER of every program and every choice; with a number, only those that round to it, or exit code 1 if none does"),
            )
            .arg(
                option("collar", "SECONDS")
                    .default_value("0.25")
                    .value_parser(clap::value_parser!(f64))
                    .help("The collar that --explain tries on each side of a boundary, besides no collar and twice this collar"),
            )
            .args([args::quiet(), args::format()])
    }

    fn request(matches: &ArgMatches, _: &Families) -> Result<Self> {
        let explained = match matches.text("explain") {
            None => None,
            Some(text) => Some(Explaining {
                target: if text.is_empty() { None } else { Some(target("explain", &text)?) },
                json: matches.is_json(),
            }),
        };
        Ok(TurnsCommand {
            files: ["reference", "input"].map(|name| matches.text(name).unwrap_or_default()),
            uem: matches.text("uem"),
            empty: matches.text("missing").as_deref() == Some("empty"),
            rounded: matches.get_flag("round-times"),
            quiet: matches.get_flag("quiet"),
            explained,
            collar: matches.get_one("collar").copied().unwrap_or_default(),
        })
    }

    fn run(self, _: &CommandContext<'_>, out: &mut Out) -> Result<()> {
        let [reference, hypothesis] = &self.files;
        let all = recordings(reference, hypothesis, self.uem.as_deref(), self.empty, self.rounded)?;
        if !self.quiet {
            // Segments keep all times; only --explain scores with a collar, which may swallow short turns.
            let collar = if self.explained.is_some() { self.collar } else { 0.0 };
            notes(&all, collar)?.iter().for_each(|note| warn::note(note));
        }
        match &self.explained {
            Some(explained) => write_explained(explain(&all, self.collar)?, explained, out),
            // Without --explain the output is JSON Lines, ready for --segments.
            None => all.iter().try_for_each(|one| Ok(writeln!(out, "{}", Value::Object(one.record()))?)),
        }
    }
}

fn write_explained(mut rows: Vec<Explained>, explaining: &Explaining, out: &mut Out) -> Result<()> {
    let percent = |row: &Explained| row.value.as_ref().ok().map(|value| 100.0 * value);
    let mut fits = true;
    if let Some(target) = explaining.target {
        let off =
            |row: &Explained| percent(row).map_or(f64::INFINITY, |percent| target.off_by(percent).abs());
        let fitting =
            rows.iter().filter(|row| percent(row).is_some_and(|percent| target.fits_percent(percent)));
        let count = fitting.count();
        fits = count > 0;
        // Rows that fit come first, the fewest differences first; the other rows by their distance to the target.
        rows.sort_by(|one, other| {
            let fit = |row: &Explained| percent(row).is_some_and(|percent| target.fits_percent(percent));
            let both = fit(other).cmp(&fit(one));
            both.then(if fit(one) {
                one.differences.len().cmp(&other.differences.len())
            } else {
                off(one).total_cmp(&off(other))
            })
        });
        rows.truncate(if fits { count } else { NEAREST });
    }
    if explaining.json {
        let row = |row: &Explained| {
            let error = row.value.as_ref().err().map(ToString::to_string);
            json!({
                "program": row.program, "metric": row.metric, "percent": percent(row), "error": error,
                "differences": row.differences,
            })
        };
        writeln!(out, "{}", report::pretty(&Value::Array(rows.iter().map(row).collect()), 1))?;
    } else {
        if !fits {
            writeln!(
                out,
                "nothing fits: no tried program and no tried choice gives this number. The nearest:"
            )?;
        }
        writeln!(out, "{:>8}  {:<60}  differences", "DER", "metric")?;
        for row in &rows {
            let shown = percent(row).map_or("none".to_owned(), |percent| format!("{percent:.2}"));
            writeln!(out, "{shown:>8}  {:<60}  {}", row.metric, row.differences.join("; "))?;
        }
    }
    if fits { Ok(()) } else { Err(Failure::Verdict(NOTHING_FITS)) }
}
