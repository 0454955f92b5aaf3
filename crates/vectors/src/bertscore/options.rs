//! The options of BERTScore, each declared once.

use bleuprint_registry::Opt;

pub(super) const IDF: Opt<bool> = Opt::flag("bertscore-idf").counted("idf", "idf").words("yes", "no").help(
    "Pieces weigh more where few references have them; two passes, and vectors know their pieces (ids)",
);

pub(super) const SPECIALS: Opt<Option<Vec<f64>>> = Opt::numbers("bertscore-specials", "none")
    .counted("specials", "sp")
    .help("The ids of special pieces such as [CLS]: they weigh 0, and can be matched");

pub(super) const BASELINE: Opt<Option<Vec<f64>>> = Opt::numbers("bertscore-baseline", "none")
    .finished("baseline", "bl")
    .help("P, R and F of unrelated texts, which are rescaled to 0: three numbers");

pub(super) const PRODUCER: Opt<Option<String>> = Opt::name("bertscore-producer", "none")
    .counted("producer", "p")
    .help("The model and the layer of the vectors, as in roberta-large_L17");
