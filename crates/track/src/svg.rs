//! Draws plots over time as SVG: axes, lines, points with intervals, and vertical marks. The plots need no
//! script, and their meaning never depends on colour alone.

use std::fmt::Write as _;

use bleuprint_report::{escape, fixed};

use crate::Time;

const WIDTH: f64 = 940.0;
const LEFT: f64 = 52.0;
const RIGHT: f64 = 132.0;
const TOP: f64 = 16.0;
const BOTTOM: f64 = 28.0;

const FLAG: f64 = 15.0;

const APART: f64 = 15.0;

pub(crate) struct Plot {
    from: Time,
    until: Time,
    low: f64,
    high: f64,
    /// Height of the space above the plot, which has rows for the texts of vertical lines.
    top: f64,
    height: f64,
    body: String,
    /// Labels to the right of the plot: vertical position, CSS class and text.
    labels: Vec<(f64, String, String)>,
    decimals: usize,
}

impl Plot {
    pub(crate) fn new(
        from: Time,
        until: Time,
        values: impl Iterator<Item = f64>,
        height: f64,
        flags: usize,
    ) -> Self {
        let finite = values.filter(|value| value.is_finite());
        let (low, high) = finite
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (value.min(low), value.max(high)));
        let (low, high) = if low <= high { (low, high) } else { (0.0, 1.0) };
        // A margin keeps points away from the frame. Equal values still need a range.
        let room = if high > low { (high - low) * 0.08 } else { high.abs().max(1.0) * 0.05 };
        let low = low - room;
        let high = high + room;
        let step = step(high - low);
        let decimals = (-decimal_exponent(step)).max(0) as usize;
        // A plot of a single instant would divide by zero.
        let until = Time(until.0.max(from.0.saturating_add(1)));
        let body = String::new();
        let labels = Vec::new();
        let flags = FLAG * flags as f64;
        let top = TOP + flags;
        let height = height + flags;
        let mut plot = Plot { from, until, low, high, top, height, body, labels, decimals };
        plot.axes(step);
        plot
    }

    fn x(&self, time: Time) -> f64 {
        let share = (time.0 as f64 - self.from.0 as f64) / (self.until.0 as f64 - self.from.0 as f64);
        LEFT + share.clamp(0.0, 1.0) * (WIDTH - LEFT - RIGHT)
    }

    fn y(&self, value: f64) -> f64 {
        let share = ((self.high - value) / (self.high - self.low)).clamp(0.0, 1.0);
        self.top + share * (self.height - self.top - BOTTOM)
    }

    fn axes(&mut self, step: f64) {
        let mut value = (self.low / step).ceil() * step;
        while value <= self.high {
            let y = fixed(self.y(value), 1);
            let text = fixed(value, self.decimals);
            let left = LEFT;
            let right = WIDTH - RIGHT;
            self.write(&format!(
                "<path class=\"grid\" d=\"M{left} {y}H{right}\"/><text x=\"{}\" y=\"{}\" text-anchor=\"end\">{text}</text>",
                LEFT - 8.0,
                fixed(self.y(value) + 4.0, 1)
            ));
            value += step;
        }
        let hours = (self.until.0 - self.from.0) < 4 * 86_400_000_000_000;
        const TICKS: i64 = 6;
        for tick in 0..=TICKS {
            let time = Time(self.from.0 + (self.until.0 - self.from.0) / TICKS * tick);
            let text = time.to_string();
            let shown = if hours { text.get(5..16).unwrap_or(&text).replace('T', " ") } else { time.date() };
            let x = fixed(self.x(time), 1);
            let y = self.height - 8.0;
            self.write(&format!("<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{shown}</text>"));
        }
    }

    fn write(&mut self, text: &str) {
        self.body.push_str(text);
    }

    /// Draws a line through points. At most about 600 points are drawn, because more cannot be seen; the last
    /// point is always included.
    pub(crate) fn line(&mut self, class: &str, points: &[(Time, f64)]) {
        const MOST: usize = 600;
        let each = points.len().div_ceil(MOST).max(1);
        let kept = points.iter().enumerate().filter(|(at, _)| at % each == 0 || at + 1 == points.len());
        let mut path = String::new();
        for (_, &(time, value)) in kept {
            // Writing to a string does not fail.
            let _ = write!(path, "{},{} ", fixed(self.x(time), 1), fixed(self.y(value), 1));
        }
        self.write(&format!("<polyline class=\"{class}\" points=\"{}\"/>", path.trim_end()));
    }

    pub(crate) fn level(&mut self, value: f64, text: &str) {
        let y = fixed(self.y(value), 1);
        self.write(&format!("<path class=\"base\" d=\"M{LEFT} {y}H{}\"/>", WIDTH - RIGHT));
        self.label(value, "ink", text);
    }

    /// Draws a data point with its confidence interval, in the shape of the given mark.
    pub(crate) fn point(&mut self, mark: SystemMark, time: Time, value: f64, half_width: Option<f64>) {
        let x = fixed(self.x(time), 1);
        let y = self.y(value);
        let class = mark.class();
        if let Some(half) = half_width {
            let low = fixed(self.y(value - half), 1);
            let high = fixed(self.y(value + half), 1);
            self.write(&format!("<path class=\"ci {class}\" d=\"M{x} {low}V{high}\"/>"));
        }
        let y = fixed(y, 1);
        self.write(&match mark {
            SystemMark::First => format!("<circle class=\"dot a\" cx=\"{x}\" cy=\"{y}\" r=\"3\"/>"),
            SystemMark::Second => format!("<path class=\"dot b\" d=\"M{x} {y}m0-4l4 4l-4 4l-4-4z\"/>"),
            SystemMark::Other => format!("<circle class=\"dot o\" cx=\"{x}\" cy=\"{y}\" r=\"2.6\"/>"),
        });
    }

    /// Draws a vertical line at the given time. The text is beside the line's upper end, in row number `row`,
    /// on the side that has more space.
    pub(crate) fn flag(&mut self, class: &str, time: Time, row: usize, text: &str) {
        let x = self.x(time);
        let left = x > (LEFT + WIDTH - RIGHT) / 2.0;
        let (at, anchor) = if left { (x - 5.0, "end") } else { (x + 5.0, "start") };
        let top = FLAG * row as f64 + 3.0;
        let end = self.height - BOTTOM;
        self.write(&format!("<path class=\"{class}\" d=\"M{0} {top}V{end}\"/>", fixed(x, 1)));
        if !text.is_empty() {
            self.write(&format!(
                "<text class=\"{class}\" x=\"{0}\" y=\"{1}\" text-anchor=\"{anchor}\">{2}</text>",
                fixed(at, 1),
                top + 10.0,
                escape::html(text)
            ));
        }
    }

    /// Writes a text above the last point of a line that ends before the plot does.
    pub(crate) fn label_at(&mut self, time: Time, value: f64, class: &str, text: &str) {
        let x = fixed(self.x(time), 1);
        let y = fixed(self.y(value) - 9.0, 1);
        let text = escape::html(text);
        self.write(&format!("<text class=\"{class}\" x=\"{x}\" y=\"{y}\" text-anchor=\"end\">{text}</text>"));
    }

    pub(crate) fn label(&mut self, value: f64, class: &str, text: &str) {
        self.labels.push((self.y(value), class.to_owned(), escape::html(text)));
    }

    /// Returns the finished plot as SVG. `words` is its description for readers who cannot see it.
    pub(crate) fn finish(mut self, words: &str) -> String {
        self.labels.sort_by(|one, other| one.0.total_cmp(&other.0));
        // Labels are moved apart from the bottom up, so that none leaves the plot, then from the top down.
        let mut below = self.height - BOTTOM + APART;
        for (y, _, _) in self.labels.iter_mut().rev() {
            *y = y.min(below - APART);
            below = *y;
        }
        let mut above = self.top - APART;
        for (y, _, _) in &mut self.labels {
            *y = y.max(above + APART);
            above = *y;
        }
        for (y, class, text) in std::mem::take(&mut self.labels) {
            let x = WIDTH - RIGHT + 8.0;
            let y = fixed(y + 4.0, 1);
            self.write(&format!("<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{text}</text>"));
        }
        format!(
            "<div class=\"scroll newest\" tabindex=\"0\" role=\"region\" aria-label=\"{0}\"><svg viewBox=\"0 0 {WIDTH} {1}\" role=\"img\" aria-label=\"{0}\">{2}</svg></div>\n",
            escape::html(words),
            self.height,
            self.body
        )
    }
}

/// Shape that distinguishes the points of different systems in a plot: disc, diamond or ring.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SystemMark {
    First,
    Second,
    Other,
}

impl SystemMark {
    pub(crate) fn class(self) -> &'static str {
        match self {
            SystemMark::First => "a",
            SystemMark::Second => "b",
            SystemMark::Other => "o",
        }
    }
}

/// Returns the decimal exponent of a number: the power of ten of its first digit. It is read from the printed
/// number, because a logarithm would depend on the platform.
fn decimal_exponent(value: f64) -> i32 {
    let scientific = format!("{value:e}");
    scientific.split_once('e').and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or(0)
}

/// Returns the distance between axis ticks: 1, 2 or 5 times a power of ten. It divides the range into three
/// to eight parts.
fn step(range: f64) -> f64 {
    let rough = range / 5.0;
    let power: f64 = format!("1e{}", decimal_exponent(rough)).parse().unwrap_or(1.0);
    match rough / power {
        ratio if ratio < 1.5 => power,
        ratio if ratio < 3.5 => 2.0 * power,
        ratio if ratio < 7.5 => 5.0 * power,
        _ => 10.0 * power,
    }
}

pub(crate) const STYLE: &str = include_str!("svg.css");
