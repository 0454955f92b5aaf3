//! The mean squared error of numbers.

use bleuprint::contract::*;

pub const ENTRY: MetricEntry = MetricEntry::new("mse", "The mean squared error", |_| {
    let identity = Identity::new("mse", 1, Scale::lower_is_better(0.0, f64::INFINITY))
        .needing(|needs| needs.one_reference = true);
    let value = |segment: Segment<'_, f64>| Ok((segment.hypothesis - segment.one_reference("mse")?).powi(2));
    Ok(AnyMetric::for_own::<f64, _>(PerSegment::new(identity, value)))
});

#[test]
fn obeys_the_laws() {
    laws::check_any_for(&ENTRY.build(&Default::default()).unwrap(), |raw| {
        let number = |at: usize| f64::from(raw.get(at).map_or(0, |byte| byte % 4)) - 1.5;
        (number(0), vec![number(1)], None::<f64>)
    });
}
