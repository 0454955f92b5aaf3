//! Escapes untrusted text for HTML, XML, Markdown, tab- and comma-separated values, and JSON within HTML.

use std::borrow::Cow;

/// Escapes text for element content and attribute values of HTML.
///
/// ```
/// use bleuprint_report::escape;
/// assert_eq!(escape::html("<b title='x'>&\"\0"), "&lt;b title=&#39;x&#39;&gt;&amp;&quot;\u{fffd}");
/// ```
pub fn html(text: &str) -> String {
    // HTML has no way to write a null character, so it becomes the replacement character.
    marked_up(text, |c| (c == '\0').then_some("\u{fffd}"))
}

/// Escapes text for element content and attribute values of XML 1.0. XML cannot contain most control
/// characters; they become U+FFFD.
///
/// ```
/// use bleuprint_report::escape;
/// assert_eq!(escape::xml("a\u{1b}[31m]]>\n"), "a\u{fffd}[31m]]&gt;&#10;");
/// ```
pub fn xml(text: &str) -> String {
    marked_up(text, |c| match c {
        // A parser would turn these into spaces within attributes.
        '\t' => Some("&#9;"),
        '\n' => Some("&#10;"),
        '\r' => Some("&#13;"),
        '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => Some("\u{fffd}"),
        _ => None,
    })
}

/// Escapes untrusted text for a line of plain text. Control characters, and characters that change the
/// direction of text, become escapes such as `\u{1b}`: they could move a terminal's cursor or hide text.
///
/// ```
/// use bleuprint_report::escape;
/// assert_eq!(escape::line("a\u{1b}[31m\n\u{202e}é"), "a\\u{1b}[31m\\u{a}\\u{202e}é");
/// ```
pub fn line(text: &str) -> Cow<'_, str> {
    let hides = |c: char| {
        c.is_control()
            || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    if !text.contains(hides) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if hides(c) { escaped.extend(c.escape_unicode()) } else { escaped.push(c) }
    }
    Cow::Owned(escaped)
}

fn marked_up(text: &str, others: impl Fn(char) -> Option<&'static str>) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        let entity = match c {
            '&' => Some("&amp;"),
            '<' => Some("&lt;"),
            '>' => Some("&gt;"),
            '"' => Some("&quot;"),
            '\'' => Some("&#39;"),
            c => others(c),
        };
        match entity {
            Some(entity) => escaped.push_str(entity),
            None => escaped.push(c),
        }
    }
    escaped
}

/// Escapes text for a cell or within a line of Markdown. A backslash stands before characters that are markup
/// there; characters that are markup only at the start of a line stay as they are.
///
/// ```
/// use bleuprint_report::escape;
/// assert_eq!(escape::markdown("a|b\n<i>"), "a\\|b \\<i>");
/// assert_eq!(escape::markdown("sys-a.en = -1 (p)"), "sys-a.en = -1 (p)");
/// assert_eq!(escape::markdown("tok:13a https://a"), "tok:13a https\\://a");
/// assert_eq!(escape::markdown("snake_case *a*"), "snake\\_case \\*a\\*");
/// ```
pub fn markdown(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '&' | '|' | '~' | '$' => escaped.extend(['\\', c]),
            // An address would become a link.
            ':' if characters.peek() == Some(&'/') => escaped.extend(['\\', c]),
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}

/// Escapes text for a cell of tab-separated values. Control characters become spaces. Text that a spreadsheet
/// would take for a formula gets an apostrophe, even after spaces and quotes that the spreadsheet drops.
///
/// ```
/// use bleuprint_report::escape;
/// assert_eq!(escape::tsv("=cmd()\tb"), "'=cmd() b");
/// assert_eq!(escape::tsv("\"=cmd()\""), "'\"=cmd()\"");
/// assert_eq!(escape::tsv("\"a\" = b"), "\"a\" = b");
/// assert_eq!(escape::tsv("-5.3"), "-5.3");
/// ```
pub fn tsv(text: &str) -> String {
    disarmed(text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect())
}

/// Escapes text for a cell of comma-separated values. Quotes the text if needed, and keeps spreadsheets from
/// reading it as a formula, as [`tsv`] does.
///
/// ```
/// use bleuprint_report::escape;
/// assert_eq!(escape::csv("a, \"b\""), "\"a, \"\"b\"\"\"");
/// assert_eq!(escape::csv("=1+1"), "'=1+1");
/// ```
pub fn csv(text: &str) -> String {
    let text = disarmed(text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect());
    // RFC 4180 doubles a quote within quotes.
    if text.contains([',', '"']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

/// Puts an apostrophe before text that a spreadsheet would read as a formula. Spaces and quotes at the start
/// of the text do not hide a formula. Numbers stay unchanged.
fn disarmed(text: String) -> String {
    let begins = text.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '\u{feff}'));
    // Spreadsheets in Chinese, Japanese and Korean also take the full-width characters for formulas.
    let formula =
        begins.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']) && text.parse::<f64>().is_err();
    if formula { format!("'{text}") } else { text }
}

/// Escapes JSON for a `script` element of HTML: no `<` that could end the element or begin a comment, and no
/// U+2028 or U+2029, which only JavaScript takes for line ends.
///
/// ```
/// use bleuprint_report::escape;
/// assert_eq!(escape::json_in_html(r#"["</script><!--"]"#), r#"["\u003c/script>\u003c!--"]"#);
/// ```
pub fn json_in_html(json: &str) -> String {
    json.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}
