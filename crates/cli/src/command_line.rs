//! Defines the command-line program: lists its commands, and rewrites the arguments before clap parses them.

use std::ffi::OsString;

use bleuprint::text::{Families, Family, FamilyCommand};
use bleuprint::{ConfigError, Registry};
use bleuprint_requests::failure::{Result, fail};
use clap::{ArgMatches, Command};

use bleuprint_requests::terminal::{text_width, wrapped};

use crate::shared::args::{self, SHORT_NAMES, refuse_values_of_flags};
use crate::shared::command::{CommandContext, Out, Subcommand};
use crate::shared::family;
use crate::shared::metrics::refuse_options_of_metrics;

#[derive(Clone, Copy)]
pub(crate) struct CommandEntry {
    pub(crate) name: &'static str,
    /// Heading above the command in `bleuprint --help`.
    pub(crate) group: &'static str,
    pub(crate) run: CommandRun,
    pub(crate) short_help: &'static [&'static str],
    pub(crate) examples: &'static str,
}

#[derive(Clone, Copy)]
pub(crate) enum CommandRun {
    Own {
        define: fn(Command, &Families) -> Command,
        run: fn(&ArgMatches, &CommandContext<'_>, &mut Out) -> Result<()>,
    },
    /// Command that a family adds as data.
    OfFamily(&'static FamilyCommand),
}

pub(crate) const fn entry<C: Subcommand>(group: &'static str) -> CommandEntry {
    CommandEntry {
        name: C::NAME,
        group,
        run: CommandRun::Own {
            define: C::define,
            run: |matches, program, out| C::request(matches, program.families)?.run(program, out),
        },
        short_help: C::SHORT_HELP,
        examples: C::EXAMPLES,
    }
}

/// Adds the commands of a family, each behind the last command of its group. A command whose name is taken is
/// called `family/command`.
pub(crate) fn add_commands_of_family(commands: &mut Vec<CommandEntry>, family: &Family) {
    for command in family.commands {
        let mut name = command.name;
        if is_command(commands, name) {
            // A command is a constant, so its name lives as long as the program.
            name = Box::leak(format!("{}/{name}", family.name).into_boxed_str());
        }
        let last = commands.iter().rposition(|known| known.group == command.group);
        let entry = CommandEntry {
            name,
            group: command.group,
            run: CommandRun::OfFamily(command),
            short_help: command.short_help,
            examples: command.examples,
        };
        commands.insert(last.map_or(commands.len(), |last| last + 1), entry);
    }
}

impl CommandEntry {
    fn command(&self, families: &Families) -> Command {
        let command = Command::new(self.name);
        let command = match self.run {
            CommandRun::Own { define, .. } => define(command, families),
            CommandRun::OfFamily(own) => {
                command.about(own.about).args(own.options.iter().map(family::argument))
            }
        };
        // A command with its own text after the help, such as exit codes, keeps it.
        let own = command.get_after_help().map(ToString::to_string);
        let examples = Some(format!("Examples:\n{}", self.examples)).filter(|_| !self.examples.is_empty());
        let parts = [args::help_of_hidden(&command), own.or(examples)];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        if parts.is_empty() { command } else { command.after_help(parts.join("\n\n")) }
    }

    fn short(&self, command: Command) -> Command {
        if self.short_help.is_empty() {
            return command;
        }
        let command = command.mut_args(|arg| {
            // Positional and required arguments are always shown: no run works without them.
            let shown = arg.is_positional()
                || arg.is_required_set()
                || self.short_help.contains(&arg.get_id().as_str());
            if shown { arg.help_heading(None) } else { arg.hide(true) }
        });
        command.after_help(format!(
            "Examples:\n{}\n\n`bleuprint {} --help` shows all options, `bleuprint help METRIC` the options of a metric.",
            self.examples, self.name
        ))
    }
}

pub(crate) fn run(
    families: &Families,
    all: &[CommandEntry],
    arguments: impl Iterator<Item = OsString>,
    out: &mut Out,
) -> Result<()> {
    let registry = families.registry();
    let tokenizers = families.tokenizers();
    let arguments: Vec<OsString> = arguments.collect();
    // clap does not say which argument it cannot read.
    if let Some(broken) = arguments.iter().find(|argument| argument.to_str().is_none()) {
        fail!(
            "the argument `{}` is not UTF-8, and file names must be: rename the file, or give a link to it",
            broken.to_string_lossy()
        );
    }
    let arguments = arguments.into_iter();
    // Metrics are not known to clap, so `help METRIC` is rewritten before clap sees the arguments.
    let arguments = help_of_metric(families, all, expand_short_names(arguments))?;
    require_command(registry, all, &arguments)?;
    // Building the options of all commands takes longer than scoring a small corpus, so only one is built.
    let asked = arguments.get(1).and_then(|asked| all.iter().find(|entry| asked == entry.name));
    let commands = asked.map_or(all, std::slice::from_ref);
    let mut program = command_line(families, commands);
    if let Some((entry, command)) =
        asked.and_then(|entry| Some((entry, program.find_subcommand(entry.name)?)))
    {
        // Both checks run before clap, whose messages could not name the right spelling.
        refuse_options_of_metrics(registry, command, &arguments[2..])?;
        refuse_other_spellings(command, &arguments[2..])?;
        refuse_values_of_flags(command, &arguments[2..])?;
        if arguments.iter().any(|argument| argument == "-h") {
            program = program.mut_subcommand(entry.name, |command| entry.short(command));
        }
    }
    // On wrong usage, clap prints the valid values and ends the process with exit code 2.
    let matches = program.get_matches_from(arguments);
    let Some((name, matches)) = matches.subcommand() else { fail!("no command") };
    // Man pages and completions need every command, so this closure builds them all on demand.
    let context =
        CommandContext { families, registry, tokenizers, command_line: &|| command_line(families, all) };
    match commands.iter().find(|entry| entry.name == name).map(|entry| entry.run) {
        Some(CommandRun::Own { run, .. }) => run(matches, &context, out),
        Some(CommandRun::OfFamily(command)) => {
            family::run(command.run, &family::given(matches, command.options), families, out)
        }
        None => fail!("no such command"),
    }
}

/// Options that other programs have, with what to write here.
const OTHER_SPELLINGS: [(&[&str], &str); 3] = [
    (
        &["--ref", "--refs", "--reference"],
        "references are arguments without an option, as in `bleuprint score REF -i SYS`",
    ),
    (&["--hyp", "--hyps", "--hypothesis", "--hypotheses", "--sys", "--system"], "-i SYS gives the outputs"),
    (&["--json", "--csv", "--latex"], "-f gives the form of the output, as in -f json"),
];

/// Returns an error for an option that the command lacks, but that has another spelling here.
fn refuse_other_spellings(command: &Command, arguments: &[OsString]) -> Result<()> {
    for argument in arguments.iter().filter_map(|argument| argument.to_str()) {
        let option = argument.split('=').next().unwrap_or_default();
        let is_own = command.get_arguments().any(|own| own.get_long() == option.strip_prefix("--"));
        let other = OTHER_SPELLINGS.iter().find(|(names, _)| names.contains(&option) && !is_own);
        if let Some((_, advice)) = other {
            fail!("no option {option}: {advice}");
        }
    }
    Ok(())
}

pub(crate) fn is_command(commands: &[CommandEntry], name: &str) -> bool {
    name == "help" || commands.iter().any(|entry| entry.name == name)
}

/// Rewrites the arguments `help METRIC` to `list metrics METRIC`; leaves `help COMMAND` unchanged.
fn help_of_metric(
    families: &Families,
    all: &[CommandEntry],
    mut arguments: Vec<OsString>,
) -> Result<Vec<OsString>> {
    let registry = families.registry();
    let [_, help, name] = &arguments[..] else { return Ok(arguments) };
    let name = name.to_string_lossy().into_owned();
    if help != "help" || is_command(all, &name) || name.starts_with('-') {
        return Ok(arguments);
    }
    if let Some(error) = registry.expand(&name).into_iter().find_map(|metric| registry.parse(&metric).err()) {
        // A metric of a feature that this build lacks gets the message that names the feature.
        if registry.lacks(&name).is_some() {
            return Err(error.into());
        }
        if families.tokenizers().get(&name).is_ok() {
            fail!(
                "`{name}` is a tokenizer, which `bleuprint list tokenizers` describes; --tokenize {name} uses it"
            );
        }
        if families.tokenizers().normalizers.build(&name).is_ok() {
            fail!(
                "`{name}` is a normalizer, which `bleuprint list normalizers` describes; --norm {name} uses it"
            );
        }
        let known = all.iter().map(|entry| entry.name);
        let known = known.chain(registry.entries().iter().flat_map(|entry| entry.names()));
        let known = known.chain(registry.sets().iter().map(|set| set.name));
        return Err(ConfigError::unknown_name("command or metric", &name, known).into());
    }
    arguments.splice(1..2, ["list", "metrics"].map(OsString::from));
    Ok(arguments)
}

/// Returns an error if the arguments are in sacreBLEU's form, without a command name. The error shows the
/// corresponding command line.
fn require_command(registry: &Registry, all: &[CommandEntry], arguments: &[OsString]) -> Result<()> {
    let given: Vec<_> = arguments.iter().skip(1).map(|argument| argument.to_string_lossy()).collect();
    let word = |name: &str| name.chars().all(|letter| letter.is_ascii_lowercase() || letter == '-');
    if let Some(first) = given.first().filter(|first| !first.starts_with('-') && !is_command(all, first))
        && word(first)
        // An existing file in the first place is a reference file of sacreBLEU's command line, not a mistyped
        // command.
        && !std::path::Path::new(&**first).exists()
    {
        if let Some(feature) = registry.lacks(first) {
            return Err(ConfigError::missing_feature(&format!("`{first}`"), feature, "bleuprint-cli").into());
        }
        let known = all.iter().map(|entry| entry.name).chain(["help"]);
        return Err(ConfigError::unknown_name("command", first, known).into());
    }
    // sacreBLEU's command line is recognized by its options, or by a file in the first place.
    let scores = given.iter().any(|argument| ["-i", "--input", "-t", "--test-set"].contains(&&**argument))
        || given.first().is_some_and(|first| std::path::Path::new(&**first).is_file());
    if !scores || given.iter().any(|argument| is_command(all, argument)) {
        return Ok(());
    }
    fail!("the name of the command is missing: bleuprint score {}", given.join(" "))
}

fn command_line(families: &Families, commands: &[CommandEntry]) -> Command {
    let command = Command::new("bleuprint")
        .term_width(text_width())
        .version(env!("CARGO_PKG_VERSION"))
        .about("Exact, mergeable metrics for generated text")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .after_help("`bleuprint COMMAND -h` shows the most common options of a command, `--help` shows all of them, and `bleuprint help METRIC` shows the options of a metric.")
        .infer_long_args(true)
        .subcommands(commands.iter().map(|entry| entry.command(families)));
    // The list is that of the whole program; `bleuprint COMMAND` defines the command alone.
    let list = list_of_commands(&command, commands);
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{list}Options:\n{{options}}{{after-help}}"
    );
    command.help_template(template)
}

/// Returns the commands with their descriptions, in groups with headings.
fn list_of_commands(command: &Command, entries: &[CommandEntry]) -> String {
    let mut list = String::new();
    let widest = entries.iter().map(|entry| entry.name.len()).max().unwrap_or(0);
    let help = (
        "help",
        "Help",
        "Print this list, or the help of a command, a metric or a set of metrics".to_owned(),
    );
    let about = |entry: &CommandEntry| {
        let about = command.find_subcommand(entry.name).and_then(Command::get_about);
        (entry.name, entry.group, about.map(ToString::to_string).unwrap_or_default())
    };
    let mut last = "";
    for (name, group, about) in entries.iter().map(about).chain([help]) {
        if group != last {
            list.push_str(&format!("{}{group}:\n", if last.is_empty() { "" } else { "\n" }));
            last = group;
        }
        let lines = wrapped(&about, text_width() - widest - 4);
        let indent = format!("\n{:1$}", "", widest + 4);
        list.push_str(&format!("  {name:<widest$}  {}\n", lines.join(&indent)));
    }
    list + "\n"
}

/// Replaces short options of several letters by their long names. Arguments after a bare `--` stay unchanged.
fn expand_short_names(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut options = true;
    let expand = |argument: OsString| {
        // An argument that is not Unicode cannot be a short name, so it stays.
        let Some(text) = argument.to_str().filter(|_| options) else { return argument };
        // After a bare `--` every argument is a file.
        options = text != "--";
        let long = SHORT_NAMES.iter().find(|(short, _)| *short == text).map(|(_, long)| (*long).into());
        long.unwrap_or(argument)
    };
    arguments.map(expand).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commands() -> Vec<CommandEntry> {
        let mut commands = crate::COMMANDS.to_vec();
        let families = bleuprint::families();
        families.list().iter().for_each(|family| add_commands_of_family(&mut commands, family));
        commands
    }

    #[test]
    fn every_command_is_built() {
        command_line(&bleuprint::families(), &commands()).debug_assert();
    }

    #[test]
    fn examples_of_the_help_are_command_lines() {
        let families = bleuprint::families();
        let commands = commands();
        for entry in &commands {
            assert_eq!(entry.examples.is_empty(), entry.short_help.is_empty(), "{}", entry.name);
            for example in entry.examples.lines() {
                let words = example.split_whitespace().map(OsString::from);
                let matches =
                    command_line(&families, &commands).try_get_matches_from(expand_short_names(words));
                let matches = matches.unwrap_or_else(|error| panic!("{example}: {error}"));
                assert_eq!(matches.subcommand_name(), Some(entry.name), "{example}");
            }
        }
    }

    #[test]
    fn short_help_fits_a_screen() {
        let families = bleuprint::families();
        for entry in commands().iter().filter(|entry| !entry.short_help.is_empty()) {
            let help = entry.short(entry.command(&families)).render_help().to_string();
            assert!(help.lines().count() <= 40, "{help}");
            for name in entry.short_help {
                assert!(help.contains(&format!("--{name}")), "{name}: {help}");
            }
        }
    }
}
