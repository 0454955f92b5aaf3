//! The rules of `ptb`: a pattern over classes of characters, and its action. The longest match wins, then the first rule.
//!
//! They were found by asking the program: with every character, with all short texts over small alphabets,
//! and with generated sentences.

/// What becomes of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Action {
    Token,
    /// A token in which quotation marks become those of ASCII.
    Apostrophe,
    /// A token whose characters are not rewritten.
    Verbatim,
    /// This text is the token.
    As(&'static str),
    Drop,
}

use Action::{Apostrophe, As, Drop, Token, Verbatim};

/// A pattern, the number of last classes that must follow the token without being part of it (negative: the number of first
/// classes that are the token), and its action.
pub(super) type Rule = (&'static str, i8, Action);

/// The names in patterns; a meaning may hold names that come later.
#[rustfmt::skip]
pub(super) const NAMES: &[(&str, &str)] = &[
    ("{WORD}", r"[{L}{M}][{L}{M}{D}]*"),
    ("{THING}", r"{STEM}(?:-(?:[A-Za-z0-9\x88]+|(?:[A-Za-z]\.){2,}))+|{PART}(?:{H}{PART})*"),
    ("{STEM}", r"[A-Za-z0-9][A-Za-z0-9.,\x88]*"),
    ("{PART}", r"(?:[{L}{D}]|[dDlLoO]{QQ}[{L}{D}]{2})[{L}{D}]*"),
    ("{JOINED}", r"[A-Z]+(?:&[A-Z]+)+"),
    ("{APOSTROPHE}", r"[dDlLnNoOA-HJ-XZ]{QQ}[{L}]{2,}|[{L}]+[{V}]{QQ}[aeiouA-Z][{L}]*"),
    ("{SIDE}", r"[A-Za-z0-9]+(?:-[A-Za-z]+)*"),
    ("{PATH}", r"/[^ \x22<>|()\x8e\x8f\n]+{END}"),
    ("{END}", r"[^ \x22<>|.!?(){},\-\x8e\x8f\n]"),
    ("{PLAIN}", r"[^A-Z0-9@!?\x22$,:;<=>\x5c\^|`'()\[\]{}\-_./ \x8e\x8f\n]"),
    ("{NUM}", r"[.,:]?[{D}](?:\x88?[{D}]|[.,:\x8a\x8d][{D}])*"),
    ("{TAG}", concat!(
        r"</?{NAME} *>|<{NAME}(?: +{NAME}(?: *= *(?:'[^']*'|\x22[^\x22]*\x22))?)* */? *>|",
        r"<[!?][-A-Za-z][^>\n]*>",
    )),
    ("{NAME}", r"[A-Za-z][A-Za-z0-9:._-]*"),
    ("{EYE}", r"[-^x=~<>']"),
    ("{MAIL}", r"[^ \x22<>|(){}\x8e\x8f]"),
    ("{HOST}", r"[^ \x22<>|(){}.\x8e\x8f\n]"),
    ("{FIRST}", r"A(?i:t|s|n|fter|dditionally|ccording|bout|)|B(?i:ut)|E(?i:arlier)|H(?i:owever|ere|er|e)|I(?i:t|n|f)|L(?i:ast)|M(?i:ore|any|r\.|s\.)|N(?i:ow)|O(?i:ur|ther|ne|nce)|S(?i:uch|ome|o|ince|he)|T(?i:his|hey|hese|here|hen|heir|he|hat)|W(?i:hile|hen|hat|e)|Y(?i:ou|et)"),
    // Abbreviations at which a sentence may end, and others.
    ("{FINAL}", concat!(
        "(?i:wyo|wisc|wis|wed|vt|va|univ|tues|tue|thurs|thu|tenn|tel|sys|sr|sq|seq|sept|sep|rt|rd|ptys|pty|",
        "ptes|pte|ppty|ppte|plc|penn|okla|oct|nov|nev|neb|mont|mon|mo|minn|mich|md|mar|ltd|ky|kans|kan|",
        "jun|jul|jr|jan|intl|ind|inc|ga|fri|fla|feb|ext|etc|est|esq|dec|dak|ct|cos|corp|conn|colo|co|",
        "calif|bros|blvd|bldg|bhd|aug|assn|ariz|apr|ala|al)",
        "|A(?i:rk|z)|D(?i:el)|I(?i:ll)|L(?i:a)|M(?i:ass|iss)|O(?i:re)|P(?i:a)|T(?i:ex)|W(?i:ash)",
    )),
    ("{TITLE}", concat!(
        "wm|vs|treas|supt|ste|st|spc|sgt|sfc|sens|sen|rev|reps|rep|pvt|profs|prof|pres|ph|pfc|natl|mtg|",
        "mt|msgr|ms|mrs|mr|mme|mlle|mfg|messrs|maj|lt|lieut|jos|invt|insp|hon|govs|gov|gen|ft|ens|elec|",
        "drs|dr|det|dept|cpl|comdr|col|cmdr|cie|cf|capt|brig|ave|atty|asst|assoc|alex|adv|adm|adj",
    )),
    ("{FILE}", "class|java|jpeg|html|docx|bat|bmp|cgi|cpp|dll|doc|exe|gif|htm|jar|jpg|mov|pdf|php|png|ppt|sql|tar|txt|wav|xml|zip|gz|pl|ps|py|[chx]"),
    ("{L}", r"A-Za-z\x80"),
    ("{D}", r"0-9\x81"),
    ("{M}", r"\x82\x88"),
    ("{V}", r"aeiouyAEIOUY"),
    ("{Q}", r"['\x86]"),
    ("{QQ}", r"['`\x86\x87]"),
    ("{H}", r"[-_\x89]"),
];

#[rustfmt::skip]
pub(super) const RULES: &[Rule] = &[
    (r"[ \x8e\x8f]+", 0, Drop),
    // Contractions: the word before, and the rest.
    (r"[A-Za-z\x88]*[A-MO-Za-mo-z]\x88*[nN]{QQ}[tT]", 3, Token),
    (r"[nN]{QQ}[tT]", 0, Apostrophe),
    (r"'[sSdDmM][^A-Za-z]", 1, Apostrophe),
    (r"{WORD}'[sSdDmM][^A-Za-z]", 3, Token),
    (r"{WORD}\x86[sSdDmM]", 2, Token),
    (r"[\x86][sSdDmM]", 0, Apostrophe),
    (r"'(?i:ll|re|ve)[^A-Za-z]", 1, Apostrophe),
    (r"{WORD}'(?i:ll|re|ve)[^A-Za-z]", 4, Token),
    (r"{WORD}\x86(?i:ll|re|ve)", 3, Token),
    (r"[\x86](?i:ll|re|ve)", 0, Apostrophe),
    (r"(?i:cannot)", 3, Token),
    (r"(?i:gonna|gotta|wanna)", 2, Token),
    (r"(?i:lemme|gimme)", 2, Token),
    (r"{Q}[tT](?i:is)", 2, Token),
    (r"{Q}[tT](?i:was)", 3, Token),
    (r"(?i:d'ye|d'you)", 0, Token),
    // The end of a sentence may follow.
    (r"(?:{FINAL})\.[\x00-\xff]", 1, Token),
    (r"(?:{FINAL})\.-[A-Za-z0-9]", 2, Token),
    // Words.
    (r"{WORD}", 0, Token),
    (r"{THING}", 0, Token),
    (r"{WORD}(?:[.!?]{WORD})+", 0, Token),
    (r"{SIDE}(?:/{SIDE}){1,2}", 0, Token),
    (r"{JOINED}", 0, Token),
    (r"{APOSTROPHE}", 0, Token),
    (r"[dDlLjJ]{Q}", 0, Token),
    (r"[yY]{Q}[{L}]", 1, Token),
    (r"(?i:ol{Q}|somethin{Q}|dunkin{Q}|c{Q}mon|cap{Q}n|ev{Q}ry|nor{Q}easter|li{Q}l|s{Q}mores|e{Q}er)", 0, Token),
    (r"{Q}(?i:em|till?|cause)", 0, Token),
    (r"{Q}[nN]{Q}", 0, Token),
    (r"{Q}n[ \x86\n]", 1, Token),
    (r"{Q}[0-9]0s", 0, Token),
    (r"{Q}[0-9]{2}[ \n]", 1, Token),
    // Abbreviations.
    (r"(?i:{TITLE})\.", 0, Token),
    (r"(?i:art|ca|figs?|nos?|op|pp|prop)\.[{D}]", 1, Token),
    (r"(?i:art|ca|figs?|nos?|op|pp|prop)\. [{D}]", 2, Token),
    (r"(?:[Pp][Hh]|[Ee][Dd])\.[Dd]\.", 0, Token),
    // Addresses.
    (r"\([0-9]{2,4}\)[- \x8e]?[0-9]{3,4}[- \x8e]?[0-9]{3,5}", 0, Token),
    (r"(?i:https?)://[^ \x22<>|(){}\x8e\x8f\n]+{END}", 0, Verbatim),
    (r"www\.(?:[^ !?,\x22()<>|{}./\x8e\x8f\n]+\.)+[A-Za-z]{2,4}(?:{PATH})?", 0, Verbatim),
    (r"(?:{PLAIN}+\.)+(?:com|net|org|edu)(?:{PATH})?", 0, Verbatim),
    // Numbers.
    (r"[-+]?\x88?{NUM}", 0, Token),
    (r"[A-Za-z]\.", 0, Token),
    (r"(?:[A-Za-z]\.)+[A-Za-z]?", 0, Token),
    (r"[A-Za-z]\.[ \x8e]+(?:{FIRST}|{TAG})[ \x8e\n]", -1, Token),
    (r"[0-9]{1,4}[- \x8e]?[0-9]{1,4}[/\x8d][0-9]{1,4}", 0, Token),
    (r"(?:{WORD}(?:[.!?]{WORD})*|{THING}|{JOINED}|{APOSTROPHE})\.[,:;]", 1, Token),
    // Names of files and of networks.
    (r"[{L}{M}{D}]+(?:\.[{L}{M}{D}]+)*\.(?i:{FILE})[ .,!?\x8e\n]", 1, Verbatim),
    (r"@[A-Za-z_][A-Za-z0-9_]*", 0, Token),
    (r"#[{L}\x88][{L}{M}]*", 0, Verbatim),
    (r"<?[A-Za-z0-9]{MAIL}*@{HOST}+(?:\.{HOST}+)*>?", 0, Verbatim),
    (r"[<>]?[:;=][-o*']?[()\[\]{dDpPO@|\x5c][^A-Za-z0-9]", 1, Token),
    (r"{EYE}_{EYE}", 0, Token),
    (r"\({EYE}[_.]?{EYE}\)|\([\^x=~<>']-[\^x=~<>']\)", 0, Token),
    (r"<<|>>|@@+|##+", 0, Token),
    (r"{TAG}", 0, Verbatim),
    (r"[A-Z]+\$", 0, Token),
    (r"[Cc]\+\+|[CcFf]#", 0, Token),
    (r"&(?i:amp);", 0, As("&")),
    (r"&(?i:lt);", 0, As("<")),
    (r"&(?i:gt);", 0, As(">")),
    (r"&(?:quot|apos|nbsp|[mn]dash);", 0, Drop),
    (r"&(?:QUOT|APOS|NBSP);", 0, Token),
    (r"&#[0-9]+;", 0, Token),
    // Symbols.
    (r"[!?]{2,}", 0, Token),
    (r"''|[`\x86\x87\x90\x91]{2}", 0, Apostrophe),
    (r"[!?.,:;'`\-\x85\x86\x87\x89\x90\x22]", 0, Drop),
    (r"-{2,4}|\.{3,}", 0, Drop),
    (r"-{5,}", 0, Token),
    (r"\[", 0, As("-lsb-")),
    (r"\]", 0, As("-rsb-")),
    (r"\{", 0, As("-lcb-")),
    (r"\}", 0, As("-rcb-")),
    (r"\*+|_+|\x84+", 0, Token),
    (r"[()&/#%$@<>=+~^|\x5c\x83\x91\x8b\x8c\x8d]", 0, Token),
];
