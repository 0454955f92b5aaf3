//! The options of BLEU: with sacreBLEU's names for the driver, and as a row or a signature names them.

use serde::Serialize;

/// BLEU's options; the defaults select corpus BLEU over words between spaces.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct BleuOptions {
    pub(crate) tokenize: String,
    pub(crate) lowercase: bool,
    pub(crate) smooth: String,
    /// Value of the smoothing; `None` for the default of the method.
    pub(crate) smooth_value: Option<f64>,
    pub(crate) effective_order: bool,
    pub(crate) max_order: usize,
}

impl Default for BleuOptions {
    fn default() -> Self {
        let tokenize = "none".to_owned();
        let smooth = "exp".to_owned();
        let lowercase = false;
        let smooth_value = None;
        let effective_order = false;
        let max_order = 4;
        BleuOptions { tokenize, lowercase, smooth, smooth_value, effective_order, max_order }
    }
}

impl BleuOptions {
    /// Parses a metric with options as a user writes it: `bleu:tokenize=13a,lowercase`.
    ///
    /// # Panics
    /// If it is not BLEU, or has other options.
    pub(crate) fn from_spec(spec: &str) -> BleuOptions {
        let (name, given) = spec.split_once(':').unwrap_or((spec, ""));
        assert_eq!(name, "bleu", "{spec}");
        let mut options = BleuOptions::default();
        for option in given.split(',').filter(|option| !option.is_empty()) {
            let (key, value) = option.split_once('=').unwrap_or((option, ""));
            match key {
                "tokenize" => value.clone_into(&mut options.tokenize),
                "lowercase" => options.lowercase = true,
                "smooth-method" => value.clone_into(&mut options.smooth),
                "smooth-value" => options.smooth_value = Some(value.parse().expect("a number")),
                "effective-order" => options.effective_order = true,
                "max-order" => options.max_order = value.parse().expect("a number"),
                other => panic!("{spec}: unknown option {other}"),
            }
        }
        options
    }
}
