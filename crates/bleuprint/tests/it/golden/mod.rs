//! The golden rows through the library's doors: by the name of the metric, merged over cuts, and typed.

mod typed;

use bleuprint::eval::PanelState;
use bleuprint::{
    Accumulator, AnyScore, ConfigError, InputError, InputErrorKind, Panel, Scored, Segment, Signature, State,
};
use bleuprint_testkit::golden::{DoorNumbers, GoldenRow, files, rows};

/// The reason for an error, as rows name it.
fn reason(error: &InputError) -> String {
    match error.kind() {
        InputErrorKind::EmptyCorpus => "empty-corpus".to_owned(),
        InputErrorKind::NoReferences => "no-references".to_owned(),
        other => other.to_string(),
    }
}

/// A metric after its first pass over the segments, if it has one.
fn panel(row: &GoldenRow, segments: &[Segment<'_, str>]) -> Result<Panel, String> {
    let refused = |_: ConfigError| "order-zero".to_owned();
    let panel = bleuprint::metric(&row.spec).map_err(refused)?;
    let Some(first) = panel.first_pass() else { return Ok(panel) };
    let mut learner = Accumulator::<&Panel, str>::new(&first);
    let learned = segments.iter().try_for_each(|segment| learner.add(*segment));
    learned.and_then(|()| panel.second_pass(learner.total())).map_err(|error| reason(&error))
}

/// Hands the segments of a row to `look`.
pub(crate) fn with_segments<R>(
    row: &GoldenRow,
    look: impl FnOnce(&[Segment<'_, str>]) -> Result<R, String>,
) -> Result<R, String> {
    if row.references.len() != row.hypotheses.len() {
        return Err("unequal-lengths".to_owned());
    }
    let references: Vec<Vec<&str>> =
        row.references.iter().map(|own| own.iter().map(String::as_str).collect()).collect();
    let segments: Vec<Segment<'_, str>> = row
        .hypotheses
        .iter()
        .zip(&references)
        .enumerate()
        .map(|(i, (hypothesis, references))| {
            Segment::with_source(hypothesis.as_str(), references, row.sources.get(i).map(|source| &**source))
        })
        .collect();
    look(&segments)
}

fn answer(score: &AnyScore, signature: &Signature) -> DoorNumbers {
    DoorNumbers {
        headlines: score.headlines.iter().map(|(_, value)| *value).collect(),
        parts: score
            .parts
            .iter()
            .map(|part| (part.key.to_string(), serde_json::to_value(&part.value).unwrap()))
            .collect(),
        signature: signature.to_string(),
    }
}

fn scored(panel: &Panel, state: &PanelState) -> Result<Scored<AnyScore>, String> {
    Ok(panel.scores(state).map_err(|error| reason(&error))?.remove(0))
}

/// The numbers of the corpus and of each segment, from the metric's name.
pub(crate) fn by_name(row: &GoldenRow) -> Result<(DoorNumbers, Vec<Vec<f64>>), String> {
    with_segments(row, |segments| {
        let panel = panel(row, segments)?;
        let mut corpus = Accumulator::<&Panel, str>::new(&panel);
        let mut sentences = Vec::new();
        for segment in segments {
            let state = corpus.push_segment(*segment).map_err(|error| reason(&error))?;
            if !row.expected.sentences.is_empty() {
                let Scored { score, signature } = scored(&panel, &state)?;
                sentences.push(answer(&score, &signature).headlines);
            }
        }
        let Scored { score, signature } = scored(&panel, corpus.total())?;
        if let Some(short) = &row.expected.short {
            let version = |text: &str| text.replace("2.6.0", bleuprint::contract::VERSION);
            assert_eq!(signature.short(), version(short), "{}", row.name);
        }
        Ok((answer(&score, &signature), sentences))
    })
}

/// The numbers of the corpus from the erased metric's states of three parts, merged in either order.
fn over_cuts(row: &GoldenRow) -> Result<DoorNumbers, String> {
    with_segments(row, |segments| {
        let panel = panel(row, segments)?;
        let metric = panel.metrics().next().unwrap();
        let state = |segments: &[Segment<'_, str>]| {
            let mut part = Accumulator::<&Panel, str>::new(&panel);
            segments.iter().try_for_each(|segment| part.add(*segment)).map_err(|error| reason(&error))?;
            Ok::<_, String>(panel.states(part.total()).map_err(|error| reason(&error))?.remove(0))
        };
        let (third, len) = (segments.len() / 3, segments.len());
        let parts = [0..third, third..len - third, len - third..len];
        let parts = parts.into_iter().map(|cut| state(&segments[cut])).collect::<Result<Vec<_>, _>>()?;
        let whole = state(segments)?;
        for order in [[0, 1, 2], [2, 1, 0]] {
            let mut merged = State::zero(metric);
            order.iter().try_for_each(|&at| merged.merge(&parts[at])).unwrap();
            let stored = |state| serde_json::to_string(state).unwrap();
            assert_eq!(stored(&merged), stored(&whole), "{}, {}: merged states", row.name, row.spec);
        }
        if !row.expected.statistics.is_empty() {
            let of_segments = bleuprint::SegmentCounts::COLUMNS;
            assert_eq!(whole.row().unwrap()[of_segments..], row.expected.statistics, "{}", row.name);
        }
        let Scored { score, signature } = whole.score(metric).map_err(|error| reason(&error))?;
        Ok(answer(&score, &signature))
    })
}

/// Holds an answer, or the reason for none, to the row.
fn check(row: &GoldenRow, door: &str, outcome: Result<DoorNumbers, String>) {
    match (&row.expected.error, outcome) {
        (None, Ok(answer)) => row.check(door, &answer),
        (Some(expected), Err(reason)) => {
            assert!(expected == "no-score" || *expected == reason, "{} through {door}: {reason}", row.name);
        }
        (expected, outcome) => panic!("{} through {door}: {outcome:?}, expected {expected:?}", row.name),
    }
}

/// Every row of a file through every door, and the number of rows.
fn through_every_door(file: &str) -> usize {
    let all = rows(file);
    for row in &all {
        if row.statistics.is_some() {
            check(row, "statistics", typed::from_statistics(row));
            continue;
        }
        let named = by_name(row);
        if let Ok((_, sentences)) = &named {
            row.check_sentences("its name", sentences);
        }
        check(row, "its name", named.map(|(answer, _)| answer));
        check(row, "merged states", over_cuts(row));
        if let Some(outcome) = typed::scored(row) {
            check(row, "its type", outcome);
        }
    }
    all.len()
}

macro_rules! files {
    ($($file:ident: $rows:literal),+ $(,)?) => {
        $(#[test]
        fn $file() {
            assert_eq!(through_every_door(stringify!($file)), $rows);
        })+

        #[test]
        fn every_file_has_its_test() {
            assert!(files().eq([$(stringify!($file)),+]));
        }
    };
}

// A row that goes is noticed by its file's number.
files! {
    papineni: 12,
    sacrebleu: 51,
    smoothing: 40,
    chrf: 294,
    ter: 222,
    wer: 950,
    compounds: 4,
    rouge: 450,
    squad: 16,
    meteor: 44,
    distinct: 132,
    nist: 44,
    cider: 22,
    sari: 11,
}
