//! The verdict for people and hosts: the summary, and an output that nobody reads.

use super::{Files, RULES};
use crate::common::bleuprint_with;

#[test]
fn the_summary_goes_where_the_host_wants_it() {
    let files = Files::new();
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

#[cfg(unix)]
#[test]
fn a_closed_output_is_not_green() {
    let files = Files::new();
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
