//! sacreBLEU's test sets, where its folder has them: nothing is downloaded.

use std::path::{Path, PathBuf};

use bleuprint::text::Text;
use clap::{Arg, ArgMatches};

use crate::shared::args::{Values as _, flag, option};
use crate::shared::command::Out;
use crate::shared::failure::{Failure, Result, fail};

/// Options of sacreBLEU that choose or describe its data.
pub(super) fn options() -> impl Iterator<Item = Arg> {
    let text = |name| option(name, "NAME");
    [
        text("test-set")
            .short('t')
            .conflicts_with_all(["references", "segments", "stats", "num-refs"])
            .help("A test set of sacreBLEU's folder, with -l; nothing is downloaded"),
        option("echo", "FIELD").num_args(1..).help("Print fields of a test set"),
        flag("list").help("List the test sets in sacreBLEU's folder"),
        flag("detail").short('d').hide(true),
        text("origlang").hide(true),
        text("subset").hide(true),
        text("download").hide(true),
        flag("citation").alias("cite").hide(true),
    ]
    .into_iter()
    .map(|arg| arg.help_heading("sacreBLEU's test sets"))
}

/// What is asked of test sets besides scoring.
pub(super) enum Question {
    List,
    Fields(TestSet, Vec<String>),
}

/// The question, if there is one.
///
/// # Errors
/// What sacreBLEU does and this program does not.
pub(super) fn question(matches: &ArgMatches) -> Result<Option<Question>> {
    let given = |name: &str| matches.contains_id(name);
    if given("download") || matches.get_flag("citation") {
        fail!("bleuprint downloads nothing and holds no citations: ask `sacrebleu` for them");
    }
    if given("origlang") || given("subset") || matches.get_flag("detail") {
        fail!(
            "--origlang, --subset and --detail are not here: use --label and --by, as in \
             --label origlang=FILE --by origlang"
        );
    }
    if matches.get_flag("list") {
        return Ok(Some(Question::List));
    }
    if !given("echo") {
        return Ok(None);
    }
    let Some(set) = TestSet::new(matches)? else { fail!("--echo needs -t and -l") };
    Ok(Some(Question::Fields(set, matches.texts("echo"))))
}

impl Question {
    /// Writes the answer.
    pub(super) fn answer(&self, out: &mut Out) -> Result<()> {
        match self {
            Question::List => {
                let entries = std::fs::read_dir(folder()).into_iter().flatten().flatten();
                let mut sets: Vec<String> =
                    entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
                sets.retain(|name| name != "models");
                sets.sort_unstable();
                sets.iter().try_for_each(|set| writeln!(out, "{set}"))?;
            }
            Question::Fields(set, fields) => {
                let columns = fields.iter().map(|field| set.field(field)).collect::<Result<Vec<_>, _>>()?;
                for line in 0..columns.iter().map(Text::len).min().unwrap_or(0) {
                    let cells: Vec<&str> = columns.iter().map(|column| column.line(line)).collect();
                    writeln!(out, "{}", cells.join("\t"))?;
                }
            }
        }
        Ok(())
    }
}

/// sacreBLEU's folder.
fn folder() -> PathBuf {
    let home = || PathBuf::from(std::env::var_os("HOME").unwrap_or_default()).join(".sacrebleu");
    std::env::var_os("SACREBLEU").map_or_else(home, PathBuf::from)
}

/// The files of a test set and a language pair.
pub(super) struct TestSet {
    folder: PathBuf,
    /// What the names of the files begin with.
    start: String,
    name: String,
}

impl TestSet {
    /// The one that [`options`] name, if they do.
    pub(super) fn new(matches: &ArgMatches) -> Result<Option<Self>> {
        let Some(name) = matches.text("test-set") else { return Ok(None) };
        let Some(pair) = matches.text("language-pair") else {
            fail!("-t needs -l, the language pair");
        };
        if name.contains(',') {
            fail!("-t {name}: one test set at a time; concatenate the files for more");
        }
        let start = format!("{}.{pair}.", name.replace('/', "_"));
        Ok(Some(TestSet { folder: folder().join(&name), start, name: format!("{name} {pair}") }))
    }

    /// The fields that are there, by name.
    fn fields(&self) -> Vec<(String, PathBuf)> {
        let entries = std::fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let field = |entry: std::fs::DirEntry| {
            let name = entry.file_name().into_string().ok()?;
            Some((name.strip_prefix(&self.start)?.to_owned(), entry.path()))
        };
        let mut fields: Vec<_> = entries.filter_map(field).collect();
        fields.sort_unstable();
        fields
    }

    fn missing(&self, field: &str) -> Failure {
        let known = self.fields().into_iter().map(|(name, _)| name).collect::<Vec<_>>().join(", ");
        let known = if known.is_empty() { "nothing".to_owned() } else { known };
        Failure::Message(format!(
            "the test set {} has no `{field}` in {}; there is {known}. Nothing is downloaded: `sacrebleu --echo` once \
             fetches a test set",
            self.name,
            display(&self.folder)
        ))
    }

    fn field(&self, name: &str) -> Result<Text> {
        let wanted = name.replace(':', "-");
        let fields = self.fields();
        let exact = fields.iter().find(|(field, _)| *field == wanted);
        let by_start =
            || (wanted == "ref").then(|| fields.iter().find(|(field, _)| field.starts_with("ref"))).flatten();
        let (_, path) = exact.or_else(by_start).ok_or_else(|| self.missing(name))?;
        Ok(Text::open(path)?)
    }

    /// The files of the references: `ref`, or all of `ref-0`, `ref-1`, .., or the one translator there is.
    pub(super) fn references(&self) -> Result<Vec<String>> {
        let fields = self.fields();
        let path = |path: &PathBuf| display(path);
        if let Some((_, file)) = fields.iter().find(|(field, _)| field == "ref") {
            return Ok(vec![path(file)]);
        }
        let named: Vec<&(String, PathBuf)> =
            fields.iter().filter(|(field, _)| field.starts_with("ref-")).collect();
        let numbered = named.iter().all(|(field, _)| field[4..].chars().all(|c| c.is_ascii_digit()));
        match &named[..] {
            [] => Err(self.missing("ref")),
            [(_, file)] => Ok(vec![path(file)]),
            many if numbered => Ok(many.iter().map(|(_, file)| path(file)).collect()),
            many => {
                let names = many.iter().map(|(field, _)| field.as_str()).collect::<Vec<_>>().join(", ");
                let files = display(&self.folder);
                Err(Failure::Message(format!(
                    "the test set {} has several translators ({names}); give the file of one from {files}",
                    self.name
                )))
            }
        }
    }
}

fn display(path: &Path) -> String {
    path.display().to_string()
}
