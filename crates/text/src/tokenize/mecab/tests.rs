//! Tests of the MeCab tokenizers with a dictionary of a dozen words, which this file compiles: expected
//! tokens of lines, and errors of damaged files.
//!
//! The real dictionaries are compared with MeCab itself; these tests need no installation.

use super::dictionary::Dictionary;
use super::lattice::Lattice;
use bleuprint_testkit::Folder;
use std::collections::BTreeMap;

/// Word of the test dictionary: its text, its left and right connection ids, its part of speech and its cost.
type Entry = (&'static str, u16, u16, u16, i16);

const WORDS: &[Entry] = &[
    ("a", 0, 0, 1, 100),
    ("ab", 0, 0, 1, 150),
    ("b", 0, 0, 1, 100),
    ("bc", 0, 0, 1, 120),
    ("c", 1, 1, 2, 100),
    ("を", 1, 1, 2, 10),
    ("日本", 0, 0, 1, 50),
    ("本", 0, 0, 1, 90),
];
const UNKNOWN: &[Entry] = &[("DEFAULT", 0, 0, 9, 400), ("SPACE", 0, 0, 9, 0), ("ALPHA", 0, 0, 9, 300)];

fn folder() -> Folder {
    let folder = Folder::new();
    folder.file("sys.dic", compile(WORDS));
    folder.file("unk.dic", compile(UNKNOWN));
    // Two ids: the cost of `right` after `left` is at left + 2 * right.
    let costs: Vec<u8> = [2, 2, 0, 5, 10, 200_i16].iter().flat_map(|cost| cost.to_le_bytes()).collect();
    folder.file("matrix.bin", costs);
    folder.file("char.bin", chars());
    folder.file("dicrc", "cost-factor = 800\nleft-space-penalty-factor = 2,1000, 7,5\n");
    folder
}

fn compile(entries: &[Entry]) -> Vec<u8> {
    let mut by_text: BTreeMap<&[u8], u32> = BTreeMap::new();
    for (number, (text, ..)) in entries.iter().enumerate() {
        by_text.insert(text.as_bytes(), (number as u32) << 8 | 1);
    }
    let index: Vec<u8> = double_array(&by_text)
        .iter()
        .flat_map(|&(base, check)| base.to_le_bytes().into_iter().chain(check.to_le_bytes()))
        .collect();
    let words: Vec<u8> = entries
        .iter()
        .flat_map(|&(_, left, right, pos, cost)| {
            let mut word = Vec::new();
            [left, right, pos, cost as u16].iter().for_each(|half| word.extend(half.to_le_bytes()));
            word.extend([0; 8]);
            word
        })
        .collect();
    let len = 72 + index.len() + words.len();
    let header = [
        len as u32 ^ 0xEF71_8F77,
        102,
        0,
        entries.len() as u32,
        2,
        2,
        index.len() as u32,
        words.len() as u32,
        0,
        0,
    ];
    let mut file: Vec<u8> = header.iter().flat_map(|field| field.to_le_bytes()).collect();
    file.extend(b"UTF-8");
    file.resize(72, 0);
    file.extend(index);
    file.extend(words);
    file
}

/// Builds a double array (a compact trie) for the test dictionary. For simplicity, every node has a separate
/// block of 257 entries.
fn double_array(keys: &BTreeMap<&[u8], u32>) -> Vec<(i32, u32)> {
    let mut units = vec![(0, 0)];
    let mut queue = vec![(0, Vec::new())];
    while let Some((unit, prefix)) = queue.pop() {
        let base = units.len() as u32;
        units[unit].0 = base as i32;
        units.resize(units.len() + 257, (0, u32::MAX));
        if let Some(&value) = keys.get(prefix.as_slice()) {
            units[base as usize] = (-(value as i32) - 1, base);
        }
        for byte in 0..=255_u8 {
            let longer = [prefix.as_slice(), &[byte]].concat();
            if keys.keys().any(|key| key.starts_with(&longer)) {
                let child = base as usize + usize::from(byte) + 1;
                units[child].1 = base;
                queue.push((child, longer));
            }
        }
    }
    units
}

/// Returns the character table of the test dictionary. Runs of letters form unknown words, as a whole or of
/// up to two letters; all other characters except the space have the category `DEFAULT`.
fn chars() -> Vec<u8> {
    let mut file = 3_u32.to_le_bytes().to_vec();
    for (name, ..) in UNKNOWN {
        let mut name = name.as_bytes().to_vec();
        name.resize(32, 0);
        file.extend(name);
    }
    for code in 0..0xFFFF_u32 {
        let info: u32 = match code {
            0x20 => 0b010 | 1 << 18,
            0x61..=0x7A => 0b100 | 2 << 18 | 2 << 26 | 1 << 30,
            _ => 0b001,
        };
        file.extend(info.to_le_bytes());
    }
    file
}

fn cut(dictionary: &Dictionary, line: &str) -> String {
    let mut lattice = Lattice::default();
    assert!(lattice.find_path(dictionary, line.as_bytes()));
    lattice.path().map(|(start, end)| &line[start..end]).collect::<Vec<_>>().join(" ")
}

#[test]
fn the_cheapest_path_wins() {
    let folder = folder();
    let dictionary = Dictionary::open(folder.as_ref()).expect("a dictionary");
    assert_eq!(dictionary.entries(), 8);
    let cases = [
        ("", ""),
        ("ab", "ab"),
        // a + bc costs 220, ab + c 250 and its connection, a + b + c more.
        ("abc", "a bc"),
        ("日本を", "日本 を"),
        ("日本本", "日本 本"),
        ("ab ab", "ab ab"),
        ("  ab  ", "ab"),
    ];
    for (line, expected) in cases {
        assert_eq!(cut(&dictionary, line), expected, "{line:?}");
    }
}

#[test]
fn unknown_words_go_by_category() {
    let folder = folder();
    let dictionary = Dictionary::open(folder.as_ref()).expect("a dictionary");
    let long = "z".repeat(30);
    let cut_up = format!("zz zz zz {}", "z".repeat(24));
    for (line, expected) in [
        ("zzz", "zzz"),
        ("zzを", "zz を"),
        ("ぬね", "ぬ ね"),
        ("𠀀z", "𠀀 z"),
        ("\u{ffff}a", "\u{ffff} a"),
        // A group of more than 25 letters is no word; words of up to two letters are, until the rest is short enough.
        (long.as_str(), cut_up.as_str()),
    ] {
        assert_eq!(cut(&dictionary, line), expected, "{line:?}");
    }
}

#[test]
fn a_space_before_some_words_costs_more() {
    let folder = folder();
    let with = Dictionary::open(folder.as_ref()).expect("a dictionary");
    folder.file("dicrc", b"");
    let without = Dictionary::open(folder.as_ref()).expect("a dictionary without dicrc");
    let word = WORDS[4];
    let c = super::dictionary::DictionaryWord { left: word.1, right: word.2, pos: word.3, cost: word.4 };
    assert_eq!((with.space_penalty(&c), without.space_penalty(&c)), (1000, 0));
}

#[test]
fn damaged_files_are_errors_and_never_panics() {
    let folder = folder();
    for name in ["sys.dic", "unk.dic", "matrix.bin", "char.bin"] {
        let whole = std::fs::read(folder.path(name)).expect("a file");
        for step in 1..60 {
            let mut bytes = whole.clone();
            let at = step * 7919 % bytes.len();
            match step % 3 {
                0 => bytes.truncate(at),
                1 => bytes[at] ^= 0x55,
                _ => bytes[step % 80 % whole.len()] ^= 0xFF,
            }
            folder.file(name, &bytes);
            if let Ok(dictionary) = Dictionary::open(folder.as_ref()) {
                let mut lattice = Lattice::default();
                let _ = lattice.find_path(&dictionary, "abc 日本をzzz".as_bytes());
                assert!(lattice.path().count() < 100);
            }
        }
        folder.file(name, &whole[..whole.len() / 2]);
        let error = Dictionary::open(folder.as_ref()).err().expect("half a file is no dictionary");
        assert!(error.contains(name), "{error}");
        folder.file(name, &whole);
    }
}
