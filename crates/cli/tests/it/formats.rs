//! Every kind of file with every option that reads files: it is read as what it is, or refused with its name. A file of
//! another kind never gives a number without a word.

use bleuprint::text::read::FileKind;

use crate::common::{Folder, bleuprint};

/// A file with the same content on both sides, and the options that read it.
struct Sample {
    name: &'static str,
    content: &'static str,
    read_by: &'static [&'static str],
}

/// The options, with a metric that takes what each reads. The first one reads lines.
const OPTIONS: [(&str, &str); 10] = [
    ("", "wer"),
    ("--plain", "wer"),
    ("--segments", "wer"),
    ("--keyed", "wer"),
    ("--markup", "wer"),
    ("--subtitles", "wer"),
    ("--transcripts", "wer"),
    ("--heard", "nce"),
    ("--turns", "der:uem=extent"),
    ("--speakers", "cpwer"),
];

const SAMPLES: [Sample; 16] = [
    Sample { name: "a.txt", content: "the house\nwe go home\n", read_by: &["", "--plain", "--keyed"] },
    Sample {
        name: "a.jsonl",
        content: "{\"hypothesis\": \"the house\", \"reference\": \"the house\"}\n",
        read_by: &["--plain", "--segments"],
    },
    Sample { name: "a.json", content: "[{\"id\": 0, \"text\": \"the house\"}]\n", read_by: &["--plain"] },
    Sample {
        name: "s.json",
        content: "[{\"session_id\": \"s\", \"speaker\": \"a\", \"words\": \"the house\"}]\n",
        read_by: &["--plain", "--speakers"],
    },
    Sample {
        name: "a.csv",
        content: "hypothesis,reference\nthe house,the house\n",
        read_by: &["--plain", "--segments"],
    },
    Sample {
        name: "a.tsv",
        content: "hypothesis\treference\nthe house\tthe house\n",
        read_by: &["--plain", "--segments"],
    },
    Sample {
        name: "a.sgm",
        content: "<refset><doc docid=\"d\"><seg id=\"1\">the house</seg></doc></refset>\n\
                  <tstset><doc docid=\"d\" sysid=\"x\"><seg id=\"1\">the house</seg></doc></tstset>\n",
        read_by: &["--plain", "--markup"],
    },
    Sample {
        name: "a.xml",
        content: "<?xml version='1.0'?>\n<dataset><doc id=\"d\"><ref><seg id=\"1\">the house</seg></ref>\n\
                  <hyp system=\"x\"><seg id=\"1\">the house</seg></hyp></doc></dataset>\n",
        read_by: &["--plain", "--markup"],
    },
    Sample { name: "a.html", content: "<!DOCTYPE html>\n<p>the house</p>\n", read_by: &["--plain"] },
    Sample {
        name: "a.srt",
        content: "1\n00:00:01,000 --> 00:00:02,000\nthe house\n",
        read_by: &["--plain", "--subtitles"],
    },
    Sample {
        name: "a.vtt",
        content: "WEBVTT\n\n00:01.000 --> 00:02.000\nthe house\n",
        read_by: &["--plain", "--subtitles"],
    },
    Sample {
        name: "a.stm",
        content: "s1 1 A 0 2 the house\ns1 1 B 2 4 we go\n",
        read_by: &["--plain", "--speakers"],
    },
    Sample {
        name: "a.ctm",
        content: "s1 1 0.0 0.2 the 0.9\ns1 1 0.5 0.2 house 0.9\n",
        read_by: &["--plain", "--speakers"],
    },
    Sample {
        name: "a.rttm",
        content: "SPEAKER rec 1 5.00 5.00 <NA> <NA> a <NA> <NA>\n",
        read_by: &["--plain", "--turns"],
    },
    Sample {
        name: "a.trn",
        content: "the house (ann-1)\nwe go (ann-2)\n",
        read_by: &["--plain", "--transcripts"],
    },
    Sample { name: "empty.txt", content: "", read_by: &[] },
];

#[test]
fn a_file_is_read_as_what_it_is_or_refused_by_its_name() {
    let folder = Folder::new();
    for sample in &SAMPLES {
        let path = folder.file(sample.name, sample.content);
        for (option, metric) in OPTIONS {
            let files = match option {
                "--segments" => vec!["--segments", &path],
                "" => vec![&*path, "-i", &path],
                option => vec![&*path, "-i", &path, option],
            };
            let output = bleuprint(&[&["score"][..], &files, &["-b", "-m", metric]].concat());
            let message = String::from_utf8_lossy(&output.stderr).into_owned();
            let shown = format!("{option} {}: {message}", sample.name);
            if sample.read_by.contains(&option) {
                assert!(output.status.success() && !message.contains("looks like"), "{shown}");
            } else {
                assert_eq!(output.status.code(), Some(2), "{shown}");
                assert!(output.stdout.is_empty() && message.contains(sample.name), "{shown}");
            }
        }
    }
}

#[test]
fn the_option_that_an_error_names_reads_the_file() {
    let folder = Folder::new();
    for sample in SAMPLES.iter().filter(|sample| FileKind::named(sample.name).is_some()) {
        let path = folder.file(sample.name, sample.content);
        let message = bleuprint(&["score", &path, "-i", &path, "-m", "wer"]).stderr;
        let message = String::from_utf8_lossy(&message).into_owned();
        // Every option that the error names must be one that reads this file; --plain always is.
        let named: Vec<&str> = OPTIONS
            .iter()
            .map(|(option, _)| *option)
            .filter(|option| !option.is_empty() && message.contains(option))
            .collect();
        assert!(named.contains(&"--plain"), "{message}");
        let reading = sample.read_by.iter().filter(|option| **option != "--plain");
        for option in reading {
            assert!(named.contains(option), "{}: {option} is not in: {message}", sample.name);
        }
    }
}

#[test]
fn silent_files_need_a_word_and_count_with_it() {
    let folder = Folder::new();
    let stm = folder.file("r.stm", "s1 1 A 0 2 the house\n");
    let srt = folder.file("r.srt", "1\n00:00:01,000 --> 00:00:02,000\nthe house\n");
    let rttm = folder.file("r.rttm", "SPEAKER rec 1 5.00 5.00 <NA> <NA> a <NA> <NA>\n");
    let trn = folder.file("r.trn", "the house (ann-1)\n");
    for (reference, empty, option, metric, silence) in [
        (&stm, "e.ctm", "--transcripts", "wer", "--missing=empty"),
        (&stm, "e.ctm", "--speakers", "cpwer", "--missing-sessions=empty"),
        (&stm, "e.stm", "--speakers", "cpwer", "--missing-sessions=empty"),
        (&stm, "e.json", "--speakers", "cpwer", "--missing-sessions=empty"),
        (&srt, "e.srt", "--subtitles", "wer", "--missing=empty"),
        (&srt, "e.vtt", "--subtitles", "suber", "--missing=empty"),
        (&rttm, "e.rttm", "--turns", "der:uem=extent", "--missing=empty"),
        (&trn, "e.trn", "--transcripts", "wer", "--missing=empty"),
    ] {
        let content = if empty.ends_with("vtt") { "WEBVTT\n" } else { "" };
        let path = folder.file(empty, content);
        let score = |others: &[&str]| {
            bleuprint(&[&["score", reference, "-i", &path, option, "-m", metric, "-b"][..], others].concat())
        };
        let refused = score(&[]);
        let message = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!(refused.status.code(), Some(2), "{option} {empty}");
        assert!(message.contains(silence.split('=').next().unwrap()), "{option} {empty}: {message}");
        let silent = score(&[silence]);
        let shown = String::from_utf8_lossy(&silent.stdout).into_owned();
        let worst = if metric == "suber" { "100.0" } else { "1.000" };
        assert_eq!(shown.trim(), worst, "{option} {empty}: {}", String::from_utf8_lossy(&silent.stderr));
    }
}
