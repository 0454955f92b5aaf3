//! The package as its users see it: laws, a naive twin, refused texts, and numbers of sclite, rfilter1 and csrfilt.sh.

mod laws;
mod naive;
mod recorded;
mod refused;
