//! Implements `bleuprint track`: monitors the scores of deployed models in a ledger (database of metric
//! counts over time).

mod add;
mod look;
mod watch;

use bleuprint_requests::warn;
use bleuprint_track::{Ledger, Span};

use crate::shared::command::*;

pub(crate) enum Track {
    Add(add::Add),
    Show(look::TrackShow),
    Check(watch::WatchCheck),
    Versions(look::Versions),
    Page(watch::WatchPage),
    Prometheus(watch::Prometheus),
    Verify(String),
    Merge(add::TrackMerge),
    Export(add::Export),
}

impl Subcommand for Track {
    const NAME: &'static str = "track";

    fn define(command: Command, _: &Families) -> Command {
        let sub = |name, about| Command::new(name).about(about).arg(ledger());
        command
            .about("Follow the scores of running services in a ledger: windows, alarms, versions, a page, Prometheus")
            .after_help("Exit codes: 0 done or quiet, 1 an alarm is active or the ledger is damaged, 2 error, 3 too little data.")
            .subcommand_required(true)
            .arg_required_else_help(true)
            .subcommand(add::define(sub("add", "Add events, each only once; on any error nothing is added, with exit code 2")))
            .subcommand(look::define_show(sub("show", "Show the scores of the last hours or days")))
            .subcommand(watch::define_check(sub("check", "Raise alarms, under a policy")))
            .subcommand(look::define_versions(sub("ab", "Compare two versions, with intervals that are valid at every look")))
            .subcommand(watch::define_page(sub("page", "Write the trend as one HTML file, without a script")))
            .subcommand(watch::define_prometheus(sub("prom", "Write counters for Prometheus")))
            .subcommand(sub("verify", "Check that the sums of a ledger equal its events; exit code 0 for yes, 1 for no"))
            .subcommand(add::define_merge(sub("merge", "Add the events of other ledgers")))
            .subcommand(add::define_export(sub("export", "Write all events, sorted by their keys")))
    }

    fn request(matches: &ArgMatches, _: &Families) -> Result<Self> {
        let Some((name, matches)) = matches.subcommand() else { fail!("no command") };
        Ok(match name {
            "add" => Track::Add(add::Add::new(matches)?),
            "show" => Track::Show(look::TrackShow::new(matches)?),
            "check" => Track::Check(watch::WatchCheck::new(matches)?),
            "ab" => Track::Versions(look::Versions::new(matches)?),
            "page" => Track::Page(watch::WatchPage::new(matches)?),
            "prom" => Track::Prometheus(watch::Prometheus::new(matches)?),
            "verify" => Track::Verify(place(matches)),
            "merge" => Track::Merge(add::TrackMerge::new(matches)?),
            "export" => Track::Export(add::Export::new(matches)),
            other => fail!("no command `{other}`"),
        })
    }

    fn run(self, program: &CommandContext<'_>, out: &mut Out) -> Result<()> {
        match self {
            Track::Add(add) => add.run(program, out),
            Track::Show(show) => show.run(program, out),
            Track::Check(check) => check.run(program, out),
            Track::Versions(versions) => versions.run(program, out),
            Track::Page(page) => page.run(program, out),
            Track::Prometheus(prometheus) => prometheus.run(program, out),
            Track::Verify(ledger) => verify(&ledger, out),
            Track::Merge(merge) => merge.run(program, out),
            Track::Export(export) => export.run(out),
        }
    }
}

fn verify(place: &str, out: &mut Out) -> Result<()> {
    let ledger = Ledger::open(place)?;
    let wrong = ledger.verify()?;
    for line in &wrong {
        writeln!(out, "{line}")?;
    }
    if wrong.is_empty() {
        Ok(writeln!(out, "{place}: sound, {}", counted(ledger.tallies()?.merged, "event"))?)
    } else {
        Err(Failure::Verdict(1))
    }
}

/// Opens a ledger (database of metric counts over time) for reading, and prints a note if some of its sums
/// have no checksum.
fn opened(place: &str) -> Result<Ledger> {
    let ledger = Ledger::open(place)?;
    ledger.unchecked()?.iter().for_each(|note| warn::note(note));
    Ok(ledger)
}

fn ledger() -> Arg {
    Arg::new("ledger").value_name("LEDGER").required(true).help("The ledger, an SQLite file on a local disk")
}

fn place(matches: &ArgMatches) -> String {
    matches.text("ledger").unwrap_or_default()
}

fn span(matches: &ArgMatches, name: &str) -> Result<Option<Span>> {
    let parse = |text: String| text.parse().map_err(|error| Failure::Message(format!("--{name}: {error}")));
    matches.text(name).map(parse).transpose()
}

fn window() -> Arg {
    option("window", "SPAN").default_value("24h").help("The length of the window, as in 24h or 7d")
}

fn as_of() -> Arg {
    args::number("as-of", 0..).help("Use only the first N events of the ledger")
}

fn now() -> Arg {
    option("now", "TIME").help("The time to use in place of the clock of this machine, for replays")
}
