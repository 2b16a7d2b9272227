//! `rift debug views` and `rift debug index`.

use rift_server::debug::{DebugAnswer, DebugQuestion, IndexAnswer, ViewsAnswer};

use super::table::{bytes, table};
use super::{Asker, Unanswered, mismatched};
use crate::output::write_out;

pub(super) fn views(asker: &mut Asker<'_>, json: bool) -> Result<(), Unanswered> {
    let DebugAnswer::Views(answer) = asker.ask(&DebugQuestion::Views)? else { return Err(mismatched()) };
    Ok(write_out(&if json { serde_json::to_string_pretty(&answer)? } else { views_text(&answer) })?)
}

fn views_text(answer: &ViewsAnswer) -> String {
    let mut out = format!(
        "current: {}, generation {}\nkept: {} of at most {}, {} of at most {}\n",
        answer.current,
        answer.generation,
        answer.views.len(),
        answer.views_max,
        bytes(answer.bytes),
        bytes(answer.bytes_max),
    );
    let rows: Vec<Vec<String>> = answer
        .views
        .iter()
        .map(|view| {
            let (generation, files) = (view.generation.to_string(), view.files.to_string());
            vec![view.id.clone(), generation, files, bytes(view.bytes), view.expires.clone()]
        })
        .collect();
    if !rows.is_empty() {
        out += &table(&["view", "generation", "files", "bytes", "expires"], &rows, &[0, 4]);
    }
    out
}

pub(super) fn index(asker: &mut Asker<'_>, json: bool) -> Result<(), Unanswered> {
    let DebugAnswer::Index(answer) = asker.ask(&DebugQuestion::Index)? else { return Err(mismatched()) };
    Ok(write_out(&if json { serde_json::to_string_pretty(&answer)? } else { index_text(&answer) })?)
}

fn index_text(answer: &IndexAnswer) -> String {
    let (prepared, searched) = answer.trigrams;
    let mut out = format!(
        "generation {}\nsearch: {} files, {} rows, {} segments, {} on disk, {} of tables\ntrigrams: {prepared} of {searched} files\n",
        answer.generation,
        answer.files,
        answer.rows,
        answer.segments,
        bytes(answer.bytes),
        bytes(answer.memory),
    );
    if let Some((prepared, total)) = answer.vectors {
        out += &format!("vectors: {prepared} of {total} files\n");
    }
    if let Some((records, size)) = answer.facts {
        out += &format!("facts in store: {records}, {}\n", bytes(size));
    }
    out += &format!("texts parsed: {}, facts restored: {}\n\n", answer.extracted, answer.restored);
    let rows: Vec<Vec<String>> = answer.parts.iter().map(|(part, size)| vec![part.clone(), bytes(*size)]).collect();
    out += &table(&["part", "bytes"], &rows, &[0]);
    out
}
