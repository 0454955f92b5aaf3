//! Tokens of a model, at every door.

use serde_json::Value;

use crate::common::{Folder, bleuprint_with, parsed, parsed_of, stdout};

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
