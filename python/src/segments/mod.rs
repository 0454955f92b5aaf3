//! Reads the segments of a Python call: texts, token ids, references and data of a form. Later code sees no
//! Python object.

pub(crate) mod data;
pub(crate) mod ids;
pub(crate) mod lists;
pub(crate) mod objects;
pub(crate) mod own;
pub(crate) mod read;
pub(crate) mod references;
pub(crate) mod sequences;
pub(crate) mod testset;
