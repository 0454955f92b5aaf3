//! Record of a run: rows, figures, their tables and their files.

use std::fs;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use xtask::Result;

use super::figures::{self, Figure};
use super::row::BenchRow;
use super::tasks::{ROUNDS, TASKS, TURNS};
use super::{chart, machine, strongest};

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct BenchRecord {
    pub(crate) date: String,
    pub(crate) machine: Value,
    pub(crate) rows: Vec<BenchRow>,
    /// Figures of scripts and targets; old records have none.
    #[serde(default)]
    pub(crate) figures: Vec<Figure>,
    /// Tasks whose figures were measured again after the run, because something else ran beside them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) again: Vec<String>,
}

impl BenchRecord {
    pub(crate) fn markdown(&self) -> String {
        let said = |key: &str| self.machine[key].as_str().unwrap_or("unknown").to_owned();
        let mut text = format!(
            "<!-- Written by `cargo xtask bench --record`; see benches/README.md for method and bias. -->\n\n\
             {}, {} cores, {}; {}; {}. One thread each; time of the \
             processor, from the shell of the clock; least of {} rounds, of fewer where they take long.\n",
            said("processor"),
            self.machine["cores"],
            said("system"),
            said("rustc"),
            said("python"),
            TURNS * ROUNDS,
        );
        if !self.again.is_empty() {
            text.push_str(&format!(
                "\nMeasured again after the run, because another program ran beside them: {}.\n",
                self.again.join(", ")
            ));
        }
        // Readers look first for the strongest peer, so that table precedes the tables of tasks.
        text.push_str(&strongest::markdown(&self.rows));
        text.push_str(&figures::markdown(&self.figures));
        for (task, title) in TASKS {
            let rows: Vec<&BenchRow> = self.rows.iter().filter(|row| row.task == *task).collect();
            if rows.is_empty() {
                continue;
            }
            text.push_str(&format!("\n**{}**\n\n", title));
            text.push_str(
                "| corpus | engine | time | × ours | segments/s | peak memory | agreement with ours |\n",
            );
            text.push_str("|---|---|--:|--:|--:|--:|---|\n");
            rows.iter().for_each(|row| text.push_str(&row.markdown()));
        }
        text
    }

    /// Replaces the figures of these tasks by figures that were measured later on the same machine.
    ///
    /// # Errors
    /// Returns an error if the machine or a version differs, and if a task has no new figure.
    pub(crate) fn replace_figures(
        &mut self,
        machine: &Value,
        figures: Vec<Figure>,
        tasks: &[&str],
    ) -> Result {
        if *machine != self.machine {
            return Err(
                format!("the record is of another machine: {} and not {machine}", self.machine).into()
            );
        }
        for task in tasks {
            let own: Vec<Figure> = figures.iter().filter(|figure| figure.task == *task).cloned().collect();
            let first = self.figures.iter().position(|figure| figure.task == *task);
            let first = first.filter(|_| !own.is_empty());
            let first = first.ok_or_else(|| format!("no figures of {task} before, or none now"))?;
            self.figures.retain(|figure| figure.task != *task);
            self.figures.splice(first..first, own);
            if !self.again.iter().any(|known| known == task) {
                self.again.push((*task).to_owned());
            }
        }
        Ok(())
    }

    pub(crate) fn write(&self, folder: &Path) -> Result<String> {
        fs::create_dir_all(folder).map_err(|error| format!("cannot make a folder: {error}"))?;
        let name = format!("{}.json", self.date);
        write(folder, &name, &(serde_json::to_string_pretty(self)? + "\n"))?;
        self.write_shown(folder)?;
        Ok(format!("benches/records/{name}, latest.md, chart-light.svg, chart-dark.svg"))
    }

    /// Writes the tables and the charts.
    pub(crate) fn write_shown(&self, folder: &Path) -> Result {
        self.shown().iter().try_for_each(|(name, text)| write(folder, name, text))
    }

    fn shown(&self) -> Vec<(String, String)> {
        let mut files = vec![("latest.md".to_owned(), self.markdown())];
        files.extend(chart::files(&self.rows, &self.date));
        files
    }

    /// Reads the newest record in the folder.
    pub(crate) fn newest(folder: &Path) -> Result<BenchRecord> {
        let records = fs::read_dir(folder)?.flatten().map(|entry| entry.path());
        // Names are dates in ISO form, so the greatest name is the newest record.
        let newest = records.filter(|path| path.extension().is_some_and(|kind| kind == "json")).max();
        Ok(serde_json::from_str(&fs::read_to_string(newest.ok_or("there is no record")?)?)?)
    }
}

fn write(folder: &Path, name: &str, text: &str) -> Result {
    Ok(fs::write(folder.join(name), text).map_err(|error| format!("cannot write {name}: {error}"))?)
}

/// Returns today's date.
pub(crate) fn today() -> String {
    machine::date(SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_figures_of_a_task_are_replaced() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("records");
        let mut record = BenchRecord::newest(&folder).unwrap();
        let count = record.figures.len();
        let machine = record.machine.clone();
        let task = record.figures[1].task.clone();
        let own: Vec<Figure> = record.figures.iter().filter(|figure| figure.task == task).cloned().collect();
        let mut changed = own.clone();
        changed.iter_mut().for_each(|figure| figure.figure = Some(1.25));
        record.replace_figures(&machine, changed, &[&task]).unwrap();
        assert_eq!(record.figures.len(), count);
        assert!(record.figures.iter().all(|figure| (figure.task == task) == (figure.figure == Some(1.25))));
        assert!(record.again.contains(&task));
        assert!(record.markdown().contains("Measured again after the run"));
        assert!(record.replace_figures(&machine, own, &["rewards"]).is_err());
        assert!(record.replace_figures(&Value::Null, Vec::new(), &[]).is_err());
    }

    #[test]
    fn tables_and_charts_are_those_of_the_newest_record() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("records");
        for (name, text) in BenchRecord::newest(&folder).unwrap().shown() {
            assert!(
                fs::read_to_string(folder.join(&name)).unwrap() == text,
                "{name}: cargo xtask bench --chart"
            );
            if name.starts_with("chart") {
                assert_eq!((text.matches("<rect").count(), text.matches("×)").count()), (6, 5));
            }
        }
    }
}
