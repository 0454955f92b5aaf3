//! From options to the tokens and the metrics that were chosen.

use bleuprint::eval::{ChosenTokens, Panel, PanelMetric, SharedTokenizer};
use bleuprint::text::read::IdFilter;
use bleuprint::text::{TokenizerEntry, tokenizer_entry, tokenizer_for_pair};
use bleuprint::{
    Case, ConfigError, MetricOptions, MetricSpec, Registry, TokenSpace, TokenizerOptions, ViewKind, tokenizer,
};
use clap::ArgMatches;

use crate::args;

/// The tokenizer and the case of the command line, and whether they were asked for.
#[derive(Debug, Clone)]
pub(crate) struct TokenRequest {
    /// The name of the tokenizer: that of `--tokenize`, else that of the target language, else 13a.
    pub(crate) name: String,
    pub(crate) case: Case,
    pub(crate) options: TokenizerOptions,
    /// Whether the tokenizer was asked for; else it gives way to a metric's own.
    asked: bool,
}

impl TokenRequest {
    pub(crate) fn new(matches: &ArgMatches) -> Result<Self, ConfigError> {
        Self::named(matches, None)
    }

    /// The tokenizer of the arguments, else the one of this name.
    pub(crate) fn named(matches: &ArgMatches, name: Option<&str>) -> Result<Self, ConfigError> {
        let by_language =
            matches.get_one::<String>("language-pair").map(|pair| tokenizer_for_pair(pair)).transpose()?;
        let named =
            matches.get_one::<String>("tokenize").cloned().or(by_language.or(name).map(str::to_owned));
        let asked = named.is_some();
        let name = named.unwrap_or_else(|| "13a".to_owned());
        let case = if matches.get_flag("lowercase") { Case::Lower } else { Case::Mixed };
        let options = TokenizerOptions {
            model: matches.get_one("tokenizer-model").cloned(),
            dictionary: matches.get_one("dictionary").cloned(),
            ids: args::id_filter(matches),
            case,
        };
        if name != "ids" && options.ids != IdFilter::default() {
            let message =
                format!("ids that do not count are an option of the tokenizer `ids`, not of `{name}`");
            return Err(ConfigError::Conflict(message));
        }
        let takes = |takes: fn(&TokenizerEntry) -> bool| {
            // `hf:PATH` has its model already; a name that is not known is refused when it is built.
            !name.starts_with("hf:") && tokenizer_entry(&name).is_none_or(takes)
        };
        for (option, given, used) in [
            ("tokenizer-model", options.model.is_some(), takes(TokenizerEntry::takes_model)),
            ("dictionary", options.dictionary.is_some(), takes(TokenizerEntry::takes_dictionary)),
        ] {
            if given && !used {
                return Err(ConfigError::Conflict(format!("the tokenizer `{name}` takes no --{option}")));
            }
        }
        Ok(TokenRequest { name, case, options, asked })
    }

    /// The tokenizer itself.
    pub(crate) fn tokenizer(&self) -> Result<SharedTokenizer, ConfigError> {
        Ok(tokenizer(&self.name, &self.options)?.into())
    }

    /// Whether segments are given as ids.
    pub(crate) fn is_ids(&self) -> bool {
        self.name == "ids"
    }

    pub(crate) fn chosen(&self) -> Result<ChosenTokens, ConfigError> {
        let mut chosen = ChosenTokens::new(self.tokenizer()?, self.case);
        if !self.asked {
            chosen = chosen.default_tokenizer();
        }
        Ok(if self.case == Case::Mixed { chosen.default_case() } else { chosen })
    }
}

/// The metrics of `--metrics`, with their options, over the tokens that were asked for.
pub(crate) fn panel(
    registry: &Registry,
    matches: &ArgMatches,
    tokens: &TokenRequest,
    sentence_level: bool,
) -> Result<Panel, ConfigError> {
    let specs = specs(registry, matches)?;
    args::refuse_foreign_options(registry, matches, &specs)?;
    let mut metrics = Vec::new();
    for spec in &specs {
        metrics.push(metric(registry, matches, tokens, sentence_level, spec)?);
    }
    Panel::new(metrics, &tokens.chosen()?)
}

/// The metrics of `--metrics`, each once, as sacreBLEU orders them: by name, and in paired tests as they were given.
pub(crate) fn specs(registry: &Registry, matches: &ArgMatches) -> Result<Vec<MetricSpec>, ConfigError> {
    let mut specs: Vec<MetricSpec> = Vec::new();
    for text in matches.get_many::<String>("metrics").into_iter().flatten() {
        let spec = registry.parse(text)?;
        if !specs.contains(&spec) {
            specs.push(spec);
        }
    }
    let paired = |id| matches!(matches.try_get_one::<bool>(id), Ok(Some(true)));
    if !(paired("paired-bs") || paired("paired-ar")) {
        specs.sort_by_key(|spec| spec.metric);
    }
    Ok(specs)
}

/// The metrics of [`panel`] as a user names them, with the options of the command line.
pub(crate) fn spec_texts(registry: &Registry, matches: &ArgMatches) -> Result<Vec<String>, ConfigError> {
    let text = |spec: &MetricSpec| {
        let options = options(registry, matches, false, spec)?;
        let options: Vec<String> =
            options.iter().map(|(name, value)| format!("{name}={}", value.replace(',', "/"))).collect();
        Ok(if options.is_empty() {
            spec.metric.to_owned()
        } else {
            format!("{}:{}", spec.metric, options.join(","))
        })
    };
    specs(registry, matches)?.iter().map(text).collect()
}

/// The options of a metric: what stands behind its name is nearer than what stands on the command line.
fn options(
    registry: &Registry,
    matches: &ArgMatches,
    sentence_level: bool,
    spec: &MetricSpec,
) -> Result<MetricOptions, ConfigError> {
    let mut options = MetricOptions::new();
    options.set_files(read_file);
    for option in registry.get(spec.metric)?.options {
        match spec.options.get(option.name).map(str::to_owned).or_else(|| args::given(matches, option)) {
            Some(value) => options.set(option.name, &value),
            None => {
                if let Some(default) = option.sentence_default.filter(|_| sentence_level) {
                    options.set_default(option.name, default);
                }
            }
        }
    }
    Ok(options)
}

/// The text of a file that an option of a metric names.
pub(crate) fn read_file(path: &str) -> Result<String, ConfigError> {
    std::fs::read_to_string(path).map_err(|error| ConfigError::Resource {
        what: format!("`{path}`"),
        reason: error.to_string(),
        hint: "an option of a metric names it".to_owned(),
    })
}

fn metric(
    registry: &Registry,
    matches: &ArgMatches,
    tokens: &TokenRequest,
    sentence_level: bool,
    spec: &MetricSpec,
) -> Result<PanelMetric, ConfigError> {
    let entry = registry.get(spec.metric)?;
    let options = options(registry, matches, sentence_level, spec)?;
    let built = entry.build(&options)?;
    if tokens.is_ids() && built.view().kind == ViewKind::Text {
        let message = format!("{} looks at text, but the segments are ids", built.identity().name());
        return Err(ConfigError::Conflict(message));
    }
    let mut metric = PanelMetric::new(built);
    if let Some(name) = &spec.tokenizer {
        metric = metric.with_tokenizer(name);
    }
    Ok(match spec.lowercase {
        Some(lower) => metric.with_case(if lower { Case::Lower } else { Case::Mixed }),
        None => metric,
    })
}

/// The tokenizers that a panel's metrics look through, by the labels of their signatures.
pub(crate) fn tokenizers(panel: &Panel) -> Vec<String> {
    let mut labels: Vec<String> = Vec::new();
    for space in
        panel.state_keys().flat_map(|key| key.token_spaces()).filter(|space: &&TokenSpace| !space.is_text())
    {
        if !labels.iter().any(|label| label == space.label()) {
            labels.push(space.label().to_owned());
        }
    }
    labels
}
