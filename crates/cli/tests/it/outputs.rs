//! Standard output that is closed, full or a pipe, as a shell makes it; other outputs are in `cases/outputs.case`.
#![cfg(unix)]

use crate::common::Folder;

fn files() -> Folder {
    let folder = Folder::new();
    folder.file("ref", "a b c d\n".repeat(12));
    folder.file("sys", "a b c d\n".repeat(12));
    let policy = "format = \"bleuprint-gate/1\"\nbaseline = \"main.stats\"\n[[rule]]\nmetric = \"bleu\"\nmax-drop = 1\n";
    folder.file("gate.toml", policy);
    folder.stdout_in(&["stats", "ref", "-i", "sys", "-o", "main.stats"]);
    folder
}

fn bash(folder: &Folder, script: &str) -> std::process::Output {
    let mut bash = std::process::Command::new("bash");
    bash.args(["-c", script]).current_dir(folder.path("")).env_remove("GITHUB_STEP_SUMMARY").output().unwrap()
}

/// As of a process substitution.
#[test]
fn a_pipe_is_written_to() {
    let folder = files();
    let program = env!("CARGO_BIN_EXE_bleuprint");
    let output = bash(&folder, &format!("cat <({program} stats ref -i sys -o /dev/fd/3 3>&1 >/dev/null)"));
    let main = std::fs::read(folder.path("main.stats")).unwrap();
    assert_eq!(output.stdout, main, "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_closed_standard_output_is_no_success() {
    let folder = files();
    let run = |script: String| {
        let output = bash(&folder, &format!("{} {script}", env!("CARGO_BIN_EXE_bleuprint")));
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

#[test]
fn a_verdict_that_nobody_reads_is_not_green() {
    let folder = files();
    folder.file("bad", "x y z\n".repeat(12));
    let program = env!("CARGO_BIN_EXE_bleuprint");
    let gate = format!("{program} gate --policy gate.toml ref -i bad");
    let output = bash(&folder, &format!("set -o pipefail; {gate} | true; exit ${{PIPESTATUS[0]}}"));
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
}
