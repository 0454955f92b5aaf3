//! Outputs: over no input, over no other output, to what is no file, and to nobody.

use crate::common::{Folder, refused};

struct Outputs {
    folder: Folder,
}

impl Outputs {
    fn new() -> Self {
        let folder = Folder::new();
        folder.file("ref", "a b c d\n".repeat(12));
        folder.file("sys", "a b c d\n".repeat(12));
        folder.file("labels", "x\n".repeat(12));
        let policy = "format = \"bleuprint-gate/1\"\nbaseline = \"main.stats\"\n[[rule]]\nmetric = \"bleu\"\nmax-drop = 1\n";
        folder.file("gate.toml", policy);
        let outputs = Outputs { folder };
        outputs.done(&["stats", "ref", "-i", "sys", "-o", "main.stats"]);
        outputs
    }

    fn run(&self, arguments: &[&str]) -> std::process::Output {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_bleuprint"));
        command.args(arguments).current_dir(self.folder.path("")).env_remove("GITHUB_STEP_SUMMARY");
        command.stdin(std::process::Stdio::null()).output().unwrap()
    }

    fn done(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// No file may change.
    fn refused(&self, arguments: &[&str], words: &str) {
        let files = || {
            let entry = |entry: std::io::Result<std::fs::DirEntry>| {
                let path = entry.unwrap().path();
                (path.clone(), std::fs::read(path).ok())
            };
            let mut files: Vec<_> = std::fs::read_dir(self.folder.path("")).unwrap().map(entry).collect();
            files.sort();
            files
        };
        let before = files();
        let output = self.run(arguments);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
        assert!(message.contains(words), "{arguments:?}: `{words}` is not in: {message}");
        assert!(files() == before, "{arguments:?} wrote something");
    }
}

const CIDER: [&str; 6] = ["score", "ref", "-i", "sys", "-m", "cider_d"];
const STATS: [&str; 4] = ["stats", "ref", "-i", "sys"];
const REPORT: [&str; 6] = ["report", "ref", "-i", "sys", "--label", "domain=labels"];
const GATE: [&str; 6] = ["gate", "--policy", "gate.toml", "ref", "-i", "sys"];

#[test]
fn outputs_are_no_inputs_and_no_other_outputs() {
    let outputs = Outputs::new();
    let refuse = |command: &[&str], more: &[&str], words: &str| {
        outputs.refused(&[command, more, &["--overwrite"]].concat(), words);
    };
    refuse(&CIDER, &["--save-learned", "ref"], "--save-learned ref: the command reads this file");
    refuse(&CIDER, &["--save-learned", "./sys"], "--save-learned ./sys: the command reads this file, as sys");
    refuse(&STATS, &["-o", "sys"], "-o sys: the command reads this file");
    refuse(&["merge", "main.stats"], &["-o", "main.stats"], "the command reads this file");
    refuse(&["subtract", "main.stats"], &["-o", "main.stats"], "the command reads this file");
    for input in ["ref", "sys", "labels"] {
        refuse(&REPORT, &["-o", input], "the command reads this file");
    }
    refuse(&["report", "--stats", "main.stats"], &["-o", "main.stats"], "the command reads this file");
    for input in ["ref", "sys", "gate.toml", "main.stats"] {
        for option in ["--json", "--junit", "--summary"] {
            refuse(&GATE, &[option, input], &format!("{option} {input}: the command reads this file"));
        }
    }
    refuse(&GATE, &["--json", "v", "--junit", "./v"], "--json v and --junit ./v are one file");
    refuse(&GATE, &["--json", "v", "--summary", "v"], "--json v and --summary v are one file");
    // A baseline that is to be recorded is one before it is there.
    std::fs::remove_file(outputs.folder.path("main.stats")).unwrap();
    refuse(&GATE, &["--json", "main.stats"], "the command reads this file");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("ref", outputs.folder.path("link")).unwrap();
        std::fs::hard_link(outputs.folder.path("ref"), outputs.folder.path("hard")).unwrap();
        for name in ["link", "hard"] {
            refuse(&STATS, &["-o", name], &format!("-o {name}: the command reads this file, as ref"));
            refuse(&REPORT, &["-o", name], "the command reads this file");
        }
    }
}

#[test]
fn what_is_there_is_not_written_over_without_a_word() {
    let outputs = Outputs::new();
    let there = "is there already";
    for (command, option) in [(&CIDER[..], "--save-learned"), (&STATS[..], "-o")] {
        let command = [command, &[option, "made"]].concat();
        outputs.done(&command);
        outputs.refused(&command, there);
        outputs.done(&[&command[..], &["--overwrite"]].concat());
        std::fs::remove_file(outputs.folder.path("made")).unwrap();
    }
    for (command, option, what) in
        [(&REPORT[..], "-o", "report"), (&GATE[..], "--json", "verdict"), (&GATE[..], "--junit", "verdict")]
    {
        outputs.folder.file("other", "something else\n");
        let to = |file| [command, &[option, file]].concat();
        outputs.refused(&to("other"), &format!("other is there already and is no {what}; --overwrite"));
        outputs.done(&[&to("other")[..], &["--overwrite"]].concat());
        // Its own, again.
        outputs.done(&to("other"));
        outputs.done(&to("other"));
    }
    // A summary is added to what is there.
    outputs.folder.file("step.md", "before\n");
    outputs.done(&[&GATE[..], &["--summary", "step.md"]].concat());
    assert!(std::fs::read_to_string(outputs.folder.path("step.md")).unwrap().starts_with("before\n## Gate"));
    refused(&["score", "x", "-i", "y", "--overwrite"], &["--save-learned"]);
}

#[cfg(unix)]
#[test]
fn what_is_no_regular_file_is_written_to() {
    let outputs = Outputs::new();
    for place in ["-", "/dev/stdout"] {
        let stats = outputs.done(&[&STATS[..], &["-o", place]].concat());
        assert!(stats.starts_with("{\"format\":\"bleuprint-stats/") && stats.ends_with("\"}\n"), "{stats}");
        let page = outputs.done(&[&REPORT[..], &["-o", place]].concat());
        assert!(page.starts_with("<!") && page.trim_end().ends_with("</html>"), "{page}");
        let verdict = outputs.done(&[&GATE[..], &["--json", place]].concat());
        assert!(verdict.starts_with('{') && verdict.contains("}\nPASS"), "{verdict}");
        let learned = outputs.done(&[&CIDER[..], &["--save-learned", place, "-b"]].concat());
        assert!(learned.starts_with("{\"format\":\"bleuprint-learned/"), "{learned}");
        assert!(!std::path::Path::new(&outputs.folder.path("-")).exists());
    }
    for command in [
        &[&STATS[..], &["-o", "/dev/null"]].concat(),
        &[&GATE[..], &["--json", "/dev/null", "--junit", "/dev/null"]].concat(),
    ] {
        outputs.done(command);
    }
    assert!(!std::fs::metadata("/dev/null").unwrap().is_file());
    // A pipe, as of a process substitution.
    let script =
        format!("cat <({} stats ref -i sys -o /dev/fd/3 3>&1 >/dev/null)", env!("CARGO_BIN_EXE_bleuprint"));
    let mut bash = std::process::Command::new("bash");
    let output = bash.args(["-c", &script]).current_dir(outputs.folder.path("")).output().unwrap();
    let main = std::fs::read(outputs.folder.path("main.stats")).unwrap();
    assert_eq!(output.stdout, main, "{}", String::from_utf8_lossy(&output.stderr));
}

#[cfg(unix)]
#[test]
fn a_closed_standard_output_is_no_success() {
    let outputs = Outputs::new();
    let run = |script: String| {
        let script = format!("{} {script}", env!("CARGO_BIN_EXE_bleuprint"));
        let mut bash = std::process::Command::new("bash");
        let output = bash.args(["-c", &script]).current_dir(outputs.folder.path("")).output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    for command in ["score ref -i sys", "gate --policy gate.toml ref -i sys", "list tokenizers"] {
        let (code, message) = run(format!("{command} >&-"));
        assert!(code == Some(2) && message.contains("standard output is closed"), "{command}: {message}");
        for stdout in [">/dev/null", "<>/dev/null >&0", "| true; exit ${PIPESTATUS[0]}"] {
            assert_eq!(run(format!("{command} {stdout}")).0, Some(0), "{command} {stdout}");
        }
        let (code, message) = run(format!("{command} >/dev/full"));
        assert!(code == Some(2) && message.contains("cannot write"), "{command}: {message}");
    }
}
