//! Keys and signatures: what is printed is parsed back, and hostile text is an error, never a panic.

use bleuprint_core::{Case, References, Signature, StateKey, Stats, TokenSpace};
use quickcheck::quickcheck;

/// Text over the characters that mean something in keys and signatures.
fn hostile(bytes: &[u8]) -> String {
    const ALPHABET: &[&str] =
        &["|", ":", "/", " + ", "-", "a", "1", "tok", "case", "mixed", "version", "é", "\n"];
    bytes.iter().map(|byte| ALPHABET[usize::from(*byte) % ALPHABET.len()]).collect()
}

quickcheck! {
    fn hostile_keys_are_errors_or_mean_what_they_print(bytes: Vec<u8>) -> bool {
        match hostile(&bytes).parse::<StateKey>() {
            Ok(key) => key.to_string().parse::<StateKey>() == Ok(key),
            Err(error) => error.to_string().contains("is not a state key"),
        }
    }

    fn hostile_signatures_are_errors_or_mean_what_they_print(bytes: Vec<u8>) -> bool {
        match hostile(&bytes).parse::<Signature>() {
            Ok(signature) => signature.to_string().parse::<Signature>() == Ok(signature),
            Err(error) => error.to_string().contains("is not a signature"),
        }
    }

    fn labels_that_are_accepted_survive_the_round_trip(bytes: Vec<u8>, order: usize, lower: bool) -> bool {
        let case = if lower { Case::Lower } else { Case::Mixed };
        let Ok(space) = TokenSpace::new(hostile(&bytes), case) else { return true };
        let key = StateKey::new("bleu", 1).with("order", order).over(&space);
        let signature = Signature::new("BLEU").with("case", "c", "x").with("tok", "tok", "x").over(&space);
        key.to_string().parse() == Ok(key) && signature.to_string().parse() == Ok(signature)
    }

    fn the_number_of_references_is_told_from_its_sums(numbers: Vec<u8>) -> bool {
        let mut seen = References::default();
        numbers.iter().for_each(|number| seen.merge(&References::of_segment(usize::from(*number % 4) + 1)));
        let constant = numbers.iter().all(|number| number % 4 == numbers[0] % 4);
        let printed = Signature::new("M").with_references(&seen);
        match (printed.get("nrefs"), constant) {
            (None, _) => numbers.is_empty(),
            (Some("var"), constant) => !constant,
            (Some(number), constant) => constant && number == (numbers[0] % 4 + 1).to_string(),
        }
    }
}

#[test]
fn unusable_labels_are_refused_with_the_rule() {
    for label in ["", "a|b", "a + b", "a\nb"] {
        let message = TokenSpace::new(label, Case::Mixed).unwrap_err().to_string();
        assert!(message.starts_with(&format!("token space is {label:?}, but must be ")), "{message}");
    }
}

#[test]
fn a_malformed_signature_or_key_is_named() {
    let error = "BLEU|nrefs:1".parse::<Signature>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "`BLEU|nrefs:1` is not a signature of the form `METRIC|key:value|..|version:..`"
    );
    assert!("bleu/x|case:mixed|tok:a".parse::<StateKey>().is_err());
    assert!("bleu/1|case:upper|tok:a".parse::<StateKey>().is_err());
    assert!("bleu/1|tok:a|case:mixed".parse::<StateKey>().is_err());
}

#[test]
fn keys_tell_token_spaces_apart() {
    let key = |label: &str, case| StateKey::new("bleu", 1).over(&TokenSpace::new(label, case).unwrap());
    assert_ne!(key("13a", Case::Mixed), key("char", Case::Mixed));
    assert_ne!(key("13a", Case::Mixed), key("13a", Case::Lower));
    assert_ne!(key("13a", Case::Lower), key("13a", Case::LowerAscii));
    for case in Case::ALL {
        let text = key("13a", case).to_string();
        assert_eq!(text.parse::<StateKey>().unwrap().to_string(), text);
    }
    assert_eq!(key("13a", Case::Mixed), key("13a", Case::Mixed));
}
