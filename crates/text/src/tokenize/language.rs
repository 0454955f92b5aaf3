//! Which tokenizer a target language asks for.

use bleuprint_core::ConfigError;

/// The tokenizer that sacreBLEU chooses for a target language: `zh`, `ja-mecab` or `ko-mecab` for exactly the codes
/// `zh`, `ja` and `ko`, and `13a` for everything else, `zh_CN` and `ZH` included.
///
/// ```
/// use bleuprint_text::tokenizer_for_language;
/// assert_eq!(tokenizer_for_language("ja"), "ja-mecab");
/// assert_eq!(tokenizer_for_language("cs"), "13a");
/// assert_eq!(tokenizer_for_language("zh_CN"), "13a");
/// ```
pub fn tokenizer_for_language(target: &str) -> &'static str {
    match target {
        "zh" => "zh",
        "ja" => "ja-mecab",
        "ko" => "ko-mecab",
        _ => "13a",
    }
}

/// The tokenizer for a language pair such as `en-zh`: the second field between dashes is the target.
///
/// ```
/// use bleuprint_text::tokenizer_for_pair;
/// assert_eq!(tokenizer_for_pair("en-zh")?, "zh");
/// assert!(tokenizer_for_pair("de").unwrap_err().to_string().contains("`de`"));
/// # Ok::<(), bleuprint_core::ConfigError>(())
/// ```
///
/// # Errors
///
/// A pair without a dash, or without a target after it.
pub fn tokenizer_for_pair(pair: &str) -> Result<&'static str, ConfigError> {
    match pair.split('-').nth(1) {
        Some(target) if !target.is_empty() => Ok(tokenizer_for_language(target)),
        _ => {
            let limit = "source and target with a dash between them, such as `en-de`";
            Err(ConfigError::out_of_range("the language pair", format!("`{pair}`"), limit))
        }
    }
}
