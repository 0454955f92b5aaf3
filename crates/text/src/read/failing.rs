//! [`Failing`]: a reader whose first error is its last word.

use std::io::{BufRead, Error, ErrorKind, Read, Result};

/// Keeps the first error. Most readers report an error once and the end of the data from then on, which would make a
/// damaged file look whole.
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
        // Buffered bytes are not read again.
        self.reader.fill_buf()
    }

    fn consume(&mut self, bytes: usize) {
        self.reader.consume(bytes);
    }
}
