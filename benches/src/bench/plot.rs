//! The plot of the README: times on a logarithmic axis, one bar per engine, one group per task.
#![allow(clippy::disallowed_methods, reason = "places on a picture, not scores")]

use super::record::Row;
use super::tasks::TASKS;

/// Sizes in pixels.
const WIDTH: f64 = 760.0;
const LEFT: f64 = 190.0;
const RIGHT: f64 = 110.0;
const BAR: f64 = 17.0;
const GAP: f64 = 4.0;
const HEAD: f64 = 30.0;

/// One task of each kind: all of them would fill pages, and are in the table.
const PLOTTED: &[&str] = &[
    "corpus-files",
    "corpus-tokens",
    "chrf",
    "ter",
    "rougeL",
    "meteor",
    "cider-d",
    "composition",
    "paired-bs",
    "pairs-chrf",
    "self-bleu",
];

/// Colours that differ in lightness too: ours, and that of all others.
const OURS: &str = "#1b6ca8";
const THEIRS: &str = "#b9c3cc";

pub(crate) fn svg(rows: &[Row], date: &str) -> String {
    let Some(corpus) = rows.first().map(|row| row.corpus.clone()) else { return String::new() };
    let plotted = |row: &&Row| row.corpus == corpus && PLOTTED.contains(&row.task.as_str());
    let shown: Vec<&Row> = rows.iter().filter(plotted).collect();
    let axis = Axis::over(shown.iter().map(|row| row.seconds));
    let (mut body, mut y) = (String::new(), 2.0 * HEAD);
    for (task, title) in TASKS.iter().filter(|(task, _)| PLOTTED.contains(task)) {
        let group: Vec<&&Row> = shown.iter().filter(|row| row.task == *task).collect();
        if group.is_empty() {
            continue;
        }
        body.push_str(&text(12.0, y + 13.0, "start", "bold", title));
        y += BAR + GAP;
        for row in group {
            body.push_str(&bar(row, &axis, y));
            y += BAR + GAP;
        }
        y += HEAD / 2.0;
    }
    let title = format!("Seconds per pass over {corpus}, logarithmic; {date}");
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {y}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<title>{title}</title>\n<rect width=\"{WIDTH}\" height=\"{y}\" fill=\"white\"/>\n{}{}{body}</svg>\n",
        text(12.0, 20.0, "start", "bold", &title),
        axis.lines(y),
    )
}

fn bar(row: &Row, axis: &Axis, y: f64) -> String {
    let end = axis.x(row.seconds);
    let (width, middle) = (end - LEFT, y + BAR - 4.5);
    let colour = if row.engine == "bleuprint" { OURS } else { THEIRS };
    let label = if row.times_ours == 1.0 {
        label(row.seconds)
    } else {
        format!("{} ({:.0}×)", label(row.seconds), row.times_ours)
    };
    format!(
        "<rect x=\"{LEFT}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{BAR}\" fill=\"{colour}\"/>\n{}{}",
        text(LEFT - 8.0, middle, "end", "normal", &row.engine),
        text(end + 6.0, middle, "start", "normal", &label),
    )
}

fn label(seconds: f64) -> String {
    match seconds {
        s if s >= 1.0 => format!("{s:.1} s"),
        s if s >= 0.01 => format!("{:.0} ms", s * 1e3),
        s => format!("{:.1} ms", s * 1e3),
    }
}

fn text(x: f64, y: f64, anchor: &str, weight: &str, content: &str) -> String {
    let content = content.replace('&', "&amp;").replace('<', "&lt;");
    format!(
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" font-weight=\"{weight}\" fill=\"#222\">{content}</text>\n"
    )
}

/// Powers of ten from left to right.
struct Axis {
    first: i32,
    last: i32,
}

impl Axis {
    fn over(seconds: impl Iterator<Item = f64> + Clone) -> Axis {
        let least = seconds.clone().fold(f64::INFINITY, f64::min);
        let most = seconds.fold(0.0, f64::max);
        let first = least.log10().floor() as i32;
        Axis { first, last: (most.log10().ceil() as i32).max(first + 1) }
    }

    fn x(&self, seconds: f64) -> f64 {
        let part = (seconds.log10() - f64::from(self.first)) / f64::from(self.last - self.first);
        LEFT + part * (WIDTH - LEFT - RIGHT)
    }

    fn lines(&self, bottom: f64) -> String {
        let line = |power: i32| {
            let x = self.x(10f64.powi(power));
            let label = if power < 0 {
                format!("{} ms", 10f64.powi(power + 3))
            } else {
                format!("{} s", 10f64.powi(power))
            };
            let line =
                format!("<line x1=\"{x:.1}\" y1=\"46\" x2=\"{x:.1}\" y2=\"{bottom}\" stroke=\"#ddd\"/>\n");
            line + &text(x, 42.0, "middle", "normal", &label)
        };
        (self.first..=self.last).map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(engine: &str, seconds: f64) -> Row {
        Row {
            task: TASKS[0].0.to_owned(),
            corpus: "a & b".to_owned(),
            segments: 1,
            engine: engine.to_owned(),
            version: String::new(),
            seconds,
            middle_seconds: seconds,
            times_ours: seconds / 0.002,
            peak_bytes: None,
            agreement: String::new(),
        }
    }

    #[test]
    fn a_plot_has_a_bar_for_every_row_and_escapes_text() {
        let svg = svg(&[row("bleuprint", 0.002), row("other", 0.5)], "2026-01-01");
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
        assert_eq!(svg.matches("height=\"17\"").count(), 2);
        assert!(svg.contains("(250×)") && svg.contains("a &amp; b"));
    }

    #[test]
    fn the_axis_holds_every_bar() {
        let axis = Axis::over([0.002, 0.5].into_iter());
        assert_eq!((axis.first, axis.last), (-3, 0));
        assert!(axis.x(0.5) < WIDTH - RIGHT && axis.x(0.002) > LEFT);
    }
}
