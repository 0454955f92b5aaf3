//! `--timing PAGE..`: how long the script of a page takes at load, the best of several.

use super::driver::Browser;

const TIMES: usize = 7;

pub(super) fn run(browser: &mut Browser, pages: &[&str]) -> Result<(), String> {
    browser.resize(1300, 1000)?;
    for page in pages {
        let place = std::fs::canonicalize(page).map_err(|error| format!("{page}: {error}"))?;
        let mut times = Vec::new();
        for _ in 0..TIMES {
            browser.open(&format!("file://{}", place.display()))?;
            let time = browser.run("return Number(document.documentElement.dataset.ready)")?;
            times.push(time.as_f64().ok_or_else(|| format!("{page} is not ready"))?);
        }
        times.sort_by(f64::total_cmp);
        let bytes = std::fs::metadata(&place).map_or(0, |data| data.len());
        println!("  {page}: {bytes} bytes, script {:.0} ms, median {:.0} ms", times[0], times[TIMES / 2]);
    }
    Ok(())
}
