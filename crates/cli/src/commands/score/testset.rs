//! Reads test sets that sacreBLEU has downloaded into its folder; downloads nothing.

use bleuprint::text::FileText;
use bleuprint::text::read::{TestSet, sacrebleu_folder};
use bleuprint_requests::failure::{Result, fail};
use bleuprint_requests::warn;
use clap::{Arg, ArgMatches};

use crate::shared::args::{ArgumentValues as _, flag, option};
use crate::shared::command::Out;

pub(super) fn options() -> impl Iterator<Item = Arg> {
    let text = |name| option(name, "NAME");
    [
        text("test-set")
            .short('t')
            .conflicts_with_all(["references", "segments", "stats", "num-refs"])
            .help("Score against a test set in sacreBLEU's folder, with -l; nothing is downloaded"),
        option("echo", "FIELD").num_args(1..).help("Print fields of a test set"),
        flag("list").help("List the test sets in sacreBLEU's folder"),
        flag("detail").short('d').hide(true),
        // Options of sacreBLEU that are hidden here: they are accepted for an error that names the
        // replacement.
        text("origlang").hide(true),
        text("subset").hide(true),
        text("download").hide(true),
        flag("citation").alias("cite").hide(true),
    ]
    .into_iter()
    .map(|arg| arg.help_heading("sacreBLEU's test sets"))
}

pub(super) enum TestSetQuestion {
    List,
    Fields(TestSet, Vec<String>),
}

/// Returns the listing of test sets, or of a test set's fields, that the options request; `None` if they
/// request neither.
///
/// # Errors
/// Returns an error for sacreBLEU's options for test sets that this program does not support.
pub(super) fn question(matches: &ArgMatches) -> Result<Option<TestSetQuestion>> {
    let given = |name: &str| matches.contains_id(name);
    if given("download") || matches.get_flag("citation") {
        fail!("bleuprint downloads nothing and prints no citations of test sets: use `sacrebleu` for both");
    }
    if given("origlang") || given("subset") || matches.get_flag("detail") {
        fail!(
            "--origlang, --subset and --detail are not supported: use --label and --by, as in \
             --label origlang=FILE --by origlang"
        );
    }
    if matches.get_flag("list") {
        return Ok(Some(TestSetQuestion::List));
    }
    if !given("echo") {
        return Ok(None);
    }
    let Some(set) = named(matches)? else { fail!("--echo needs -t and -l") };
    Ok(Some(TestSetQuestion::Fields(set, matches.texts("echo"))))
}

impl TestSetQuestion {
    pub(super) fn answer(&self, out: &mut Out) -> Result<()> {
        match self {
            TestSetQuestion::List => {
                let entries = std::fs::read_dir(sacrebleu_folder()).into_iter().flatten().flatten();
                let mut sets: Vec<String> =
                    entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
                // sacreBLEU keeps SentencePiece models next to its test sets.
                sets.retain(|name| name != "models");
                sets.sort_unstable();
                if sets.is_empty() {
                    warn::note(&format!(
                        "no test sets in {}: sacreBLEU saves those there that it has downloaded, as in `sacrebleu -t wmt20 -l en-de --echo ref`",
                        sacrebleu_folder().display()
                    ));
                }
                sets.iter().try_for_each(|set| writeln!(out, "{set}"))?;
            }
            TestSetQuestion::Fields(set, fields) => {
                let open = |field: &String| Ok(FileText::open(set.file(field)?, Default::default())?);
                let columns = fields.iter().map(open).collect::<Result<Vec<_>>>()?;
                for line in 0..columns.iter().map(FileText::len).min().unwrap_or(0) {
                    let cells: Vec<&str> = columns.iter().map(|column| column.line(line)).collect();
                    writeln!(out, "{}", cells.join("\t"))?;
                }
            }
        }
        Ok(())
    }
}

pub(super) fn named(matches: &ArgMatches) -> Result<Option<TestSet>> {
    let Some(name) = matches.text("test-set") else { return Ok(None) };
    let Some(pair) = matches.text("language-pair") else {
        fail!("-t needs -l, the language pair");
    };
    if name.contains(',') {
        fail!("-t {name}: only one test set is allowed; concatenate files to score several");
    }
    Ok(Some(TestSet::new(&name, &pair)))
}

pub(super) fn references(set: &TestSet) -> Result<Vec<String>> {
    Ok(set.references()?.iter().map(|path| path.display().to_string()).collect())
}
