//! Draws against NumPy, agreement against the programs of WMT.

mod agreement;
mod numpy;
