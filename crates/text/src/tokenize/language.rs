//! The choice of a tokenizer by the language of the text, such as `zh` for Chinese, as in sacreBLEU.

use bleuprint_core::ConfigError;

/// The languages for which a tokenizer can be chosen, as ISO 639-1 codes.
const TWO_LETTERS: &str = "\
    aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee \
    el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io \
    is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn \
    mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se \
    sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo \
    wa wo xh yi yo za zh zu";

/// The languages for which a tokenizer can be chosen, as ISO 639-3 codes: the languages of FLORES-200 and
/// WMT, and related languages.
const THREE_LETTERS: &str = "\
    aar abk ace acm acq aeb afr ajp aka als amh apc ara arb arg ars ary arz asm ast ava ave awa aym ayr azb \
    aze azj bak bam ban bel bem ben bho bis bjn bod bos bre brx bug bul cat ceb ces cha che chr chu chv cjk \
    ckb cmn cor cos cre crh csb cym dan deu dik div doi dsb dyu dzo ell eng epo est eus ewe fao fas fij fil \
    fin fon fra fry ful fur fuv gan gaz gla gle glg glv grn guj hak hat hau haw hbs heb her hin hmo hne hrv \
    hsb hsn hun hye ibo ido iii iku ile ilo ina ind ipk isl ita jav jpn kab kac kal kam kan kas kat kau kaz \
    kbp kea khk khm kik kin kir kmb kmr knc kok kom kon kor kua kur lao lat lav lij lim lin lit liv lmo ltg \
    ltz lua lub lug luo lus lvs lzh mag mah mai mal mar mas min mkd mlg mlt mni mon mos mri msa mww mya nan \
    nau nav nbl nde ndo nep nld nno nob nor npi nso nus nya oci oji ori orm ory oss pag pan pap pbt pes pli \
    plt pol por prs pus que quy roh ron run rus sag sah san sat scn shn sin slk slv sma sme smj smn smo sms \
    sna snd som sot spa sqi srd srp ssw sun swa swe swh szl tah tam taq tat tel tgk tgl tha tir tlh ton tpi \
    tsn tso tuk tum tur twi tzm uig ukr umb urd uzb uzn vec ven vie vol war wln wol wuu xho ydd yid yor yue \
    zha zho zsm zul";

/// Returns the name of the tokenizer for a target language, as sacreBLEU chooses it: `zh`, `ja-mecab` or
/// `ko-mecab` for Chinese, Japanese and Korean, and `13a` for all other languages.
///
/// Only the first part of a tag counts, in upper or lower case: `zh_TW`, `ZH`, `zho_Hans` and `yue` are
/// Chinese. sacreBLEU silently uses `13a` for all of these.
///
/// # Errors
/// Returns an error if the first part of the tag is not a known code.
pub(crate) fn tokenizer_for_language(target: &str) -> Result<&'static str, ConfigError> {
    // An unknown code is an error, since `13a` for a misspelled `zh` gives a meaningless score without a
    // warning.
    let primary = target.split(['-', '_']).next().unwrap_or_default().to_ascii_lowercase();
    match &*primary {
        "zh" | "zho" | "cmn" | "yue" | "wuu" | "lzh" | "nan" | "hak" | "gan" | "hsn" => Ok("zh"),
        "ja" | "jpn" => Ok("ja-mecab"),
        "ko" | "kor" => Ok("ko-mecab"),
        _ if known().any(|code| code == primary) => Ok("13a"),
        _ => Err(unknown(target)),
    }
}

/// Returns the name of the tokenizer that suits the target language of a pair such as `en-zh`. A region or
/// script is joined to its language by an underscore, as in `en-zh_TW`; the dash only separates the two
/// languages.
///
/// ```
/// use bleuprint_text::tokenizer_for_pair;
/// assert_eq!(tokenizer_for_pair("en-zh")?, "zh");
/// assert_eq!(tokenizer_for_pair("pt_BR-ja_JP")?, "ja-mecab");
/// assert!(tokenizer_for_pair("de").unwrap_err().to_string().contains("`de`"));
/// # Ok::<(), bleuprint_core::ConfigError>(())
/// ```
///
/// # Errors
/// Returns an error if the pair is not two tags joined by a dash, or if the source or target is unknown.
pub fn tokenizer_for_pair(pair: &str) -> Result<&'static str, ConfigError> {
    match pair.split('-').collect::<Vec<_>>()[..] {
        [source, target] if !source.is_empty() && !target.is_empty() => {
            // The source does not affect the tokenizer, but an unknown source is probably a typing error.
            tokenizer_for_language(source).and_then(|_| tokenizer_for_language(target))
        }
        _ => {
            let limit = "source and target with one dash between them, such as `en-de` or `en-zh_TW`";
            Err(ConfigError::out_of_range("the language pair", format!("`{pair}`"), limit))
        }
    }
}

fn unknown(target: &str) -> ConfigError {
    let limit =
        "a language by its ISO 639 code, such as `de`, `deu` or `zh_TW`; --tokenize NAME needs no language";
    ConfigError::out_of_range("the language", format!("`{target}`"), limit)
}

fn known() -> impl Iterator<Item = &'static str> {
    TWO_LETTERS.split_whitespace().chain(THREE_LETTERS.split_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn codes_are_there_once_and_well_formed() {
        assert_eq!(known().collect::<HashSet<_>>().len(), known().count());
        for (codes, len) in [(TWO_LETTERS, 2), (THREE_LETTERS, 3)] {
            assert!(
                codes
                    .split(' ')
                    .all(|code| code.len() == len && code.bytes().all(|b| b.is_ascii_lowercase()))
            );
            assert!(codes.split(' ').is_sorted());
        }
    }

    #[test]
    fn the_first_part_decides_in_any_case() {
        for (pair, expected) in [
            ("en-ZH", "zh"),
            ("en-zh_TW", "zh"),
            ("eng_Latn-zho_Hant", "zh"),
            ("EN-cmn", "zh"),
            ("en-kor_Hang", "ko-mecab"),
            ("ja-en", "13a"),
            ("en-hsb", "13a"),
        ] {
            assert_eq!(tokenizer_for_pair(pair).unwrap(), expected, "{pair}");
        }
    }

    #[test]
    fn what_is_no_pair_of_languages_is_refused() {
        for pair in "xx-yy,en-xx,xx-en,en,,-,en-,-en,en-zh-TW,en--zh,english-german,en-é".split(',') {
            assert!(tokenizer_for_pair(pair).is_err(), "{pair}");
        }
    }
}
