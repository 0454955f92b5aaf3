//! [`in_threads`]: how many threads work.

use bleuprint_core::ConfigError;

/// Runs `work` in a pool of this many threads, or in the current one; the number never changes a score.
///
/// # Errors
/// [`ConfigError::Resource`] when the operating system refuses the threads.
#[cfg(feature = "parallel")]
pub fn in_threads<R: Send>(
    threads: Option<usize>,
    work: impl FnOnce() -> R + Send,
) -> Result<R, ConfigError> {
    let Some(threads) = threads else { return Ok(work()) };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| ConfigError::Resource {
        what: format!("a pool of {threads} threads"),
        reason: error.to_string(),
        hint: "ask for fewer threads".to_owned(),
    })?;
    Ok(pool.install(work))
}

/// Runs `work`, in one thread: without the feature `parallel` there are no others.
///
/// # Errors
/// [`ConfigError::Conflict`] when several are asked for.
#[cfg(not(feature = "parallel"))]
pub fn in_threads<R: Send>(
    threads: Option<usize>,
    work: impl FnOnce() -> R + Send,
) -> Result<R, ConfigError> {
    match threads {
        None | Some(1) => Ok(work()),
        Some(threads) => {
            Err(ConfigError::Conflict(format!("{threads} threads, but the feature `parallel` is off")))
        }
    }
}
