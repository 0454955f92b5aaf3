//! Access to files of embedding vectors. A [`VectorReader`] reads large files a piece at a time.

use std::borrow::Cow;
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use bleuprint_core::{InputError, InputErrorKind, Location, Result, Vector, VectorValues};

use super::table::{VectorNumbers, VectorTable};

/// Size in bytes above which a file of embedding vectors is read in pieces instead of as a whole.
const LARGE: u64 = 1 << 20;

/// Number of values that are read from a file of vectors at once, unless one text has more. They fit in the
/// processor's cache.
const PIECE: usize = 1 << 14;

/// The content of a file of embedding vectors: in memory, or still in the open file.
#[derive(Debug)]
pub(super) enum FileContent {
    Memory(Vec<u8>),
    File(OpenFile),
}

/// An open file of vectors, with its length and the time of its last change.
#[derive(Debug)]
pub(super) struct OpenFile {
    path: Arc<Path>,
    file: File,
    len: usize,
    changed: Option<SystemTime>,
}

impl FileContent {
    /// Opens a file of vectors. A small file or a pipe is read into memory; a large file stays open.
    pub(super) fn open(path: &Path) -> Result<Self> {
        let mut file = File::open(path).map_err(failed)?;
        let metadata = file.metadata().map_err(failed)?;
        match usize::try_from(metadata.len()) {
            Ok(len) if metadata.is_file() && metadata.len() > LARGE => {
                let changed = metadata.modified().ok();
                Ok(FileContent::File(OpenFile { path: path.into(), file, len, changed }))
            }
            _ => {
                let mut bytes = Vec::new();
                file.read_to_end(&mut bytes).map_err(failed)?;
                Ok(FileContent::Memory(bytes))
            }
        }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            FileContent::Memory(bytes) => bytes.len(),
            FileContent::File(file) => file.len,
        }
    }

    /// Returns the bytes of this range of the file; a range that exceeds the file is cut at its end.
    pub(super) fn read(&self, range: Range<usize>) -> Result<Cow<'_, [u8]>> {
        let end = range.end.min(self.len());
        let range = range.start.min(end)..end;
        match self {
            FileContent::Memory(bytes) => Ok(Cow::Borrowed(&bytes[range])),
            FileContent::File(OpenFile { file, .. }) => {
                let mut bytes = vec![0; range.len()];
                read_at(file, range.start, &mut bytes)?;
                Ok(Cow::Owned(bytes))
            }
        }
    }
}

fn failed(error: std::io::Error) -> InputError {
    InputErrorKind::Io(error.to_string()).into()
}

fn read_at(mut file: &File, start: usize, bytes: &mut [u8]) -> Result<()> {
    file.seek(SeekFrom::Start(start as u64)).map_err(failed)?;
    file.read_exact(bytes).map_err(failed)
}

/// Embedding vectors in single precision that are not loaded but read from their file when needed.
#[derive(Debug, Clone)]
pub(super) struct StoredVectors {
    path: Arc<Path>,
    /// The length of the file and the time of its last change, recorded when its header was read, to detect
    /// later changes.
    state: (usize, Option<SystemTime>),
    /// The byte offset, in the file, of the first value of the vectors.
    start: usize,
    /// The number of values in the file: the number of vectors times their width.
    pub(super) len: usize,
}

impl StoredVectors {
    pub(super) fn new(file: &OpenFile, range: &Range<usize>) -> Self {
        let state = (file.len, file.changed);
        let len = range.len() / size_of::<f32>();
        StoredVectors { path: file.path.clone(), state, start: range.start, len }
    }

    /// Opens the file of vectors again, and checks that it has not changed since its header was read.
    fn open(&self) -> Result<File> {
        // Reading moves the position of a file, so each reader opens the file again.
        let file = File::open(&self.path).map_err(failed)?;
        let metadata = file.metadata().map_err(failed)?;
        if (metadata.len(), metadata.modified().ok()) == (self.state.0 as u64, self.state.1) {
            Ok(file)
        } else {
            Err(InputError::malformed("it changed while it was read"))
        }
    }
}

/// A reader of the vectors of a [`VectorTable`], from memory or from a file, a piece at a time. Each thread
/// needs its own reader.
#[derive(Debug)]
pub struct VectorReader<'t> {
    table: &'t VectorTable,
    file: Option<File>,
    bytes: Vec<u8>,
    /// The coordinates of the embedding vectors that were read from the file last, one vector after the
    /// other. A large file is not read whole; `rows` are the numbers of these vectors.
    piece: Vec<f32>,
    /// The range of vectors (rows of the file) whose coordinates are in memory, in the buffer `piece`.
    rows: Range<usize>,
}

impl VectorTable {
    /// Returns a reader of the embedding vectors in this table.
    pub fn reader(&self) -> VectorReader<'_> {
        VectorReader { table: self, file: None, bytes: Vec::new(), piece: Vec::new(), rows: 0..0 }
    }
}

impl VectorReader<'_> {
    /// Returns, for each text in this index range, its list of embedding vectors. Reading the texts in order
    /// is fastest.
    ///
    /// # Errors
    /// Returns an error with the file if it cannot be read any more, or contains a row that
    /// [`VectorTable::new`] rejects.
    pub fn texts(&mut self, texts: Range<usize>) -> Result<Vec<Vec<Vector<'_>>>> {
        let table = self.table;
        let wanted = table.rows_of(texts.clone());
        if let VectorNumbers::Stored(stored) = &table.numbers
            && !(self.rows.start <= wanted.start && wanted.end <= self.rows.end)
        {
            let read = self.read(stored, wanted);
            read.map_err(|error| error.at(Location::file(table.name().clone())))?;
        }
        let width = table.width();
        let values = |row: usize| match &table.numbers {
            VectorNumbers::Here(floats) => floats.values(row * width..(row + 1) * width),
            VectorNumbers::Stored(_) => {
                let at = row - self.rows.start;
                VectorValues::F32(&self.piece[at * width..(at + 1) * width])
            }
        };
        let vectors =
            |text: usize| table.rows_of(text..text + 1).map(|row| table.vector(row, values(row))).collect();
        Ok(texts.map(vectors).collect())
    }

    /// Reads vectors from the file into memory: the rows `wanted` of the table, and usually further rows
    /// after them.
    fn read(&mut self, stored: &StoredVectors, wanted: Range<usize>) -> Result<()> {
        let table = self.table;
        let width = self.table.width();
        // If reading fails, no rows are valid.
        self.rows = 0..0;
        // At least the wanted rows, even if one text has more than a piece.
        let end = wanted.end.max(wanted.start + PIECE / width).min(table.rows());
        let rows = wanted.start..end;
        self.bytes.resize(rows.len() * width * size_of::<f32>(), 0);
        let file = match &mut self.file {
            Some(file) => file,
            file => file.insert(stored.open()?),
        };
        read_at(file, stored.start + rows.start * width * size_of::<f32>(), &mut self.bytes)?;
        self.piece.clear();
        self.piece.extend(self.bytes.as_chunks().0.iter().map(|number| f32::from_le_bytes(*number)));
        let values = |row: usize| VectorValues::F32(&self.piece[(row - rows.start) * width..][..width]);
        table.check(rows.clone(), values)?;
        self.rows = rows;
        Ok(())
    }
}
