//! Live examples on pages of the site: a report, a trend, and the page of metrics in a browser if it is
//! built.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use xtask::Result;
use xtask::process::{output, run};

use super::{SitePage, read, write};

/// Number of days of the trend; each day has other lines of the example data. An alarm needs 30 days of one version.
const DAYS: usize = 44;
const LINES_OF_A_DAY: usize = 60;
/// Day from which the trend shows the worse system, as if it were a new version of the model.
const NEW_VERSION_FROM: usize = 37;

/// The first page of the reference of Rust.
const REFERENCE: &str = "bleuprint/index.html";

const POLICY: &str = "\
format = \"bleuprint-track/1\"
[[watch]]
name = \"quality of answers\"
stream = \"support\"
metric = \"bleu\"
baseline = \"a.stats\"
bucket = \"1d\"
drop = 3
false-alarms = \"1 per 365d\"
";

/// Writes the examples below `live/` in the pages' folder, and embeds each into the page that describes it.
pub(super) fn add(
    root: &Path,
    target: &Path,
    program: &Path,
    below: &Path,
    pages: &mut [SitePage],
) -> Result {
    let folder = below.join("live");
    fs::create_dir_all(&folder)?;
    report(root, program, &folder.join("report.html"))?;
    trend(root, program, &target.join("site/live"), &folder.join("trend.html"))?;
    show(pages, "report.md", "live/report.html", "A report on the example data")?;
    show(pages, "track.md", "live/trend.html", "The trend of 44 days of the example data")?;
    if target.join("doc").join(REFERENCE).exists() {
        // A link of Markdown would be checked before the reference is there.
        page_named(pages, "rust.md")?.text +=
            &format!("\n<p><a href=\"rust/{REFERENCE}\">Open the reference</a></p>\n");
    }
    try_it(&target.join("web/bleuprint.html"), &folder, pages)
}

/// Puts the page of metrics in front of its description, or a note that says why it is not there.
fn try_it(built: &Path, folder: &Path, pages: &mut [SitePage]) -> Result {
    let page = page_named(pages, "try.md")?;
    let live = if built.exists() {
        fs::copy(built, folder.join("page.html"))?;
        embedded("live/page.html", "Scores in this window")
    } else {
        println!("  without the page of metrics: `cargo xtask web` builds it, which takes minutes");
        "!!! warning \"This copy of the site was built without the page\"\n\n    Run `cargo xtask web`, which builds it, and then `cargo xtask site` again.\n".to_owned()
    };
    let (head, rest) = page.text.split_once("\n## ").ok_or("the description of the page has no sections")?;
    page.text = format!("{head}\n{live}\n## {rest}");
    Ok(())
}

/// Copies the reference of Rust into the site if `cargo doc` has built it; `rust.md` is its page.
pub(super) fn add_rust_reference(target: &Path) -> Result {
    let from = target.join("doc");
    if !from.join(REFERENCE).exists() {
        println!("  without the reference of Rust: `cargo xtask step docs` builds it, which takes minutes");
        return Ok(());
    }
    link_files(&from, &target.join("site/html/rust"))
}

/// Links the files of a folder and of its subfolders into another one, because a copy would take 100 MB.
fn link_files(from: &Path, to: &Path) -> Result {
    fs::create_dir_all(to)?;
    for item in fs::read_dir(from)? {
        let item = item?;
        let target = to.join(item.file_name());
        if item.file_type()?.is_dir() {
            link_files(&item.path(), &target)?;
        } else if fs::hard_link(item.path(), &target).is_err() {
            // A file system without links needs the copy.
            fs::copy(item.path(), &target)?;
        }
    }
    Ok(())
}

fn page_named<'p>(pages: &'p mut [SitePage], name: &str) -> Result<&'p mut SitePage> {
    Ok(pages.iter_mut().find(|page| page.name == name).ok_or_else(|| format!("no page {name}"))?)
}

fn show(pages: &mut [SitePage], name: &str, file: &str, title: &str) -> Result {
    let page = page_named(pages, name)?;
    page.text += &format!("\n## {title}\n\n{}", embedded(file, title));
    Ok(())
}

/// Returns a frame with a file of the site, and a link that opens the file alone.
fn embedded(file: &str, title: &str) -> String {
    format!(
        "<p><a href=\"{file}\">Open it in a window of its own</a></p>\n<iframe class=\"live\" src=\"{file}\" title=\"{title}\"></iframe>\n"
    )
}

fn report(root: &Path, program: &Path, to: &Path) -> Result {
    let data = |name: &str| root.join("examples/data").join(name);
    let mut command = Command::new(program);
    command.arg("report").args([data("en.ref1.txt"), data("en.ref2.txt")]);
    command.arg("-i").args([data("en.sys-a.txt"), data("en.sys-b.txt")]);
    run(command.args(["-m", "bleu", "chrf", "-o"]).arg(to))
}

/// Creates a ledger in which each day has other lines of the example data, and writes its page.
fn trend(root: &Path, program: &Path, scratch: &Path, to: &Path) -> Result {
    if scratch.exists() {
        fs::remove_dir_all(scratch)?;
    }
    fs::create_dir_all(scratch)?;
    let ledger = scratch.join("live.db");
    let baseline = scratch.join("a.stats");
    let policy = scratch.join("track.toml");
    write(&policy, POLICY)?;
    let data = |name: &str| root.join("examples/data").join(name);
    let mut stats = Command::new(program);
    stats.arg("stats").arg(data("en.ref1.txt")).arg("-i").arg(data("en.sys-a.txt")).arg("-o").arg(baseline);
    output(&mut stats)?;
    let mut events = String::new();
    for day in 1..=DAYS {
        let system = if day < NEW_VERSION_FROM { "a" } else { "b" };
        let references = lines(root, "en.ref1.txt", day, scratch)?;
        let outputs = lines(root, &format!("en.sys-{system}.txt"), day, scratch)?;
        let mut stats = Command::new(program);
        stats.arg("stats").arg(references).arg("-i").arg(outputs).args(["--total", "--event"]);
        stats.arg(format!("day-{day:02}")).args(["--stream", "support", "--model-version", system, "--time"]);
        let month = if day <= 31 { 1 } else { 2 };
        let date = if day <= 31 { day } else { day - 31 };
        events += &output(stats.arg(format!("2026-{month:02}-{date:02}T10:00:00Z")).args(["-o", "-"]))?;
    }
    let file = scratch.join("events.jsonl");
    write(&file, &events)?;
    run(Command::new(program).args(["track", "add"]).arg(&ledger).arg(&file).args(["--bucket", "1d"]))?;
    let mut page = Command::new(program);
    page.args(["track", "page"]).arg(&ledger).arg("--policy").arg(policy);
    page.args(["--now", "2026-02-14T00:00:00Z", "--title", "support"]);
    run(page.arg("-o").arg(to))
}

/// Writes the lines of a day of one file of the example data to a file, and returns its path.
fn lines(root: &Path, name: &str, day: usize, scratch: &Path) -> Result<PathBuf> {
    let text = read(root, &format!("examples/data/{name}"))?;
    let lines: Vec<&str> = text.lines().cycle().skip(day * 17).take(LINES_OF_A_DAY).collect();
    let file = scratch.join(format!("{day}-{name}"));
    write(&file, &(lines.join("\n") + "\n"))?;
    Ok(file)
}
