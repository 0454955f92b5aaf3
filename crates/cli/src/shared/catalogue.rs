//! Tables of names for a terminal: a name, a line about it, and the programs with which its numbers agree, each
//! wrapped to a part of the width.

use bleuprint_requests::failure::Result;
use bleuprint_requests::terminal::{terminal_width, text_width, wrapped};
use clap::Arg;

use crate::shared::args;
use crate::shared::command::Out;

/// Width of the column of names. A longer name is printed on a separate line.
const NAMES: usize = 15;

/// Widths of the columns of a table of names.
pub(crate) struct Catalogue {
    about: usize,
    agrees: usize,
}

impl Catalogue {
    /// Creates a table with the width of the terminal, and writes its header.
    pub(crate) fn begin(name: &str, out: &mut Out) -> Result<Self> {
        // Two spaces separate columns.
        let rest = text_width() - NAMES - 4;
        let agrees = rest * 3 / 8;
        let catalogue = Catalogue { about: rest - agrees, agrees };
        catalogue.row(name, "about", "agrees with", out)?;
        Ok(catalogue)
    }

    /// Writes a row, in as many lines as its longest cell needs.
    pub(crate) fn row(&self, name: &str, about: &str, agrees: &str, out: &mut Out) -> Result<()> {
        let mut names = vec![name];
        let mut abouts = wrapped(about, self.about);
        let mut agreements = wrapped(agrees, self.agrees);
        if name.chars().count() > NAMES {
            names.push("");
            abouts.insert(0, String::new());
            agreements.insert(0, String::new());
        }
        for line in 0..abouts.len().max(agreements.len()) {
            let name = names.get(line).copied().unwrap_or_default();
            let about = abouts.get(line).map_or("", String::as_str);
            let agrees = agreements.get(line).map_or("", String::as_str);
            let text = format!("{name:<NAMES$}  {about:<width$}  {agrees}", width = self.about);
            writeln!(out, "{}", text.trim_end())?;
        }
        Ok(())
    }
}

/// Writes a line with its continuations below it, indented by four more spaces.
pub(crate) fn write_wrapped(indent: usize, text: &str, out: &mut Out) -> Result<()> {
    for (number, line) in wrapped(text, text_width() - indent - 4).iter().enumerate() {
        let indent = if number == 0 { indent } else { indent + 4 };
        writeln!(out, "{:indent$}{line}", "")?;
    }
    Ok(())
}

/// Writes a text with `indent` spaces before its first line. A terminal gets lines that fit, indented by two more
/// spaces; elsewhere the lines of the text stay whole.
pub(crate) fn write_text(indent: usize, text: &str, out: &mut Out) -> Result<()> {
    for (number, line) in text.split('\n').enumerate() {
        let indent = if number == 0 { indent } else { indent + 2 };
        let is_wide = |width: &usize| line.chars().count() + indent > *width;
        match terminal_width().filter(is_wide) {
            Some(width) => {
                let rest = width.saturating_sub(indent + 2).max(20);
                for (part, line) in wrapped(line, rest).iter().enumerate() {
                    let indent = if part == 0 { indent } else { indent + 2 };
                    writeln!(out, "{:indent$}{line}", "")?;
                }
            }
            None => writeln!(out, "{:indent$}{line}", "")?,
        }
    }
    Ok(())
}

/// Widest column of names of options beside which their descriptions fit.
const BESIDE: usize = 26;

/// Writes names with their descriptions in a second column, or below the names if these are long.
pub(crate) fn write_described(named: &[(String, String)], out: &mut Out) -> Result<()> {
    let widest = named.iter().map(|(name, _)| name.chars().count()).filter(|width| *width <= BESIDE).max();
    let width = widest.unwrap_or(4);
    for (name, about) in named {
        let mut lines = wrapped(about, text_width() - width - 4);
        if name.chars().count() > width {
            lines.insert(0, String::new());
        }
        for (number, line) in lines.iter().enumerate() {
            let name = if number == 0 { name.as_str() } else { "" };
            writeln!(out, "{}", format!("  {name:<width$}  {line}").trim_end())?;
        }
    }
    Ok(())
}

/// Writes options of commands with their descriptions.
pub(crate) fn write_options(options: &[Arg], out: &mut Out) -> Result<()> {
    let named = |arg: &Arg| {
        let short = arg.get_short().map(|short| format!("-{short}, ")).unwrap_or_default();
        let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
        (format!("{short}--{}", args::spelled(arg, " ")), help)
    };
    write_described(&options.iter().map(named).collect::<Vec<_>>(), out)
}
