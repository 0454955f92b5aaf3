//! A page with the timeline of every recording, the worst first: turns of both sides, misses, false alarms, confusions.

use std::fmt::Write as _;

use bleuprint::contract::Pairing;
use bleuprint::families::diarization::{Choices, Diarization, Piece, Recording, Turns, Uem};
use bleuprint::report::{escape::html, fixed};
use bleuprint::{InputError, Segment};

const WIDTH: f64 = 1000.0;
const LEFT: f64 = 130.0;
const ROW: f64 = 16.0;

/// The beginning of a page, by which an earlier one is known.
pub(super) const BEGIN: &str =
    "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>Turns of speakers</title>";

const STYLE: &str = "body{font:14px system-ui,sans-serif;margin:1.5em;max-width:1080px}svg{width:100%;height:auto}\
    text{font-size:11px;fill:currentColor}.ref{fill:#4477aa}.hyp{fill:#66aabb}.miss{fill:#cc3311}.false_alarm{fill:#ee9900}\
    .confusion{fill:#883388}.out{fill:#88888833}summary{cursor:pointer}";

/// The kinds of errors, each with its mark for readers without colours.
const KINDS: [(&str, &str); 3] =
    [("miss", "missed speech"), ("false_alarm", "false alarm"), ("confusion", "another speaker")];

/// The page, under a collar on each side of a border.
pub(super) fn page(recordings: &[Recording], collar: f64) -> Result<String, InputError> {
    let mut drawn = Vec::new();
    for one in recordings {
        let uem = if one.regions.is_some() { Uem::Given } else { Uem::Extent };
        let choices = Choices::default().uem(uem).collar(collar);
        let metric =
            choices.and_then(Diarization::der).map_err(|error| InputError::malformed(error.to_string()))?;
        let references = [&one.reference];
        let (pieces, pairs) =
            metric.timeline(Segment::of(&one.hypothesis, &references, one.regions.as_ref()))?;
        drawn.push(Drawn::of(one, &pieces, &pairs));
    }
    drawn.sort_by(|one, other| other.errors.total_cmp(&one.errors));
    let mut page = format!(
        "{BEGIN}<style>{STYLE}</style>\n\
         <h1>Turns of speakers</h1>\n<p>A row for each speaker of the reference, and below it that of its partner. \
         Grey is not scored. The most seconds of errors come first.</p>\n"
    );
    for (place, one) in drawn.iter().enumerate() {
        let open = if place == 0 { " open" } else { "" };
        let _ =
            writeln!(page, "<details{open}><summary>{}</summary>\n{}</details>", one.summary, one.picture);
    }
    Ok(page)
}

struct Drawn {
    /// The seconds of errors.
    errors: f64,
    summary: String,
    picture: String,
}

impl Drawn {
    fn of(recording: &Recording, pieces: &[Piece], pairs: &Pairing) -> Self {
        let seconds = |of: fn(&Piece) -> u64| pieces.iter().map(of).sum::<u64>() as f64 / 2e6;
        let parts = [
            seconds(|piece| piece.times.miss),
            seconds(|piece| piece.times.false_alarm),
            seconds(|piece| piece.times.confusion),
        ];
        let (errors, total) = (parts.iter().sum::<f64>(), seconds(|piece| piece.times.total()));
        let rate = if total > 0.0 { fixed(100.0 * errors / total, 2) + " %" } else { "no DER".to_owned() };
        let mut summary = format!("<b>{}</b>: {rate}", html(&recording.id));
        for ((_, words), part) in KINDS.iter().zip(parts) {
            let _ = write!(summary, ", {} s {words}", fixed(part, 2));
        }
        Drawn { errors, summary, picture: picture(recording, pieces, pairs) }
    }
}

fn picture(recording: &Recording, pieces: &[Piece], pairs: &Pairing) -> String {
    let sides = [&recording.reference, &recording.hypothesis];
    let ends = sides.iter().flat_map(|side| side.0.iter().map(|turn| turn.end));
    let end = ends.chain(pieces.iter().map(|piece| piece.end)).fold(1.0, f64::max);
    let x = |time: f64| LEFT + time / end * (WIDTH - LEFT);
    let mut rows: Vec<(usize, &str)> = Vec::new();
    for [reference, hypothesis] in &pairs.pairs {
        rows.extend(reference.as_deref().map(|name| (0, name)));
        rows.extend(hypothesis.as_deref().map(|name| (1, name)));
    }
    let height = ROW * (rows.len() as f64 + 4.0);
    let mut svg = format!("<svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\">\n");
    let bar = |svg: &mut String, class: &str, from: f64, to: f64, y: f64, height: f64, title: &str| {
        let _ = writeln!(
            svg,
            "<rect class=\"{class}\" x=\"{:.2}\" y=\"{y}\" width=\"{:.2}\" height=\"{height}\"><title>{title}</title></rect>",
            x(from),
            x(to) - x(from)
        );
    };
    let mut scored = 0.0;
    for piece in pieces.iter().map(Some).chain([None]) {
        let start = piece.map_or(end, |piece| piece.start);
        if start > scored {
            bar(&mut svg, "out", scored, start, 0.0, height, "not scored");
        }
        scored = piece.map_or(end, |piece| piece.end);
    }
    for (place, (side, name)) in rows.iter().enumerate() {
        let y = ROW * place as f64;
        let class = ["ref", "hyp"][*side];
        let _ = writeln!(svg, "<text x=\"0\" y=\"{}\">{class} {}</text>", y + 12.0, html(name));
        for (from, to) in turns(sides[*side], name) {
            bar(&mut svg, class, from, to, y + 2.0, ROW - 4.0, &format!("{from} to {to} s"));
        }
    }
    for (place, (class, words)) in KINDS.iter().enumerate() {
        let y = ROW * (rows.len() + place) as f64;
        let _ = writeln!(svg, "<text x=\"0\" y=\"{}\">{words}</text>", y + 12.0);
        for piece in pieces {
            let times = [piece.times.miss, piece.times.false_alarm, piece.times.confusion];
            if times[place] > 0 {
                let title = format!("{words}, {} to {} s", piece.start, piece.end);
                bar(&mut svg, class, piece.start, piece.end, y + 2.0, ROW - 4.0, &title);
            }
        }
    }
    let _ = writeln!(
        svg,
        "<text x=\"{LEFT}\" y=\"{0}\">0 s</text><text x=\"{WIDTH}\" y=\"{0}\" text-anchor=\"end\">{end} s</text>",
        height - 4.0
    );
    svg + "</svg>\n"
}

fn turns<'t>(side: &'t Turns, name: &'t str) -> impl Iterator<Item = (f64, f64)> + 't {
    side.0.iter().filter(move |turn| turn.speaker == name).map(|turn| (turn.start, turn.end))
}
