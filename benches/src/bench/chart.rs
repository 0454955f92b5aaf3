//! The chart of the README: a bar for each program that scores a corpus from files, on light and on dark ground.

use super::row::{Row, ratio, time};

/// The task, and the beginning of the corpus.
const TASK: &str = "corpus-files";
const CORPUS: &str = "zh-en (";

/// Sizes in pixels.
const WIDTH: f64 = 760.0;
const LEFT: f64 = 184.0;
const LONGEST: f64 = 440.0;
const HEAD: f64 = 34.0;
const STEP: f64 = 26.0;

/// The names of the files, and the colours of text, of our bar, of the other bars.
const GROUNDS: [(&str, [&str; 3]); 2] = [
    ("chart-light.svg", ["#1f2328", "#0969da", "#b9c3cc"]),
    ("chart-dark.svg", ["#e6edf3", "#4493f8", "#56606b"]),
];

pub(crate) fn files(rows: &[Row], date: &str) -> [(String, String); 2] {
    GROUNDS.map(|(name, colours)| (name.to_owned(), svg(rows, date, colours)))
}

fn svg(rows: &[Row], date: &str, [ink, ours, theirs]: [&str; 3]) -> String {
    let mut shown: Vec<&Row> =
        rows.iter().filter(|row| row.task == TASK && row.corpus.starts_with(CORPUS)).collect();
    shown.sort_by(|one, other| one.seconds.total_cmp(&other.seconds));
    let most = shown.last().map_or(1.0, |row| row.seconds);
    let height = HEAD + STEP * shown.len() as f64;
    let corpus = shown.first().map_or("", |row| &row.corpus);
    let title = format!("Corpus BLEU from files, 13a: {corpus}; processor time, {date}");
    let mut body = text(0.0, 18.0, "start", ink, &title);
    for (place, row) in shown.iter().enumerate() {
        let (y, width) = (HEAD + STEP * place as f64, (LONGEST * row.seconds / most).max(2.0));
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
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" \
         font-size=\"13\">\n<title>{}</title>\n{body}</svg>\n",
        escaped(&title)
    )
}

fn text(x: f64, y: f64, anchor: &str, ink: &str, content: &str) -> String {
    let content = escaped(content);
    format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" fill=\"{ink}\">{content}</text>\n")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}
