//! [`page`]: writes the scores of a ledger over time as one HTML file, with static plots and no script.

use std::collections::BTreeMap;

use bleuprint_core::{Result, State, counted, score_row};
use bleuprint_inference::{CountRows, leave_one_out, standard_error};
use bleuprint_registry::{AnyMetric, Registry};
use bleuprint_report::{LineStyle, decimals, escape, fixed, page as report, thousands};

use crate::check::{Checked, WatchReport};
use crate::event::{MetricName, slice_text};
use crate::ledger::{Alarm, AlarmKind, Bucket, Ledger, Selection};
use crate::metric::{add_row, metric_of};
use crate::svg::{Plot, STYLE, SystemMark};
use crate::widened::buckets;
use crate::{Span, Time, Window};

/// HTML `<meta>` tag by which this program recognizes pages that it wrote.
pub const GENERATOR: &str = "<meta name=\"generator\" content=\"bleuprint track\">";

const DAY: i64 = 86_400_000_000_000;

/// Settings of the HTML page for a ledger: title, time window and the result of a check.
#[derive(Debug, Clone, Default)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct LedgerPageRequest<'c> {
    /// Title of the HTML page.
    pub title: String,
    /// Length of the time window from which each point in the plots, and each score in the table, is
    /// computed.
    pub window: Span,
    /// Result of a check against a policy, whose baselines, evidence and alarms the page shows; `None` to
    /// leave them out.
    pub checked: Option<&'c Checked>,
}

struct Trend<'l> {
    stream: &'l str,
    name: &'l MetricName,
    metric: AnyMetric,
    buckets: Vec<&'l Bucket>,
    versions: Vec<&'l str>,
    length: Span,
    window: Span,
    decimals: usize,
}

/// Returns the HTML page that shows a ledger's scores over time.
///
/// # Errors
/// Returns an error if the registry lacks a metric or the ledger is damaged.
pub fn page(ledger: &Ledger, registry: &Registry, request: &LedgerPageRequest<'_>) -> Result<String> {
    ledger.require_buckets("a window", request.window)?;
    let buckets = buckets(ledger, registry, Selection::ALL)?;
    let mut groups: BTreeMap<(&str, &MetricName), Vec<&Bucket>> = BTreeMap::new();
    for bucket in &buckets {
        groups.entry((&bucket.series.stream, &bucket.metric)).or_default().push(bucket);
    }
    let mut sections = String::new();
    for ((stream, name), buckets) in groups {
        let watches = request.checked.iter().flat_map(|checked| &checked.watches);
        let own = |watch: &&WatchReport| watch.watch.stream == stream && watch.metric == *name;
        let watches: Vec<&WatchReport> = watches.filter(own).collect();
        let learned = watches.iter().find_map(|watch| watch.stored.as_ref());
        let metric = metric_of(registry, name, learned)?;
        let trend = Trend::new(stream, name, metric, buckets, ledger.bucket(), request.window);
        sections.push_str(&trend.section(&watches, request.checked)?);
    }
    if sections.is_empty() {
        sections.push_str("<section><p class=\"lede\">The ledger has no counts.</p></section>");
    }
    let style = format!("{}{STYLE}", report::STYLE);
    let tallies = ledger.tallies()?;
    let facts = format!(
        "{}; repeated: {}, late: {}, retracted: {}; rejected batches: {}.",
        counted(thousands(tallies.merged), "event"),
        thousands(tallies.duplicate),
        thousands(tallies.late),
        thousands(tallies.retracted),
        thousands(tallies.refused)
    );
    let title = escape::html(&request.title);
    Ok([
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n",
        &format!(
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src {}; base-uri 'none'; form-action 'none'\">\n",
            report::hash(&style)
        ),
        "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">",
        GENERATOR,
        &format!("\n<title>{title}</title>\n<style>{style}</style></head><body>\n"),
        &format!("<header class=\"top\"><div class=\"wrap\"><h1>{title}</h1><p class=\"note\">{facts}</p></div></header>\n"),
        &format!("<main class=\"wrap\">\n{sections}</main>\n"),
        &format!(
            "<footer class=\"wrap\"><p>Made by bleuprint {}. This file holds its data and makes no connection.</p></footer>\n</body></html>\n",
            env!("CARGO_PKG_VERSION")
        ),
    ]
    .concat())
}

/// Scores of a version over time.
struct VersionLine<'l> {
    version: &'l str,
    /// Score of the window at the end of each bucket.
    line: Vec<(Time, f64)>,
    points: Vec<ScorePoint>,
}

/// Score of an interval of time, at its middle, with half the width of its confidence interval.
struct ScorePoint {
    time: Time,
    score: f64,
    half: Option<f64>,
}

impl<'l> Trend<'l> {
    fn new(
        stream: &'l str,
        name: &'l MetricName,
        metric: AnyMetric,
        buckets: Vec<&'l Bucket>,
        length: Span,
        window: Span,
    ) -> Self {
        let mut versions: Vec<&str> = Vec::new();
        // The newest version comes first: it gets the most visible mark.
        for bucket in &buckets {
            if !versions.contains(&bucket.series.version.as_str()) {
                versions.insert(0, &bucket.series.version);
            }
        }
        let style = LineStyle { decimals: 1, short: false };
        let decimals = decimals(&bleuprint_core::Metric::scale(&metric), style);
        Trend { stream, name, metric, buckets, versions, length, window, decimals }
    }

    fn mark(&self, version: &str) -> SystemMark {
        match self.versions.iter().position(|known| *known == version) {
            Some(0) => SystemMark::First,
            Some(1) => SystemMark::Second,
            _ => SystemMark::Other,
        }
    }

    fn shown(&self, value: f64) -> String {
        fixed(value, self.decimals)
    }

    fn until(&self) -> Time {
        self.buckets.last().map_or(Time(0), |last| last.start + self.length)
    }

    fn sums(&self, version: &str) -> Result<BTreeMap<Time, Vec<u64>>> {
        let mut sums: BTreeMap<Time, Vec<u64>> = BTreeMap::new();
        for bucket in self.buckets.iter().filter(|bucket| bucket.series.version == version) {
            add_row(sums.entry(bucket.start).or_default(), &bucket.row)?;
        }
        Ok(sums)
    }

    fn score(&self, row: &[u64]) -> Option<f64> {
        score_row(&self.metric, row).ok().filter(|score| score.is_finite())
    }

    fn section(&self, watches: &[&WatchReport], checked: Option<&Checked>) -> Result<String> {
        let latest = self.total(|bucket| self.versions.first() == Some(&bucket.series.version.as_str()))?;
        let scored = latest.as_ref().map(|row| State::from_row(&self.metric, row)?.score(&self.metric));
        let mut signature = String::new();
        let mut lede = "No score.".to_owned();
        if let (Some(Ok(scored)), Some(version)) = (&scored, self.versions.first()) {
            signature = scored.signature.to_string();
            let segments = latest.as_ref().and_then(|row| row.first()).copied().unwrap_or(0);
            lede = format!(
                "{} of the last {}: <b>{}</b>, version {}, {}.",
                escape::html(&scored.score.name),
                self.window,
                self.shown(scored.value()),
                escape::html(version),
                counted(thousands(segments), "segment")
            );
        }
        let mut text =
            format!("<section><h2>{}: {}</h2>\n", escape::html(self.stream), escape::html(&self.name.spec));
        let is_active = |watch: &WatchReport| {
            let mut standing = checked.iter().flat_map(|checked| &checked.standing);
            standing.any(|alarm| alarm.watch == watch.watch.name)
        };
        // Who is called at night sees the alarm before the score.
        for watch in watches.iter().filter(|watch| is_active(watch)) {
            text.push_str(&format!("<p class=\"state active\">{}</p>\n", self.state(watch, checked)));
        }
        text.push_str(&format!("<p class=\"lede\">{lede}</p>\n"));
        for watch in watches.iter().filter(|watch| !is_active(watch)) {
            text.push_str(&format!("<p class=\"state\">{}</p>\n", self.state(watch, checked)));
        }
        text.push_str(&self.scores(watches, checked)?);
        for watch in watches {
            text.push_str(&self.evidence(watch));
        }
        text.push_str(&self.table()?);
        text.push_str(&format!("<p><code class=\"sig\">{}</code></p></section>\n", escape::html(&signature)));
        Ok(text)
    }

    /// Adds up the counts of the newest time window, over the buckets for which `wanted` returns `true`.
    fn total(&self, wanted: impl Fn(&Bucket) -> bool) -> Result<Option<Vec<u64>>> {
        let from = self.until() - self.window;
        let mut sum = Vec::new();
        for bucket in self.buckets.iter().filter(|bucket| bucket.start >= from && wanted(bucket)) {
            add_row(&mut sum, &bucket.row)?;
        }
        Ok(Some(sum).filter(|sum: &Vec<u64>| !sum.is_empty()))
    }

    fn state(&self, report: &WatchReport, checked: Option<&Checked>) -> String {
        let name = escape::html(&report.watch.name);
        let baseline = self.shown(report.baseline);
        let stands = checked.iter().flat_map(|checked| &checked.standing);
        let alarms: Vec<String> = stands
            .filter(|alarm| alarm.watch == report.watch.name)
            .map(|alarm| {
                let version = match alarm.version.as_str() {
                    "" => String::new(),
                    version => format!(", version {}", escape::html(version)),
                };
                format!(
                    "{} since {} (raised {}{version})",
                    what(alarm.kind),
                    minute(alarm.since),
                    minute(alarm.at)
                )
            })
            .collect();
        let watch = format!("Watch {name}, baseline {baseline}.");
        match (alarms.is_empty(), report.dispersion) {
            (false, _) => format!("<b>\u{25b2} An alarm is active</b>: {}. {watch}", alarms.join("; ")),
            (true, Some(_)) => format!("{watch} No alarm is active."),
            (true, None) => format!(
                "{watch} Too little data for alarms: {} of {} observations.",
                report.observations(),
                crate::CALIBRATION
            ),
        }
    }

    fn scores(&self, watches: &[&WatchReport], checked: Option<&Checked>) -> Result<String> {
        let Some(from) = self.buckets.first().map(|first| first.start) else { return Ok(String::new()) };
        let until = self.until();
        // The longer the time, the longer the interval of a point: hours, then days, then weeks.
        let length = match (until - from).0 {
            short if short <= 3 * DAY => self.length,
            medium if medium <= 200 * DAY => Span(DAY.max(self.length.0)),
            _ => Span((7 * DAY).max(self.length.0)),
        };
        let lines = self.version_lines(length)?;
        let ends = lines.iter().flat_map(|line| &line.points);
        let ends = ends.flat_map(|point| {
            let half = point.half.unwrap_or(0.0);
            [point.score - half, point.score + half]
        });
        let baselines = watches.iter().map(|watch| watch.baseline);
        let stands = checked.iter().flat_map(|checked| &checked.standing);
        let alarms = stands.filter(|alarm| watches.iter().any(|watch| watch.watch.name == alarm.watch));
        let alarms: Vec<&Alarm> = alarms.collect();
        let rows = alarms.len() + usize::from(self.versions.len() > 1);
        let mut plot = Plot::new(from, until, ends.chain(baselines), 260.0, rows);
        for watch in watches {
            plot.level(watch.baseline, &format!("baseline {}", self.shown(watch.baseline)));
        }
        // Drawn in reverse order, so that the newest version is on top.
        for line in lines.iter().rev() {
            self.draw_version(&mut plot, line, [from, until], length, alarms.len());
        }
        for (row, alarm) in alarms.iter().enumerate() {
            plot.flag("since", alarm.since, row, "");
            let version =
                if alarm.version.is_empty() { String::new() } else { format!(" ({})", alarm.version) };
            let text = format!("\u{25b2} {}, {}{version}", what(alarm.kind), alarm.at.date());
            plot.flag("alarm", alarm.at, row, &text);
        }
        let words = format!("{} of {}, with 95 percent intervals", self.name.spec, self.stream);
        // The note explains only marks that are drawn.
        let mut note = format!("Points: one per {}", plain(length));
        let has_intervals = lines.iter().flat_map(|line| &line.points).any(|point| point.half.is_some());
        note.push_str(if has_intervals {
            ", with 95 % intervals from the variation of its buckets."
        } else {
            "."
        });
        if until - from > self.window {
            note.push_str(&format!(" Line: the last {}.", self.window));
        }
        if !alarms.is_empty() {
            note.push_str(" Dotted: where the change of an alarm begins, by estimate.");
        }
        Ok(format!("<p class=\"note\">{note}</p>{}", plot.finish(&words)))
    }

    /// Returns the scores of each version: the score of the window at the end of each bucket, and the score of each
    /// interval of `length`.
    fn version_lines(&self, length: Span) -> Result<Vec<VersionLine<'l>>> {
        let mut lines = Vec::new();
        for version in &self.versions {
            let sums = self.sums(version)?;
            let mut window = Window::new(self.window);
            let mut line: Vec<(Time, f64)> = Vec::new();
            let mut parts: BTreeMap<Time, CountRows> = BTreeMap::new();
            for (&start, row) in &sums {
                let score = window.add(start, row)?;
                line.extend(self.score(score).map(|score| (start + self.length, score)));
                let rows =
                    parts.entry(start.floor(length)).or_insert_with(|| CountRows::with_columns(row.len()));
                rows.push(row)?;
            }
            let mut points = Vec::new();
            for (start, rows) in parts {
                let Some(score) = self.score(&rows.total()?) else { continue };
                let finish = |row: &[u64]| score_row(&self.metric, row).unwrap_or(f64::NAN);
                // 1.96 standard errors on each side are a 95 % interval.
                let half = 1.96 * standard_error(&leave_one_out(&rows, &finish)?);
                let half = Some(half).filter(|half| half.is_finite() && rows.len() > 1);
                points.push(ScorePoint { time: Time(start.0 + length.0 / 2), score, half });
            }
            lines.push(VersionLine { version, line, points });
        }
        Ok(lines)
    }

    /// Draws the line and the points of a version, its name, and the flag of its first bucket below `alarms` flags of
    /// alarms.
    fn draw_version(
        &self,
        plot: &mut Plot,
        scores: &VersionLine<'l>,
        [from, until]: [Time; 2],
        length: Span,
        alarms: usize,
    ) {
        let VersionLine { version, line, points } = scores;
        let mark = self.mark(version);
        if until - from > self.window {
            plot.line(mark.class(), line);
        }
        for point in points {
            plot.point(mark, point.time, point.score, point.half);
        }
        if let Some(ScorePoint { time, score, .. }) = points.last().filter(|_| mark != SystemMark::Other) {
            let text = format!("{version} {}", self.shown(*score));
            // A label at the border would be far from a line that ends early.
            if *time + length < until {
                plot.label_at(*time, *score, mark.class(), &text);
            } else {
                plot.label(*score, mark.class(), &text);
            }
        }
        if let (Some((first, _)), true) = (line.first(), self.versions.last() != Some(version)) {
            plot.flag("version", *first - self.length, alarms, version);
        }
    }

    fn evidence(&self, report: &WatchReport) -> String {
        let points = report.versions.iter().flat_map(|version| &version.points);
        let (Some(from), Some(_)) = (self.buckets.first().map(|first| first.start), report.dispersion) else {
            return String::new();
        };
        // Evidence above twice the threshold is cut, so that one large value does not flatten the rest.
        let most = points.map(|point| point.evidence).fold(1.0, f64::max).min(2.0);
        let mut plot = Plot::new(from, self.until(), [0.0, most].into_iter(), 140.0, 0);
        plot.level(1.0, "alarm");
        for version in &report.versions {
            let line: Vec<(Time, f64)> =
                version.points.iter().map(|point| (point.end, point.evidence.min(2.0))).collect();
            plot.line(&format!("cus {}", self.mark(&version.version).class()), &line);
        }
        let watch = &report.watch;
        let words = format!("evidence for a drop of {} in {}", watch.drop, watch.name);
        let note = format!(
            "Evidence for a drop of {} points, cumulated; 1 is the alarm. While nothing changes, one false alarm of this watch per {} is expected. The means of buckets vary {} times as much as those of independent segments.",
            watch.drop,
            watch.false_alarms,
            fixed(report.dispersion.unwrap_or(1.0), 2)
        );
        format!(
            "<h2>Evidence of a drop</h2><p class=\"note\">{}</p>{}",
            escape::html(&note),
            plot.finish(&words)
        )
    }

    fn table(&self) -> Result<String> {
        let from = self.until() - self.window;
        let mut cells: BTreeMap<String, BTreeMap<&str, Vec<u64>>> = BTreeMap::new();
        for bucket in self.buckets.iter().filter(|bucket| bucket.start >= from) {
            let versions = cells.entry(slice_text(&bucket.series.slice)).or_default();
            add_row(versions.entry(&bucket.series.version).or_default(), &bucket.row)?;
        }
        let mut shown: Vec<&str> = cells.values().flat_map(|versions| versions.keys().copied()).collect();
        shown.sort_by_key(|version| self.versions.iter().position(|known| known == version));
        shown.dedup();
        let head: String = shown
            .iter()
            .map(|version| {
                let mark = self.mark(version).class();
                format!(
                    "<th class=\"num\" scope=\"col\"><span class=\"mk {mark}\"></span>{}</th><th class=\"num\" scope=\"col\">segments</th>",
                    escape::html(version)
                )
            })
            .collect();
        let row = |(slice, versions): (&String, &BTreeMap<&str, Vec<u64>>)| {
            let cell = |version: &&str| {
                let row = versions.get(version);
                let score =
                    row.and_then(|row| self.score(row)).map_or("-".to_owned(), |score| self.shown(score));
                let segments =
                    row.and_then(|row| row.first()).map_or("-".to_owned(), |&count| thousands(count));
                format!("<td class=\"num\">{score}</td><td class=\"num\">{segments}</td>")
            };
            let name = if slice.is_empty() { "all" } else { slice };
            let cells: String = shown.iter().map(cell).collect();
            format!("<tr><th scope=\"row\">{}</th>{cells}</tr>\n", escape::html(name))
        };
        let rows: String = cells.iter().map(row).collect();
        Ok(format!(
            "<h2>Slices, last {}</h2><div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"slices\"><table><thead><tr><th scope=\"col\">slice</th>{head}</tr></thead><tbody>\n{rows}</tbody></table></div>\n",
            self.window
        ))
    }
}

fn what(kind: AlarmKind) -> &'static str {
    match kind {
        AlarmKind::Drop => "score falls",
        AlarmKind::Shorter => "outputs get shorter",
        AlarmKind::Longer => "outputs get longer",
        AlarmKind::Silent => "too few segments",
    }
}

/// Formats a time up to the minute, as in `2026-11-21 10:00`.
fn minute(time: Time) -> String {
    let text = time.to_string();
    text.get(..16).unwrap_or(&text).replace('T', " ")
}

fn plain(length: Span) -> String {
    if length.0 == DAY { "day".to_owned() } else { length.to_string() }
}
