//! Baselines of the gate: with sources, and whole. Its messages and verdicts are in `cases/gate.case`.

use crate::common::{Folder, finish, sealed, start};

/// Two hundred segments, of which `good` spoils every fourth.
struct Files {
    folder: Folder,
}

fn lines(line: impl Fn(usize) -> String) -> String {
    (0..200).map(|index| line(index) + "\n").collect()
}

fn reference(index: usize) -> String {
    format!(
        "the {} cat number {index} sat on the mat and looked at dog {}",
        ["red", "old", "big"][index % 3],
        index * 7
    )
}

impl Files {
    fn new() -> Self {
        let folder = Folder::new();
        folder.file("ref", lines(reference));
        let some = |index: usize| {
            if index.is_multiple_of(4) { "a cat sat here on the mat".to_owned() } else { reference(index) }
        };
        folder.file("good", lines(some));
        let files = Files { folder };
        files.run(&["stats", "ref", "-i", "good", "-o", "main.stats", "-m", "bleu"], 0);
        files
    }

    fn policy(&self, text: &str) {
        self.folder
            .file("gate.toml", format!("format = \"bleuprint-gate/1\"\nbaseline = \"main.stats\"\n{text}"));
    }

    fn judged(&self, arguments: &[&str]) -> (Option<i32>, String) {
        let mut command = start(arguments);
        command.current_dir(self.folder.path("")).env_remove("GITHUB_STEP_SUMMARY");
        let output = finish(command, b"");
        let text =
            String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        (output.status.code(), text)
    }

    fn run(&self, arguments: &[&str], code: i32) -> String {
        let (found, text) = self.judged(arguments);
        assert_eq!(found, Some(code), "{arguments:?}: {text}");
        text
    }

    fn gate(&self, output: &str, code: i32) -> String {
        self.run(&["gate", "--policy", "gate.toml", "ref", "-i", output], code)
    }
}

const RULES: &str = "[[rule]]\nname = \"overall\"\nmetric = \"bleu\"\nmax-drop = 3\n";

#[test]
fn another_source_is_another_baseline() {
    let files = Files::new();
    files.folder.file("source", lines(|index| format!("a source of segment {index}")));
    files.folder.file("other", lines(|index| format!("a source of segment {}", index.min(150))));
    for (source, place) in [("source", "sari.stats"), ("other", "other.stats")] {
        let stats = ["stats", "ref", "-i", "good", "--source", source, "-m", "sari", "-o", place];
        files.run(&stats, 0);
    }
    files.policy("[[rule]]\nmetric = \"sari\"\nagainst = \"sari.stats\"\nmax-drop = 1\n");
    let gate = |source: &str, code: i32| {
        files.run(&["gate", "--policy", "gate.toml", "ref", "-i", "good", "--source", source], code)
    };
    assert!(gate("source", 0).contains("No segment counts differently"));
    let refused = gate("other", 2);
    assert!(
        refused.contains("sari.stats was counted against other sources, as in segment 152: "),
        "{refused}"
    );
    // Of BLEU the source may be anything, and a baseline need not know it.
    files.policy("[[rule]]\nmetric = \"sari\"\nmin = 1\n[[rule]]\nmetric = \"bleu\"\nmax-drop = 1\n");
    gate("other", 0);
    for command in
        [&["compare", "--stats"][..], &["score", "--paired-bs", "--stats"], &["report", "-o", "x", "--stats"]]
    {
        let text = files.run(&[command, &["sari.stats", "other.stats"]].concat(), 2);
        assert!(text.contains("differ in the source of segment 152"), "{text}");
    }
    // A file of the version before is read, and says that it does not know.
    let text = std::fs::read_to_string(files.folder.path("sari.stats")).unwrap();
    let end =
        |line: &str| line.find("\",\"source\":\"").map(|at| format!("{}{}", &line[..at], &line[at + 28..]));
    let old =
        text.lines().map(|line| end(line).unwrap_or_else(|| line.to_owned()) + "\n").collect::<String>();
    let old = old.replace("bleuprint-stats/2", "bleuprint-stats/1");
    files.folder.file("sari.stats", sealed(&old));
    assert!(files.run(&["show", "sari.stats"], 0).contains("SARI"));
    files.policy("[[rule]]\nmetric = \"sari\"\nagainst = \"sari.stats\"\nmax-drop = 1\n");
    let unknown = "SARI looks at the source, but this file of bleuprint-stats/1 does not say which source";
    assert!(gate("source", 2).contains(unknown));
    assert!(files.run(&["compare", "--stats", "sari.stats", "other.stats"], 2).contains(unknown));
    assert!(files.run(&["score", "--stats", "sari.stats"], 0).contains("SARI"));
}

#[test]
fn a_damaged_baseline_makes_no_verdict() {
    let files = Files::new();
    files.policy(&format!("[on]\nmissing-baseline = \"record\"\n{RULES}"));
    let whole = std::fs::read(files.folder.path("main.stats")).unwrap();
    let verdict = files.gate("good", 0);
    let refused = |bytes: &[u8], words: &str| {
        files.folder.file("main.stats", bytes);
        let (code, text) = files.judged(&["gate", "--policy", "gate.toml", "ref", "-i", "good"]);
        assert!(code == Some(2) && text.contains("main.stats"), "{words}: {text}");
        assert!(text.contains(words), "{words}: {text}");
        assert!(std::fs::read(files.folder.path("main.stats")).unwrap() == bytes, "the baseline was written");
    };
    for bit in (0..whole.len() * 8).step_by(whole.len() * 8 / 40 + 1) {
        let mut bytes = whole.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        refused(&bytes, "");
    }
    let end = whole[..whole.len() - 1].iter().rposition(|&byte| byte == b'\n').unwrap() + 1;
    for length in [0, 1, whole.len() / 2, end, whole.len() - 1] {
        refused(&whole[..length], "");
    }
    refused(&[&whole[..], b"\n"].concat(), "more after the end line");
    // Counts that are none, under a checksum that is right.
    let text = String::from_utf8(whole.clone()).unwrap();
    let line = |number: usize| text.lines().nth(number).unwrap().to_owned();
    let forge = |from: &str, to: &str, words: &str| {
        assert!(text.contains(from), "{from}: {text}");
        refused(sealed(&text.replacen(from, to, 1)).as_bytes(), words);
    };
    forge(&(line(1) + "\n"), "", "the end line counts 200 segments, but there are 199");
    let segment = line(1);
    let counts = segment.find("\"states\":[[").unwrap() + "\"states\":[[".len();
    let forged = |row: &str| format!("{}{row}{}", &segment[..counts], &segment[counts + 1..]);
    forge(&segment, &forged("2"), "the state of bleu");
    let row_end = counts + segment[counts..].find(']').unwrap();
    let mut row: Vec<u64> = segment[counts..row_end].split(',').map(|count| count.parse().unwrap()).collect();
    *row.last_mut().unwrap() += 1;
    let row = row.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
    let forged = format!("{}{row}{}", &segment[..counts], &segment[row_end..]);
    forge(&segment, &forged, "the states of bleu do not add up to the total");
    let key = "\"key\":\"bleu/1|order:4|";
    forge(key, &key.replace('4', "2"), "the counts are `bleu/1|order:2|case:mixed|tok:13a` there");
    // In compressed files a flipped bit is found, or none of the text.
    for name in ["main.stats.zst", "main.stats.gz"] {
        files.folder.file("main.stats", &whole);
        let stats = ["merge", "main.stats", "-o", name];
        match name.ends_with(".zst") {
            true => drop(files.run(&stats, 0)),
            false => {
                let mut gzip = std::process::Command::new("gzip");
                if !gzip
                    .args(["-nk", &files.folder.path("main.stats")])
                    .status()
                    .is_ok_and(|status| status.success())
                {
                    continue;
                }
            }
        }
        let packed = std::fs::read(files.folder.path(name)).unwrap();
        files
            .folder
            .file("gate.toml", format!("format = \"bleuprint-gate/1\"\nbaseline = \"{name}\"\n{RULES}"));
        let expected = files.gate("good", 0);
        assert_eq!(expected.lines().nth(1), verdict.lines().nth(1));
        for bit in (0..packed.len() * 8).step_by(packed.len() * 8 / 40 + 1) {
            let mut bytes = packed.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            files.folder.file(name, &bytes);
            let arguments = ["gate", "--policy", "gate.toml", "ref", "-i", "good"];
            let (code, text) = files.judged(&arguments);
            assert!(code == Some(2) && text.contains(name) || text == expected, "{name} {bit}: {text}");
        }
        files.folder.file(name, &packed[..packed.len() - 5]);
        assert!(files.gate("good", 2).contains(name));
    }
}
