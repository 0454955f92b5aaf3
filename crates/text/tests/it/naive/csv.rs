//! CSV as it is written down, cell by cell.

/// The rows of CSV; `None` where a rule is broken.
pub(crate) fn rows(text: &str) -> Option<Vec<Vec<String>>> {
    let (mut rows, mut row, mut rest) = (Vec::new(), Vec::new(), text);
    let line_end = |text: &'_ str| ["\n", "\r\n"].into_iter().find(|end| text.starts_with(end)).map(str::len);
    loop {
        if row.is_empty() {
            // Empty lines are no rows.
            while let Some(len) = line_end(rest) {
                rest = &rest[len..];
            }
            if ["", "\r"].contains(&rest) {
                return Some(rows);
            }
        }
        let (text, after) = cell(rest)?;
        row.push(text);
        if let Some(next) = after.strip_prefix(',') {
            rest = next;
            continue;
        }
        rest = if ["", "\r"].contains(&after) { "" } else { &after[line_end(after)?..] };
        rows.push(std::mem::take(&mut row));
    }
}

/// The first cell, and the text after it.
fn cell(text: &str) -> Option<(String, &str)> {
    let Some(mut rest) = text.strip_prefix('"') else {
        let (cell, after) = text.split_at(text.find([',', '\n', '\r']).unwrap_or(text.len()));
        return (!cell.contains('"')).then(|| (cell.to_owned(), after));
    };
    let mut cell = String::new();
    loop {
        let (before, after) = rest.split_once('"')?;
        cell.push_str(before);
        let Some(more) = after.strip_prefix('"') else { return Some((cell, after)) };
        cell.push('"');
        rest = more;
    }
}
