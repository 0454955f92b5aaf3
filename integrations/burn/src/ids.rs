//! [`Ids`]: the rows of a tensor as sequences of ids, cut at the padding.

use bleuprint_core::zip_streams;
use burn_core::tensor::{Int, Tensor, TensorReadError};

use crate::failure;

pub(crate) struct Ids(Vec<Vec<u32>>);

impl Ids {
    /// Reads a tensor; `name` is used in errors. A row ends at its first `pad`.
    pub(crate) fn read(
        name: &str,
        tensor: &Tensor<2, Int>,
        pad: Option<i64>,
    ) -> Result<Ids, TensorReadError> {
        let [rows, width] = tensor.dims();
        let flat = tensor.try_to_vec_as::<i64>()?;
        // `pad` may be negative, such as -100, so ids are compared as signed numbers before they are
        // converted.
        let row = |at: usize| {
            let row = &flat[at * width..(at + 1) * width];
            let row = &row[..row.iter().position(|&id| Some(id) == pad).unwrap_or(width)];
            row.iter().map(|&id| u32::try_from(id).map_err(|_| outside(name, at + 1, id))).collect()
        };
        Ok(Ids((0..rows).map(row).collect::<Result<_, _>>()?))
    }
}

fn outside(name: &str, row: usize, id: i64) -> TensorReadError {
    failure(&format!(
        "{name}, row {row}: the id {id} is not in 0..=4294967295; `with_pad_token({id})` ends rows there"
    ))
}

/// Hypothesis with its references, as ids.
pub(crate) type Row<'a> = (&'a [u32], Vec<&'a [u32]>);

/// Returns the hypotheses, each with its references. Streams of different lengths are an error.
pub(crate) fn segments<'a>(hypotheses: &'a Ids, streams: &'a [Ids]) -> Result<Vec<Row<'a>>, TensorReadError> {
    let streams: Vec<&[Vec<u32>]> = streams.iter().map(|stream| &stream.0[..]).collect();
    zip_streams(&hypotheses.0, &streams).map_err(|error| failure(&error.to_string()))
}
