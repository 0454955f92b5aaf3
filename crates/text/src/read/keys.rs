//! Checks for unknown keys and columns. A name similar to a known name is reported as a typing error; any
//! other name is ignored.

use bleuprint_core::{InputError, Result, changed_letters};

/// Rejects an unknown name that is likely a typing error of a known name. One edit is allowed for names of
/// four to seven letters, and two edits for longer names.
///
/// # Errors
/// Returns an error with the unknown and the known name.
pub(super) fn check_unknown<'k>(
    kind: &str,
    given: &str,
    known: impl IntoIterator<Item = &'k str>,
) -> Result<()> {
    // With one edit, nearly every name of up to three letters becomes another one.
    let allowed = match given.chars().count() {
        0..4 => return Ok(()),
        4..8 => 1,
        _ => 2,
    };
    let distance = |name: &&str| changed_letters(given, name);
    match known.into_iter().filter(|name| name.len() > 2).min_by_key(distance) {
        Some(near) if distance(&near) <= allowed => Err(meant(kind, given, near)),
        _ => Ok(()),
    }
}

pub(super) fn meant(kind: &str, given: &str, near: &str) -> InputError {
    InputError::malformed(format!("the {kind} `{given}` is not read; did you mean `{near}`?"))
}

/// Common names that other programs use for the column or JSON key of the hypothesis. They are only used for
/// hints in errors, because they also have other meanings.
pub(super) const HYPOTHESES: &[&str] = &[
    "prediction",
    "predictions",
    "pred",
    "pred_text",
    "output",
    "candidate",
    "translation",
    "response",
    "generated",
    "mt",
];
pub(super) const REFERENCES: &[&str] =
    &["label", "labels", "target", "gold", "answer", "expected", "ground_truth"];

/// Returns a hint for the error message about the missing column `missing`, or an empty text. If `names` has
/// one of the names in `others`, such as `prediction` for `hypothesis`, the hint is to rename that column.
pub(super) fn renamed<'n>(
    mut names: impl Iterator<Item = &'n str>,
    missing: &str,
    others: &[&str],
) -> String {
    let known = names.find(|name| others.iter().any(|other| name.eq_ignore_ascii_case(other)));
    known
        .map(|name| format!("; if `{name}` is it, name it `{missing}`, or give --columns {missing}={name}"))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_refused_and_other_names_are_not() {
        const KNOWN: [&str; 6] = ["id", "hyp", "system", "reference", "references", "domain"];
        for (given, near) in [
            ("sytem", "system"),
            ("System", "system"),
            ("refrences", "references"),
            ("reference2", "reference"),
            ("hyps", "hyp"),
            ("domains", "domain"),
        ] {
            let error = check_unknown("key", given, KNOWN).unwrap_err().to_string();
            assert_eq!(error, format!("the key `{given}` is not read; did you mean `{near}`?"));
        }
        for given in ["idx", "ids", "score", "lp", "model", "reference_id_of_all", "x", ""] {
            assert_eq!(check_unknown("key", given, KNOWN), Ok(()), "{given}");
        }
    }
}
