//! Rejected data with their messages, and singular cases.

use bleuprint_core::{Accumulator, State};
use bleuprint_likelihood::{
    Base, Likelihood, LikelihoodScore, LikelihoodUnit, Likelihoods, Loglik, MissingLikelihood,
};

use crate::{tokens, whole};

fn error_of(metric: Likelihoods, segment: &Likelihood) -> String {
    let mut all = Accumulator::<_, Likelihood>::new(metric.clone());
    let error = all.push(segment, &[]).unwrap_err().to_string();
    assert_eq!(all.total(), &State::zero(&metric));
    error
}

#[test]
fn wrong_log_likelihoods_change_nothing() {
    let nll = || Likelihoods::new(LikelihoodScore::Nll, LikelihoodUnit::Token);
    for (segment, message) in [
        (whole(f64::NEG_INFINITY, "", 1), "a log-likelihood is -inf, but must be finite"),
        (whole(f64::NAN, "", 1), "a log-likelihood is NaN, but must be finite"),
        (tokens(&[-1.0, 0.5]), "a log-likelihood is 0.5, but must be at most 0; positive=allow"),
        (whole(-1e19, "", 1), "must be finite and below 2^63"),
        (Likelihood { tokens: None, ..whole(-1.0, "", 1) }, "per=token needs the field `tokens`"),
        (
            Likelihood { tokens: Some(3), ..tokens(&[-1.0, -2.0]) },
            "3 tokens, but 2 log-likelihoods of tokens",
        ),
        (Likelihood::default(), "the segment has no log-likelihood; missing=skip"),
    ] {
        let error = error_of(nll(), &segment);
        assert!(error.contains(message), "{error}");
    }
    for (per, message) in [
        (LikelihoodUnit::Byte, "per=byte needs the field `text`"),
        (LikelihoodUnit::Char, "per=char needs the field `text`"),
        (LikelihoodUnit::Word, "per=word needs the field `text`"),
        (LikelihoodUnit::Weight, "per=weight needs the field `weight`"),
    ] {
        let error = error_of(Likelihoods::new(LikelihoodScore::Nll, per), &tokens(&[-1.0]));
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn without_units_and_beyond_all_numbers_there_is_no_score() {
    let score = |metric: Likelihoods, segments: &[Likelihood]| {
        let mut all = Accumulator::<_, Likelihood>::new(metric);
        segments.iter().for_each(|segment| drop(all.push(segment, &[]).unwrap()));
        all.score().map(|scored| scored.value()).map_err(|error| error.to_string())
    };
    let per = |per| Likelihoods::new(LikelihoodScore::Perplexity, per);
    assert!(
        score(per(LikelihoodUnit::Byte), &[whole(-1.0, "", 1)]).unwrap_err().contains("there is no unit")
    );
    let skipping = per(LikelihoodUnit::Token).missing(MissingLikelihood::Skip);
    assert!(
        score(skipping.clone(), &[Likelihood::default()])
            .unwrap_err()
            .contains("no segment has a log-likelihood")
    );
    let nulls = Likelihood { loglik: Loglik::Tokens(vec![None, Some(-2.0)]), ..Likelihood::default() };
    assert_eq!(score(skipping, &[Likelihood::default(), nulls]).unwrap(), bleuprint_math::exp(2.0));
    assert!(
        score(per(LikelihoodUnit::Segment), &[whole(-1000.0, "", 1)])
            .unwrap_err()
            .contains("of=nll has its logarithm")
    );
    // Certain tokens give exact numbers: no negative zero, and the perplexity 1.
    assert_eq!(score(per(LikelihoodUnit::Token), &[tokens(&[0.0])]).unwrap(), 1.0);
    assert!(
        score(Likelihoods::new(LikelihoodScore::Nll, LikelihoodUnit::Token), &[tokens(&[-0.0])])
            .unwrap()
            .is_sign_positive()
    );
    let ten = Likelihoods::new(LikelihoodScore::Bits, LikelihoodUnit::Token).base(Base::Ten);
    assert_eq!(score(ten, &[tokens(&[-1.0])]).unwrap(), 1.0 / std::f64::consts::LOG10_2);
    let densities = Likelihoods::new(LikelihoodScore::Nll, LikelihoodUnit::Token).positive(true);
    assert_eq!(score(densities, &[tokens(&[1.5])]).unwrap(), -1.5);
}
