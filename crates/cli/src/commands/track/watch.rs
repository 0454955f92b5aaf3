//! Implements `bleuprint track check`, `page` and `prom`: raise alarms under a policy, write an HTML page,
//! and export counters for Prometheus.

use bleuprint::report::{fixed, pretty};
use bleuprint_track::{
    Alarm, CALIBRATION, Checked, GENERATOR, Ledger, LedgerPageRequest, Moment, PrometheusRequest, Span, Time,
    WatchPolicy, WatchReport, check, page, prometheus,
};
use serde_json::{Value, json as value};

use super::look::columns;
use super::{as_of, now, opened, place, span, window};
use crate::shared::command::*;
use crate::shared::places::{self, Holds, NumberPlace, write_text};

pub(crate) struct WatchCheck {
    ledger: String,
    policy: String,
    moment: Moment,
    /// Alarms to acknowledge: `Some(Some(id))` for one alarm, `Some(None)` for all, `None` for no alarm.
    acknowledge: Option<Option<i64>>,
    json: bool,
}

pub(super) fn define_check(command: Command) -> Command {
    command
        .after_help("Exit codes: 0 quiet, 1 an alarm is active, 2 error, 3 too little data for alarms.")
        .arg(policy().required(true))
        .arg(option("acknowledge", "ALARM").help("Acknowledge an alarm by its number, or `all` alarms"))
        .arg(as_of())
        .arg(now())
        .arg(args::format())
}

fn policy() -> Arg {
    option("policy", "FILE").help("The policy, TOML; paths in it start from its folder")
}

fn read_policy(file: &str, program: &CommandContext<'_>) -> Result<WatchPolicy> {
    let mut text = String::new();
    let mut source = bleuprint::text::read::open(file)?;
    std::io::Read::read_to_string(&mut source.reader, &mut text)
        .map_err(|error| Failure::Message(format!("{file}: {error}")))?;
    Ok(WatchPolicy::parse(file, &text, program.registry)?)
}

impl WatchCheck {
    pub(super) fn new(matches: &ArgMatches) -> Result<Self> {
        let acknowledge = match matches.text("acknowledge").as_deref() {
            None => None,
            Some("all") => Some(None),
            Some(number) => match number.parse() {
                Ok(number) => Some(Some(number)),
                Err(_) => fail!("--acknowledge is `{number}`, but must be the number of an alarm, or all"),
            },
        };
        let moment = Moment {
            now: args::time(matches, "now")?.unwrap_or_else(Time::now),
            as_of: matches.count("as-of").map(|count| count as u64),
        };
        let policy = matches.text("policy").unwrap_or_default();
        Ok(WatchCheck { ledger: place(matches), policy, moment, acknowledge, json: matches.is_json() })
    }

    pub(super) fn run(self, program: &CommandContext<'_>, out: &mut Out) -> Result<()> {
        let policy = read_policy(&self.policy, program)?;
        let ledger = opened(&self.ledger)?;
        if let Some(alarm) = self.acknowledge
            // Acknowledging comes before the check, so the output shows the state after it.
            && ledger.acknowledge(alarm, self.moment.now)? == 0
        {
            fail!("--acknowledge: no such alarm is active");
        }
        let checked = check(&ledger, &policy, program.registry, self.moment)?;
        if self.json {
            writeln!(out, "{}", pretty(&checked_json(&checked), 1))?
        } else {
            write!(out, "{}", checked_text(&checked))?
        }
        match checked.exit_code() {
            0 => Ok(()),
            code => Err(Failure::Verdict(code)),
        }
    }
}

fn checked_text(checked: &Checked) -> String {
    let head = match checked.exit_code() {
        0 => "QUIET",
        1 => "ALARM",
        _ => "TOO LITTLE DATA",
    };
    let mut lines = vec![vec![head.to_owned(), counted(checked.seen, "event")]];
    for report in &checked.watches {
        let standing = checked.standing.iter().filter(|alarm| alarm.watch == report.watch.name);
        let standing: Vec<&Alarm> = standing.collect();
        let sign = match (standing.is_empty(), report.dispersion) {
            (false, _) => 'x',
            // '?', => Without a dispersion the watch is still calibrating, and cannot raise alarms.
            (true, None) => '?',
            (true, Some(_)) => '+',
        };
        lines.push(vec![format!("  {sign} {}", report.watch.name), state(report)]);
        let alarm = |alarm: &&Alarm| {
            let version = match alarm.version.as_str() {
                "" => String::new(),
                version => format!(", version {version}"),
            };
            let what = format!(
                "alarm {}: {} since {}, raised {}{version}",
                alarm.id,
                alarm.kind.name(),
                alarm.since,
                alarm.at
            );
            vec![String::new(), what]
        };
        lines.extend(standing.iter().map(alarm));
    }
    columns(&lines) + "\n"
}

fn state(report: &WatchReport) -> String {
    match (report.dispersion, report.versions.last()) {
        (Some(dispersion), Some(last)) => format!(
            "version {}, {}, evidence {} of 1, variation {} times that of independent segments",
            last.version,
            counted(last.points.len(), "observation"),
            fixed(last.evidence, 2),
            fixed(dispersion, 2)
        ),
        _ => format!("{} of {CALIBRATION} observations, then alarms", report.observations()),
    }
}

fn checked_json(checked: &Checked) -> Value {
    let alarm = |alarm: &Alarm| {
        value!({
            "id": alarm.id,
            "watch": alarm.watch,
            "kind": alarm.kind.name(),
            "version": alarm.version,
            "at": alarm.at.to_string(),
            "since": alarm.since.to_string(),
            "evidence": alarm.evidence,
            "events": alarm.seen,
        })
    };
    let watch = |report: &WatchReport| {
        let versions = report.versions.iter().map(|version| {
            value!({
                "version": version.version,
                "since": version.since.to_string(),
                "observations": version.points.len(),
                "evidence": version.evidence,
            })
        });
        value!({
            "name": report.watch.name,
            "stream": report.watch.stream,
            "metric": report.metric.spec,
            "baseline": report.baseline,
            "dispersion": report.dispersion,
            "versions": versions.collect::<Vec<_>>(),
        })
    };
    value!({
        "exit": checked.exit_code(),
        "events": checked.seen,
        "alarms": checked.standing.iter().map(alarm).collect::<Vec<_>>(),
        "watches": checked.watches.iter().map(watch).collect::<Vec<_>>(),
    })
}

struct WrittenPage {
    ledger: String,
    policy: Option<String>,
    output: String,
    overwrite: bool,
    window: Span,
    now: Time,
}

fn define_written(command: Command) -> Command {
    command
        .arg(
            option("output", "FILE")
                .short('o')
                .required(true)
                .help("The file to write; `-` is standard output"),
        )
        .arg(policy())
        .arg(window())
        .arg(now())
        .arg(args::overwrite("Replace an existing file even if this command did not write it"))
}

impl WrittenPage {
    fn new(matches: &ArgMatches) -> Result<Self> {
        Ok(WrittenPage {
            ledger: place(matches),
            policy: matches.text("policy"),
            output: matches.texts("output").concat(),
            overwrite: matches.get_flag("overwrite"),
            window: span(matches, "window")?.unwrap_or(Span(0)),
            now: args::time(matches, "now")?.unwrap_or_else(Time::now),
        })
    }

    /// Opens a ledger (database of metric counts over time), after checking that the output file may be
    /// written. If there is a policy, also checks the ledger for alarms.
    fn open(&self, program: &CommandContext<'_>, holds: Holds) -> Result<(Ledger, Option<Checked>)> {
        let inputs: Vec<String> = [self.ledger.clone()].into_iter().chain(self.policy.clone()).collect();
        places::check(&[NumberPlace { option: "-o", file: &self.output, holds }], &inputs, self.overwrite)?;
        let ledger = opened(&self.ledger)?;
        let check = |file: &String| {
            let policy = read_policy(file, program)?;
            let moment = Moment { now: self.now, as_of: None };
            Ok::<_, Failure>(check(&ledger, &policy, program.registry, moment)?)
        };
        let checked = self.policy.as_ref().map(check).transpose()?;
        Ok((ledger, checked))
    }
}

pub(crate) struct WatchPage {
    written: WrittenPage,
    title: String,
}

pub(super) fn define_page(command: Command) -> Command {
    define_written(command).arg(option("title", "TEXT").help("The title [default: the ledger]"))
}

impl WatchPage {
    pub(super) fn new(matches: &ArgMatches) -> Result<Self> {
        let written = WrittenPage::new(matches)?;
        let title = matches.text("title").unwrap_or_else(|| written.ledger.clone());
        Ok(WatchPage { written, title })
    }

    pub(super) fn run(self, program: &CommandContext<'_>, out: &mut Out) -> Result<()> {
        // A page of an earlier run is recognized by its generator tag and replaced.
        let holds = Holds::Made { what: "page of a ledger", begins: |head| head.contains(GENERATOR) };
        let (ledger, checked) = self.written.open(program, holds)?;
        let request =
            LedgerPageRequest { title: self.title, window: self.written.window, checked: checked.as_ref() };
        write_text(&self.written.output, &page(&ledger, program.registry, &request)?, out)
    }
}

pub(crate) struct Prometheus {
    written: WrittenPage,
    openmetrics: bool,
}

pub(super) fn define_prometheus(command: Command) -> Command {
    define_written(command)
        .arg(flag("openmetrics").help("Write OpenMetrics, with the start time of each counter"))
}

impl Prometheus {
    pub(super) fn new(matches: &ArgMatches) -> Result<Self> {
        Ok(Prometheus { written: WrittenPage::new(matches)?, openmetrics: matches.get_flag("openmetrics") })
    }

    pub(super) fn run(self, program: &CommandContext<'_>, out: &mut Out) -> Result<()> {
        // Counters are written anew on every run, so an earlier file of them is replaced.
        let begins = |head: &str| head.starts_with("# HELP bleuprint_");
        let (ledger, checked) =
            self.written.open(program, Holds::Made { what: "text of counters", begins })?;
        let request = PrometheusRequest {
            window: self.written.window,
            openmetrics: self.openmetrics,
            checked: checked.as_ref(),
        };
        write_text(&self.written.output, &prometheus(&ledger, program.registry, &request)?, out)
    }
}
