//! The command `turns`: converts RTTM and UEM files (speaker turns) to segments for other commands. Also
//! prints the diarization error rates that several programs compute for such files.

use std::error::Error;
use std::fmt::Write;

use bleuprint_text::{
    CommandAnswer, FamilyCommand, FamilyOption, FamilyRequest, OptionValues, ProgramServices, RoundedTarget,
};
use serde_json::{Value, json};

use crate::{Explained, Recording, explain, notes, recordings};

/// Number of closest error rates that are shown if no program's rate equals the reported one.
const NEAREST: usize = 5;

/// The commands of the family.
pub(crate) static COMMANDS: &[FamilyCommand] = &[FamilyCommand {
    name: "turns",
    about: "Convert RTTM and UEM files of speaker turns to segments, or show the DER that every program computes",
    group: "Texts and files",
    options: &[
        FamilyOption::positional("reference", "REF.rttm", "The turns of the reference"),
        FamilyOption::value("input", "HYP.rttm", "The turns of the system").short('i').required(),
        FamilyOption::value("uem", "FILE", "The scored regions; without the file, `uem=extent` scores the extent of the turns"),
        FamilyOption::value("missing", "MODE", "The meaning of a recording that one side lacks: an error, or a recording without turns")
            .choices(&["error", "empty"])
            .default("error"),
        FamilyOption::flag("round-times", "Round times of more than six decimal places to the microsecond"),
        FamilyOption::value(
            "explain",
            "PERCENT",
            "Show the DER of every program and every choice; with a number, only those that round to it, or exit code 1 if none does",
        )
        .takes(OptionValues::OneOrNone),
        FamilyOption::value(
            "collar",
            "SECONDS",
            "The collar that --explain tries on each side of a boundary, besides no collar and twice this collar",
        )
        .default("0.25")
        .takes(OptionValues::Number),
        FamilyOption::flag("quiet", "Print no warnings").short('q'),
        FamilyOption::value("format", "format", "The form of the output [default: text]")
            .short('f')
            .choices(&["json", "text"]),
    ],
    short_help: &["input", "uem", "missing", "explain"],
    examples: "  bleuprint turns ref.rttm -i hyp.rttm --uem all.uem\n  \
         bleuprint turns ref.rttm -i hyp.rttm --uem all.uem --explain 13.94 --collar 0.25",
    run,
}];

fn run(request: &FamilyRequest<'_>, out: &mut dyn Write) -> Result<CommandAnswer, Box<dyn Error>> {
    let target = request.option("explain").filter(|text| !text.is_empty());
    let parse = |text| {
        let target = RoundedTarget::parse(text);
        target.ok_or_else(|| format!("--explain is `{text}`, but must be a number"))
    };
    let target = target.map(parse).transpose()?;
    let collar = request.option("collar").unwrap_or_default().parse::<f64>()?;
    let all = read(request)?;
    let explains = request.has("explain");
    if !request.has("quiet") {
        // Segments keep all times; only --explain scores with a collar, which may swallow short turns.
        let collar = if explains { collar } else { 0.0 };
        notes(&all, collar)?.iter().for_each(|note| request.program.note(note));
    }
    if explains {
        let rows = ExplainedRows::new(explain(&all, collar)?, target);
        let is_json = request.option("format") == Some("json");
        if is_json {
            rows.write_json(request.program, out)?
        } else {
            rows.write_text(request.program, out)?
        }
        return Ok(rows.answer());
    }
    // Without --explain the output is JSON Lines, ready for --segments.
    for one in &all {
        writeln!(out, "{}", Value::Object(one.record()))?;
    }
    Ok(CommandAnswer::Positive)
}

fn read(request: &FamilyRequest<'_>) -> Result<Vec<Recording>, Box<dyn Error>> {
    let reference = request.option("reference").unwrap_or_default();
    let hypothesis = request.option("input").unwrap_or_default();
    let empty = request.option("missing") == Some("empty");
    Ok(recordings(reference, hypothesis, request.option("uem"), empty, request.has("round-times"))?)
}

/// Error rates in the order in which they are shown.
struct ExplainedRows {
    rows: Vec<Explained>,
    /// `true` if there is no reported number, or if at least one row rounds to it.
    fits: bool,
}

impl ExplainedRows {
    /// Sorts the rows. Rows that round to the reported number come first, those with the fewest differences in
    /// front. If no row does, only the nearest rows stay.
    fn new(mut rows: Vec<Explained>, target: Option<RoundedTarget>) -> Self {
        let Some(target) = target else { return ExplainedRows { rows, fits: true } };
        let fits = |row: &Explained| percent(row).is_some_and(|percent| target.fits_percent(percent));
        let off =
            |row: &Explained| percent(row).map_or(f64::INFINITY, |percent| target.off_by(percent).abs());
        let count = rows.iter().filter(|row| fits(row)).count();
        rows.sort_by(|one, other| {
            let both = fits(other).cmp(&fits(one));
            both.then(if fits(one) {
                one.differences.len().cmp(&other.differences.len())
            } else {
                off(one).total_cmp(&off(other))
            })
        });
        rows.truncate(if count > 0 { count } else { NEAREST });
        ExplainedRows { rows, fits: count > 0 }
    }

    fn answer(&self) -> CommandAnswer {
        if self.fits { CommandAnswer::Positive } else { CommandAnswer::Negative }
    }

    fn write_json(&self, program: &dyn ProgramServices, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
        let row = |row: &Explained| {
            let error = row.value.as_ref().err().map(ToString::to_string);
            json!({
                "program": row.program, "metric": row.metric, "percent": percent(row), "error": error,
                "differences": row.differences,
            })
        };
        let rows = Value::Array(self.rows.iter().map(row).collect());
        Ok(writeln!(out, "{}", program.indented_json(&rows.to_string()))?)
    }

    fn write_text(&self, program: &dyn ProgramServices, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
        if !self.fits {
            writeln!(
                out,
                "nothing fits: no tried program and no tried choice gives this number. The nearest:"
            )?;
        }
        writeln!(out, "{:>8}  {:<60}  differences", "DER", "metric")?;
        for row in &self.rows {
            let shown = percent(row).map_or("none".to_owned(), |percent| program.fixed(percent, 2));
            writeln!(out, "{shown:>8}  {:<60}  {}", row.metric, row.differences.join("; "))?;
        }
        Ok(())
    }
}

fn percent(row: &Explained) -> Option<f64> {
    row.value.as_ref().ok().map(|value| 100.0 * value)
}
