//! The golden cases of chrF through the door of the command line.

mod common;

use bleuprint_testkit::chrf::{ChrfCase, cases};
use common::{Folder, stdout};
use serde_json::Value;

/// What the command line can say: no missing references, no line breaks inside a segment, and no line that reading
/// changes: it takes the whitespace off their ends, which matters where whitespace counts.
fn expressible(case: &ChrfCase) -> bool {
    let texts = || case.streams.iter().flatten().map(Option::as_ref).chain(case.hypotheses.iter().map(Some));
    let one_line = |text: &String| !text.contains(['\n', '\r']);
    let ends = |text: &String| !case.options.whitespace || text.trim_end() == text;
    texts().all(|text| text.is_some_and(|text| one_line(text) && ends(text)))
}

fn arguments(folder: &Folder, case: &ChrfCase) -> Vec<String> {
    let mut arguments: Vec<String> = vec!["score".into()];
    for (index, stream) in case.streams.iter().enumerate() {
        let lines: String = stream.iter().flatten().map(|text| format!("{text}\n")).collect();
        arguments.push(folder.file(&format!("ref{index}"), lines));
    }
    let hypotheses: String = case.hypotheses.iter().map(|text| format!("{text}\n")).collect();
    arguments.extend(["-i".into(), folder.file("sys", hypotheses), "-m".into(), "chrf".into()]);
    arguments.extend(["--empty-references", "keep"].map(str::to_owned));
    for (name, value) in case.options.named() {
        match value.as_str() {
            "no" => {}
            "yes" => arguments.push(format!("--{name}")),
            _ => arguments.extend([format!("--{name}"), value]),
        }
    }
    arguments
}

#[test]
fn golden_cases_through_the_command_line() {
    let folder = Folder::new();
    let mut compared = 0;
    for case in cases().iter().filter(|case| expressible(case)) {
        let arguments = arguments(&folder, case);
        let json: Value =
            serde_json::from_str(&stdout(&arguments.iter().map(String::as_str).collect::<Vec<_>>(), b""))
                .unwrap();
        let score = json["score"].as_f64().unwrap();
        assert_eq!(score.to_bits(), case.expected.score.to_bits(), "{}: {score}", case.name);
        assert_eq!(json["name"], *case.expected.name, "{}", case.name);
        compared += 1;
    }
    assert!(compared > 200, "only {compared} cases");
}

#[test]
fn the_options_have_sacrebleus_names() {
    let folder = Folder::new();
    let (hypothesis, reference) = (folder.file("h", "the cat sat.\n"), folder.file("r", "the cat sits.\n"));
    let line = |options: &[&str]| {
        let arguments =
            [&["score", &reference, "-i", &hypothesis, "-f", "text", "-w", "2"], options].concat();
        stdout(&arguments, b"")
    };
    assert!(
        line(&["-m", "chrf"]).starts_with("chrF2|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:")
    );
    assert!(line(&["-m", "chrf"]).ends_with(" = 55.22\n"));
    for options in
        [&["-m", "chrf++"][..], &["-m", "chrf", "-cw", "2"], &["-m", "chrf", "--chrf-word-order", "2"]]
    {
        let line = line(options);
        assert!(line.starts_with("chrF2++|") && line.ends_with(" = 54.98\n"), "{line}");
    }
    assert!(line(&["-m", "chrf", "-cc", "3", "--chrf-beta", "0.5"]).starts_with("chrF0.5|"));
    assert!(line(&["-m", "chrf", "--chrf-beta", "3"]).ends_with(" = 54.56\n"));
    assert!(line(&["-m", "chrf", "--chrf-eps-smoothing"]).contains("|eff:no|"));
    let both = line(&["-m", "bleu", "chrf", "chrf++"]);
    assert_eq!(both.lines().count(), 3, "{both}");
}
