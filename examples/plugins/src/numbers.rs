//! The share of the references' numbers found in the hypotheses: a metric over text, with an option.

use bleuprint::{
    AnyMetric, Identity, Metric, MetricEntry, Observe, PlainScore, Result, Scale, Segment, SegmentCounts,
    Stats, columns, contract::Opt,
};

/// The option, for the command line, the signature and recipes.
const MIN_DIGITS: Opt<usize> = Opt::integer("min-digits", 1)
    .at_least(1)
    .counted("digits", "digits")
    .unless_default()
    .help("Shorter numbers are left out");

#[derive(Clone)]
pub struct Numbers {
    /// The minimum number of digits.
    min_digits: usize,
}

columns! {
    pub struct NumberCounts { kept <= all, all }
}

impl Numbers {
    fn of<'t>(&self, text: &'t str) -> Vec<&'t str> {
        let runs = text.split(|c: char| !c.is_ascii_digit());
        runs.filter(|digits| digits.len() >= self.min_digits).collect()
    }
}

impl Metric for Numbers {
    type Stats = NumberCounts;
    type Score = PlainScore;
    type Scratch = ();

    fn identity(&self) -> Identity {
        Identity::new("numbers", 1, Scale::PERCENT).option(MIN_DIGITS, self.min_digits)
    }
    fn finalize(&self, stats: &NumberCounts, _: &SegmentCounts) -> Result<PlainScore> {
        let share = if stats.all == 0 { 100.0 } else { 100.0 * stats.kept as f64 / stats.all as f64 };
        Ok(PlainScore::new(share).with_count("kept", stats.kept).with_count("all", stats.all))
    }
}

impl Observe<str> for Numbers {
    /// Of several references the one with the best kept numbers counts, then the one with more of them, so that the
    /// order of references does not matter.
    fn observe(&self, _: &mut (), stats: &mut NumberCounts, segment: Segment<'_, str>) -> Result<()> {
        let ours = self.of(segment.hypothesis());
        let counts = segment.references()?.iter().map(|reference| {
            let theirs = self.of(reference);
            let kept = theirs.iter().filter(|number| ours.contains(number)).count() as u64;
            NumberCounts { kept, all: theirs.len() as u64 }
        });
        let best = counts.max_by(|a, b| {
            (u128::from(a.kept) * u128::from(b.all), a.all)
                .cmp(&(u128::from(b.kept) * u128::from(a.all), b.all))
        });
        stats.merge(&best.unwrap_or_default())
    }
}

pub const ENTRY: MetricEntry =
    MetricEntry::new("numbers", "Numbers of the references that the hypotheses repeat", |options| {
        Ok(AnyMetric::over_text(Numbers { min_digits: MIN_DIGITS.of(options)? }))
    })
    .options(&[MIN_DIGITS.spec]);

#[test]
fn obeys_the_laws() {
    use bleuprint::contract::laws::{Equality, check_sequences};
    // The words that laws draw by themselves have no numbers.
    let text = |bytes: &[u8]| bytes.iter().map(|byte| format!("{} ", byte % 5)).collect::<String>();
    check_sequences::<str, String, _>(
        &AnyMetric::over_text(Numbers { min_digits: 1 }),
        text,
        Equality::Exact,
    );
}
