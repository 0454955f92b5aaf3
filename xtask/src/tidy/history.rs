//! The history of the ceilings: a commit that raises one changes no other file and gives the reason. Also the
//! folders that grew since.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use super::ceilings::{LinePart, PATH};
use super::tree::Finding;

/// Result of the check of the last commit that raised a ceiling.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum RaiseCheck {
    /// The checkout has no history, or a shallow one.
    NoHistory,
    /// The ceilings that a bad commit raised, or nothing.
    Checked(Vec<Finding>),
}

/// Returns what git prints; `None` if it fails, as without a repository.
fn git(root: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).current_dir(root).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Returns `true` if `root` is the top of a repository with its whole history.
fn is_whole(root: &Path) -> bool {
    let prefix = git(root, &["rev-parse", "--show-prefix"]);
    let shallow = git(root, &["rev-parse", "--is-shallow-repository"]);
    // A source archive inside of another repository must not be judged by its history.
    prefix.is_some_and(|prefix| prefix.trim().is_empty())
        && shallow.is_some_and(|shallow| shallow.trim() == "false")
}

/// Returns the rows of the data file in a commit, by their dotted names; none if the file is not there or unreadable.
fn rows(root: &Path, commit: &str) -> BTreeMap<String, i64> {
    let text = git(root, &["show", &format!("{commit}:{PATH}")]).unwrap_or_default();
    let mut rows = BTreeMap::new();
    if let Ok(table) = toml::from_str(&text) {
        flatten("", &toml::Value::Table(table), &mut rows);
    }
    rows
}

fn flatten(name: &str, value: &toml::Value, rows: &mut BTreeMap<String, i64>) {
    match value {
        toml::Value::Integer(number) => {
            rows.insert(name.to_owned(), *number);
        }
        toml::Value::Table(table) => {
            for (key, value) in table {
                let dot = if name.is_empty() { "" } else { "." };
                flatten(&format!("{name}{dot}{key}"), value, rows);
            }
        }
        _ => {}
    }
}

/// Checks the last commit that raised a ceiling: it changes [`PATH`] alone, and its message has a body. A commit that creates,
/// removes or renames rows is exempt.
pub(crate) fn last_raise(root: &Path) -> RaiseCheck {
    let log = ["log", "--no-merges", "--format=%H", "--", PATH];
    let Some(commits) = is_whole(root).then(|| git(root, &log)).flatten() else {
        return RaiseCheck::NoHistory;
    };
    for commit in commits.lines() {
        let before = rows(root, &format!("{commit}^"));
        let after = rows(root, commit);
        // New or renamed rows have no earlier ceiling to compare with.
        if !before.keys().eq(after.keys()) {
            continue;
        }
        let raised: Vec<&str> = after
            .iter()
            .filter(|(name, most)| before.get(*name).is_some_and(|before| before < most))
            .map(|(name, _)| name.as_str())
            .collect();
        if !raised.is_empty() {
            return RaiseCheck::Checked(faults(root, commit, &raised.join(", ")));
        }
    }
    RaiseCheck::Checked(Vec::new())
}

/// Finds the faults of a commit that raises the ceilings `raised`.
fn faults(root: &Path, commit: &str, raised: &str) -> Vec<Finding> {
    let short = commit.get(..10).unwrap_or(commit);
    let finding = |message| Finding { place: PATH.to_owned(), message };
    let mut findings = Vec::new();
    // With renames on, git would list a moved file under one name only.
    let show = ["show", "--no-renames", "--name-only", "--format=", commit];
    let changed = git(root, &show).unwrap_or_default();
    if let Some(other) = changed.lines().find(|path| !path.is_empty() && *path != PATH) {
        findings.push(finding(format!(
            "commit {short} raises {raised} and changes {other} too: set the ceilings back, and raise them in a commit of their own"
        )));
    }
    if git(root, &["log", "-1", "--format=%b", commit]).unwrap_or_default().trim().is_empty() {
        findings.push(finding(format!(
            "commit {short} raises {raised} and does not say why: give its message a body with the reason"
        )));
    }
    findings
}

/// Number of folders that [`growth`] names.
const NAMED: usize = 3;

/// Returns the folders of a part that grew most since the commit that last changed [`PATH`], as words; `None` without history.
pub(crate) fn growth(root: &Path, part: &LinePart) -> Option<String> {
    let commit = is_whole(root).then(|| git(root, &["log", "-1", "--format=%H", "--", PATH])).flatten()?;
    let commit = commit.trim();
    let changes = git(root, &["diff", "--no-renames", "--numstat", commit])?;
    let mut folders: BTreeMap<String, i64> = BTreeMap::new();
    for line in changes.lines() {
        let mut cells = line.split('\t');
        let (Some(added), Some(removed), Some(path)) = (cells.next(), cells.next(), cells.next()) else {
            continue;
        };
        if LinePart::from_path(path).as_ref() == Some(part) {
            // Git prints `-` in place of both numbers for a binary file.
            let grown = added.parse().unwrap_or(0) - removed.parse().unwrap_or(0);
            *folders.entry(folder(path, part)).or_default() += grown;
        }
    }
    // `git diff` leaves out files that are not added yet, but the ceilings count them.
    let new = git(root, &["ls-files", "--others", "--exclude-standard"])?;
    for path in new.lines().collect::<BTreeSet<_>>() {
        if LinePart::from_path(path).as_ref() == Some(part) {
            let lines = std::fs::read_to_string(root.join(path)).map_or(0, |text| text.lines().count());
            *folders.entry(folder(path, part)).or_default() += i64::try_from(lines).unwrap_or(i64::MAX);
        }
    }
    let mut folders: Vec<_> = folders.into_iter().filter(|(_, lines)| *lines > 0).collect();
    folders.sort_by_key(|(_, lines)| std::cmp::Reverse(*lines));
    let words: Vec<String> =
        folders.iter().take(NAMED).map(|(folder, lines)| format!("{folder} (+{lines})")).collect();
    let short = commit.get(..10).unwrap_or(commit);
    (!words.is_empty()).then(|| format!("Most lines since commit {short} are in {}", words.join(", ")))
}

/// Returns the folder under which the growth of a file is counted: a package or a similar folder, and within
/// a family one folder more.
fn folder(path: &str, part: &LinePart) -> String {
    let depth = match part {
        LinePart::Crates => 2,
        LinePart::Rest => 1,
        LinePart::Family(_) => 5,
    };
    path.split('/').take(depth).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    /// A temporary repository for tests.
    struct Repository(PathBuf);

    impl Repository {
        fn new() -> Self {
            static NUMBER: AtomicU32 = AtomicU32::new(0);
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let folder =
                std::env::temp_dir().join(format!("bleuprint-ceilings-{}-{number}", std::process::id()));
            fs::create_dir_all(&folder).unwrap();
            let repository = Repository(folder);
            repository.git(&["init", "--quiet"]);
            repository
        }

        fn git(&self, arguments: &[&str]) {
            let who = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"];
            let output = Command::new("git").args(who).args(arguments).current_dir(&self.0).output().unwrap();
            assert!(output.status.success(), "{arguments:?}: {output:?}");
        }

        fn write(&self, path: &str, text: &str) {
            let path = self.0.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }

        /// Commits the ceilings and other text files.
        fn commit(&self, ceilings: &str, others: &[(&str, &str)], message: &str) {
            self.write(PATH, ceilings);
            for (path, text) in others {
                self.write(path, text);
            }
            self.git(&["add", "-A"]);
            self.git(&["commit", "--quiet", "--allow-empty", "-m", message]);
        }

        fn found(&self) -> Vec<String> {
            match last_raise(&self.0) {
                RaiseCheck::NoHistory => panic!("no history"),
                RaiseCheck::Checked(findings) => findings.iter().map(ToString::to_string).collect(),
            }
        }
    }

    impl Drop for Repository {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn a_raise_is_a_commit_of_its_own_with_a_reason() {
        let repository = Repository::new();
        let none: [String; 0] = [];
        repository.commit("[items]\na = 1\n", &[("a.rs", "x\n")], "Create rows");
        assert_eq!(repository.found(), none);
        repository.commit("[items]\na = 2\n", &[("a.rs", "y\n")], "Raise\n\nA reason.");
        let found = repository.found();
        assert!(found.len() == 1 && found[0].contains("raises items.a and changes a.rs too"), "{found:?}");
        // Later commits that lower a ceiling or change other files hide nothing.
        repository.commit("[items]\na = 1\n", &[("a.rs", "z\n")], "Lower");
        assert_eq!(repository.found().len(), 1);
        repository.commit("[items]\na = 3\n", &[], "Raise\n\nA reason.");
        assert_eq!(repository.found(), none);
        repository.commit("[items]\na = 4\n", &[], "Raise without a word");
        let found = repository.found();
        assert!(found.len() == 1 && found[0].contains("does not say why"), "{found:?}");
        repository.commit("[items]\na = 5\n", &[("a.rs", "w\n")], "Raise again");
        assert_eq!(repository.found().len(), 2);
        repository.commit("[items]\na = 6\n", &[], "Raise\n\nA reason.");
        repository.commit("[items]\na = 9\nb = 1\n", &[("b.rs", "x\n")], "Create a row");
        repository.commit("[items]\na = 9\nc = 2\n", &[("b.rs", "y\n")], "Move a row");
        assert_eq!(repository.found(), none);
    }

    #[test]
    fn shallow_and_absent_histories_pass() {
        let repository = Repository::new();
        repository.commit("a = 1\n", &[], "Create");
        repository.commit("a = 2\n", &[("a.rs", "x\n")], "Raise");
        assert_eq!(repository.found().len(), 2);
        let url = format!("file://{}", repository.0.display());
        repository.git(&["clone", "--quiet", "--depth", "1", &url, "shallow"]);
        assert_eq!(last_raise(&repository.0.join("shallow")), RaiseCheck::NoHistory);
        // A folder within a repository is not a separate checkout.
        assert_eq!(last_raise(&repository.0.join("xtask")), RaiseCheck::NoHistory);
    }

    #[test]
    fn the_largest_growth_is_named_by_folder() {
        let repository = Repository::new();
        repository.commit(
            "a = 1\n",
            &[("crates/a/src/lib.rs", "x\nx\n"), ("crates/b/src/lib.rs", "x\n")],
            "Create",
        );
        assert_eq!(growth(&repository.0, &LinePart::Crates), None);
        repository.write("crates/a/src/lib.rs", "x\n");
        repository.write("crates/b/src/lib.rs", "x\ny\nz\n");
        repository.write("crates/c/src/lib.rs", "x\ny\nz\n");
        repository.write("crates/families/f/src/deep/lib.rs", "x\n");
        let words = growth(&repository.0, &LinePart::Crates).unwrap();
        assert!(words.ends_with(" are in crates/c (+3), crates/b (+2)"), "{words}");
        let words = growth(&repository.0, &LinePart::Family("f".to_owned())).unwrap();
        assert!(words.ends_with(" are in crates/families/f/src/deep (+1)"), "{words}");
        assert_eq!(growth(&repository.0, &LinePart::Rest), None);
    }
}
