//! CSV as it is written down, one character after the other.

/// The rows of CSV, by characters; `None` where a rule is broken.
pub(crate) fn rows(text: &str) -> Option<Vec<Vec<String>>> {
    let chars: Vec<char> = text.chars().collect();
    let (mut rows, mut at) = (Vec::new(), 0);
    while at < chars.len() {
        // Empty lines are no rows.
        let blank = if chars[at..].starts_with(&['\r', '\n']) { 2 } else { usize::from(chars[at] == '\n') };
        if blank > 0 || chars[at..] == ['\r'] {
            at += blank.max(1);
            continue;
        }
        let mut row = Vec::new();
        loop {
            let mut cell = String::new();
            if chars.get(at) == Some(&'"') {
                at += 1;
                loop {
                    match (chars.get(at)?, chars.get(at + 1)) {
                        ('"', Some('"')) => {
                            cell.push('"');
                            at += 2;
                        }
                        ('"', _) => {
                            at += 1;
                            break;
                        }
                        (&c, _) => {
                            cell.push(c);
                            at += 1;
                        }
                    }
                }
            } else {
                while let Some(&c) = chars.get(at).filter(|c| !",\n\r".contains(**c)) {
                    if c == '"' {
                        return None;
                    }
                    cell.push(c);
                    at += 1;
                }
            }
            row.push(cell);
            let rest = &chars[at.min(chars.len())..];
            match rest {
                [',', ..] => at += 1,
                [] => break,
                ['\n', ..] => {
                    at += 1;
                    break;
                }
                ['\r', '\n', ..] => {
                    at += 2;
                    break;
                }
                ['\r'] => {
                    at += 1;
                    break;
                }
                _ => return None,
            }
        }
        rows.push(row);
    }
    Some(rows)
}
