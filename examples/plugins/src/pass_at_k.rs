//! pass@k: the probability that one of `k` programs out of `n` samples passes, of which `c` pass.
//!
//! ```text
//! pass@k = 1 − C(n − c, k) / C(n, k)
//! ```
//!
//! Source: Chen et al. 2021. A record of the problem is a segment: `{"id": "HumanEval/0", "n": 200, "c": 13}`.

use bleuprint::contract::*;
use serde::Deserialize;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Samples {
    n: u32,
    c: u32,
}

impl Form for Samples {
    const NAME: &'static str = "samples";
    const FIELDS: &'static [(&'static str, &'static str)] = &[("n", "the samples"), ("c", "those that pass")];
    type Reference = Self;
    type Source = Self;
}

const K: Opt<usize> =
    Opt::integer("k", 1).at_least(1).counted("k", "k").help("The number of programs that are tried");

pub const ENTRY: MetricEntry =
    MetricEntry::new("pass_at_k", "Problems that one of k programs solves", |options| {
        let k = u32::try_from(K.of(options)?).unwrap_or(u32::MAX);
        let identity =
            Identity::new("pass_at_k", 1, Scale::PERCENT).named(format!("pass@{k}")).option(K, k as usize);
        let identity = identity.reference_free().over_form::<Samples>();
        Ok(AnyMetric::over_own::<Samples, _>(PerSegment::new(
            identity,
            move |segment: Segment<'_, Samples>| {
                let Samples { n, c } = *segment.hypothesis();
                if c > n || k > n {
                    return Err(InputError::malformed(format!(
                        "{n} samples, of which {c} pass, for k = {k}"
                    )));
                }
                // C(n − c, k) / C(n, k), with 0 where fewer than k fail.
                let fail = (n - c + 1..=n).map(|i| 1.0 - f64::from(k) / f64::from(i)).product::<f64>();
                Ok(if n - c < k { 100.0 } else { 100.0 * (1.0 - fail) })
            },
        )))
    })
    .options(&[K.spec]);

#[test]
fn obeys_the_laws() {
    let metric = ENTRY.build(&Default::default()).unwrap();
    laws::check_any_over(&metric, |raw| {
        let n = 1 + raw.len() as u32;
        let c = raw.iter().map(|byte| u32::from(byte % 2)).sum();
        (Samples { n, c }, Vec::<Samples>::new(), None::<Samples>)
    });
}
