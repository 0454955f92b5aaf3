//! Tests through the public API: a reference implementation, limits, alignments in SGML, and numbers of sclite,
//! rfilter1 and csrfilt.sh. `tests/rows` has the laws and the rejected texts and files.

mod limits;
mod naive;
mod programs;
mod sgml;
