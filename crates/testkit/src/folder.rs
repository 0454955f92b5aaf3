//! [`Folder`]: a temporary folder for the files of one test, which no other test uses.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// Temporary folder with a unique name, which is removed with its content when the value is dropped.
///
/// A name made of the process id and a word of the test is not unique: tests of one process run in parallel.
///
/// ```
/// let folder = bleuprint_testkit::Folder::new();
/// let file = folder.file("a.txt", "one\n");
/// assert_eq!(std::fs::read(&file).unwrap(), b"one\n");
/// assert_ne!(bleuprint_testkit::Folder::new().path("a.txt"), file);
/// drop(folder);
/// assert!(!file.exists());
/// ```
pub struct Folder(TempDir);

impl Folder {
    /// Creates a new folder in the temporary folder of the system.
    #[expect(clippy::new_without_default, reason = "it has a side effect")]
    pub fn new() -> Self {
        Folder(tempfile::Builder::new().prefix("bleuprint-").tempdir().expect("a writable temporary folder"))
    }

    /// Returns the path of a file with this name in the temporary folder. The file need not exist.
    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file with this name to the temporary folder and returns its path.
    pub fn file(&self, name: impl AsRef<Path>, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, content).expect("a writable temporary folder");
        path
    }
}

impl AsRef<Path> for Folder {
    fn as_ref(&self) -> &Path {
        self.0.path()
    }
}
