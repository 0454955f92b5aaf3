//! Pictures of segments on the report page, for metrics whose input is not text, such as speaker turns.

use bleuprint_core::{
    Answer, Ask, InputError, Metric as _, Observe as _, PartValue, Result, ScorePart, ShowPart, Wanted,
};
use bleuprint_eval::evaluation::Run;
use bleuprint_registry::{AnyMetric, AnyScratch, Data};

type Rows = Vec<(String, String, PartValue)>;

/// Returns the pictures of the segments that the report shows, by system and segment. The list is empty if
/// the metric draws no pictures.
pub(super) fn all(run: &Run, metric: usize, kept: &[bool]) -> Result<Vec<Vec<Option<Rows>>>> {
    let metric = &run.metrics()[metric];
    let form = metric.view.form;
    let own = run.own.iter().find(|own| Some(own.form) == form).filter(|_| kept.contains(&true));
    let Some(own) = own else { return Ok(Vec::new()) };
    let mut scratch = AnyScratch::default();
    let mut all = vec![vec![None; run.len()]; run.systems().len()];
    for segment in (0..run.len()).filter(|&segment| kept[segment]) {
        let references: Vec<&Data> = own.references[segment].iter().map(|one| &**one).collect();
        for (pictures, system) in all.iter_mut().zip(&own.systems) {
            let hypotheses = [&*system.hypotheses[segment]];
            let mut ask = Ask::<Data>::new(Wanted::Picture, &hypotheses, &references);
            ask.source = own.sources[segment].as_deref();
            // The answer does not depend on the segment: a metric that draws none for the first one draws
            // none at all.
            let Some(Answer::Picture(rows)) = metric.ask(&mut scratch, ask)? else { return Ok(Vec::new()) };
            let rows = rows.into_iter().map(|part| row(metric, part));
            pictures[segment] = Some(rows.collect::<Result<Rows>>()?);
        }
    }
    Ok(all)
}

/// Converts one row of intervals to the format that the script of the report page draws. The rows of a
/// segment, such as one for each speaker, form a picture.
///
/// # Errors
/// Returns an error if the key or the value of the row is not one that the script can draw.
fn row(metric: &AnyMetric, part: ScorePart) -> Result<(String, String, PartValue)> {
    let ScorePart { key, show, value, .. } = part;
    // Checked here, because the script of the page trusts its data; a non-finite number would not even be
    // valid JSON.
    let drawn = match (&*key, &value) {
        ("axis", PartValue::Number(end)) => end.is_finite(),
        ("reference" | "hypothesis" | "error" | "out", PartValue::Points(stretches)) => {
            stretches.iter().all(|(start, end)| start.is_finite() && end.is_finite())
        }
        _ => false,
    };
    match show {
        ShowPart::Labelled(name, _) if drawn => Ok((key.into_owned(), name.into_owned(), value)),
        _ => Err(InputError::malformed(format!(
            "{} draws `{key}` of {value:?}: a picture has stretches under `reference`, `hypothesis`, `error` and `out`, and \
             the end of the `axis`, all of them finite and labelled",
            metric.identity().name()
        ))),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    use bleuprint_core::{Identity, Metric, Observe, Scale, Segment, SegmentCounts, Stats as _};
    use bleuprint_eval::ChosenTokens;
    use bleuprint_eval::evaluation::{Evaluation, OwnData, SystemData, TextCorpus};
    use bleuprint_registry::{MetricEntry, Registry};

    use super::*;

    static ASKED: AtomicUsize = AtomicUsize::new(0);

    /// A test metric whose picture of a segment is a bar from 0 to its number, in a row with this key. With
    /// `None` it draws no picture.
    #[derive(Clone, Copy)]
    struct Bar(Option<&'static str>);

    impl Metric for Bar {
        type Stats = [u64; 1];
        type Score = f64;
        type Scratch = ();

        fn identity(&self) -> Identity {
            Identity::new("bar", 1, Scale::UNIT).reference_free()
        }
        fn finalize(&self, [all]: &[u64; 1], counts: &SegmentCounts) -> Result<f64> {
            Ok(*all as f64 / counts.segments as f64)
        }
    }

    impl Observe<f64> for Bar {
        fn observe(&self, (): &mut (), stats: &mut [u64; 1], _: Segment<'_, f64>) -> Result<()> {
            stats.merge(&[1])
        }
        fn ask(&self, (): &mut (), ask: Ask<'_, f64>) -> Result<Option<Answer<'_, [u64; 1]>>> {
            ASKED.fetch_add(usize::from(ask.wanted == Wanted::Picture), Relaxed);
            Ok(self.0.zip(ask.segment()).map(|(key, segment)| {
                let label = ShowPart::Labelled("bar".into(), 0);
                let stretches = PartValue::Points(vec![(0.0, *segment.hypothesis)]);
                Answer::Picture(vec![ScorePart::new(key, label, stretches)])
            }))
        }
    }

    fn run(key: Option<&'static str>) -> Run {
        let build = move |_: &_| Ok(AnyMetric::for_own::<f64, _>(Bar(key)));
        let mut registry = Registry::default();
        registry.add(MetricEntry::owned("bar", "A bar", build)).unwrap();
        let form = registry.build("bar").unwrap().view.form.unwrap();
        let system = |numbers: [f64; 3]| {
            let hypotheses = numbers.map(|number| Arc::new(number) as Arc<Data>).into();
            SystemData { hypotheses, origin: None }
        };
        let systems = vec![system([1.0, 2.0, 3.0]), system([4.0, 5.0, f64::INFINITY])];
        let mut corpus = TextCorpus::of_numbers(["a", "b"], 3);
        corpus.add_own(OwnData { form, systems, references: Vec::new(), sources: Vec::new() }).unwrap();
        Evaluation::from_parts(&registry, ["bar"], &ChosenTokens::standard().unwrap())
            .unwrap()
            .run(corpus)
            .unwrap()
    }

    #[test]
    fn kept_segments_are_drawn_and_a_metric_without_pictures_is_asked_once() {
        let drawn =
            |end| Some(vec![("out".to_owned(), "bar".to_owned(), PartValue::Points(vec![(0.0, end)]))]);
        let run_of = |key| all(&run(key), 0, &[true, true, false]);
        let pictures = [vec![drawn(1.0), drawn(2.0), None], vec![drawn(4.0), drawn(5.0), None]];
        assert_eq!(run_of(Some("out")).unwrap(), pictures);
        assert!(all(&run(Some("out")), 0, &[false; 3]).unwrap().is_empty());
        ASKED.store(0, Relaxed);
        assert!(run_of(None).unwrap().is_empty());
        assert_eq!(ASKED.load(Relaxed), 1);
        for (key, kept) in [("axis", [true; 3]), ("bar", [true; 3]), ("out", [false, false, true])] {
            let error = all(&run(Some(key)), 0, &kept).unwrap_err().to_string();
            assert!(error.contains(&format!("bar draws `{key}` of Points")), "{error}");
        }
    }
}
