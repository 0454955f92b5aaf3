//! `cargo xtask data`: writes the example data, or with `--check` says whether the committed files are what it writes.
//!
//! The sentences are made from templates of our own by a seeded generator, so their provenance is this folder.
//! Two references are two ways of saying the same; the systems are further ways with errors.

mod frame;
mod language;
mod noise;

use std::fs;
use std::path::Path;

use bleuprint_testkit::random::Rng;
use xtask::Result;

use self::frame::Frame;
use self::language::Language;
use self::noise::{Noise, disturb};

const LANGUAGES: [&str; 3] =
    [include_str!("english.toml"), include_str!("german.toml"), include_str!("chinese.toml")];

const SEGMENTS: usize = 300;

const SEED: u64 = 2002;

/// A careful system: mostly small deviations.
const SYSTEM_A: Noise =
    Noise { slip: 160, lose: 30, double: 8, swap: 22, number: 40, lowercase: 20, truncate: 20 };

const SYSTEM_B: Noise =
    Noise { slip: 350, lose: 70, double: 25, swap: 60, number: 120, lowercase: 60, truncate: 60 };

const FOLDER: &str = "examples/data";

/// Runs `cargo xtask data [--check]`.
pub(crate) fn run(root: &Path, check: bool) -> Result {
    let files = generate();
    let folder = root.join(FOLDER);
    let mut stale = Vec::new();
    for (name, text) in &files {
        let path = folder.join(name);
        if !check {
            fs::write(&path, text).map_err(|error| format!("cannot write {FOLDER}/{name}: {error}"))?;
        } else if fs::read_to_string(&path).ok().as_ref() != Some(text) {
            stale.push(format!("{FOLDER}/{name}"));
        }
    }
    if !stale.is_empty() {
        return Err(
            format!("not what the generator writes: {}; run `cargo xtask data`", stale.join(", ")).into()
        );
    }
    let verb = if check { "checked" } else { "wrote" };
    println!("{verb} {} files of {SEGMENTS} segments in {FOLDER}", files.len());
    Ok(())
}

fn languages() -> [Language; 3] {
    LANGUAGES.map(|text| toml::from_str(text).expect("the file of a language is what `Language` says"))
}

fn generate() -> Vec<(String, String)> {
    let mut rng = Rng::new(SEED);
    let frames: Vec<Frame> = (0..SEGMENTS).map(|_| Frame::random(&mut rng)).collect();
    let mut files = Vec::new();
    for language in &languages() {
        // A generator of its own for every file: a change in one language does not move the others.
        for (i, voice) in ["ref1", "ref2", "sys-a", "sys-b"].into_iter().enumerate() {
            let mut rng = Rng::new(SEED + 1 + i as u64);
            let lines = frames.iter().enumerate().map(|(n, frame)| line(language, voice, n, frame, &mut rng));
            let text: String = lines.map(|line| line + "\n").collect();
            files.push((format!("{}.{voice}.txt", language.code), text));
        }
    }
    files
}

/// Segment `n` in this voice.
fn line(language: &Language, voice: &str, n: usize, frame: &Frame, rng: &mut Rng) -> String {
    let favourite = n % 3;
    match voice {
        "ref1" => language.say(frame, favourite, 800, rng),
        // Another template, so that two references are worth more than one.
        "ref2" => language.say(frame, favourite + 1, 800, rng),
        "sys-a" => {
            let said = disturb(&language.say(frame, favourite + 2, 300, rng), language, &SYSTEM_A, rng);
            // Systems do leave segments empty; scoring has to live with it.
            if n % 150 == 97 { String::new() } else { said.trim().to_owned() }
        }
        _ => {
            let said = disturb(&language.say(frame, favourite + 2, 400, rng), language, &SYSTEM_B, rng);
            if n % 75 == 41 { String::new() } else { said.trim().to_owned() }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_parallel_and_lines_are_clean() {
        for (name, text) in generate() {
            assert_eq!(text.lines().count(), SEGMENTS, "{name}");
            assert!(text.lines().all(|line| line == line.trim()), "{name}");
            let empty = text.lines().filter(|line| line.is_empty()).count();
            assert_eq!(
                empty,
                if name.contains("sys-a") {
                    2
                } else if name.contains("sys-b") {
                    4
                } else {
                    0
                },
                "{name}"
            );
        }
    }

    #[test]
    fn the_hard_cases_are_there() {
        let english: String =
            generate().into_iter().filter(|(name, _)| name.starts_with("en.ref")).map(|f| f.1).collect();
        for needle in ["1,000.50", "10-20", "&quot;", "&amp;", "\"", "“", "'", "€", "%"] {
            assert!(english.contains(needle), "no segment contains {needle}");
        }
    }

    #[test]
    fn references_and_systems_differ() {
        let files = generate();
        let english: Vec<&String> =
            files.iter().filter(|(name, _)| name.starts_with("en.")).map(|f| &f.1).collect();
        for (i, one) in english.iter().enumerate() {
            assert!(english[i + 1..].iter().all(|other| one != other));
        }
    }
}
