//! sacreBLEU's test sets, where its folder has them: nothing is downloaded.

use std::io::Write;
use std::path::{Path, PathBuf};

use bleuprint::text::Text;
use bleuprint::{ConfigError, Registry};
use clap::ArgMatches;

use crate::Failure;
use crate::request::ScoreRequest;

/// Does what is asked for besides scoring: lists, fields; `true` if it was.
pub(crate) fn run(matches: &ArgMatches, out: &mut impl Write) -> Result<bool, Failure> {
    let encoding = matches.get_one::<String>("encoding").map_or("utf-8", String::as_str);
    if !["utf-8", "utf8", "ascii"].contains(&encoding.to_lowercase().as_str()) {
        let message =
            format!("--encoding {encoding}: only UTF-8 is read; convert the files first, with iconv");
        return Err(Failure::Message(message));
    }
    let given = |name: &str| matches.contains_id(name);
    if given("download") || matches.get_flag("citation") {
        let message = "bleuprint downloads nothing and holds no citations: ask `sacrebleu` for them";
        return Err(Failure::Message(message.to_owned()));
    }
    if given("origlang") || given("subset") || matches.get_flag("detail") {
        let message = "--origlang, --subset and --detail are not here: use --label and --by, as in \
                       --label origlang=FILE --by origlang";
        return Err(Failure::Message(message.to_owned()));
    }
    if matches.get_flag("list") {
        let mut sets: Vec<String> = std::fs::read_dir(folder())
            .map(|entries| {
                entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect()
            })
            .unwrap_or_default();
        sets.retain(|name| name != "models");
        sets.sort_unstable();
        sets.iter().try_for_each(|set| writeln!(out, "{set}"))?;
        return Ok(true);
    }
    let Some(fields) = matches.get_many::<String>("echo") else { return Ok(false) };
    let fields: Vec<&String> = fields.collect();
    let set = TestSet::new(matches)?.ok_or_else(|| Failure::Message("--echo needs -t and -l".to_owned()))?;
    let columns = fields.iter().map(|field| set.field(field)).collect::<Result<Vec<_>, _>>()?;
    for line in 0..columns.iter().map(Text::len).min().unwrap_or(0) {
        let cells: Vec<&str> = columns.iter().map(|column| column.line(line)).collect();
        writeln!(out, "{}", cells.join("\t"))?;
    }
    Ok(true)
}

/// The request of `score`, with the references of a test set where one is named.
pub(crate) fn request(registry: &Registry, matches: &ArgMatches) -> Result<ScoreRequest, Failure> {
    let references = TestSet::new(matches)?.map(|set| set.references()).transpose()?;
    ScoreRequest::with_references(registry, matches, references.unwrap_or_default())
}

/// sacreBLEU's folder.
fn folder() -> PathBuf {
    let home = || PathBuf::from(std::env::var_os("HOME").unwrap_or_default()).join(".sacrebleu");
    std::env::var_os("SACREBLEU").map_or_else(home, PathBuf::from)
}

/// The files of a test set and a language pair.
struct TestSet {
    folder: PathBuf,
    /// What the names of the files begin with.
    start: String,
    name: String,
}

impl TestSet {
    fn new(matches: &ArgMatches) -> Result<Option<Self>, ConfigError> {
        let Some(name) = matches.get_one::<String>("test-set") else { return Ok(None) };
        let Some(pair) = matches.get_one::<String>("language-pair") else {
            return Err(ConfigError::Conflict("-t needs -l, the language pair".to_owned()));
        };
        if name.contains(',') {
            let message = format!("-t {name}: one test set at a time; concatenate the files for more");
            return Err(ConfigError::Conflict(message));
        }
        let start = format!("{}.{pair}.", name.replace('/', "_"));
        Ok(Some(TestSet { folder: folder().join(name), start, name: format!("{name} {pair}") }))
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

    fn field(&self, name: &str) -> Result<Text, Failure> {
        let wanted = name.replace(':', "-");
        let fields = self.fields();
        let exact = fields.iter().find(|(field, _)| *field == wanted);
        let by_start =
            || (wanted == "ref").then(|| fields.iter().find(|(field, _)| field.starts_with("ref"))).flatten();
        let (_, path) = exact.or_else(by_start).ok_or_else(|| self.missing(name))?;
        Ok(Text::open(path)?)
    }

    /// The files of the references: `ref`, or all of `ref-0`, `ref-1`, .., or the one translator there is.
    fn references(&self) -> Result<Vec<String>, Failure> {
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
