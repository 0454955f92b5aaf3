//! The files of the workspace as the rules see them, and the findings of a rule.

use std::fmt;
use std::fs;
use std::path::Path;

use xtask::Result;

const SKIPPED: &[&str] = &["target", ".git", "__pycache__", ".venv"];

const TEXT: &[&str] = &["rs", "md", "toml", "yml", "yaml", "py", "sh", "case"];

const TEXT_NAMES: &[&str] = &["run"];

/// One text file with its path relative to the root, written with `/`.
#[derive(Debug, Clone)]
pub(crate) struct TreeFile {
    pub(crate) path: String,
    pub(crate) text: String,
}

impl TreeFile {
    /// Returns the lines with their numbers, from 1.
    pub(crate) fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.text.lines().enumerate().map(|(i, line)| (i + 1, line))
    }

    /// Returns the lines that are code: no comments, and nothing after `#[cfg(test)]`, which begins the unit
    /// tests.
    pub(crate) fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        self.lines()
            .take_while(|(_, line)| line.trim() != "#[cfg(test)]")
            .filter(|(_, line)| !line.trim_start().starts_with("//"))
    }

    pub(crate) fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }

    pub(crate) fn finding(&self, line: usize, message: impl Into<String>) -> Finding {
        Finding { place: format!("{}:{line}", self.path), message: message.into() }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Finding {
    /// `file:line`, or the name of a package.
    pub(crate) place: String,
    pub(crate) message: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

#[derive(Debug, Default)]
pub(crate) struct SourceTree {
    files: Vec<TreeFile>,
    paths: Vec<String>,
}

impl SourceTree {
    pub(crate) fn read(root: &Path) -> Result<SourceTree> {
        let mut tree = SourceTree::default();
        tree.visit(root, "")?;
        Ok(tree)
    }

    #[cfg(test)]
    pub(crate) fn of(files: &[(&str, &str)]) -> SourceTree {
        let mut tree = SourceTree::default();
        for (path, text) in files {
            tree.files.push(TreeFile { path: (*path).to_owned(), text: (*text).to_owned() });
            // Folders are paths, too: `exists` must find them as it does in a tree read from disk.
            for (i, _) in path.match_indices('/').chain([(path.len(), "")]) {
                tree.paths.push(path[..i].to_owned());
            }
        }
        tree
    }

    fn visit(&mut self, folder: &Path, below: &str) -> Result {
        let entries = fs::read_dir(folder).map_err(|error| format!("cannot list {below:?}: {error}"))?;
        let mut entries: Vec<_> = entries.flatten().collect();
        // The order of a directory differs by file system; findings must not.
        entries.sort_by_key(std::fs::DirEntry::file_name);
        for entry in entries {
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = if below.is_empty() { name.clone() } else { format!("{below}/{name}") };
            if entry.path().is_dir() {
                if !SKIPPED.contains(&name.as_str()) {
                    self.paths.push(path.clone());
                    self.visit(&entry.path(), &path)?;
                }
                continue;
            }
            self.paths.push(path.clone());
            let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
            if TEXT.contains(&extension) || TEXT_NAMES.contains(&name.as_str()) {
                let text = fs::read_to_string(entry.path());
                let text = text.map_err(|error| format!("cannot read {path}: {error}"))?;
                self.files.push(TreeFile { path, text });
            }
        }
        Ok(())
    }

    pub(crate) fn files(&self) -> &[TreeFile] {
        &self.files
    }

    pub(crate) fn rust(&self) -> impl Iterator<Item = &TreeFile> {
        self.files.iter().filter(|file| file.is_rust())
    }

    pub(crate) fn file(&self, path: &str) -> Option<&TreeFile> {
        self.files.iter().find(|file| file.path == path)
    }

    pub(crate) fn exists(&self, path: &str) -> bool {
        path.is_empty() || self.paths.iter().any(|known| known == path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_leaves_out_comments_and_unit_tests() {
        let text = "//! x\nlet a = 1; // kept\n    /// doc\nlet b;\n#[cfg(test)]\nmod tests {}\n";
        let file = TreeFile { path: "a.rs".to_owned(), text: text.to_owned() };
        let code: Vec<usize> = file.code().map(|(number, _)| number).collect();
        assert_eq!(code, [2, 4]);
    }

    #[test]
    fn made_up_trees_know_their_folders() {
        let tree = SourceTree::of(&[("crates/core/src/lib.rs", "")]);
        assert!(tree.exists("crates/core") && tree.exists("crates/core/src/lib.rs") && !tree.exists("core"));
    }
}
