//! Implements `bleuprint track add`, `merge` and `export`: write events with metric counts into a ledger
//! (database of counts over time), and read them out.

use bleuprint::InputError;
use bleuprint::eval::store::AtomicFile;
use bleuprint::text::read::open;
use bleuprint_track::{Added, Adding, Event, Ledger, Span, Time, events};

use super::{now, place, span};
use crate::shared::command::*;

pub(crate) struct Add {
    ledger: String,
    files: Vec<String>,
    bucket: Option<Span>,
    upsert: bool,
    now: Option<Time>,
    reset_clock: bool,
}

pub(super) fn define(command: Command) -> Command {
    command
        .arg(
            Arg::new("files").value_name("EVENTS").num_args(1..).default_value("-").help(
                "Events as JSON Lines, written by `bleuprint stats --event KEY`; `-` is standard input",
            ),
        )
        .arg(option("bucket", "SPAN").help("The length of a bucket of a new ledger [default: 1h]"))
        .arg(flag("upsert").help(
            "Treat different content under an existing key as a correction, which replaces the old counts",
        ))
        .arg(now())
        .arg(reset_clock())
}

impl Add {
    pub(super) fn new(matches: &ArgMatches) -> Result<Self> {
        Ok(Add {
            ledger: place(matches),
            files: matches.texts("files"),
            bucket: span(matches, "bucket")?,
            upsert: matches.get_flag("upsert"),
            now: args::time(matches, "now")?,
            reset_clock: matches.get_flag("reset-clock"),
        })
    }

    pub(super) fn run(self, program: &CommandContext<'_>, out: &mut Out) -> Result<()> {
        let how = Adding { upsert: self.upsert, ..adding(program, self.now, self.reset_clock) };
        // All files are read before the ledger is opened, so a file that cannot be read leaves it unchanged.
        let texts = self.files.iter().map(|file| text(file)).collect::<Result<Vec<_>>>()?;
        let is_empty = texts.iter().all(|(_, text)| text.trim().is_empty());
        if is_empty && !std::path::Path::new(&self.ledger).exists() {
            let names: Vec<&str> = texts.iter().map(|(name, _)| name.as_str()).collect();
            fail!(
                "{}: not created, because {} has no events; `bleuprint stats --total --event KEY` writes events",
                self.ledger,
                names.join(", ")
            );
        }
        let lines = texts.iter().flat_map(|(name, text)| events(name, text));
        said(&self.ledger, Ledger::open_or_create(&self.ledger, self.bucket)?.add(lines, &how)?, out)
    }
}

fn reset_clock() -> Arg {
    flag("reset-clock")
        .help("Accept times in the future of the clock: the clock was ahead when earlier events were made or added, and is now correct")
}

fn adding<'p>(program: &CommandContext<'p>, now: Option<Time>, reset_clock: bool) -> Adding<'p> {
    Adding { reset_clock, now: now.unwrap_or_else(Time::now), ..Adding::new(program.registry) }
}

fn said(ledger: &str, added: Added, out: &mut Out) -> Result<()> {
    let Added { added, duplicates, corrected, .. } = added;
    let corrected =
        if corrected > 0 { format!(" ({})", counted(corrected, "correction")) } else { String::new() };
    Ok(writeln!(
        out,
        "{ledger}: {} added{corrected}, {} there already",
        counted(added, "event"),
        if duplicates == 1 { "1 was".to_owned() } else { format!("{duplicates} were") }
    )?)
}

fn text(file: &str) -> Result<(String, String)> {
    let mut source = open(file)?;
    let mut text = String::new();
    std::io::Read::read_to_string(&mut source.reader, &mut text)
        .map_err(|error| Failure::Message(format!("{}: {error}", source.name)))?;
    Ok((source.name.to_string(), text))
}

pub(crate) struct TrackMerge {
    ledger: String,
    others: Vec<String>,
    now: Option<Time>,
    reset_clock: bool,
}

pub(super) fn define_merge(command: Command) -> Command {
    let others = Arg::new("others").value_name("OTHER").num_args(1..).required(true).help("Other ledgers");
    command.arg(others).arg(now()).arg(reset_clock())
}

impl TrackMerge {
    pub(super) fn new(matches: &ArgMatches) -> Result<Self> {
        let ledger = place(matches);
        let others = matches.texts("others");
        let reset_clock = matches.get_flag("reset-clock");
        Ok(TrackMerge { ledger, others, now: args::time(matches, "now")?, reset_clock })
    }

    pub(super) fn run(self, program: &CommandContext<'_>, out: &mut Out) -> Result<()> {
        let others = self.others.iter().map(Ledger::open).collect::<Result<Vec<_>, InputError>>()?;
        let bucket = others.first().map(Ledger::bucket);
        // A new ledger takes the length of its buckets from the first of the other ledgers.
        let bucket = bucket.filter(|_| !std::path::Path::new(&self.ledger).exists());
        let mut ledger = Ledger::open_or_create(&self.ledger, bucket)?;
        for other in &others {
            let added = ledger.merge(other, &adding(program, self.now, self.reset_clock))?;
            said(&self.ledger, added, out)?;
        }
        Ok(())
    }
}

pub(crate) struct Export {
    ledger: String,
    output: String,
}

pub(super) fn define_export(command: Command) -> Command {
    command.arg(option("output", "FILE").short('o').default_value("-").help("The file to write"))
}

impl Export {
    pub(super) fn new(matches: &ArgMatches) -> Self {
        Export { ledger: place(matches), output: matches.texts("output").concat() }
    }

    pub(super) fn run(self, out: &mut Out) -> Result<()> {
        let ledger = Ledger::open(&self.ledger)?;
        if AtomicFile::is_standard_output(&self.output) {
            return ledger.events(|event| Ok(writeln!(out, "{}", event.line())?));
        }
        // An export may be the only copy of a ledger, so it is never overwritten.
        if std::path::Path::new(&self.output).exists() {
            fail!("{} is there already", self.output);
        }
        let mut file = AtomicFile::create(&self.output)?;
        ledger.events(|event: Event| {
            let written = std::io::Write::write_all(&mut file, (event.line() + "\n").as_bytes());
            written.map_err(|error| Failure::Message(format!("{}: {error}", self.output)))
        })?;
        Ok(file.commit()?)
    }
}
