//! The options of BLEU in the words of sacreBLEU, as a row or a signature names them.

/// BLEU's options; defaults are those of corpus BLEU over words between spaces.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// The default is `none`, since most rows test counts.
    pub tokenize: String,
    /// Lower-case before tokenizing.
    pub lowercase: bool,
    /// `none`, `floor`, `add-k` or `exp`.
    pub smooth: String,
    /// The value of `floor` and `add-k`; absent for their default.
    pub smooth_value: Option<f64>,
    /// Leave out orders above the length of the hypothesis.
    pub effective_order: bool,
    /// The highest order.
    pub max_order: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            tokenize: "none".to_owned(),
            lowercase: false,
            smooth: "exp".to_owned(),
            smooth_value: None,
            effective_order: false,
            max_order: 4,
        }
    }
}

impl Options {
    /// The options of a metric as a user names it: `bleu:tokenize=13a,lowercase`.
    ///
    /// # Panics
    /// If it is not BLEU, or has other options.
    pub fn of(spec: &str) -> Options {
        let (name, given) = spec.split_once(':').unwrap_or((spec, ""));
        assert_eq!(name, "bleu", "{spec}");
        let mut options = Options::default();
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
