//! The doc comments of a Rust file, each with the line of code that it describes.

use crate::tidy::tree::TreeFile;

/// Folders of a path in which comments are not counted: they are for tests and examples.
const LEFT_OUT: [&str; 3] = ["tests", "fuzz", "examples"];

/// A doc comment: neighbouring lines that begin with `///` or `//!`.
#[derive(Debug)]
pub(crate) struct DocComment<'t> {
    pub(crate) file: &'t str,
    /// Number of its first line, from 1.
    pub(crate) line: usize,
    pub(crate) lines: Vec<&'t str>,
    /// The line of code below the comment and its attributes, trimmed; empty at the end of a file.
    pub(crate) code: &'t str,
}

impl DocComment<'_> {
    /// Returns the whole comment as one line.
    pub(crate) fn text(&self) -> String {
        self.lines.join(" ")
    }

    /// Returns `true` if the comment describes a function.
    pub(crate) fn is_of_function(&self) -> bool {
        let mut code = self.code;
        if let Some(rest) = code.strip_prefix("pub") {
            code = rest.trim_start_matches(|c: char| c != ' ').trim_start();
        }
        for qualifier in ["const ", "unsafe ", "async "] {
            code = code.strip_prefix(qualifier).unwrap_or(code);
        }
        code.starts_with("fn ")
    }
}

/// Returns `true` if comments of the file are counted: it is Rust, and neither a test nor an example.
pub(crate) fn is_counted(file: &TreeFile) -> bool {
    let mut folders = file.path.split('/');
    let name = folders.next_back();
    file.is_rust() && name != Some("tests.rs") && !folders.any(|folder| LEFT_OUT.contains(&folder))
}

/// Returns the doc comments of a file, in order.
pub(crate) fn comments(file: &TreeFile) -> Vec<DocComment<'_>> {
    let lines: Vec<&str> = file.text.lines().map(str::trim_start).collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let count = lines[at..].iter().take_while(|line| doc_text(line).is_some()).count();
        if count == 0 {
            at += 1;
            continue;
        }
        let comment = lines[at..at + count].iter().filter_map(|line| doc_text(line)).collect();
        let below = lines[at + count..].iter().find(|line| !line.starts_with("#["));
        let code = below.map_or("", |line| line.trim_end());
        found.push(DocComment { file: &file.path, line: at + 1, lines: comment, code });
        at += count;
    }
    found
}

/// Returns the text of a line of a doc comment, or `None` for any other line.
fn doc_text(line: &str) -> Option<&str> {
    let text = line.strip_prefix("///").or_else(|| line.strip_prefix("//!"))?;
    Some(text.strip_prefix(' ').unwrap_or(text))
}

/// Counts the lines of code of a file and the lines of comments between them, unit tests left out.
pub(crate) fn reasons(file: &TreeFile) -> (usize, usize) {
    let mut code = 0;
    let mut comments = 0;
    for line in file.text.lines().map(str::trim).take_while(|line| !line.starts_with("#[cfg(test)]")) {
        if doc_text(line).is_some() || line.is_empty() {
            continue;
        }
        if line.starts_with("//") {
            comments += 1;
        } else {
            code += 1;
        }
    }
    (code, comments)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_has_its_lines_and_the_code_below_its_attributes() {
        let text = "//! A file.\n\n    /// Reads\n    /// lines.\n    #[must_use]\n    pub(crate) const fn read() {}\n";
        let file = TreeFile { path: "crates/a/src/b.rs".to_owned(), text: text.to_owned() };
        let found = comments(&file);
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].text().as_str(), found[0].code), ("A file.", ""));
        assert_eq!((found[1].line, found[1].text().as_str()), (3, "Reads lines."));
        assert!(found[1].is_of_function() && !found[0].is_of_function());
    }

    #[test]
    fn reasons_are_comments_between_code() {
        let text =
            "//! A file.\n// Why.\nlet a;\n/// Doc.\nlet b;\n\n#[cfg(test)]\n// Not counted.\nmod tests {}\n";
        let file = TreeFile { path: "a.rs".to_owned(), text: text.to_owned() };
        assert_eq!(reasons(&file), (2, 1));
    }

    #[test]
    fn tests_and_examples_are_not_counted() {
        let counted = |path: &str| is_counted(&TreeFile { path: path.to_owned(), text: String::new() });
        assert!(counted("crates/a/src/b.rs") && !counted("crates/a/src/tests.rs"));
        assert!(!counted("crates/a/tests/it/b.rs") && !counted("examples/b.rs") && !counted("a.py"));
    }
}
