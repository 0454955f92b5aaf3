//! The gate as a job of CI meets it: baselines from `stats`, policies, exit codes, files.

mod baselines;
mod outputs;
mod verdicts;

use crate::common::Folder;

/// Documents of five segments; `good`, `worse` with a tenth of it spoilt, and `bad`.
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
    fn new() -> Self {
        let folder = Folder::new();
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

    fn judged(&self, arguments: &[&str]) -> (Option<i32>, String) {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_bleuprint"));
        command.args(arguments).current_dir(self.folder.path("")).env_remove("GITHUB_STEP_SUMMARY");
        let output = command.stdin(std::process::Stdio::null()).output().unwrap();
        let text =
            String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        (output.status.code(), text)
    }

    fn run(&self, arguments: &[&str], code: i32) -> String {
        let (found, text) = self.judged(arguments);
        assert_eq!(found, Some(code), "{arguments:?}: {text}");
        text
    }

    fn gate(&self, output: &str, code: i32) -> String {
        self.run(&["gate", "--policy", "gate.toml", "ref", "-i", output], code)
    }
}

const RULES: &str = "[[rule]]\nname = \"overall\"\nmetric = \"bleu\"\nmax-drop = 3\n";
