//! Implements `bleuprint track show`, which prints scores of the newest time window, and `ab`, which compares
//! two model versions.

use bleuprint::report::{LineStyle, decimals, fixed, json, pretty};
use bleuprint_track::{
    ShowRequest, Span, VariationUnit, VersionDifference, VersionsCompared, VersionsRequest, WindowScore,
    compare, show,
};
use serde_json::{Value, json as value};

use super::{as_of, opened, place, span, window};
use crate::shared::command::*;

pub(crate) struct TrackShow {
    ledger: String,
    request: ShowRequest,
    json: bool,
}

pub(super) fn define_show(command: Command) -> Command {
    command
        .arg(window())
        .arg(
            option("by", "LABEL").value_delimiter(',').default_value("version").help(
                "The labels that define groups: version, slice, or labels of slices, as in version,lang",
            ),
        )
        .arg(option("stream", "NAME").help("Show only this stream"))
        .arg(as_of())
        .arg(args::format())
}

impl TrackShow {
    pub(super) fn new(matches: &ArgMatches) -> Result<Self> {
        let request = ShowRequest {
            window: span(matches, "window")?.unwrap_or(Span(0)),
            by: matches.texts("by"),
            stream: matches.text("stream"),
            as_of: matches.count("as-of").map(|count| count as u64),
        };
        Ok(TrackShow { ledger: place(matches), request, json: matches.is_json() })
    }

    pub(super) fn run(self, program: &CommandContext<'_>, out: &mut Out) -> Result<()> {
        let TrackShow { ledger, request, json } = self;
        let shown = show(&opened(&ledger)?, program.registry, &request)?;
        if json {
            let groups: Vec<Value> = shown.iter().map(|shown| shown_json(shown, &request.by)).collect();
            let all = value!({ "window": request.window.to_string(), "groups": groups });
            return Ok(writeln!(out, "{}", pretty(&all, 1))?);
        }
        let mut head = vec!["stream".to_owned(), "metric".to_owned()];
        head.extend(request.by.iter().cloned());
        head.extend(["segments", "score", "until"].map(str::to_owned));
        let rows = shown.iter().map(cells).collect::<Vec<_>>();
        writeln!(out, "{}", columns(&[vec![head], rows].concat()))?;
        let mut signatures: Vec<String> = Vec::new();
        for scored in shown.iter().filter_map(|shown| shown.score.as_ref().ok()) {
            let signature = scored.signature.to_string();
            if !signatures.contains(&signature) {
                writeln!(out, "{signature}")?;
                signatures.push(signature);
            }
        }
        Ok(())
    }
}

fn cells(shown: &WindowScore) -> Vec<String> {
    let score = match &shown.score {
        Ok(scored) => {
            let style = LineStyle { decimals: 1, short: false };
            fixed(scored.score.value, decimals(&scored.score.scale, style))
        }
        Err(reason) => reason.clone(),
    };
    let ends = [shown.segments.to_string(), score, shown.until.to_string()];
    let names = [shown.stream.clone(), shown.metric.clone()];
    names.into_iter().chain(shown.labels.iter().cloned()).chain(ends).collect()
}

fn shown_json(shown: &WindowScore, by: &[String]) -> Value {
    let labels: serde_json::Map<String, Value> =
        by.iter().cloned().zip(shown.labels.iter().map(|label| Value::from(label.clone()))).collect();
    let (score, error) = match &shown.score {
        Ok(scored) => (json(scored, None, LineStyle { decimals: 1, short: false }), Value::Null),
        Err(reason) => (Value::Null, Value::from(reason.clone())),
    };
    value!({
        "stream": shown.stream,
        "metric": shown.metric,
        "labels": labels,
        "until": shown.until.to_string(),
        "segments": shown.segments,
        "score": score,
        "error": error,
    })
}

/// Formats rows of texts as left-aligned columns. Control characters become U+FFFD, so that data cannot
/// control the terminal.
pub(super) fn columns(rows: &[Vec<String>]) -> String {
    let plain = |cell: &String| -> String {
        cell.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
    };
    let rows: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(plain).collect()).collect();
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..count).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

pub(crate) struct Versions {
    ledger: String,
    request: VersionsRequest,
    json: bool,
}

pub(super) fn define_versions(command: Command) -> Command {
    command
        .after_help("Exit codes: 0 compared, 2 error, 3 fewer than 30 units of a version. Name the better-known version second.")
        .arg(Arg::new("versions").value_name("VERSION").num_args(2).required(true).help("The two versions"))
        .arg(option("stream", "NAME").required(true).help("The stream"))
        .arg(option("unit", "UNIT").required(true).help(
            "The unit that varies independently: event, bucket, or a label of slices such as user. Similar neighbours are not separate units",
        ))
        .arg(args::number("expect", 30..).required(true).help(
            "The planned number of units of each version; it is fixed at the first look, and the interval is narrowest there",
        ))
        .arg(option("metric", "METRIC").short('m').help("The metric, if the stream has several"))
        .arg(
            option("alpha", "A")
                .default_value("0.05")
                .help("The rate of false findings over all looks together"),
        )
        .arg(args::format())
}

impl Versions {
    pub(super) fn new(matches: &ArgMatches) -> Result<Self> {
        let alpha = matches.text("alpha").unwrap_or_default();
        let Some(rate) = alpha.parse::<f64>().ok().filter(|rate| *rate > 0.0 && *rate < 0.5) else {
            fail!("--alpha is {alpha}, but must be above 0 and below 0.5");
        };
        let mut versions = matches.texts("versions").into_iter();
        let request = VersionsRequest {
            stream: matches.text("stream").unwrap_or_default(),
            versions: [versions.next().unwrap_or_default(), versions.next().unwrap_or_default()],
            metric: matches.text("metric"),
            unit: VariationUnit::from_name(&matches.text("unit").unwrap_or_default()),
            alpha: rate,
            expect: matches.count("expect").unwrap_or(0) as u64,
        };
        if request.versions[0] == request.versions[1] {
            fail!("a version cannot be compared with itself: give two different versions");
        }
        Ok(Versions { ledger: place(matches), request, json: matches.is_json() })
    }

    pub(super) fn run(self, program: &CommandContext<'_>, out: &mut Out) -> Result<()> {
        let Versions { ledger, request, json } = self;
        let compared = compare(&opened(&ledger)?, program.registry, &request)?;
        if json {
            writeln!(out, "{}", pretty(&compared_json(&compared, &request), 1))?
        } else {
            write!(out, "{}", compared_text(&compared, &request))?
        }
        match compared.difference {
            Some(_) => Ok(()),
            None => Err(Failure::Verdict(3)),
        }
    }
}

fn compared_text(compared: &VersionsCompared, request: &VersionsRequest) -> String {
    let side = |place: usize| {
        let score = compared.scores[place].map_or("-".to_owned(), |score| fixed(score, 4));
        format!("{} {score} ({})", request.versions[place], counted(compared.units[place], "unit"))
    };
    let unit = request.unit.name();
    let head = format!("{}, {}: {}   {}, by {unit}", request.stream, compared.metric.spec, side(0), side(1));
    let body = match &compared.difference {
        None => "no verdict: a comparison needs 30 units of each version, and scores that vary".to_owned(),
        Some(VersionDifference { value, interval: [low, high], p_value, plan, .. }) => {
            let verdict = if *low > 0.0 || *high < 0.0 { "differ" } else { "no difference shown" };
            format!(
                "difference {}, {} .. {}, p {}: {verdict}\nby a confidence sequence, valid at every look at {} % false findings; planned for {} units each",
                fixed(*value, 4),
                fixed(*low, 4),
                fixed(*high, 4),
                fixed(*p_value, 4),
                100.0 * plan.alpha,
                plan.expect
            )
        }
    };
    format!("{head}\n{body}\n")
}

fn compared_json(compared: &VersionsCompared, request: &VersionsRequest) -> Value {
    let difference = compared.difference.as_ref().map(|difference| {
        value!({
            "value": difference.value,
            "method": "confidence-sequence",
            "standard_error": difference.error,
            "interval": difference.interval,
            "p_value": difference.p_value,
            "alpha": difference.plan.alpha,
            "expect": difference.plan.expect,
            "planned_at_event": difference.plan.seen,
        })
    });
    value!({
        "stream": request.stream,
        "metric": compared.metric.spec,
        "versions": request.versions,
        "unit": request.unit.name(),
        "scores": compared.scores,
        "units": compared.units,
        "since": compared.since.map(|since| since.to_string()),
        "difference": difference,
    })
}
