//! Files of vectors, of which large ones are read a piece at a time: [`VectorReader`].

use std::borrow::Cow;
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use bleuprint_core::{InputError, InputErrorKind, Location, Result, Vector, VectorValues};

use super::table::{Numbers, VectorTable};

/// Larger files are read in pieces.
const LARGE: u64 = 1 << 20;

/// Numbers of a piece, where one text has no more: a piece and its bytes stay in the cache.
const PIECE: usize = 1 << 14;

/// The content of a file.
#[derive(Debug)]
pub(super) enum Content {
    Memory(Vec<u8>),
    File(OpenFile),
}

#[derive(Debug)]
pub(super) struct OpenFile {
    path: Arc<Path>,
    file: File,
    len: usize,
    changed: Option<SystemTime>,
}

impl Content {
    /// Opens a file. A pipe, which can be read only once, is read whole, and so is a small file.
    pub(super) fn open(path: &Path) -> Result<Self> {
        let mut file = File::open(path).map_err(failed)?;
        let metadata = file.metadata().map_err(failed)?;
        match usize::try_from(metadata.len()) {
            Ok(len) if metadata.is_file() && metadata.len() > LARGE => {
                let changed = metadata.modified().ok();
                Ok(Content::File(OpenFile { path: path.into(), file, len, changed }))
            }
            _ => {
                let mut bytes = Vec::new();
                file.read_to_end(&mut bytes).map_err(failed)?;
                Ok(Content::Memory(bytes))
            }
        }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Content::Memory(bytes) => bytes.len(),
            Content::File(file) => file.len,
        }
    }

    /// The bytes of this range, or as many of them as there are.
    pub(super) fn read(&self, range: Range<usize>) -> Result<Cow<'_, [u8]>> {
        let end = range.end.min(self.len());
        let range = range.start.min(end)..end;
        match self {
            Content::Memory(bytes) => Ok(Cow::Borrowed(&bytes[range])),
            Content::File(OpenFile { file, .. }) => {
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

/// Numbers in single precision that stay in a file.
#[derive(Debug, Clone)]
pub(super) struct Stored {
    path: Arc<Path>,
    /// Of the whole file and its last change, as its header was read.
    state: (usize, Option<SystemTime>),
    start: usize,
    /// The number of numbers.
    pub(super) len: usize,
}

impl Stored {
    pub(super) fn new(file: &OpenFile, range: &Range<usize>) -> Self {
        let (state, len) = ((file.len, file.changed), range.len() / size_of::<f32>());
        Stored { path: file.path.clone(), state, start: range.start, len }
    }

    /// The file again, if it is the one whose header was read.
    fn open(&self) -> Result<File> {
        let file = File::open(&self.path).map_err(failed)?;
        let metadata = file.metadata().map_err(failed)?;
        if (metadata.len(), metadata.modified().ok()) == (self.state.0 as u64, self.state.1) {
            Ok(file)
        } else {
            Err(InputError::malformed("it changed while it was read"))
        }
    }
}

/// Reads the vectors of a [`VectorTable`]: out of memory, or a piece of a file at a time. One per thread.
#[derive(Debug)]
pub struct VectorReader<'t> {
    table: &'t VectorTable,
    file: Option<File>,
    bytes: Vec<u8>,
    /// The numbers of the rows of the piece.
    piece: Vec<f32>,
    rows: Range<usize>,
}

impl VectorTable {
    /// A reader of its vectors.
    pub fn reader(&self) -> VectorReader<'_> {
        VectorReader { table: self, file: None, bytes: Vec::new(), piece: Vec::new(), rows: 0..0 }
    }
}

impl VectorReader<'_> {
    /// The vectors of these texts. Reading them in order is fastest.
    ///
    /// # Errors
    /// A file that cannot be read any more, or holds a row that [`VectorTable::new`] refuses. Both name the file.
    pub fn texts(&mut self, texts: Range<usize>) -> Result<Vec<Vec<Vector<'_>>>> {
        let table = self.table;
        let wanted = table.rows_of(texts.clone());
        if let Numbers::Stored(stored) = &table.numbers
            && !(self.rows.start <= wanted.start && wanted.end <= self.rows.end)
        {
            let read = self.read(stored, wanted);
            read.map_err(|error| error.at(Location::file(table.name().clone())))?;
        }
        let width = table.width();
        let values = |row: usize| match &table.numbers {
            Numbers::Here(floats) => floats.values(row * width..(row + 1) * width),
            Numbers::Stored(_) => {
                let at = row - self.rows.start;
                VectorValues::F32(&self.piece[at * width..(at + 1) * width])
            }
        };
        let vectors =
            |text: usize| table.rows_of(text..text + 1).map(|row| table.vector(row, values(row))).collect();
        Ok(texts.map(vectors).collect())
    }

    /// Reads a piece that begins with these rows.
    fn read(&mut self, stored: &Stored, wanted: Range<usize>) -> Result<()> {
        let (table, width) = (self.table, self.table.width());
        self.rows = 0..0;
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
