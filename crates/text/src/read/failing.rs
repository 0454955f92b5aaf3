//! [`Failing`]: wraps a byte reader and returns its first error again at every later read.

use std::io::{BufRead, Error, ErrorKind, Read, Result};

/// A byte reader that returns the first error of the wrapped reader again at every later read. Most readers
/// report an error once and then the end of the data, which would make a damaged file look complete.
pub(super) struct Failing<R> {
    reader: R,
    failed: Option<(ErrorKind, String)>,
}

impl<R> Failing<R> {
    pub(super) fn new(reader: R) -> Self {
        Failing { reader, failed: None }
    }

    fn check(&self) -> Result<()> {
        self.failed.as_ref().map_or(Ok(()), |(kind, message)| Err(Error::new(*kind, message.clone())))
    }

    fn keep(&mut self, error: Error) -> Error {
        // An interrupted read is repeated by the caller and is no failure.
        if error.kind() != ErrorKind::Interrupted {
            self.failed = Some((error.kind(), error.to_string()));
        }
        error
    }
}

impl<R: BufRead> Read for Failing<R> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        self.check()?;
        self.reader.read(out).map_err(|error| self.keep(error))
    }
}

impl<R: BufRead> BufRead for Failing<R> {
    fn fill_buf(&mut self) -> Result<&[u8]> {
        self.check()?;
        if let Err(error) = self.reader.fill_buf() {
            return Err(self.keep(error));
        }
        // The second call returns the bytes that the first one has buffered, without reading; it avoids a
        // borrow across the error.
        self.reader.fill_buf()
    }

    fn consume(&mut self, bytes: usize) {
        self.reader.consume(bytes);
    }
}
