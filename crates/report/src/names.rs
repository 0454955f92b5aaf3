//! Shortens names for table headers. System names lose the text that all of them share; variants of one
//! metric get the signature fields in which they differ.

use bleuprint_core::Scored;
use bleuprint_registry::AnyScore;

/// Returns file names without folders, and without the dot-separated parts that all names share at the start
/// or the end. `test.hyp.A.en` and `test.hyp.B.en` become A and B. A single name loses its last part, as the
/// names of `a.txt` and `b.txt` do. If two short names would be equal, returns
/// all names unchanged.
///
/// ```
/// let names = ["x/t.hyp.A.en".to_owned(), "y/t.hyp.B.en".to_owned()];
/// assert_eq!(bleuprint_report::short_names(&names), ["A", "B"]);
/// ```
pub fn short_names(names: &[String]) -> Vec<String> {
    let file = |name: &String| name.rsplit(['/', '\\']).next().unwrap_or(name).to_owned();
    let files: Vec<String> = names.iter().map(file).collect();
    let mut parts: Vec<Vec<&str>> = files.iter().map(|file| file.split('.').collect()).collect();
    if let [only] = &mut parts[..]
        && only.len() > 1
    {
        only.pop();
    }
    let common = |parts: &[Vec<&str>], end: fn(&Vec<&str>) -> Option<String>| {
        // A name of one part is never shortened, so no name becomes empty here.
        let several = parts.len() > 1 && parts.iter().all(|parts| parts.len() > 1);
        several && parts.windows(2).all(|pair| end(&pair[0]) == end(&pair[1]))
    };
    while common(&parts, |parts| parts.first().map(|part| (*part).to_owned())) {
        for parts in &mut parts {
            parts.remove(0);
        }
    }
    while common(&parts, |parts| parts.last().map(|part| (*part).to_owned())) {
        for parts in &mut parts {
            parts.pop();
        }
    }
    let shortened: Vec<String> = parts.iter().map(|parts| parts.join(".")).collect();
    let unique =
        (0..shortened.len()).all(|at| !shortened[at].is_empty() && !shortened[..at].contains(&shortened[at]));
    if unique { shortened } else { names.to_vec() }
}

/// Returns a distinct column header for each of these scores, made from the metric names; see
/// [`distinct_names`].
pub fn headers(scores: &[Scored<AnyScore>]) -> Vec<String> {
    let signed: Vec<(&str, String)> =
        scores.iter().map(|scored| (&*scored.score.name, scored.signature.body())).collect();
    let named: Vec<(&str, &str)> = signed.iter().map(|(name, signature)| (*name, &**signature)).collect();
    distinct_names(&named)
}

/// Returns a distinct column header for each metric, given as a pair of name and signature. Variants of one
/// metric get the signature fields in which they differ, or else a number.
///
/// ```
/// use bleuprint_report::distinct_names;
/// let metrics = [("BLEU", "nrefs:1|tok:13a"), ("BLEU", "nrefs:1|tok:char"), ("TER", "nrefs:1")];
/// assert_eq!(distinct_names(&metrics), ["BLEU (tok:13a)", "BLEU (tok:char)", "TER"]);
/// ```
pub fn distinct_names(metrics: &[(&str, &str)]) -> Vec<String> {
    let fields = |signature: &'_ str| signature.split('|').map(str::to_owned).collect::<Vec<_>>();
    let named = |&(name, signature): &(&str, &str)| {
        let variants: Vec<Vec<String>> = metrics
            .iter()
            .filter(|(other, _)| *other == name)
            .map(|(_, signature)| fields(signature))
            .collect();
        let shared = |field: &String| variants.iter().all(|variant| variant.contains(field));
        let own: Vec<String> = fields(signature).into_iter().filter(|field| !shared(field)).collect();
        if own.is_empty() { name.to_owned() } else { format!("{name} ({})", own.join(" ")) }
    };
    let mut names: Vec<String> = Vec::new();
    for name in metrics.iter().map(named) {
        // Equal signatures: only the position in the table can tell the two apart.
        let twice = names.contains(&name);
        names.push(if twice { format!("{name} ({})", names.len() + 1) } else { name });
    }
    names
}

#[cfg(test)]
mod tests {
    use super::short_names;

    #[test]
    fn names_are_what_tells_systems_apart() {
        let short =
            |names: &[&str]| short_names(&names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>());
        assert_eq!(short(&["x/t.hyp.A.en", "y/t.hyp.B.en"]), ["A", "B"]);
        assert_eq!(short(&["x/sys.en", "y/sys.en"]), ["x/sys.en", "y/sys.en"]);
        assert_eq!(short(&["a.1", "a.1.b"]), ["1", "1.b"]);
        assert_eq!(short(&["out/a.txt"]), ["a"]);
        assert_eq!(short(&["out/a"]), ["a"]);
        assert_eq!(short(&["out/.txt"]), ["out/.txt"]);
    }
}
