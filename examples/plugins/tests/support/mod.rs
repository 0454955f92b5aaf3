//! A folder of a test, and the program in it.

use std::path::PathBuf;
use std::process::Command;

pub const SEGMENTS: usize = 48;

pub struct Folder(PathBuf);

impl Folder {
    pub fn new(test: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("bleuprint-plugins-{}-{test}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    pub fn write(&self, name: &str, text: impl AsRef<str>) {
        std::fs::write(self.0.join(name), text.as_ref()).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).unwrap()
    }

    /// The output of the program, standard and on errors.
    pub fn both(&self, arguments: &str) -> (String, String) {
        let mut program = Command::new(env!("CARGO_BIN_EXE_bleuprint-plugins"));
        let output = program.args(arguments.split(' ')).current_dir(&self.0).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (text(output.stdout), text(output.stderr))
    }

    /// The output of a command that succeeds without notes, except for the calls that the judge tells.
    pub fn out(&self, arguments: &str) -> String {
        let (out, error) = self.both(arguments);
        let notes = error.lines().find(|line| !line.starts_with("the judge reads "));
        assert!(!out.is_empty() && notes.is_none(), "{arguments}: {out}{error}");
        out
    }

    /// The output of a command that resamples, and its cautions. The command may print no other notes.
    pub fn resampled(&self, arguments: &str) -> (String, String) {
        let (out, error) = self.both(arguments);
        let is_caution = |line: &str| line.contains("the mean of the resamples is");
        let notes = error.lines().find(|line| !line.starts_with("the judge reads ") && !is_caution(line));
        assert!(!out.is_empty() && notes.is_none(), "{arguments}: {out}{error}");
        (out, error)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
