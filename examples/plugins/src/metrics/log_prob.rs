//! The mean log-probability of tokens, which a model gave: numbers of any count in a segment.

use bleuprint::contract::*;

form! { pub struct LogProbs as "log_probs" { log_probs: Vec<f32> } }

columns! { pub struct Sum { tokens, total: ExactSum } }

pub const ENTRY: MetricEntry = MetricEntry::new("log_prob", "The mean log-probability of tokens", |_| {
    Ok(AnyMetric::for_own::<LogProbs, _>(Totals::new(
        Identity::new("log_prob", 1, Scale::higher_is_better(f64::NEG_INFINITY, 0.0)).reference_free(),
        |segment: Segment<'_, LogProbs>| {
            let all = &segment.hypothesis.log_probs;
            let total = ExactSum::from_value(all.iter().copied().map(f64::from).sum())?;
            Ok(Sum { tokens: all.len() as u64, total })
        },
        |sum: &Sum, _| Ok(sum.total.mean(sum.tokens.max(1)).min(0.0)),
    )))
});

#[test]
fn obeys_the_laws() {
    laws::check_any_for(&ENTRY.build(&Default::default()).unwrap(), |raw| {
        let log_probs = raw.iter().map(|byte| -0.1 * f32::from(byte % 4)).collect();
        (LogProbs { log_probs }, Vec::<LogProbs>::new(), None::<LogProbs>)
    });
}
