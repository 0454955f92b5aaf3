//! Reads callgrind's output: the instructions of each function, without its callees.

use std::collections::BTreeMap;

use super::baseline::Row;

/// Reads a profile that was written without compressed names and positions.
///
/// # Errors
/// Returns a message if no instruction was counted, or if a line does not have this form.
pub(super) fn read(text: &str) -> Result<Row, String> {
    let mut functions = BTreeMap::<String, u64>::new();
    let (mut function, mut of_call) = ("", false);
    for (number, line) in text.lines().enumerate() {
        if let Some(name) = line.strip_prefix("fn=") {
            function = name;
        } else if line.starts_with("calls=") {
            // The next line is the cost of the callee, which is also listed at the callee.
            of_call = true;
        } else if line.starts_with(|first: char| first.is_ascii_digit() || first == '+' || first == '-')
            && !std::mem::take(&mut of_call)
        {
            let cost = line.split(' ').nth(1).and_then(|cost| cost.parse::<u64>().ok());
            let cost = cost.ok_or_else(|| format!("line {}: `{line}` is not a cost", number + 1))?;
            *functions.entry(plain(function)).or_default() += cost;
        }
    }
    let instructions = functions.values().sum();
    if instructions == 0 {
        return Err("no instruction was counted: was the measured function inlined?".to_owned());
    }
    Ok(Row { instructions, functions })
}

/// Returns the name without the marks of recursion and of compilation units, which change from build to build.
fn plain(name: &str) -> String {
    // LLVM appends a hash to internal names when it splits a crate; callgrind appends `'2` to recursive calls.
    let name = name.split_once(".llvm.").map_or(name, |(name, _)| name);
    let digits = name.rsplit_once('\'').filter(|(_, level)| level.bytes().all(|byte| byte.is_ascii_digit()));
    digits.map_or(name, |(name, _)| name).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_have_their_own_instructions() {
        let text = "version: 1\nevents: Ir\nfl=???\nfn=main\n0 5\ncfn=work'2\ncalls=3 0\n0 90\n0 1\n\nfn=work'2\n0 60\nfn=work.llvm.123\n0 30\nsummary: 96\n";
        let row = read(text).unwrap();
        assert_eq!(row.instructions, 96);
        assert_eq!(row.functions, BTreeMap::from([("main".to_owned(), 6), ("work".to_owned(), 90)]));
    }

    #[test]
    fn an_empty_profile_is_an_error() {
        assert!(read("events: Ir\nsummary: 0\n").unwrap_err().contains("no instruction"));
        assert!(read("fn=a\n0 x\n").unwrap_err().contains("line 2"));
    }
}
