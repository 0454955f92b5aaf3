//! Several systems as a table of text: one row per system, one column per metric.

use bleuprint_core::{AnyScore, Scored};
use comfy_table::{CellAlignment, Table, presets};

use crate::{LineStyle, score_only};

/// The table, followed by the signature of each metric.
pub fn table(systems: &[(String, Vec<Scored<AnyScore>>)], style: LineStyle) -> String {
    let Some((_, first)) = systems.first() else {
        return String::new();
    };
    let mut table = Table::new();
    table.load_style(presets::UTF8_FULL_CONDENSED);
    table.set_header(std::iter::once("System").chain(first.iter().map(|scored| scored.score.name.as_str())));
    for (name, scores) in systems {
        let scores = scores.iter().map(|scored| score_only(&scored.score, style));
        table.add_row(std::iter::once(name.clone()).chain(scores));
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let signatures = first.iter().map(|Scored { score, signature }| {
        let signature = if style.short { signature.short() } else { signature.body() };
        format!("\n - {:<10} {signature}", score.name)
    });
    format!("{table}\n\nSignatures{}", signatures.collect::<String>())
}
