//! List of all BLEU dialects, the formulas of other programs, in the order in which they are printed.

use bleuprint_core::ConfigError;

use super::{
    Dialect, allennlp, coco, codexglue, fairseq, ignite, moses, mteval, nltk, nltk_sentence, papineni,
    sacrebleu, tensor2tensor, tf_nmt, torch,
};

const ALL: &[Dialect] = &[
    papineni::PAPINENI,
    mteval::V11B,
    mteval::V13A,
    mteval::V13A_SHORTEST,
    mteval::V13A_NO_SMOOTHING,
    moses::MULTI_BLEU,
    moses::MULTI_BLEU_DETOK,
    moses::SENTENCE_BLEU,
    nltk::METHOD0,
    nltk::METHOD1,
    nltk::METHOD2,
    nltk::METHOD3,
    nltk::METHOD4,
    nltk_sentence::METHOD5,
    nltk_sentence::METHOD6,
    nltk_sentence::METHOD7,
    nltk::AUTO_REWEIGH,
    nltk::AUTO_REWEIGH_METHOD1,
    tf_nmt::HF,
    tf_nmt::HF_SMOOTH,
    tf_nmt::BLEUSCORE,
    tf_nmt::BLEUSCORE_SMOOTH,
    tf_nmt::BLEUSCORE_CLOSEST,
    tf_nmt::BLEUSCORE_CLOSEST_SMOOTH,
    tf_nmt::KERAS_HUB,
    tf_nmt::KERAS_HUB_SMOOTH,
    tf_nmt::METRAX,
    fairseq::FAIRSEQ,
    fairseq::ONE_INIT,
    tensor2tensor::T2T,
    tensor2tensor::FLAX,
    ignite::NO_SMOOTH,
    ignite::SMOOTH1,
    ignite::NLTK_SMOOTH2,
    ignite::SMOOTH2,
    sacrebleu::NONE,
    sacrebleu::FLOOR,
    sacrebleu::ADD_K,
    sacrebleu::EXP,
    sacrebleu::NONE_EFF,
    sacrebleu::FLOOR_EFF,
    sacrebleu::ADD_K_EFF,
    sacrebleu::EXP_EFF,
    coco::CLOSEST,
    coco::SHORTEST,
    coco::AVERAGE,
    coco::SCORER,
    torch::TORCHMETRICS,
    torch::TORCHMETRICS_SMOOTH,
    torch::SACREBLEU_SCORE,
    torch::SACREBLEU_SCORE_SMOOTH,
    torch::TORCHTEXT,
    torch::TORCHEVAL,
    torch::TORCHEVAL_HEAD,
    allennlp::ALLENNLP,
    codexglue::CODEXGLUE,
];

impl Dialect {
    /// Returns every BLEU dialect, in the order in which they are printed.
    pub fn all() -> &'static [Dialect] {
        ALL
    }

    /// Returns the BLEU dialect with this name or alias.
    ///
    /// ```
    /// use bleuprint_metrics::Dialect;
    /// assert_eq!(Dialect::by_name("tf-nmt").unwrap().name, "hf");
    /// assert!(Dialect::by_name("nltk:method8").unwrap_err().to_string().contains("nltk:method"));
    /// ```
    ///
    /// # Errors
    /// Returns [`ConfigError::UnknownName`], which lists the nearest names, if no dialect has this name.
    pub fn by_name(name: &str) -> Result<&'static Dialect, ConfigError> {
        let matches = |dialect: &&Dialect| dialect.name == name || dialect.aliases.contains(&name);
        ALL.iter()
            .find(matches)
            .ok_or_else(|| ConfigError::unknown_name("dialect", name, ALL.iter().map(|dialect| dialect.name)))
    }
}
