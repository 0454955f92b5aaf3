//! Writes the results of `bleuprint compare` as JSON, as tables, or as lists of the differences between two
//! systems.

use bleuprint::contract::{Choice as _, counted};
use bleuprint::eval::NgramWin;
use bleuprint::eval::evaluation::{Comparison, Details, GroupDifference, LENGTH, RunLabels, RunTexts};
use bleuprint::inference::{Correction, Interval, PairMatrix, PairTest, SystemRank};
use bleuprint::report::{self, CellGrid, LineStyle, TableForm, fixed};
use bleuprint::{
    AnyMetric, AnyScore, Metric as _, Scored,
    contract::{Direction, column_names},
};
use serde_json::{Value, json};

use super::unpaired::{self, Apart};
use crate::shared::catalogue::write_text;
use crate::shared::command::*;

#[derive(Debug, Clone, Copy)]
pub(super) enum ShownForm {
    Json,
    /// Tables in this format; CSV and TSV put all pairs of systems into one table.
    Tables(TableForm),
}

pub(super) struct ShownSubject<'r> {
    pub(super) names: Vec<String>,
    /// Scores with signatures, indexed by system and then by metric.
    pub(super) scores: Vec<Vec<Scored<AnyScore>>>,
    /// Number of segments, if all systems have the same segments; otherwise `apart` has one number per
    /// system.
    pub(super) length: usize,
    pub(super) apart: Option<Apart>,
    /// Label that groups segments into units, such as documents, which are resampled as a whole; `None` if
    /// segments are resampled.
    pub(super) unit: Option<&'r str>,
    pub(super) texts: Option<&'r RunTexts>,
    pub(super) labels: Option<&'r RunLabels>,
    /// Correction of the p-values of groups.
    pub(super) correction: Option<Correction>,
    pub(super) most: usize,
}

/// Name and version of the layout of the output in JSON.
const FORMAT: &str = "bleuprint-compare/1";

impl ShownSubject<'_> {
    /// Returns the id of a segment, after its task if tasks are known.
    fn id(&self, segment: usize) -> Option<String> {
        let labels = self.labels?;
        let of = |name: &str| labels.values_of(name).ok()?.get(segment).map(|value| (*value).to_owned());
        let id = of("id")?;
        Some(of("task").map_or_else(|| id.clone(), |task| format!("{task} {id}")))
    }

    /// Adds the id of each segment to the JSON of a metric. Also adds the question, target and responses from
    /// a log, which no metric reads, to the segments whose scores differ.
    fn name_segments(&self, metric: &mut Value) {
        for entry in metric["segments"].as_array_mut().into_iter().flatten() {
            let Some(segment) = entry["segment"].as_u64().and_then(|at| usize::try_from(at - 1).ok()) else {
                continue;
            };
            if let Some(id) = self.id(segment) {
                entry["id"] = id.into();
            }
            let differs = entry["points"].as_f64().is_some_and(|points| points != 0.0);
            let Some(texts) = self.texts.filter(|texts| texts.shown_only && differs) else { continue };
            let text = &texts.segments[segment];
            entry["question"] = json!(text.source);
            entry["target"] = json!(text.references.first());
            entry["responses"] = json!(text.hypotheses);
        }
    }
}

pub(super) fn write(
    comparisons: &[Comparison<'_>],
    subject: &ShownSubject<'_>,
    form: ShownForm,
    out: &mut Out,
) -> Result<()> {
    let form = match form {
        ShownForm::Json => {
            let signed = |(comparison, scored): (&Comparison<'_>, &Scored<AnyScore>)| {
                let mut metric = comparison.to_json();
                metric["signature"] = scored.signature.to_string().into();
                subject.name_segments(&mut metric);
                metric
            };
            let metrics: Vec<Value> =
                comparisons.iter().zip(subject.scores.iter().flatten()).map(signed).collect();
            let segments = match &subject.apart {
                Some(apart) => json!(apart.lengths),
                None => json!(subject.length),
            };
            let mut value = json!({
                "format": FORMAT,
                "version": env!("CARGO_PKG_VERSION"),
                "systems": subject.names,
                "segments": segments,
                "metrics": metrics,
            });
            if let Some(unit) = subject.unit {
                value["unit"] = unit.into();
            }
            writeln!(out, "{}", report::pretty(&value, 1))?;
            return Ok(());
        }
        ShownForm::Tables(form) => form,
    };
    let systems = report::short_names(&subject.names);
    let scores = &subject.scores;
    let names = report::headers(&scores[0]);
    if form.is_data() {
        let mut all =
            CellGrid { header: PAIRS.iter().map(|&name| name.to_owned()).collect(), rows: Vec::new() };
        for ((comparison, name), scored) in comparisons.iter().zip(&names).zip(&scores[0]) {
            let signature = scored.signature.to_string();
            all.rows.extend(pair_rows(&systems, comparison, name, &signature, subject.unit));
        }
        return Ok(writeln!(out, "{}", form.write(&all))?);
    }
    comparisons.iter().zip(&names).try_for_each(|(comparison, name)| {
        let shown = ShownComparison { systems: &systems, name, form, digits: digits(comparison.metric) };
        shown.write(comparison, subject, out)
    })
}

const PAIRS: [&str; 12] = [
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
    "test",
    "signature",
];

/// Returns one table row for each pair of systems, with unrounded numbers for other programs. If the pair was not tested, the row has only the scores
/// and their difference.
fn pair_rows(
    systems: &[String],
    comparison: &Comparison<'_>,
    name: &str,
    signature: &str,
    unit: Option<&str>,
) -> Vec<Vec<String>> {
    let scores = &comparison.matrix.scores;
    let row = |first: usize, second: usize, difference: f64, test: [String; 5]| {
        let numbers = [scores[first], scores[second], difference].map(|number| number.to_string());
        let names = [name.to_owned(), systems[first].clone(), systems[second].clone()];
        names.into_iter().chain(numbers).chain(test).chain([signature.to_owned()]).collect()
    };
    let tested = |pair: &PairTest| {
        let Interval { lower, upper, .. } = pair.interval;
        let test = pair.method.name();
        let test = unit.map_or(test.to_owned(), |unit| format!("{test} by {unit}"));
        let [lower, upper] = [lower, upper].map(|end| end.to_string());
        let detectable = if pair.smallest_difference.is_finite() {
            pair.smallest_difference.to_string()
        } else {
            "none".to_owned()
        };
        let p = if pair.p_value.is_nan() { unpaired::p_value(pair) } else { pair.corrected.to_string() };
        let test = [lower, upper, p, detectable, test];
        row(pair.first, pair.second, pair.difference, test)
    };
    if comparison.tested {
        return comparison.matrix.pairs.iter().map(tested).collect();
    }
    let pairs =
        (0..systems.len()).flat_map(|first| (first + 1..systems.len()).map(move |second| (first, second)));
    let untested = ["", "", NO_TEST, "", ""].map(str::to_owned);
    pairs
        .map(|(first, second)| row(first, second, scores[first] - scores[second], untested.clone()))
        .collect()
}

fn digits(metric: &AnyMetric) -> usize {
    report::decimals(&metric.scale(), LineStyle { decimals: 2, short: false })
}

/// Formats the smallest difference that the significance test would detect, or returns `none` if it is
/// infinite.
fn detectable(pair: &PairTest, digits: usize) -> String {
    match pair.smallest_difference.is_finite() {
        true => fixed(pair.smallest_difference, digits),
        false => "none".to_owned(),
    }
}

fn signed(difference: f64, digits: usize) -> String {
    let text = fixed(difference, digits);
    if text.starts_with('-') { text } else { format!("+{text}") }
}

fn ends([lower, upper]: [String; 2]) -> String {
    format!("{lower} to {upper}")
}

struct ShownComparison<'s> {
    systems: &'s [String],
    name: &'s str,
    form: TableForm,
    digits: usize,
}

impl ShownComparison<'_> {
    fn write(&self, comparison: &Comparison<'_>, subject: &ShownSubject<'_>, out: &mut Out) -> Result<()> {
        let form = self.form;
        let matrix = &comparison.matrix;
        if let Some(apart) = &subject.apart {
            return self.write_apart(comparison, subject.unit, apart, out);
        }
        let left_out = match comparison.left_out {
            0 => String::new(),
            count => format!(" of {} ({count} left out, as a system has no number there)", subject.length),
        };
        let segments = subject.length - comparison.left_out;
        let shown = match comparison.left_out {
            0 => counted(segments, "segment"),
            _ => format!("{segments}{left_out} segments"),
        };
        let drawn = drawn_units(matrix, subject.unit);
        self.write_title(&format!("{}, {shown}{drawn}", self.name), out)?;
        if !comparison.tested {
            writeln!(out, "{}\n", form.write(&self.untested(matrix)))?;
            return Ok(());
        }
        writeln!(out, "{}\n", form.write(&self.ranks(matrix, comparison.wilson.as_deref())))?;
        let mut pairs = self.pairs(matrix);
        unpaired::add_design_effect(&mut pairs, matrix);
        writeln!(out, "{}", form.write(&pairs))?;
        let note = format!(
            "{}; \"detectable\" is the smallest difference that these {} show with 80 % power.",
            unpaired::corrected(matrix.pairs.len()),
            subject.unit.map_or("segments".to_owned(), |unit| format!("{unit} units"))
        );
        let notes = unpaired::method_notes(&matrix.pairs, self.systems, subject.unit);
        self.write_notes(std::iter::once(note).chain(notes), out)?;
        let Some(details) = &comparison.details else { return Ok(()) };
        if !details.groups.is_empty() {
            writeln!(out, "{}", form.write(&self.groups(details)))?;
            let is_tested = details.groups.iter().any(|group| group.test.is_some());
            let name = subject.correction.map_or("", |correction| correction.name());
            let note = format!(
                "p of a group is corrected for all groups of its label ({name}), an interval is not."
            );
            self.write_notes(is_tested.then_some(note), out)?;
        }
        self.write_list(out, |out: &mut Out| {
            self.write_segments(comparison.metric, details, subject, out)?;
            details.ngrams.as_ref().map_or(Ok(()), |best| self.write_ngrams(comparison.metric, best, out))
        })
    }

    fn write_title(&self, title: &str, out: &mut Out) -> Result<()> {
        let title = match self.form {
            TableForm::Latex => format!("% {title}"),
            TableForm::Markdown => format!("## {title}"),
            _ => report::banner(title),
        };
        Ok(writeln!(out, "{title}\n")?)
    }

    /// Writes remarks about the table above, and an empty line.
    fn write_notes(&self, notes: impl IntoIterator<Item = String>, out: &mut Out) -> Result<()> {
        for note in notes {
            match self.form {
                TableForm::Latex => writeln!(out, "% {note}")?,
                // Without the empty line, Markdown would take the note for a row of the table.
                TableForm::Markdown => writeln!(out, "\n{note}")?,
                _ => write_text(0, &note, out)?,
            }
        }
        Ok(writeln!(out)?)
    }

    /// Writes lists whose lines are for a screen: as comments in LaTeX, as a block of code in Markdown.
    fn write_list(&self, out: &mut Out, write: impl FnOnce(&mut Out) -> Result<()>) -> Result<()> {
        if !matches!(self.form, TableForm::Latex | TableForm::Markdown) {
            return write(out);
        }
        let mut text = Vec::new();
        write(&mut text)?;
        let text = String::from_utf8_lossy(&text);
        let text = text.trim_end();
        if self.form == TableForm::Latex {
            return text
                .lines()
                .try_for_each(|line| Ok(writeln!(out, "{}", format!("% {line}").trim_end())?));
        }
        // Answers of language models have such fences too.
        let mut fence = "```".to_owned();
        while text.contains(&fence) {
            fence.push('`');
        }
        Ok(writeln!(out, "{fence}text\n{text}\n{fence}\n")?)
    }

    fn untested(&self, matrix: &PairMatrix) -> CellGrid {
        let scores: Vec<(&String, &f64)> = self.systems.iter().zip(&matrix.scores).collect();
        grid(&["System", "score", "test"], &scores, |(system, score)| {
            vec![(*system).clone(), fixed(**score, self.digits), NO_TEST.to_owned()]
        })
    }

    fn write_apart(
        &self,
        comparison: &Comparison<'_>,
        unit: Option<&str>,
        apart: &Apart,
        out: &mut Out,
    ) -> Result<()> {
        let form = self.form;
        let matrix = &comparison.matrix;
        self.write_title(&format!("{}, unpaired", self.name), out)?;
        if !comparison.tested {
            return Ok(writeln!(out, "{}\n", form.write(&self.untested(matrix)))?);
        }
        let mut ranks = self.ranks(matrix, comparison.wilson.as_deref());
        apart.add_counts(&mut ranks, matrix, unit);
        let mut pairs = self.pairs(matrix);
        unpaired::add_figures(&mut pairs, matrix, self.digits);
        writeln!(out, "{}\n\n{}", form.write(&ranks), form.write(&pairs))?;
        let notes = unpaired::notes(comparison, self.systems, unit);
        self.write_notes(notes.lines().map(str::to_owned), out)
    }

    fn ranks(&self, matrix: &PairMatrix, wilson: Option<&[[f64; 2]]>) -> CellGrid {
        let header: &[&str] = match wilson {
            None => &["System", "score", "rank", "cluster"],
            Some(_) => &["System", "score", "rank", "cluster", "95% CI (Wilson)"],
        };
        grid(header, &matrix.ranks, |rank: &SystemRank| {
            let range = if rank.best == rank.worst {
                rank.best.to_string()
            } else {
                format!("{}-{}", rank.best, rank.worst)
            };
            let score = fixed(matrix.scores[rank.system], self.digits);
            let mut row = vec![self.systems[rank.system].clone(), score, range, rank.cluster.to_string()];
            row.extend(wilson.map(|wilson| ends(wilson[rank.system].map(|end| fixed(end, self.digits)))));
            row
        })
    }

    fn pairs(&self, matrix: &PairMatrix) -> CellGrid {
        let systems = self.systems;
        let digits = self.digits;
        grid(&["Pair", "difference", "95% CI", "p", "detectable"], &matrix.pairs, |pair: &PairTest| {
            let Interval { lower, upper, .. } = pair.interval;
            let interval = match lower.is_nan() {
                true => "none".to_owned(),
                false => ends([lower, upper].map(|end| signed(end, digits))),
            };
            vec![
                format!("{} - {}", systems[pair.first], systems[pair.second]),
                signed(pair.difference, digits),
                interval,
                unpaired::p_value(pair),
                detectable(pair, digits),
            ]
        })
    }

    fn groups(&self, details: &Details) -> CellGrid {
        let mut header = vec!["Group", "segments", &self.systems[0], &self.systems[1], "points"];
        if details.groups.iter().any(|group| group.test.is_some()) {
            header.extend(["difference, 95% CI", "p", "detectable"]);
        }
        grid(
            &header,
            &details.groups,
            |GroupDifference { by, label, segments, scores, points, test, .. }| {
                let name = if by == LENGTH { format!("{label} tokens") } else { format!("{by}: {label}") };
                let [first, second] = scores.map(|score| fixed(score, self.digits));
                let mut row =
                    vec![name, segments.to_string(), first, second, signed(*points, self.digits + 1)];
                if let Some(test) = test {
                    let interval =
                        ends([test.interval.lower, test.interval.upper].map(|end| signed(end, self.digits)));
                    row.extend([interval, unpaired::p_value(test), detectable(test, self.digits)]);
                }
                row
            },
        )
    }

    fn write_segments(
        &self,
        metric: &AnyMetric,
        details: &Details,
        subject: &ShownSubject<'_>,
        out: &mut Out,
    ) -> Result<()> {
        let most = subject.most;
        let texts = subject.texts;
        let better = if metric.scale().direction == Direction::LowerIsBetter { -1.0 } else { 1.0 };
        for (system, sign) in [(0, better), (1, -better)] {
            let of_system = details.segments.iter().filter(|(_, points)| points * sign > 0.0);
            let name = &self.systems[system];
            writeln!(out, "Segments where {name} gains most (points of the difference):")?;
            for (segment, points) in of_system.take(most) {
                let id = subject.id(*segment).map(|id| format!("  {id}")).unwrap_or_default();
                writeln!(out, " {:>6}  {}{id}", segment + 1, signed(*points, self.digits + 2))?;
                let Some(texts) = texts else { continue };
                let text = &texts.segments[*segment];
                let is_log = texts.shown_only;
                let reference = if is_log { "target" } else { "reference" };
                let question = text.source.iter().filter(|_| is_log).map(|line| ("question", line));
                let lines = question.chain(text.references.iter().map(|line| (reference, line)));
                for (name, line) in lines.chain(self.systems.iter().map(String::as_str).zip(&text.hypotheses))
                {
                    // Prompts and answers have several lines.
                    write_text(9, &format!("{name}: {line}"), out)?;
                }
            }
            writeln!(out)?;
        }
        Ok(())
    }

    fn write_ngrams(&self, metric: &AnyMetric, best: &[Vec<NgramWin>; 2], out: &mut Out) -> Result<()> {
        let counts_ngrams = column_names(metric).iter().any(|name| name.starts_with("clipped_"));
        let what = if counts_ngrams { "N-grams" } else { "Words" };
        for (name, list) in self.systems.iter().zip(best) {
            writeln!(out, "{what} that {name} gets right more often:")?;
            for ngram in list {
                let points = ngram.points.map(|points| format!("  {}", signed(points, self.digits + 2)));
                let points = points.unwrap_or_default();
                let frequency = ngram.frequency();
                let first = ngram.first;
                let second = ngram.second;
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

fn drawn_units(matrix: &PairMatrix, unit: Option<&str>) -> String {
    let units = matrix.pairs.iter().find_map(|pair| pair.paired_units).map(|of_pair| of_pair.units);
    let named =
        unit.zip(units).map(|(unit, units)| format!(" in {}", counted(units, &format!("{unit} unit"))));
    named.unwrap_or_default()
}

/// Text printed instead of a p-value if systems with different segments cannot be tested, because the
/// metric's statistics are not counts.
const NO_TEST: &str = "(no test: an unpaired test needs additive counts)";

fn grid<R>(header: &[&str], rows: &[R], row: impl Fn(&R) -> Vec<String>) -> CellGrid {
    let header = header.iter().map(|&name| name.to_owned()).collect();
    CellGrid { header, rows: rows.iter().map(row).collect() }
}
