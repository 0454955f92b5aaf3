//! Baselines: recorded where there are none, with weights and sources, and whole.

use serde_json::Value;

use super::{Files, RULES, lines, reference};
use crate::common::sealed;

#[test]
fn a_missing_baseline_may_be_recorded() {
    let files = Files::new();
    std::fs::remove_file(files.folder.path("main.stats")).unwrap();
    files.policy(RULES);
    assert!(files.gate("good", 2).contains("main.stats is not there"));
    files.policy(&format!("[on]\nmissing-baseline = \"record\"\n{RULES}"));
    let recorded = files.gate("good", 0);
    assert!(recorded.contains("The new output is the baseline from now on: main.stats"), "{recorded}");
    assert!(files.gate("good", 0).contains("1 pass"));
    files.gate("bad", 1);
    // What breaks another rule is not recorded.
    std::fs::remove_file(files.folder.path("main.stats")).unwrap();
    files.policy(&format!(
        "[on]\nmissing-baseline = \"record\"\n{RULES}[[rule]]\nname = \"sanity\"\nmetric = \"bleu\"\nmin = 50\n"
    ));
    files.gate("bad", 1);
    assert!(!std::path::Path::new(&files.folder.path("main.stats")).exists());
}

#[test]
fn baselines_with_weights_are_judged() {
    let files = Files::new();
    let stats = ["stats", "ref", "-i", "good", "-m", "cider_d", "nist", "-o", "weights.stats"];
    files.run(&stats, 0);
    let rule = |metric: &str| {
        format!("[[rule]]\nmetric = \"{metric}\"\nagainst = \"weights.stats\"\nmax-drop = 0.2\n")
    };
    files.policy(&(rule("cider_d") + &rule("nist")));
    assert!(files.gate("good", 0).contains("No segment counts differently than in the baseline."));
    let arguments = ["gate", "--policy", "gate.toml", "ref", "-i", "bad", "--json", "v.json"];
    let text = files.run(&arguments, 1);
    assert!(text.contains("|df:") && text.contains("|info:"), "{text}");
    let json: Value =
        serde_json::from_str(&std::fs::read_to_string(files.folder.path("v.json")).unwrap()).unwrap();
    for (place, name) in ["cider_d", "nist"].into_iter().enumerate() {
        let group = &json["rules"][place]["groups"][0];
        for (file, key) in [("good", "baseline"), ("bad", "new")] {
            let score: Value =
                serde_json::from_str(&files.run(&["score", "ref", "-i", file, "-m", name], 0)).unwrap();
            assert_eq!(group[key], score["score"], "{name}");
        }
    }
    // With the weights of other references nothing can be compared.
    files.folder.file("twice", lines(reference).repeat(2));
    files.run(&["score", "twice", "-i", "twice", "-m", "cider_d", "nist", "--save-learned", "other.json"], 0);
    files.run(&[&stats[..], &["--learned", "other.json", "--overwrite"]].concat(), 0);
    assert!(files.gate("good", 2).contains("weights.stats was scored differently: `df:"));
}

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
