//! Live examples on pages of the site: a report, a trend, and the page of metrics in a browser if it is
//! built.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use xtask::Result;
use xtask::process::run;

use super::{SitePage, read, write};

/// Number of days of the trend; each day has other lines of the example data.
const DAYS: usize = 12;
const LINES_OF_A_DAY: usize = 60;
/// Day from which the trend shows the other system, as if it were a new version of the model.
const NEW_VERSION_FROM: usize = 9;

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
    show(pages, "track.md", "live/trend.html", "The trend of twelve days of the example data")?;
    let page = target.join("web/bleuprint.html");
    if page.exists() {
        fs::copy(&page, folder.join("page.html"))?;
        show(pages, "try.md", "live/page.html", "The page")?;
    }
    Ok(())
}

fn show(pages: &mut [SitePage], name: &str, file: &str, title: &str) -> Result {
    let page = pages.iter_mut().find(|page| page.name == name).ok_or_else(|| format!("no page {name}"))?;
    page.text += &format!(
        "\n## {title}\n\n<p><a href=\"{file}\">Alone in a window</a></p>\n<iframe class=\"live\" src=\"{file}\" title=\"{title}\"></iframe>\n"
    );
    Ok(())
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
    for day in 1..=DAYS {
        let system = if day < NEW_VERSION_FROM { "a" } else { "b" };
        let references = lines(root, "en.ref1.txt", day, scratch)?;
        let outputs = lines(root, &format!("en.sys-{system}.txt"), day, scratch)?;
        let event = scratch.join(format!("{day}.jsonl"));
        let mut stats = Command::new(program);
        stats.arg("stats").arg(references).arg("-i").arg(outputs).args(["--total", "--event"]);
        stats.arg(format!("day-{day:02}")).args(["--stream", "support", "--model-version", system, "--time"]);
        run(stats.arg(format!("2026-01-{day:02}T10:00:00Z")).arg("-o").arg(&event))?;
        run(Command::new(program).args(["track", "add"]).arg(&ledger).arg(&event).args(["--bucket", "1d"]))?;
    }
    let mut page = Command::new(program);
    page.args(["track", "page"]).arg(&ledger).args(["--now", "2026-01-13T00:00:00Z", "--title", "support"]);
    run(page.arg("-o").arg(to))
}

/// Writes the lines of a day of one file of the example data to a file, and returns its path.
fn lines(root: &Path, name: &str, day: usize, scratch: &Path) -> Result<PathBuf> {
    let text = read(root, &format!("examples/data/{name}"))?;
    let lines: Vec<&str> = text.lines().skip(day * 17).take(LINES_OF_A_DAY).collect();
    let file = scratch.join(format!("{day}-{name}"));
    write(&file, &(lines.join("\n") + "\n"))?;
    Ok(file)
}
