//! Tests the public interface: states in any order, and data that JSON does not have. `tests/rows` has all other cases.

use bleuprint_likelihood::{Likelihood, Loglik};

mod non_finite;
mod states;

/// Returns a log-likelihood with the counts that every unit needs.
fn whole(loglik: f64, text: &str, tokens: u64) -> Likelihood {
    Likelihood {
        loglik: Loglik::Sum(loglik),
        text: Some(text.to_owned()),
        tokens: Some(tokens),
        weight: Some(tokens),
    }
}

/// Returns the log-likelihoods of tokens.
fn tokens(logliks: &[f64]) -> Likelihood {
    let tokens = logliks.iter().map(|loglik| Some(*loglik)).collect();
    Likelihood { loglik: Loglik::Tokens(tokens), ..Likelihood::default() }
}
