//! Every family of metrics at the doors that judge, show and keep scores, and a forged, a cut and an unlike state of each.

use std::collections::BTreeSet;

use crate::common::{Folder, refused, sealed, stdout};

pub(crate) struct Family {
    /// The name of the family in the program's list.
    pub(crate) family: &'static str,
    pub(crate) metric: &'static str,
    /// The same as a ledger takes its counts.
    pub(crate) row: &'static str,
    /// Two records; none for [`VECTORS`].
    pub(crate) segments: [&'static str; 2],
    /// Candidates, and the best of them or the words of a refusal.
    pool: (&'static str, Result<u64, &'static str>),
    /// Counts that no segments have, of a segment and of all, for those of `metric`.
    forged: &'static [(&'static str, &'static str)],
}

const TEXTS: &str = r#"{"candidates": ["the cat sat", "the cat sat down", "a dog"]}"#;
const NO_TEXTS: &str = "but pools are texts";
const COPIED: [&str; 2] =
    [r#"{"hypothesis": "a cat", "source": "the cat is a cat"}"#, r#"{"hypothesis": "b", "source": "b c"}"#];
const PAIRS: [&str; 2] =
    [r#"{"hypothesis": "a cat", "reference": "the cat"}"#, r#"{"hypothesis": "b d", "reference": "b d"}"#];

const SESSIONS: [&str; 2] = [
    r#"{"hypothesis": "[{\"speaker\": \"x\", \"words\": \"a b\"}]", "reference": "[{\"speaker\": \"A\", \"words\": \"a c\"}]"}"#,
    r#"{"hypothesis": "[{\"speaker\": \"x\", \"words\": \"a b\"}]", "reference": "[{\"speaker\": \"A\", \"words\": \"a b\"}]"}"#,
];
const TURNS: [&str; 2] = [
    r#"{"hypothesis": [["1", 0, 5], ["2", 5, 10]], "reference": [["A", 0, 4], ["B", 4, 10]], "source": [[0, 10]]}"#,
    r#"{"hypothesis": [["1", 1, 3]], "reference": [["A", 1, 3]], "source": [[0, 4]]}"#,
];
const DELAYS: [&str; 2] = [
    r#"{"hypothesis": {"delays": [800, 1600], "source_length": 2000}, "reference": "a b"}"#,
    r#"{"hypothesis": {"delays": [500, 1000], "source_length": 1000}, "reference": "a b"}"#,
];
const SUBTITLES: [&str; 2] = [
    r#"{"hypothesis": [{"start": 1, "end": 3, "text": "good morning"}], "reference": [{"start": 1, "end": 4, "text": "Good day."}]}"#,
    r#"{"hypothesis": [{"start": 1, "end": 3, "text": "a b"}], "reference": [{"start": 1, "end": 3, "text": "a b"}]}"#,
];
/// No records: the vectors of two segments are in files of NumPy.
pub(crate) const VECTORS: [&str; 2] = ["", ""];
#[cfg(feature = "code")]
const PROGRAMS: [&str; 2] =
    [r#"{"hypothesis": "x = 1", "reference": "y = 1"}"#, r#"{"hypothesis": "x = 1", "reference": "x = 1"}"#];

/// Returns a file of NumPy with vectors of two numbers.
pub(crate) fn numpy(vectors: &[[f64; 2]]) -> Vec<u8> {
    let header = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({}, 2), }}", vectors.len());
    // The data begin at a multiple of 64 bytes: 10 of the magic number, 117 of padded text and a line feed.
    let mut file = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    file.extend(format!("{header:<117}\n").into_bytes());
    file.extend(vectors.as_flattened().iter().flat_map(|number| number.to_le_bytes()));
    file
}

#[rustfmt::skip]
pub(crate) const FAMILIES: &[Family] = &[
    Family { family: "samples", metric: "pass:k=4", row: "pass:k=4,n=10", segments: [r#"{"n": 10, "c": 3}"#, r#"{"n": 10, "c": 5}"#], pool: (TEXTS, Err(NO_TEXTS)), forged: &[("[10,3]", "[3,10]")] },
    Family { family: "likelihood", metric: "perplexity:per=token", row: "perplexity:per=token", segments: [r#"{"loglik": [-1, -2]}"#, r#"{"loglik": [-0.5]}"#], pool: (TEXTS, Err(NO_TEXTS)), forged: &[("2,0,1]]", "2,0,2]]"), ("3,0,2]]", "3,0,3]]")] },
    Family { family: "similarity", metric: "levenshtein_similarity", row: "levenshtein_similarity", segments: PAIRS, pool: (TEXTS, Ok(2)), forged: &[("[[1,1,1,1,", "[[1,1,1,2,"), ("[[2,2,2,2,", "[[2,2,2,4,")] },
    Family { family: "similarity", metric: "anls", row: "anls", segments: PAIRS, pool: (TEXTS, Ok(1)), forged: &[("[[1,1,1,1,", "[[1,1,1,2,"), ("[[2,2,2,2,", "[[2,2,2,4,")] },
    Family { family: "labels", metric: "labels", row: "labels:labels=a/b", segments: [r#"{"hypothesis": "a", "reference": "b"}"#, r#"{"hypothesis": "b", "reference": "b"}"#], pool: (r#"{"candidates": ["b", "a", "a"]}"#, Ok(2)), forged: &[(r#"["a",[0,1,0]]"#, r#"["a",[1,1,0]]"#)] },
    Family { family: "labels", metric: "spans", row: "spans:types=PER", segments: [r#"{"hypothesis": "B-PER O", "reference": "B-PER O"}"#, r#"{"hypothesis": "O", "reference": "B-PER"}"#], pool: (r#"{"candidates": ["O B-X", "B-X O", "B-X O"]}"#, Ok(2)), forged: &[("[1,1,1]", "[2,1,1]"), ("[1,1,2]", "[2,1,2]")] },
    Family { family: "labels", metric: "spans:tags=spans", row: "spans:tags=spans,types=PER", segments: [r#"{"hypothesis": [["PER", 0, 0]], "reference": ["B-PER", "O"]}"#, r#"{"hypothesis": [], "reference": [["PER", 0, 1]]}"#], pool: (TEXTS, Err(NO_TEXTS)), forged: &[("[1,1,1]", "[2,1,1]"), ("[1,1,2]", "[2,1,2]")] },
    Family { family: "sources", metric: "extractive", row: "extractive", segments: COPIED, pool: (TEXTS, Err("no references")), forged: &[("[[1,0,0,1,", "[[1,0,0,2,"), ("[[2,0,0,2,", "[[2,0,0,4,")] },
    Family { family: "captions", metric: "meteor15:modules=exact+stem", row: "meteor15:modules=exact+stem", segments: PAIRS, pool: (TEXTS, Ok(2)), forged: &[("[[1,1,1,2,2,1", "[[1,1,1,0,2,1"), ("[[2,2,2,4,4,", "[[2,2,2,2,4,")] },
    Family { family: "meetings", metric: "cpwer", row: "cpwer", segments: SESSIONS, pool: (TEXTS, Err("this is not a session of speakers")), forged: &[("[[1,1,1,0,0,1,2,", "[[1,1,1,0,0,3,2,"), ("[[2,2,2,0,0,1,4,", "[[2,2,2,0,0,3,4,")] },
    Family { family: "diarization", metric: "der", row: "der", segments: TURNS, pool: (TEXTS, Err(NO_TEXTS)), forged: &[("[[1,1,1,0,0,2000000,", "[[2,1,1,0,0,2000000,")] },
    Family { family: "latency", metric: "al", row: "al", segments: DELAYS, pool: (TEXTS, Err(NO_TEXTS)), forged: &[("[[1,1,1,1,", "[[1,1,1,2,"), ("[[2,2,2,2,", "[[2,2,2,4,")] },
    Family { family: "subtitles", metric: "suber", row: "suber", segments: SUBTITLES, pool: (TEXTS, Err(NO_TEXTS)), forged: &[("[[1,1,1,1,3]]", "[[2,1,1,1,3]]")] },
    Family { family: "sclite", metric: "sclite", row: "sclite", segments: PAIRS, pool: (TEXTS, Ok(1)), forged: &[("[[1,1,1,1,1,0,0,0,1]]", "[[1,1,1,1,1,0,0,0,2]]"), ("[[2,2,2,3,1,0,0,0,1]]", "[[2,2,2,3,1,0,0,0,2]]")] },
    Family { family: "recognition", metric: "per", row: "per", segments: PAIRS, pool: (TEXTS, Ok(1)), forged: &[("[[1,1,1,2,2,1,2]]", "[[1,1,1,2,2,3,2]]"), ("[[2,2,2,4,4,3,4]]", "[[2,2,2,4,4,5,4]]")] },
    Family { family: "vectors", metric: "cosine:producer=mine", row: "cosine:producer=mine", segments: VECTORS, pool: (TEXTS, Err("but pools are texts")), forged: &[("[[1,1,1,1,", "[[1,1,1,2,"), ("[[2,2,2,2,", "[[2,2,2,4,")] },
    #[cfg(feature = "code")]
    Family { family: "code", metric: "codebleu:lang=python", row: "codebleu:lang=python", segments: PROGRAMS, pool: (r#"{"candidates": ["x = 1", "x = 1"]}"#, Ok(1)), forged: &[(r#""states":[[1,"#, r#""states":[[2,"#)] },
];

impl Family {
    /// Creates a folder with the segments and their statistics; also returns the arguments that read the segments, and the file
    /// of statistics.
    fn folder(&self) -> (Folder, Vec<String>, String) {
        let folder = Folder::new();
        let input = if self.segments == VECTORS {
            let files = [("h.npy", [[1.0, 0.0], [1.0, 1.0]]), ("r.npy", [[0.0, 1.0], [1.0, 1.0]])];
            let [hypotheses, references] = files.map(|(name, vectors)| folder.file(name, numpy(&vectors)));
            vec!["--vectors".to_owned(), hypotheses, "--reference-vectors".to_owned(), references]
        } else {
            let segments = folder.file("segments.jsonl", format!("{}\n", self.segments.join("\n")));
            vec!["--segments".to_owned(), segments]
        };
        let stats = folder.path("base.stats");
        stdout(&with(&["stats", "-q"], &input, &["-m", self.metric, "-o", &stats]));
        (folder, input, stats)
    }
}

/// Returns the arguments of a command, with those that read the segments in the middle.
fn with<'a>(before: &[&'a str], input: &'a [String], after: &[&'a str]) -> Vec<&'a str> {
    before.iter().copied().chain(input.iter().map(String::as_str)).chain(after.iter().copied()).collect()
}

#[test]
fn every_family_of_the_program_has_a_row() {
    let list = stdout(&["list", "families"]);
    let listed: BTreeSet<&str> = list.lines().filter_map(|line| line.split_whitespace().next()).collect();
    let rows: BTreeSet<&str> = FAMILIES.iter().map(|family| family.family).collect();
    // A family of readers alone has no metric to judge.
    let families = bleuprint::families();
    let has_metrics = |name: &&str| families.get(name).is_none_or(|family| !family.metrics.is_empty());
    let listed: BTreeSet<&str> = listed.into_iter().filter(has_metrics).collect();
    assert_eq!(listed, rows);
    for Family { family, metric, .. } in FAMILIES {
        let name = metric.split(':').next().unwrap();
        let names = bleuprint::families();
        let brings =
            names.get(family).unwrap().metrics.iter().any(|entry| entry.names().any(|own| own == name));
        assert!(brings, "{metric} is not a metric of {family}");
    }
}

#[test]
fn every_family_is_judged_shown_kept_and_chosen_by() {
    for family in FAMILIES {
        let Family { metric, row, pool: (pool, chosen), .. } = family;
        let (folder, input, _) = family.folder();
        let rule = format!("[[rule]]\nmetric = \"{metric}\"\nmax-drop = 0.0\n");
        let head =
            "format = \"bleuprint-gate/1\"\nbaseline = \"base.stats\"\n[on]\ninconclusive = \"pass\"\n";
        let policy = folder.file("gate.toml", format!("{head}{rule}"));
        // Two segments are too few for a verdict, whatever they count.
        let judged = stdout(&with(&["gate", "--policy", &policy], &input, &[]));
        assert!(judged.starts_with("INCONCLUSIVE") && judged.contains("2 segments are too few"), "{metric}");
        let score = stdout(&with(&["score", "-q", "-b"], &input, &["-m", metric]));
        let page = folder.path("page.html");
        stdout(&with(&["report", "-q"], &input, &["-m", metric, "-o", &page]));
        let whole = stdout(&with(&["score", "-q"], &input, &["-m", metric]));
        let number = whole.lines().find_map(|line| line.strip_prefix(" \"score\": ")).unwrap();
        assert!(std::fs::read_to_string(&page).unwrap().contains(&format!("\"score\":{number}")), "{metric}");
        let (event, ledger) = (folder.path("event"), folder.path("live.db"));
        let count = with(&["stats", "-q"], &input, &["-m", row, "--total", "-o", &event]);
        let key = ["--event", "KEY", "--stream", "s", "--time", "2026-11-01T00:00:00Z"];
        stdout(&[&count[..], &key[..]].concat());
        stdout(&["track", "add", &ledger, &event, "--now", "2026-12-01T00:00:00Z"]);
        assert!(stdout(&["track", "show", &ledger]).contains(score.trim()), "{row}: {score}");
        let pools = folder.file("pools.jsonl", pool);
        let mbr = ["mbr", "-f", "json", "--pools", &pools, "-m", metric];
        match chosen {
            Ok(best) => assert!(stdout(&mbr).contains(&format!("\"candidate\":{best},")), "{metric}"),
            Err(words) => refused(&mbr, &[words]),
        }
    }
}

#[test]
fn forged_cut_and_unlike_states_of_every_family_are_refused() {
    for (at, family) in FAMILIES.iter().enumerate() {
        let (folder, _, stats) = family.folder();
        let whole = std::fs::read_to_string(&stats).unwrap();
        assert!(stdout(&["score", "-b", "--stats", &stats]).ends_with('\n'));
        let cut = folder.file("cut.stats", &whole[..whole.len() / 2]);
        refused(&["score", "--stats", &cut], &["cut.stats"]);
        let changed = family.forged.iter().fold(whole.clone(), |text, (count, other)| {
            assert!(text.contains(count), "{text}");
            text.replace(count, other)
        });
        refused(&["score", "--stats", &folder.file("forged.stats", sealed(&changed))], &["forged.stats"]);
        let (_other, _, unlike) = FAMILIES[(at + 1) % FAMILIES.len()].folder();
        refused(&["merge", &stats, &unlike, "-o", &folder.path("all.stats")], &["base.stats"]);
    }
}
