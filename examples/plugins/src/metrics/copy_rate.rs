//! The share of the hypotheses' tokens found in their sources: a metric with a source, without references.

use bleuprint::contract::*;

columns! { pub struct Copied { copied <= tokens, tokens } }

pub const ENTRY: MetricEntry =
    MetricEntry::new("copy_rate", "Share of tokens that occur in the source", |_| {
        AnyMetric::for_ids(Totals::new(
            Identity::new("copy_rate", 1, Scale::PERCENT)
                .needing(|needs| needs.source = true)
                .reference_free(),
            |segment: Segment<'_, [u32]>| {
                let tokens = segment.hypothesis;
                let source = segment.source()?;
                let copied = tokens.iter().filter(|token| source.contains(token)).count() as u64;
                Ok(Copied { copied, tokens: tokens.len() as u64 })
            },
            |all: &Copied, _| Ok(100.0 * all.copied as f64 / all.tokens.max(1) as f64),
        ))
    });

#[test]
fn obeys_the_laws() {
    laws::check_any(&ENTRY.build(&Default::default()).unwrap());
}
