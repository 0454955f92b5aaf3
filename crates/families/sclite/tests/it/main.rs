//! Tests through the public API: laws, a reference implementation, rejected texts, and numbers of sclite,
//! rfilter1 and csrfilt.sh.

mod laws;
mod naive;
mod recorded;
mod refused;
