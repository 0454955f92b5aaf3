//! The pictures of the page: segments as metrics over data of their own draw them.

use bleuprint_core::{Answer, Ask, Observe as _, PartValue, Result, ScorePart, ShowPart, Wanted};
use bleuprint_eval::evaluation::{OwnData, Run};
use bleuprint_registry::{AnyMetric, AnyScratch, Data};

type Rows = Vec<(String, String, PartValue)>;

/// The pictures of the segments that are kept, by system; empty if the metric draws none.
pub(super) fn all(run: &Run, metric: usize, kept: &[bool]) -> Result<Vec<Vec<Option<Rows>>>> {
    let metric = &run.metrics()[metric];
    let form = metric.view.form;
    let Some(own) = run.own.iter().find(|own| Some(own.form) == form) else { return Ok(Vec::new()) };
    let of_segment = |system: usize, segment: usize| match kept[segment] {
        true => picture(metric, own, system, segment),
        false => Ok(None),
    };
    let of_system = |system| (0..run.len()).map(|segment| of_segment(system, segment)).collect();
    let all: Vec<Vec<_>> = (0..run.systems().len()).map(of_system).collect::<Result<_>>()?;
    let any = all.iter().flatten().any(Option::is_some);
    Ok(if any { all } else { Vec::new() })
}

fn picture(metric: &AnyMetric, own: &OwnData, system: usize, segment: usize) -> Result<Option<Rows>> {
    let hypotheses = [&*own.systems[system].hypotheses[segment]];
    let references: Vec<&Data> = own.references[segment].iter().map(|one| &**one).collect();
    let mut ask = Ask::<Data>::new(Wanted::Picture, &hypotheses, &references);
    ask.source = own.sources[segment].as_deref();
    let row = |ScorePart { key, show, value, .. }| match show {
        ShowPart::Labelled(name, _) => Some((key.into_owned(), name.into_owned(), value)),
        _ => None,
    };
    Ok(match metric.ask(&mut AnyScratch::default(), ask)? {
        Some(Answer::Picture(rows)) => Some(rows.into_iter().filter_map(row).collect()),
        _ => None,
    })
}
