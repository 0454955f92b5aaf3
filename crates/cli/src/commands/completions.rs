//! Implements `bleuprint completions`: writes shell completions, derived from the command-line definition and the
//! names of metrics, tokenizers, normalizers and harnesses.

use bleuprint::MetricEntry;
use bleuprint_requests::Harness;
use clap::builder::PossibleValuesParser;
use clap::value_parser;
use clap_complete::Shell;

use crate::shared::command::*;

pub(crate) struct Completions {
    shell: Option<Shell>,
}

impl Subcommand for Completions {
    const NAME: &'static str = "completions";

    fn define(command: Command, _: &Families) -> Command {
        let shell = Arg::new("shell").required(true).value_parser(value_parser!(Shell));
        command.about("Write completions for a shell").arg(shell.help("The shell that reads the completions"))
    }

    fn request(matches: &ArgMatches, _: &Families) -> Result<Self> {
        Ok(Completions { shell: matches.get_one("shell").copied() })
    }

    fn run(self, program: &CommandContext<'_>, out: &mut Out) -> Result<()> {
        let Some(shell) = self.shell else { return Ok(()) };
        let metrics = metrics(program.registry);
        let tokenizers: Vec<&str> = program.tokenizers.entries().iter().map(|entry| entry.name).collect();
        let normalizers: Vec<&str> =
            program.tokenizers.normalizers.entries().iter().map(|entry| entry.name).collect();
        let named = |arg: Arg| {
            let names: Vec<String> = match arg.get_id().as_str() {
                "metrics" => metrics.clone(),
                "tokenize" => tokenizers.iter().map(|&name| name.to_owned()).collect(),
                "norm" => normalizers.iter().map(|&name| name.to_owned()).collect(),
                "from" => Harness::names().map(str::to_owned).collect(),
                _ => return arg,
            };
            arg.value_parser(PossibleValuesParser::new(names))
        };
        let mut command_line = (program.command_line)().mut_subcommands(|command| command.mut_args(named));
        // The generator panics if it cannot write, so it writes into memory.
        let mut script = Vec::new();
        clap_complete::generate(shell, &mut command_line, "bleuprint", &mut script);
        out.write_all(&script)?;
        if shell == Shell::Bash {
            out.write_all(BASH.replace("METRICS", &metrics.join(" ")).as_bytes())?;
        }
        Ok(())
    }
}

/// Returns the names that `-m` takes: metrics with their presets and options, and sets of metrics.
fn metrics(registry: &Registry) -> Vec<String> {
    let of_entry = |entry: &'_ MetricEntry| {
        let options = entry.options.iter().map(|spec| format!("{}:{}", entry.name, entry.own_name(spec)));
        let names = entry.names().map(str::to_owned);
        names.chain(options).collect::<Vec<String>>()
    };
    let mut names: Vec<String> = registry.entries().iter().flat_map(of_entry).collect();
    names.extend(registry.sets().iter().map(|set| set.name.to_owned()));
    names
}

/// Completion of metrics in bash, which splits words at the colon of `chrf:beta`, and completes only the first
/// value of an option.
const BASH: &str = r#"
_bleuprint_metrics() {
    local before="${COMP_LINE:0:COMP_POINT}" current="" option="" word
    local -a words
    read -ra words <<< "$before"
    case "$before" in
        *" ") ;;
        *) current="${words[${#words[@]} - 1]}" ;;
    esac
    for word in "${words[@]}"; do
        case "$word" in
            -*) option="$word" ;;
        esac
    done
    case "$option:$current" in
        *:-*) _bleuprint "$@" ;;
        -m:* | --metrics:*)
            COMPREPLY=($(compgen -W "METRICS" -- "$current"))
            # Readline replaces only the part after the last colon.
            local head="${current%"${current##*:}"}"
            COMPREPLY=("${COMPREPLY[@]#"$head"}")
            ;;
        *) _bleuprint "$@" ;;
    esac
}
complete -F _bleuprint_metrics -o bashdefault -o default bleuprint
"#;
