//! The inputs of the comparison of tokenizers, in batches: lines of real data, every character, random strings.

use std::fs;
use std::path::Path;

use bleuprint_testkit::random::Rng;
use xtask::Result;

use super::hostile;
use crate::parity::sacrebleu::{REAL_DATA, lines};

const EXAMPLES: &str = "examples/data";

/// Languages whose files are read; each is a file extension.
const LANGUAGES: &[&str] = &["cs", "zh", "en"];

/// Random strings per tokenizer.
pub(super) const RANDOM: usize = 100_000;

pub(super) const SEED: u64 = 20_180_908;

/// Texts or characters per batch: enough that asking costs nothing, few enough that no worker waits for another.
const BATCH: usize = 2_048;

/// Characters in one string of [`InputKind::Crowds`].
const CROWD: usize = 16;

#[derive(Debug)]
pub(super) struct LineBatch {
    pub(super) kind: InputKind,
    pub(super) texts: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum InputKind {
    /// Lines of real data.
    Lines,
    Random,
    /// Every character as a separate string.
    Alone,
    /// Every character in every place between letters and digits, one character per string.
    Places,
    /// Every character alone, between letters and between digits, many characters per string.
    Crowds,
}

impl InputKind {
    pub(super) fn name(self) -> &'static str {
        match self {
            InputKind::Lines => "lines of real data",
            InputKind::Random => "random strings",
            InputKind::Alone => "every character alone",
            InputKind::Places => "every character between letters and digits",
            InputKind::Crowds => "every character, 16 in a string",
        }
    }
}

/// Returns random texts in blocks.
pub(super) fn random(number: usize, rng: &mut Rng) -> Vec<LineBatch> {
    let texts: Vec<String> = (0..number).map(|_| hostile::text(rng)).collect();
    batches(InputKind::Random, blocks(&texts))
}

pub(super) fn batches(kind: InputKind, blocks: Vec<Vec<String>>) -> Vec<LineBatch> {
    blocks.into_iter().map(|texts| LineBatch { kind, texts }).collect()
}

/// Returns a block of characters alone, in places, and in crowds.
pub(super) fn contexts(characters: &[char]) -> Vec<LineBatch> {
    let alone = characters.iter().map(char::to_string).collect();
    let places = characters.iter().map(|c| format!("a{c}b 1{c}2 a{c}1 1{c}b")).collect();
    let crowd = |crowd: &[char]| crowd.iter().map(|c| format!("{c} a{c}b 1{c}2 ")).collect();
    let crowds = characters.chunks(CROWD).map(crowd).collect();
    [(InputKind::Alone, alone), (InputKind::Places, places), (InputKind::Crowds, crowds)]
        .map(|(kind, texts)| LineBatch { kind, texts })
        .into()
}

pub(super) fn characters() -> Vec<Vec<char>> {
    blocks(&('\0'..=char::MAX).collect::<Vec<_>>())
}

/// Returns all lines of the examples and of real data.
pub(super) fn all_lines(root: &Path) -> Result<Vec<Vec<String>>> {
    Ok(blocks(&[example_lines(root)?, real_lines(root)?].concat()))
}

fn blocks<T: Clone>(all: &[T]) -> Vec<Vec<T>> {
    all.chunks(BATCH).map(<[T]>::to_vec).collect()
}

pub(super) fn example_lines(root: &Path) -> Result<Vec<String>> {
    lines_of(&root.join(EXAMPLES), &["txt"])
}

fn real_lines(root: &Path) -> Result<Vec<String>> {
    let folder = root.join(REAL_DATA);
    if folder.is_dir() {
        return lines_of(&folder, LANGUAGES);
    }
    println!("  skipped: real data, because {REAL_DATA} is not there");
    Ok(Vec::new())
}

/// Returns the lines of all files with these extensions, in the order of their names; only LF ends a line.
fn lines_of(folder: &Path, extensions: &[&str]) -> Result<Vec<String>> {
    let entries =
        fs::read_dir(folder).map_err(|error| format!("cannot list {}: {error}", folder.display()))?;
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| {
        extensions.iter().any(|&wanted| path.extension().is_some_and(|found| found == wanted))
    });
    paths.sort_unstable();
    Ok(paths.iter().map(|path| lines(path)).collect::<Result<Vec<_>>>()?.concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_and_no_random_string_is_lost_and_every_scalar_value_is_there_in_every_context() {
        let mut all = batches(InputKind::Lines, blocks(&vec![String::new(); 5_000]));
        all.extend(random(RANDOM, &mut Rng::new(SEED)));
        all.extend(characters().iter().flat_map(|block| contexts(block)));
        let sizes: Vec<_> = all.into_iter().map(|batch| (batch.kind, batch.texts.len())).collect();
        let number = |kind| sizes.iter().filter(|(of, _)| *of == kind).map(|(_, size)| size).sum::<usize>();
        let scalars = 0x11_0000 - 0x800;
        let kinds =
            [InputKind::Lines, InputKind::Random, InputKind::Alone, InputKind::Places, InputKind::Crowds];
        assert_eq!(kinds.map(number), [5_000, RANDOM, scalars, scalars, scalars / CROWD]);
    }

    #[test]
    fn characters_stand_alone_and_between_letters_and_digits() {
        let texts: Vec<_> = contexts(&['x', '\n']).into_iter().map(|batch| batch.texts).collect();
        assert_eq!(texts[0], ["x", "\n"]);
        assert_eq!(texts[1], ["axb 1x2 ax1 1xb", "a\nb 1\n2 a\n1 1\nb"]);
        assert_eq!(texts[2], ["x axb 1x2 \n a\nb 1\n2 "]);
    }

    #[test]
    fn the_examples_are_read() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        assert_eq!(example_lines(root).unwrap().len(), 12 * 300);
    }
}
