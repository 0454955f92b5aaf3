//! Log-likelihoods that JSON does not have.

use bleuprint_core::{Accumulator, State};
use bleuprint_likelihood::{Likelihood, LikelihoodScore, LikelihoodUnit, Likelihoods};

use crate::whole;

#[test]
fn nan_and_infinities_change_nothing() {
    let nll = Likelihoods::new(LikelihoodScore::Nll, LikelihoodUnit::Token);
    for (segment, message) in [
        (whole(f64::NEG_INFINITY, "", 1), "a log-likelihood is -inf, but must be finite"),
        (whole(f64::NAN, "", 1), "a log-likelihood is NaN, but must be finite"),
    ] {
        let mut all = Accumulator::<_, Likelihood>::new(nll.clone());
        let error = all.push(&segment, &[]).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
        assert_eq!(all.total(), &State::zero(&nll));
    }
}
