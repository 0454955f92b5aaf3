//! Tests of state keys and signatures: printing and parsing are inverse, and hostile text is an error, never
//! a panic.

use std::collections::BTreeMap;

use bleuprint_core::{
    Case, Choice as _, Identity, Scale, SegmentCounts, Signature, StateKey, Stats, TokenSpace,
};
use quickcheck::quickcheck;

/// Random text with many characters that have a meaning in keys and signatures.
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
        let identity = Identity::new("bleu", 1, Scale::PERCENT).counted("order", "order", order).over(&space);
        let (key, signature) = (identity.key(), identity.signature(&SegmentCounts::default()));
        key.to_string().parse() == Ok(key) && signature.to_string().parse() == Ok(signature)
    }

    fn the_number_of_references_is_told_from_its_sums(numbers: Vec<u8>) -> bool {
        let mut seen = SegmentCounts::default();
        numbers.iter().for_each(|number| seen.merge(&SegmentCounts::of_segment(usize::from(*number % 4) + 1)).unwrap());
        let constant = numbers.iter().all(|number| number % 4 == numbers[0] % 4);
        let printed = Identity::new("m", 1, Scale::UNIT).signature(&seen);
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
    let key = |label: &str, case| {
        Identity::new("bleu", 1, Scale::PERCENT).over(&TokenSpace::new(label, case).unwrap()).key()
    };
    assert_ne!(key("13a", Case::Mixed), key("char", Case::Mixed));
    assert_ne!(key("13a", Case::Mixed), key("13a", Case::Lower));
    assert_ne!(key("13a", Case::Lower), key("13a", Case::LowerAscii));
    for &case in Case::ALL {
        let text = key("13a", case).to_string();
        assert_eq!(text.parse::<StateKey>().unwrap().to_string(), text);
    }
    assert_eq!(key("13a", Case::Mixed), key("13a", Case::Mixed));
}

quickcheck! {
    fn values_of_any_kind_survive_the_round_trip(bytes: Vec<u8>, text: String) -> bool {
        [hostile(&bytes), text].into_iter().all(|value| {
            let identity = Identity::new("m", 1, Scale::PERCENT).counted("p", "p", &value).finished("q", "q", &value);
            let (key, signature) = (identity.key(), identity.signature(&SegmentCounts::default()));
            key.get("p") == Some(value.as_str())
                && key.to_string().parse() == Ok(key)
                && signature.get("q") == Some(value.as_str())
                && signature.to_string().parse() == Ok(signature)
        })
    }
}

#[test]
fn text_without_tokens_is_told_from_tokens_of_that_name() {
    assert!(TokenSpace::new("text", Case::Mixed).unwrap_err().to_string().contains("text without tokens"));
    let identity = Identity::new("chrf", 1, Scale::PERCENT).over(&TokenSpace::text(Case::Lower));
    assert_eq!(identity.key().to_string(), "chrf/1|case:lc|tok:text");
    assert_eq!(identity.signature(&SegmentCounts::default()).get("tok"), None);
}

#[test]
fn unlike_keys_are_told_by_the_field_that_differs() {
    let key = |order: u32, label: &str, case| {
        let space = TokenSpace::new(label, case).unwrap();
        Identity::new("bleu", 1, Scale::PERCENT).counted("order", "order", order).over(&space).key()
    };
    let error = |other: &StateKey| key(4, "13a", Case::Mixed).require_equal(other).unwrap_err().to_string();
    assert!(
        error(&key(2, "13a", Case::Mixed))
            .starts_with("unlike states: they differ in order: `bleu/1|order:4")
    );
    assert!(error(&key(4, "char", Case::Mixed)).contains("differ in tok"));
    assert!(error(&key(4, "13a", Case::Lower)).contains("differ in case"));
    assert!(error(&Identity::new("gleu", 1, Scale::PERCENT).key()).contains("differ in metric"));
}

/// Tests that keys and signatures name the normalizer, even if the metric has a setting called `norm`, and
/// that both are parsed back.
#[test]
fn normalizers_are_named_beside_fields_called_norm() {
    let words = TokenSpace::new("words", Case::Lower).unwrap();
    let normalized = words.clone().with_normalizer("nfkc+lower").unwrap();
    let plain = Identity::new("wer", 1, Scale::UNIT).named("WER");
    let own = Identity::new("ter", 1, Scale::UNIT).named("TER").counted("norm", "nr", "yes");
    for (identity, key, signature) in [
        (&plain, "wer/1|case:lc|norm:nfkc+lower|tok:words", "WER|case:lc|norm:nfkc+lower|tok:words|version:"),
        (
            &own,
            "ter/1|norm:yes|case:lc|norm:nfkc+lower|tok:words",
            "TER|case:lc|normalizer:nfkc+lower|tok:words|norm:yes|version:",
        ),
    ] {
        let over = identity.clone().over(&normalized);
        assert_eq!(over.key().to_string(), key);
        assert_eq!(key.parse::<StateKey>().unwrap(), over.key());
        let printed = over.signature(&SegmentCounts::default()).to_string();
        assert!(printed.starts_with(signature), "{printed}");
        assert_eq!(printed.parse::<Signature>().unwrap().to_string(), printed);
        let error = over.key().require_equal(&identity.clone().over(&words).key()).unwrap_err().to_string();
        assert!(error.contains("norm"), "{error}");
    }
    for name in ["", "a|b", "a + b", "a\nb"] {
        assert!(words.clone().with_normalizer(name).is_err(), "{name:?}");
    }
}

#[test]
fn statistics_by_key_merge_key_by_key() {
    let mut all = BTreeMap::from([("a", [1_u64]), ("b", [2])]);
    Stats::merge(&mut all, &BTreeMap::from([("b", [3]), ("c", [u64::MAX])])).unwrap();
    assert_eq!(all, BTreeMap::from([("a", [1]), ("b", [5]), ("c", [u64::MAX])]));
    // An overflow of one key changes none.
    Stats::merge(&mut all, &BTreeMap::from([("a", [1]), ("c", [1])])).unwrap_err();
    assert_eq!(all["a"], [1]);
}
