//! Writes sclite's reports `sum` and `rsum`: one row for each speaker, then totals, and the mean, standard
//! deviation and median over the speakers.

use std::fmt::Write;

use bleuprint_core::{Accumulator, Segment};

use super::outputs::has_confidences;
use super::{ReportResult, ReportedSpeaker, ScliteReport};
use crate::{Heard, Nce};

/// Numbers in a row of sclite's table: segments, words, correct, substituted, deleted and inserted words,
/// errors, and segments with errors. The last six may be percentages.
type Cells = [f64; 8];

const OF_WORDS: std::ops::Range<usize> = 2..7;

struct SumsRow<'s> {
    name: &'s str,
    cells: Cells,
    /// Numbers of decimals in one speaker's table row: for the counts of segments and words, for the five
    /// word results, and for the share of segments with errors.
    decimals: [usize; 3],
    /// Character printed after the word counts. `*` marks a row of counts for a speaker without reference
    /// words, `+` a row that leaves such speakers out; all other rows have a space.
    mark: char,
    /// `true` if the speaker has no reference words, so that the normalized cross entropy is undefined.
    wordless: bool,
    /// Normalized cross entropy of the word confidences; `None` if it is undefined. It is 0 if there are no
    /// hypothesis words, as in sclite.
    nce: Option<f64>,
}

const NOTES: &str = "
* No Reference words for this/these speaker(s).  Word counts supplied
  rather than percents.
# No Reference words for this/these speaker(s).  NCE not computable.
+ Speaker(s) with no reference data is ignored";

type Nces = Accumulator<Nce, Heard, String, Heard>;

/// Writes the table with one row for each speaker, with percentages if `percent` is set, otherwise with
/// counts.
pub(super) fn write(
    speakers: &[ReportedSpeaker],
    report: &ScliteReport<'_>,
    percent: bool,
    out: &mut dyn Write,
) -> ReportResult {
    let mut total = [0; 6];
    let mut all = Nces::new(Nce::new(report.settings));
    // Cross entropy needs confidences; without them sclite's table lacks its column.
    let sure = has_confidences(speakers);
    let ones = usize::from(percent);
    let mut rows: Vec<SumsRow<'_>> = Vec::new();
    for speaker in speakers {
        // The order of the counts of a segment, then the number of segments.
        let mut sums = [0, 0, 0, 0, 0, speaker.segments.len() as u64];
        let mut nces = Nces::new(Nce::new(report.settings));
        for one in &speaker.segments {
            sums.iter_mut().zip(one.counts).for_each(|(sum, count)| *sum += count);
            if sure {
                let heard = one.transcript.heard();
                let references = [&one.transcript.reference];
                let added = nces.add(Segment::with_source(&heard, &references, None));
                added.map_err(|error| report.at(&one.transcript, &error))?;
            }
        }
        all.merge(&nces)?;
        total.iter_mut().zip(sums).for_each(|(sum, count)| *sum += count);
        let wordless = sums[..3] == [0; 3];
        let mut cells = cells_of(sums, percent);
        let counts = cells_of(sums, false);
        // A speaker without words has no percentages, so sclite prints the counts, marked by an asterisk.
        let (mark, decimals) = if wordless && percent { ('*', [0, 0, 1]) } else { (' ', [0, ones, ones]) };
        if wordless {
            cells[OF_WORDS].copy_from_slice(&counts[OF_WORDS]);
        }
        rows.push(SumsRow { name: &speaker.name, cells, decimals, mark, wordless, nce: score(&nces) });
    }
    let of = |f: fn(&[f64]) -> f64, name| over(&rows, f, name);
    let ends = [of(mean, "Mean"), of(deviation, "S.D."), of(median, "Median")];
    let name = if percent { "Sum/Avg" } else { "Sum" };
    let decimals = [0, ones, ones];
    let sum = SumsRow {
        name,
        cells: cells_of(total, percent),
        decimals,
        mark: ' ',
        wordless: false,
        nce: score(&all),
    };

    let longest = rows.iter().map(|row| row.name.chars().count() + 2).max().unwrap_or(0);
    let layout = SumsLayout { report, name: longest.max(name.len() + 1).max("Median".len()), sure };
    let rule = layout.rule('-', '+');
    let double = layout.rule('=', '=');
    let mut lines = vec![format!(",{}.", "-".repeat(layout.inner()))];
    lines.push(format!("|{}|", centred(report.hypothesis, layout.inner())));
    lines.push(layout.rule('-', '-'));
    lines.push(layout.heading());
    for row in &rows {
        lines.extend([rule.clone(), layout.line(&format!(" {}", row.name), row)]);
    }
    lines.extend([double.clone(), layout.line(&format!(" {name}"), &sum), double]);
    lines.extend(ends.iter().map(|row| layout.line(&centred(row.name, layout.name), row)));
    lines.push(format!("`{}'", "-".repeat(layout.inner())));
    writeln!(out, "\n\n\n{}\n", centred("SYSTEM SUMMARY PERCENTAGES by SPEAKER", PAGE))?;
    // sclite centres its tables on the page.
    let indent = " ".repeat(PAGE.saturating_sub(layout.inner() + 2) / 2);
    writeln!(out, "{indent}{}", lines.join(&format!("\n{indent}")))?;
    // The notes explain the marks, so they are printed only if a row has one.
    if rows.iter().any(|row| row.mark == '*') { Ok(writeln!(out, "{NOTES}")?) } else { Ok(()) }
}

/// Width of the printed table, in characters.
const PAGE: usize = 80;

fn centred(text: &str, width: usize) -> String {
    let free = width.saturating_sub(text.chars().count());
    format!("{}{text}{}", " ".repeat(free / 2), " ".repeat(free - free / 2))
}

fn score(nces: &Nces) -> Option<f64> {
    match nces.total().stats().words {
        0 => Some(0.0),
        _ => Some(nces.score().ok()?.score.score),
    }
}

/// Returns the numbers of a table row, computed from the numbers of correct, substituted, deleted and
/// inserted words, segments with errors, and segments.
fn cells_of(
    [correct, substitutions, deletions, insertions, wrong, segments]: [u64; 6],
    percent: bool,
) -> Cells {
    let words = correct + substitutions + deletions;
    let errors = substitutions + deletions + insertions;
    let of = |count: u64, whole: u64| match percent {
        true if whole == 0 => 0.0,
        // Division before multiplication, as in sclite: the order decides halves of the last printed digit.
        true => 100.0 * (count as f64 / whole as f64),
        false => count as f64,
    };
    let [c, s, d, i, e] =
        [correct, substitutions, deletions, insertions, errors].map(|count| of(count, words));
    [segments as f64, words as f64, c, s, d, i, e, of(wrong, segments)]
}

fn over<'n>(rows: &[SumsRow<'_>], of: fn(&[f64]) -> f64, name: &'n str) -> SumsRow<'n> {
    let left_out = |row: &SumsRow<'_>, at| row.mark == '*' && OF_WORDS.contains(&at);
    let column = |at: usize| {
        let rows = rows.iter().filter(|row| !left_out(row, at));
        of(&rows.map(|row| row.cells[at]).collect::<Vec<_>>())
    };
    let nces: Option<Vec<f64>> = rows.iter().map(|row| row.nce).collect();
    let mark = if rows.iter().any(|row| row.mark == '*') { '+' } else { ' ' };
    let cells = std::array::from_fn(column);
    let nce = nces.map(|nces| of(&nces));
    SumsRow { name, cells, decimals: [1; 3], mark, wordless: false, nce }
}

fn mean(numbers: &[f64]) -> f64 {
    if numbers.is_empty() { 0.0 } else { numbers.iter().sum::<f64>() / numbers.len() as f64 }
}

fn deviation(numbers: &[f64]) -> f64 {
    let mean = mean(numbers);
    let squares: f64 = numbers.iter().map(|number| (number - mean).powi(2)).sum();
    // The sample deviation divides by n − 1; for one speaker by 1, which gives 0.
    (squares / numbers.len().saturating_sub(1).max(1) as f64).sqrt()
}

fn median(numbers: &[f64]) -> f64 {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len().saturating_sub(1);
    // The two middle numbers, which are the same number if their count is odd.
    mean(sorted.get(last / 2..=last - last / 2).unwrap_or_default())
}

struct SumsLayout<'r> {
    report: &'r ScliteReport<'r>,
    /// Width of the column with the speakers' names, in characters.
    name: usize,
    sure: bool,
}

impl SumsLayout<'_> {
    // Widths of the columns of counts, of words and of the cross entropy in sclite's layout.
    const PARTS: [usize; 3] = [13, 41, 8];

    fn inner(&self) -> usize {
        self.name + SumsLayout::PARTS.iter().take(self.parts()).map(|width| width + 1).sum::<usize>()
    }

    fn parts(&self) -> usize {
        if self.sure { 3 } else { 2 }
    }

    fn rule(&self, dash: char, between: char) -> String {
        let dashes = |width: usize| dash.to_string().repeat(width);
        let parts = SumsLayout::PARTS.iter().take(self.parts()).map(|&width| dashes(width));
        let parts: Vec<String> = std::iter::once(dashes(self.name)).chain(parts).collect();
        format!("|{}|", parts.join(&between.to_string()))
    }

    fn heading(&self) -> String {
        let nce = if self.sure { format!("{}|", centred("NCE", 8)) } else { String::new() };
        let errors = "Corr    Sub    Del    Ins    Err  S.Err";
        format!("|{:<1$}| # Snt # Wrd | {errors} |{nce}", " SPKR", self.name)
    }

    fn line(&self, name: &str, row: &SumsRow<'_>) -> String {
        let cell = |at: usize| {
            let group = usize::from(at >= OF_WORDS.start) + usize::from(at >= OF_WORDS.end);
            let mark = if group == 1 { row.mark } else { ' ' };
            format!("{}{mark}", self.report.rounded(row.cells[at], row.decimals[group]))
        };
        let widths = [6, 7, 6, 7, 7, 7, 7, 7];
        let [segments, of_words] = [0..OF_WORDS.start, OF_WORDS.start..widths.len()]
            .map(|places| places.map(|at| format!("{:>1$}", cell(at), widths[at])).collect::<String>());
        let nce = row.nce.map_or("-".to_owned(), |nce| self.report.program.fixed(nce, 3));
        let nce = match row.wordless {
            _ if !self.sure => String::new(),
            true => format!("{}|", centred("#", 8)),
            false => format!("{nce:>7}{}|", if row.mark == '+' { '#' } else { ' ' }),
        };
        format!("|{name:<0$}|{segments}|{of_words}|{nce}", self.name)
    }
}
