//! ROUGE.
#![allow(dead_code)]
mod lcs;
mod summary;
