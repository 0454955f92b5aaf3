//! Tokens: those of programs, of models and of ids, and text that a tokenizer is not made for.

use serde_json::Value;

use crate::common::{Folder, bleuprint, bleuprint_with, parsed, parsed_of, refused, refused_of, stdout};

#[test]
fn dialects_take_the_tokens_of_their_programs() {
    let folder = Folder::new();
    let reference = folder.file("ref", "One two\u{a0}three four five six.\n");
    let system = folder.file("sys", "one two\u{a0}three four five six .\u{a0}\n");
    let score = |options: &[&str]| parsed(&[&["score", &reference, "-i", &system], options].concat());
    let multi = score(&["-m", "bleu:dialect=multi-bleu"]);
    assert_eq!(
        (&multi["tok"], &multi["case"], &multi["sys_len"]),
        (&"ascii-space".into(), &"mixed".into(), &6.into())
    );
    let mteval = score(&["-m", "bleu:dialect=mteval:v13a"]);
    assert_eq!(
        (&mteval["tok"], &mteval["case"], &mteval["score"]),
        (&"mteval".into(), &"lc-ascii".into(), &1.0.into())
    );
    let asked = score(&["-m", "bleu:dialect=multi-bleu", "-tok", "13a"]);
    assert_eq!(asked["tok"], "13a");
}

#[test]
fn korean_is_not_called_a_language_without_spaces() {
    let folder = Folder::new();
    let korean = folder.file("ko", "이것은 시험이다.\n");
    let warned = bleuprint(&["score", &korean, "-i", &korean, "-b"]);
    let message = String::from_utf8_lossy(&warned.stderr).into_owned();
    assert!(
        message.contains("Hangul") && message.contains("ko-mecab") && !message.contains("no spaces"),
        "{message}"
    );
}

#[test]
fn ids_that_are_none_name_their_file() {
    let folder = Folder::new();
    let (good, bad) = (folder.file("good", "1 2 3\n4 5 6\n"), folder.file("bad", "1 2 3\n4 x 6\n"));
    for (reference, system) in [(&good, &bad), (&bad, &good)] {
        let words = ["bad: line 2: column 3: `x` is not an id"];
        refused(&["score", reference, "-i", system, "-tok", "ids"], &words);
    }
    refused_of(&["score", &good, "-tok", "ids"], b"1 2 3\n4 x 6\n", &["<stdin>: line 2: column 3"]);
}

#[test]
fn every_door_warns_of_tokenized_text_but_where_that_is_wanted() {
    let folder = Folder::new();
    let lines = folder.file("lines", "a b c d .\n".repeat(100));
    let row = "{\"hyp\": \"a b c d .\", \"ref\": \"a b c d .\"}\n";
    let rows = folder.file("rows.jsonl", row.repeat(100));
    let warns = |arguments: &[&str]| {
        let output = bleuprint(arguments);
        assert!(output.status.success());
        String::from_utf8_lossy(&output.stderr).contains("100 hypotheses end in a tokenized period")
    };
    assert!(warns(&["score", &lines, "-i", &lines]));
    assert!(warns(&["score", "--segments", &rows]));
    assert!(warns(&["score", &lines, "-i", &lines, "-m", "bleu:dialect=hf"]));
    assert!(warns(&["explain", &lines, "-i", &lines, "--most", "1"]));
    assert!(!warns(&["explain", &lines, "-i", &lines, "--most", "1", "--force"]));
    assert!(!warns(&["score", &lines, "-i", &lines, "-m", "bleu:dialect=multi-bleu"]));
}

/// sacreBLEU 2.6.0 gives these numbers for the same models: pieces are compared by their texts.
#[test]
fn unknown_pieces_match_only_where_their_texts_do() {
    let folder = Folder::new();
    let model = |name: &str| format!("{}/../text/tests/data/spm/{name}.model", env!("CARGO_MANIFEST_DIR"));
    for (name, hypothesis, reference, expected) in [
        ("unigram", "the dog \u{436} bit", "the dog \u{3a9} bit", 53.7284965911771),
        ("unigram", "\u{436} \u{436}", "\u{3a9} \u{436}", 35.35533905932737),
        ("unigram", "the dog \u{436}\u{3a9} bit", "the dog \u{436}\u{3a9} bit", 100.00000000000004),
        ("bpe", "the dog \u{436} bit", "the dog \u{3a9} bit", 42.72870063962342),
        ("bpe", "\u{436} \u{436}", "\u{3a9} \u{436}", 35.35533905932737),
    ] {
        let (hyp, refs) = (folder.file("h", hypothesis), folder.file("r", reference));
        let rows =
            folder.file("a.jsonl", format!("{{\"hyp\": \"{hypothesis}\", \"ref\": \"{reference}\"}}\n"));
        let table = folder.file("a.csv", format!("hypothesis,reference\n{hypothesis},{reference}\n"));
        let (stats, model) = (folder.path(&format!("{name}.stats")), model(name));
        let tokens = ["-tok", "spm", "--tokenizer-model", &model];
        let score = |source: &[&str]| parsed(&[&["score"], source, &tokens].concat())["score"].as_f64();
        for source in [&[&refs, "-i", &hyp][..], &["--segments", &rows], &["--segments", &table]] {
            assert_eq!(score(source), Some(expected), "{name}: {hypothesis}");
        }
        let count = ["stats", &refs, "-i", &hyp, "-o", &stats, "--overwrite"];
        stdout(&[&count[..], &tokens].concat());
        assert_eq!(parsed(&["score", "--stats", &stats])["score"].as_f64(), Some(expected));
        let columns = format!("{hypothesis}\t{hypothesis}\n");
        let both = parsed_of(&[&["score", &refs][..], &tokens].concat(), columns.as_bytes());
        assert_eq!(both[0]["BLEU"].as_f64(), Some(expected), "{both}");
        let other = folder.file("o", reference);
        let compare = ["compare", &refs, "-i", &hyp, &other, "-f", "json", "--resamples", "50"];
        let compared = parsed(&[&compare[..], &tokens].concat());
        assert_eq!(compared["metrics"][0]["scores"][0].as_f64(), Some(expected), "{compared}");
        let report = parsed(&[&["report", &refs, "-i", &hyp, "-f", "json", "-o", "-"][..], &tokens].concat());
        assert_eq!(report["metrics"][0]["scores"][0]["score"].as_f64(), Some(expected));
        // A policy names no file of a model: it is the one of sacreBLEU's folder.
        let models = folder.path("models");
        std::fs::create_dir_all(&models).unwrap();
        std::fs::copy(&model, format!("{models}/sacrebleu_tokenizer_spm.model")).unwrap();
        let (baseline, verdict) = (folder.path("base.stats"), folder.path("verdict.json"));
        let rule = "[[rule]]\nmetric = \"bleu\"\ntokenize = \"flores101\"\nmax-drop = 100\n";
        let policy = format!("format = \"bleuprint-gate/1\"\nbaseline = \"base.stats\"\n{rule}");
        let policy = folder.file("gate.toml", policy);
        let environment = [("SACREBLEU", folder.path("")), ("GITHUB_STEP_SUMMARY", String::new())];
        let environment = environment.each_ref().map(|(name, value)| (*name, value.as_str()));
        let run = |arguments: &[&str]| bleuprint_with(arguments, &environment);
        let count = ["stats", &refs, "-i", &other, "-o", &baseline, "--overwrite", "-tok", "flores101"];
        assert!(run(&count).status.success());
        let gated = run(&["gate", "--policy", &policy, &refs, "-i", &hyp, "--json", &verdict]);
        let said = String::from_utf8_lossy(&gated.stderr).into_owned();
        let verdict = std::fs::read(&verdict).unwrap_or_else(|_| panic!("{said}"));
        let verdict: Value = serde_json::from_slice(&verdict).unwrap();
        let group = &verdict["rules"][0]["groups"][0];
        assert_eq!(group["new"].as_f64(), Some(expected), "{verdict}");
        assert!(group["baseline"].as_f64().unwrap() >= expected);
    }
}

#[test]
fn a_tokenizer_that_leaves_nothing_is_named_with_one_that_would_do() {
    let folder = Folder::new();
    for (text, suggested) in [
        ("\u{928}\u{92e}\u{938}\u{94d}\u{924}\u{947} \u{926}\u{941}\u{928}\u{93f}\u{92f}\u{93e}", "word"),
        ("\u{645}\u{631}\u{62d}\u{628}\u{627} \u{628}\u{643}", "word"),
        ("\u{4eca}\u{5929}\u{5929}\u{6c14}", "zh"),
    ] {
        let lines = folder.file("lines", format!("{text}\n"));
        let rows = folder.file("rows.jsonl", format!("{{\"hyp\": \"{text}\", \"ref\": \"{text}\"}}\n"));
        let said = |arguments: &[&str]| {
            let output = bleuprint(arguments);
            assert!(output.status.success(), "{arguments:?}");
            String::from_utf8(output.stderr).unwrap()
        };
        let warning = "the tokenizer `rouge` of ROUGE-L leaves nothing of 2 texts";
        let hint = format!("METRIC:tokenize={suggested}`");
        for source in [&["score", &lines, "-i", &lines][..], &["score", "--segments", &rows]] {
            for more in [&[][..], &["-sl"], &["--by", "length", "-f", "text"]] {
                let message = said(&[source, &["-m", "rougeL"], more].concat());
                assert!(message.contains(warning) && message.contains(&hint), "{message}");
            }
            let message = said(&[source, &["-m", "rougeL", "-q"]].concat());
            assert!(!message.contains("leaves nothing"), "{message}");
            let better = format!("rougeL:tokenize={suggested}");
            let scored = bleuprint(&[source, &["-m", &better]].concat());
            let message = String::from_utf8_lossy(&scored.stderr);
            assert!(!message.contains("leaves nothing"), "{message}");
            let value: Value = serde_json::from_slice(&scored.stdout).unwrap();
            assert_eq!(value["score"], 1.0, "{better}");
        }
    }
    let pool = folder.file("pool", "\u{928}\u{92e}\n\u{928}\u{92e}\n");
    for command in ["mbr", "self"] {
        let output = bleuprint(&[command, &pool, "-m", "rougeL"]);
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(message.contains("the tokenizer `rouge` of ROUGE-L leaves nothing"), "{command}: {message}");
    }
    let english = folder.file("english", "a b c\n...\n");
    let output = bleuprint(&["score", &english, "-i", &english, "-m", "rougeL", "bleu"]);
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}
