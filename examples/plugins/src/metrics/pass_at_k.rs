//! pass@k: the probability that one of `k` programs out of `n` samples passes, of which `c` pass.
//!
//! ```text
//! pass@k = 1 − C(n − c, k) / C(n, k)
//! ```
//!
//! Source: Chen et al. 2021. A record of the problem is a segment: `{"id": "HumanEval/0", "n": 200, "c": 13}`.

use bleuprint::contract::*;

form! { pub struct Samples as "program_samples" {
    /// the samples
    n: u32,
    /// those that pass
    c: u32
} }

const K: Opt<usize> = Opt::integer("k", 1).limits(1, 1 << 20).counted("k", "k").help("The programs tried");

pub const ENTRY: MetricEntry =
    MetricEntry::new("pass_at_k", "Problems that one of k programs solves", |options| {
        let k = K.value_in(options)? as u32;
        let identity = Identity::new("pass_at_k", 1, Scale::PERCENT).named(format!("pass@{k}"));
        let identity = identity.option(K, k as usize).reference_free();
        let value = move |segment: Segment<'_, Samples>| {
            let Samples { n, c } = *segment.hypothesis;
            if c > n || k > n {
                return Err(InputError::malformed(format!("{n} samples, of which {c} pass, for k = {k}")));
            }
            // C(n − c, k) / C(n, k), with 0 where fewer than k fail.
            let fail = (n - c + 1..=n).map(|i| 1.0 - f64::from(k) / f64::from(i)).product::<f64>();
            Ok(if n - c < k { 100.0 } else { 100.0 * (1.0 - fail) })
        };
        Ok(AnyMetric::for_own::<Samples, _>(PerSegment::new(identity, value)))
    })
    .options(&[K.spec]);

#[test]
fn obeys_the_laws() {
    laws::check_any_for(&ENTRY.build(&Default::default()).unwrap(), |raw| {
        let c = raw.iter().map(|byte| u32::from(byte % 2)).sum();
        (Samples { n: 1 + raw.len() as u32, c }, Vec::<Samples>::new(), None::<Samples>)
    });
}
