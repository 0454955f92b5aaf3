//! Case files as steps: every line has one of the forms of the README, or is an error.

pub(super) struct Case {
    /// The file and the case.
    pub(super) name: String,
    pub(super) steps: Vec<Step>,
}

#[derive(Clone)]
pub(super) enum Step {
    File {
        name: String,
        content: Vec<u8>,
    },
    Changed {
        name: String,
        from: String,
        changes: Vec<(String, String)>,
        seal: bool,
        times: usize,
    },
    Remove(String),
    /// A link to a file, by name or hard.
    Link {
        name: String,
        to: String,
        hard: bool,
    },
    Run(Run),
}

#[derive(Clone, Default)]
pub(super) struct Run {
    pub(super) line: usize,
    command: String,
    pub(super) stdin: Vec<u8>,
    /// Empty without one.
    pub(super) label: String,
    pub(super) expected: Vec<(usize, String)>,
}

impl Run {
    /// The command lines, one for each choice of the alternatives in braces, with what was chosen.
    pub(super) fn commands(&self) -> Vec<(String, Vec<String>)> {
        let mut all = vec![(String::new(), Vec::new())];
        let mut rest = self.command.as_str();
        while let Some((before, after)) = rest.split_once('{') {
            let (choices, after) = after.split_once('}').unwrap_or((after, ""));
            let with = |(command, chosen): &(String, Vec<String>), choice: &str| {
                (format!("{command}{before}{choice}"), [&chosen[..], &[choice.to_owned()]].concat())
            };
            all =
                all.iter().flat_map(|one| choices.split('|').map(move |choice| with(one, choice))).collect();
            rest = after;
        }
        all.iter().map(|(command, chosen)| (format!("{command}{rest}"), chosen.clone())).collect()
    }
}

pub(super) fn cases(short: &str, text: &str) -> Result<Vec<Case>, String> {
    let (mut first, mut cases): (Vec<Step>, Vec<Case>) = (Vec::new(), Vec::new());
    for (number, line) in (1..).zip(text.lines()) {
        if let Some(name) = line.strip_prefix("== ") {
            let steps = first.clone();
            cases.push(Case { name: format!("{short}: {name}"), steps });
            continue;
        }
        let steps = cases.last_mut().map_or(&mut first, |case| &mut case.steps);
        add(number, line, steps).map_err(|error| format!("{short}: line {number}: {error}: {line}"))?;
    }
    let runs = |case: &Case| {
        case.steps[first.len()..]
            .iter()
            .any(|step| matches!(step, Step::Run(run) if !run.expected.is_empty()))
    };
    if cases.is_empty() {
        return Err(format!("{short}: no case"));
    }
    match cases.iter().find(|case| !runs(case)) {
        Some(case) => Err(format!("{}: it expects nothing", case.name)),
        None => Ok(cases.into_iter().filter(is_of_this_build).collect()),
    }
}

/// `== NAME (if FEATURE)`.
fn is_of_this_build(case: &Case) -> bool {
    let Some((_, feature)) = case.name.split_once(" (if ") else { return true };
    match feature.trim_end_matches(')') {
        "arrow" => cfg!(feature = "arrow"),
        "unix" => cfg!(unix),
        "code" => bleuprint::families().get("code").is_some(),
        "no code" => bleuprint::families().get("code").is_none(),
        "no jieba" => cfg!(not(feature = "jieba")),
        "no hf" => cfg!(not(feature = "hf")),
        other => panic!("{}: unknown feature `{other}`", case.name),
    }
}

fn add(number: usize, line: &str, steps: &mut Vec<Step>) -> Result<(), String> {
    let (mark, rest) = line.split_at(line.find(' ').unwrap_or(line.len()));
    let rest = rest.strip_prefix(' ').unwrap_or(rest);
    match (mark, steps.last_mut()) {
        ("" | "#", _) => {}
        ("@", _) => steps.push(file(rest)?),
        ("rm", _) => steps.push(Step::Remove(rest.to_owned())),
        ("link", _) => {
            let (name, to) = rest.split_once(' ').ok_or("link NAME FILE")?;
            let (to, hard) = to.strip_prefix("= ").map_or((to, false), |to| (to, true));
            steps.push(Step::Link { name: name.to_owned(), to: to.to_owned(), hard });
        }
        ("|", Some(Step::File { content, .. })) => content.extend([rest.as_bytes(), b"\n"].concat()),
        ("\\", Some(Step::File { content, .. })) => content.extend(unescaped(rest)?),
        ("x", Some(Step::File { content, .. })) => {
            *content = content.repeat(rest.parse().map_err(|_| "no number")?);
        }
        ("n", Some(Step::File { content, .. })) => {
            let text = String::from_utf8(std::mem::take(content)).map_err(|error| error.to_string())?;
            content.extend(numbered(&text, rest.parse().map_err(|_| "no number")?).into_bytes());
        }
        ("n", Some(Step::Changed { times, .. })) => *times = rest.parse().map_err(|_| "no number")?,
        ("-", Some(Step::Changed { changes, .. })) => {
            let (old, new) = rest.split_once(" =>").ok_or("no ` => `")?;
            let new = new.strip_prefix(' ').unwrap_or(new);
            let text = |part| String::from_utf8(unescaped(part)?).map_err(|error| error.to_string());
            changes.push((text(old)?, text(new)?));
        }
        ("$", _) => {
            steps.push(Step::Run(Run { line: number, command: rest.to_owned(), ..Run::default() }));
        }
        ("<", Some(Step::Run(run))) => run.stdin.extend([rest.as_bytes(), b"\n"].concat()),
        ("<\\", Some(Step::Run(run))) => run.stdin.extend(unescaped(rest)?),
        ("as", Some(Step::Run(run))) => run.label = rest.to_owned(),
        (_, Some(Step::Run(run))) => run.expected.push((number, line.to_owned())),
        _ => return Err("it has no form of a case".to_owned()),
    }
    Ok(())
}

/// `NAME`, `NAME = FILE` or `NAME sealed = FILE`.
fn file(rest: &str) -> Result<Step, String> {
    let Some((name, from)) = rest.split_once(" = ") else {
        return Ok(Step::File { name: rest.to_owned(), content: Vec::new() });
    };
    let (name, seal) = name.strip_suffix(" sealed").map_or((name, false), |name| (name, true));
    Ok(Step::Changed { name: name.to_owned(), from: from.to_owned(), changes: Vec::new(), seal, times: 0 })
}

/// The text this often, with 0, 1, .. for each `#`.
pub(super) fn numbered(text: &str, times: usize) -> String {
    (0..times).map(|time| text.replace('#', &time.to_string())).collect()
}

/// Words between spaces; `'..'` keeps spaces, and `\` escapes as in [`unescaped`].
pub(super) fn words(command: &str) -> Result<Vec<String>, String> {
    let (mut words, mut word, mut quoted) = (Vec::new(), None::<String>, false);
    for c in command.chars() {
        match c {
            '\'' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            ' ' if !quoted => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words.iter().map(|word| String::from_utf8(unescaped(word)?).map_err(|error| error.to_string())).collect()
}

/// `\n`, `\t`, `\r`, `\s` (a space), `\\`, `\xNN` (a byte) and `\u{N}`.
pub(super) fn unescaped(text: &str) -> Result<Vec<u8>, String> {
    let (mut bytes, mut rest) = (Vec::new(), text);
    while let Some((before, after)) = rest.split_once('\\') {
        bytes.extend(before.as_bytes());
        let kind = after.chars().next().ok_or("a `\\` at the end")?;
        let mut after = &after[kind.len_utf8()..];
        let number =
            |digits: &str| u32::from_str_radix(digits, 16).map_err(|_| format!("no number: {digits}"));
        match kind {
            'n' => bytes.push(b'\n'),
            't' => bytes.push(b'\t'),
            'r' => bytes.push(b'\r'),
            's' => bytes.push(b' '),
            '\\' => bytes.push(b'\\'),
            'x' => {
                let (digits, more) = after.split_at_checked(2).ok_or("two digits after \\x")?;
                bytes.extend(u8::try_from(number(digits)?));
                after = more;
            }
            'u' => {
                let (digits, more) = after.trim_start_matches('{').split_once('}').ok_or("no `}`")?;
                let c = char::from_u32(number(digits)?).ok_or("no code point")?;
                bytes.extend(c.encode_utf8(&mut [0; 4]).as_bytes());
                after = more;
            }
            _ => return Err(format!("unknown escape `\\{kind}`")),
        }
        rest = after;
    }
    bytes.extend(rest.as_bytes());
    Ok(bytes)
}
