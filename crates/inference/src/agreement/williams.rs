//! Williams' test: does one metric correlate better with human scores than another metric?

use crate::distribution::student_tail;

/// Returns the one-sided p-value of Williams' test (Williams 1959; Graham and Baldwin 2014). The hypothesis
/// is that the first metric correlates with human scores no better than the second. `human_1` (`r_h1`) and
/// `human_2` (`r_h2`) are the metrics' correlations with human scores, `between` (`r_12`) is the correlation
/// of the metrics. All are over the same `n = count` systems.
///
/// ```text
/// t = (r_h1 − r_h2) √((n−1)(1+r_12)) / √(2(n−1)/(n−3) K + ((r_h1+r_h2)/2)² (1−r_12)³),  n−3 degrees
/// K = 1 − r_h1² − r_h2² − r_12² + 2 r_h1 r_h2 r_12
/// ```
///
/// Returns `None` if there are fewer than four systems or the variance is not positive.
pub(super) fn williams(human_1: f64, human_2: f64, between: f64, count: usize) -> Option<f64> {
    let degrees = count.checked_sub(3).filter(|degrees| *degrees > 0)? as f64;
    let n = count as f64;
    let k =
        1.0 - human_1 * human_1 - human_2 * human_2 - between * between + 2.0 * human_1 * human_2 * between;
    let mean = (human_1 + human_2) / 2.0;
    let variance = 2.0 * (n - 1.0) / degrees * k + mean * mean * (1.0 - between).powi(3);
    let t = (human_1 - human_2) * ((n - 1.0) * (1.0 + between)).sqrt() / variance.sqrt();
    (variance > 0.0 && t.is_finite()).then(|| student_tail(t, degrees))
}
