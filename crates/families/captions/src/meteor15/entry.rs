//! Registers the metric METEOR 1.5, with its options.

use std::sync::Arc;

use bleuprint_core::{Case, Choice as _, ConfigError};
use bleuprint_registry::{AnyMetric, MetricEntry, MetricOptions, OptionSpec};

use super::options::Meteor15Options;
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
.options(Meteor15Options::SPECS)
.example(r#"{"hypothesis": "the cat sat on the mat", "references": ["the cat sat on a mat"]}"#);

fn advice(options: &MetricOptions) -> Option<&'static str> {
    let given = |option: OptionSpec| options.given(option.name).is_some();
    let option = Meteor15Options::OPTION;
    let chosen = given(option.data.spec) || given(option.modules.spec) || given(option.language.spec);
    let whole = chosen || given(option.wordnet.spec) && given(option.table.spec);
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
    let given = Meteor15Options::from_options(options)?;
    let option = Meteor15Options::OPTION;
    let language = given.language.map(|name| Language::by_name(option.language.spec.name, &name));
    let parameters = given.parameters.map(|numbers| {
        let wrong = |given: Vec<f64>| {
            ConfigError::out_of_range(
                option.parameters.spec.name,
                format!("{} numbers", given.len()),
                "4 numbers",
            )
        };
        numbers.try_into().map_err(wrong)
    });
    let modules = given.modules.map(|names| {
        names.split('+').map(|name| Module::by_name(option.modules.spec.name, name)).collect::<Result<_, _>>()
    });
    Ok(MeteorSettings {
        language: language.transpose()?.unwrap_or(Language::English),
        form: given.form,
        task: given.task,
        parameters: parameters.transpose()?,
        weights: given.weights,
        modules: modules.transpose()?,
        beam: given.beam,
        chars: given.chars,
    })
}

/// Reads the synonyms, paraphrases and word lists that METEOR needs, from the folder of the original program
/// METEOR 1.5 or from separate files.
pub(super) fn data(options: &MetricOptions, settings: &MeteorSettings) -> Result<Data, ConfigError> {
    let language = settings.language;
    let modules = settings.modules.as_deref().unwrap_or(language.modules());
    let given = Meteor15Options::from_options(options)?;
    let folder = given.data;
    let mut data = Data::default();
    if modules.contains(&Module::Synonym) {
        data.synsets = match (given.wordnet, &folder) {
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
        let table = given.table.or(own);
        let read = |file: String| Paraphrases::parse(&file, options.read_file(&file)?);
        data.paraphrases = table.map(read).transpose()?.map(Arc::new);
    }
    if let Some(file) = given.function_words {
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
