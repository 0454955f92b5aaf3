//! Verdicts: the exit code, groups and limits, gains, both methods, several runs of one recipe, and what cannot be compared.

use serde_json::Value;

use super::{Files, RULES, lines, reference};
use crate::common::words;

#[test]
fn the_exit_code_is_the_verdict() {
    let files = Files::new();
    files.policy(RULES);
    let pass = files.gate("good", 0);
    assert!(pass.starts_with("PASS  1 rule: 1 pass  exit 0\n  + overall  drop 0.00 of BLEU ("), "{pass}");
    assert!(pass.contains("No segment counts differently than in the baseline."), "{pass}");
    let fail = files.gate("bad", 1);
    assert!(fail.starts_with("FAIL  1 rule: 1 fail  exit 1\n  x overall  drop "), "{fail}");
    assert!(
        fail.contains("larger than allowed, with 95 % confidence") && fail.contains("  BLEU|nrefs:1|"),
        "{fail}"
    );
    files.policy(&RULES.replace("= 3", "= 9.5"));
    let inconclusive = files.gate("worse", 3);
    assert!(
        inconclusive.starts_with("INCONCLUSIVE  1 rule: 1 inconclusive  exit 3\n  ? overall"),
        "{inconclusive}"
    );
    assert!(
        inconclusive.contains("would be seen with 80 % power on these 200 segments in 40 documents."),
        "{inconclusive}"
    );
    for (word, code) in [("pass", 0), ("fail", 1)] {
        files.policy(&format!("[on]\ninconclusive = \"{word}\"\n{}", RULES.replace("= 3", "= 9.5")));
        assert!(files.gate("worse", code).starts_with("INCONCLUSIVE"));
    }
}

#[test]
fn what_cannot_be_compared_is_an_error_that_names_both() {
    let files = Files::new();
    let expect = |rules: &str, arguments: &[&str], words: &str| {
        files.policy(rules);
        let text = files.run(&[&["gate", "--policy", "gate.toml"], arguments].concat(), 2);
        assert!(text.contains(words), "{rules}: {text}");
    };
    let usual = ["ref", "-i", "good"];
    expect(
        &format!("{RULES}tokenize = \"char\""),
        &usual,
        "main.stats was scored differently: `tok:13a` there, `tok:char` here",
    );
    expect(&format!("{RULES}smooth-method = \"floor\""), &usual, "`smooth:exp` there, `smooth:floor");
    expect("[[rule]]\nmetric = \"wer\"\nmax-drop = 1", &usual, "holds no WER; it holds: bleu, chrf, ter");
    expect(RULES, &["good", "-i", "good"], "against other references, as in segment 1: ");
    expect(&format!("{RULES}by = \"domian\""), &usual, "no label `domian`; they have: ");
    expect(
        "[[rule]]\nmetric = \"bleu\"\nagainst = \"no.stats\"\nmax-drop = 1",
        &usual,
        "no.stats is not there; `bleuprint stats",
    );
    expect(
        "[[rule]]\nmetric = \"bleu\"\npart = \"rato\"\nmin = 1",
        &usual,
        "no part `rato`; it has: bp, ratio",
    );
    expect(
        &format!("{RULES}by = \"domain\"\nmin-segments = 101"),
        &usual,
        "none of the 2 groups has 101 segments",
    );
    expect("[[rule]]\nmetric = \"belu\"\nmin = 1", &usual, "gate.toml: line 4: unknown metric `belu`");
    files.folder.file("main.stats", "version https://git-lfs.github.com/spec/v1\noid sha256:00\n");
    files.policy(RULES);
    assert!(files.gate("good", 2).contains("pointer of Git LFS"));
    files.folder.file("short", "the\n");
    assert!(files.run(&["gate", "--policy", "gate.toml", "ref", "-i", "short"], 2).contains("200"));
    assert!(files.run(&["gate", "--policy", "none.toml", "ref", "-i", "good"], 2).contains("none.toml"));
}

#[test]
fn groups_limits_and_metrics_share_one_verdict() {
    let files = Files::new();
    files.policy(concat!(
        "[test]\nresamples = 1000\nunit = \"segment\"\n",
        "[[rule]]\nname = \"worst domain\"\nmetric = \"bleu\"\nby = \"domain\"\nmax-drop = 3\n",
        "[[rule]]\nname = \"length\"\nmetric = \"bleu\"\npart = \"ratio\"\nmin = 0.5\nmax = 1.5\n",
        "[[rule]]\nmetric = \"chrf\"\nmax-drop = 60\n",
        "[[rule]]\nname = \"edits\"\nmetric = \"ter\"\nmax-drop = 0.5\n",
    ));
    let arguments = words("gate --policy gate.toml ref -i worse --json v.json --junit v.xml --summary v.md");
    let text = files.run(&arguments, 1);
    let read = |name: &str| std::fs::read_to_string(files.folder.path(name)).unwrap();
    let json: Value = serde_json::from_str(&read("v.json")).unwrap();
    assert_eq!((&json["verdict"], &json["exit"]), (&Value::from("fail"), &Value::from(1)));
    let verdicts: Vec<&str> =
        json["rules"].as_array().unwrap().iter().map(|rule| rule["verdict"].as_str().unwrap()).collect();
    assert_eq!(verdicts, ["fail", "pass", "pass", "fail"], "{text}");
    // The spoilt segments are all in one domain, which stands first; the other is equal.
    let groups = &json["rules"][0]["groups"];
    assert_eq!((&groups[0]["group"], &groups[1]["reason"]), (&"chat".into(), &"no-difference".into()));
    assert!(json["rules"][3]["groups"][0]["drop"].as_f64().unwrap() > 0.0, "a rise of TER is a drop");
    assert!(read("v.xml").contains("tests=\"4\" failures=\"2\" errors=\"0\" skipped=\"0\""));
    assert!(read("v.md").contains("Segments that cost most") && read("v.md").contains("no idea"));
    let again = files.run(&arguments, 1);
    assert_eq!((text, serde_json::from_str::<Value>(&read("v.json")).unwrap()), (again, json));
    assert_eq!(read("v.md").matches("## Gate").count(), 2, "a summary is added to");
}

#[test]
fn several_runs_are_judged_as_one_recipe() {
    let files = Files::new();
    // Runs that spoil other segments, each as many: about 5 points each.
    for run in 0..3 {
        let spoilt = |index: usize| match index % 21 == 5 * run {
            true => "no idea".to_owned(),
            false if index.is_multiple_of(4) => "a cat sat here on the mat".to_owned(),
            false => reference(index),
        };
        files.folder.file(&format!("run{run}"), lines(spoilt));
    }
    let gate = |code: i32, runs: &[&str]| {
        let outputs = ["--json", "v.json", "--junit", "v.xml", "--summary", "v.md"];
        let text =
            files.run(&[&["gate", "--policy", "gate.toml", "ref", "-i"], runs, &outputs[..]].concat(), code);
        let read = |name: &str| std::fs::read_to_string(files.folder.path(name)).unwrap();
        let json: Value = serde_json::from_str(&read("v.json")).unwrap();
        let (junit, summary) = (read("v.xml"), read("v.md"));
        std::fs::remove_file(files.folder.path("v.md")).unwrap();
        (text, json, junit, summary)
    };
    let all = ["run0", "run1", "run2"];
    let limits = "[[rule]]\nname = \"length\"\nmetric = \"bleu\"\npart = \"sys_len\"\nmax = 3000\n";
    files.policy(&format!("{}{limits}", RULES.replace("= 3", "= 20")));
    let (text, json, junit, summary) = gate(0, &all);
    assert!(text.starts_with("PASS  2 rules: 2 pass, over 3 runs of one recipe  exit 0\n"), "{text}");
    assert!(
        text.contains("Runs: ") && text.contains("A verdict on the recipe behind these 3 runs"),
        "{text}"
    );
    assert!(summary.contains("over 3 runs of one recipe") && summary.contains("on the recipe behind"));
    assert_eq!(junit.matches("<property name=\"run\" value=\"run").count(), 3);
    assert_eq!(json["outputs"], serde_json::json!(all));
    let group = &json["rules"][0]["groups"][0];
    let runs: Vec<f64> = group["runs"].as_array().unwrap().iter().map(|run| run.as_f64().unwrap()).collect();
    let mean = runs.iter().sum::<f64>() / 3.0;
    let number = |group: &Value, key: &str| group[key].as_f64().unwrap();
    assert!((number(group, "new") - mean).abs() < 1e-9);
    assert!((number(group, "drop") - (number(group, "baseline") - mean)).abs() < 1e-9);
    // Each run alone has its own score, and bounds that know nothing of the others.
    for (place, run) in all.iter().enumerate() {
        let (_, alone, ..) = gate(0, &[run]);
        let alone = &alone["rules"][0]["groups"][0];
        assert_eq!(number(alone, "new"), runs[place]);
        assert_eq!(alone["runs"], serde_json::json!([]));
    }
    // A recipe whose runs differ wildly is not judged by three of them, although each fails or passes by itself.
    files.policy(&RULES.replace("= 3", "= 30"));
    assert!(gate(0, &["run0"]).0.starts_with("PASS"));
    assert!(gate(1, &["bad"]).0.starts_with("FAIL"));
    let (text, _, _, summary) = gate(3, &["run0", "run1", "bad"]);
    assert!(text.contains("it takes more runs"), "{text}");
    assert!(["| run0: ", "| run1: "].iter().any(|run| summary.contains(run)), "{summary}");
    // One output under two names is no two runs.
    files.folder.file("copy", std::fs::read_to_string(files.folder.path("run0")).unwrap());
    assert!(gate(0, &["run0", "copy"]).0.contains("run0 and copy are the same output"));
    // Which of several runs becomes the baseline is not guessed.
    std::fs::remove_file(files.folder.path("main.stats")).unwrap();
    files.policy(&format!("[on]\nmissing-baseline = \"record\"\n{RULES}"));
    let refused = files.run(&["gate", "--policy", "gate.toml", "ref", "-i", "run0", "run1"], 2);
    assert!(refused.contains("2 runs were given: give the one that becomes the baseline alone"), "{refused}");
    assert!(!std::path::Path::new(&files.folder.path("main.stats")).exists());
}

#[test]
fn a_gain_lies_within_its_bounds() {
    let files = Files::new();
    files.run(&["stats", "ref", "-i", "worse", "-o", "main.stats", "--overwrite", "-m", "bleu", "ter"], 0);
    files.policy("[test]\nunit = \"segment\"\n[[rule]]\nmetric = \"bleu\"\nmax-drop = 0.5\n[[rule]]\nmetric = \"ter\"\nmax-drop = 0.5\n");
    let text = files.gate("good", 0);
    let numbers = |line: &str| -> Vec<f64> {
        let words = line.split([' ', ',']).filter_map(|word| word.parse().ok());
        words.collect()
    };
    let gains: Vec<&str> = text.lines().filter(|line| line.contains("  gain ")).collect();
    assert_eq!(gains.len(), 2, "{text}");
    for line in gains {
        // The gain, its bounds, the drop that is allowed.
        let [gain, lower, upper, allowed] = numbers(line)[..] else { panic!("{line}") };
        assert!(0.0 < lower && lower < gain && gain < upper && line.ends_with("allowed drop 0.50"), "{line}");
        assert_eq!(allowed, 0.5);
    }
}

#[test]
fn both_methods_judge_alike() {
    let files = Files::new();
    for method in ["paired-bootstrap", "paired-randomization"] {
        let with = |rules: &str| files.policy(&format!("[test]\nmethod = \"{method}\"\n{rules}"));
        with(RULES);
        assert!(files.gate("bad", 1).starts_with("FAIL"));
        with(&RULES.replace("= 3", "= 40"));
        let arguments = ["gate", "--policy", "gate.toml", "ref", "-i", "worse", "--json", "v.json"];
        files.run(&arguments, 0);
        let json: Value =
            serde_json::from_str(&std::fs::read_to_string(files.folder.path("v.json")).unwrap()).unwrap();
        assert_eq!(json["method"], method);
    }
}
