//! The accessibility checker axe-core in both themes and both views, wide and narrow: it finds nothing.

use std::process::Command;

use super::corpora::corpus;
use super::driver::Browser;
use super::{Checks, require};

/// The version that is asked of npm.
const AXE: &str = "axe-core@4";

pub(super) fn run(checks: &Checks, browser: &mut Browser) -> Result<(), String> {
    let place = checks.folder.join("node_modules/axe-core/axe.min.js");
    if !place.is_file() {
        let mut npm = Command::new("npm");
        npm.args(["install", "--silent", "--no-audit", "--no-fund", "--no-save", AXE])
            .current_dir(&checks.folder);
        if !npm.output().is_ok_and(|output| output.status.success()) || !place.is_file() {
            println!("  skipped: {AXE} cannot be had from npm");
            return Ok(());
        }
    }
    let axe = std::fs::read_to_string(&place).map_err(|error| format!("{}: {error}", place.display()))?;
    let arguments = ["r1", "r2", "-i", "s1", "s2", "s3", "--label", "domain=domain", "-m", "bleu", "chrf"];
    let address = checks.page("access", &corpus(3, 120).files, &arguments)?;
    for (width, fragment) in [
        (1300, "theme=light"),
        (1300, "theme=dark&view=aligned"),
        (420, "theme=light&by=:words"),
        (420, "theme=dark&in.domain=news"),
    ] {
        browser.resize(width, 1000)?;
        browser.open(&format!("{address}#{fragment}"))?;
        browser.run(&axe)?;
        let found = browser.run_async(
            "const done = arguments[arguments.length - 1];
             axe.run(document, { resultTypes: ['violations'] }).then(
               result => done(result.violations.map(v => `${v.id} (${v.impact}): ${v.nodes.slice(0, 3).map(n => n.html.slice(0, 160)).join(' | ')}`)),
               error => done([String(error)]));",
        )?;
        let found: Vec<&str> =
            found.as_array().into_iter().flatten().filter_map(|text| text.as_str()).collect();
        require(found.is_empty(), || format!("{width} wide, {fragment}:\n    {}", found.join("\n    ")))?;
    }
    Ok(())
}
