//! What makes a system's output worse than a reference: slips, lost, doubled and moved words, wrong numbers.

use bleuprint_testkit::random::Rng;

use super::language::Language;

/// How often a system errs, per thousand words (or characters).
pub(crate) struct Noise {
    pub(crate) slip: usize,
    pub(crate) lose: usize,
    pub(crate) double: usize,
    pub(crate) swap: usize,
    pub(crate) number: usize,
    /// Per thousand segments: everything in small letters, or the end cut off.
    pub(crate) lowercase: usize,
    pub(crate) truncate: usize,
}

/// The text as a system with these errors would have written it.
pub(crate) fn disturb(text: &str, language: &Language, noise: &Noise, rng: &mut Rng) -> String {
    let mut units = split(text, language.spaced);
    let mut out: Vec<String> = Vec::new();
    if rng.chance(noise.truncate) {
        units.truncate(1 + units.len() * 2 / 3);
    }
    let mut i = 0;
    while i < units.len() {
        let unit = &units[i];
        if rng.chance(noise.swap) && i + 1 < units.len() {
            out.push(units[i + 1].clone());
            out.push(unit.clone());
            i += 2;
            continue;
        }
        if !rng.chance(noise.lose) {
            out.push(one(unit, language, noise, rng));
        }
        if rng.chance(noise.double) {
            out.push(unit.clone());
        }
        i += 1;
    }
    let text = out.join(if language.spaced { " " } else { "" });
    if rng.chance(noise.lowercase) { text.to_lowercase() } else { text }
}

/// One word or character, perhaps with a slip or a wrong digit.
fn one(unit: &str, language: &Language, noise: &Noise, rng: &mut Rng) -> String {
    if unit.bytes().any(|byte| byte.is_ascii_digit()) && rng.chance(noise.number) {
        // The last digit goes wrong, as in a system that mishears numbers.
        let at = unit.rfind(|c: char| c.is_ascii_digit()).unwrap_or(0);
        let digit = char::from(b'0' + rng.below(10) as u8);
        return format!("{}{digit}{}", &unit[..at], &unit[at + 1..]);
    }
    match language.slips.iter().find(|(right, _)| *right == unit) {
        Some((_, wrong)) if rng.chance(noise.slip) => wrong.clone(),
        _ => unit.to_owned(),
    }
}

/// Words at spaces; without spaces, characters, with runs of ASCII kept together as one unit.
fn split(text: &str, spaced: bool) -> Vec<String> {
    if spaced {
        return text.split(' ').map(str::to_owned).collect();
    }
    let mut units: Vec<String> = Vec::new();
    let mut in_ascii = false;
    for c in text.chars() {
        match units.last_mut() {
            Some(last) if in_ascii && c.is_ascii() => last.push(c),
            _ => units.push(c.to_string()),
        }
        in_ascii = c.is_ascii();
    }
    units
}

#[cfg(test)]
mod tests {
    use super::super::languages;
    use super::*;

    const QUIET: Noise = Noise { slip: 0, lose: 0, double: 0, swap: 0, number: 0, lowercase: 0, truncate: 0 };

    #[test]
    fn without_noise_nothing_changes() {
        let mut rng = Rng::new(5);
        for (text, language) in [("a 1,000.50 b", &languages()[0]), ("价格1,000元。", &languages()[2])] {
            assert_eq!(disturb(text, language, &QUIET, &mut rng), text);
        }
    }

    #[test]
    fn each_error_does_what_it_says() {
        let mut rng = Rng::new(5);
        let english = &languages()[0];
        let mut with = |noise: Noise| disturb("the Cat 15.", english, &noise, &mut rng);
        assert_eq!(with(Noise { slip: 1000, ..QUIET }), "a Cat 15.");
        assert_eq!(with(Noise { lose: 1000, ..QUIET }), "");
        assert_eq!(with(Noise { swap: 1000, ..QUIET }), "Cat the 15.");
        assert_eq!(with(Noise { double: 1000, ..QUIET }), "the the Cat Cat 15. 15.");
        assert_eq!(with(Noise { lowercase: 1000, ..QUIET }), "the cat 15.");
        assert!(with(Noise { number: 1000, ..QUIET }).starts_with("the Cat 1"));
    }

    #[test]
    fn ascii_runs_stay_together_where_there_are_no_spaces() {
        assert_eq!(split("共1,000元", false), ["共", "1,000", "元"]);
    }
}
