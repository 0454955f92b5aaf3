//! Metrics over data of their own at every door of the program, which knows none of their types.

use std::path::PathBuf;
use std::process::Command;

const JUDGED: [&str; 3] = [r#"{"a": 3, "b": 1}"#, r#"{"a": 1}"#, r#"{"b": 2, "c": 1}"#];
/// The rankings of two systems.
const RANKED: [[&str; 3]; 2] =
    [[r#"["a", "b"]"#, r#"["a"]"#, r#"["b", "c"]"#], [r#"["b", "a"]"#, r#"["b", "a"]"#, r#"["a", "c"]"#]];

struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("bleuprint-own-{}-{test}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    fn write(&self, name: &str, text: impl AsRef<str>) {
        std::fs::write(self.0.join(name), text.as_ref()).unwrap();
    }

    /// The output of the program, standard and on errors.
    fn both(&self, arguments: &str) -> (String, String) {
        let mut program = Command::new(env!("CARGO_BIN_EXE_bleuprint-plugins"));
        let output = program.args(arguments.split(' ')).current_dir(&self.0).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (text(output.stdout), text(output.stderr))
    }

    /// The same of a command that may print nothing.
    fn out_or_empty(&self, arguments: &str) -> String {
        let (out, error) = self.both(arguments);
        assert!(!error.contains("error"), "{arguments}: {error}");
        out
    }

    fn out(&self, arguments: &str) -> String {
        let (out, error) = self.both(arguments);
        assert!(!out.is_empty() && error.is_empty(), "{arguments}: {out}{error}");
        out
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The records of a system, or of both with their names.
fn records(systems: &[usize], named: bool) -> String {
    let mut lines = String::new();
    for &system in systems {
        for (segment, (docs, judged)) in RANKED[system].iter().zip(JUDGED).enumerate() {
            let name =
                if named { format!(r#""system": "{}", "#, ["one", "two"][system]) } else { String::new() };
            let domain = ["web", "news"][segment % 2];
            lines += &format!(
                "{{{name}\"id\": {segment}, \"domain\": \"{domain}\", \"hypothesis\": {{\"docs\": {docs}}}, \
                 \"reference\": {judged}, \"source\": \"query {segment}\"}}\n"
            );
        }
    }
    lines
}

#[test]
fn rankings_are_scored_compared_and_stored() {
    let folder = Folder::new("rankings");
    folder.write("both.jsonl", records(&[0, 1], true));
    folder.write("one.jsonl", records(&[0], false));
    folder.write("two.jsonl", records(&[1], false));

    let score = folder.out("score --segments both.jsonl -m ndcg:k=2 -f text");
    assert!(score.contains("nrefs:1|k:2|version:") && score.contains("0.556"), "{score}");
    let by = folder.out("score --segments both.jsonl -m ndcg --by domain -f text");
    assert!(by.contains("web") && by.contains("news"), "{by}");
    let compared = folder.out("compare --segments both.jsonl -m ndcg --resamples 100");
    assert!(compared.contains("one") && compared.contains("two") && compared.contains("nDCG"), "{compared}");
    let files = folder.out("score --numbers one=one.jsonl two=two.jsonl --id id -m ndcg:k=2 -f text");
    assert!(files.contains("1.000") && files.contains("0.556"), "{files}");
    folder.write("weights", "2\n1\n1\n");
    let weighted = folder.out("score --segments both.jsonl -m ndcg --segment-weights weights -f text");
    assert!(weighted.contains("weights:integer"), "{weighted}");
    let confidence = folder.out("score --segments both.jsonl -m ndcg --confidence --confidence-n 50 -f text");
    assert!(confidence.contains("±") || confidence.contains("ci"), "{confidence}");

    folder.out_or_empty("stats --segments one.jsonl -m ndcg:k=2 -o one.stats");
    folder.out_or_empty("stats --segments two.jsonl -m ndcg:k=2 -o two.stats");
    let stored = folder.out("score --stats one.stats two.stats -f text");
    assert!(stored.contains("1.000") && stored.contains("0.556"), "{stored}");
    let tested = folder.out("compare --stats one.stats two.stats --resamples 100");
    assert!(tested.contains("nDCG"), "{tested}");
    folder.out_or_empty("report --segments both.jsonl -m ndcg -o report.html");
    let page = std::fs::read_to_string(folder.0.join("report.html")).unwrap();
    assert!(page.contains("nDCG"));
    let file = std::fs::read_to_string(folder.0.join("one.stats")).unwrap();
    assert!(file.contains("ndcg/1|k:2|data:ranking"), "{file}");
}

#[test]
fn records_are_segments_of_a_form() {
    let folder = Folder::new("records");
    folder.write(
        "a.jsonl",
        "{\"id\": \"HumanEval/0\", \"n\": 4, \"c\": 1}\n{\"id\": \"HumanEval/1\", \"n\": 4, \"c\": 3}\n",
    );
    folder.write("b.csv", "id,n,c\nHumanEval/0,4,2\nHumanEval/1,4,4\n");
    let score = folder.out("score --segments a.jsonl -m pass_at_k pass_at_k:k=2 -f text");
    assert!(score.contains("pass@1|version:") || score.contains("pass@1"), "{score}");
    assert!(score.contains("50.0"), "{score}");
    let table = folder.out("score --segments b.csv -m pass_at_k -f text");
    assert!(table.contains("75.0"), "{table}");
    let both = folder.out("score --numbers a.jsonl b.csv --id id -m pass_at_k -f text");
    assert!(both.contains("50.0") && both.contains("75.0"), "{both}");

    for (name, line, words) in [
        (
            "typo",
            r#"{"id": 1, "n": 4, "cc": 1}"#,
            &["typo.jsonl", "line 2", "`cc`", "`n`", "`c`", "samples"][..],
        ),
        ("missing", r#"{"id": 1, "n": 4}"#, &["missing.jsonl", "line 2", "missing field `c`"]),
        ("more", r#"{"id": 1, "n": 4, "c": 9}"#, &["more.jsonl", "line 2", "4 samples, of which 9 pass"]),
    ] {
        folder.write(&format!("{name}.jsonl"), format!("{{\"n\": 1, \"c\": 1}}\n{line}\n"));
        let (_, error) = folder.both(&format!("score --segments {name}.jsonl -m pass_at_k"));
        for word in words {
            assert!(error.contains(word), "{word}: {error}");
        }
    }
    folder.write("text", "a\n");
    let (_, error) = folder.both("score text -i text -m bleu pass_at_k");
    assert!(error.contains("pass@1 takes `samples` data (n, c): give --segments FILE"), "{error}");
}
