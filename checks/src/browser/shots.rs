//! `--shots PAGE FOLDER`: pictures of a page, light, dark and narrow, to be looked at.

use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::driver::Browser;

pub(super) fn run(browser: &mut Browser, page: &str, place: &str) -> Result<(), String> {
    let page = std::fs::canonicalize(page).map_err(|error| format!("{page}: {error}"))?;
    for (name, width, height, fragment) in [
        ("light", 1300, 2700, "theme=light"),
        ("dark", 1300, 2700, "theme=dark&view=aligned"),
        ("narrow", 420, 3600, "theme=light"),
        // The list and the pane, as the README shows them.
        ("reading", 1000, 640, "theme=light"),
    ] {
        browser.resize(width, height)?;
        browser.open(&format!("file://{}#{fragment}", page.display()))?;
        if name == "reading" {
            browser.run("document.documentElement.style.scrollBehavior = 'auto'; document.querySelector('.tools').scrollIntoView()")?;
        }
        let picture = STANDARD.decode(browser.picture()?).map_err(|error| format!("the picture: {error}"))?;
        let file = Path::new(place).join(format!("{name}.png"));
        std::fs::write(&file, picture).map_err(|error| format!("{}: {error}", file.display()))?;
        println!("  {}", file.display());
    }
    Ok(())
}
