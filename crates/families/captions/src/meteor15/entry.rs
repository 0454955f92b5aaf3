//! Registers the metric METEOR 1.5, with its options.

use std::sync::Arc;

use bleuprint_core::{Case, Choice as _, ConfigError};
use bleuprint_registry::{AnyMetric, MetricEntry, MetricOptions, OptionSpec};

use super::options::*;
use super::{
    Data, FunctionWords, Language, Meteor15, MeteorSettings, Module, Paraphrases, Prefixes, WordnetSynsets,
};

pub(crate) const ENTRY: MetricEntry = MetricEntry::new(
    "meteor15",
    "METEOR 1.5: words aligned by form, stem, synonym and paraphrase, as the COCO evaluation has it",
    build,
)
.papers(&[crate::paper("denkowski-lavie-2014-meteor")])
.agrees_with("meteor-1.5.jar of pycocoevalcap 1.2 with the same data: counts equal, scores within 1e-15")
.advice(advice)
.options(&[
    DATA.spec,
    WORDNET.spec,
    TABLE.spec,
    FUNCTION_WORDS.spec,
    LANGUAGE.spec,
    FORM.spec,
    TASK.spec,
    PARAMETERS.spec,
    WEIGHTS.spec,
    MODULES.spec,
    BEAM.spec,
    CHARS.spec,
])
.example(r#"{"hypothesis": "the cat sat on the mat", "references": ["the cat sat on a mat"]}"#);

fn advice(options: &MetricOptions) -> Option<&'static str> {
    let given = |option: &OptionSpec| options.given(option.name).is_some();
    let chosen = given(&DATA.spec) || given(&MODULES.spec) || given(&LANGUAGE.spec);
    let whole = chosen || given(&WORDNET.spec) && given(&TABLE.spec);
    (!whole).then_some(
        "without synonyms and paraphrases this is not the METEOR of the COCO evaluation: give data=FOLDER, that of meteor-1.5.jar",
    )
}

fn build(options: &MetricOptions) -> Result<AnyMetric, ConfigError> {
    let settings = settings(options)?;
    let meteor = Meteor15::new(&settings, data(options, &settings)?)?;
    // The metric lowercases words itself, in its own normalization, so it needs them in their original case.
    Ok(AnyMetric::for_tokens(meteor).with_tokenizer("ptb").with_case(Case::Mixed))
}

pub(super) fn settings(options: &MetricOptions) -> Result<MeteorSettings, ConfigError> {
    let language = LANGUAGE.value_in(options)?.map(|name| Language::by_name(LANGUAGE.spec.name, &name));
    let parameters = PARAMETERS.value_in(options)?.map(|numbers| {
        let wrong = |given: Vec<f64>| {
            ConfigError::out_of_range(PARAMETERS.spec.name, format!("{} numbers", given.len()), "4 numbers")
        };
        numbers.try_into().map_err(wrong)
    });
    let modules = MODULES.value_in(options)?.map(|names| {
        names.split('+').map(|name| Module::by_name(MODULES.spec.name, name)).collect::<Result<_, _>>()
    });
    Ok(MeteorSettings {
        language: language.transpose()?.unwrap_or(Language::English),
        form: FORM.value_in(options)?,
        task: TASK.value_in(options)?,
        parameters: parameters.transpose()?,
        weights: WEIGHTS.value_in(options)?,
        modules: modules.transpose()?,
        beam: BEAM.value_in(options)?,
        chars: CHARS.value_in(options)?,
    })
}

/// Reads the synonyms, paraphrases and word lists that METEOR needs, from the folder of the original program
/// METEOR 1.5 or from separate files.
pub(super) fn data(options: &MetricOptions, settings: &MeteorSettings) -> Result<Data, ConfigError> {
    let language = settings.language;
    let modules = settings.modules.as_deref().unwrap_or(language.modules());
    let folder = DATA.value_in(options)?;
    let mut data = Data::default();
    if modules.contains(&Module::Synonym) {
        data.synsets = match (WORDNET.value_in(options)?, &folder) {
            // A file given for one module wins over the folder of all.
            (Some(wordnet), _) => {
                Some(WordnetSynsets::wordnet(|name| options.read_file(&format!("{wordnet}/{name}")))?)
            }
            (None, Some(folder)) => {
                let (synsets, ids) = inside(options, folder, "synonym/english.synsets")?;
                let (exceptions, forms) = inside(options, folder, "synonym/english.exceptions")?;
                Some(WordnetSynsets::parse((&synsets, &ids), (&exceptions, &forms))?)
            }
            (None, None) => None,
        }
        .map(Arc::new);
    }
    if modules.contains(&Module::Paraphrase) {
        let own = folder.as_ref().map(|folder| format!("{folder}/data/paraphrase-{}.gz", language.name()));
        let table = TABLE.value_in(options)?.or(own);
        let read = |file: String| Paraphrases::parse(&file, options.read_file(&file)?);
        data.paraphrases = table.map(read).transpose()?.map(Arc::new);
    }
    if let Some(file) = FUNCTION_WORDS.value_in(options)? {
        data.function_words = Some(Arc::new(FunctionWords::new(&options.read_file(&file)?)));
    }
    // The English abbreviations are built in.
    if let Some(name) = language.file_name().filter(|_| language != Language::English)
        && let Some(folder) = &folder
    {
        let (file, text) = inside(options, folder, &format!("nonbreaking/{name}.prefixes"))?;
        data.prefixes = Some(Arc::new(Prefixes::parse(&file, &text)?));
    }
    Ok(data)
}

/// Returns the name and text of a file of the original program METEOR 1.5, from the unpacked folder or from
/// the jar in it.
fn inside(options: &MetricOptions, folder: &str, path: &str) -> Result<(String, String), ConfigError> {
    let unpacked = format!("{folder}/{path}");
    let packed = format!("{folder}/meteor-1.5.jar!/{path}");
    match options.read_file(&unpacked) {
        Ok(text) => Ok((unpacked, text)),
        Err(_) => options.read_file(&packed).map(|text| (packed, text)),
    }
}
