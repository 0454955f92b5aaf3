//! Readers, tokenizers and normalizers against naive twins and recorded outputs.

mod csv;
#[cfg(feature = "hf")]
mod hf;
#[cfg(feature = "jsonl")]
mod json_lines;
mod naive;
mod readers;
#[cfg(feature = "jsonl")]
mod spm;
mod streams;
mod tables;
mod twins;
mod vectors;
