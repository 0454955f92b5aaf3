//! Chart of the README: a bar for each program that scores a corpus from files, for light and for dark
//! backgrounds.

use super::row::{BenchRow, ratio, time};

/// Name of the task in the chart; `CORPUS` is the beginning of the name of its corpus.
const TASK: &str = "corpus-files";
const CORPUS: &str = "zh-en (";

/// Sizes of the chart in pixels. A phone shows it at two thirds of its width, where the letters must stay readable.
const WIDTH: f64 = 520.0;
const LEFT: f64 = 190.0;
const LONGEST: f64 = 196.0;
const HEAD: f64 = 52.0;
const STEP: f64 = 26.0;

/// Names of the chart files, with the colours of text, of our bar and of the other bars.
const GROUNDS: [(&str, [&str; 3]); 2] = [
    ("chart-light.svg", ["#1f2328", "#0969da", "#b9c3cc"]),
    ("chart-dark.svg", ["#e6edf3", "#4493f8", "#56606b"]),
];

pub(crate) fn files(rows: &[BenchRow], date: &str) -> [(String, String); 2] {
    GROUNDS.map(|(name, colours)| (name.to_owned(), svg(rows, date, colours)))
}

fn svg(rows: &[BenchRow], date: &str, [ink, ours, theirs]: [&str; 3]) -> String {
    let mut shown: Vec<&BenchRow> =
        rows.iter().filter(|row| row.task == TASK && row.corpus.starts_with(CORPUS)).collect();
    // The fastest program is the first bar, whatever the order of the engines.
    shown.sort_by(|one, other| one.seconds.total_cmp(&other.seconds));
    let most = shown.last().map_or(1.0, |row| row.seconds);
    let height = HEAD + STEP * shown.len() as f64;
    let corpus = shown.first().map_or("", |row| &row.corpus);
    let title = format!("Corpus BLEU from files, 13a: {corpus}");
    // The fastest peer keeps words of earlier runs, so readers must know what its row means.
    let note = format!("Processor time, {date}. Warm: every line is cached by an earlier run.");
    let mut body = text(0.0, 15.0, "start", ink, &title) + &text(0.0, 35.0, "start", ink, &note);
    for (place, row) in shown.iter().enumerate() {
        let y = HEAD + STEP * place as f64;
        // A bar needs some width, or the fastest program would be invisible.
        let width = (LONGEST * row.seconds / most).max(2.0);
        let colour = if row.times_ours == 1.0 { ours } else { theirs };
        let times =
            if row.times_ours == 1.0 { String::new() } else { format!(" ({}×)", ratio(row.times_ours)) };
        body += &format!(
            "<rect x=\"{LEFT}\" y=\"{y}\" width=\"{width:.1}\" height=\"18\" rx=\"2\" fill=\"{colour}\"/>\n"
        );
        body += &text(LEFT - 8.0, y + 13.5, "end", ink, &row.engine);
        body += &text(LEFT + width + 8.0, y + 13.5, "start", ink, &format!("{}{times}", time(row.seconds)));
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" viewBox=\"0 0 {WIDTH} {height}\" \
         font-family=\"sans-serif\" font-size=\"14\">\n<title>{}</title>\n{body}</svg>\n",
        escaped(&format!("{title}. {note}"))
    )
}

fn text(x: f64, y: f64, anchor: &str, ink: &str, content: &str) -> String {
    let content = escaped(content);
    format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" fill=\"{ink}\">{content}</text>\n")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}
