//! Untrusted texts made harmless: for HTML, XML, Markdown, tab- and comma-separated values, and JSON within HTML.

/// For the text and the attributes of HTML.
///
/// ```
/// use bleuprint_report::escape;
/// assert_eq!(escape::html("<b title='x'>&\"\0"), "&lt;b title=&#39;x&#39;&gt;&amp;&quot;\u{fffd}");
/// ```
pub fn html(text: &str) -> String {
    marked_up(text, |c| (c == '\0').then_some("\u{fffd}"))
}

/// For the text and the attributes of XML 1.0, which has no way to write most control characters: they become U+FFFD.
///
/// ```
/// use bleuprint_report::escape;
/// assert_eq!(escape::xml("a\u{1b}[31m]]>\n"), "a\u{fffd}[31m]]&gt;&#10;");
/// ```
pub fn xml(text: &str) -> String {
    marked_up(text, |c| match c {
        // Within attributes they would be read as spaces.
        '\t' => Some("&#9;"),
        '\n' => Some("&#10;"),
        '\r' => Some("&#13;"),
        '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => Some("\u{fffd}"),
        _ => None,
    })
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

/// For a cell or a line of Markdown: everything that could be a mark is a numeric entity, which is a mark to no one.
///
/// ```
/// use bleuprint_report::escape;
/// assert_eq!(escape::markdown("a|b\n<i>"), "a&#124;b &#60;i&#62;");
/// ```
pub fn markdown(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            // Between digits and letters these are plain, and the table stays readable as text.
            ' ' | '.' | ',' | '(' | ')' | '%' => escaped.push(c),
            c if c.is_ascii_punctuation() => escaped.push_str(&format!("&#{};", u32::from(c))),
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}

/// For a cell of tab-separated values: no control characters, and nothing that a spreadsheet takes for a formula, also
/// after the spaces and quotes that it drops.
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

/// For a cell of comma-separated values: in quotes if needed, and nothing that a spreadsheet takes for a formula.
///
/// ```
/// use bleuprint_report::escape;
/// assert_eq!(escape::csv("a, \"b\""), "\"a, \"\"b\"\"\"");
/// assert_eq!(escape::csv("=1+1"), "'=1+1");
/// ```
pub fn csv(text: &str) -> String {
    let text = disarmed(text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect());
    if text.contains([',', '"']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

/// With an apostrophe in front of what a spreadsheet takes for a formula, also behind quotes or spaces. Numbers stay.
fn disarmed(text: String) -> String {
    let begins = text.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '\u{feff}'));
    // Their wide forms too, which spreadsheets in Chinese, Japanese and Korean take for them.
    let formula =
        begins.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']) && text.parse::<f64>().is_err();
    if formula { format!("'{text}") } else { text }
}

/// For JSON that stands in a `script` element of HTML: no `<` that could end it or open a comment, and no line ends that
/// only JavaScript has.
///
/// ```
/// use bleuprint_report::escape;
/// assert_eq!(escape::json_in_html(r#"["</script><!--"]"#), r#"["\u003c/script>\u003c!--"]"#);
/// ```
pub fn json_in_html(json: &str) -> String {
    json.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}
