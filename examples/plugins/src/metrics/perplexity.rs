//! Perplexity, and bits per byte, of texts that a model gave probabilities: two headline numbers.
//!
//! ```text
//! perplexity = exp(−Σ ln p / tokens),  bits per byte = −Σ log₂ p / bytes
//! ```

use bleuprint::contract::*;

form! { pub struct Text as "scored_text" {
    /// the natural logarithm of the probability of each token
    log_probs: Vec<f64>,
    /// the bytes of the text
    bytes: u64
} }

columns! { pub struct Likelihood { tokens, bytes, log_prob: ExactSum } }

pub const ENTRY: MetricEntry = MetricEntry::new("model_perplexity", "Perplexity and bits per byte", |_| {
    let metric = Totals::new(
        Identity::new("model_perplexity", 1, Scale::ERROR_RATE).reference_free(),
        |segment: Segment<'_, Text>| {
            let Text { log_probs, bytes } = segment.hypothesis;
            if let Some(wrong) = log_probs.iter().find(|log_prob| !(**log_prob <= 0.0)) {
                return Err(InputError::malformed(format!("{wrong} is no logarithm of a probability")));
            }
            let tokens = log_probs.len() as u64;
            let log_prob = ExactSum::from_value(log_probs.iter().sum())?;
            Ok(Likelihood { tokens, bytes: *bytes, log_prob })
        },
        |all: &Likelihood, _| {
            let per = |units: u64| (-all.log_prob.mean(units.max(1))).max(0.0);
            Ok([per(all.tokens).min(700.0).exp(), per(all.bytes) / std::f64::consts::LN_2])
        },
    );
    Ok(AnyMetric::for_own::<Text, _>(metric.headlines(&["perplexity", "bits_per_byte"])))
});

#[test]
fn obeys_the_laws() {
    laws::check_any_for(&ENTRY.build(&Default::default()).unwrap(), |raw| {
        let log_probs = raw.iter().map(|byte| -0.1 * f64::from(byte % 4)).collect();
        (Text { log_probs, bytes: 3 * raw.len() as u64 }, Vec::<Text>::new(), None::<Text>)
    });
}
