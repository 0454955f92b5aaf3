//! Determines the number of bootstrap resamples, and the seed of the random number generator.

use crate::failure::{Failure, Result};
use bleuprint::ConfigError;
use bleuprint::inference::ResamplePlan;

/// Returns the number of bootstrap resamples or randomization trials for testing all pairs of systems.
///
/// The default is large enough that the smallest possible p-value is significant after Holm's correction,
/// which multiplies it by the number of pairs. The smallest p-value is `2/(count + 1)` for the bootstrap,
/// which has two tails, and `1/(count + 1)` for randomization trials. Returns an error if a given number is
/// too small.
pub fn resamples_of_pairs(
    given: Option<usize>,
    default: usize,
    systems: usize,
    significant: f64,
) -> Result<usize> {
    let tails = if default == ResamplePlan::TRIALS { 1 } else { 2 };
    let least = tails * ResamplePlan::count_for_pairs(0, systems, significant) / 4;
    let count = given.unwrap_or_else(|| ResamplePlan::count_for_pairs(default, systems, significant));
    if count < least {
        let pairs = systems * systems.saturating_sub(1) / 2;
        return Err(Failure::Message(format!(
            "--resamples {count} cannot show p \u{2264} {significant} among {pairs} pairs of systems; it takes {least} or more"
        )));
    }
    Ok(count)
}

/// Seed of the random numbers that draw resamples.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seed {
    /// Text of the seed in signatures; `none` for a random seed.
    pub printed: String,
    /// Value of the seed, with which the random number generator is initialized.
    pub value: u128,
}

impl Seed {
    /// Reads the seed from the environment variable `SACREBLEU_SEED`: an integer, or `none` for a random seed
    /// in every run.
    pub fn from_environment() -> Result<Self, ConfigError> {
        let Some(text) = std::env::var_os("SACREBLEU_SEED") else {
            let value = ResamplePlan::new(ResamplePlan::RESAMPLES).seed;
            return Ok(Seed { printed: value.to_string(), value });
        };
        let text = text.to_string_lossy().trim().to_lowercase();
        if text == "none" {
            use std::hash::{BuildHasher, Hasher};
            // The keys of the standard library's hash maps come from the operating system's random numbers.
            let value = std::hash::RandomState::new().build_hasher().finish();
            return Ok(Seed { printed: text, value: value.into() });
        }
        let limit = "a whole number from 0 to 2^128 - 1, or `none`";
        let value = text.parse().map_err(|_| ConfigError::out_of_range("SACREBLEU_SEED", &text, limit))?;
        Ok(Seed { printed: text, value })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resamples_follow_the_number_of_pairs() {
        let count = |given, systems| resamples_of_pairs(given, ResamplePlan::RESAMPLES, systems, 0.05);
        assert_eq!(
            (count(None, 2).unwrap(), count(None, 15).unwrap(), count(Some(120), 3).unwrap()),
            (1000, 8400, 120)
        );
        let Err(Failure::Message(message)) = count(Some(119), 3) else { panic!("119 are too few") };
        assert_eq!(
            message,
            "--resamples 119 cannot show p \u{2264} 0.05 among 3 pairs of systems; it takes 120 or more"
        );
        let trials = |given| resamples_of_pairs(Some(given), ResamplePlan::TRIALS, 3, 0.05);
        assert!(trials(59).is_err() && trials(60).is_ok());
    }
}
