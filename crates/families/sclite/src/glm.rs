//! [`Glm`]: the replacement rules of a GLM file (NIST's format for normalizing transcripts), applied as
//! rfilter1 applies them.

use bleuprint_core::{InputError, Location, Result};

/// Header keys of a GLM file that are accepted and ignored.
const HEADERS: [&str; 4] = ["name", "desc", "format", "max_nrules"];

struct GlmRule {
    from: String,
    to: String,
    /// Text that must come right before the replaced text `from`; otherwise the rule does not apply.
    /// Likewise, `right` is the text that must come right after `from`.
    left: String,
    right: String,
}

/// Replacement rules of a GLM file, grouped by the first byte of the replaced text; each group keeps the
/// order of the file.
pub(crate) struct Glm {
    rules: Vec<Vec<GlmRule>>,
    ignore_case: bool,
}

impl Glm {
    /// Parses the replacement rules of a GLM file from its text; `path` is its name for error messages.
    ///
    /// # Errors
    /// Returns an error with the line number if a line is neither a rule nor a known header.
    pub(crate) fn read(path: &str, text: &str) -> Result<Self> {
        let mut glm = Glm { rules: (0..256).map(|_| Vec::new()).collect(), ignore_case: false };
        for (number, line) in (1..).zip(text.lines()) {
            let fault = |what: &str| Err(InputError::malformed(what).at(Location::line(path, number)));
            let line = without_comment(line).trim();
            if line.is_empty() {
                continue;
            }
            if let Some(header) = line.strip_prefix('*') {
                let (key, value) = header.trim().split_once([' ', '=']).unwrap_or((header.trim(), ""));
                match (key, value.trim_matches([' ', '=', '\'', '"'])) {
                    ("case_sensitive", "T") => glm.ignore_case = false,
                    ("case_sensitive", "F") => glm.ignore_case = true,
                    ("copy_no_hit", "T") => {}
                    ("copy_no_hit", _) => {
                        return fault("copy_no_hit = 'F' would drop all text without a rule; set 'T'");
                    }
                    (key, _) if HEADERS.contains(&key) => {}
                    _ => {
                        return fault(
                            "this header is unknown; known are name, desc, format, max_nrules, copy_no_hit and case_sensitive",
                        );
                    }
                }
                continue;
            }
            match rule(line) {
                Ok(rule) => {
                    // Rules may ignore case, so the index is in lower case; `fits` compares the exact bytes.
                    let first = rule.from.as_bytes()[0].to_ascii_lowercase();
                    glm.rules[usize::from(first)].push(rule);
                }
                Err(what) => return fault(what),
            }
        }
        Ok(glm)
    }

    /// Applies the first matching rule at each position of the text, and returns the new text. A rule's
    /// context, the text before and after the match, is compared with the original text.
    pub(crate) fn apply(&self, text: &str) -> String {
        let bytes = text.as_bytes();
        let equal = |one: &[u8], other: &[u8]| {
            if self.ignore_case { one.eq_ignore_ascii_case(other) } else { one == other }
        };
        let fits = |rule: &GlmRule, at: usize| {
            let end = at + rule.from.len();
            let left = at.checked_sub(rule.left.len()).map(|from| &bytes[from..at]);
            bytes.get(at..end).is_some_and(|here| equal(here, rule.from.as_bytes()))
                && left.is_some_and(|before| equal(before, rule.left.as_bytes()))
                && bytes
                    .get(end..end + rule.right.len())
                    .is_some_and(|after| equal(after, rule.right.as_bytes()))
        };
        let mut out = String::with_capacity(text.len() + 16);
        // The input before `copied` is already in the output.
        let mut at = 0;
        let mut copied = 0;
        while at < bytes.len() {
            let rules = &self.rules[usize::from(bytes[at].to_ascii_lowercase())];
            match rules.iter().find(|rule| fits(rule, at)) {
                // Texts of rules are whole characters, so both ends of a match are character boundaries.
                Some(rule) => {
                    out.push_str(&text[copied..at]);
                    out.push_str(&rule.to);
                    at += rule.from.len();
                    copied = at;
                }
                None => at += 1,
            }
        }
        out.push_str(&text[copied..]);
        out
    }
}

/// Returns a line of a GLM file without its comment, which begins at the first semicolon outside square
/// brackets.
fn without_comment(line: &str) -> &str {
    let mut within = false;
    let end = line.find(|c| {
        within = (within || c == '[') && c != ']';
        c == ';' && !within
    });
    &line[..end.unwrap_or(line.len())]
}

fn rule(line: &str) -> std::result::Result<GlmRule, &'static str> {
    let (from, rest) = line
        .split_once(" =>")
        .filter(|(_, rest)| rest.is_empty() || rest.starts_with(' '))
        .ok_or("this is not a rule; write [from] => [to], with spaces around the arrow")?;
    let from = side(from)?;
    if from.is_empty() {
        return Err("the rule replaces an empty text");
    }
    let rest = rest.trim();
    let (to, left, right) = match rest.split_once("__") {
        None => (rest, "", ""),
        Some((before, right)) if !right.contains("__") => {
            let (to, left) =
                before.rsplit_once(" / ").ok_or("a context must follow a slash: / [left] __ [right]")?;
            (to, left, right)
        }
        Some(_) => return Err("the rule has two contexts, but may have one: / [left] __ [right]"),
    };
    let to = match to.trim() {
        braces if braces.starts_with('{') && braces.ends_with('}') => braces.to_owned(),
        text if text.contains(" / ") => return Err("a context has two sides: / [left] __ [right]"),
        text => side(text)?,
    };
    Ok(GlmRule { from, to, left: side(left)?, right: side(right)? })
}

/// Returns one side of a GLM replacement rule without its square brackets and the white space around them:
/// ` [a b] ` becomes `a b`. A text without brackets is only trimmed.
fn side(text: &str) -> std::result::Result<String, &'static str> {
    let text = text.trim();
    let inner = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text);
    if inner.contains("][") || inner.len() == text.len() && text.contains(['[', ']']) {
        return Err("a side of a rule must be one text in brackets");
    }
    Ok(inner.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn applied(rules: &str, text: &str) -> String {
        Glm::read("x.glm", &format!("* case_sensitive = 'F'\n{rules}\n")).unwrap().apply(text)
    }

    #[test]
    fn rules_act_as_those_of_rfilter1() {
        let cases = [
            ("[a b] => [x]\n[a] => [y]", "a b a", "x y"),
            ("[a] => [y]\n[a b] => [x]", "a b a", "y b y"),
            ("[ab] => [1] / [ ] __ [ ]\n[a] => [2]", "ab abc ab", "2b 2bc 2b"),
            ("[a] => [x] / [] __ [b]", "ab a", "xb a"),
            ("[a] => [x] / [b] __ []", "ba a", "bx a"),
            ("[a] => [x] / [ ] __ [ ] ;; a comment", " a a a ", " x x x "),
            ("[a] => [[x]]", "a", "[x]"),
            ("a b => c / [ ] __ [ ]", " A b ", " c "),
            ("[é] => [e]", "Éé", "Ée"),
            ("[a] => {[b] / [c]} / [ ] __ [ ]", " a ", " {[b] / [c]} "),
            ("[a] =>", "bab", "bb"),
        ];
        for (rules, text, expected) in cases {
            assert_eq!(applied(rules, text), expected, "{rules}");
        }
    }

    #[test]
    fn lines_that_are_no_rules_are_refused_with_their_number() {
        let cases = [
            ("garbage", "not a rule"),
            ("[a]=>[b]", "with spaces around the arrow"),
            ("[] => [b]", "an empty text"),
            ("[a] => [b] / [ ]", "two sides"),
            ("[a] => [b] / [x][y] __ [ ]", "one text in brackets"),
            ("[a] => [b] / [ ] __ [ ] / [c] __ [d]", "two contexts"),
            ("* copy_no_hit = 'F'", "would drop all text"),
            ("* comment = 'x'", "this header is unknown"),
        ];
        for (line, expected) in cases {
            let error = Glm::read("x.glm", &format!("\n{line}")).err().unwrap().to_string();
            assert!(error.starts_with("x.glm: line 2: ") && error.contains(expected), "{error}");
        }
    }
}
