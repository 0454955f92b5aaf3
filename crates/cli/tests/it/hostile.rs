//! Input that would make a wrong number: damaged files; text that is none is in `cases/hostile.case`.
#![allow(clippy::print_stderr, reason = "a skipped test says so")]

use crate::common::{Folder, bleuprint, refused_of, stdout};

/// Damages that `gzip -t` refuses: a cut, junk behind the data, a member behind padding, one-bit flips. `None` without
/// the program.
fn damaged(folder: &Folder, content: &str) -> Option<(Vec<u8>, Vec<Vec<u8>>)> {
    let plain = folder.file("plain", content);
    let gzip = |arguments: &[&str]| std::process::Command::new("gzip").args(arguments).output().ok();
    let Some(whole) = gzip(&["-nc", &plain]).filter(|output| output.status.success()) else {
        if cfg!(windows) {
            eprintln!("skipped: there is no gzip");
            return None;
        }
        panic!("gzip is missing: install it, since these tests need it");
    };
    let whole = whole.stdout;
    let flips = (0..whole.len() * 8).step_by(3).filter_map(|bit| {
        let mut bytes = whole.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        let file = folder.file("flipped.gz", &bytes);
        (!gzip(&["-t", &file])?.status.success()).then_some(bytes)
    });
    let others = [
        whole[..whole.len() - 9].to_vec(),
        [&whole[..], b"junk"].concat(),
        [&whole[..], &[0; 512], &whole].concat(),
        [&whole[..], &whole[..20]].concat(),
    ];
    let all: Vec<_> = others.into_iter().chain(flips).collect();
    assert!(all.len() > whole.len(), "{} damages of {} bytes", all.len(), whole.len());
    Some((whole, all))
}

#[test]
fn damaged_gzip_is_scored_by_no_door() {
    let folder = Folder::new();
    let lines =
        "The cat\tsat on the mat today.\nAnother line,\twith 27 words or 8.\nA third one:\tit is last.\n";
    let Some((whole, damages)) = damaged(&folder, lines) else { return };
    let (plain, system) = (folder.path("plain"), folder.path("sys.gz"));
    let run = |arguments: &[&str]| bleuprint(arguments);
    let score = |bytes: &[u8]| {
        folder.file("sys.gz", bytes);
        run(&["score", &plain, "-i", &system, "-b"])
    };
    assert!(score(&whole).status.success() && score(&[&whole[..], &whole].concat()).status.code() == Some(2));
    assert!(score(&[&whole[..], &[0; 512]].concat()).status.success(), "padding is none of the data");
    for bytes in &damages {
        let output = score(bytes);
        assert_eq!(output.status.code(), Some(2), "{bytes:?}");
        assert!(output.stdout.is_empty() && String::from_utf8_lossy(&output.stderr).contains("sys.gz"));
    }
    let refused_by = |arguments: &[&str]| {
        let output = run(arguments);
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
        assert!(output.stdout.is_empty() && message.contains("gzip"), "{arguments:?}: {message}");
    };
    // One of each kind, at every door that reads lines.
    for bytes in damages[..4]
        .iter()
        .chain(damages.iter().skip(4).step_by(200).filter(|bytes| bytes.starts_with(&[0x1f, 0x8b])))
    {
        folder.file("sys.gz", bytes);
        refused_by(&["score", &system, "-i", &plain]);
        refused_by(&["score", &plain, &system, "-i", &plain]);
        refused_by(&["score", &plain, "-i", &plain, &system]);
        refused_by(&["score", &plain, "-i", &system, "-sl"]);
        refused_by(&["score", &system, "-i", &plain, "--num-refs", "2", "-m", "chrf"]);
        refused_by(&["compare", &plain, "-i", &plain, &system]);
        refused_by(&["stats", &plain, "-i", &system, "-o", &folder.path("out.stats")]);
        refused_by(&["report", &plain, "-i", &system, "-o", &folder.path("out.html")]);
        refused_by(&["explain", &plain, "-i", &system]);
        refused_by(&["mbr", &system]);
        refused_by(&["self", &system, &plain]);
        refused_of(&["score", &plain], bytes, &["<stdin>", "gzip"]);
    }
}

#[test]
fn damaged_gzip_is_no_record_no_statistics_and_no_policy() {
    let folder = Folder::new();
    let rows = "{\"hyp\": \"a b c d\", \"ref\": \"a b c e\"}\n{\"hyp\": \"f g h i\", \"ref\": \"f g h i\"}\n";
    let table = "hypothesis,reference\na b c d,a b c e\nf g h i,f g h i\n";
    let plain = folder.file("lines", "a b c d\nf g h i\n");
    let statistics = folder.path("base.stats");
    stdout(&["stats", &plain, "-i", &plain, "-o", &statistics, "-q"]);
    let statistics = std::fs::read_to_string(statistics).unwrap();
    let policy = format!(
        "format = \"bleuprint-gate/1\"\nbaseline = \"{}\"\n[on]\ninconclusive = \"pass\"\n[[rule]]\nmetric = \"bleu\"\nmax-drop = 1.0\n",
        folder.path("base.gz")
    );
    for (name, content) in
        [("rows.jsonl.gz", rows), ("rows.csv.gz", table), ("base.gz", &*statistics), ("gate.toml", &policy)]
    {
        let Some((whole, damages)) = damaged(&folder, content) else { return };
        let (file, merged) = (folder.path(name), folder.path("merged.stats"));
        let run = |bytes: &[u8]| {
            folder.file(name, bytes);
            let arguments: &[&[&str]] = match name {
                "base.gz" => {
                    &[&["score", "--stats", &file], &["show", &file], &["merge", &file, "-o", &merged]]
                }
                "gate.toml" => &[&["gate", "--policy", &file, &plain, "-i", &plain]],
                _ => &[&["score", "--segments", &file], &["compare", "--segments", &file]],
            };
            arguments.iter().map(|arguments| bleuprint(arguments)).collect::<Vec<_>>()
        };
        assert!(run(&whole).iter().any(|output| output.status.success()), "{name}");
        for bytes in damages.iter().take(4).chain(damages.iter().skip(4).step_by(25)) {
            for output in run(bytes) {
                assert!(output.status.code() == Some(2) && output.stdout.is_empty(), "{name}");
            }
        }
        folder.file(name, &whole);
    }
}

#[cfg(unix)]
#[test]
fn an_argument_that_is_not_utf8_is_named() {
    use std::os::unix::ffi::OsStrExt as _;
    let broken = std::ffi::OsStr::from_bytes(b"hyp\xff");
    let program = std::process::Command::new(env!("CARGO_BIN_EXE_bleuprint"));
    let output = { program }.args(["score", "ref", "-i"]).arg(broken).output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("the argument `hyp\u{fffd}` is not UTF-8"), "{message}");
    assert_eq!(output.status.code(), Some(2));
}
