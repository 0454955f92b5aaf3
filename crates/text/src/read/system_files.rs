//! [`SystemFiles`]: the files of one system, which the user gives as a path or as a name with several paths.

use std::path::Path;

/// The files of one system, which a reader reads as one.
///
/// The user gives the path of one file or folder, or `NAME=FILE,FILE,..`. A file whose path is the whole text has
/// precedence.
///
/// ```
/// use bleuprint_text::read::SystemFiles;
/// let given = SystemFiles::parse("large=ann.ctm,bob.ctm");
/// assert_eq!((&*given.name, &given.paths[..]), ("large", &["ann.ctm".to_owned(), "bob.ctm".to_owned()][..]));
/// let given = SystemFiles::parse("ann.ctm");
/// assert_eq!((&*given.name, &given.paths[..]), ("ann.ctm", &["ann.ctm".to_owned()][..]));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "closed: a name and paths")]
pub struct SystemFiles {
    /// The name of the system: the name that the user gave, or the path of its only file.
    pub name: String,
    /// The paths of the files, at least one.
    pub paths: Vec<String>,
}

impl SystemFiles {
    /// Splits a text of the user into the name and the paths of a system.
    pub fn parse(given: &str) -> Self {
        let alone = || SystemFiles { name: given.to_owned(), paths: vec![given.to_owned()] };
        match given.split_once('=').filter(|(name, paths)| !name.is_empty() && !paths.is_empty()) {
            Some((name, paths)) if !Path::new(given).exists() => {
                let paths = paths.split(',').map(str::to_owned).collect();
                SystemFiles { name: name.to_owned(), paths }
            }
            _ => alone(),
        }
    }
}

#[cfg(test)]
#[test]
fn a_file_of_the_whole_name_has_precedence() {
    let folder = bleuprint_testkit::Folder::new();
    let path = folder.file("a=b,c.ctm", "").to_string_lossy().into_owned();
    assert_eq!(SystemFiles::parse(&path).paths, [path]);
    for alone in ["=a,b", "a=", "a,b", "-"] {
        assert_eq!(SystemFiles::parse(alone).paths, [alone], "{alone}");
    }
}
