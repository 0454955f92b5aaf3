//! Implements `compare --unpaired`, which compares systems that were scored on different segments.

use bleuprint::InputErrorKind;
use bleuprint::eval::evaluation::{
    Comparison, Run, UnpairedRequest, UnpairedSide, compare_unpaired, shared_segments,
};
use bleuprint::inference::{
    FEWEST_UNITS, FEWEST_UNITS_OF_LOOK, Inconclusive, PairMatrix, PairTest, ResamplePlan, Unpaired,
    UnpairedPair, UnpairedTest,
};
use bleuprint::report::{CellGrid, fixed};
use bleuprint_requests::warn;
use clap::value_parser;

use crate::shared::args::number;
use crate::shared::command::*;

pub(crate) struct UnpairedOptions {
    test: Option<UnpairedTest>,
    expected: Option<u64>,
    wanted: Option<f64>,
    quiet: bool,
}

pub(crate) fn options() -> [Arg; 3] {
    [
        flag("unpaired").conflicts_with("by").help(
            "Compare systems on separate segments, as in A/B tests, from files of statistics, numbers or text of each system",
        ),
        number("expect", 2..)
            .requires("unpaired")
            .help("Units planned for each system: adds intervals and p-values that hold at every look until then"),
        option("difference", "X")
            .requires("unpaired")
            .value_parser(value_parser!(f64))
            .allow_hyphen_values(true)
            .help("A difference that matters: add the number of units needed to detect it"),
    ]
}

impl UnpairedOptions {
    pub(crate) fn new(matches: &ArgMatches) -> Result<Option<Self>> {
        if !matches.get_flag("unpaired") {
            return Ok(None);
        }
        let wanted = matches.get_one::<f64>("difference").copied();
        if let Some(wanted) = wanted.filter(|wanted| !(wanted.is_finite() && *wanted > 0.0)) {
            fail!("--difference {wanted}: no number of units shows such a difference; give a number above 0");
        }
        Ok(Some(UnpairedOptions {
            test: match matches.text("test").as_deref() {
                Some("welch") => Some(UnpairedTest::Welch),
                Some("bootstrap") => Some(UnpairedTest::Bootstrap),
                Some("permutation") => Some(UnpairedTest::Permutation),
                Some(test) => {
                    fail!("--test {test} swaps the outputs of a segment, but --unpaired has no pairs")
                }
                None => None,
            },
            expected: matches.count("expect").map(|count| count as u64),
            wanted,
            quiet: matches.get_flag("quiet"),
        }))
    }

    pub(crate) fn trials(&self) -> usize {
        if self.test == Some(UnpairedTest::Permutation) {
            ResamplePlan::TRIALS
        } else {
            ResamplePlan::RESAMPLES
        }
    }

    pub(crate) fn request(&self, plan: ResamplePlan, unit: Option<String>) -> UnpairedRequest {
        let design = Unpaired {
            test: self.test,
            plan,
            expected: self.expected,
            wanted: self.wanted,
            ..Unpaired::default()
        };
        UnpairedRequest { design, unit }
    }

    /// Compares systems on different segments, and prints a note if some segments seem to be shared.
    pub(crate) fn compare<'r>(
        &self,
        runs: &'r [Run],
        request: &UnpairedRequest,
    ) -> Result<Vec<Comparison<'r>>> {
        require_two(runs.len())?;
        let sides: Vec<UnpairedSide<'_>> = runs.iter().map(UnpairedSide::from).collect();
        let comparisons = compare_unpaired(&sides, request)?;
        if !self.quiet {
            shared_segments(&sides, "--unpaired").iter().for_each(|note| warn::note(note));
        }
        Ok(comparisons)
    }
}

/// Adds a hint about `--unpaired` to errors that say that systems have different segments.
pub(crate) fn named(failure: Failure) -> Failure {
    let message = match failure {
        Failure::Input(error) if is_of_other_segments(error.kind()) => error.to_string(),
        Failure::Message(message) if is_about_segments(&message) => message,
        other => return other,
    };
    Failure::Message(format!("{message}; systems on different segments are compared by --unpaired"))
}

fn is_of_other_segments(kind: &InputErrorKind) -> bool {
    match kind {
        InputErrorKind::LengthMismatch { .. } => true,
        InputErrorKind::Malformed(message) => is_about_segments(message),
        _ => false,
    }
}

fn is_about_segments(message: &str) -> bool {
    [
        "differ in the ",
        "counted against other",
        "another id, source or references",
        "than that of a system before it",
        "has no segment",
    ]
    .iter()
    .any(|part| message.contains(part))
}

pub(crate) fn p_value(pair: &PairTest) -> String {
    match pair.inconclusive() {
        _ if !pair.p_value.is_nan() => {
            format!("{}{:.4}", if pair.least_p { "<= " } else { "" }, pair.corrected)
        }
        Some(Inconclusive::TooFewUnits) => format!("inconclusive (fewer than {FEWEST_UNITS} units)"),
        Some(Inconclusive::NoSpread) => "inconclusive (no spread)".to_owned(),
        None => "inconclusive".to_owned(),
    }
}

/// Returns notes for the user on the statistical methods of the comparisons, and on the limits of their
/// confidence intervals.
pub(super) fn method_notes(pairs: &[PairTest], systems: &[String], unit: Option<&str>) -> Vec<String> {
    let mut methods: Vec<&str> = Vec::new();
    for pair in pairs {
        if !methods.contains(&pair.method.in_words()) {
            methods.push(pair.method.in_words());
        }
    }
    let counts = match pairs {
        [one] => one.mcnemar.map(|counts| {
            let what = if unit.is_some() { " units" } else { "" };
            format!(
                " ({}{what} right in the first system alone, {} in the second alone)",
                counts.only_first, counts.only_second
            )
        }),
        _ => None,
    };
    let mut notes = vec![format!("p and 95% CI: {}{}.", methods.join(", "), counts.unwrap_or_default())];
    if pairs.iter().any(|pair| pair.paired_units.is_some_and(|units| units.inconclusive.is_some())) {
        notes.push(format!("Fewer than {FEWEST_UNITS} units: p and the interval say little."));
    }
    notes.extend(cautions(pairs, systems));
    notes
}

fn cautions(pairs: &[PairTest], systems: &[String]) -> Vec<String> {
    let mut notes = Vec::new();
    for pair in pairs {
        let name = match pairs.len() {
            1 => String::new(),
            _ => format!("{} - {}: ", systems[pair.first], systems[pair.second]),
        };
        if let Some(caution) = pair.caution {
            notes.push(format!("{name}{caution}."));
        }
        if pair.redrawn > 0.0 && !pair.caution.is_some_and(|caution| caution.refuses()) {
            let share = 100.0 * pair.redrawn;
            notes.push(format!("{name}{share:.1} % of the resamples had no score, and were drawn again."));
        }
    }
    notes.dedup();
    notes
}

pub(crate) struct Apart {
    pub(crate) lengths: Vec<usize>,
}

impl Apart {
    pub(crate) fn add_counts(&self, ranks: &mut CellGrid, matrix: &PairMatrix, unit: Option<&str>) {
        ranks.header.push("segments".to_owned());
        ranks.header.extend(unit.map(|unit| format!("{unit} units")));
        for (row, rank) in ranks.rows.iter_mut().zip(&matrix.ranks) {
            row.push(self.lengths[rank.system].to_string());
            row.extend(unit.map(|_| matrix.arms[rank.system].units.to_string()));
        }
    }
}

fn add_column(
    pairs: &mut CellGrid,
    matrix: &PairMatrix,
    name: &str,
    figure: &dyn Fn(&PairTest) -> Option<String>,
) {
    let cells: Vec<_> = matrix.pairs.iter().map(figure).collect();
    if cells.iter().any(Option::is_some) {
        pairs.header.push(name.to_owned());
        pairs.rows.iter_mut().zip(cells).for_each(|(row, cell)| row.push(cell.unwrap_or_default()));
    }
}

pub(crate) fn add_design_effect(pairs: &mut CellGrid, matrix: &PairMatrix) {
    add_column(pairs, matrix, "design effect", &|pair| {
        let of_units = pair.paired_units.and_then(|units| units.design_effect);
        let effect = of_units.or_else(|| pair.unpaired.and_then(|unpaired| unpaired.design_effect));
        effect.map(|effect| fixed(effect, 2))
    });
}

pub(crate) fn add_figures(pairs: &mut CellGrid, matrix: &PairMatrix, digits: usize) {
    add_design_effect(pairs, matrix);
    let mut add = |name: &str, figure: &dyn Fn(&UnpairedPair) -> Option<String>| {
        add_column(pairs, matrix, name, &|pair| pair.unpaired.and_then(|one| figure(&one)));
    };
    add("units needed", &|pair| pair.needed.map(|[one, other]| format!("{one} + {other}")));
    add("detectable as planned", &|pair| pair.smallest_planned.map(|least| fixed(least, digits)));
    add("95% CI at every look", &|pair| {
        pair.look.map(|look| format!("{} to {}", fixed(look.low, digits), fixed(look.high, digits)))
    });
    add("p at every look", &|pair| pair.look.map(|look| format!("{:.4}", look.p_value)));
}

/// Returns a note that p-values, but not intervals, are corrected for this number of comparisons.
pub(super) fn corrected(pairs: usize) -> String {
    let alone = if pairs > 1 { ", an interval is not" } else { "" };
    format!("p is corrected by Holm for {}{alone}", counted(pairs, "pair"))
}

pub(crate) fn notes(comparison: &Comparison<'_>, systems: &[String], unit: Option<&str>) -> String {
    let matrix = &comparison.matrix;
    let all = matrix.pairs.iter().all(|pair| pair.unpaired.is_some_and(|one| one.arrangements.is_some()));
    let test = match matrix.test {
        "miettinen-nurminen" => "Miettinen and Nurminen's interval and test of rates",
        "welch" => "Welch's test",
        "bootstrap" => "Bootstrap of each system",
        _ if all => "Permutation of all arrangements, studentized",
        _ => "Permutation, studentized",
    };
    let mut notes = vec![format!(
        "{test}, by {}; {}; \"detectable\" is the smallest difference that as many units \
         show with 80 % power.",
        unit.unwrap_or("segment"),
        corrected(matrix.pairs.len())
    )];
    notes.extend(cautions(&matrix.pairs, systems));
    if comparison.left_out > 0 {
        notes.push(format!("Without a number, and left out: {}.", counted(comparison.left_out, "segment")));
    }
    let pair = |wanted: &dyn Fn(&UnpairedPair) -> bool| {
        matrix.pairs.iter().filter_map(|pair| pair.unpaired.as_ref()).any(wanted)
    };
    if pair(&|pair| pair.smallest_planned.is_some() && pair.look.is_none()) {
        notes.push(format!(
            "Nothing is said of every look before {FEWEST_UNITS_OF_LOOK} units of each system."
        ));
    }
    notes.join("\n")
}

pub(super) fn require_two(systems: usize) -> Result<()> {
    if systems < 2 {
        fail!("a comparison needs at least two systems: -i A B ..");
    }
    Ok(())
}
