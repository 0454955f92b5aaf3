//! `cargo xtask prose`: counts of the prose in comments by package, the worst comments, and random comments for a reader.

mod docs;
mod measure;

use std::collections::BTreeMap;
use std::path::Path;

use xtask::Result;

use self::docs::{DocComment, comments, is_counted};
use self::measure::{ProseCounts, oddity};
use crate::tidy::tree::{Finding, SourceTree};

/// The number of comments that the command shows as the worst.
const WORST: usize = 20;

/// Folders whose comments tidy holds to the bounds.
const BOUND: [&str; 2] = ["crates/", "python/src/"];

/// Bounds over those folders: function docs that begin with a verb, fragments, odd phrases and reasons, in the units of
/// [`ProseCounts::shares`]. The first and the last are least values, the others greatest.
const BOUNDS: [(&str, f64); 4] = [
    ("% of function docs begin with a verb", 60.0),
    ("% of docs begin as a fragment", 1.5),
    ("odd phrases a thousand docs", 10.0),
    ("lines of reasons a thousand lines of code", 25.0),
];

/// Runs `cargo xtask prose [--draw N] [--seed S] [FOLDER]..`.
pub(crate) fn run(root: &Path, options: &[&str]) -> Result {
    let options = ProseOptions::parse(options)?;
    let tree = SourceTree::read(root)?;
    let files = tree.rust().filter(|file| is_counted(file) && options.wants(&file.path));
    if let Some(count) = options.draw {
        let all: Vec<DocComment<'_>> = files.flat_map(comments).collect();
        for (number, comment) in drawn(&all, count, options.seed).into_iter().enumerate() {
            println!("{}. ({}:{})", number + 1, comment.file, comment.line);
            for line in &comment.lines {
                println!("    /// {line}");
            }
            println!("    {}\n", comment.code);
        }
        return Ok(());
    }
    let mut packages: BTreeMap<&str, ProseCounts> = BTreeMap::new();
    let mut all: Vec<DocComment<'_>> = Vec::new();
    let mut sum = ProseCounts::default();
    for file in files {
        packages.entry(package(&file.path)).or_default().add(file);
        sum.add(file);
        all.extend(comments(file));
    }
    println!(
        "{:<30} {:>6} {:>7} {:>10} {:>5} {:>8}",
        "package", "docs", "verbs", "fragments", "odd", "reasons"
    );
    for (package, counts) in packages.iter().chain([(&"all", &sum)]) {
        let [verbs, fragments, odd, reasons] = counts.shares();
        println!(
            "{package:<30} {:>6} {verbs:>6.1}% {fragments:>9.1}% {odd:>5.1} {reasons:>8.1}",
            counts.docs
        );
    }
    all.sort_by_key(|comment| std::cmp::Reverse(oddity(comment)));
    for comment in all.iter().take(WORST).filter(|comment| oddity(comment) > 0) {
        println!("{}:{}: {}", comment.file, comment.line, comment.text());
    }
    Ok(())
}

/// Returns a finding for each count of prose that is out of its bounds.
pub(crate) fn bounds(tree: &SourceTree) -> Vec<Finding> {
    let mut counts = ProseCounts::default();
    for file in tree.rust().filter(|file| BOUND.iter().any(|folder| file.path.starts_with(folder))) {
        counts.add(file);
    }
    let broken = |(at, (found, (_, bound))): &(usize, (f64, &(&str, f64)))| {
        let least = *at == 0 || *at == BOUNDS.len() - 1;
        if least { found < bound } else { found > bound }
    };
    let found = counts.shares().into_iter().zip(&BOUNDS).enumerate().filter(broken);
    // Without any comment there is no share to hold.
    found
        .filter(|_| counts.functions > 0)
        .map(|(_, (found, (name, bound)))| Finding {
            place: "comments".to_owned(),
            message: format!("{found:.1} {name}, the bound is {bound}: `cargo xtask prose` shows the worst"),
        })
        .collect()
}

/// Returns the folder of the package of a file.
fn package(path: &str) -> &str {
    path.split_once("/src/").map_or_else(|| path.split('/').next().unwrap_or(path), |(package, _)| package)
}

/// Returns `count` comments, chosen by a seed, in a random order: the first steps of a shuffle by SplitMix64.
fn drawn<'a, 't>(all: &'a [DocComment<'t>], count: usize, seed: u64) -> Vec<&'a DocComment<'t>> {
    let mut left: Vec<&DocComment<'t>> = all.iter().collect();
    let mut state = seed;
    let mut chosen = Vec::new();
    while chosen.len() < count && !left.is_empty() {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^= mixed >> 31;
        let at = (mixed % left.len() as u64) as usize;
        chosen.push(left.swap_remove(at));
    }
    chosen
}

#[derive(Debug, Default, PartialEq, Eq)]
struct ProseOptions<'a> {
    draw: Option<usize>,
    seed: u64,
    folders: Vec<&'a str>,
}

impl<'a> ProseOptions<'a> {
    /// Parses the arguments of the command.
    fn parse(mut given: &[&'a str]) -> Result<ProseOptions<'a>> {
        let mut options = ProseOptions::default();
        let number = |name: &str, text: &str| {
            text.parse::<u64>().map_err(|_| format!("`{name}` takes a whole number, but `{text}` is given"))
        };
        while let Some((&option, rest)) = given.split_first() {
            given = match (option, rest) {
                ("--draw", [text, rest @ ..]) => {
                    options.draw = Some(usize::try_from(number("--draw", text)?)?);
                    rest
                }
                ("--seed", [text, rest @ ..]) => {
                    options.seed = number("--seed", text)?;
                    rest
                }
                _ if option.starts_with("--") => {
                    return Err(
                        format!("unknown `{option}`; there are `--draw N`, `--seed S`, folders").into()
                    );
                }
                _ => {
                    options.folders.push(option.trim_end_matches('/'));
                    rest
                }
            };
        }
        Ok(options)
    }

    /// Returns `true` if the file is in one of the folders, or no folder is given.
    fn wants(&self, path: &str) -> bool {
        let inside = |folder: &&str| path.strip_prefix(*folder).is_some_and(|rest| rest.starts_with('/'));
        self.folders.is_empty() || self.folders.iter().any(inside)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_strictly() {
        let parsed = ProseOptions::parse(&["--draw", "60", "--seed", "2", "crates/core/"]).unwrap();
        assert_eq!(parsed, ProseOptions { draw: Some(60), seed: 2, folders: vec!["crates/core"] });
        assert!(parsed.wants("crates/core/src/a.rs") && !parsed.wants("crates/cores/src/a.rs"));
        assert!(
            ProseOptions::parse(&["--draws", "3"]).is_err() && ProseOptions::parse(&["--draw", "x"]).is_err()
        );
    }

    #[test]
    fn a_draw_follows_from_its_seed_and_takes_each_comment_once() {
        let text = "/// Returns a.\nfn a() {}\n/// Returns b.\nfn b() {}\n/// Returns c.\nfn c() {}\n";
        let tree = SourceTree::of(&[("crates/a/src/a.rs", text)]);
        let all = comments(&tree.files()[0]);
        let lines = |seed| drawn(&all, 9, seed).iter().map(|comment| comment.line).collect::<Vec<_>>();
        let mut sorted = lines(1);
        sorted.sort_unstable();
        assert_eq!(sorted, [1, 3, 5]);
        assert_eq!(lines(1), lines(1));
        assert!((0..20).any(|seed| lines(seed) != lines(1)));
    }
}
