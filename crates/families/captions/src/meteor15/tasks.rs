//! Parameters of METEOR 1.5 by task and language: alpha, beta, gamma, delta, and the weights of the matching
//! modules.
//!
//! Source: the tables of meteor-1.5.jar, determined by scoring with it.

use super::options::Task;
use super::settings::Language;

/// Returns the four parameters and the module weights of a task. Adq, hter and util exist only in English;
/// other languages get all zeros, as in the original program METEOR 1.5.
pub(super) fn parameters(task: Task, language: Language) -> ([f64; 4], Vec<f64>) {
    let english = language == Language::English;
    let (numbers, weights): ([f64; 4], &[f64]) = match task {
        Task::Rank => return rank(language),
        Task::Adq if english => ([0.75, 1.4, 0.45, 0.7], &[1.0, 1.0, 0.6, 0.8]),
        Task::Hter if english => ([0.4, 1.5, 0.35, 0.55], &[1.0, 0.2, 0.6, 0.8]),
        Task::Util if english => ([0.65, 0.1, 0.55, 0.65], &[1.0, 0.0, 0.0, 0.8]),
        Task::Adq | Task::Hter | Task::Util => ([0.0; 4], &[0.0; 4]),
        Task::Li => ([0.75, 1.4, 0.7, 0.5], &[1.0, 0.5, 0.5, 0.5]),
        Task::Tune => ([0.5, 1.0, 0.5, 0.5], &[1.0, 0.5, 0.5, 0.5]),
        Task::Universal => ([0.7, 1.4, 0.3, 0.7], &[1.0, 0.6]),
    };
    (numbers, weights.to_vec())
}

fn rank(language: Language) -> ([f64; 4], Vec<f64>) {
    let (numbers, weights): ([f64; 4], &[f64]) = match language {
        Language::English => ([0.85, 0.2, 0.6, 0.75], &[1.0, 0.6, 0.8, 0.6]),
        Language::Czech => ([0.95, 0.2, 0.6, 0.8], &[1.0, 0.4]),
        Language::French => ([0.9, 1.4, 0.6, 0.65], &[1.0, 0.2, 0.4]),
        Language::Spanish => ([0.65, 1.3, 0.5, 0.8], &[1.0, 0.8, 0.6]),
        Language::German => ([0.95, 1.0, 0.55, 0.55], &[1.0, 0.8, 0.2]),
        Language::Russian => ([0.75, 1.4, 0.7, 0.5], &[1.0, 0.5, 0.5]),
        _ => return parameters(Task::Li, language),
    };
    (numbers, weights.to_vec())
}
