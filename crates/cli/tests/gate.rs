//! The gate as a job of CI meets it: baselines from `stats`, policies, exit codes, files.

mod common;

use common::{Folder, bleuprint_with};
use serde_json::Value;

/// Segments in documents of five, and one output that is good, one with a tenth of it spoilt, one with all of it.
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
    fn new(test: &str) -> Self {
        let folder = Folder::new(test);
        folder.file("ref", lines(reference));
        let some = |index: usize| {
            if index.is_multiple_of(4) { "a cat sat here on the mat".to_owned() } else { reference(index) }
        };
        folder.file("good", lines(some));
        folder.file("worse", lines(|index| if index % 10 == 3 { "no idea".to_owned() } else { some(index) }));
        folder.file("bad", lines(|_| "the cat sat on it and did not look at dog at all".to_owned()));
        folder.file("domain", lines(|index| ["news", "chat"][index % 2].to_owned()));
        folder.file("document", lines(|index| (index / 5).to_string()));
        let files = Files { folder };
        let labels = ["--label", "domain=domain", "--label", "document=document"];
        files.run(
            &[&["stats", "ref", "-i", "good", "-o", "main.stats", "-m", "bleu", "chrf", "ter"], &labels[..]]
                .concat(),
            0,
        );
        files
    }

    fn policy(&self, text: &str) {
        self.folder
            .file("gate.toml", format!("format = \"bleuprint-gate/1\"\nbaseline = \"main.stats\"\n{text}"));
    }

    /// Runs within the folder, expects the exit code, and gives what was printed.
    fn run(&self, arguments: &[&str], code: i32) -> String {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_bleuprint"));
        command.args(arguments).current_dir(self.folder.path("")).env_remove("GITHUB_STEP_SUMMARY");
        let output = command.stdin(std::process::Stdio::null()).output().unwrap();
        let text =
            String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {text}");
        text
    }

    fn gate(&self, output: &str, code: i32) -> String {
        self.run(&["gate", "--policy", "gate.toml", "ref", "-i", output], code)
    }
}

const RULES: &str = "[[rule]]\nname = \"overall\"\nmetric = \"bleu\"\nmax-drop = 3\n";

#[test]
fn the_exit_code_is_the_verdict() {
    let files = Files::new("gate-codes");
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
    let files = Files::new("gate-errors");
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
    let files = Files::new("gate-rules");
    files.policy(concat!(
        "[test]\nresamples = 1000\nunit = \"segment\"\n",
        "[[rule]]\nname = \"worst domain\"\nmetric = \"bleu\"\nby = \"domain\"\nmax-drop = 3\n",
        "[[rule]]\nname = \"length\"\nmetric = \"bleu\"\npart = \"ratio\"\nmin = 0.5\nmax = 1.5\n",
        "[[rule]]\nmetric = \"chrf\"\nmax-drop = 60\n",
        "[[rule]]\nname = \"edits\"\nmetric = \"ter\"\nmax-drop = 0.5\n",
    ));
    let arguments = [
        "gate",
        "--policy",
        "gate.toml",
        "ref",
        "-i",
        "worse",
        "--json",
        "v.json",
        "--junit",
        "v.xml",
        "--summary",
        "v.md",
    ];
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
fn a_missing_baseline_may_be_recorded() {
    let files = Files::new("gate-record");
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
fn several_runs_are_judged_as_one_recipe() {
    let files = Files::new("gate-runs");
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

/// A baseline of a metric of two passes holds its weights: they must be those that the new output is judged by.
#[test]
fn baselines_with_weights_are_judged() {
    let files = Files::new("gate-weights");
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

/// What looks at the source is judged against a baseline of the same source, and of no source that is not known.
#[test]
fn another_source_is_another_baseline() {
    let files = Files::new("gate-source");
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
    files.folder.file("sari.stats", common::sealed(&old));
    assert!(files.run(&["show", "sari.stats"], 0).contains("SARI"));
    files.policy("[[rule]]\nmetric = \"sari\"\nagainst = \"sari.stats\"\nmax-drop = 1\n");
    let unknown = "SARI looks at the source, but this file of bleuprint-stats/1 does not say which source";
    assert!(gate("source", 2).contains(unknown));
    assert!(files.run(&["compare", "--stats", "sari.stats", "other.stats"], 2).contains(unknown));
    assert!(files.run(&["score", "--stats", "sari.stats"], 0).contains("SARI"));
}

/// A gain is told with the bounds of a gain.
#[test]
fn a_gain_lies_within_its_bounds() {
    let files = Files::new("gate-gain");
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
    let files = Files::new("gate-methods");
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

#[test]
fn the_summary_goes_where_the_host_wants_it() {
    let files = Files::new("gate-summary");
    files.policy(RULES);
    let summary = files.folder.path("step.md");
    let (policy, reference, good) =
        (files.folder.path("gate.toml"), files.folder.path("ref"), files.folder.path("good"));
    let output = bleuprint_with(
        &["gate", "--policy", &policy, &reference, "-i", &good],
        &[("GITHUB_STEP_SUMMARY", summary.as_str())],
    );
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(std::fs::read_to_string(&summary).unwrap().starts_with("## Gate: &#43; pass\n"));
}

/// Whoever reads the text may leave early: the exit code is the verdict's all the same.
#[cfg(unix)]
#[test]
fn a_closed_output_is_not_green() {
    let files = Files::new("gate-closed");
    files.policy(RULES);
    let program = env!("CARGO_BIN_EXE_bleuprint");
    let script = format!(
        "set -o pipefail; {program} gate --policy gate.toml ref -i bad | true; exit ${{PIPESTATUS[0]}}"
    );
    let mut command = std::process::Command::new("bash");
    command.args(["-c", &script]).current_dir(files.folder.path("")).env_remove("GITHUB_STEP_SUMMARY");
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
}
