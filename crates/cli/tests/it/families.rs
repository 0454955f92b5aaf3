//! Every family of metrics at the doors that judge, show and keep scores, and a forged, a cut and an unlike state of each.

use crate::common::{Folder, refused, sealed, stdout};

struct Family {
    metric: &'static str,
    /// The same as a ledger takes its counts.
    row: &'static str,
    segments: [&'static str; 2],
    /// Candidates, and the best of them or the words of a refusal.
    pool: (&'static str, Result<u64, &'static str>),
    /// Counts that no segments have, of a segment and of all, for those of `metric`.
    forged: &'static [(&'static str, &'static str)],
}

const TEXTS: &str = r#"{"candidates": ["the cat sat", "the cat sat down", "a dog"]}"#;
const NO_TEXTS: &str = "and pools are texts";
const COPIED: [&str; 2] =
    [r#"{"hypothesis": "a cat", "source": "the cat is a cat"}"#, r#"{"hypothesis": "b", "source": "b c"}"#];
const PAIRS: [&str; 2] =
    [r#"{"hypothesis": "a cat", "reference": "the cat"}"#, r#"{"hypothesis": "b d", "reference": "b d"}"#];

#[rustfmt::skip]
const FAMILIES: [Family; 9] = [
    Family { metric: "pass:k=4", row: "pass:k=4,n=10", segments: [r#"{"n": 10, "c": 3}"#, r#"{"n": 10, "c": 5}"#], pool: (TEXTS, Err(NO_TEXTS)), forged: &[("[10,3]", "[3,10]")] },
    Family { metric: "perplexity:per=token", row: "perplexity:per=token", segments: [r#"{"loglik": [-1, -2]}"#, r#"{"loglik": [-0.5]}"#], pool: (TEXTS, Err(NO_TEXTS)), forged: &[("2,0,1]]", "2,0,2]]"), ("3,0,2]]", "3,0,3]]")] },
    Family { metric: "levenshtein_similarity", row: "levenshtein_similarity", segments: PAIRS, pool: (TEXTS, Ok(2)), forged: &[("[[1,1,1,1,", "[[1,1,1,2,"), ("[[2,2,2,2,", "[[2,2,2,4,")] },
    Family { metric: "anls", row: "anls", segments: PAIRS, pool: (TEXTS, Ok(1)), forged: &[("[[1,1,1,1,", "[[1,1,1,2,"), ("[[2,2,2,2,", "[[2,2,2,4,")] },
    Family { metric: "labels", row: "labels:labels=a/b", segments: [r#"{"hypothesis": "a", "reference": "b"}"#, r#"{"hypothesis": "b", "reference": "b"}"#], pool: (r#"{"candidates": ["b", "a", "a"]}"#, Ok(2)), forged: &[(r#"["a",[0,1,0]]"#, r#"["a",[1,1,0]]"#)] },
    Family { metric: "spans", row: "spans:types=PER", segments: [r#"{"hypothesis": "B-PER O", "reference": "B-PER O"}"#, r#"{"hypothesis": "O", "reference": "B-PER"}"#], pool: (r#"{"candidates": ["O B-X", "B-X O", "B-X O"]}"#, Ok(2)), forged: &[("[1,1,1]", "[2,1,1]"), ("[1,1,2]", "[2,1,2]")] },
    Family { metric: "spans:tags=spans", row: "spans:tags=spans,types=PER", segments: [r#"{"hypothesis": [["PER", 0, 0]], "reference": ["B-PER", "O"]}"#, r#"{"hypothesis": [], "reference": [["PER", 0, 1]]}"#], pool: (TEXTS, Err(NO_TEXTS)), forged: &[("[1,1,1]", "[2,1,1]"), ("[1,1,2]", "[2,1,2]")] },
    Family { metric: "extractive", row: "extractive", segments: COPIED, pool: (TEXTS, Err("no references")), forged: &[("[[1,0,0,1,", "[[1,0,0,2,"), ("[[2,0,0,2,", "[[2,0,0,4,")] },
    Family { metric: "meteor15:modules=exact+stem", row: "meteor15:modules=exact+stem", segments: PAIRS, pool: (TEXTS, Ok(2)), forged: &[("[[1,1,1,2,2,1", "[[1,1,1,0,2,1"), ("[[2,2,2,4,4,", "[[2,2,2,2,4,")] },
];

impl Family {
    /// A folder with the segments and their statistics.
    fn folder(&self) -> (Folder, String, String) {
        let folder = Folder::new();
        let segments = folder.file("segments.jsonl", format!("{}\n", self.segments.join("\n")));
        let stats = folder.path("base.stats");
        stdout(&["stats", "-q", "--segments", &segments, "-m", self.metric, "-o", &stats]);
        (folder, segments, stats)
    }
}

#[test]
fn every_family_is_judged_shown_kept_and_chosen_by() {
    for family in &FAMILIES {
        let Family { metric, row, pool: (pool, chosen), .. } = family;
        let (folder, segments, _) = family.folder();
        let rule = format!("[[rule]]\nmetric = \"{metric}\"\nmax-drop = 0.0\n");
        let policy = folder
            .file("gate.toml", format!("format = \"bleuprint-gate/1\"\nbaseline = \"base.stats\"\n{rule}"));
        assert!(
            stdout(&["gate", "--policy", &policy, "--segments", &segments]).starts_with("PASS"),
            "{metric}"
        );
        let score = stdout(&["score", "-q", "-b", "--segments", &segments, "-m", metric]);
        let page = folder.path("page.html");
        stdout(&["report", "-q", "--segments", &segments, "-m", metric, "-o", &page]);
        let whole = stdout(&["score", "-q", "--segments", &segments, "-m", metric]);
        let number = whole.lines().find_map(|line| line.strip_prefix(" \"score\": ")).unwrap();
        assert!(std::fs::read_to_string(&page).unwrap().contains(&format!("\"score\":{number}")), "{metric}");
        let (event, ledger) = (folder.path("event"), folder.path("live.db"));
        let count = ["stats", "-q", "--segments", &segments, "-m", row, "--total", "-o", &event];
        let key = ["--event", "KEY", "--stream", "s", "--time", "2026-11-01T00:00:00Z"];
        stdout(&[&count[..], &key].concat());
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
