//! Command lines: from the commands and options that the program's help lists, with values that are right, nearly right,
//! or nonsense.

use std::path::Path;
use std::process::Command;

use bleuprint_testkit::random::Rng;
use serde_json::Value;
use xtask::Result;

use super::inputs;
use super::twin::Twin;
use crate::pieces;

/// Command line, the file of its standard input, and the expected outcome.
pub(super) struct CommandCase {
    pub(super) command: String,
    pub(super) arguments: Vec<String>,
    pub(super) stdin: String,
    pub(super) allowed: &'static [i32],
    pub(super) expected: Option<Twin>,
}

pub(super) struct Grammar {
    commands: Vec<SoakCommand>,
    /// The example of each metric: the metric with the options that it needs, and a segment.
    examples: Vec<(String, Value)>,
}

struct SoakCommand {
    name: String,
    options: Vec<CommandOption>,
    positional: bool,
}

struct CommandOption {
    name: String,
    takes_value: bool,
    values: Vec<String>,
}

/// Maximum number of segments of a `resegment` case: with several references its time grows with the product of both lengths.
const RESEGMENTED: usize = 100;

impl Grammar {
    pub(super) fn from_program(program: &Path) -> Result<Self> {
        let commands = commands_in(&help(program, &[])?);
        let entries = entries(program)?;
        let metrics = metrics_of(&entries);
        let examples = examples_of(&entries)?;
        let read = |name: &String| {
            let text = help(program, &[name])?;
            let positional = text.lines().any(|line| line == "Arguments:");
            let mut options = options_in(&text);
            // The help of `--metrics` does not list values, because metrics with options are endless.
            for option in options.iter_mut().filter(|option| option.name == "--metrics") {
                option.values.clone_from(&metrics);
            }
            Ok(SoakCommand { name: name.clone(), options, positional })
        };
        let commands =
            commands.iter().filter(|name| *name != "help").map(read).collect::<Result<Vec<_>>>()?;
        // A changed layout of the help would leave nothing to test, and the run would pass.
        if commands.iter().all(|command| command.name != "score") {
            return Err("the program's help lists no command `score`".into());
        }
        Ok(Grammar { commands, examples })
    }

    pub(super) fn commands(&self) -> usize {
        self.commands.len()
    }

    pub(super) fn options(&self) -> usize {
        self.commands.iter().map(|command| command.options.len()).sum()
    }

    /// Returns a random case and writes its files to `folder`.
    pub(super) fn case(&self, folder: &Path, rng: &mut Rng) -> Result<CommandCase> {
        let files = SoakFiles { folder, rng };
        match files.rng.below(100) {
            // The shares favour plausible commands: nonsense mostly ends in the parser of options.
            0..=29 => files.compared(),
            30..=84 => files.plausible(self),
            _ => files.wild(self),
        }
    }
}

fn help(program: &Path, command: &[&String]) -> Result<String> {
    // A wide line has the whole description of an option.
    let output = Command::new(program).args(command).arg("--help").env("COLUMNS", "10000").output();
    let output = output.map_err(|error| format!("cannot run {}: {error}", program.display()))?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Returns the metrics that the program lists, with their options and examples.
fn entries(program: &Path) -> Result<Vec<Value>> {
    let output = Command::new(program).args(["list", "metrics", "-f", "json"]).output();
    let output = output.map_err(|error| format!("cannot run {}: {error}", program.display()))?;
    Ok(serde_json::from_slice(&output.stdout)?)
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Returns the example of each metric.
fn examples_of(entries: &[Value]) -> Result<Vec<(String, Value)>> {
    let example = |entry: &Value| {
        let record = serde_json::from_str(&text(&entry["example"]));
        let record = record.map_err(|error| format!("the example of {}: {error}", entry["name"]))?;
        Ok((text(&entry["example_metric"]), record))
    };
    entries.iter().map(example).collect()
}

/// Returns every metric alone, and with a value of each of its options: listed values, or numbers at and
/// beyond limits.
fn metrics_of(entries: &[Value]) -> Vec<String> {
    let mut metrics = Vec::new();
    for entry in entries {
        let name = text(&entry["name"]);
        for option in entry["options"].as_array().into_iter().flatten() {
            let own = text(&option["own_name"]);
            let values = text(&option["values"]);
            let words = match values.split_once(", ") {
                Some(_) => values.split(", ").collect(),
                // Without a list the help describes a range in words: try limits, and values of other types.
                None => vec!["0", "1", "2", "0.5", "-1", "1e308", "nan", "yes", "value"],
            };
            metrics.extend(words.iter().map(|word| format!("{name}:{own}={word}")));
        }
        metrics.push(name);
    }
    metrics
}

/// Returns the names of the commands, which are in groups above the options.
fn commands_in(help: &str) -> Vec<String> {
    let groups = help.lines().skip_while(|line| !line.ends_with(':')).take_while(|line| *line != "Options:");
    let names = groups.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names = names.filter_map(|line| line.split_whitespace().next());
    names.filter(|name| name.starts_with(|c: char| c.is_ascii_lowercase())).map(str::to_owned).collect()
}

/// Returns the options in lines such as `  -f, --format <format>  .. [possible values: json, text]`, and those of
/// single metrics, which stand together as `--turns --uem=FILE`.
fn options_in(help: &str) -> Vec<CommandOption> {
    let option = |line: &str| {
        // The long name is the first or, after a short one such as `-f,`, the second word.
        let name: String = line.split_whitespace().take(2).find(|word| word.starts_with("--"))?.to_owned();
        let takes_value =
            line.split("--").nth(1).is_some_and(|rest| rest.split("  ").next().unwrap_or("").contains('<'));
        let values = line.split("[possible values: ").nth(1).and_then(|rest| rest.split(']').next());
        let values = values.map(|values| values.split(", ").map(str::to_owned).collect()).unwrap_or_default();
        Some(CommandOption { name, takes_value, values })
    };
    let (of_all, rest) = help.split_once("Options of single metrics").unwrap_or((help, ""));
    let of_metrics = rest.lines().skip(1).take_while(|line| !line.is_empty()).flat_map(str::split_whitespace);
    let of_metric = |word: &str| {
        let name = word.split('=').next().unwrap_or(word).to_owned();
        CommandOption { name, takes_value: word.contains('='), values: Vec::new() }
    };
    let of_all = of_all.lines().filter(|line| line.trim_start().starts_with('-')).filter_map(option);
    of_all.chain(of_metrics.map(of_metric)).collect()
}

/// Returns the allowed exit codes of a command: 0 and 2, and for commands that answer a question also 1 for
/// no and 3 for neither.
fn allowed(command: &str) -> &'static [i32] {
    match command {
        "verify" | "explain" => &[0, 1, 2],
        "gate" => &[0, 1, 2, 3],
        _ => &[0, 2],
    }
}

struct SoakFiles<'c> {
    folder: &'c Path,
    rng: &'c mut Rng,
}

impl SoakFiles<'_> {
    fn write(&self, name: &str, bytes: &[u8]) -> Result<String> {
        std::fs::write(self.folder.join(name), bytes)
            .map_err(|error| format!("cannot write {name}: {error}"))?;
        Ok(name.to_owned())
    }

    fn maybe_damaged(&mut self, bytes: Vec<u8>, per_mille: usize) -> Vec<u8> {
        if self.rng.chance(per_mille) { inputs::damage(bytes, self.rng) } else { bytes }
    }

    /// Returns a corpus for BLEU, whose counts the reference implementation also computes.
    fn compared(mut self) -> Result<CommandCase> {
        let streams = self.rng.between(1, 3);
        let (hypotheses, references) = inputs::corpus(self.rng, streams);
        let hypotheses = inputs::lines(&hypotheses, self.rng);
        let hypotheses = self.maybe_damaged(hypotheses, 150);
        let mut arguments = vec!["score".to_owned()];
        let mut kept = Vec::new();
        for (number, stream) in references.iter().enumerate() {
            let bytes = inputs::lines(stream, self.rng);
            let bytes = self.maybe_damaged(bytes, 50);
            arguments.push(self.write(&format!("ref{number}"), &bytes)?);
            kept.push(bytes);
        }
        arguments.extend(["-i".to_owned(), self.write("sys", &hypotheses)?]);
        // The reference implementation counts empty references like any other.
        arguments.extend(["--empty-references".to_owned(), "keep".to_owned()]);
        let tokenizer =
            (*self.rng.pick(&["13a", "13a", "none", "char", "intl", "zh", "word", "ascii-space"])).to_owned();
        let lowercase = self.rng.chance(300);
        arguments.extend(["-tok".to_owned(), tokenizer.clone(), "-f".to_owned(), "json".to_owned()]);
        if lowercase {
            arguments.push("-lc".to_owned());
        }
        if self.rng.chance(300) {
            arguments.extend(["--threads".to_owned(), self.rng.between(1, 4).to_string()]);
        }
        let expected = Some(Twin { tokenizer, lowercase, hypotheses, references: kept });
        let stdin = self.write(".stdin", b"")?;
        Ok(CommandCase { command: "score".to_owned(), arguments, stdin, allowed: allowed("score"), expected })
    }

    /// Returns a command as a user might give it, with a few options.
    fn plausible(mut self, grammar: &Grammar) -> Result<CommandCase> {
        let command = &grammar.commands[self.rng.below(grammar.commands.len())];
        let stdin = self.file(".stdin")?;
        let has = |name: &str| command.options.iter().any(|option| option.name == name);
        let mut arguments = vec![command.name.clone()];
        let mut options = Vec::new();
        for _ in 0..self.rng.below(5) {
            if command.options.is_empty() {
                break;
            }
            let option = &command.options[self.rng.below(command.options.len())];
            // `--help` would end the run at once; files are given below.
            if !matches!(&*option.name, "--help" | "--input" | "--segments") {
                options.extend(self.option(option, 850)?);
            }
        }
        if command.name == "verify" {
            // Arguments that it needs, which chance alone would seldom give.
            for name in ["--signature", "--score"] {
                let option = command.options.iter().find(|option| option.name == name);
                option.into_iter().try_for_each(|option| {
                    options.extend(self.option(option, 850)?);
                    Ok::<(), xtask::Error>(())
                })?;
            }
        }
        // Options may come before the files or after them; `append` leaves `options` empty.
        if self.rng.chance(500) {
            arguments.append(&mut options);
        }
        if has("--segments") && has("--metrics") && self.rng.chance(150) {
            arguments.extend(self.example(grammar)?);
        } else if has("--segments") && self.rng.chance(350) {
            let file = self.segments()?;
            arguments.extend(["--segments".to_owned(), file]);
        } else if command.positional {
            let most = if command.name == "resegment" { RESEGMENTED } else { usize::MAX };
            arguments.extend(self.streams(has("--input"), most)?);
        }
        arguments.append(&mut options);
        let allowed = allowed(&command.name);
        Ok(CommandCase { command: command.name.clone(), arguments, stdin, allowed, expected: None })
    }

    fn wild(mut self, grammar: &Grammar) -> Result<CommandCase> {
        let command = &grammar.commands[self.rng.below(grammar.commands.len())];
        let stdin = self.file(".stdin")?;
        let mut arguments = if self.rng.chance(900) { vec![command.name.clone()] } else { Vec::new() };
        for number in 0..self.rng.below(8) {
            let option = command.options.get(self.rng.below(command.options.len()));
            match (self.rng.below(4), option) {
                (0, _) => arguments.push(self.file(&format!("file{number}"))?),
                (1, _) | (_, None) => {
                    arguments.push((*self.rng.pick(pieces::pieces("soak-values"))).to_owned())
                }
                (2, Some(option)) => arguments.extend(self.option(option, 500)?),
                (_, Some(option)) => arguments.push(option.name.clone()),
            }
        }
        // The first random argument may be any command, so every exit code of the program is allowed.
        Ok(CommandCase {
            command: "any".to_owned(),
            arguments,
            stdin,
            allowed: &[0, 1, 2, 3],
            expected: None,
        })
    }

    /// Returns an option with a value. `right` sets how often the value is valid.
    fn option(&mut self, option: &CommandOption, right: usize) -> Result<Vec<String>> {
        if !option.takes_value {
            return Ok(vec![option.name.clone()]);
        }
        let value = match self.rng.below(10) {
            _ if !option.values.is_empty() && self.rng.chance(right) => self.rng.pick(&option.values).clone(),
            0 => self.file("value")?,
            _ => (*self.rng.pick(pieces::pieces("soak-values"))).to_owned(),
        };
        Ok(if self.rng.chance(700) {
            vec![option.name.clone(), value]
        } else {
            vec![format!("{}={value}", option.name)]
        })
    }

    /// Returns reference files, and systems after `-i`; some are read from standard input, and some are too
    /// short.
    fn streams(&mut self, with_input: bool, most: usize) -> Result<Vec<String>> {
        let streams = self.rng.between(1, 2);
        let (mut hypotheses, mut references) = inputs::corpus(self.rng, streams);
        references.iter_mut().chain([&mut hypotheses]).for_each(|texts| texts.truncate(most));
        let mut arguments = Vec::new();
        for (number, stream) in references.iter().enumerate() {
            arguments.push(self.stream(&format!("ref{number}"), stream)?);
        }
        if with_input && self.rng.chance(850) {
            arguments.push("-i".to_owned());
            for number in 0..=usize::from(self.rng.chance(200)) {
                arguments.push(self.stream(&format!("sys{number}"), &hypotheses)?);
            }
        }
        if self.rng.chance(50) {
            let at = self.rng.below(arguments.len());
            arguments[at] = (*self.rng.pick(&["-", "/dev/stdin", "/dev/null", "."])).to_owned();
        }
        Ok(arguments)
    }

    fn stream(&mut self, name: &str, texts: &[String]) -> Result<String> {
        let bytes = if self.rng.chance(80) {
            inputs::ids(texts.len(), self.rng)
        } else {
            inputs::lines(texts, self.rng)
        };
        self.packed(name, bytes)
    }

    /// Returns a metric with segments like its example, in which values are changed.
    fn example(&mut self, grammar: &Grammar) -> Result<[String; 4]> {
        let (metric, record) = self.rng.pick(&grammar.examples);
        let rows = inputs::example_rows(record, self.rng);
        let file = self.packed("example.jsonl", rows)?;
        Ok(["-m".to_owned(), metric.clone(), "--segments".to_owned(), file])
    }

    fn segments(&mut self) -> Result<String> {
        let (name, bytes) = match self.rng.below(3) {
            0 => ("all.jsonl", inputs::json_lines(self.rng)),
            1 => ("all.csv", inputs::table(',', self.rng)),
            _ => ("all.tsv", inputs::table('\t', self.rng)),
        };
        let name = if self.rng.chance(100) { "all" } else { name };
        self.packed(name, bytes)
    }

    fn file(&mut self, name: &str) -> Result<String> {
        let bytes = match self.rng.below(6) {
            0 => inputs::noise(self.rng),
            1 => inputs::json_lines(self.rng),
            2 => inputs::table(',', self.rng),
            3 => inputs::ids(4, self.rng),
            _ => {
                let (texts, _) = inputs::corpus(self.rng, 0);
                inputs::lines(&texts, self.rng)
            }
        };
        self.packed(name, bytes)
    }

    /// Writes a file, which may be compressed, and may be damaged before or after that.
    fn packed(&mut self, name: &str, bytes: Vec<u8>) -> Result<String> {
        let bytes = self.maybe_damaged(bytes, 200);
        if self.rng.chance(850) {
            return self.write(name, &bytes);
        }
        let bytes = inputs::gzip(&bytes, self.rng);
        let bytes = self.maybe_damaged(bytes, 300);
        let name = if self.rng.chance(700) { format!("{name}.gz") } else { name.to_owned() };
        self.write(&name, &bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HELP: &str = "\
Usage: p score [OPTIONS] [REF]...

Score:
  score  Score
         and more

Help:
  help   Print this

Arguments:
  [REF]...  Reference files

Options:
  -i, --input <SYS>...   Hypotheses
      --format <format>  The form [default: text] [possible values: json, text]
  -q, --quiet            No <warnings>

Options of single metrics, which `p help METRIC` describes:
--turns
--uem=FILE
";

    #[test]
    fn help_is_read() {
        assert_eq!(commands_in(HELP), ["score", "help"]);
        let options = options_in(HELP);
        let names: Vec<(&str, bool, usize)> =
            options.iter().map(|option| (&*option.name, option.takes_value, option.values.len())).collect();
        assert_eq!(
            names,
            [
                ("--input", true, 0),
                ("--format", true, 2),
                ("--quiet", false, 0),
                ("--turns", false, 0),
                ("--uem", true, 0)
            ]
        );
    }
}
